package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs in which goroutines look, in a select with a default case, whether a timer has fired,
// after they have waited as long as the timer takes, or nearly: they have slept, waited for another
// timer, or learned from somebody who has.

// polls draws such a program.
func (g *generator) polls() {
	p := g.p
	p.Timers, p.Atoms = 1+g.IntN(2), 1
	if g.one(2) {
		p.Chans = []int{g.IntN(2)}
	}
	n := g.IntN(3) // a default has to wait for a timer only where nobody else is left
	g.bodies(n, g.pollsOf)
}

// pollsOf draws a body, of which most set a timer, wait, and look at it.
func (g *generator) pollsOf(b int) []oracle.Stmt {
	const most = 2 // units of time
	p := g.p
	timer := g.IntN(p.Timers)
	units := func() oracle.Expr { return oracle.Expr{Const: 1 + g.IntN(most)} }
	var list []oracle.Stmt
	add := func(s oracle.Stmt) {
		if s.Op == oracle.Sleep || s.Op == oracle.Reset {
			if g.timed++; g.timed > maxTimed {
				return
			}
		}
		s.Dst = g.IntN(oracle.Locals)
		list = append(list, s)
	}
	if !g.one(4) {
		add(oracle.Stmt{Op: oracle.Reset, Obj: timer, X: units()})
	}
	wait := func() {
		other := g.IntN(p.Timers)
		switch k := g.IntN(6); {
		case k == 0 && other != timer:
			add(oracle.Stmt{Op: oracle.Reset, Obj: other, X: units()})
			add(oracle.Stmt{Op: oracle.Fired, Obj: other})
		case k == 1 && len(p.Chans) > 0:
			add(oracle.Stmt{Op: oracle.Recv, Show: true})
		case k == 2 && len(p.Chans) > 0:
			add(oracle.Stmt{Op: oracle.Send, X: oracle.Expr{Const: b}})
		case k == 3:
			add(oracle.Stmt{Op: oracle.Add, X: oracle.Expr{Const: 1}, Show: true})
		default:
			add(oracle.Stmt{Op: oracle.Sleep, X: units()})
		}
	}
	for range 1 + g.IntN(2) {
		wait()
	}
	for range 1 + g.IntN(2) {
		cases := []oracle.Case{{Timer: true, Chan: timer}}
		if len(p.Chans) > 0 && g.one(3) {
			cases = append(cases, oracle.Case{Send: g.one(2), X: oracle.Expr{Const: b}})
		}
		add(oracle.Stmt{Op: oracle.Select, Case: cases, Default: !g.one(6), Show: true})
		switch {
		case g.one(3):
			wait()
		case g.one(4):
			add(oracle.Stmt{Op: oracle.Stop, Obj: timer, Show: true})
		}
	}
	return list
}
