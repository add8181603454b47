// Vm times three CPU-bound programs in the machine, compiled by the go command,
// and in x/tools' go/ssa/interp, all in one run, and prints the ratios. Then it times
// small runs of three goroutines, in the machine and with native ways to hand control
// over at every step.
//
//	go run ./bench/vm
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/engine"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm"
)

// repeats is how often a program is run in the machine and natively; the median counts.
const repeats = 5

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "vm:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	tmp, err := os.MkdirTemp("", "bench-vm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	idle, err := native(tmp, "./bench/vm/testdata/idle")
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tnative\teveryway\tinstructions\tns each\tover native\tgo/ssa/interp\tinterp over everyway\t")
	for _, name := range []string{"xorshift", "quicksort", "bst"} {
		pkg := "./bench/vm/testdata/" + name
		fast, err := native(tmp, pkg)
		if err != nil {
			return err
		}
		fast -= idle
		ours, instructions, err := machine(ctx, pkg)
		if err != nil {
			return err
		}
		slow, err := interpreted(pkg)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%v\t%v\t%d\t%.2f\t%.1fx\t%v\t%.1fx\t\n", name, fast.Round(time.Microsecond), ours.Round(time.Microsecond), instructions,
			float64(ours.Nanoseconds())/float64(instructions), ours.Seconds()/fast.Seconds(), slow.Round(time.Millisecond), slow.Seconds()/ours.Seconds())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Println()
	return handovers(ctx, w)
}

// median times f repeatedly.
func median(f func() error) (time.Duration, error) {
	var times []time.Duration
	for range repeats {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// native times the program as the go command compiles it, its start included.
func native(tmp, pkg string) (time.Duration, error) {
	bin := filepath.Join(tmp, filepath.Base(pkg))
	if out, err := exec.Command("go", "build", "-o", bin, pkg).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return median(func() error { return exec.Command(bin).Run() })
}

// machine times runs of the program from the start of main, and counts the
// instructions of one.
func machine(ctx context.Context, pkg string) (time.Duration, uint64, error) {
	m, err := boot(ctx, pkg)
	if err != nil {
		return 0, 0, err
	}
	var instructions uint64
	elapsed, err := median(func() error {
		t, err := m.Run(ctx, &vm.Plan{}, vm.RunOn{})
		if err != nil {
			return err
		}
		if t.Outcome != vm.Finished {
			return fmt.Errorf("%s ended with %v: %s", pkg, t.Outcome, t.Message)
		}
		instructions = t.Instructions
		return nil
	})
	return elapsed, instructions, err
}

// boot returns a machine at the start of the program's main function.
func boot(ctx context.Context, pkg string) (*vm.Machine, error) {
	p, err := engine.Load(ctx, ".", []string{pkg}, nil, true)
	if err != nil {
		return nil, err
	}
	target := p.Targets()[0]
	m := vm.New(p.NewCode(nil, nil), expr.NewArena(), vm.NewNames(), vm.Limits{})
	if _, err := m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{target.Package.SSA}, Func: target.Func}); err != nil {
		return nil, err
	}
	return m, nil
}

// interpreted times one run of the program in x/tools' interpreter of SSA.
func interpreted(pkg string) (time.Duration, error) {
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, pkg)
	if err != nil {
		return 0, err
	}
	prog, pkgs := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	prog.Build()
	start := time.Now()
	exit := interp.Interpret(pkgs[0], 0, initial[0].TypesSizes, pkg, nil)
	elapsed := time.Since(start)
	if exit != 0 {
		return 0, errors.New("go/ssa/interp failed on " + pkg)
	}
	return elapsed, nil
}
