package walk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// TestRewrite shows which calls are replaced.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"package p\nimport \"path/filepath\"\nfunc f() { filepath.Walk(\"a\", nil) }", "package p\nimport \"path/filepath\"\nfunc f() { filepath_Walk(\"a\", nil) }\nvar _ = filepath.Clean\n"},
		{"package p\nimport fp \"path/filepath\"\nfunc f() { fp.WalkDir(\"a\", nil) }", "package p\nimport fp \"path/filepath\"\nfunc f() { fp_WalkDir(\"a\", nil) }\nvar _ = fp.Clean\n"},
		{"package p\nimport \"path/filepath\"\nvar f = filepath.Walk\n", ""},
		{"package p\nimport \"path/filepath\"\nfunc f(filepath t) { filepath.Walk(\"a\", nil) }", ""},
		{"package p\nimport \"q/filepath\"\nfunc f() { filepath.Walk(\"path/filepath\", nil) }", ""},
		{"package p\nimport . \"path/filepath\"\nfunc f() { Walk(\"a.Walk\", nil) }", ""},
	} {
		got, names := Rewrite([]byte(c.text))
		want := c.want
		if want == "" {
			want = c.text
		}
		if string(got) != want || (len(names) > 0) != (c.want != "") {
			t.Errorf("Rewrite(%q) = %q, %q, want %q", c.text, got, names, want)
		}
	}
}
