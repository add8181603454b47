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

// CallsPrefix is before the package in the name of a search from calls into it.
const CallsPrefix = "calls:"

// Calls searches from calls into a package that may run at once: from all pairs, and then from all triples, the most promising ones first, within the budget of one
// target. It reports all as one target, whose result says how many were searched.
func Calls(ctx context.Context, prog *program.Program, calls *program.Calls, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	cfg.everyway = executable()
	mix, err := cfg.phases()
	if err != nil {
		return err
	}
	shared := newSerial(obs)
	named := &load.Target{Kind: load.TargetContext, Name: CallsPrefix + calls.Package, Package: calls.Within}
	c := &combinations{
		prog: prog, calls: calls, cfg: cfg, mix: mix, cores: newCores(cfg.Workers), obs: shared,
		machines: newMachines(prog, named, shared),
		lines:    knownLines{}, leads: make(map[*load.Target]int),
		result: &verdict.Result{
			Package: named.Package.Path, Target: named.Name, Root: prog.RootOf(named.Package), Totals: verdict.Totals{Degree: -1},
		},
		start: cfg.Clock.Now(),
	}
	cfg.Memory.OnShort(c.machines.Drop)
	shared.Started(c.result.Package, c.result.Target)
	err = c.search(ctx)
	c.end(ctx)
	return err
}

// combinations are the searches from combinations of calls.
type combinations struct {
	prog     *program.Program
	calls    *program.Calls
	cfg      Config
	mix      []phase
	cores    cores
	obs      verdict.Observer
	machines *worker.Machines
	lines    knownLines // of what was found by any of them
	result   *verdict.Result
	start    time.Time
	fails    bool
	possible bool
	found    []program.Combination // pairs with findings
	leading  []*load.Target        // targets that lead to what has findings, each once
	leads    map[*load.Target]int  // to how many combinations with findings each leads
}

// A tally has combinations of a size, and counts what has become of them.
type tally struct {
	of      string // pairs or triples
	list    []*attempt
	dropped int // number of those that are not in the list
}

// An attempt is the search from a combination.
type attempt struct {
	program.Combination
	fate fate
	open string // why it is
	last bool   // it would not come farther if it had more time
}

// A fate is what has become of a combination.
type fate uint8

const (
	unsearched fate = iota
	searched        // to the end, without a new finding
	found
	unfinished
	unfit  // no search can begin with it
	within // left out, since two of its calls have findings
)

func newTally(of string, list []program.Combination, dropped int) *tally {
	t := &tally{of: of, dropped: dropped}
	for _, one := range list {
		t.list = append(t.list, &attempt{Combination: one})
	}
	return t
}

// count returns how many combinations have a fate.
func (t *tally) count(of fate) int {
	n := 0
	for _, a := range t.list {
		if a.fate == of {
			n++
		}
	}
	if of == unsearched {
		n += t.dropped
	}
	return n
}

// All combinations of a size have a turn before one has its second, which is longer: some take long, and those after them are to be
// searched, too. In the first one they share a part of the time that is left among them.
const (
	turnShare  = 0.5
	minTurn    = 20 * time.Millisecond
	turnGrowth = 4
)

// search searches all pairs and triples, and tries to confirm what was found.
func (c *combinations) search(ctx context.Context) error {
	limited, cancel := c.cfg.Clock.WithDeadline(ctx, c.start.Add(c.cfg.Budget))
	defer cancel()
	sizes := []*tally{newTally("pairs", c.calls.Pairs, 0), newTally("triples", c.calls.Triples, c.calls.Dropped)}
	turns := make([]time.Duration, len(sizes))
	for again := true; again && !c.over(limited); {
		again = false
		for i, t := range sizes {
			todo := t.todo()
			if len(todo) == 0 {
				continue
			}
			if turns[i] == 0 {
				turns[i] = max(time.Duration(turnShare*float64(c.left())/float64(len(todo))), minTurn)
			} else {
				turns[i] *= turnGrowth
			}
			for _, a := range todo {
				if c.over(limited) {
					break
				}
				if a.fate == unsearched && slices.ContainsFunc(c.found, a.Contains) {
					a.fate = within // it would most likely find the same
					continue
				}
				if err := c.searchOne(limited, a, t, turns[i]); err != nil {
					return err
				}
			}
			again = true
		}
	}
	for _, t := range sizes {
		c.note(t)
	}
	if len(c.leading) == 0 {
		return nil
	}
	return c.confirm(limited)
}

