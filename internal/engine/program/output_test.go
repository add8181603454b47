package program

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/load"
)

// What is written about a target goes to the user's module, or where the user says, and nowhere
// else.
func TestOutput(t *testing.T) {
	top := t.TempDir()
	goroot, module, other, out := filepath.Join(top, "go"), filepath.Join(top, "m"), filepath.Join(top, "other"), filepath.Join(top, "out")
	for _, dir := range []string{goroot, module, other} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name      string
		root      string // where the user is
		pkg       load.Package
		out       string
		run, seed string // relative to top; empty if they are not written
	}{
		{"own", module, load.Package{Path: "m/p", Dir: filepath.Join(module, "p"), Module: &load.Module{Dir: module, Main: true}}, "", "m/.everyway/p/FuzzX.run", "m/p/testdata/fuzz/FuzzX/seed"},
		{"own, -o", module, load.Package{Path: "m/p", Dir: filepath.Join(module, "p"), Module: &load.Module{Dir: module, Main: true}}, out, "out/p/FuzzX.run", "m/p/testdata/fuzz/FuzzX/seed"},
		{"no module", module, load.Package{Path: "p", Dir: filepath.Join(module, "p")}, "", "m/.everyway/p/FuzzX.run", "m/p/testdata/fuzz/FuzzX/seed"},
		{"dependency", module, load.Package{Path: "other", Dir: other, Module: &load.Module{Dir: other}}, "", "m/.everyway/_/other/FuzzX.run", ""},
		{"standard", module, load.Package{Path: "p", Dir: filepath.Join(goroot, "src/p"), Standard: true}, "", "m/.everyway/_/p/FuzzX.run", ""},
		{"in GOROOT", filepath.Join(goroot, "src"), load.Package{Path: "p", Dir: filepath.Join(goroot, "src/p"), Standard: true, Module: &load.Module{Dir: filepath.Join(goroot, "src"), Main: true}}, "", "", ""},
		{"in GOROOT, -o", filepath.Join(goroot, "src"), load.Package{Path: "p", Dir: filepath.Join(goroot, "src/p"), Standard: true, Module: &load.Module{Dir: filepath.Join(goroot, "src"), Main: true}}, out, "out/p/FuzzX.run", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &Program{Root: test.root, Toolchain: &load.Toolchain{GOROOT: goroot}, Disk: disk.Host{}}
			target := &load.Target{Kind: load.TargetFuzz, Name: "FuzzX", Package: &test.pkg}
			run := p.Output(test.out, target, ".run")
			err := run.Write(func(io.Writer) error { return nil })
			if got := below(t, top, run); test.run != "" && (err != nil || got != test.run) {
				t.Errorf("the run file is %s, %v, want %s", got, err, test.run)
			}
			if test.run == "" && (err == nil || !strings.Contains(err.Error(), "-o")) {
				t.Errorf("writing %s: %v, want an error that names -o", run, err)
			}
			seed, ok := p.Seed(target, "seed")
			if ok != (test.seed != "") || ok && below(t, top, seed) != test.seed {
				t.Errorf("the seed is %s, %v, want %q", seed, ok, test.seed)
			}
		})
	}
}

func below(t *testing.T, dir string, file disk.Path) string {
	rel, err := filepath.Rel(dir, file.String())
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}
