package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
)

func key(text string) Key {
	h := NewHash("test")
	h.Text(text)
	return h.Sum()
}

func TestGetPut(t *testing.T) {
	c := open(filepath.Join(t.TempDir(), "not", "there"))
	var got string
	if c.Get(key("a"), &got) {
		t.Error("an empty cache has a value")
	}
	for _, value := range []string{"first", "second"} {
		if err := c.Put(key("a"), value); err != nil {
			t.Fatal(err)
		}
		if !c.Get(key("a"), &got) || got != value {
			t.Errorf("got %q, want %q", got, value)
		}
	}
	if c.Get(key("b"), &got) {
		t.Error("there is a value under another key")
	}
}

// Damaged entries are misses, and can be replaced.
func TestDamaged(t *testing.T) {
	c := open(t.TempDir())
	for name, damage := range map[string]func(text []byte) []byte{
		"cut off":       func(text []byte) []byte { return text[:len(text)-1] },
		"empty":         func([]byte) []byte { return nil },
		"a bit":         func(text []byte) []byte { text[len(text)-2] ^= 1; return text },
		"checksum":      func(text []byte) []byte { text[0] ^= 1; return text },
		"of other type": func([]byte) []byte { return []byte(checksum(key("a"), []byte("17")) + "\n17") },
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.Put(key("a"), "value"); err != nil {
				t.Fatal(err)
			}
			path := c.file(key("a")).String()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var got string
			if c.Get(key("a"), &got) {
				t.Errorf("got %q from a damaged entry", got)
			}
		})
	}
	// The entry of another key in its place.
	if err := c.Put(key("a"), "value"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(c.file(key("b")).String()), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(c.file(key("a")).String(), c.file(key("b")).String()); err != nil {
		t.Fatal(err)
	}
	if got := ""; c.Get(key("b"), &got) {
		t.Error("got the value of another key")
	}
}

// Without a directory, or with one that cannot be written, nothing is kept.
func TestOff(t *testing.T) {
	var off Cache
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := off.Put(key("a"), 1); err != nil {
		t.Error(err)
	}
	if err := open(file).Put(key("a"), 1); err == nil {
		t.Error("no error of writing below a file")
	}
	for _, c := range []Cache{off, open(file)} {
		var got int
		if c.Get(key("a"), &got) {
			t.Error("got a value")
		}
	}
	for _, err := range []error{off.Clear(), off.Trim(time.Now()), open("/nonexistent/x").Clear(), open("/nonexistent/x").Trim(time.Now())} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestDir(t *testing.T) {
	for _, test := range []struct{ value, home, want string }{
		{"off", "/home/me", ""},
		{"/tmp/c", "/home/me", "/tmp/c"},
		{"", "/home/me", "/home/me/.cache/everyway"},
		{"", "", ""},
	} {
		t.Setenv(Variable, test.value)
		t.Setenv("HOME", test.home)
		t.Setenv("XDG_CACHE_HOME", "")
		if got, err := Dir(); got != test.want || err != nil {
			t.Errorf("%s=%s, HOME=%s: %q, want %q; %v", Variable, test.value, test.home, got, test.want, err)
		}
	}
	t.Setenv(Variable, "here")
	if _, err := Dir(); err == nil {
		t.Error("no error of a relative directory")
	}
}

func TestConcurrent(t *testing.T) {
	c := open(t.TempDir())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				text := fmt.Sprint(j % 3)
				if err := c.Put(key(text), text); err != nil {
					t.Error(i, err)
				}
				var got string
				if !c.Get(key(text), &got) || got != text {
					t.Errorf("%d: got %q, want %q", i, got, text)
				}
			}
		})
	}
	wg.Wait()
}

// files returns how many files are below a directory.
func files(t *testing.T, dir string) int {
	n := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTrim(t *testing.T) {
	c := open(t.TempDir())
	now := time.Now()
	for _, name := range []string{"old", "used", "new"} {
		if err := c.Put(key(name), name); err != nil {
			t.Fatal(err)
		}
		if name != "new" {
			old := now.Add(-trimAge - time.Hour)
			if err := os.Chtimes(c.file(key(name)).String(), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got string
	c.Get(key("used"), &got)
	for _, test := range []struct {
		now  time.Time
		want int // entries, and the file that says when it was
	}{
		{now, 3},
		{now.Add(trimEvery / 2), 3},
		{now.Add(trimAge + 2*time.Hour), 1},
	} {
		if err := c.Trim(test.now); err != nil {
			t.Fatal(err)
		}
		if n := files(t, c.dir.Path); n != test.want {
			t.Errorf("%d files after trimming, want %d", n, test.want)
		}
	}
}

// What is no entry is left alone.
func TestClear(t *testing.T) {
	c := open(t.TempDir())
	if err := c.Put(key("a"), 1); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(filepath.Dir(c.file(key("a")).String()), "notes.txt")
	unfinished := filepath.Join(filepath.Dir(own), ".tmp-123")
	for _, path := range []string{own, unfinished} {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	if n := files(t, c.dir.Path); n != 1 {
		t.Errorf("%d files, want the one that is no entry", n)
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if err := c.Clear(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.dir.Path); err == nil {
		t.Error("an empty directory is left")
	}
}

func open(dir string) Cache { return Open(disk.Dir{System: disk.Host{}, Path: dir}) }
