package linearity

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// aloneShare is the part of the budget of a bound that the search has for calls that are made alone.
const aloneShare = 4

// Search searches the tests and reports to obs, in the order of the bounds, until one of them fails, unless cfg.All is set.
// If calls that are made alone are not deterministic, that is why the first bound is open, and nothing else is searched.
func (t *Tests) Search(ctx context.Context, cfg search.Config, obs verdict.Observer) error {
	end := time.Time{}
	if cfg.Total > 0 {
		end = time.Now().Add(cfg.Total)
	}
	before := &alone{Observer: obs, report: t.targets[0].Name}
	if t.Subject.Deterministic() { // a model says itself what calls give
		cfg := cfg
		cfg.All, cfg.Resume = false, false
		limit(&cfg, end)
		cfg.Budget = cmp.Or(cfg.Budget, search.DefaultBudget) / aloneShare
		if _, err := search.Target(ctx, t.Program, t.alone, cfg, before); err != nil {
			return err
		}
		if before.why != "" {
			before.open()
			return nil
		}
		if before.failed {
			return nil
		}
	}
	for i := range t.targets {
		if ctx.Err() != nil {
			obs.Unbegun(t.targets[i].Package.Path, t.targets[i].Name)
			continue
		}
		cfg := cfg
		if !limit(&cfg, end) {
			obs.Unbegun(t.targets[i].Package.Path, t.targets[i].Name)
			continue
		}
		r, err := t.searchBound(ctx, i, cfg, obs)
		if err != nil {
			return err
		}
		if r.Verdict == verdict.Fails && !cfg.All || r.Verdict == verdict.Open && len(r.Open) > 0 && strings.HasPrefix(r.Open[0], notComparable) {
			return nil
		}
	}
	return nil
}

// searchBound searches the tests of a bound. A finding about a history is reported when its calls have been searched for whether
// they are deterministic if they are made alone.
func (t *Tests) searchBound(ctx context.Context, i int, cfg search.Config, obs verdict.Observer) (*verdict.Result, error) {
	held := &bounded{Observer: obs, within: t.within(t.Bounds[i]), holds: t.Subject.Deterministic()}
	r, err := search.Target(ctx, t.Program, &t.targets[i], cfg, held)
	if err != nil || held.history == nil {
		held.release()
		return r, err
	}
	why, err := t.again(ctx, t.Bounds[i], held.history, cfg)
	if why != "" {
		held.withdraw(why)
		return held.ended, nil
	}
	held.release()
	return r, err
}

// again says why the calls of a history are not deterministic if they are made alone, empty if it is not known that they are not.
func (t *Tests) again(ctx context.Context, b linear.Bound, history *schedule.Run, cfg search.Config) (why string, err error) {
	input := make(map[string]uint64)
	for _, v := range history.Input {
		input[v.Name] = v.Value
	}
	p, err := t.load(ctx, b.History(input))
	if err != nil {
		return "", fmt.Errorf("loading the test of the calls of a history: %w", err)
	}
	p.Disk = t.Program.Disk
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
	left := time.Until(end)
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

// notLinearizable is how the message begins with which the driver says that nothing explains a history.
const notLinearizable = "not linearizable: "

// A bounded observer adds to a verdict within what it was searched. It holds back findings about histories, and what
// is reported after the first, until they are released or withdrawn.
type bounded struct {
	verdict.Observer
	within  []string
	holds   bool          // findings back
	history *schedule.Run // the last finding about a history
	late    []func()
	ended   *verdict.Result
}

// report calls f, now or later.
func (b *bounded) report(f func()) {
	if b.history != nil {
		b.late = append(b.late, f)
		return
	}
	f()
}

// note notes a finding, if it is about a history.
func (b *bounded) note(run *schedule.Run) {
	if b.holds && strings.HasPrefix(run.Finding.Message, notLinearizable) {
		b.history = run
	}
}

// Confirmed implements verdict.Observer.
func (b *bounded) Confirmed(r *verdict.Result, run *schedule.Run) {
	b.note(run)
	now := *r
	b.report(func() { b.Observer.Confirmed(&now, run) })
}

// Found implements verdict.Observer.
func (b *bounded) Found(r *verdict.Result, c *verdict.Counterexample) {
	b.note(c.Run)
	now := *r
	b.report(func() { b.Observer.Found(&now, c) })
}

// Ended implements verdict.Observer.
func (b *bounded) Ended(r *verdict.Result) {
	r.Notes = nil // of goroutines that remain: a call that is blocked is part of a history
	if r.Verdict == verdict.Holds {
		r.Bounds = append(append([]string{}, b.within...), r.Bounds...)
	}
	b.ended = r
	b.report(func() { b.Observer.Ended(r) })
}

// release reports what was held back.
func (b *bounded) release() {
	for _, f := range b.late {
		f()
	}
	b.late = nil
}

// withdraw reports the end of the search without the findings about histories.
func (b *bounded) withdraw(why string) {
	r := b.ended
	var others []*verdict.Counterexample
	for _, c := range r.Counterexamples {
		if !strings.HasPrefix(c.Run.Finding.Message, notLinearizable) {
			others = append(others, c)
			b.Observer.Confirmed(r, c.Run)
			b.Observer.Found(r, c)
		}
	}
	if r.Counterexamples = others; len(others) == 0 {
		r.Verdict = verdict.Open
	}
	r.Open = append([]string{notComparable + why + aModel}, r.Open...)
	b.Observer.Ended(r)
}

// What is said of calls that are not deterministic.
const (
	notComparable = "calls made one at a time are not deterministic, so that they cannot explain what others give: "
	aModel        = "; give a model with -model, or leave methods out with -skip"
)

// notDeterministic is how the message begins with which the driver says that calls give other results when they are repeated.
const notDeterministic = "not deterministic: "

// alone observes the search of calls that are made alone. It reports only what is wrong with them, but for that they are
// not deterministic.
type alone struct {
	verdict.Observer
	report string // the target that is reported if they are not deterministic
	why    string // they are not
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
		a.why = why // of the smaller run
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
