package oracle

import "slices"

// A Family is a family of dense programs: few goroutines, of which each does a few things of one kind, to the same few objects.
type Family uint8

// The families.
const (
	NoFamily   Family = iota
	Recoveries        // panics that are recovered, deferred calls and goroutines that exit
	Spins             // loops that wait for an atomic variable, a lock or a channel
	Elements          // elements of an array at indices that depend on inputs, or on what others have done
	Bits              // the operations of atomic variables, which often decide who accesses a variable
	Readers           // a read-write mutex, which is often tried
	Lengths           // the number of values in channels, which decides who receives
	Groups            // a wait group that is used again, while others may wait
	Alarms            // calls of time.AfterFunc, whose timers are stopped and reset
	Tables            // a sync.Map
	Conditions        // condition variables that are waited for in loops, and often signalled by timers
)

// dense draws a program of a family.
func (g *generator) dense() {
	for {
		*g.p = Program{Seed: g.p.Seed, Mode: g.p.Mode, Stall: g.p.Stall, Parks: g.p.Parks}
		g.timed = 0
		if g.family(); g.p.number() <= maxStatements {
			return
		}
	}
}

// family draws a program of the family, which may have too many statements.
func (g *generator) family() {
	p := g.p
	p.Locks, p.Atoms = 1, 1
	if g.Family == Elements || g.one(3) {
		p.Inputs = []Input{{Name: "a", Type: []string{"int", "uint8", "int16"}[g.IntN(3)], Size: 2 + g.IntN(2)}}
	}
	switch g.Family {
	case Recoveries:
		p.Chans = []int{g.IntN(2), g.IntN(2)}[:1+g.IntN(2)]
		p.Onces = g.IntN(2)
	case Spins:
		p.Atoms = 2
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
	case Elements:
		p.Elements, p.Plains = true, 2<<g.IntN(2)
		if g.one(4) {
			p.Inputs = append(p.Inputs, Input{Name: "b", Type: "int", Size: 2})
		}
	case Bits:
		p.Atoms = 1 + g.IntN(2)
		if p.Mode == Racy {
			p.Plains = 1
		}
	case Readers:
		p.RWs = 1
		if p.Mode == Racy && g.one(2) {
			p.Plains = 1
		}
	case Lengths:
		p.Chans = []int{1 + g.IntN(2), g.IntN(3)}[:1+g.IntN(2)]
	case Groups:
		p.Reused = true
	case Tables:
		p.Tabled, p.Atoms = true, 1+g.IntN(2)
	case Alarms:
		p.Alarms = 1
		if g.one(3) {
			p.Chans = []int{g.IntN(2)}
		}
	case Conditions:
		p.Conds = 1
	}
	n := 2 + g.IntN(2)
	switch {
	case g.Family == Alarms:
		n -= g.IntN(2)
	case g.Family == Spins, g.Family == Elements, g.Family == Recoveries && g.one(2):
		n = 2
	}
	p.Bodies, g.reset = make([][]Stmt, 1+n), false
	if g.Copies {
		p.Copies = n
	}
	joined := g.Copies || !g.one(3)
	goes := joined && !g.Copies && g.Family != Alarms && g.Family != Recoveries && g.one(3)
	for b := range p.Bodies {
		if b > 1 && g.Copies {
			p.Bodies[b] = p.Bodies[1]
			continue
		}
		var list []Stmt
		g.body = b
		if b > 0 || g.one(2) {
			for k := range 1 + g.IntN(2) {
				if k > 0 && g.Family == Elements {
					break // there are too many states
				}
				list = append(list, g.piece(0)...)
			}
		}
		if b > 0 && g.Copies {
			silence(list)
		}
		if b > 0 {
			if joined {
				done := Stmt{Op: GroupDone, Implied: goes}
				if g.Family == Recoveries {
					list = []Stmt{{Op: Ensure, Then: list, Else: []Stmt{done}}}
				} else {
					list = append(list, done)
				}
			}
			p.Bodies[b] = list
			continue
		}
		var first []Stmt
		if joined && !goes {
			first = append(first, Stmt{Op: GroupAdd, X: Expr{Const: n}})
		}
		for other := 1; other <= n; other++ {
			spawn := Stmt{Op: Spawn, Obj: other}
			if goes {
				first = append(first, Stmt{Op: GroupAdd, X: Expr{Const: 1}, Implied: true})
				spawn.Y = Expr{Const: 1}
			}
			first = append(first, spawn)
		}
		list = append(first, list...)
		if joined {
			list = append(list, Stmt{Op: GroupWait})
			for i := range p.Atoms {
				list = append(list, Stmt{Op: Load, Obj: i, Show: true})
			}
			for i := range p.Plains {
				list = append(list, Stmt{Op: Get, Obj: i, Show: true})
			}
		}
		p.Bodies[b] = list
	}
	p.Groups = 2
	if g.Family == Alarms {
		g.alarm()
	}
}

