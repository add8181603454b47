package journal

import (
	"os"
	"path/filepath"
	"testing"
)

func TestJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results")
	put := func(key string, r int) {
		t.Helper()
		j, err := Open[int](name)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Put(key, r); err != nil {
			t.Fatal(err)
		}
		if got, ok := j.Get(key); !ok || got != r {
			t.Errorf("Get(%s) = %d, %v after Put of %d", key, got, ok, r)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	put("a", 1)
	put("b", 2)
	put("a", 3)
	j, err := Open[int](name)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for key, want := range map[string]int{"a": 3, "b": 2} {
		if got, ok := j.Get(key); !ok || got != want {
			t.Errorf("Get(%s) = %d, %v, want %d", key, got, ok, want)
		}
	}
	if _, ok := j.Get("c"); ok {
		t.Error("a result that was never put")
	}
}

func TestOpenBroken(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results")
	if err := os.WriteFile(name, []byte("{\"Key\":\"a\",\"Result\":1}\n{\"Key\":"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open[int](name); err == nil {
		t.Error("no error for a line that ends early")
	}
}
