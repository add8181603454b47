package substitute

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestWalk compares the functions with those of the standard library: for trees, and functions that skip and fail at random.
func TestWalk(t *testing.T) {
	errEnd := errors.New("end")
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		root := t.TempDir()
		grow(t, r, root, 3)
		if seed%7 == 0 {
			root = filepath.Join(root, "missing")
		}
		// what is returned for a visit depends on what is visited only
		results := make(map[string]error)
		decide := func(path string, err error) error {
			key := fmt.Sprint(path, err != nil)
			if _, ok := results[key]; !ok {
				results[key] = []error{nil, nil, nil, nil, nil, nil, nil, filepath.SkipDir, filepath.SkipDir, filepath.SkipAll, errEnd}[r.IntN(11)]
			}
			return results[key]
		}
		visits := func(walk func(string, filepath.WalkFunc) error) (list []string) {
			err := walk(root, func(path string, info fs.FileInfo, err error) error {
				list = append(list, fmt.Sprint(path, info != nil && info.IsDir(), err))
				return decide(path, err)
			})
			return append(list, fmt.Sprint(err))
		}
		if got, want := visits(everyway_Walk), visits(filepath.Walk); !slices.Equal(got, want) {
			t.Errorf("seed %d: Walk:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		entries := func(walk func(string, fs.WalkDirFunc) error) (list []string) {
			err := walk(root, func(path string, d fs.DirEntry, err error) error {
				list = append(list, fmt.Sprint(path, d != nil && d.IsDir(), d, err))
				return decide(path, err)
			})
			return append(list, fmt.Sprint(err))
		}
		if got, want := entries(everyway_WalkDir), entries(filepath.WalkDir); !slices.Equal(got, want) {
			t.Errorf("seed %d: WalkDir:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// grow makes files and directories, some of which are gone before their turn comes or cannot be read, as far as the user cannot read everything.
func grow(t *testing.T, r *rand.Rand, dir string, depth int) {
	t.Helper()
	for i := range r.IntN(5) {
		path := filepath.Join(dir, fmt.Sprint(i))
		if depth == 0 || r.IntN(2) == 0 {
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		grow(t, r, path, depth-1)
		if r.IntN(5) == 0 {
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(path, 0o777) })
		}
	}
}

// TestOnce compares the functions with those of the standard library, for functions that return and that panic.
func TestOnce(t *testing.T) {
	panics := func(f func()) (value any) {
		defer func() { value = recover() }()
		f()
		return nil
	}
	for _, fails := range []bool{false, true} {
		say := func(once func(func()) func(), value func(func() string) func() string, values func(func() (int, error)) func() (int, error)) (list []string) {
			called := 0
			call := func() {
				if called++; fails {
					panic(fmt.Sprint("call ", called))
				}
			}
			f, g, h := once(call), value(func() string { call(); return "a" }), values(func() (int, error) { call(); return 3, fs.ErrExist })
			for range 3 {
				list = append(list, fmt.Sprint(panics(f)))
				list = append(list, fmt.Sprint(panics(func() { list = append(list, g()) })))
				list = append(list, fmt.Sprint(panics(func() { n, err := h(); list = append(list, fmt.Sprint(n, err)) }), called))
			}
			return list
		}
		if got, want := say(everyway_OnceFunc, everyway_OnceValue[string], everyway_OnceValues[int, error]), say(sync.OnceFunc, sync.OnceValue[string], sync.OnceValues[int, error]); !slices.Equal(got, want) {
			t.Errorf("what they are given panics: %t: %q, want %q", fails, got, want)
		}
	}
}

// TestRewrite shows which functions are replaced.
func TestRewrite(t *testing.T) {
	for _, c := range []struct {
		text, want string
		declares   []string
	}{
		{"package p\nimport \"path/filepath\"\nfunc f() { filepath.Walk(\"a\", nil) }", "package p\nimport \"path/filepath\"\nfunc f() { filepath_Walk(\"a\", nil) }\nvar _ = filepath.Clean\n", []string{"filepath_Walk"}},
		{"package p\nimport fp \"path/filepath\"\nfunc f() { fp.WalkDir(\"a\", nil); fp.WalkDir(\"b\", nil) }", "package p\nimport fp \"path/filepath\"\nfunc f() { fp_WalkDir(\"a\", nil); fp_WalkDir(\"b\", nil) }\nvar _ = fp.Clean\n", []string{"fp_WalkDir"}},
		{"package p\nimport \"path/filepath\"\nvar f = filepath.Walk\n", "", nil},
		{"package p\nimport \"path/filepath\"\nfunc f(filepath t) { filepath.Walk(\"a\", nil) }", "", nil},
		{"package p\nimport \"q/filepath\"\nfunc f() { filepath.Walk(\"path/filepath\", nil) }", "", nil},
		{"package p\nimport . \"path/filepath\"\nfunc f() { Walk(\"a.Walk\", nil) }", "", nil},
		{
			"package p\nimport \"sync\"\nvar f, g = sync.OnceFunc(nil), sync.OnceFunc\nvar h = sync.OnceValue[int](nil)", "package p\nimport \"sync\"\nvar f, g = sync_OnceFunc(nil), syncaOnceFunc\nvar h = sync_OnceValue[int](nil)\nvar _ sync.Mutex\n",
			[]string{"sync_OnceFunc", "sync_OnceValue", "syncaOnceFunc"},
		},
		{"package p\nimport \"sync\"\nvar m sync.Mutex // sync.OnceFunc", "", nil},
		{"package p\nimport \"sync\"\nfunc f(sync_OnceFunc func(func()) func()) { sync.OnceFunc(nil) }", "", nil},
		{
			"package p\nimport \"sync\"\nvar f = sync.OnceFunc(nil)\nfunc g(syncaOnceFunc int) func() { return sync.OnceFunc(nil) }", "package p\nimport \"sync\"\nvar f = sync_OnceFunc(nil)\nfunc g(syncaOnceFunc int) func() { return sync.OnceFunc(nil) }\nvar _ sync.Mutex\n",
			[]string{"sync_OnceFunc"},
		},
	} {
		var p Package
		got := string(p.Rewrite([]byte(c.text)))
		if want := cmp.Or(c.want, c.text); got != want {
			t.Errorf("Rewrite(%q) = %q, want %q", c.text, got, want)
		}
		var declares []string
		for _, file := range p.Files("p") {
			f, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Text, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && Function(fn.Name.Name) != "" {
					declares = append(declares, fn.Name.Name)
				}
			}
		}
		slices.Sort(declares)
		if !slices.Equal(declares, c.declares) {
			t.Errorf("Rewrite(%q): the functions %q are declared, want %q", c.text, declares, c.declares)
		}
	}
}
