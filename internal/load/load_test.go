package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

// unpack writes an archive of testdata to a new directory.
func unpack(t testing.TB, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range ar.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTargets(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	r, err := Load(t.Context(), Config{Dir: dir, Patterns: []string{".", "./cmd"}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, target := range r.Targets() {
		got = append(got, fmt.Sprintf("%s %s %s", target.Package.ID, target.Kind, target.Name))
		if target.Func == nil {
			t.Errorf("%s has no function", target.Name)
		}
	}
	want := []string{
		"example.com/m [example.com/m.test] test TestAdd",
		"example.com/m [example.com/m.test] benchmark BenchmarkAdd",
		"example.com/m [example.com/m.test] fuzz test FuzzAdd",
		"example.com/m/cmd main main",
		"example.com/m_test [example.com/m.test] test TestOutside",
		"example.com/m_test [example.com/m.test] example ExampleAdd",
	}
	if !slices.Equal(got, want) {
		t.Errorf("targets:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, p := range r.Packages {
		if main := r.TestMain(p); (main != nil) != (p.ForTest != "") {
			t.Errorf("TestMain(%s) = %v", p.ID, main)
		}
	}
	if p := r.Package("example.com/m"); p == nil || p.ForTest != "example.com/m" {
		t.Errorf("Package(example.com/m) = %v", p)
	}
	if p := r.Package("fmt"); p == nil || !p.Standard || p.Module != nil {
		t.Errorf("Package(fmt) = %v", p)
	}
	if p := r.Packages[0]; p.Standard || p.Module == nil || p.Module.GoVersion != "1.21" {
		t.Errorf("%s: Standard %v, Module %v", p.ID, p.Standard, p.Module)
	}
}

func TestFuncs(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	r, err := Load(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want, err string }{
		{name: "Add", want: "Add"},
		{name: "m.Add", want: "Add"},
		{name: "example.com/m.Add", want: "Add"},
		{name: "Stack.Push", want: "(*Stack).Push"},
		{name: "(*Stack).Push", want: "(*Stack).Push"},
		{name: "m.Stack.Len", want: "Stack.Len"},
		{name: "Sub", err: "no function or method Sub in example.com/m"},
		{name: "Stack.Pop", err: "no function or method Stack.Pop in example.com/m"},
		{name: "Map", err: "Map is generic: name a function that instantiates it"},
	}
	for _, test := range tests {
		list, err := r.Funcs(test.name)
		if got := fmt.Sprint(err); test.err != "" && got != test.err {
			t.Errorf("Funcs(%s): error %q, want %q", test.name, got, test.err)
		}
		if test.err == "" && (len(list) != 1 || list[0].Name != test.want || list[0].Func == nil) {
			t.Errorf("Funcs(%s) = %v, %v, want %s", test.name, list, err, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	tests := []struct {
		pattern string
		want    string // of the error, with the directory as $DIR
		as      any
	}{
		{"./broken", "broken/a.go:3:23: cannot use \"x\" (untyped string constant) as int value in return statement\nbroken/a.go:5:7: undefined: undefined", new(*CompileError)},
		{"./syntax", "syntax/a.go:3:9: expected ')', found '{'", new(*CompileError)},
		{"./needscgo", "package example.com/m/needscgo needs cgo ($DIR/needscgo/a.go): code in C cannot be run, see github.com/everyway-go/everyway/blob/main/docs/supported.md", new(*CgoError)},
		{"./uses", "package example.com/m/needscgo needs cgo ($DIR/needscgo/a.go): code in C cannot be run, see github.com/everyway-go/everyway/blob/main/docs/supported.md", new(*CgoError)},
		{"./none", "", new(*NotFoundError)},
		{"./none/...", "./none/...: lstat ./none/: no such file or directory", new(*NotFoundError)},
		{"example.com/other", "", new(*NotFoundError)},
		{"./missing", "", new(*NotFoundError)},
	}
	for _, test := range tests {
		_, err := Load(t.Context(), Config{Dir: dir, Patterns: []string{test.pattern}, Env: append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")})
		if err == nil {
			t.Errorf("%s: no error", test.pattern)
			continue
		}
		got := strings.ReplaceAll(err.Error(), dir, "$DIR")
		if !errors.As(err, test.as) {
			t.Errorf("%s: error %q is a %T, want %T", test.pattern, got, err, test.as)
		}
		if test.want != "" && !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: error\n%s\nwant\n%s", test.pattern, got, test.want)
		}
	}
}

// TestCgo loads declarations of what uses cgo, with all else.
func TestCgo(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		{"./needscgo", []string{"example.com/m/needscgo"}},
		{"./uses", []string{"example.com/m/needscgo"}},
		{".", nil},
	} {
		r, err := Load(t.Context(), Config{Dir: dir, Patterns: []string{test.pattern}, Cgo: true, Env: append(os.Environ(), "CGO_ENABLED=1")})
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		if got := r.CgoOf(r.Packages[0]); !slices.Equal(got, test.want) {
			t.Errorf("%s uses cgo in %q, want %q", test.pattern, got, test.want)
		}
	}
}

func TestOverlayInMemory(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	file := filepath.Join(dir, "m.go")
	r, err := Load(t.Context(), Config{Dir: dir, Overlay: map[string][]byte{
		file: []byte("package m\n\nfunc Other() {}\n"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Packages[0].SSA.Func("Other") == nil {
		t.Error("the overlay was not loaded")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Load(ctx, Config{Patterns: []string{"fmt"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestLoopVariables checks that the language version of the module decides
// whether each round of a loop has variables of its own.
func TestLoopVariables(t *testing.T) {
	for _, test := range []struct {
		version  string
		perRound bool
	}{{"1.21", false}, {"1.22", true}} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod": "module example.com/m\n\ngo " + test.version + "\n",
			"m.go":   "package m\n\nfunc F() (fs []func() int) {\n\tfor i := 0; i < 3; i++ {\n\t\tfs = append(fs, func() int { return i })\n\t}\n\treturn fs\n}\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Load(t.Context(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		pkg := r.Packages[0].SSA
		pkg.Build()
		variables := 0
		for _, b := range pkg.Func("F").Blocks {
			for _, instr := range b.Instrs {
				if alloc, ok := instr.(*ssa.Alloc); ok && alloc.Comment == "i" {
					variables++
				}
			}
		}
		if perRound := variables > 1; perRound != test.perRound {
			t.Errorf("go %s: %d variables i", test.version, variables)
		}
	}
}
