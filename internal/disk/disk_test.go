package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// in returns the Dir of a directory.
func in(dir string) Dir { return Dir{System: Host{}, Path: dir} }

// writeText writes a text to a file.
func writeText(p Path, text string) error {
	return p.Write(func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// names returns the files in a directory and below, with their contents.
func names(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		list = append(list, fmt.Sprintf("%s=%s", filepath.ToSlash(rel), text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " ")
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	p := Path{in(dir), "a/b.txt"}
	if _, err := p.ReadFile(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading what is not there: %v", err)
	}
	for _, text := range []string{"one", "two"} {
		if err := writeText(p, text); err != nil {
			t.Fatal(err)
		}
		if got, err := p.ReadFile(); string(got) != text || err != nil {
			t.Errorf("read %q, %v, want %q", got, err, text)
		}
	}
	if err := p.Write(func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("x", 1<<20))
		return io.ErrUnexpectedEOF
	}); err != io.ErrUnexpectedEOF {
		t.Errorf("error %v, want that of what fills the file", err)
	}
	if got, want := names(t, dir), "a/b.txt=two"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if got := p.String(); got != filepath.Join(dir, "a", "b.txt") {
		t.Errorf("the path is %s", got)
	}
}

// What is to be ignored says so once, and what the user makes of it stays.
func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	d := in(dir)
	d.Ignored = "out"
	for range 2 {
		if err := writeText(Path{d, "out/p/a"}, "1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeText(Path{d, "kept"}, "2"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "kept=2 out/.gitignore="+ignore+" out/p/a=1"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "out", ".gitignore"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeText(Path{d, "out/b"}, "3"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), "kept=2 out/.gitignore= out/b=3 out/p/a=1"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

// No symbolic link leads out of a Dir; one that leads elsewhere in it is followed.
func TestLinks(t *testing.T) {
	top := t.TempDir()
	dir, outside := filepath.Join(top, "dir"), filepath.Join(top, "outside")
	for _, d := range []string{filepath.Join(dir, "real"), outside} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"absolute": outside, "relative": "../outside", "within": "real", "file": "../outside/secret"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links:", err)
		}
	}
	for _, name := range []string{"absolute/secret", "relative/secret", "file", "../outside/secret", "within/../../outside/secret"} {
		if text, err := (Path{in(dir), name}).ReadFile(); err == nil {
			t.Errorf("%s was read: %q", name, text)
		}
	}
	for _, name := range []string{"absolute/new", "relative/new", "relative/sub/new", "../outside/new", "../new"} {
		if err := writeText(Path{in(dir), name}, "new"); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	for _, name := range []string{"absolute/*", "relative/*"} {
		if list, err := (Path{in(dir), name}).Glob(); err == nil {
			t.Errorf("%s was listed: %v", name, list)
		}
	}
	if err := writeText(Path{in(dir), "within/new"}, "n"); err != nil {
		t.Error(err)
	}
	if err := writeText(Path{in(dir), "file"}, "f"); err != nil { // in place of the link
		t.Error(err)
	}
	if got, want := names(t, outside), "secret=s"; got != want {
		t.Errorf("outside: %s, want %s", got, want)
	}
	if info, err := os.Lstat(filepath.Join(dir, "file")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("what is in place of the link: %v, %v", info, err)
	}
	if got := names(t, filepath.Join(dir, "real")); got != "new=n" {
		t.Errorf("within: %s", got)
	}
}

// Several write to the same file at once: it is what one of them has written.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 50 {
				if err := writeText(Path{in(dir), "a"}, strings.Repeat(fmt.Sprint(g), 1000)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := names(t, dir); len(got) != len("a=")+1000 || strings.Trim(got, "a="+got[2:3]) != "" {
		t.Errorf("files %s", got)
	}
}