// alarm adds what an alarm does, which shows nothing, since it may do it twice.
func (g *generator) alarm() {
	p := g.p
	var list []Stmt
	for range 1 + g.IntN(2) {
		s := g.atomically(0, g.IntN(Locals))
		if len(p.Chans) > 0 && g.one(3) {
			s = Stmt{Op: Send, X: g.operand()}
		}
		list = append(list, s)
	}
	silence(list)
	p.Bodies[0] = insert(p.Bodies[0], 0, Stmt{Op: After, Obj: len(p.Bodies), X: Expr{Const: 1 + g.IntN(2)}})
	p.Bodies = append(p.Bodies, list, list)
}

// alarming draws something that is done to the alarm, or when it may come.
func (g *generator) alarming(depth int) []Stmt {
	p, r := g.p, g.IntN(Locals)
	b := len(p.Bodies)
	switch g.IntN(7) {
	case 0, 1:
		if g.timed++; g.timed <= maxTimed {
			return []Stmt{{Op: Sleep, X: Expr{Const: 1 + g.IntN(2)}}}
		}
	case 2, 3:
		s := []Stmt{{Op: StopCall, Obj: b, Dst: r, Show: true}}
		if depth == 0 && g.one(2) {
			s = append(s, g.decide(r, g.alarming(1))...)
		}
		return s
	case 4:
		if !g.reset {
			g.reset = true
			return []Stmt{{Op: ResetCall, Obj: b, X: Expr{Const: g.IntN(3)}, Dst: r, Show: true}}
		}
	case 5:
		if len(p.Chans) > 0 {
			c := Case{Send: g.one(3), X: g.operand(), Dst: r}
			return []Stmt{{Op: Select, Case: []Case{c}, Default: g.one(3), Dst: g.IntN(Locals), Show: true}}
		}
	}
	return []Stmt{g.atomically(0, r)}
}

// regrouping draws a use of a wait group that others use.
func (g *generator) regrouping() []Stmt {
	r := g.IntN(Locals)
	switch g.IntN(7) {
	case 0:
		return []Stmt{{Op: GroupAdd, Obj: 1, X: Expr{Const: 1 + g.IntN(2)}}, g.atomically(0, r), {Op: GroupDone, Obj: 1}}
	case 1:
		return []Stmt{{Op: GroupAdd, Obj: 1, X: Expr{Const: 1}}}
	case 2:
		return []Stmt{{Op: Try, Dst: r, Then: []Stmt{{Op: GroupDone, Obj: 1}}, Show: true}}
	case 3:
		return []Stmt{{Op: GroupWait, Obj: 1}, g.atomically(0, r)}
	case 4:
		return []Stmt{{Op: Lock}, {Op: Load, Dst: r}, {Op: If, X: localOf(r), Then: []Stmt{{Op: Store, X: Expr{Const: 1}}, {Op: GroupAdd, Obj: 1, X: Expr{Const: 1}}}, Else: []Stmt{{Op: GroupDone, Obj: 1}}}, {Op: Unlock}}
	case 5:
		return []Stmt{{Op: GroupDone, Obj: 1}}
	}
	return []Stmt{g.atomically(0, r)}
}

// piece draws a few statements that belong together, below so many others.
func (g *generator) piece(depth int) []Stmt {
	switch g.Family {
	case Recoveries:
		return g.recovery(depth)
	case Spins:
		return g.spin()
	case Elements:
		return g.elements(depth)
	case Bits:
		return g.bits(depth)
	case Readers:
		return g.reading(depth)
	case Lengths:
		return g.lengths(depth)
	case Groups:
		return g.regrouping()
	case Alarms:
		return g.alarming(depth)
	case Tables:
		return g.bits(depth)
	default:
		return g.awaiting()
	}
}

// localOf returns an expression for a local variable.
func localOf(i int) Expr { return Expr{Kind: Local, Index: i} }

