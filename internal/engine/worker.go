package engine

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm"
)

// A worker carries out the plans of one target: a program compiled for it and a
// machine that stands at the target's start.
type worker struct {
	cfg     Config
	program *Program
	target  *load.Target
	code    *code.Program
	machine *vm.Machine
	output  func([]byte)
	seeds   []vm.Input // from f.Add

	drewLength bool // some run drew the length of a string or slice
}

// An unsupportedError says that the target needs what the machine does not have.
type unsupportedError struct{ message string }

func (e *unsupportedError) Error() string { return e.message }

func newWorker(ctx context.Context, program *Program, target *load.Target, cfg Config, output func([]byte)) (*worker, error) {
	w := &worker{cfg: cfg, program: program, target: target, output: output}
	w.code = program.Compile(target.Package)
	w.machine = vm.New(w.code, expr.NewArena(), vm.NewNames(), cfg.Limits)
	w.machine.Output = writerFunc(output)
	w.machine.MaxLen = cfg.MaxLen
	trace, err := w.machine.Boot(ctx, vm.Entry{Kind: target.Kind.String(), Name: target.Name, Func: target.Func, Main: program.TestMain(target.Package)})
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", target.Name, err)
	}
	if trace != nil && trace.Outcome != vm.Finished {
		return nil, &unsupportedError{trace.Message}
	}
	return w, nil
}

// A writerFunc is an io.Writer that hands on what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// run carries out a plan.
func (w *worker) run(ctx context.Context, plan *vm.Plan, sched vm.Scheduler) (*vm.Trace, error) {
	t, err := w.machine.Run(ctx, plan, sched)
	if err != nil {
		return nil, err
	}
	if !w.drewLength {
		w.drewLength = slices.ContainsFunc(t.Inputs, func(v vm.InputVar) bool { return strings.HasPrefix(v.Name, "len(") })
	}
	return t, nil
}

// witness returns how to make the run of plan that gave t again.
func (w *worker) witness(plan *vm.Plan, t *vm.Trace) *witness {
	return &witness{
		input:     drawn(t),
		visible:   vm.Visible{Sites: maps.Clone(plan.Visible.Sites), Objects: maps.Clone(plan.Visible.Objects)},
		decisions: slices.Clone(t.Decisions),
	}
}

// drawn returns the input that a run drew, and no more.
func drawn(t *vm.Trace) vm.Input {
	in := vm.Input{}
	for _, v := range t.Inputs {
		in[v.Name] = v.Value
	}
	return in
}

// rerun makes a witness's run with the recording that plan asks for, and
// returns the witness of what came of it.
func (w *worker) rerun(ctx context.Context, c *witness, plan vm.Plan) (*witness, *vm.Trace, error) {
	plan.Input, plan.Visible, plan.Prefix = c.input, c.visible, c.decisions
	f := follow(c.steps, c.values)
	t, err := w.run(ctx, &plan, f)
	if err != nil {
		return nil, nil, err
	}
	return &witness{key: c.key, input: drawn(t), visible: c.visible, steps: f.taken, values: f.takenValue}, t, nil
}

// verify makes a run twice more and compares the two: they must not differ.
func (w *worker) verify(ctx context.Context, plan *vm.Plan, t *vm.Trace) error {
	again := vm.Plan{Input: drawn(t), Prefix: slices.Clone(t.Decisions), Visible: plan.Visible, Record: true}
	first, err := w.run(ctx, &again, vm.RunOn{})
	if err != nil {
		return err
	}
	first = first.Clone()
	second, err := w.run(ctx, &again, vm.RunOn{})
	if err != nil {
		return err
	}
	if err := check.Same(first, second); err != nil {
		return fmt.Errorf("two replays of one run differ: %w", err)
	}
	return nil
}

// describe shows something that was given up.
func (w *worker) describe(g vm.GivenUp) string {
	if pos := w.position(g.Site); pos != "" {
		return pos + ": " + g.What
	}
	return g.What
}

// position returns the source position of a site as run files have it: the
// file relative to the module's root, or below $GOROOT.
func (w *worker) position(id vm.SiteID) string {
	_, pos := w.machine.Site(id)
	return w.filePosition(pos)
}

func (w *worker) filePosition(pos token.Pos) string {
	p := w.program.Fset.Position(pos)
	if !p.IsValid() {
		return ""
	}
	if rel, err := filepath.Rel(w.program.Root, p.Filename); err == nil && filepath.IsLocal(rel) {
		p.Filename = filepath.ToSlash(rel)
	} else if rel, err := filepath.Rel(w.program.GOROOT, p.Filename); err == nil && filepath.IsLocal(rel) {
		p.Filename = "$GOROOT/" + filepath.ToSlash(rel)
	}
	return p.String()
}
