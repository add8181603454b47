package check

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// Same compares the traces of two runs of one plan and says how they differ,
// nil when they do not. Runs are deterministic: a difference means that
// something escaped the machine's control. Expressions are not compared, their
// handles depend on the arena.
func Same(a, b *run.Trace) error {
	switch {
	case a.Outcome != b.Outcome:
		return fmt.Errorf("outcomes %v and %v", a.Outcome, b.Outcome)
	case a.Instructions != b.Instructions:
		return fmt.Errorf("%d and %d instructions", a.Instructions, b.Instructions)
	case !slices.Equal(a.Decisions, b.Decisions):
		return fmt.Errorf("decisions differ from number %d on", firstDifference(a.Decisions, b.Decisions))
	case len(a.Inputs) != len(b.Inputs):
		return fmt.Errorf("%d and %d input variables", len(a.Inputs), len(b.Inputs))
	case len(a.Path) != len(b.Path):
		return fmt.Errorf("%d and %d path conditions", len(a.Path), len(b.Path))
	}
	for i := range a.Inputs {
		x, y := a.Inputs[i], b.Inputs[i]
		if x.Name != y.Name || x.Width != y.Width || x.Value != y.Value {
			return fmt.Errorf("input %d: %s = %d and %s = %d", i, x.Name, x.Value, y.Name, y.Value)
		}
	}
	if err := sameFindings(all(a), all(b)); err != nil {
		return err
	}
	if len(a.Events) != len(b.Events) {
		return fmt.Errorf("%d and %d events", len(a.Events), len(b.Events))
	}
	for i := range a.Events {
		if x, y := concrete(a.Events[i]), concrete(b.Events[i]); !reflect.DeepEqual(x, y) {
			return fmt.Errorf("event %d: %+v and %+v", i, x, y)
		}
	}
	return nil
}

// sameFindings says how the findings of two runs differ, nil when they do not.
func sameFindings(a, b []Finding) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d and %d findings", len(a), len(b))
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if KeyOf(x) != KeyOf(y) || x.Message != y.Message {
			return fmt.Errorf("finding %d: %q and %q", i, x.Message, y.Message)
		}
		if err := sameFindings(x.Others, y.Others); err != nil {
			return fmt.Errorf("finding %d: of other goroutines: %w", i, err)
		}
	}
	return nil
}

// concrete returns e without its expressions.
func concrete(e run.Event) run.Event {
	e.ReadSym, e.WroteSym, e.Cond = expr.None, expr.None, expr.None
	e.Rest = slices.Clone(e.Rest)
	for i := range e.Rest {
		e.Rest[i].Sym = expr.None
	}
	return e
}

func firstDifference(a, b []run.Decision) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
