package vm_test

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// An enumerator goes through all values of all decisions about values, one
// combination a run.
type enumerator struct {
	chosen, bounds []int
	at             int
}

func (e *enumerator) Choose(p *run.SchedulingPoint) int {
	if p.Kind != run.Value {
		return 0
	}
	if e.at == len(e.chosen) {
		e.chosen = append(e.chosen, 0)
		e.bounds = append(e.bounds, p.N)
	}
	e.at++
	return e.chosen[e.at-1]
}

// next goes on to the next combination. It is false when there is none.
func (e *enumerator) next() bool {
	e.at = 0
	for i := len(e.chosen) - 1; i >= 0; i-- {
		if e.chosen[i]++; e.chosen[i] < e.bounds[i] {
			e.chosen, e.bounds = e.chosen[:i+1], e.bounds[:i+1]
			return true
		}
	}
	return false
}

// Small maps are iterated in every order, larger ones from every entry on.
func TestMapOrders(t *testing.T) {
	var out bytes.Buffer
	m := bootOwn(t, "testdata/maporder/order.go", &out, run.Limits{})
	seen := make(map[string]bool)
	e := &enumerator{}
	for more := true; more; more = e.next() {
		out.Reset()
		trace, err := m.Run(t.Context(), &run.Plan{}, e)
		if err != nil || trace.Outcome != run.Finished {
			t.Fatal(err, trace)
		}
		if seen[out.String()] {
			t.Errorf("the order %s came twice", &out)
		}
		seen[out.String()] = true
		if len(trace.GivenUp) != 1 {
			t.Errorf("given up: %v, not just the orders of the map of five", trace.GivenUp)
		}
		// The decisions alone bring the order back.
		want := out.String()
		out.Reset()
		if _, err := m.Run(t.Context(), &run.Plan{Prefix: trace.Decisions}, run.NonPreemptive{}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("replayed %s as %s", want, &out)
		}
	}
	if want := 6 * 2 * 5; len(seen) != want {
		t.Errorf("%d orders, not %d", len(seen), want)
	}
	for _, order := range []string{"abc de 12345\n", "cba ed 51234\n", "bca de 34512\n"} {
		if !seen[order] {
			t.Errorf("the order %s did not come", order)
		}
	}
}
