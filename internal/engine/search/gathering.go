package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A gathering reports several searches, most of them from the middle of the program, as that of one
// target, within its budget.
type gathering struct {
	prog     *program.Program
	named    *load.Target
	cfg      Config
	mix      []phase
	cores    cores
	obs      verdict.Observer
	machines *worker.Machines
	lines    knownLines // of what was found by any of them
	accepted knownLines // likewise, of what is accepted
	result   *verdict.Result
	start    time.Time
	fails    bool
	possible bool
	leading  []*load.Target       // targets that lead to what has findings, each once
	leads    map[*load.Target]int // to how many searches with findings each leads
}

// A fate is what has become of one of the searches.
type fate uint8

const (
	unsearched fate = iota
	searched        // to the end, without a new finding
	found
	unfinished
	unfit  // no search can begin there
	within // left out, since a part of what it begins with has findings
)

// A searchOutcome is what a search has come to in its turns.
type searchOutcome struct {
	fate fate
	open string // why it is unfinished
	last bool   // it would not come farther if it had more time
}

// outcomeOf returns the outcome of a search that leaves something open.
func outcomeOf(s *search, open map[string]bool) searchOutcome {
	switch {
	case len(s.result.Counterexamples) > 0:
		return searchOutcome{fate: found}
	case s.state.Finite && len(open) == 0:
		return searchOutcome{fate: searched}
	}
	return searchOutcome{fate: unfinished, open: s.whyOpen(), last: s.state.Finite || s.unsupported || s.spent()}
}

// A part is how many of the searches have come to the same.
type part struct {
	n    int
	what string
}

// noteOutcomes says, after a title, what searches have come to. It lists why a few of those are open
// that are, and how many more of their kind there are.
func (c *gathering) noteOutcomes(title string, parts []part, open []string, kind string) {
	for _, p := range parts {
		if p.n > 0 {
			title += fmt.Sprintf(", %d %s", p.n, p.what)
		}
	}
	c.result.Notes = append(c.result.Notes, title)
	listed := open[:min(len(open), maxListed)]
	c.result.Open = append(c.result.Open, listed...)
	if more := len(open) - len(listed); more > 0 {
		c.result.Open = append(c.result.Open, fmt.Sprintf("%d more %s", more, kind))
	}
}

// newGathering returns one that is reported under the name of a target.
func newGathering(prog *program.Program, named *load.Target, cfg Config, mix []phase, obs verdict.Observer) *gathering {
	c := &gathering{
		prog: prog, named: named, cfg: cfg, mix: mix, cores: newCores(cfg.Workers), obs: obs,
		machines: newMachines(prog, named, obs),
		lines:    knownLines{}, accepted: knownLines{}, leads: make(map[*load.Target]int),
		result: &verdict.Result{
			Package: named.Package.Path, Target: named.Name, Root: prog.RootOf(named.Package), Totals: verdict.Totals{Degree: -1},
		},
		start: cfg.Clock.Now(),
	}
	cfg.Memory.OnShort(c.machines.Drop)
	obs.Started(c.result.Package, c.result.Target)
	return c
}

// endOfTurns returns when the time for combinations is over: what is left then is for confirming
// what they have found, if they have found anything.
func (c *gathering) endOfTurns() time.Time {
	budget := c.cfg.Budget
	if len(c.leading) > 0 {
		budget = time.Duration(float64(budget) * contextShare)
	}
	return c.start.Add(budget)
}

func (c *gathering) left() time.Duration { return c.cfg.Clock.Until(c.endOfTurns()) }

func (c *gathering) over(ctx context.Context) bool { return ctx.Err() != nil || c.left() < minTurn }

// searchFor searches a target for a time. There is no search if no time is left.
func (c *gathering) searchFor(ctx context.Context, target *load.Target, share time.Duration) (*search, error) {
	cfg := c.cfg
	cfg.Budget = max(min(share, c.left()).Truncate(time.Millisecond), time.Millisecond)
	s, err := newSearch(c.prog, target, cfg, c.mix, c.cores, &gatherer{of: c})
	if err != nil {
		return nil, err
	}
	s.lines, s.acceptedLines, s.confirmsLater = c.lines, c.accepted, true
	if target.Context == nil {
		s.file.err = errSought // the search file of the target is that of a search of its own
	}
	if err := c.cores.take(ctx); err != nil {
		return nil, nil
	}
	defer c.cores.release()
	if err := fault.Do(func() error { return s.advance(ctx, c.prog, c.machines, target, turn{}) }); err != nil {
		s.fail(c.prog, target, err)
		return nil, err
	}
	return s, nil
}

