package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// CallsPrefix is before the package in the name of a search from calls into it.
const CallsPrefix = "calls:"

// Calls searches from calls into a package that may run at once: from all pairs, and then from all triples, by rising cost, within the budget of one
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
		lines:    knownLines{},
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
}

// A tally counts what has become of combinations.
type tally struct {
	of                                     string // pairs or triples
	all, done, found, open, unfit, dropped int
	within                                 int      // number of those that are left out since two of the calls have findings
	examples                               []string // why some are open
}

// left returns how many have not been searched.
func (t *tally) left() int { return t.all + t.dropped - t.done - t.found - t.open - t.unfit - t.within }

// combinationShare is the part of the time that is left which a combination has at most: some take long, and those after them
// are to be searched, too.
const combinationShare = 20

// search searches all pairs and triples.
func (c *combinations) search(ctx context.Context) error {
	limited, cancel := c.cfg.Clock.WithDeadline(ctx, c.start.Add(c.cfg.Budget))
	defer cancel()
	pairs := &tally{of: "pairs", all: len(c.calls.Pairs)}
	triples := &tally{of: "triples", all: len(c.calls.Triples), dropped: c.calls.Dropped}
	for _, part := range []struct {
		list []program.Combination
		*tally
	}{{c.calls.Pairs, pairs}, {c.calls.Triples, triples}} {
		for _, one := range part.list {
			if limited.Err() != nil || c.cfg.FailFast && c.fails {
				break
			}
			if slices.ContainsFunc(c.found, one.Contains) {
				part.within++ // it would most likely find the same
				continue
			}
			if err := c.searchOne(limited, one, part.tally); err != nil {
				return err
			}
		}
		c.note(part.tally)
	}
	return nil
}

// searchOne searches from a combination.
func (c *combinations) searchOne(ctx context.Context, one program.Combination, t *tally) error {
	target, err := c.calls.Target(ctx, one)
	if err != nil {
		if ctx.Err() == nil {
			t.unfit++
		}
		return nil // such as one in a loop over a map
	}
	left := c.cfg.Clock.Until(c.start.Add(c.cfg.Budget))
	cfg := c.cfg
	cfg.Budget = max((left / time.Duration(min(max(t.left()-t.dropped, 1), combinationShare))).Truncate(time.Millisecond), time.Millisecond)
	s, err := newSearch(c.prog, target, cfg, c.mix, c.cores, &combination{of: c})
	if err != nil {
		return err
	}
	s.lines = c.lines
	if err := c.cores.take(ctx); err != nil {
		return nil // there is no time left
	}
	defer c.cores.release()
	if err := fault.Do(func() error { return s.advance(ctx, c.prog, c.machines, target, turn{}) }); err != nil {
		s.fail(c.prog, target, err)
		return err
	}
	if c.add(s, t); len(s.result.Counterexamples) > 0 && t.of == "pairs" {
		c.found = append(c.found, one)
	}
	return nil
}

// add adds what a search has shown.
func (c *combinations) add(s *search, t *tally) {
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
	c.result.Notes = append(c.result.Notes, s.unconfirmed...)
	open := s.state.total().Open
	switch {
	case len(r.Counterexamples) > 0:
		t.found++
		c.fails = c.fails || r.Verdict == verdict.Fails
		c.possible = c.possible || r.Verdict == verdict.Possible
	case s.state.Finite && len(open) == 0:
		t.done++
	default:
		t.open++
		if len(t.examples) < maxListed {
			t.examples = append(t.examples, fmt.Sprintf("%s: %s", r.Target, strings.ReplaceAll(strings.Join(r.Open, "; "), fmt.Sprintf(" (and cannot be resumed: %v)", errSought), "")))
		}
	}
}

// note says what has become of the pairs, or of the triples.
func (c *combinations) note(t *tally) {
	if t.all == 0 {
		return
	}
	text := fmt.Sprintf("%s of calls that may run at once: %d", t.of, t.all+t.dropped)
	left := t.left()
	for _, part := range []struct {
		n    int
		what string
	}{
		{t.done, "searched to the end, without a new finding"}, {t.found, "with findings"}, {t.open, "open"},
		{t.within, "left out, since two of the calls have findings"}, {t.unfit, "that no search can begin with"}, {left, "not searched"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	c.result.Notes = append(c.result.Notes, text)
	if t.open > 0 {
		for _, e := range t.examples {
			c.result.Open = append(c.result.Open, e)
		}
		if more := t.open - len(t.examples); more > 0 {
			c.result.Open = append(c.result.Open, fmt.Sprintf("%d more %s", more, t.of))
		}
	}
	if left > 0 {
		c.result.Open = append(c.result.Open, fmt.Sprintf("%d of %d %s were not searched", left, t.all+t.dropped, t.of))
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
		r.Open = append(r.Open, fmt.Sprintf("the budget of %v is spent", c.cfg.Budget))
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
