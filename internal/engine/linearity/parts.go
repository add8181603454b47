package linearity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// searchParts searches the parts of a bound, one after the other, and reports them as one search.
// Each may take as much of what is left of the budget as each of those that come after it.
// Comparable is as of searchTarget.
func (t *Tests) searchParts(ctx context.Context, i int, cfg search.Config, obs verdict.Observer) (r *verdict.Result, comparable bool, err error) {
	cfg.Budget = cmp.Or(cfg.Budget, search.DefaultBudget)
	p := &parts{Observer: obs, bound: t.Bounds[i], list: t.Subject.Parts(t.Bounds[i]), budget: cfg.Budget, runs: cfg.Runs}
	end := cfg.Clock.Now().Add(cfg.Budget)
	comparable = true
	for at := range p.list {
		cfg.Budget = cfg.Clock.Until(end) / time.Duration(len(p.list)-at)
		if p.runs > 0 {
			cfg.Runs = p.runs - p.sum.Runs
		}
		if at > 0 && (cfg.Budget <= 0 || p.runs > 0 && cfg.Runs <= 0 || ctx.Err() != nil) {
			break
		}
		if r, comparable, err = t.searchTarget(ctx, &t.targets[i][at], t.Bounds[i], cfg, p); err != nil {
			return r, comparable, err
		}
		if !comparable || r.Verdict == verdict.Fails && !cfg.All {
			break
		}
	}
	return p.end(), comparable, nil
}

// parts observes the searches of the parts of a bound, and reports them as one.
type parts struct {
	verdict.Observer
	bound   linear.Bound
	list    []linear.Part
	budget  time.Duration
	runs    int // at most; 0 means no bound
	begun   bool
	sum     verdict.Result // of the parts that have ended
	ended   int            // how many have
	skipped int            // of these
	failed  bool           // one of them
	spent   bool           // the share of one of them
	done    [][]string     // the sets of methods of which all histories are explained
}

// Started implements verdict.Observer.
func (p *parts) Started(pkg, target string) {
	if !p.begun {
		p.begun = true
		p.Observer.Started(pkg, p.bound.Target())
	}
}

// Restarted implements verdict.Observer.
func (p *parts) Restarted(pkg, target, file, why string) {
	p.Observer.Restarted(pkg, p.bound.Target(), file, why)
}

// Paused implements verdict.Observer.
func (p *parts) Paused(pkg, target string) { p.Observer.Paused(pkg, p.bound.Target()) }

// Continued implements verdict.Observer.
func (p *parts) Continued(pkg, target string) { p.Observer.Continued(pkg, p.bound.Target()) }

// Output implements verdict.Observer.
func (p *parts) Output(pkg, target string, text []byte) {
	p.Observer.Output(pkg, p.bound.Target(), text)
}

// Progress implements verdict.Observer.
func (p *parts) Progress(r *verdict.Result) { p.Observer.Progress(p.with(r)) }

// Confirmed implements verdict.Observer.
func (p *parts) Confirmed(r *verdict.Result, run *schedule.Run) {
	p.Observer.Confirmed(p.with(r), run)
}

// Found implements verdict.Observer.
func (p *parts) Found(r *verdict.Result, c *verdict.Counterexample) { p.Observer.Found(p.with(r), c) }

// Ended implements verdict.Observer: a part has ended.
func (p *parts) Ended(r *verdict.Result) {
	p.sum = *p.with(r)
	p.ended++
	if r.Spent != "" { // that of the share of a part; see unfinished
		p.spent = true
		p.sum.Open = slices.DeleteFunc(p.sum.Open, func(why string) bool { return why == r.Spent })
	}
	switch r.Verdict {
	case verdict.Fails:
		p.failed = true
	case verdict.Skipped, verdict.Holds:
		if r.Verdict == verdict.Skipped {
			p.skipped++
		}
		for _, part := range p.list {
			if part.Target == r.Target {
				p.done = append(p.done, part.Sets...)
			}
		}
	}
}

// with returns the sum of the parts that have ended and another one.
func (p *parts) with(r *verdict.Result) *verdict.Result {
	all := p.sum
	all.Package, all.Target, all.Root = r.Package, p.bound.Target(), r.Root
	all.Cached = r.Cached && (p.ended == 0 || all.Cached)
	all.Runs += r.Runs
	all.Counts.Add(r.Counts)
	all.Solver.Add(r.Solver)
	all.Summaries.Add(r.Summaries)
	all.Elapsed += r.Elapsed
	all.Shapes, all.Refused = max(all.Shapes, r.Shapes), max(all.Refused, r.Refused) // of the same values
	all.Branches, all.Covered = max(all.Branches, r.Branches), max(all.Covered, r.Covered)
	all.Open, all.Bounds, all.Accepted = union(all.Open, r.Open), union(all.Bounds, r.Bounds), union(all.Accepted, r.Accepted)
	all.Blocks = union(all.Blocks, r.Blocks)
	all.Saved = slices.Concat(all.Saved, r.Saved)
	all.Counterexamples = slices.Concat(all.Counterexamples, r.Counterexamples)
	return &all
}

// union returns the elements of a, and those of b that are not among them.
func union[E comparable](a, b []E) []E {
	all := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// end reports the result of all parts, and returns it.
func (p *parts) end() *verdict.Result {
	r := &p.sum
	left := p.left()
	switch {
	case p.failed:
		r.Verdict = verdict.Fails
	case len(left) > 0:
		r.Verdict = verdict.Open
		if p.spent || p.ended < len(p.list) && len(r.Open) == 0 {
			r.Open = append(r.Open, p.unfinished(left))
		}
	case p.skipped == len(p.list):
		r.Verdict = verdict.Skipped
	default:
		r.Verdict = verdict.Holds
	}
	p.Observer.Ended(r)
	return r
}

// left returns the sets of methods of which not all histories are known to be explained.
func (p *parts) left() [][]string {
	var list [][]string
	for _, part := range p.list {
		for _, set := range part.Sets {
			if !slices.ContainsFunc(p.done, func(done []string) bool { return slices.Equal(done, set) }) {
				list = append(list, set)
			}
		}
	}
	return list
}

// unfinished says that the budget is spent, and which sets of methods are left.
func (p *parts) unfinished(left [][]string) string {
	why := fmt.Sprintf("the budget of %v is spent, after %s; ", p.budget, p.sum.Share())
	if p.runs > 0 && p.sum.Runs >= p.runs {
		why = fmt.Sprintf("the bound of %d runs is reached; ", p.runs)
	}
	switch n := len(p.done); {
	case n == 0:
		why += fmt.Sprintf("none of the %d sets of methods is finished", len(left))
	case n <= len(left):
		why += fmt.Sprintf("of the %d sets of methods, these are finished: %s", n+len(left), listed(p.done))
	default:
		why += fmt.Sprintf("of the %d sets of methods, all are finished but %s", n+len(left), listed(left))
	}
	return why + "; -resume goes on"
}

// listed writes sets of methods.
func listed(sets [][]string) string {
	var list []string
	for _, set := range sets {
		list = append(list, strings.Join(set, " with "))
	}
	return strings.Join(list, ", ")
}
