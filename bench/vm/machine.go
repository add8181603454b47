package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// timeMachine times runs of the program from the start of main, and counts the
// instructions of one. When live is set there is an input in main while it works.
func timeMachine(ctx context.Context, name string, live bool) (time.Duration, uint64, error) {
	m, err := boot(ctx, name, live)
	if err != nil {
		return 0, 0, err
	}
	var instructions uint64
	elapsed, err := median(func() (time.Duration, error) {
		runtime.GC() // what was made before is not to be paid for in this run
		start := processorTime()
		t, err := m.Run(ctx, &run.Plan{}, run.NonPreemptive{})
		if err != nil {
			return 0, err
		}
		if t.Outcome != run.Finished {
			return 0, fmt.Errorf("%s ended with %v: %s", name, t.Outcome, t.Message)
		}
		if conditions := len(t.Path); live != (conditions == 1) {
			return 0, fmt.Errorf("%s has a path of %d conditions", name, conditions)
		}
		instructions = t.Instructions
		return processorTime() - start, nil
	})
	return elapsed, instructions, err
}

// boot returns a machine at the start of a program's main function. When live is
// set, main draws an input at its start and looks at it at its end.
func boot(ctx context.Context, name string, live bool) (*vm.Machine, error) {
	overlay, err := golib.Overlay(runtime.GOROOT())
	if err != nil {
		return nil, err
	}
	dir := directory(name)
	if live {
		src, err := os.ReadFile(sourceOf(name))
		if err != nil {
			return nil, err
		}
		dir += "_live"
		file, err := filepath.Abs(filepath.Join(dir, "main.go"))
		if err != nil {
			return nil, err
		}
		overlay[file] = []byte(withInput(string(src)))
	}
	r, err := load.Load(ctx, load.Config{Patterns: []string{dir}, Overlay: overlay})
	if err != nil {
		return nil, err
	}
	pkg := r.Packages[0].SSA
	pkg.Build()
	m := vm.New(compile.NewProgram(r.Prog, r.Sizes, nil, nil), expr.NewArena(), run.NewNames(), run.Settings{})
	m.FromStart = true // all runs are the same
	if _, err := m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{pkg}, Func: pkg.Func("main")}); err != nil {
		return nil, err
	}
	return m, nil
}

// withInput returns the source of a program, whose last function is main, with an
// input that is alive in main from its start to its end.
func withInput(src string) string {
	src = strings.Replace(src, "package main\n", "package main\n\nimport \"github.com/everyway-go/everyway/sym\"\n", 1)
	src = strings.Replace(src, "func main() {\n", "func main() {\n\tlive := sym.Int(\"live\")\n", 1)
	return strings.TrimSuffix(src, "}\n") + "\tif live == 77 {\n\t\tpanic(live)\n\t}\n}\n"
}

// interpreted times one run of the program in x/tools' interpreter of SSA; it is 0
// when that fails.
func interpreted(name string) time.Duration {
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, directory(name))
	if err != nil {
		return 0
	}
	prog, pkgs := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	prog.Build()
	start := processorTime()
	if interp.Interpret(pkgs[0], 0, initial[0].TypesSizes, name, nil) != 0 {
		return 0
	}
	return processorTime() - start
}
