package instrument

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/schedule"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// TestRewrite compares what becomes of small sources with golden files, and type-checks it. An
// archive in testdata/rewrite has a source, x_test.go, a go.mod file if it matters, and the events
// of a run: in each line the goroutine, the operation, the object or the child, and the place, as a
// line number and a piece of that line, in which ^ is before the column, unless there is none, and
// the function if it is not f. The golden part coarse, without points within expressions, is there
// if it differs from want.
func TestRewrite(t *testing.T) {
	archives, err := filepath.Glob("testdata/rewrite/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	std := importer.Default()
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			r := recorded(t, archive, root)
			for i, coarse := range []bool{false, true} {
				plan := NewPlan(r, root)
				plan.Coarse = coarse
				plan.Race = r.Finding != nil && r.Finding.Kind == "data race"
				files := written(t, plan, root)
				typeCheck(t, std, files)
				got := rewrittenPart(files["x_test.go"], files["tables.go"])
				section := [...]string{"want", "coarse"}[i]
				if *update {
					set(archive, section, got)
				}
				want := find(archive, section)
				if want == nil {
					want = find(archive, "want")
				}
				if got != string(want) {
					t.Errorf("%s is\n%s\nnot\n%s", section, got, want)
				}
				if got, want := lastLine(t, files["x_test.go"]), lastLine(t, string(find(archive, "x_test.go"))); got != want {
					t.Errorf("the last function is at line %d, not %d", got, want)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func find(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// set sets the section coarse, too, unless it is what is wanted anyway.
func set(a *txtar.Archive, name, text string) {
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if text != string(find(a, "want")) {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
	}
}

// recorded makes the run of an archive, and its module in root.
func recorded(t *testing.T, a *txtar.Archive, root string) *schedule.Run {
	t.Helper()
	r := &schedule.Run{Header: schedule.Header{Target: "TestX", Kind: "test"}}
	source := find(a, "x_test.go")
	goMod := find(a, "go.mod")
	if goMod == nil {
		goMod = []byte("module example.com/m\n\ngo 1.26\n")
	}
	if header := find(a, "header"); header != nil {
		if err := json.Unmarshal(header, &r.Header); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string][]byte{"x_test.go": source, "go.mod": goMod} {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	objects := map[string]*schedule.Object{}
	lines := strings.Split(string(source), "\n")
	for line := range strings.Lines(string(find(a, "events"))) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		e := schedule.RunEvent{Goroutine: fields[0], Func: "f"}
		if err := e.Op.UnmarshalText([]byte(fields[1])); err != nil {
			t.Fatal(err)
		}
		if e.Op == schedule.SelectDefault {
			e.Alt = -1
		}
		switch {
		case len(fields) < 3:
		case e.Op == schedule.Spawn:
			e.Child = fields[2]
		case e.Op == schedule.TimePass:
			e.Wrote = fields[2]
		default:
			if objects[fields[2]] == nil {
				objects[fields[2]] = &schedule.Object{Count: int32(len(objects) + 1)}
			}
			e.Object = objects[fields[2]]
		}
		if len(fields) < 5 {
			r.Events = append(r.Events, e)
			continue
		}
		var n int
		if _, err := fmt.Sscan(fields[3], &n); err != nil {
			t.Fatal(err)
		}
		if len(fields) > 5 {
			e.Func = fields[5]
		}
		before, after, _ := strings.Cut(fields[4], "^")
		column := strings.Index(lines[n-1], before+after)
		if column < 0 {
			t.Fatalf("line %d is %q, and has no %q", n, lines[n-1], before+after)
		}
		e.Pos = fmt.Sprintf("x_test.go:%d:%d", n, column+len(before)+1)
		r.Events = append(r.Events, e)
	}
	return r
}

// written returns the files that a plan writes, by their base names.
func written(t *testing.T, plan *Plan, root string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if _, err := plan.Write(dir, overlay.Toolchain{GOROOT: "/goroot", GOMODCACHE: "/cache", GoMod: filepath.Join(root, "go.mod")}); err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	data, err := os.ReadFile(filepath.Join(dir, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &overlay); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for path, replacement := range overlay.Replace {
		text, err := os.ReadFile(replacement)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = strings.ReplaceAll(string(text), root+string(filepath.Separator), "")
	}
	return files
}

// rewrittenPart returns the lines with control points, and the tables.
func rewrittenPart(source, tables string) string {
	var b strings.Builder
	for i, line := range strings.Split(source, "\n") {
		if strings.Contains(line, "everyway") || strings.HasPrefix(line, "//") {
			fmt.Fprintf(&b, "%d\t%s\n", i+1, strings.TrimSpace(line))
		}
	}
	_, tables, _ = strings.Cut(tables, "var names")
	return b.String() + "names" + tables
}

// lastLine returns the line of the end of the last function.
func lastLine(t *testing.T, source string) int {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x_test.go", source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			line = fset.Position(fn.End()).Line
		}
	}
	return line
}

// typeCheck checks the rewritten sources, with the package that they call.
func typeCheck(t *testing.T, std types.Importer, files map[string]string) {
	t.Helper()
	fset := token.NewFileSet()
	parse := func(names ...string) []*ast.File {
		var list []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				t.Fatalf("%v\n%s", err, files[name])
			}
			list = append(list, f)
		}
		return list
	}
	made := map[string]*types.Package{}
	for path, name := range map[string]string{"debug": "clock_other.go", "container": "shadow_other.go"} {
		p, err := (&types.Config{Importer: std}).Check(path, fset, parse(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		made[path] = p
	}
	control, err := (&types.Config{Importer: importing(func(path string) (*types.Package, error) {
		if p := made[path]; p != nil {
			return p, nil
		}
		return std.Import(path)
	})}).Check("everyway/control", fset, parse("control.go", "tables.go"), nil)
	if err != nil {
		t.Fatal(err)
	}
	version := "go1.26"
	if strings.Contains(files["x_test.go"], "//go:build go1.18") {
		version = "go1.18"
	}
	config := types.Config{GoVersion: version, Importer: importing(func(path string) (*types.Package, error) {
		if path == "everyway/control" {
			return control, nil
		}
		return std.Import(path)
	})}
	if _, err := config.Check("m", fset, parse("x_test.go"), nil); err != nil {
		t.Errorf("%v\n%s", err, files["x_test.go"])
	}
}

type importing func(string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }
