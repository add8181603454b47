package linearity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// aloneShare is the part of the budget of a bound that the search has for calls that are made alone.
const aloneShare = 4

// Search searches the tests and reports to obs, in the order of the bounds, until one of them
// fails, unless cfg.All is set. If calls that are made alone are not deterministic, that is why the
// first bound is open, and nothing else is searched.
func (t *Tests) Search(ctx context.Context, cfg search.Config, obs verdict.Observer) error {
	end := time.Time{}
	if cfg.Total > 0 {
		end = cfg.Clock.Now().Add(cfg.Total)
	}
	before := &alone{Observer: obs, report: t.Bounds[0].Target()}
	if t.Subject.Deterministic() { // a model says itself what calls give
		cfg := cfg
		cfg.All, cfg.Resume = false, false
		limit(&cfg, end)
		cfg.Budget = cmp.Or(cfg.Budget, search.DefaultBudget) / aloneShare
		if _, err := search.Target(ctx, t.Program, t.alone, cfg, before); err != nil {
			return err
		}
		t.removeSearch(cfg, t.alone) // nobody resumes it
		if before.why != "" {
			t.removeRun(cfg, t.alone, before.found)
			before.open()
			return nil
		}
		if before.failed {
			return nil
		}
	}
	for i, b := range t.Bounds {
		cfg := cfg
		if ctx.Err() != nil || !limit(&cfg, end) {
			obs.Unbegun(t.alone.Package.Path, b.Target())
			continue
		}
		r, comparable, err := t.searchBound(ctx, i, cfg, obs)
		if err != nil {
			return err
		}
		if !comparable || r.Verdict == verdict.Fails && !cfg.All {
			return nil
		}
	}
	return nil
}

// searchBound searches the tests of a bound. Comparable is as of searchTarget.
func (t *Tests) searchBound(ctx context.Context, i int, cfg search.Config, obs verdict.Observer) (r *verdict.Result, comparable bool, err error) {
	if len(t.targets[i]) > 1 {
		return t.searchParts(ctx, i, cfg, obs)
	}
	return t.searchTarget(ctx, &t.targets[i][0], t.Bounds[i], cfg, obs)
}

// searchTarget searches the histories of a bound, or a part of them. A finding about a history is
// reported when its calls have been searched for whether they are deterministic if they are made
// alone. If they are not, nothing is comparable with them.
func (t *Tests) searchTarget(ctx context.Context, target *load.Target, b linear.Bound, cfg search.Config, obs verdict.Observer) (r *verdict.Result, comparable bool, err error) {
	held := &bounded{Observer: obs, within: t.within(b), holds: t.Subject.Deterministic()}
	r, err = search.Target(ctx, t.Program, target, cfg, held)
	if err != nil || held.history == nil {
		held.release()
		return r, true, err
	}
	why, err := t.again(ctx, b, held.history, cfg)
	if why == "" {
		held.release()
		return r, true, err
	}
	for _, c := range held.withdraw(why) {
		t.removeRun(cfg, target, c)
	}
	t.removeSearch(cfg, target) // it has the findings
	return r, false, nil
}

// removeSearch removes the file with the state of a search. One that is in the way of nobody may stay.
func (t *Tests) removeSearch(cfg search.Config, target *load.Target) {
	_ = t.Program.Output(cfg.OutDir, target, ".search").Remove()
}

// removeRun removes the file of a run that shows no finding of the type.
func (t *Tests) removeRun(cfg search.Config, target *load.Target, c *verdict.Counterexample) {
	if c != nil && c.RunFile != "" {
		_ = t.Program.Output(cfg.OutDir, target, ".run").Sibling(filepath.Base(c.RunFile)).Remove()
	}
}

// again says why the calls of a history are not deterministic if they are made alone, empty if it
// is not known that they are not.
func (t *Tests) again(ctx context.Context, b linear.Bound, history *schedule.Run, cfg search.Config) (why string, err error) {
	input := make(map[string]uint64)
	for _, v := range history.Input {
		input[v.Name] = v.Value
	}
	p, err := t.load(ctx, t.Subject.History(b, input))
	if err != nil {
		return "", fmt.Errorf("loading the test of the calls of a history: %w", err)
	}
	p.Disk = disk.Refuse(errors.New("the result is all that is wanted of the search"))
	target, err := find(p, linear.AgainTarget)
	if err != nil {
		return "", err
	}
	cfg.All, cfg.Resume = false, false
	alone := &alone{Observer: verdict.Quiet{}}
	_, err = search.Target(ctx, p, target, cfg, alone)
	return alone.why, err
}

// limit makes the budget of a search end when that of all has ended. It reports whether there is time left.
func limit(cfg *search.Config, end time.Time) bool {
	if end.IsZero() {
		return true
	}
	left := cfg.Clock.Until(end)
	if cfg.Budget == 0 || left < cfg.Budget {
		cfg.Budget = left
	}
	return left > 0
}

// within says within what a bound holds.
func (t *Tests) within(b linear.Bound) []string {
	list := []string{b.Sentence() + " of " + t.Subject.Describe()}
	for _, l := range t.Subject.Left {
		list = append(list, fmt.Sprintf("without calls of %s (%s)", l.Name, l.Why))
	}
	return list
}

// isAboutHistory reports whether a run shows a history that nothing explains.
func isAboutHistory(run *schedule.Run) bool {
	return check.Kind(run.Finding.Kind) == check.NotLinearizable
}

// A bounded observer adds to a verdict within what it was searched. It holds back findings about histories, and what
// is reported after the first, until they are released or withdrawn.
type bounded struct {
	verdict.Observer
	within  []string
	holds   bool          // findings back
	history *schedule.Run // the last finding about a history
	late    []report
	ended   *verdict.Result
}

// A report is a call of an observer that is made later.
type report struct {
	about *schedule.Run // the run with a finding; nil if there is none
	do    func()
}

// report calls do, now or later.
func (b *bounded) report(about *schedule.Run, do func()) {
	if b.holds && about != nil && isAboutHistory(about) {
		b.history = about
	}
	if b.history != nil {
		b.late = append(b.late, report{about, do})
		return
	}
	do()
}

// Confirmed implements verdict.Observer.
func (b *bounded) Confirmed(r *verdict.Result, run *schedule.Run) {
	now := *r
	b.report(run, func() { b.Observer.Confirmed(&now, run) })
}

// Found implements verdict.Observer.
func (b *bounded) Found(r *verdict.Result, c *verdict.Counterexample) {
	now := *r
	b.report(c.Run, func() { b.Observer.Found(&now, c) })
}

// Ended implements verdict.Observer.
func (b *bounded) Ended(r *verdict.Result) {
	r.Notes = nil // of goroutines that remain: a call that is blocked is part of a history
	if r.Verdict == verdict.Holds {
		r.Bounds = append(append([]string{}, b.within...), r.Bounds...)
	}
	b.ended = r
	b.report(nil, func() { b.Observer.Ended(r) })
}

// release reports what was held back.
func (b *bounded) release() {
	for _, late := range b.late {
		late.do()
	}
	b.late = nil
}

// withdraw reports what was held back without the findings about histories, which it returns. The
// verdict is open, unless there are others.
func (b *bounded) withdraw(why string) (withdrawn []*verdict.Counterexample) {
	r := b.ended
	r.Counterexamples = slices.DeleteFunc(slices.Clone(r.Counterexamples), func(c *verdict.Counterexample) bool {
		if isAboutHistory(c.Run) {
			withdrawn = append(withdrawn, c)
			return true
		}
		return false
	})
	if len(r.Counterexamples) == 0 {
		r.Verdict = verdict.Open
	}
	r.Open = append([]string{notComparable + why + aModel}, r.Open...)
	b.late = slices.DeleteFunc(b.late, func(late report) bool { return late.about != nil && isAboutHistory(late.about) })
	b.release()
	return withdrawn
}

// What is said of calls that are not deterministic.
const (
	notComparable = "calls made one at a time are not deterministic, so that they cannot explain what others give: "
	aModel        = "; give a model with -model, or leave methods out with -skip"
)

// notDeterministic is how the message begins with which the driver says that calls give other
// results when they are repeated.
const notDeterministic = "not deterministic: "

// alone observes the search of calls that are made alone. It reports only what is wrong with them,
// but for that they are not deterministic.
type alone struct {
	verdict.Observer
	report string                  // the target that is reported if they are not deterministic
	why    string                  // they are not
	found  *verdict.Counterexample // that says so
	failed bool
	result *verdict.Result
}

// Started implements verdict.Observer.
func (a *alone) Started(pkg, target string) {
	a.result = &verdict.Result{Package: pkg, Target: target}
}

// Progress implements verdict.Observer.
func (a *alone) Progress(*verdict.Result) {}

// Output implements verdict.Observer.
func (a *alone) Output(pkg, target string, text []byte) {}

// Confirmed implements verdict.Observer.
func (a *alone) Confirmed(r *verdict.Result, run *schedule.Run) {
	if why, ok := strings.CutPrefix(run.Finding.Message, notDeterministic); ok {
		a.why = why
		return
	}
	if !a.failed {
		a.failed = true
		a.Observer.Started(r.Package, r.Target)
	}
	a.Observer.Confirmed(r, run)
}

// Found implements verdict.Observer.
func (a *alone) Found(r *verdict.Result, c *verdict.Counterexample) {
	if why, ok := strings.CutPrefix(c.Run.Finding.Message, notDeterministic); ok {
		a.why, a.found = why, c // of the smaller run
		return
	}
	a.Observer.Found(r, c)
}

// Ended implements verdict.Observer.
func (a *alone) Ended(r *verdict.Result) {
	a.result = r
	if a.failed {
		a.Observer.Ended(r)
	}
}

// open reports that the type is not deterministic.
func (a *alone) open() {
	r := *a.result
	r.Target, r.Counterexamples, r.Verdict = a.report, nil, verdict.Open
	r.Open = []string{notComparable + a.why + aModel}
	a.Observer.Started(r.Package, r.Target)
	a.Observer.Ended(&r)
}

var _ verdict.Observer = (*alone)(nil)
