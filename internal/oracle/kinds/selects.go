package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs in which goroutines are at selects that have channels in common, or each a timer as
// well, or all the same timer, and others come to these channels, or close them, when the timers
// are due.

// selects draws such a program.
func (g *generator) selects() {
	p := g.p
	p.Atoms = 1
	for range 1 + g.IntN(3) {
		p.Chans = append(p.Chans, g.IntN(2))
	}
	n := 2 + g.IntN(2)
	if g.Time {
		if p.Timers = 1 + n; g.Shares || g.Ticks && g.one(2) {
			p.Timers = 1
		}
		if g.Ticks {
			p.Tickers = p.Timers
		}
	}
	g.bodies(n, g.selectsOf)
}

// selectsOf draws a body, of which most are at a select, or come to a channel.
func (g *generator) selectsOf(b int) []oracle.Stmt {
	const most = 2 // units of time
	p := g.p
	units := func() oracle.Expr { return oracle.Expr{Const: 1 + g.IntN(most)} }
	var list []oracle.Stmt
	add := func(s oracle.Stmt) {
		s.Dst = g.IntN(oracle.Locals)
		list = append(list, s)
	}
	timed := func() bool {
		g.timed++
		return g.Time && g.timed <= maxTimed
	}
	meet := func() oracle.Case {
		return oracle.Case{Send: g.one(2), Chan: g.IntN(len(p.Chans)), X: oracle.Expr{Const: b}}
	}
	if g.one(4) {
		add(oracle.Stmt{Op: oracle.Add, X: oracle.Expr{Const: 1}, Show: true})
	}
	for range 1 + g.IntN(2) {
		if g.Shares && g.one(5) {
			add(oracle.Stmt{Op: oracle.Stop, Show: !g.Copies})
			continue
		}
		if g.Ticks {
			list = append(list, g.tick(b%p.Timers)...)
		}
		if g.one(2) {
			if timed() {
				add(oracle.Stmt{Op: oracle.Sleep, X: units()})
			}
			switch c := meet(); {
			case g.one(5):
				add(oracle.Stmt{Op: oracle.Close, Obj: c.Chan})
			case c.Send:
				add(oracle.Stmt{Op: oracle.Send, Obj: c.Chan, X: c.X})
			default:
				add(oracle.Stmt{Op: oracle.Recv, Obj: c.Chan, Show: true})
			}
			continue
		}
		var cases []oracle.Case
		if !g.Ticks && timed() {
			add(oracle.Stmt{Op: oracle.Reset, Obj: b % p.Timers, X: units()})
		}
		if g.Time {
			cases = append(cases, oracle.Case{Timer: true, Chan: b % p.Timers})
		}
		for c := range p.Chans {
			if c == 0 || g.one(2) { // which of two cases on one channel a close chooses is not modelled
				cases = append(cases, oracle.Case{Send: g.one(2), Chan: (c + b) % len(p.Chans), X: oracle.Expr{Const: b}})
			}
		}
		add(oracle.Stmt{Op: oracle.Select, Case: cases, Default: g.one(4), Show: true})
		if g.Copies {
			add(oracle.Stmt{Op: oracle.Add, X: oracle.Expr{Kind: oracle.Local, Index: list[len(list)-1].Dst}})
		}
	}
	return list
}

// tick draws what is done to a ticker, or nothing.
func (g *generator) tick(timer int) []oracle.Stmt {
	r := g.IntN(oracle.Locals)
	switch g.IntN(6) {
	case 0, 1:
		return []oracle.Stmt{{Op: oracle.Reset, Obj: timer, X: oracle.Expr{Const: 1 + g.IntN(2)}, Dst: r}}
	case 2:
		return []oracle.Stmt{{Op: oracle.Fired, Obj: timer, Dst: r, Show: true}}
	case 3:
		return []oracle.Stmt{{Op: oracle.Stop, Obj: timer, Dst: r}}
	}
	return nil
}
