package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/engine/profiler"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A Worker carries out the plans of one target, on a machine that stands at the target's
// start.
type Worker struct {
	cfg     Config
	program *program.Program
	target  *load.Target
	build   string // of the target
	machine *machine
	from    *Machines   // to which the machine goes back
	seeds   []run.Input // from f.Add and testdata/fuzz
	coverer coverer
	// Profiler finds out what the runs cost. It is nil without Config.Profile.
	Profiler *profiler.Profiler
	gauge    *memory.Gauge    // of the memory of the machine
	written  int              // run files
	noted    map[noted]string // texts of what remains when the target has returned

	// Instances of a strategy, which hold no items between their uses.
	explorer  strategy.Divisible // of tasks
	sharer    strategy.Shared    // of turns
	prober    strategy.Divisible // for estimates, made when it is needed
	newProber func() (strategy.Strategy, error)

	// counted says that a run has counted for a verdict, the first of which printed this.
	counted bool
	printed string
}

// Close gives the machine back, for another target. The worker is not used any more, nor
// are the traces of its runs.
func (w *Worker) Close() {
	w.from.put(w.machine)
	w.gauge.Hold(0, 0)
	w.machine, w.explorer, w.sharer, w.prober, w.newProber = nil, nil, nil, nil, nil
}

// Delay returns how long it took to make the machine.
func (w *Worker) Delay() time.Duration { return w.machine.delay }

// SetMaxLen sets the length of the longest string or slice that is drawn as an input.
func (w *Worker) SetMaxLen(n int) { w.cfg.MaxLen, w.machine.MaxLen = n, n }

// Begin returns a strategy for runs by w. What w knows of them goes into c.
func (w *Worker) Begin(info strategy.Info, c strategy.Config) (strategy.Strategy, error) {
	c.Settings, c.Names, c.Sites, c.Seeds = w.cfg.Settings, w.machine.Names, w.machine, w.seeds
	w.Profiler.Configure(&c)
	if w.cfg.Guide != nil {
		nameOf := func(site run.SiteID) string {
			name, _ := w.machine.Site(site)
			return name
		}
		c.Guide = w.cfg.Guide(w.machine.code, w.machine.SiteOf, nameOf)
	}
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

// KeepWaiting has the next runs keep goroutines that could run waiting for up to d while time
// passes, and returns for how long those before did.
func (w *Worker) KeepWaiting(d time.Duration) time.Duration {
	was := w.cfg.Settings.Stall
	w.cfg.Settings.Stall, w.machine.Stall = d, d
	return was
}
