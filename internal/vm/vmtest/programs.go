package vmtest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// Programs are programs of one file each, and other packages, that were loaded together.
type Programs struct {
	Code     *code.Program
	Packages map[string]*load.Package // by file, or by directory
}

// Boot returns a machine at the start of the main function of a program.
func (p *Programs) Boot(t *testing.T, file string, out io.Writer, limits run.Limits) *vm.Machine {
	t.Helper()
	return Boot(t, p.Code, Function(p.Packages[file].SSA, "main"), run.Settings{Limits: limits}, out)
}

// LoadPrograms loads programs as packages in directories of their own that exist in
// the overlay only, so that what they import is loaded once. Dirs are those of packages that are loaded as they are.
func LoadPrograms(files []string, dirs ...string) (*Programs, error) {
	overlay := make(map[string][]byte)
	nameOf := make(map[string]string) // by directory
	var patterns []string
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		nameOf[abs] = dir
		patterns = append(patterns, abs)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		dir, err := filepath.Abs(filepath.Join("testdata", "together",
			strings.NewReplacer("/", "_", "..", "").Replace(strings.TrimSuffix(file, ".go"))))
		if err != nil {
			return nil, err
		}
		overlay[filepath.Join(dir, filepath.Base(file))] = src
		nameOf[dir] = file
		patterns = append(patterns, dir)
	}
	r, err := golib.Load(context.Background(), load.Config{Patterns: patterns, Overlay: overlay})
	if err != nil {
		return nil, err
	}
	p := &Programs{Code: compile.NewProgram(r.Prog, r.Sizes, nil, nil), Packages: make(map[string]*load.Package)}
	for _, pkg := range r.Packages {
		p.Packages[nameOf[pkg.Dir]] = pkg
	}
	return p, nil
}