// todo returns the combinations that have not been searched, or not to the end.
func (t *tally) todo() []*attempt {
	return slices.DeleteFunc(slices.Clone(t.list), func(a *attempt) bool {
		return a.last || a.fate != unsearched && a.fate != unfinished
	})
}

// endOfTurns returns when the time for combinations is over: what is left then is for confirming what they have found, if they have found anything.
func (c *combinations) endOfTurns() time.Time {
	budget := c.cfg.Budget
	if len(c.leading) > 0 {
		budget = time.Duration(float64(budget) * contextShare)
	}
	return c.start.Add(budget)
}

func (c *combinations) left() time.Duration { return c.cfg.Clock.Until(c.endOfTurns()) }

func (c *combinations) over(ctx context.Context) bool { return ctx.Err() != nil || c.left() < minTurn }

// searchOne searches from a combination for a time.
func (c *combinations) searchOne(ctx context.Context, one *attempt, t *tally, share time.Duration) error {
	target, err := c.calls.Target(ctx, one.Combination)
	if err != nil {
		if ctx.Err() == nil {
			one.fate = unfit
		}
		return nil // such as one in a loop over a map
	}
	cfg := c.cfg
	cfg.Budget = max(min(share, c.left()).Truncate(time.Millisecond), time.Millisecond)
	s, err := newSearch(c.prog, target, cfg, c.mix, c.cores, &combination{of: c})
	if err != nil {
		return err
	}
	s.lines, s.confirmsLater = c.lines, true
	if err := c.cores.take(ctx); err != nil {
		return nil // there is no time left
	}
	defer c.cores.release()
	if err := fault.Do(func() error { return s.advance(ctx, c.prog, c.machines, target, turn{}) }); err != nil {
		s.fail(c.prog, target, err)
		return err
	}
	if c.add(s, one); one.fate == found {
		if t.of == "pairs" {
			c.found = append(c.found, one.Combination)
		}
		for _, leads := range target.Context.Leading {
			if c.leads[leads]++; c.leads[leads] == 1 {
				c.leading = append(c.leading, leads)
			}
		}
	}
	return nil
}

// add adds what a search has shown.
func (c *combinations) add(s *search, one *attempt) {
	r := s.result
	c.result.Runs += r.Runs
	c.result.Counts.Add(r.Counts)
	c.result.Solver.Add(r.Solver)
	for _, what := range s.context.Assumes {
		if strings.HasPrefix(what, "a goroutine that returns from ") {
			what = "a goroutine ends that returns from the function that makes the call"
		}
		if !slices.Contains(c.result.Assumes, what) {
			c.result.Assumes = append(c.result.Assumes, what)
		}
	}
	open := s.state.total().Open
	switch {
	case len(r.Counterexamples) > 0:
		one.fate = found
		c.fails = c.fails || r.Verdict == verdict.Fails
		c.possible = c.possible || r.Verdict == verdict.Possible
	case s.state.Finite && len(open) == 0:
		one.fate = searched
	default:
		one.fate, one.last = unfinished, s.state.Finite || s.unsupported || s.spent()
		one.open = fmt.Sprintf("%s: %s", r.Target, strings.ReplaceAll(strings.Join(r.Open, "; "), fmt.Sprintf(" (and cannot be resumed: %v)", errSought), ""))
	}
}

