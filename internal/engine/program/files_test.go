package program

import (
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
)

// TestTestFiles checks which files a test has around it.
func TestTestFiles(t *testing.T) {
	root := t.TempDir()
	at := func(elem ...string) string { return filepath.Join(append([]string{root}, elem...)...) }
	module := &load.Module{Dir: at("module")}
	for _, test := range []struct {
		name string
		p    load.Package
		want string
	}{
		{"root of a module", load.Package{Dir: at("module"), Module: module}, "."},
		{"in a module", load.Package{Dir: at("module", "a", "b"), Module: module}, "a/b"},
		{"module without a directory", load.Package{Dir: at("module", "a"), Module: &load.Module{}}, "."},
		{"standard library", load.Package{Dir: at("go", "src", "time"), Standard: true}, "src/time"},
		{"files", load.Package{Dir: at("elsewhere"), Standard: true}, "."},
	} {
		_, dir, err := fileRoot(&test.p, at("go"))
		if err != nil || dir != test.want {
			t.Errorf("%s: directory %q, want %q; %v", test.name, dir, test.want, err)
		}
	}
}
