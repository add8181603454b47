package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/profiler"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/testname"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/walk"
	"github.com/everyway-go/everyway/schedule"
)

// Machines are the machines of a test binary. Package initialisers run once on each of them:
// a machine on which a target has been searched goes on to the next target, where it does as
// a new one would. Several searches may use Machines at the same time.
type Machines struct {
	program *program.Program
	// initialised is called when the package initialisers have run for the first time.
	initialised func(elapsed time.Duration)

	mu     sync.Mutex
	idle   []*machine
	booted bool              // initialised was called
	fault  *UnsupportedError // how all initialisations end, nil if that is not known
}

// A machine is one whose package initialisers have run.
type machine struct {
	*vm.Machine
	code  *code.Program
	inits []*ssa.Package
	// places are those of the goal of its settings: its initialisation ends at the first of them.
	places []schedule.GoalSite
	goal   *run.Goal
	// bounds and initialised are the bounds and the coverage of the initialisation.
	bounds      run.Bounds
	initialised bitset.Set
	// delay is how long it took to make the machine.
	delay time.Duration
}

// summarised returns what summaries have done for the runs since it was called last.
func (m *machine) summarised() (c run.Summaries) {
	if m.Summaries != nil {
		c, m.Summaries.Counts = m.Summaries.Counts, c
	}
	return c
}

// An UnsupportedError says that the target needs what the machine does not have.
type UnsupportedError struct{ message string }

func (e *UnsupportedError) Error() string { return e.message }

// NewMachines returns the machines of a test binary of prog, of which there are none at
// first. When the package initialisers have run for the first time, initialised is called
// with how long they took.
func NewMachines(prog *program.Program, initialised func(elapsed time.Duration)) *Machines {
	return &Machines{program: prog, initialised: initialised}
}

// Worker returns a worker for a target, which is to be closed. Workers of one search share
// names. What the package initialisers print when they run for the first time goes to output.
func (ms *Machines) Worker(ctx context.Context, target *load.Target, cfg Config, names *run.Names, output func([]byte)) (*Worker, error) {
	entry, err := ms.program.Entry(target)
	if err != nil {
		return nil, err
	}
	cfg.MaxLen = cmp.Or(cfg.MaxLen, DefaultMaxLen)
	cfg.MaxObjects, cfg.MaxChain = cmp.Or(cfg.MaxObjects, DefaultMaxObjects), cmp.Or(cfg.MaxChain, DefaultMaxChain)
	build, err := ms.program.Build(target)
	if err != nil {
		return nil, err
	}
	w := &Worker{cfg: cfg, program: ms.program, target: target, build: build, from: ms, noted: map[noted]string{}}
	if w.machine, err = ms.take(entry.Inits, cfg.Goal); err != nil {
		return nil, err
	}
	if w.machine != nil {
		w.machine.Names, w.machine.Settings = names, cfg.Settings
		w.machine.Settings.Goal = w.machine.goal
		if err = w.findFiles(); err == nil {
			err = w.machine.Retarget(entry)
		}
	} else {
		if w.machine, err = ms.boot(ctx, entry, w, names, output); err == nil {
			err = w.findFiles()
		}
	}
	if unsupported := (*UnsupportedError)(nil); errors.As(err, &unsupported) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", target.Name, err)
	}
	w.cfg.Settings.Goal = w.machine.goal
	w.coverer.code = w.machine.code
	w.coverer.noteBlocks(w.machine.initialised)
	if cfg.Profile {
		w.Profiler = profiler.New(profiler.Names{Start: w.start(), Site: w.machine.Site, Files: ms.program.Fset})
		w.machine.SetMeter(w.Profiler.Meter())
	}
	w.gauge = cfg.Memory.Gauge()
	w.machine.Holds = w.gauge.Hold
	w.machine.Output = io.Discard // the machine keeps what a run has printed
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
	return w, nil
}

// findFiles has the machine find the files of the target.
func (w *Worker) findFiles() (err error) {
	if w.target.Kind != load.TargetMain {
		w.machine.Files, w.machine.Dir, err = w.program.TestFiles(w.target)
	}
	return err
}

