package oracle

// Programs in which goroutines contend for a few locks, try to lock them, wait for condition variables and for what a sync.Once does, and sometimes meet at a channel in
// between.

// contends draws such a program.
func (g *generator) contends() {
	p := g.p
	p.Locks, p.Atoms = 1+g.IntN(2), 1
	if g.one(2) {
		p.RWs = 1
	}
	if g.one(3) {
		p.Conds = 1
	}
	if g.one(3) {
		p.Onces = 1
	}
	if g.one(3) {
		p.Chans = []int{g.IntN(2)}
	}
	g.bodies(2+g.IntN(2), func(body int) []Stmt {
		var list []Stmt
		for range 1 + g.IntN(2) {
			list = append(list, g.contention(body, 0)...)
		}
		return list
	})
}

// contention draws what a body does once, below so many locks.
func (g *generator) contention(body, held int) []Stmt {
	p := g.p
	dst := g.IntN(Locals)
	lock := g.IntN(p.Locks)
	if held > 0 {
		lock = p.Locks - 1 // locks are taken in order, or twice
	}
	inside := func() []Stmt {
		switch k := g.IntN(4); {
		case k == 0 && held == 0:
			return g.contention(body, held+1)
		case k == 1:
			return nil
		case k == 2:
			return []Stmt{{Op: Load, Dst: g.IntN(Locals), Show: true}}
		}
		return []Stmt{{Op: Add, X: Expr{Const: 1}, Dst: g.IntN(Locals), Show: true}}
	}
	section := func(begin, end StmtOp, of int) []Stmt {
		list := append([]Stmt{{Op: begin, Obj: of}}, inside()...)
		return append(list, Stmt{Op: end, Obj: of})
	}
	switch k := g.IntN(10); {
	case k <= 1:
		return section(Lock, Unlock, lock)
	case k <= 3:
		taken := Expr{Kind: Local, Index: dst}
		return []Stmt{
			{Op: TryLock, Obj: lock, Dst: dst, Show: true},
			{Op: If, X: taken, Rel: Equal, Y: Expr{Const: 1}, Then: append(inside(), Stmt{Op: Unlock, Obj: lock})},
		}
	case k == 4 && p.RWs > 0:
		return section(RLock, RUnlock, 0)
	case k == 5 && p.RWs > 0:
		return section(WLock, WUnlock, 0)
	case k == 6 && p.Conds > 0 && held == 0:
		at := Expr{Kind: Local, Index: dst}
		return []Stmt{
			{Op: Lock}, {Op: Load, Dst: dst},
			{Op: If, X: at, Rel: Rel(g.IntN(2)), Then: []Stmt{{Op: CondWait}}},
			{Op: Unlock},
		}
	case k == 7 && p.Conds > 0:
		wake := Stmt{Op: Broadcast}
		if g.one(2) {
			wake.Op = Signal
		}
		return []Stmt{{Op: Store, X: Expr{Const: g.IntN(2)}}, wake}
	case k == 8 && p.Onces > 0 && held == 0:
		return []Stmt{{Op: Once, Then: inside()}}
	case k == 9 && len(p.Chans) > 0:
		c := Case{Send: g.one(2), X: Expr{Const: body}}
		return []Stmt{{Op: Select, Case: []Case{c}, Default: g.one(2), Dst: dst, Show: true}}
	}
	return []Stmt{{Op: Add, X: Expr{Const: 1}, Dst: dst, Show: true}}
}
