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

// Programs are programs of one file each that were loaded together.
type Programs struct {
	Code     *code.Program
	Packages map[string]*load.Package // by file
}

// Boot returns a machine at the start of the main function of a program.
func (p *Programs) Boot(t *testing.T, file string, out io.Writer, limits run.Limits) *vm.Machine {
	t.Helper()
	return Boot(t, p.Code, Function(p.Packages[file].SSA, "main"), run.Settings{Limits: limits}, out)
}

// LoadPrograms loads programs as packages in directories of their own that exist in
// the overlay only, so that what they import is loaded once.
func LoadPrograms(files []string) (*Programs, error) {
	overlay := make(map[string][]byte)
	fileIn := make(map[string]string) // by directory
	var patterns []string
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		dir, err := filepath.Abs(filepath.Join("testdata", "together", strings.NewReplacer("/", "_", "..", "").Replace(strings.TrimSuffix(file, ".go"))))
		if err != nil {
			return nil, err
		}
		overlay[filepath.Join(dir, filepath.Base(file))] = src
		fileIn[dir] = file
		patterns = append(patterns, dir)
	}
	r, err := golib.Load(context.Background(), load.Config{Patterns: patterns, Overlay: overlay})
	if err != nil {
		return nil, err
	}
	p := &Programs{Code: compile.NewProgram(r.Prog, r.Sizes, nil, nil), Packages: make(map[string]*load.Package)}
	for _, pkg := range r.Packages {
		p.Packages[fileIn[pkg.Dir]] = pkg
	}
	return p, nil
}
