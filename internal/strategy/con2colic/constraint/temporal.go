package constraint

import (
	"context"

	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// A temporal is the temporal constraint TC(I) of figure 5 of the paper: the order of the
// events of a scenario.
//
// Program order and spawns (PO, FC), interferences (WRC_interfere) and the order of a
// channel's elements hold for every extension of the scenario too. The rest can be lifted by
// an extension: that no other write comes between a local read and its write (WRC_local),
// that a lock is not taken while another goroutine holds it for the rest of the scenario
// (LC_2), and that an operation is not blocked, which the simulation finds out.
type temporal struct {
	clauses
	simulation simulation
}

// build makes the constraint of the scenario in v. The orders in blockings are known to be
// impossible.
func (t *temporal) build(v *view, blockings []Blocking) {
	t.start(v)
	t.programOrder()
	for i := range t.groups {
		g := &t.groups[i]
		t.cells(g)
		t.locks(g)
		t.channel(g)
	}
	for i := range blockings {
		t.exclude(&blockings[i])
	}
}

// programOrder adds PO and FC of figure 5.
func (t *temporal) programOrder() {
	f := t.v.f
	for i := range t.v.paths {
		last := int32(-1)
		if p := f.At(f.At(t.v.s.Tips[i]).Start).Parent; p != 0 {
			last = int32(t.event(p))
		}
		for _, id := range t.at[i] {
			if id < 0 {
				continue
			}
			if last >= 0 && last != id {
				t.order.Fix(int(last), int(id))
			}
			last = id
		}
	}
}

// exclude adds the clause that b does not block its operation.
func (t *temporal) exclude(b *Blocking) {
	for _, c := range b.Causes {
		t.unless(c)
	}
	for _, n := range b.Before {
		if t.event(n) >= 0 {
			t.before(b.Blocked, n)
		}
	}
	for _, n := range b.After {
		if t.event(n) >= 0 {
			t.before(n, b.Blocked)
		}
	}
	for _, p := range b.flips {
		t.before(p.second, p.first)
	}
	t.add()
}

// maxOrders bounds the orders of one scenario's events that are tried until one
// blocks no operation.
const maxOrders = 200

// solve looks for an order. If there is none, causes holds the local reads and the
// operations that cannot be ordered together. known is false if there may be an order
// though none was found, because of maxOrders or the end of ctx.
func (t *temporal) solve(ctx context.Context) (o *Order, causes []forest.Cause, known bool) {
	for range maxOrders {
		if ctx.Err() != nil {
			break
		}
		if t.order.Check(t.selectors...) != order.Sat {
			for _, l := range t.order.Core() {
				for i, s := range t.selectors {
					if s == l {
						causes = append(causes, t.causes[i])
					}
				}
			}
			return nil, causes, true
		}
		linear := t.order.Linear(nil)
		b, blocked := t.simulation.run(&t.events, linear)
		if !blocked {
			o := &Order{Wakes: t.simulation.wakes}
			for _, id := range linear {
				o.Events = append(o.Events, t.list[id])
			}
			return o, nil, true
		}
		t.exclude(&b)
	}
	return nil, nil, false
}
