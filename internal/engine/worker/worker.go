package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/testname"
	"github.com/everyway-go/everyway/internal/vm"
)

// A Worker carries out the plans of one target: a program compiled for it and a
// machine that stands at the target's start.
type Worker struct {
	cfg     Config
	program *program.Program
	target  *load.Target
	machine *vm.Machine
	seeds   []run.Input // from f.Add and testdata/fuzz
	coverer coverer
	written int              // run files
	noted   map[noted]string // texts of what remains when the target has returned
	// bootBounds are the bounds of the initialisation before the first run.
	bootBounds run.Bounds

	// Instances of a strategy, which hold no items between their uses.
	explorer  strategy.Divisible // of tasks
	prober    strategy.Divisible // for estimates, made when it is needed
	newProber func() (strategy.Strategy, error)

	// counted says that a run has counted for a verdict, the first of which printed this.
	counted bool
	printed string
}

// An UnsupportedError says that the target needs what the machine does not have.
type UnsupportedError struct{ message string }

func (e *UnsupportedError) Error() string { return e.message }

// New returns a worker for a target, whose packages are initialised. Workers of one
// search share names. What the initialisers print goes to output.
func New(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, names *run.Names, output func([]byte)) (*Worker, error) {
	entry, err := prog.Entry(target)
	if err != nil {
		return nil, err
	}
	cfg.MaxLen = cmp.Or(cfg.MaxLen, DefaultMaxLen)
	code := prog.NewCode(prog.Covers(target))
	w := &Worker{
		cfg: cfg, program: prog, target: target,
		machine: vm.New(code, expr.NewArena(), names, cfg.Settings),
		coverer: coverer{code: code},
		noted:   map[noted]string{},
	}
	w.machine.Output = writerFunc(output)
	w.machine.FromStart = cfg.FromStart
	w.machine.Corpus = cfg.Corpus
	if target.Kind != load.TargetFuzz { // whose subtests are seeds
		filter, err := testname.NewFilter(cfg.Run, cfg.Skip)
		if err != nil {
			return nil, fmt.Errorf("starting %s: %w", target.Name, err)
		}
		w.machine.SelectsSubtest = func(name string) bool {
			ok, _ := filter.Match(name)
			return ok
		}
	}
	if target.Kind != load.TargetMain {
		if w.machine.Files, w.machine.Dir, err = prog.TestFiles(target); err != nil {
			return nil, fmt.Errorf("starting %s: %w", target.Name, err)
		}
		// What go test runs: the path of a test binary, in a directory of its own, and the
		// flags that it passes by default.
		w.machine.Executable = "/tmp/go-build/b001/" + path.Base(cmp.Or(target.Package.ForTest, target.Package.Path)) + ".test"
		w.machine.Args = []string{"-test.paniconexit0", "-test.timeout=10m0s"}
	}
	trace, err := w.machine.Boot(ctx, entry)
	if errors.Is(err, vm.ErrBoot) {
		return nil, &UnsupportedError{w.Explain(err.Error())}
	}
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", target.Name, err)
	}
	w.machine.Output = io.Discard // the machine keeps what a run has printed
	w.bootBounds = trace.Bounds
	return w, nil
}

// SetMaxLen sets the length of the longest string or slice that is drawn as an input.
func (w *Worker) SetMaxLen(n int) { w.cfg.MaxLen, w.machine.MaxLen = n, n }

// Begin returns a strategy for runs by w. What w knows of them goes into c.
func (w *Worker) Begin(info strategy.Info, c strategy.Config) (strategy.Strategy, error) {
	c.Settings, c.Names, c.Seeds = w.cfg.Settings, w.machine.Names, w.seeds
	st, err := info.New(c)
	if err != nil {
		return nil, fmt.Errorf("beginning with strategy %s: %w", info.Name, err)
	}
	return st, nil
}

// Run carries out a plan. The trace is valid until the next run.
func (w *Worker) Run(ctx context.Context, plan *run.Plan, sched run.Scheduler) (*run.Trace, error) {
	return w.machine.Run(ctx, plan, sched)
}

// FirstPrinted returns what the first run printed that counts for the verdict.
func (w *Worker) FirstPrinted() string { return w.printed }

// A writerFunc is an io.Writer that hands on what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
