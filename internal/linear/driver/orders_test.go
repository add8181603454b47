package driver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Package linear knows of which histories the orders are known: Bound.ordersKnown.
func TestOrdersOf(t *testing.T) {
	for _, test := range []struct{ goroutines, each, orders, sequences int }{
		{2, 1, 3, 2}, {2, 2, 19, 6}, {2, 3, 141, 20}, {3, 1, 19, 6}, {4, 1, 207, 24}, {2, 4, 0, 0}, {3, 2, 0, 0}, {5, 1, 0, 0},
	} {
		got := linearOrdersOf(test.goroutines, test.each)
		if got == nil {
			got = &linearOrders{}
		}
		if len(got.orders) != test.orders || len(got.sequences) != test.sequences {
			t.Errorf("%dx%d: %d orders and %d sequences, want %d and %d", test.goroutines, test.each, len(got.orders), len(got.sequences), test.orders, test.sequences)
		}
	}
}

// What is wrong with an outcome if the calls have an order in time is wrong if they have a useful order that asks for no more. Which outcomes
// are wrong is what the search for an explanation says.
func TestUseful(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	saved := 0
	for _, size := range []linearSize{{goroutines: 2, calls: 1}, {goroutines: 2, calls: 2}, {goroutines: 3, calls: 1}, {alone: 1, goroutines: 2, calls: 2}} {
		orders := linearOrdersOf(size.goroutines, size.calls)
		for _, k := range kinds {
			l := k.subject()
			for range 5 {
				var choice []uint8
				var h *linearHistory
				var same []bool
				for h == nil {
					choice = nil
					for range size.alone + size.goroutines*size.calls {
						choice = append(choice, uint8(r.IntN(len(k.calls))))
					}
					h, same, _ = l.plan(size, nil, choice)
				}
				outcomes := l.outcomes(0, h, orders)
				if outcomes == nil {
					t.Fatal("no outcomes")
				}
				useful := orders.useful(outcomes, orders.stands[0])
				saved += len(orders.orders) - len(useful)
				// An outcome that no sequence gives is wrong in every order.
				for _, order := range orders.orders {
					if !slices.ContainsFunc(useful, func(less int) bool { return orders.orders[less]&^order == 0 }) {
						t.Fatalf("no useful order of %v asks for no more than %b", useful, order)
					}
				}
				wrong := func(order int, outcome linearOutcome) bool {
					_, at := l.orderUseful(0, h, &linearOrders{
						calls: orders.calls, orders: orders.orders[order : order+1], sequences: orders.sequences, allow: orders.allow[order : order+1], stands: slices.Repeat([][]bool{{true}}, 1<<len(same)),
					}, same, []uint8{0})
					if at != 0 {
						t.Fatal("another order")
					}
					for i := range h.ops {
						h.ops[i].returned, h.ops[i].result = true, outcome.ops[i].result
					}
					e, _ := l.check(0, h)
					if explained := orders.explained(h, outcomes, order); explained != e.found {
						t.Fatalf("explained by what is known: %t, by a search: %t\n%s", explained, e.found, l.bars(h, l.texts(h)))
					}
					return !e.found
				}
				for _, outcome := range outcomes {
					for order := range orders.orders {
						if !wrong(order, outcome) {
							continue
						}
						if !slices.ContainsFunc(useful, func(less int) bool {
							return orders.orders[less]&^orders.orders[order] == 0 && wrong(less, outcome)
						}) {
							t.Fatalf("no useful order of %v for\n%s", useful, fmt.Sprint(choice))
						}
					}
				}
			}
		}
	}
	if saved == 0 {
		t.Error("all orders are useful")
	}
}