// decide draws an If on a local variable, or on an input.
func (g *generator) decide(r int, then []Stmt) []Stmt {
	x := localOf(r)
	if len(g.p.Inputs) > 0 && g.one(3) {
		x = Expr{Kind: Arg, Index: g.IntN(len(g.p.Inputs))}
	}
	return []Stmt{{Op: If, X: x, Rel: Rel(g.IntN(2)), Y: Expr{Const: g.IntN(2)}, Then: then}}
}

// operand draws one.
func (g *generator) operand() Expr {
	if len(g.p.Inputs) > 0 && g.one(3) {
		return Expr{Kind: Arg, Index: g.IntN(len(g.p.Inputs))}
	}
	return Expr{Const: g.IntN(3)}
}

// atomically draws an operation of an atomic variable.
func (g *generator) atomically(obj, dst int) Stmt {
	ops := []StmtOp{Load, Store, Swap, Exchange, Add, Add, And, Or}
	if g.p.Tabled {
		ops = ops[:4]
	}
	s := Stmt{Op: ops[g.IntN(len(ops))], Obj: obj, Dst: dst, X: g.operand()}
	switch s.Op {
	case Swap:
		s.Y = g.operand()
	case Add:
		s.X.Const++
		s.Unread = g.one(4)
	case And, Or:
		s.X = Expr{Const: g.IntN(4)}
	}
	s.Show = s.Op != Store && !s.Unread && !g.one(3)
	return s
}

// recovery draws what may panic, and be recovered.
func (g *generator) recovery(depth int) []Stmt {
	p, r := g.p, g.IntN(Locals)
	inside := func() []Stmt {
		var list []Stmt
		for range 1 + g.IntN(2) {
			list = append(list, g.risk(depth)...)
		}
		return list
	}
	switch k := g.IntN(8); {
	case k <= 2:
		return append([]Stmt{{Op: Try, Dst: r, Then: inside(), Show: true}}, g.after(r, depth)...)
	case k == 3:
		in := []Stmt{{Op: Lock}, {Op: Ensure, Then: inside(), Else: []Stmt{{Op: Unlock}}}}
		if g.one(3) {
			return in
		}
		return append([]Stmt{{Op: Try, Dst: r, Then: in, Show: true}}, g.after(r, depth)...)
	case k == 4 && p.Onces > 0:
		return append([]Stmt{{Op: Try, Dst: r, Then: []Stmt{{Op: Once, Then: inside()}}, Show: true}}, g.after(r, depth)...)
	case k == 5:
		return []Stmt{{Op: Ensure, Then: inside(), Else: []Stmt{{Op: Add, X: Expr{Const: 1}, Dst: r, Show: true}}}}
	}
	return inside()
}

// after draws what a body does when it knows whether it has recovered.
func (g *generator) after(r, depth int) []Stmt {
	if depth > 1 || g.one(2) {
		return nil
	}
	return g.decide(r, g.recovery(depth+1))
}

// risk draws something that may panic.
func (g *generator) risk(depth int) []Stmt {
	p := g.p
	r, ch := g.IntN(Locals), g.IntN(len(p.Chans))
	switch g.IntN(11) {
	case 0, 1:
		return []Stmt{{Op: Close, Obj: ch}}
	case 2, 3:
		return []Stmt{{Op: Send, Obj: ch, X: g.operand()}}
	case 4:
		return []Stmt{{Op: Recv, Obj: ch, Dst: r, Show: true}}
	case 5:
		return []Stmt{{Op: GroupDone, Obj: 1}}
	case 6:
		return []Stmt{{Op: GroupAdd, Obj: 1, X: Expr{Const: 1}}}
	case 7:
		if g.body > 0 && g.one(2) {
			return g.decide(r, []Stmt{{Op: Exit}})
		}
		return g.decide(r, []Stmt{{Op: Panic}})
	case 8:
		c := Case{Send: !g.one(3), Chan: ch, X: g.operand(), Dst: r}
		return []Stmt{{Op: Select, Case: []Case{c}, Default: g.one(2), Dst: (r + 1) % Locals, Show: true}}
	case 9:
		if depth < 2 {
			return g.recovery(depth + 1)
		}
	}
	return []Stmt{g.atomically(0, r)}
}

