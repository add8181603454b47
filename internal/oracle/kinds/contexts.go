package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs with a tree of contexts. The target makes most of them; other goroutines cancel them,
// wait for them, ask why they are cancelled, and make children of their own meanwhile, or functions
// that are to be called, which they may withdraw.

// Bounds of the contexts of a program: all, and those that the target makes for others.
const (
	maxContexts = 4
	maxShared   = 3
)

// A descent is what has been drawn of a tree of contexts.
type descent struct {
	known []int // the contexts that the body knows, in the order in which they were made
	calls []int // the functions that it may withdraw
	// shared is the number of those of both that the target has made for others.
	shared struct{ known, calls int }
	later  [][]oracle.Stmt // the bodies of functions and timers, which come after the goroutines
}

// descending draws a body that uses contexts.
func (g *generator) descending() []oracle.Stmt {
	g.known, g.calls = g.known[:g.shared.known], g.calls[:g.shared.calls]
	var list []oracle.Stmt
	for range 1 + g.IntN(3) {
		list = append(list, g.cancelling(0)...)
	}
	if g.body == 0 && g.one(2) {
		list = append(list, g.cancel(g.known[0]))
	}
	return list
}

// descend draws the contexts that the target makes for others, and returns the statements that make them.
func (g *generator) descend() (list []oracle.Stmt) {
	for range 1 + g.IntN(maxShared) {
		list = append(list, g.derive()...)
	}
	g.shared.known, g.shared.calls = len(g.known), len(g.calls)
	return list
}

// derive draws a context, unless there are too many already, and returns the statement that makes it.
func (g *generator) derive() []oracle.Stmt {
	p := g.p
	k := len(p.Contexts)
	if k == maxContexts {
		return nil
	}
	c := oracle.Context{Parent: oracle.NoParent, Kind: oracle.ContextKind(g.IntN(2))}
	if n := len(g.known); n > 0 && !g.one(5) {
		c.Parent = g.known[g.IntN(n)]
	}
	switch body := len(p.Bodies) + len(g.later); {
	case body == oracle.MaxBodies:
	case g.Time && !g.one(3):
		c.Kind, c.Units, c.Body = oracle.Expires, 1+g.IntN(2), body
		g.later = append(g.later, []oracle.Stmt{{Op: oracle.Expire, Obj: k, Implied: true}})
	case c.Parent != oracle.NoParent && g.one(3):
		c.Kind, c.Body = oracle.Calls, body
		list := g.cancelling(1)
		silence(list) // it may go on when the target is done
		g.later = append(g.later, list)
	}
	if c.Kind == oracle.Calls {
		g.calls = append(g.calls, k)
	} else {
		g.known = append(g.known, k)
	}
	p.Contexts, p.Chans = append(p.Contexts, c), append(p.Chans, 0)
	return []oracle.Stmt{{Op: oracle.Derive, Obj: k}}
}

// cancel draws how a context is cancelled.
func (g *generator) cancel(k int) oracle.Stmt {
	s := oracle.Stmt{Op: oracle.CancelContext, Obj: k}
	if g.p.Contexts[k].Kind == oracle.Causes {
		s.X.Const = g.IntN(3)
	}
	return s
}

// cancelling draws a use of the contexts that the body knows, below so many others.
func (g *generator) cancelling(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	k := g.known[g.IntN(len(g.known))]
	own := len(p.Chans) - len(p.Contexts)
	switch n := g.IntN(14); {
	case n <= 2:
		return []oracle.Stmt{g.cancel(k)}
	case n == 3:
		return g.perhapsThen(oracle.Stmt{Op: oracle.ErrOf, Obj: k, Dst: r, Show: true}, depth)
	case n == 4:
		return g.perhapsThen(oracle.Stmt{Op: oracle.CauseOf, Obj: k, Dst: r, Show: true}, depth)
	case n <= 7:
		s := oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{{Chan: p.Done(k), Dst: r}}, Default: g.one(3), Dst: (r + 1) % oracle.Locals, Show: true}
		if other := g.known[g.IntN(len(g.known))]; other != k && g.one(2) {
			s.Case = append(s.Case, oracle.Case{Chan: p.Done(other), Dst: r})
		}
		if own > 0 && g.one(2) {
			s.Case = append(s.Case, oracle.Case{Send: g.one(2), Chan: 0, X: g.operand(), Dst: r})
		}
		return g.perhapsThen(s, depth)
	case n == 8:
		return append([]oracle.Stmt{{Op: oracle.Recv, Obj: p.Done(k), Dst: r}}, g.cancelling(depth+1)...)
	case n == 9 && depth == 0 && !g.Copies:
		if list := g.derive(); list != nil {
			return append(list, g.cancelling(1)...)
		}
	case n == 10 && len(g.calls) > 0:
		return g.perhapsThen(oracle.Stmt{Op: oracle.Withdraw, Obj: g.calls[g.IntN(len(g.calls))], Dst: r, Show: true}, depth)
	case n == 11 && g.Time:
		if g.timed++; g.timed <= maxTimed {
			return []oracle.Stmt{{Op: oracle.Sleep, X: oracle.Expr{Const: 1 + g.IntN(2)}}}
		}
	case n == 11 && p.Plains > 0:
		if g.one(2) {
			return []oracle.Stmt{{Op: oracle.Set, X: g.operand()}}
		}
		return []oracle.Stmt{{Op: oracle.Get, Dst: r, Show: true}}
	case n == 13 && p.Bubble && g.body == 0:
		return []oracle.Stmt{{Op: oracle.Settle}}
	case n == 12 && own > 0:
		if g.one(2) {
			return []oracle.Stmt{{Op: oracle.Send, X: g.operand()}}
		}
		return g.perhapsThen(oracle.Stmt{Op: oracle.Recv, Dst: r, Show: true}, depth)
	}
	return []oracle.Stmt{g.atomically(0, r)}
}
