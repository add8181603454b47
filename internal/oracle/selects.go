package oracle

// Programs in which goroutines are at selects that have channels in common, or each a timer as well, and others come to these channels, or close them, when the timers
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
		p.Timers = 1 + n // one for each: which of several that wait for one gets its value is not modelled in all cases
	}
	g.bodies(n, g.selectsOf)
}

// bodies draws n bodies and the target, which starts them, and often waits for them. If they are copies, it always does, and shows what they have added up.
func (g *generator) bodies(n int, draw func(body int) []Stmt) {
	p := g.p
	p.Bodies = make([][]Stmt, 1+n)
	if g.Copies {
		p.Copies = n
	}
	g.joined = g.Copies || !g.one(3)
	for b := range p.Bodies {
		if b > 1 && g.Copies {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		list := draw(b)
		for other := n; b == 0 && other > 0; other-- {
			at := 0
			if !g.Copies {
				at = g.IntN(2)
			}
			list = insert(list, at, Stmt{Op: Spawn, Obj: other})
		}
		if b > 0 && g.Copies {
			silence(list)
		}
		if g.joined {
			p.Groups = 1
			if b > 0 {
				list = append(list, Stmt{Op: GroupDone})
			} else {
				list = append(insert(list, 0, Stmt{Op: GroupAdd, X: Expr{Const: n}}), Stmt{Op: GroupWait}, Stmt{Op: Load, Show: true})
			}
		}
		p.Bodies[b] = list
	}
}

// selectsOf draws a body, of which most are at a select, or come to a channel.
func (g *generator) selectsOf(b int) []Stmt {
	const most = 2 // units of time
	p := g.p
	units := func() Expr { return Expr{Const: 1 + g.IntN(most)} }
	var list []Stmt
	add := func(s Stmt) {
		s.Dst = g.IntN(Locals)
		list = append(list, s)
	}
	timed := func() bool {
		g.timed++
		return g.Time && g.timed <= maxTimed
	}
	meet := func() Case {
		return Case{Send: g.one(2), Chan: g.IntN(len(p.Chans)), X: Expr{Const: b}}
	}
	if g.one(4) {
		add(Stmt{Op: Add, X: Expr{Const: 1}, Show: true})
	}
	for range 1 + g.IntN(2) {
		if g.one(2) {
			if timed() {
				add(Stmt{Op: Sleep, X: units()})
			}
			switch c := meet(); {
			case g.one(5):
				add(Stmt{Op: Close, Obj: c.Chan})
			case c.Send:
				add(Stmt{Op: Send, Obj: c.Chan, X: c.X})
			default:
				add(Stmt{Op: Recv, Obj: c.Chan, Show: true})
			}
			continue
		}
		var cases []Case
		if timed() {
			add(Stmt{Op: Reset, Obj: b, X: units()})
		}
		if g.Time {
			cases = append(cases, Case{Timer: true, Chan: b})
		}
		for c := range p.Chans {
			if c == 0 || g.one(2) { // which of two cases on one channel a close chooses is not modelled
				cases = append(cases, Case{Send: g.one(2), Chan: (c + b) % len(p.Chans), X: Expr{Const: b}})
			}
		}
		add(Stmt{Op: Select, Case: cases, Default: g.one(4), Show: true})
		if g.Copies {
			add(Stmt{Op: Add, X: Expr{Kind: Local, Index: list[len(list)-1].Dst}})
		}
	}
	return list
}
