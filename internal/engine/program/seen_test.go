package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
)

// TestSeen reads files, changes something, and checks whether that is noticed.
func TestSeen(t *testing.T) {
	for _, test := range []struct {
		name      string
		change    func(at func(string) string) error
		unchanged bool
	}{
		{"nothing", func(func(string) string) error { return nil }, true},
		{"touched", func(at func(string) string) error { return os.WriteFile(at("p/read.txt"), []byte("text"), 0o666) }, true},
		{"content", func(at func(string) string) error { return os.WriteFile(at("p/read.txt"), []byte("test"), 0o666) }, false},
		{"removed", func(at func(string) string) error { return os.Remove(at("p/read.txt")) }, false},
		{"there now", func(at func(string) string) error { return os.WriteFile(at("p/absent.txt"), nil, 0o666) }, false},
		{"in a directory", func(at func(string) string) error { return os.WriteFile(at("p/dir/new.txt"), nil, 0o666) }, false},
		{"another kind", func(at func(string) string) error {
			if err := os.Remove(at("p/dir/file.txt")); err != nil {
				return err
			}
			return os.Mkdir(at("p/dir/file.txt"), 0o777)
		}, false},
		{"content in a directory", func(at func(string) string) error { return os.WriteFile(at("p/dir/file.txt"), []byte("x"), 0o666) }, true},
		{"not read", func(at func(string) string) error { return os.WriteFile(at("p/unread.txt"), []byte("x"), 0o666) }, true},
		{"output", func(at func(string) string) error { return os.Mkdir(OutputDir(at(".")), 0o777) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
			if err := os.MkdirAll(at("p/dir"), 0o777); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"p/read.txt", "p/unread.txt", "p/dir/file.txt"} {
				if err := os.WriteFile(at(name), []byte("text"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			prog := &Program{Toolchain: &load.Toolchain{}}
			target := &load.Target{Name: "TestX", Package: &load.Package{Path: "m/p", Dir: at("p"), Module: &load.Module{Dir: root}}}
			files, dir, err := prog.TestFiles(target)
			if err != nil || dir != "p" {
				t.Fatalf("the test runs in %q; %v", dir, err)
			}
			// What is not there is something to be noticed, too.
			_, _ = fs.ReadFile(files, "p/read.txt")
			_, _ = fs.ReadFile(files, "p/absent.txt")
			_, _ = fs.ReadDir(files, "p/dir")
			_, _ = fs.ReadDir(files, ".")
			_, _ = fs.Stat(files, "p/dir")
			seen, err := prog.Seen(target)
			if err != nil {
				t.Fatal(err)
			}
			if err := test.change(at); err != nil {
				t.Fatal(err)
			}
			unchanged := true
			for i := range seen {
				unchanged = unchanged && seen[i].Changed() == ""
			}
			if unchanged != test.unchanged {
				t.Errorf("unchanged: %v, want %v", unchanged, test.unchanged)
			}
			// If it is read again, and is not the same, there is nothing to rely on.
			_, _ = fs.ReadFile(files, "p/read.txt")
			if _, err := prog.Seen(target); (err == nil) != (test.name != "content" && test.name != "removed") {
				t.Errorf("error of reading again: %v", err)
			}
		})
	}
}