// confirm tries to confirm what was found, in one search from the start of each target that leads there.
func (c *combinations) confirm(ctx context.Context) error {
	slices.SortStableFunc(c.leading, func(a, b *load.Target) int { return cmp.Compare(c.leads[b], c.leads[a]) })
	target := &load.Target{
		Kind: load.TargetContext, Name: c.result.Target, Package: c.calls.Within,
		Context: &load.Context{Context: &fragment.Context{}, Leading: c.leading},
	}
	s, err := newSearch(c.prog, target, c.cfg, c.mix, c.cores, &combination{of: c})
	if err != nil {
		return err
	}
	s.lines = c.lines
	s.result.Counterexamples = slices.Clone(c.result.Counterexamples)
	if err := c.cores.take(ctx); err != nil {
		return nil // there is no time left
	}
	defer c.cores.release()
	if err := s.confirmPossible(ctx, c.prog, c.machines, c.cfg.Clock.Until(c.start.Add(c.cfg.Budget))); err != nil {
		return fmt.Errorf("confirming what was found from calls into %s: %w", c.calls.Package, err)
	}
	c.result.Notes = append(c.result.Notes, s.unconfirmed...)
	c.fails = c.fails || s.isConfirmed()
	return nil
}

// note says what has become of the pairs, or of the triples.
func (c *combinations) note(t *tally) {
	if len(t.list) == 0 {
		return
	}
	all, left, open := len(t.list)+t.dropped, t.count(unsearched), t.count(unfinished)
	text := fmt.Sprintf("%s of calls that may run at once: %d", t.of, all)
	for _, part := range []struct {
		n    int
		what string
	}{
		{t.count(searched), "searched to the end, without a new finding"}, {t.count(found), "with findings"}, {open, "open"},
		{t.count(within), "left out, since two of the calls have findings"}, {t.count(unfit), "that no search can begin with"}, {left, "not searched"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	c.result.Notes = append(c.result.Notes, text)
	listed := 0
	for _, a := range t.list {
		if a.fate == unfinished && listed < maxListed {
			c.result.Open = append(c.result.Open, a.open)
			listed++
		}
	}
	if more := open - listed; more > 0 {
		c.result.Open = append(c.result.Open, fmt.Sprintf("%d more %s", more, t.of))
	}
	if left > 0 {
		c.result.Open = append(c.result.Open, fmt.Sprintf("%d of %d %s were not searched", left, all, t.of))
	}
}

// end reports the verdict.
func (c *combinations) end(ctx context.Context) {
	r := c.result
	r.Elapsed = c.cfg.Clock.Since(c.start)
	r.Verdict = verdict.Open
	switch {
	case c.fails:
		r.Verdict = verdict.Fails
	case c.possible:
		r.Verdict = verdict.Possible
	}
	switch {
	case ctx.Err() != nil:
		r.Open = append(r.Open, stopReason(ctx))
	case len(r.Open) == 0 && r.Verdict == verdict.Open:
		r.Open = append(r.Open, "no run from there fails, if what is assumed is true")
	case r.Elapsed >= c.cfg.Budget:
		r.Open = append(r.Open, fmt.Sprintf(budgetSpent, c.cfg.Budget))
	}
	c.obs.Ended(r)
}

// A combination hands on what the search from one combination finds.
type combination struct {
	verdict.Quiet
	of *combinations
}

// Confirmed implements verdict.Observer.
func (o *combination) Confirmed(r *verdict.Result, run *schedule.Run) {
	o.of.result.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.obs.Confirmed(o.of.result, run)
}

// Found implements verdict.Observer.
func (o *combination) Found(r *verdict.Result, f *verdict.Counterexample) {
	o.of.result.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.result.Counterexamples = append(o.of.result.Counterexamples, f)
	o.of.obs.Found(o.of.result, f)
}

// Progress implements verdict.Observer.
func (o *combination) Progress(*verdict.Result) {
	now := *o.of.result
	now.Elapsed = o.of.cfg.Clock.Since(o.of.start)
	o.of.obs.Progress(&now)
}

// Faulted implements verdict.Observer.
func (o *combination) Faulted(f *verdict.Fault) { o.of.obs.Faulted(f) }