// spin draws a loop that waits, and what comes after it. What is in a loop shows nothing, so that there are few states.
func (g *generator) spin() []Stmt {
	p, r := g.p, g.IntN(Locals)
	again := func(s Stmt, rel Rel, y int) []Stmt {
		s.Dst, s.Show = r, false
		then := []Stmt{s}
		if g.one(2) {
			then = insert(then, 0, Stmt{Op: Yield})
		}
		return []Stmt{s, {Op: While, X: localOf(r), Rel: rel, Y: Expr{Const: y}, Then: then}}
	}
	inside := func() []Stmt {
		if g.one(3) {
			return nil
		}
		return []Stmt{g.atomically(1, g.IntN(Locals))}
	}
	switch k := g.IntN(9); {
	case k <= 1: // a lock
		list := append(again(Stmt{Op: Swap, Y: Expr{Const: 1}}, Equal, 0), inside()...)
		if g.one(3) {
			return append(list, Stmt{Op: Exchange, Dst: g.IntN(Locals), Show: true})
		}
		return append(list, Stmt{Op: Store})
	case k == 2: // an update
		v := (r + 1) % Locals
		list := again(Stmt{Op: Swap, Obj: 1, X: localOf(v), Y: Expr{Kind: Local, Index: v, Const: 1}}, Equal, 0)
		list = insert(list, 0, Stmt{Op: Load, Obj: 1, Dst: v})
		list[2].Then = insert(list[2].Then, 0, Stmt{Op: Load, Obj: 1, Dst: v})
		return list
	case k <= 4:
		list := append(again(Stmt{Op: TryLock}, Equal, 0), inside()...)
		return append(list, Stmt{Op: Unlock})
	case k == 5 && len(p.Chans) > 0:
		c := Case{Send: g.one(2), X: g.operand(), Dst: (r + 1) % Locals}
		return again(Stmt{Op: Select, Case: []Case{c}, Default: true}, Equal, 1)
	case k == 6:
		return append(again(Stmt{Op: Load, Obj: g.IntN(2)}, Rel(g.IntN(3)), g.IntN(2)), inside()...)
	case k == 7 && len(p.Chans) > 0:
		if g.one(3) {
			return []Stmt{{Op: Close}}
		}
		return []Stmt{{Op: Send, X: g.operand()}}
	}
	return []Stmt{g.atomically(g.IntN(2), r)}
}

// elements draws accesses to elements.
func (g *generator) elements(depth int) []Stmt {
	p, r := g.p, g.IntN(Locals)
	index := func() Expr {
		switch g.IntN(4) {
		case 0:
			return Expr{Const: g.IntN(p.Plains)}
		case 1:
			return localOf(g.IntN(Locals))
		}
		return Expr{Kind: Arg, Index: g.IntN(len(p.Inputs)), Const: g.IntN(2)}
	}
	value := func() Expr {
		if g.one(2) {
			return localOf(g.IntN(Locals))
		}
		return Expr{Const: 1 + g.IntN(2)}
	}
	var list []Stmt
	for range 1 + g.IntN(2) {
		if g.one(2) {
			list = append(list, Stmt{Op: SetAt, X: index(), Y: value()})
		} else {
			list = append(list, Stmt{Op: GetAt, X: index(), Dst: r, Show: !g.one(3)})
		}
	}
	if depth == 0 && g.one(2) {
		list = append(list, g.decide(r, g.elements(1))...)
	}
	if depth == 0 && (p.Mode == Guarded || g.one(3)) {
		if g.one(4) {
			taken := g.IntN(Locals)
			list = append(list, Stmt{Op: Unlock})
			return []Stmt{{Op: TryLock, Dst: taken, Show: true}, {Op: If, X: localOf(taken), Y: Expr{Const: 1}, Then: list}}
		}
		list = slices.Concat([]Stmt{{Op: Lock}}, list, []Stmt{{Op: Unlock}})
	}
	if depth == 0 && g.one(4) {
		list = append(list, g.atomically(0, g.IntN(Locals)))
	}
	return list
}

// bits draws operations of atomic variables, and what they decide.
func (g *generator) bits(depth int) []Stmt {
	p, r := g.p, g.IntN(Locals)
	list := []Stmt{g.atomically(g.IntN(p.Atoms), r)}
	if depth > 1 || g.one(2) {
		return list
	}
	then := g.bits(depth + 1)
	if p.Plains > 0 && !g.one(3) {
		then = []Stmt{{Op: Set, X: g.operand()}}
		if g.one(2) {
			then[0] = Stmt{Op: Get, Dst: g.IntN(Locals), Show: true}
		}
		if g.one(2) {
			then = append(then, g.atomically(g.IntN(p.Atoms), g.IntN(Locals)))
		}
	}
	return append(list, g.decide(r, then)...)
}

