package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// Programs whose goroutines make cells, link them, put them where others find them, as on a stack
// without locks, and take them away.

// points gives a program its cells, and has the target look at the first ones at its end.
func (g *generator) points() {
	p := g.p
	p.Cells()
	var list []oracle.Stmt
	for _, s := range p.Bodies[0] {
		if s.Op == oracle.Load && s.Show { // at the end, which goroutines draws
			s.Dst, s.Show = oracle.Ref, false
			list = append(list, s, oracle.Stmt{Op: oracle.GetCell, Show: true})
			continue
		}
		list = append(list, s)
	}
	p.Bodies[0] = list
}

// pointing draws what is done with cells.
func (g *generator) pointing(depth int) []oracle.Stmt {
	p, r := g.p, g.IntN(oracle.Locals)
	obj := g.IntN(p.Atoms)
	ref, mine, none := localOf(oracle.Ref), localOf(oracle.Mine), oracle.Expr{Kind: oracle.Nil}
	fresh := func() []oracle.Stmt {
		if g.made == 2 {
			return nil
		}
		g.made++
		return []oracle.Stmt{{Op: oracle.NewCell, Obj: g.made - 1, X: g.operand()}}
	}
	look := func(list ...oracle.Stmt) []oracle.Stmt {
		return append(list, g.perhapsThen(oracle.Stmt{Op: oracle.GetCell, Dst: r, Show: true}, depth)...)
	}
	load := oracle.Stmt{Op: oracle.Load, Obj: obj, Dst: oracle.Ref}
	swap := func(from, to oracle.Expr) oracle.Stmt {
		return oracle.Stmt{Op: oracle.Swap, Obj: obj, X: from, Y: to, Dst: (r + 1) % oracle.Locals, Show: true}
	}
	switch n := g.IntN(11); {
	case n <= 2: // push
		return append(fresh(), load, oracle.Stmt{Op: oracle.Link}, swap(ref, mine))
	case n <= 4: // pop
		return look(load, oracle.Stmt{Op: oracle.Follow}, swap(ref, mine))
	case n == 5:
		return append(fresh(), oracle.Stmt{Op: oracle.Store, Obj: obj, X: mine})
	case n == 6:
		to := none
		if g.one(2) {
			to = mine
		}
		return look(oracle.Stmt{Op: oracle.Exchange, Obj: obj, X: to, Dst: oracle.Ref})
	case n == 7:
		return append(fresh(), swap(none, mine))
	case n == 8 && len(p.Chans) > 0:
		if g.one(2) {
			return append(fresh(), oracle.Stmt{Op: oracle.Send, X: mine})
		}
		return look(oracle.Stmt{Op: oracle.Recv, Dst: oracle.Ref})
	case n == 9 && p.Mode == oracle.Racy:
		return []oracle.Stmt{load, {Op: oracle.SetCell, X: g.operand()}}
	}
	return look(load)
}
