package racing

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// TestOrders compares the orders with all that there are, of random steps: there is one if and only
// if there is any, each is possible, and it begins with the goroutine that it should.
func TestOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	some, none := 0, 0
	for range 5000 {
		steps := [2][]step{randomSteps(r), randomSteps(r)}
		list := orders(steps)
		if any := possible(steps, meeting{}); any != (len(list) > 0) {
			t.Fatalf("%v: orders %v, that there is one is %v", steps, list, any)
		}
		if len(list) == 0 {
			none++
			continue
		}
		some++
		if len(list) == 2 && list[0][0].of == list[1][0].of {
			t.Errorf("%v: both orders begin with goroutine %d", steps, list[0][0].of)
		}
		for _, legs := range list {
			at := meeting{}
			for i, l := range legs {
				if i > 0 && legs[i-1].of == l.of {
					t.Errorf("%v: two legs of one goroutine in %v", steps, legs)
				}
				for at[l.of] < l.steps {
					at[l.of]++
					if clash(steps, at) {
						t.Fatalf("%v: a lock is held by both at %v of %v", steps, at, legs)
					}
				}
			}
			if at != (meeting{len(steps[0]), len(steps[1])}) {
				t.Fatalf("%v: the order %v ends at %v", steps, legs, at)
			}
		}
	}
	if some < 500 || none < 500 {
		t.Errorf("%d have an order and %d have none, want some of both", some, none)
	}
}

// randomSteps returns steps that take and release some of three locks.
func randomSteps(r *rand.Rand) []step {
	var list []step
	var held []lock
	for range r.IntN(6) {
		l := lock{object: run.ObjectID{Count: int32(r.IntN(3))}, shared: r.IntN(4) == 0}
		next := []lock{}
		had := false
		for _, h := range held {
			if h.object == l.object {
				had = true
				continue
			}
			next = append(next, h)
		}
		if !had {
			next = append(next, l)
		}
		held = next
		list = append(list, step{held})
	}
	return list
}

func clash(steps [2][]step, at meeting) bool {
	return at[0] > 0 && at[1] > 0 && exclusive(steps[0][at[0]-1].held, steps[1][at[1]-1].held)
}

// possible reports whether a state leads to the end of both.
func possible(steps [2][]step, at meeting) bool {
	if clash(steps, at) {
		return false
	}
	if at == (meeting{len(steps[0]), len(steps[1])}) {
		return true
	}
	for k := range 2 {
		if next := at; next[k] < len(steps[k]) {
			next[k]++
			if possible(steps, next) {
				return true
			}
		}
	}
	return false
}
