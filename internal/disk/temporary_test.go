//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A directory is there until it is removed, by its process or, if that was ended by force, by the
// next one.
func TestTemporary(t *testing.T) {
	parent := t.TempDir()
	first, err := MakeTemporary(Host{}, parent, "x-")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x-abandoned", "x-unlocked", "y-kept", filepath.Base(first.Path)} {
		if err := os.MkdirAll(filepath.Join(parent, name, "sub"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(parent, "x-abandoned"+locked), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	second, err := MakeTemporary(Host{}, parent, "x-")
	if err != nil {
		t.Fatal(err)
	}
	exist := func(want bool, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if _, err := os.Stat(path); (err == nil) != want {
				t.Errorf("%s exists: %t, want %t", path, err == nil, want)
			}
		}
	}
	exist(true, first.Path, second.Path, filepath.Join(parent, "y-kept"))
	exist(false, filepath.Join(parent, "x-abandoned"), filepath.Join(parent, "x-abandoned"+locked), filepath.Join(parent, "x-unlocked"))
	for _, d := range []*Temporary{first, second} {
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("there are %v, %v, want y-kept only", entries, err)
	}
	if _, err := MakeTemporary(Host{}, filepath.Join(parent, "none"), "x-"); err == nil {
		t.Error("a directory was made in one that does not exist")
	}
}

// TestTemporaries makes and removes directories at the same time: who makes one removes those that
// others have just unlocked.
func TestTemporaries(t *testing.T) {
	parent := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				d, err := MakeTemporary(Host{}, parent, "x-")
				if err == nil {
					err = d.Remove()
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("%v: %d files are left", err, len(left))
	}
}
