package oracle

// Programs in which goroutines look, in a select with a default case, whether a timer has fired, after they have waited as long as the timer takes, or nearly:
// they have slept, waited for another timer, or learned from somebody who has.

// Or they wait for a timer or a channel, of which others come to the channel when the timer is due: Config.Timeouts.

// polls draws such a program.
func (g *generator) polls() {
	p := g.p
	p.Timers, p.Atoms = 1+g.IntN(2), 1
	if g.one(2) {
		p.Chans = []int{g.IntN(2)}
	}
	n := 1 + g.IntN(2)
	if g.Timeouts {
		p.Chans = []int{g.IntN(2), g.IntN(2)}[:1+g.IntN(2)]
		n = 2 + g.IntN(2)
		p.Timers = 1 + n // one for each: which of several that wait for one gets its value is not modelled in all cases
	}
	p.Bodies = make([][]Stmt, 1+n)
	g.joined = !g.one(3)
	for b := range p.Bodies {
		list := g.pollsOf(b)
		for other := 1; b == 0 && other <= n; other++ {
			list = insert(list, g.IntN(2), Stmt{Op: Spawn, Obj: other})
		}
		if g.joined {
			p.Groups = 1
			if b > 0 {
				list = append(list, Stmt{Op: GroupDone})
			} else {
				list = append(insert(list, 0, Stmt{Op: GroupAdd, X: Expr{Const: n}}), Stmt{Op: GroupWait})
			}
		}
		p.Bodies[b] = list
	}
}

// pollsOf draws a body, of which most set a timer, wait, and look at it.
func (g *generator) pollsOf(b int) []Stmt {
	if g.Timeouts {
		return g.timeoutsOf(b)
	}
	const most = 2 // units of time
	p := g.p
	timer := g.IntN(p.Timers)
	units := func() Expr { return Expr{Const: 1 + g.IntN(most)} }
	var list []Stmt
	add := func(s Stmt) {
		if s.Op == Sleep || s.Op == Reset {
			if g.timed++; g.timed > maxTimed {
				return
			}
		}
		s.Dst = g.IntN(Locals)
		list = append(list, s)
	}
	if !g.one(4) {
		add(Stmt{Op: Reset, Obj: timer, X: units()})
	}
	wait := func() {
		other := g.IntN(p.Timers)
		switch k := g.IntN(6); {
		case k == 0 && other != timer:
			add(Stmt{Op: Reset, Obj: other, X: units()})
			add(Stmt{Op: Fired, Obj: other})
		case k == 1 && len(p.Chans) > 0:
			add(Stmt{Op: Recv, Show: true})
		case k == 2 && len(p.Chans) > 0:
			add(Stmt{Op: Send, X: Expr{Const: b}})
		case k == 3:
			add(Stmt{Op: Add, X: Expr{Const: 1}, Show: true})
		default:
			add(Stmt{Op: Sleep, X: units()})
		}
	}
	for range 1 + g.IntN(2) {
		wait()
	}
	for range 1 + g.IntN(2) {
		cases := []Case{{Timer: true, Chan: timer}}
		if len(p.Chans) > 0 && g.one(3) {
			cases = append(cases, Case{Send: g.one(2), X: Expr{Const: b}})
		}
		add(Stmt{Op: Select, Case: cases, Default: !g.one(6), Show: true})
		switch {
		case g.one(3):
			wait()
		case g.one(4):
			add(Stmt{Op: Stop, Obj: timer, Show: true})
		}
	}
	return list
}

// timeoutsOf draws a body, of which most wait for a timer or a channel, or come to a channel after a time.
func (g *generator) timeoutsOf(b int) []Stmt {
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
		return g.timed <= maxTimed
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
			case g.one(4):
				add(Stmt{Op: Select, Case: []Case{c}, Default: true, Show: true})
			case c.Send:
				add(Stmt{Op: Send, Obj: c.Chan, X: c.X})
			default:
				add(Stmt{Op: Recv, Obj: c.Chan, Show: true})
			}
			continue
		}
		timer := b
		if timed() {
			add(Stmt{Op: Reset, Obj: timer, X: units()})
		}
		cases := []Case{{Timer: true, Chan: timer}, meet()}
		if other := meet(); other.Chan != cases[1].Chan {
			cases = append(cases, other) // which of two cases on one channel a close chooses is not modelled
		}
		add(Stmt{Op: Select, Case: cases, Default: g.one(10), Show: true})
	}
	return list
}
