package load

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A plainLibrary has GOROOT's files, but for those that are given.
type plainLibrary map[string]map[string][]byte

func (l plainLibrary) Package(goroot, path string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for name, text := range l[path] {
		files[filepath.Join(goroot, "src", path, name)] = text
	}
	return files, nil
}

func (l plainLibrary) Overlay(string) (map[string][]byte, error) { return nil, nil }

// What a Library lists is what the go command lists.
func TestLibraryLists(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"m.go":   "package m\n\nimport (\n\t_ \"net/http\"\n\t_ \"os/exec\"\n\t_ \"runtime/pprof\"\n)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	toolchain, err := FindToolchain(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	list := func(cfg Config) map[string][]string {
		l := &lister{ctx: t.Context(), cfg: &cfg}
		roots, others, err := l.list([]string{"."})
		if err != nil {
			t.Fatal(err)
		}
		found := make(map[string][]string)
		for _, u := range newChecker(nil, &cfg, nil, nil, roots, others).units {
			if u.listed.PkgPath != "unsafe" {
				found[u.listed.PkgPath] = u.listed.GoFiles
			}
		}
		return found
	}
	want := list(Config{Dir: dir})
	got := list(Config{Dir: dir, Library: plainLibrary{}, Toolchain: toolchain})
	for path, files := range want {
		if !slices.Equal(got[path], files) {
			t.Errorf("%s has files\n%v, the go command says\n%v", path, got[path], files)
		}
	}
	if len(got) != len(want) || len(got) < 100 {
		t.Errorf("%d packages are listed, %d by the go command", len(got), len(want))
	}
}

// Bodies and initialisers stay where something depends on them.
func TestLazy(t *testing.T) {
	dir := unpack(t, "targets.txtar")
	toolchain, err := FindToolchain(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	const sorted = `package sort

func Strings(x []string) { order() }

var table = order()

func order() []int { return []int{less(1)} }

func less(n int) int { return n }

func (t *tree) grow() {}

type tree struct{}

func generic[T any](x T) T { return x }

var unused = map[string]*tree{"a": {}}

var alias = unused

var mentioned = []int{1}

func Ints(x []int) { mentioned[0]++ }

func init() { later() }

func later() {}
`
	r, err := Load(t.Context(), Config{
		Dir: dir, Patterns: []string{"."}, Also: []string{"sort"}, Lazy: true, Toolchain: toolchain,
		Library: plainLibrary{"sort": {
			"sort.go": []byte(sorted), "search.go": nil, "slice.go": nil, "gen_sort_variants.go": nil,
			"zsortanyfunc.go": nil, "zsortfunc.go": nil, "zsortinterface.go": nil,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Package("sort")
	var whole, initialised []string
	for _, f := range p.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					whole = append(whole, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && v.Values != nil {
						initialised = append(initialised, v.Names[0].Name)
					}
				}
			}
		}
	}
	if want := []string{"order", "less", "generic", "init", "later"}; !slices.Equal(whole, want) {
		t.Errorf("the functions %v have their bodies, want %v", whole, want)
	}
	if want := []string{"table", "mentioned"}; !slices.Equal(initialised, want) {
		t.Errorf("the variables %v are initialised, want %v", initialised, want)
	}
	p.SSA.Build()
	r.Bodies.Lock()
	defer r.Bodies.Unlock()
	for _, name := range []string{"Strings", "Ints"} {
		fn := p.SSA.Func(name)
		body, err := r.Bodies.Body(fn)
		if err != nil {
			t.Fatal(err)
		}
		if fn.Blocks != nil || body == nil || body.Blocks == nil || body.Name() != name || body.Pkg != p.SSA {
			t.Errorf("the body of %s is %v", name, body)
		}
	}
	if body, err := r.Bodies.Body(p.SSA.Func("order")); body != nil || err != nil {
		t.Errorf("order, which has its body, has another: %v, %v", body, err)
	}
}
