package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A version of Go whose standard library is another one is refused, with the file.
func TestVersion(t *testing.T) {
	goroot := t.TempDir()
	file := filepath.Join(goroot, "src", "internal", "sync", "mutex.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "package sync\n\ntype Mutex struct{}\n\nfunc (m *Mutex) Lock() {}\n"} {
		if text != "" {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, err := writeOverlay(t.TempDir(), goroot)
		if err == nil || !strings.HasPrefix(err.Error(), file+" has no ") {
			t.Errorf("with %q, the error is %v", text, err)
		}
	}
}
