package constraint

import (
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// clauses are the clauses of a temporal constraint. Some hold for every extension of the
// scenario too. Others have a selector, since extending the scenario may lift them.
type clauses struct {
	events
	order *order.Order

	selectors   []order.Lit
	causes      []forest.Cause // of the selectors
	selectorFor map[forest.Cause]order.Lit

	// The clause being built.
	clause []order.Lit
	true   bool // it holds in any order
}

// start begins with the scenario in v.
func (t *clauses) start(v *view) {
	t.events.start(v)
	t.order = order.NewOrder(len(t.list))
	t.selectors, t.causes = t.selectors[:0], t.causes[:0]
	t.selectorFor = map[forest.Cause]order.Lit{}
}

// unless makes the clause being built hold only while extending the scenario has not removed
// c.
func (t *clauses) unless(c forest.Cause) {
	l, ok := t.selectorFor[c]
	if !ok {
		l = t.order.NewSelector()
		t.selectorFor[c] = l
		t.selectors = append(t.selectors, l)
		t.causes = append(t.causes, c)
	}
	t.clause = append(t.clause, l.Not())
}

// unlessLocal makes the clause being built hold only while the receive n takes what it takes
// without interference, if it does now.
func (t *clauses) unlessLocal(n forest.NodeID) {
	if t.v.s.Source(n, 0) == 0 {
		t.unless(forest.Cause{Node: n})
	}
}

// before adds "a before b" to the clause being built.
func (t *clauses) before(a, b forest.NodeID) {
	f := t.v.f
	i, j := t.event(a), t.event(b)
	switch {
	case i == j || f.Before(b, a):
	case f.Before(a, b):
		t.true = true
	default:
		t.clause = append(t.clause, t.order.Before(i, j))
	}
}

// add adds the clause that was built and begins another.
func (t *clauses) add() {
	if !t.true {
		t.order.Add(t.clause...)
	}
	t.clause, t.true = t.clause[:0], false
}