// reading draws a section of a read-write mutex.
func (g *generator) reading(depth int) []Stmt {
	p, r := g.p, g.IntN(Locals)
	inside := func(write bool) []Stmt {
		switch k := g.IntN(5); {
		case k == 0:
			return nil
		case k == 1 && depth == 0:
			return g.reading(1)
		case k == 2 && p.Plains > 0 && write:
			return []Stmt{{Op: Set, X: g.operand()}}
		case k == 3 && p.Plains > 0:
			return []Stmt{{Op: Get, Dst: r, Show: true}}
		}
		return []Stmt{g.atomically(0, g.IntN(Locals))}
	}
	try := func(op, unlock StmtOp) []Stmt {
		list := append(inside(op == TryWLock), Stmt{Op: unlock})
		return []Stmt{{Op: op, Dst: r, Show: true}, {Op: If, X: localOf(r), Y: Expr{Const: 1}, Then: list, Else: inside(false)}}
	}
	switch g.IntN(6) {
	case 0, 1:
		return try(TryRLock, RUnlock)
	case 2:
		return try(TryWLock, WUnlock)
	case 3:
		return slices.Concat([]Stmt{{Op: RLock}}, inside(false), []Stmt{{Op: RUnlock}})
	case 4:
		return slices.Concat([]Stmt{{Op: WLock}}, inside(true), []Stmt{{Op: WUnlock}})
	}
	return inside(false)
}

// lengths draws something that is done to a channel, often if there is a value in it.
func (g *generator) lengths(depth int) []Stmt {
	p := g.p
	r, ch := g.IntN(Locals), g.IntN(len(p.Chans))
	act := func() []Stmt {
		switch g.IntN(8) {
		case 0, 1:
			return []Stmt{{Op: Recv, Obj: ch, Dst: g.IntN(Locals), Show: true}}
		case 2:
			c := Case{Send: g.one(2), Chan: g.IntN(len(p.Chans)), X: g.operand(), Dst: r}
			return []Stmt{{Op: Select, Case: []Case{c}, Default: !g.one(3), Dst: g.IntN(Locals), Show: true}}
		case 3:
			if g.body == 0 && depth == 0 {
				return []Stmt{{Op: Close, Obj: ch}}
			}
		case 4:
			return []Stmt{g.atomically(0, g.IntN(Locals))}
		}
		return []Stmt{{Op: Send, Obj: ch, X: g.operand()}}
	}
	if g.one(3) {
		return act()
	}
	list := []Stmt{{Op: Len, Obj: ch, Dst: r, Show: g.one(2)}}
	if g.one(5) {
		return list
	}
	then := act()
	if depth == 0 && g.one(3) {
		then = append(then, g.lengths(1)...)
	}
	return append(list, g.decide(r, then)...)
}

// awaiting draws how a condition is waited for, or who makes it hold.
func (g *generator) awaiting() []Stmt {
	r := g.IntN(Locals)
	wake := Stmt{Op: Broadcast}
	if g.one(2) {
		wake.Op = Signal
	}
	if g.Time && g.one(3) {
		if g.timed++; g.timed <= maxTimed {
			return append([]Stmt{{Op: Sleep, X: Expr{Const: 1 + g.IntN(2)}}}, g.awaiting()...)
		}
	}
	change := g.atomically(0, g.IntN(Locals))
	switch g.IntN(6) {
	case 0, 1, 2:
		wait := []Stmt{{Op: CondWait}, {Op: Load, Dst: r}}
		list := []Stmt{{Op: Lock}, {Op: Load, Dst: r}, {Op: While, X: localOf(r), Rel: Rel(g.IntN(3)), Y: Expr{Const: g.IntN(2)}, Then: wait}}
		if g.one(2) {
			list = append(list, change)
		}
		if g.one(3) {
			list = append(list, wake)
		}
		return append(list, Stmt{Op: Unlock})
	case 3:
		return []Stmt{{Op: Lock}, change, wake, {Op: Unlock}}
	case 4:
		return []Stmt{{Op: Lock}, change, {Op: Unlock}, wake}
	}
	return []Stmt{change, wake}
}
