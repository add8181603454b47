package program_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/program/programtest"
)

// reachOf returns what each target of the module in dir can reach, by name.
func reachOf(t *testing.T, dir string) map[string]program.Reached {
	t.Helper()
	prog, err := program.Load(t.Context(), dir, []string{"./..."}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]program.Reached)
	for i := range targets {
		r, err := prog.Reach(&targets[i])
		if err != nil {
			t.Fatal(err)
		}
		list[targets[i].Name] = r
	}
	return list
}

// TestReach changes a module and checks which targets the change is known to reach. The
// changes are in testdata/reach.txtar: a comment names the targets, and replaces a text in a
// file by another one.
func TestReach(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/reach.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sources := make(map[string]string)
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range archive.Files {
		sources[f.Name] = string(f.Data)
		write(f.Name, string(f.Data))
	}
	before := reachOf(t, dir)
	if len(before) == 0 {
		t.Fatal("there are no targets")
	}
	for _, test := range []struct {
		name, file, old, new string
		want                 string // targets whose hash changes, in order
		lines                bool   // some positions change as well, of others
	}{
		{"comment", "c/c.go", "// Called does something.", "// Called does that.", "", false},
		{"comment in a reached function", "c/c.go", "return 1 // one", "return 1 // first", "", false},
		{"lines before", "c/c.go", "// Called does something.", "\n\n// Called does something.", "TestHandler TestLines TestLog", true},
		{"unReached function", "c/c.go", "return 99", "return 98", "", false},
		{"called function", "c/c.go", "return 1 // one", "return 2", "TestCalls TestCallsThrough", false},
		{"column", "c/c.go", "return 1 // one", " return 1 // one", "TestCalls TestCallsThrough", false},
		{"constant of a group", "c/c.go", "Second\n", "Second\n\tThird\n", "TestConstant TestHandler TestLines TestLog", true},
		{"method through an interface", "c/c.go", `"a shape"`, `"shape"`, "TestInterface TestReflect", false},
		{"new method of a type", "c/c.go", "type Shape struct{}", "type Shape struct{}; func (Shape) Format() {}", "TestInterface TestReflect", false},
		{"method of an asserted type", "c/c.go", `"asserted"`, `"other"`, "", false},
		{"generic function", "c/c.go", "return x // same", "y := x; return y", "TestGeneric", false},
		{"variable", "c/c.go", "var table = []int{1}", "var table = []int{2}", "all of a", false},
		{"order of variables", "c/c.go", "var first = next()\nvar second = next()", "var second = next()\nvar first = next()", "all of a", false},
		{"function that an initialiser calls", "c/c.go", "counter++", "counter += 1", "all of a", false},
		{"embedded file", "c/embedded.txt", "text", "test", "all of a", false},
		{"function that is linked to", "c/c.go", "return 5 // linked", "return 6", "all of a", false},
		{"TestMain", "a/main_test.go", "m.Run()", "0 + m.Run()", "all of a", false},
		{"output of an example", "a/a_test.go", "// Output: 1", "// Output: 2", "Example", false},
		{"predeclared name", "c/c.go", "type Unused int", "func len(string) int { return 0 }", "TestLength", false},
		{"version of Go", "go.mod", "go 1.26", "go 1.25", "all of a TestElsewhere", false},
		{"version of a file", "c/c.go", "package c", "//go:build go1.21\n\npackage c", "all of a", true},
		{"name of another package", "c/c.go", "hash \"crypto/sha1\"\n\t_ \"embed\"\n\t\"fmt\"\n\t\"reflect\"\n\t_ \"unsafe\"\n\n\t_ \"crypto/md5\"",
			"hash \"crypto/md5\"\n\t_ \"embed\"\n\t\"fmt\"\n\t\"reflect\"\n\t_ \"unsafe\"\n\n\t_ \"crypto/sha1\"", "TestSize", false},
		{"names of packages exchanged", "c/c.go", "x \"example.com/m/d\"\n\ty", "y \"example.com/m/d\"\n\tx", "TestDifference", false},
		{"order of packages", "d/d.go", "package d", "package d\n\nimport _ \"example.com/m/e\"", "all of a", true},
		{"link to the standard library", "c/c.go", "nanotime runtime.nanotime", "nanotime runtime.cputicks", "all of a", false},
		{"line directive", "c/c.go", "func Late() {}", "//line c.go:7\nfunc Late() {}", "TestHandler TestLines TestLog", true},
		{"line directive in a function", "c/c.go", "return len(s)", "//line c.go:7\n\treturn len(s)", "TestLength TestHandler TestLines TestLog", true},
		{"lines before a log with flags by number", "l/l.go", "// Log logs.", "\n// Log logs.", "TestHandler TestLines TestLog", true},
		{"import", "c/c.go", `"reflect"`, "\"reflect\"\n\t_ \"image/png\"", "all of a", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := sources[test.file]
			if strings.Count(text, test.old) != 1 {
				t.Fatalf("%q is not once in %s", test.old, test.file)
			}
			write(test.file, strings.Replace(text, test.old, test.new, 1))
			defer write(test.file, text)
			after := reachOf(t, dir)
			var changed, all []string
			moved := false
			for name, was := range before {
				now := after[name]
				if name != "TestElsewhere" {
					all = append(all, name)
				}
				if now.Code != was.Code {
					changed = append(changed, name)
				}
				moved = moved || now.Lines != was.Lines && now.Code == was.Code
			}
			want := strings.Fields(strings.Replace(test.want, "all of a", strings.Join(all, " "), 1))
			slices.Sort(changed)
			slices.Sort(want)
			if !slices.Equal(changed, want) {
				t.Errorf("changed: %s; want %s", changed, want)
			}
			if len(changed) < len(before)-1 && moved != test.lines {
				t.Errorf("lines have moved: %v, want %v", moved, test.lines)
			}
		})
	}
}

// TestLoadedTogether loads programs alone, and together with others: what each of them can reach is
// the same, unless it draws what may be of any type.
func TestLoadedTogether(t *testing.T) {
	const text = "package main\n\nimport \"github.com/everyway-go/everyway/sym\"\n\nfunc main() { println(sym.Range(\"x\", 0, 2), sym.String(\"s\")) }\n"
	texts := map[string]string{
		"one":  text,
		"two":  text + "\ntype two struct{}\n\nfunc (two) String() string { return \"two\" }\n",
		"draw": "package main\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nfunc main() { println(sym.Any[fmt.Stringer](\"x\") == nil) }\n",
	}
	keys := func(texts map[string]string) map[string]string {
		t.Helper()
		p := programtest.Load(t, nil, texts)
		list := make(map[string]string)
		for _, target := range p.Targets() {
			key, err := p.CoverKey(&target)
			if err != nil {
				t.Fatal(err)
			}
			list[filepath.Base(target.Package.Path)] = key
		}
		return list
	}
	for name, key := range keys(texts) {
		if alone := keys(map[string]string{name: texts[name]})[name]; (alone == key) != (name != "draw") {
			t.Errorf("%s: the key is %s, and %s if it is loaded alone", name, key, alone)
		}
	}
}
