package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// A worker carries out the plans of one target: a program compiled for it and a
// machine that stands at the target's start.
type worker struct {
	cfg     Config
	program *program.Program
	target  *load.Target
	code    *code.Program
	machine *vm.Machine
	boot    *run.Trace  // of the package initialisers
	seeds   []run.Input // from f.Add and testdata/fuzz
	coverer coverer
	written int // run files

	divisible strategy.Divisible // explores tasks; holds no items between them
	prober    strategy.Divisible // explores for estimates; made when it is needed

	// What the code under test prints goes to output, or is held in printed.
	output  func([]byte)
	held    bool
	printed []byte
}

// An unsupportedError says that the target needs what the machine does not have.
type unsupportedError struct{ message string }

func (e *unsupportedError) Error() string { return e.message }

func newWorker(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, names *run.Names, output func([]byte)) (*worker, error) {
	w := &worker{cfg: cfg, program: prog, target: target, output: output}
	entry, err := prog.Entry(target)
	if err != nil {
		return nil, err
	}
	w.code = prog.NewCode(prog.Covers(target))
	w.coverer.code = w.code
	if cfg.MaxLen == 0 {
		w.cfg.MaxLen = DefaultMaxLen
	}
	w.machine = vm.New(w.code, expr.NewArena(), names, w.cfg.Settings)
	w.machine.Output = writerFunc(w.print)
	w.machine.FromStart = cfg.FromStart
	if target.Kind != load.TargetMain {
		if w.machine.Files, w.machine.Dir, err = prog.TestFiles(target); err != nil {
			return nil, fmt.Errorf("starting %s: %w", target.Name, err)
		}
	}
	trace, err := w.machine.Boot(ctx, entry)
	if errors.Is(err, vm.ErrBoot) {
		message := err.Error()
		if found := check.Judge(trace); len(found) > 0 && trace.Message == "" {
			message += ": " + found[0].Message
		}
		return nil, &unsupportedError{w.explain(message)}
	}
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", target.Name, err)
	}
	w.boot = trace
	return w, nil
}

// findSeeds collects the inputs that a fuzz target begins with: those that a run
// of it adds, then those of its corpus.
func (w *worker) findSeeds(ctx context.Context) error {
	if w.target.Kind != load.TargetFuzz {
		return nil
	}
	t, err := w.run(ctx, &run.Plan{}, run.NonPreemptive{})
	if err != nil {
		return err
	}
	w.seeds = t.Seeds
	params := program.Parameters(w.target)
	if params == nil {
		return nil
	}
	corpus, err := readCorpus(w.target.Package.Dir, w.target.Name, params)
	w.seeds = append(w.seeds, corpus...)
	return err
}

// longestSeed returns the length of the longest string or slice in the seeds.
func (w *worker) longestSeed() int {
	longest := uint64(0)
	for _, seed := range w.seeds {
		for name, n := range seed {
			if strings.HasPrefix(name, "len(") {
				longest = max(longest, n)
			}
		}
	}
	return int(min(longest, math.MaxInt32))
}

// print takes what the code under test prints.
func (w *worker) print(text []byte) {
	if w.held {
		w.printed = append(w.printed, text...)
	} else {
		w.output(text)
	}
}

// divides gives a worker the strategy by which it explores tasks.
func (w *worker) divides(st strategy.Strategy) error {
	d, ok := st.(strategy.Divisible)
	if !ok {
		return errors.New("the strategy cannot be divided")
	}
	d.Export() // the root, which is a task of one worker
	w.divisible = d
	return nil
}

// A writerFunc is an io.Writer that hands on what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// run carries out a plan.
func (w *worker) run(ctx context.Context, plan *run.Plan, sched run.Scheduler) (*run.Trace, error) {
	t, err := w.machine.Run(ctx, plan, sched)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// drawsLength reports whether a run drew the length of a string or slice.
func drawsLength(t *run.Trace) bool {
	return slices.ContainsFunc(t.Inputs, func(v run.InputVar) bool { return strings.HasPrefix(v.Name, "len(") })
}

// findings returns what is wrong with a run.
func (w *worker) findings(t *run.Trace) []check.Finding {
	found := check.Judge(t)
	if w.target.Kind == load.TargetMain {
		// A program ends with its main goroutine, whatever the others wait for.
		found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Kind == check.Leak })
	}
	return found
}

