package constraint

import (
	"context"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A Checker decides whether scenarios are realizable (RealizabilityCheck, section 7.2 of
// the paper).
type Checker struct {
	f         *forest.Forest
	solver    *solve.Solver
	unsatCore bool // causes come from unsatisfiable cores

	view      view
	data      data
	cores     cores
	temporal  temporal
	constants constants
}

// NewChecker returns a checker for scenarios of f. Without unsatCore, the causes of a verdict
// are everything that an extension may change.
func NewChecker(f *forest.Forest, solver *solve.Solver, unsatCore bool) *Checker {
	return &Checker{f: f, solver: solver, unsatCore: unsatCore}
}

// A Verdict says whether a scenario is realizable.
type Verdict struct {
	// If Order is set, the scenario is realizable by a run with the input and its events in
	// that order. Incomplete says that something is not known on which the data constraint
	// depends: the scenario may not be realizable after all.
	Order      *Order
	Input      run.Input
	Incomplete bool
	// Otherwise an extension of the scenario is realizable only if it removes one of Causes.
	// Open says why the scenario may be realizable nevertheless, empty if it is not.
	Causes []forest.Cause
	Open   string
}

// Check decides whether s is realizable. The orders in blockings are known to be
// impossible. The error is that of ctx.
func (k *Checker) Check(ctx context.Context, s *forest.Scenario, blockings []Blocking) (Verdict, error) {
	k.view.show(k.f, s)
	var v Verdict
	// Which of its own goroutine's elements a receive gets depends on the other receives:
	// without an order the data constraint means nothing.
	orderFirst := k.view.ownReceipts()
	if orderFirst {
		if err := k.orderEvents(ctx, blockings, &v); err != nil || v.Order == nil {
			return v, err
		}
	}
	ok, err := k.findInput(ctx, s, &v)
	if err != nil || !ok {
		v.Order = nil
		return v, err
	}
	if !orderFirst {
		if err := k.orderEvents(ctx, blockings, &v); err != nil {
			return v, err
		}
	}
	return v, nil
}

// findInput solves the data constraint of s, which is in view.
func (k *Checker) findInput(ctx context.Context, s *forest.Scenario, v *Verdict) (ok bool, err error) {
	d := &k.data
	d.build(&k.view)
	v.Incomplete = d.incomplete
	if k.unsatCore {
		if d.refuted != expr.None {
			v.Causes = d.constants.localReads(d.refuted)
			return false, nil
		}
		if x := k.cores.find(d, &k.view); x != nil {
			v.Causes = x.localReads()
			return false, nil
		}
	}
	result := solve.Unsat
	if d.refuted == expr.None {
		if result, v.Input, err = d.solve(ctx, k.f, k.solver, s.Input); err != nil {
			return false, err
		}
	}
	switch {
	case result == solve.Sat:
		return true, nil
	case result == solve.Unknown:
		v.Open = "a query to the solver was not answered within its budget"
		v.Causes = k.view.causes()
	case k.unsatCore:
		core := k.solver.Core(ctx)
		k.cores.add(d, &k.view, core)
		v.Causes = d.localReads(&k.view, core)
	default:
		v.Causes = k.view.causes()
	}
	return false, nil
}

// orderEvents solves the temporal constraint of the scenario in view.
func (k *Checker) orderEvents(ctx context.Context, blockings []Blocking, v *Verdict) error {
	k.temporal.build(&k.view, blockings)
	order, causes, known := k.temporal.solve(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	v.Order, v.Causes = order, causes
	if order != nil {
		return nil
	}
	if !known {
		v.Open = "no order of a scenario's events was found within the bound on attempts"
	}
	if !known || !k.unsatCore {
		v.Causes = k.view.causes()
	}
	return nil
}

// Refuted reports whether the branch that is the sink of s is not taken because of constants,
// whatever the inputs are. Then s is not realizable, and causes are the local reads that would
// have to read something else.
func (k *Checker) Refuted(s *forest.Scenario) (causes []forest.Cause, ok bool) {
	sink := k.f.At(s.Sink)
	if !k.unsatCore || sink.Op != schedule.Branch {
		return nil, false
	}
	k.view.show(k.f, s)
	k.constants.start(&k.view)
	if x, ok := k.constants.value(sink.Cond); !ok || x == 1 {
		return nil, false
	}
	return k.constants.localReads(sink.Cond), true
}
