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
		r, err := search.Target(ctx, t.Program, &t.targets[i], cfg, &bounded{obs, t.within(t.Bounds[i])})
		if err != nil {
			return err
		}
		if r.Verdict == verdict.Fails && !cfg.All {
			return nil
		}
	}
	return nil
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

// A bounded observer adds to a verdict within what it was searched.
type bounded struct {
	verdict.Observer
	within []string
}

// Ended implements verdict.Observer.
func (b *bounded) Ended(r *verdict.Result) {
	r.Notes = nil // of goroutines that remain: a call that is blocked is part of a history
	if r.Verdict == verdict.Holds {
		r.Bounds = append(append([]string{}, b.within...), r.Bounds...)
	}
	b.Observer.Ended(r)
}

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
	r.Open = []string{"calls made one at a time are not deterministic, so that they cannot explain what others give: " + a.why +
		"; give a model with -model, or leave methods out with -skip"}
	a.Observer.Started(r.Package, r.Target)
	a.Observer.Ended(&r)
}

var _ verdict.Observer = (*alone)(nil)