// take returns an idle machine on which the initialisers of inits have run, with a goal of the
// given places, nil if there is none.
func (ms *Machines) take(inits []*ssa.Package, places []schedule.GoalSite) (*machine, error) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if ms.fault != nil {
		return nil, ms.fault
	}
	for i, m := range ms.idle {
		if slices.Equal(m.inits, inits) && slices.Equal(m.places, places) {
			ms.idle = slices.Delete(ms.idle, i, i+1)
			return m, nil
		}
	}
	return nil, nil
}

// put takes a machine back.
func (ms *Machines) put(m *machine) {
	m.Output, m.Corpus, m.SelectsSubtest, m.Holds = nil, nil, nil, nil
	m.SetMeter(nil)
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.idle = append(ms.idle, m)
}

// Drop drops the machines that are idle, and their memory.
func (ms *Machines) Drop() {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.idle = nil
}

// boot returns a new machine, which stands at the start of the target of w.
func (ms *Machines) boot(ctx context.Context, entry vm.Entry, w *Worker, names *run.Names, output func([]byte)) (*machine, error) {
	start := time.Now()
	prog, target := ms.program, w.target
	compiler := prog.NewCode(prog.Covers(target))
	m := &machine{Machine: vm.New(compiler, expr.NewArena(), names, w.cfg.Settings), code: compiler, inits: entry.Inits}
	m.setGoal(w.cfg.Goal)
	m.Godebug = prog.Godebug(target)
	if w.cfg.Summaries != nil {
		m.Summaries = walk.New(&m.State, m, w.cfg.Summaries)
		m.Summaries.Gain = new(walk.Gain)
	}
	if w.cfg.Prepare != nil {
		w.cfg.Prepare(m.Machine)
	}
	if target.Kind == load.TargetMain {
		m.Args = prog.Args
	} else {
		var err error
		if m.Files, m.Dir, err = prog.InitialiserFiles(target); err != nil {
			return nil, err
		}
		if m.Root, err = prog.FilesRoot(target); err != nil {
			return nil, err
		}
		// What go test runs: the path of a test binary, in a directory of its own, and the
		// flags that it passes by default.
		m.Executable = "/tmp/go-build/b001/" + path.Base(target.Package.Binary()) + ".test"
		m.Args = []string{"-test.paniconexit0", "-test.timeout=10m0s"}
	}
	first := ms.begin()
	if first {
		m.Output = writerFunc(output)
	}
	trace, err := m.Boot(ctx, entry)
	m.delay = time.Since(start)
	if errors.Is(err, vm.ErrBoot) {
		err := &UnsupportedError{w.Explain(err.Error())}
		ms.mu.Lock()
		defer ms.mu.Unlock()
		ms.fault = err
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if first {
		ms.initialised(m.delay)
	}
	m.bounds = trace.Bounds
	m.initialised = slices.Clone(trace.Covered)
	return m, nil
}

// begin reports whether no machine has been made before.
func (ms *Machines) begin() bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	first := !ms.booted
	ms.booted = true
	return first
}

// A writerFunc is an io.Writer that hands on what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// setGoal gives the machine, which has not been booted, a goal: in the machine, functions have numbers.
func (m *machine) setGoal(places []schedule.GoalSite) {
	if len(places) == 0 {
		return
	}
	m.places, m.goal = places, new(run.Goal)
	for _, s := range places {
		for len(m.goal.Places) <= s.Of {
			m.goal.Places, m.goal.Waits = append(m.goal.Places, nil), append(m.goal.Waits, nil)
		}
		if s.Waits {
			m.goal.Waits[s.Of] = append(m.goal.Waits[s.Of], m.SiteOf(s.Func, s.Instr))
			continue
		}
		m.goal.Places[s.Of] = append(m.goal.Places[s.Of], m.SiteOf(s.Func, s.Instr))
	}
	m.Settings.Goal = m.goal
}
