package order

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Lit is a literal of an Order.
type Lit = sat.Lit

// Result is the answer to a query.
type Result = sat.Result

// The answers. Unknown is only that of an order with a bound.
const (
	Sat     = sat.Sat
	Unsat   = sat.Unsat
	Unknown = sat.Unknown
)

// Order is a set of constraints on the order of events 0 to n-1. It is not
// safe for concurrent use. What it answers is determined by the calls made on
// it.
type Order struct {
	sat    *sat.Solver
	graph  graph
	atoms  map[edge]Lit // by the edge from the lesser to the greater event
	edges  []edge       // by variable: the edge it stands for, if it is true
	fixed  []edge
	linear linearizer

	// How many edges and fixed edges there were at the last Check.
	checked, checkedFixed int
}

// edge is the order of an event before another. An edge from an event to
// itself stands for none.
type edge struct{ from, to int32 }

// NewOrder returns an order of n events without constraints.
func NewOrder(n int) *Order {
	o := &Order{atoms: map[edge]Lit{}}
	o.graph.init(n)
	o.sat = sat.New(theory{o})
	return o
}

// Before returns the literal for event i coming before event j, two different
// events. Before(j, i) is its negation.
func (o *Order) Before(i, j int) Lit {
	if i == j {
		panic(fmt.Sprintf("order: event %d before itself", i))
	}
	if i > j {
		return o.Before(j, i).Not()
	}
	e := edge{int32(i), int32(j)}
	l, ok := o.atoms[e]
	if !ok {
		l = o.sat.NewVar()
		o.sat.Observe(l)
		o.atoms[e] = l
		o.edges = append(o.edges, e)
	}
	return l
}

// NewSelector returns a new literal that has nothing to do with events. A group of
// clauses each with its negation holds only where it is assumed.
func (o *Order) NewSelector() Lit {
	o.edges = append(o.edges, edge{})
	return o.sat.NewVar()
}

// Add adds the clause: at least one of the literals holds.
func (o *Order) Add(lits ...Lit) { o.sat.Add(lits...) }

// Fix puts event i before event j once and for all.
func (o *Order) Fix(i, j int) {
	e := edge{int32(i), int32(j)}
	o.fixed = append(o.fixed, e)
	if _, cycle := o.graph.insert(e, always); cycle {
		// Outside of Check only edges that must be are in the graph.
		o.sat.Add()
	}
}

// Bound bounds the work of all calls of Check together, in units of the SAT solver, and ends a call when done
// is closed, which may be nil.
func (o *Order) Bound(work int64, done <-chan struct{}) {
	o.sat.SetBudget(work)
	o.sat.SetDone(done)
}

// Check returns whether there is an order in which all clauses and
// assumptions hold.
func (o *Order) Check(assumptions ...Lit) Result {
	o.checked, o.checkedFixed = len(o.edges), len(o.fixed)
	return o.sat.Solve(assumptions...)
}

// Core returns assumptions of the last Check, which answered Unsat, that
// cannot hold together.
func (o *Order) Core() []Lit { return o.sat.Core() }

// Holds returns whether l holds in the order found by the last Check, which
// answered Sat.
func (o *Order) Holds(l Lit) bool { return o.sat.Value(l) }

// theory takes the literals that become true to the graph.
type theory struct{ *Order }

// Assert implements sat.Theory.
func (t theory) Assert(l Lit) []Lit {
	cycle, found := t.graph.insert(t.edge(l), l)
	if !found {
		return nil
	}
	return cycle
}

// Retract implements sat.Theory.
func (t theory) Retract(l Lit) { t.graph.remove(t.edge(l)) }

// Choose implements sat.Theory: it goes by the topological order at hand, so
// that the decision needs no search.
func (t theory) Choose(l Lit) Lit {
	if e := t.edge(l); t.graph.place[e.from] > t.graph.place[e.to] {
		return l.Not()
	}
	return l
}

// edge returns the edge that l stands for.
func (o *Order) edge(l Lit) edge {
	e := o.edges[l.Var()]
	if l.Negated() {
		e.from, e.to = e.to, e.from
	}
	return e
}