// leadFrom notes that there are findings in a target that begins in the middle of the program.
func (c *gathering) leadFrom(target *load.Target) {
	if target.Context == nil {
		return
	}
	for _, leads := range target.Context.Leading {
		if c.leads[leads]++; c.leads[leads] == 1 {
			c.leading = append(c.leading, leads)
		}
	}
}

// gather adds what a search has shown, and returns what it has left open.
func (c *gathering) gather(s *search) (open map[string]bool) {
	r := s.result
	c.result.Runs += r.Runs
	c.result.Counts.Add(r.Counts)
	c.result.Solver.Add(r.Solver)
	if s.context != nil {
		for _, what := range s.context.Assumes {
			if strings.HasPrefix(what, "a goroutine that returns from ") {
				what = "a goroutine ends that returns from the function that makes the call"
			}
			if !slices.Contains(c.result.Assumes, what) {
				c.result.Assumes = append(c.result.Assumes, what)
			}
		}
	}
	if len(r.Counterexamples) > 0 {
		c.fails = c.fails || r.Verdict == verdict.Fails
		c.possible = c.possible || r.Verdict == verdict.Possible
	}
	return s.state.total().Open
}

// whyOpen says why a search is open, in a line.
func (s *search) whyOpen() string {
	return fmt.Sprintf("%s: %s", s.result.Target,
		strings.ReplaceAll(strings.Join(s.result.Open, "; "), fmt.Sprintf(" (and cannot be resumed: %v)", errSought), ""))
}

// confirm tries to confirm what was found, in one search from the start of each target that leads there.
func (c *gathering) confirm(ctx context.Context) error {
	slices.SortStableFunc(c.leading, func(a, b *load.Target) int { return cmp.Compare(c.leads[b], c.leads[a]) })
	target := &load.Target{
		Kind: load.TargetContext, Name: c.result.Target, Package: c.named.Package,
		Context: &load.Context{Context: &fragment.Context{}, Leading: c.leading},
	}
	s, err := newSearch(c.prog, target, c.cfg, c.mix, c.cores, &gatherer{of: c})
	if err != nil {
		return err
	}
	s.lines, s.acceptedLines = c.lines, c.accepted
	s.result.Counterexamples = slices.Clone(c.result.Counterexamples)
	if err := c.cores.take(ctx); err != nil {
		return nil // there is no time left
	}
	defer c.cores.release()
	if err := s.confirmPossible(ctx, c.prog, c.machines, c.cfg.Clock.Until(c.start.Add(c.cfg.Budget))); err != nil {
		return fmt.Errorf("confirming what was found from %s: %w", c.result.Target, err)
	}
	c.result.Notes = append(c.result.Notes, s.unconfirmed...)
	c.fails = c.fails || s.isConfirmed()
	return nil
}

// end reports the verdict.
func (c *gathering) end(ctx context.Context) {
	r := c.result
	r.Elapsed = c.cfg.Clock.Since(c.start)
	whole := r.Verdict == verdict.Holds
	r.Verdict = verdict.Open
	switch {
	case whole:
		r.Verdict = verdict.Holds
	case c.fails:
		r.Verdict = verdict.Fails
	case c.possible:
		r.Verdict = verdict.Possible
	}
	switch {
	case whole:
	case ctx.Err() != nil:
		r.Open = append(r.Open, stopReason(ctx))
	case len(r.Open) == 0 && r.Verdict == verdict.Open:
		r.Open = append(r.Open, "no run from there fails, if what is assumed is true")
	case r.Elapsed >= c.cfg.Budget:
		r.Open = append(r.Open, fmt.Sprintf(budgetSpent, c.cfg.Budget))
	}
	c.obs.Ended(r)
}

// A gatherer hands on what one of the searches finds.
type gatherer struct {
	verdict.Quiet
	of *gathering
}

// Confirmed implements verdict.Observer.
func (o *gatherer) Confirmed(r *verdict.Result, run *schedule.Run) {
	o.of.result.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.obs.Confirmed(o.of.result, run)
}

// Found implements verdict.Observer.
func (o *gatherer) Found(r *verdict.Result, f *verdict.Counterexample) {
	o.of.result.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.result.Counterexamples = append(o.of.result.Counterexamples, f)
	o.of.obs.Found(o.of.result, f)
}

// Progress implements verdict.Observer.
func (o *gatherer) Progress(*verdict.Result) {
	now := *o.of.result
	now.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.obs.Progress(&now)
}

// Faulted implements verdict.Observer.
func (o *gatherer) Faulted(f *verdict.Fault) { o.of.obs.Faulted(f) }