// witness returns how to make the run of plan that gave t again.
func (w *worker) witness(plan *run.Plan, t *run.Trace) *witness {
	return &witness{
		input:     drawn(t),
		visible:   run.Visible{Sites: maps.Clone(plan.Visible.Sites), Objects: maps.Clone(plan.Visible.Objects)},
		decisions: slices.Clone(t.Decisions),
	}
}

// drawn returns the input that a run drew, and no more.
func drawn(t *run.Trace) run.Input {
	in := run.Input{}
	for _, v := range t.Inputs {
		in[v.Name] = v.Value
	}
	return in
}

// rerun makes a witness's run with the recording that plan asks for, and
// returns the witness of what came of it.
func (w *worker) rerun(ctx context.Context, c *witness, plan run.Plan) (*witness, *run.Trace, error) {
	plan.Input, plan.Visible, plan.Prefix = c.input, c.visible, c.decisions
	f := follow(c.steps, c.values)
	t, err := w.run(ctx, &plan, f)
	if err != nil {
		return nil, nil, err
	}
	return &witness{key: c.key, input: drawn(t), visible: c.visible, steps: f.taken, values: values(t)}, t, nil
}

// values returns the values chosen in a run, those of its plan included.
func values(t *run.Trace) []int32 {
	var vs []int32
	for _, d := range t.Decisions {
		if d.Kind == run.Value {
			vs = append(vs, d.Alt)
		}
	}
	return vs
}

// verify makes the run of plan that gave t twice more, from the start, and compares
// the two: they must not differ, from each other or, when the run has come to its
// end, from t.
func (w *worker) verify(ctx context.Context, plan *run.Plan, t *run.Trace) error {
	if t.Outcome == run.Bounded {
		return nil // it is long, and keeps the verdict from holds in any case
	}
	t = t.Clone()
	again := *plan
	again.Input, again.Prefix, again.Record = drawn(t), t.Decisions, true
	defer func(was bool) { w.machine.FromStart = was }(w.machine.FromStart)
	w.machine.FromStart = true
	first, err := w.run(ctx, &again, run.NonPreemptive{})
	if err != nil {
		return err
	}
	first = first.Clone()
	if t.Outcome == run.Finished || t.Outcome == run.Failed {
		replayed := *first
		if !plan.Record {
			// A kernel that reads its bytes at once leaves it to a loop when reads
			// are recorded.
			replayed.Events, replayed.Instructions = nil, t.Instructions
		}
		if err := check.Same(t, &replayed); err != nil {
			return fmt.Errorf("a run and its replay differ: %w", err)
		}
	}
	second, err := w.run(ctx, &again, run.NonPreemptive{})
	if err != nil {
		return err
	}
	if err := check.Same(first, second); err != nil {
		return fmt.Errorf("two replays of one run differ: %w", err)
	}
	return nil
}

// describe shows something that was given up.
func (w *worker) describe(g run.GivenUp) string {
	if pos := w.position(g.Site); pos != "" {
		return pos + ": " + g.What
	}
	return g.What
}

// explain shows why a run did not come to its end: the innermost place outside
// the standard library, the reason and, a line each, the calls from that of the target
// on. The message of the machine has the call chain below the reason, a line
// "function at file:line:column" each, the innermost first.
func (w *worker) explain(message string) string {
	what, chain, _ := strings.Cut(message, "\n\t")
	if chain == "" {
		return what
	}
	at, end := "", 0
	frames := strings.Split(chain, "\n\t")
	for i, frame := range frames {
		fn, pos, ok := strings.Cut(frame, " at ")
		if !ok {
			continue
		}
		short := w.program.Shorten(pos)
		frames[i] = fn + " at " + short
		if !strings.HasPrefix(pos, w.program.Toolchain.GOROOT) {
			if end = i + 1; at == "" {
				at = short + ": "
			}
		}
	}
	if at == "" {
		return what
	}
	return at + what + "\n\t" + strings.Join(frames[:end], "\n\t")
}

// position returns the source position of a site as run files have it: the
// file relative to the module's root, or below $GOROOT.
func (w *worker) position(id run.SiteID) string {
	_, pos := w.machine.Site(id)
	return w.program.Position(pos)
}
