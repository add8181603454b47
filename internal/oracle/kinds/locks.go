package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs in which goroutines contend for a few locks, try to lock them, wait for condition
// variables and for what a sync.Once does, and sometimes meet at a channel in between.

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
	g.bodies(2+g.IntN(2), func(body int) []oracle.Stmt {
		var list []oracle.Stmt
		for range 1 + g.IntN(2) {
			list = append(list, g.contention(body, 0)...)
		}
		return list
	})
}

// contention draws what a body does once, below so many locks.
func (g *generator) contention(body, held int) []oracle.Stmt {
	p := g.p
	dst := g.IntN(oracle.Locals)
	lock := g.IntN(p.Locks)
	if held > 0 {
		lock = p.Locks - 1 // locks are taken in order, or twice
	}
	inside := func() []oracle.Stmt {
		switch k := g.IntN(4); {
		case k == 0 && held == 0:
			return g.contention(body, held+1)
		case k == 1:
			return nil
		case k == 2:
			return []oracle.Stmt{{Op: oracle.Load, Dst: g.IntN(oracle.Locals), Show: true}}
		}
		return []oracle.Stmt{{Op: oracle.Add, X: oracle.Expr{Const: 1}, Dst: g.IntN(oracle.Locals), Show: true}}
	}
	section := func(begin, end oracle.StmtOp, of int) []oracle.Stmt {
		list := append([]oracle.Stmt{{Op: begin, Obj: of}}, inside()...)
		return append(list, oracle.Stmt{Op: end, Obj: of})
	}
	switch k := g.IntN(10); {
	case k <= 1:
		return section(oracle.Lock, oracle.Unlock, lock)
	case k <= 3:
		taken := oracle.Expr{Kind: oracle.Local, Index: dst}
		return []oracle.Stmt{
			{Op: oracle.TryLock, Obj: lock, Dst: dst, Show: true},
			{Op: oracle.If, X: taken, Rel: oracle.Equal, Y: oracle.Expr{Const: 1}, Then: append(inside(), oracle.Stmt{Op: oracle.Unlock, Obj: lock})},
		}
	case k == 4 && p.RWs > 0:
		return section(oracle.RLock, oracle.RUnlock, 0)
	case k == 5 && p.RWs > 0:
		return section(oracle.WLock, oracle.WUnlock, 0)
	case k == 6 && p.Conds > 0 && held == 0:
		at := oracle.Expr{Kind: oracle.Local, Index: dst}
		return []oracle.Stmt{
			{Op: oracle.Lock}, {Op: oracle.Load, Dst: dst},
			{Op: oracle.If, X: at, Rel: oracle.Rel(g.IntN(2)), Then: []oracle.Stmt{{Op: oracle.CondWait}}},
			{Op: oracle.Unlock},
		}
	case k == 7 && p.Conds > 0:
		wake := oracle.Stmt{Op: oracle.Broadcast}
		if g.one(2) {
			wake.Op = oracle.Signal
		}
		return []oracle.Stmt{{Op: oracle.Store, X: oracle.Expr{Const: g.IntN(2)}}, wake}
	case k == 8 && p.Onces > 0 && held == 0:
		return []oracle.Stmt{{Op: oracle.Once, Then: inside()}}
	case k == 9 && len(p.Chans) > 0:
		c := oracle.Case{Send: g.one(2), X: oracle.Expr{Const: body}}
		return []oracle.Stmt{{Op: oracle.Select, Case: []oracle.Case{c}, Default: g.one(2), Dst: dst, Show: true}}
	}
	return []oracle.Stmt{{Op: oracle.Add, X: oracle.Expr{Const: 1}, Dst: dst, Show: true}}
}
