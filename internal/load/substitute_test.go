package load

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/everyway-go/everyway/internal/load/substitute"
)

// TestImportsAdded has units whose imports, other than those that the go command has listed, are
// not there before them: they do not build, and nothing waits for them.
func TestImportsAdded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte("package p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, add := range map[string]func(c *checker){
		"itself":      func(c *checker) { c.units[0].listed.Imports["a"] = c.units[0].listed },
		"a later one": func(c *checker) { c.units[0].listed.Imports["b"] = c.units[1].listed },
		"none": func(c *checker) {
			c.units[0].listed.Imports["b"] = c.units[1].listed
			c.units = c.units[:1]
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := func(path string) *packages.Package {
				return &packages.Package{ID: path, PkgPath: path, Name: "p", GoFiles: []string{file}, Imports: make(map[string]*packages.Package)}
			}
			c := newChecker(token.NewFileSet(), &Config{}, types.SizesFor("gc", "amd64"), nil, []*packages.Package{list("a"), list("b")}, nil)
			add(c)
			finishes(t, c)
			if c.byID["a"].builds() {
				t.Error("the package builds")
			}
		})
	}
}

// TestLibraryMentions has a library that mentions a type that it is itself in the place of, as it
// would to build upon it.
func TestLibraryMentions(t *testing.T) {
	l := substitute.Libraries[0]
	of := &packages.Package{ID: l.Of, PkgPath: l.Of, Name: l.Name(), Dir: t.TempDir(), Imports: make(map[string]*packages.Package)}
	of.GoFiles = []string{filepath.Join(of.Dir, "of.go")}
	c := newChecker(token.NewFileSet(), &Config{Substitute: true}, types.SizesFor("gc", "amd64"), map[string][]byte{
		of.GoFiles[0]: []byte("package sync\n\ntype (\n\tMutex struct{}\n\tMap struct{}\n)\n"),
	}, []*packages.Package{of}, nil)
	library := c.byID[l.Path]
	for _, file := range library.listed.GoFiles {
		c.overlay[file] = []byte("package sync\n")
	}
	c.overlay[library.listed.GoFiles[0]] = []byte("package sync\n\nimport \"sync\"\n\ntype Map struct{ m sync.Map }\n")
	user := &unit{done: make(chan struct{}), pkg: &Package{ID: "p", Path: "p", Name: "p"}, listed: &packages.Package{ID: "p", PkgPath: "p", Name: "p", Imports: map[string]*packages.Package{l.Path: library.listed}}}
	c.units = append(c.units, user)
	finishes(t, c)
	if !library.builds() || !user.builds() {
		t.Errorf("the library does not build: %v", library.errs)
	}
}

// finishes has a checker check, which it does in no time.
func finishes(t *testing.T, c *checker) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.run(ctx)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("a unit waits without end")
	}
}

// TestLibraryPath has a program with a package of its own under the path of a library: it has that one.
func TestLibraryPath(t *testing.T) {
	r, err := loadSubstituted(t, map[string]string{
		"go.mod":      "module everyway\n\ngo 1.26\n",
		"sync/map.go": "package sync\n\nimport \"sync\"\n\ntype Map struct{ mu sync.Mutex }\n\nfunc (m *Map) Store(k, v any) { println(k, v) }\n",
		"main.go":     "package main\n\nimport (\n\t\"sync\"\n\n\town \"everyway/sync\"\n)\n\nfunc main() {\n\tvar m sync.Map\n\tm.Store(1, 2)\n\tvar n own.Map\n\tn.Store(1, 2)\n}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	var own []*Package
	for _, p := range r.All {
		if p.Path == substitute.Libraries[0].Path {
			own = append(own, p)
		}
	}
	if len(own) != 1 || own[0].Module == nil || own[0].Types.Scope().Lookup("Pool") != nil {
		t.Errorf("the packages are %v", own)
	}
	if !slices.ContainsFunc(r.Package("everyway").Types.Imports(), func(p *types.Package) bool { return strings.HasPrefix(p.Path(), "everyway/") }) {
		t.Error("the program does not import it")
	}
}

// loadSubstituted loads a module of some files.
func loadSubstituted(t *testing.T, files map[string]string) (*Result, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Load(t.Context(), Config{Dir: dir, Patterns: []string{"./..."}, Substitute: true, Partial: true, Overlay: make(map[string][]byte)})
}

// TestEmbedded has structures with an embedded type that is replaced, which are other ones then if
// its name is that of something else, too.
func TestEmbedded(t *testing.T) {
	const head = "package main\n\nimport \"sync\"\n\ntype A struct{ Map *sync.Map }\n\ntype B struct{}\n\nfunc (*B) Pool() {}\n\n"
	hides := map[string]bool{
		"type S struct {\n\tsync.Map\n\tA\n}":                                                    true,
		"type S struct {\n\t*sync.Map\n\t*A\n}":                                                  true,
		"type S struct {\n\tsync.Pool\n\tB\n}":                                                   true,
		"type S struct {\n\tsync.Pool\n\tA\n}":                                                   false,
		"type S struct {\n\tsync.Map\n\ta A\n\tnext *S\n}":                                       false,
		"type S struct {\n\tA\n\tm sync.Map\n}":                                                  false,
		"type T[E any] struct {\n\tA\n\te E\n}\ntype S[E any] struct {\n\tsync.Map\n\tT[E]\n}":   true,
		"type T struct {\n\tsync.Map\n\t*T\n}\ntype U struct{ A }\ntype S struct {\n\tT\n\tU\n}": true,
		"type M = sync.Map\ntype S struct {\n\tM\n\tB\n}":                                        false,
	}
	files, of := map[string]string{"go.mod": "module m\n\ngo 1.26\n"}, make(map[string]string)
	for decl := range hides {
		path := fmt.Sprint("m/", len(of))
		of[path], files[strings.TrimPrefix(path, "m/")+"/main.go"] = decl, head+decl+"\n\nfunc main() {}\n"
	}
	r, err := loadSubstituted(t, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Broken {
		decl := of[b.Package]
		if !hides[decl] || !strings.Contains(b.Error(), "it hides something else") {
			t.Errorf("%s: %v", decl, b.Error())
		}
		delete(hides, decl)
	}
	for decl, h := range hides {
		if h {
			t.Errorf("%s builds", decl)
		}
	}
}

// TestHidden has packages that declare predeclared names, which mean something else then in what is added.
func TestHidden(t *testing.T) {
	hides := map[string]bool{
		"func panic(any) {}":                                  true,
		"func recover() any { return nil }":                   true,
		"func max(a, b int) int { return a }":                 false,
		"func f(panic func(any)) { panic(nil) }":              false,
		"type t struct{ panic int }\n\nfunc (t) recover() {}": false,
	}
	files, of := map[string]string{"go.mod": "module m\n\ngo 1.26\n"}, make(map[string]string)
	for decl := range hides {
		path := fmt.Sprint("m/", len(of))
		of[path], files[strings.TrimPrefix(path, "m/")+"/main.go"] = decl, "package main\n\nimport \"sync\"\n\n"+decl+"\n\nfunc main() { sync.OnceFunc(func() {})() }\n"
	}
	r, err := loadSubstituted(t, files)
	if err != nil {
		t.Fatal(err)
	}
	broken := make(map[string]bool)
	for _, b := range r.Broken {
		broken[of[b.Package]] = true
	}
	for decl, h := range hides {
		if broken[decl] != h {
			t.Errorf("%s: builds: %t", decl, !broken[decl])
		}
	}
}
