package toy

import "math/rand/v2"

// Generate draws a program from a seed: up to three goroutines with a few
// operations each, over a few shared objects.
func Generate(seed uint64) *Program {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7))}
	p := &Program{Domain: 3, Inputs: []string{"a", "b"}[:g.r.IntN(3)]}
	g.p = p
	for range 1 + g.r.IntN(3) {
		p.Cells = append(p.Cells, Cell{Init: uint8(g.r.IntN(2)), Plain: g.r.IntN(2) == 0})
	}
	p.Locks = 1 + g.r.IntN(2)
	p.Chans = []int{g.r.IntN(3), 0}[:1+g.r.IntN(2)]
	p.Groups = 1
	p.Conds = p.Locks
	g.kind = g.r.IntN(4)
	threads := 2 + g.r.IntN(2)
	p.Funcs = make([][]Stmt, threads)
	for i := range threads {
		g.next = 0
		p.Funcs[i] = g.body(2+g.r.IntN(4), 2)
	}
	// Function i is started by one of those before it.
	for i := 1; i < threads; i++ {
		by := g.r.IntN(i)
		at := g.r.IntN(len(p.Funcs[by])/2 + 1)
		body := append([]Stmt(nil), p.Funcs[by][:at]...)
		body = append(body, Stmt{Op: Spawn, Obj: i})
		p.Funcs[by] = append(body, p.Funcs[by][at:]...)
	}
	return p.Number()
}

type generator struct {
	r    *rand.Rand
	p    *Program
	kind int // 0: memory and locks, 1: channels, 2: wait groups and conditions, 3: all
	next int // local variable to use next
}

func (g *generator) local() int {
	g.next = (g.next + 1) % (Locals - 1)
	return g.next
}

// value draws an operand: a constant, an input or a recent local.
func (g *generator) value() Expr {
	switch n := g.r.IntN(4); {
	case n == 0 && len(g.p.Inputs) > 0:
		return I(g.r.IntN(len(g.p.Inputs)))
	case n == 1:
		return Sum(L(g.next), C(1))
	case n == 2:
		return L(g.next)
	}
	return C(g.r.IntN(3))
}

func (g *generator) condition() Expr {
	x, y := L(g.next), g.value()
	if g.r.IntN(3) == 0 {
		return Lt(x, y)
	}
	return Eq(x, y)
}

func (g *generator) body(n, depth int) []Stmt {
	var body []Stmt
	for range n {
		body = append(body, g.statements(depth)...)
	}
	return body
}

func (g *generator) statements(depth int) []Stmt {
	r := g.r
	if depth > 0 && r.IntN(3) == 0 {
		s := Stmt{Op: If, X: g.condition()}
		s.Then = g.body(r.IntN(3), depth-1)
		if r.IntN(2) == 0 {
			s.Else = g.body(r.IntN(2), depth-1)
		}
		if r.IntN(8) == 0 {
			s.Then = append(s.Then, Stmt{Op: Fail})
		}
		return []Stmt{s}
	}
	kind := g.kind
	if kind == 3 {
		kind = r.IntN(3)
	}
	cell := r.IntN(len(g.p.Cells))
	lock := r.IntN(g.p.Locks)
	ch := r.IntN(len(g.p.Chans))
	if r.IntN(3) == 0 {
		kind = 0
	}
	switch kind {
	case 0:
		switch r.IntN(12) {
		case 0, 1, 2:
			return []Stmt{{Op: Load, Obj: cell, Dst: g.local()}}
		case 3, 4, 5:
			return []Stmt{{Op: Store, Obj: cell, X: g.value()}}
		case 6:
			if !g.p.Cells[cell].Plain {
				return []Stmt{{Op: Add, Obj: cell, Dst: g.local(), X: C(1)}}
			}
		case 7:
			if !g.p.Cells[cell].Plain {
				return []Stmt{{Op: Swap, Obj: cell, Dst: g.local(), X: C(r.IntN(2)), Y: g.value()}}
			}
		case 8, 9:
			inner := g.body(1+r.IntN(2), depth-1)
			s := []Stmt{{Op: Lock, Obj: lock}}
			s = append(s, inner...)
			return append(s, Stmt{Op: Unlock, Obj: lock})
		case 10:
			inner := g.body(1, depth-1)
			s := []Stmt{{Op: RLock, Obj: lock}}
			s = append(s, inner...)
			return append(s, Stmt{Op: RUnlock, Obj: lock})
		case 11:
			d := g.local()
			inner := g.body(1, depth-1)
			return []Stmt{{Op: TryLock, Obj: lock, Dst: d}, When(Eq(L(d), C(1)), append(inner, Stmt{Op: Unlock, Obj: lock})...)}
		}
		return []Stmt{{Op: Load, Obj: cell, Dst: g.local()}}
	case 1:
		switch r.IntN(8) {
		case 0, 1, 2:
			return []Stmt{{Op: Send, Obj: ch, X: g.value()}}
		case 3, 4, 5:
			return []Stmt{{Op: Recv, Obj: ch, Dst: g.local()}}
		case 6:
			if r.IntN(3) == 0 {
				return []Stmt{{Op: Close, Obj: ch}}
			}
		}
		s := Stmt{Op: Select, Default: r.IntN(2) == 0}
		for range 1 + r.IntN(2) {
			c := Case{Send: r.IntN(2) == 0, Chan: r.IntN(len(g.p.Chans)), X: g.value()}
			if !c.Send {
				c.Dst = g.local()
			}
			s.Cases = append(s.Cases, c)
		}
		s.Dst = g.local()
		return []Stmt{s, When(Eq(L(s.Dst), C(0)), g.body(1, depth-1)...)}
	default:
		switch r.IntN(7) {
		case 0, 1:
			return []Stmt{{Op: GroupAdd, X: C(1)}}
		case 2:
			return []Stmt{{Op: GroupAdd, X: C(-1)}}
		case 3:
			return []Stmt{{Op: GroupWait}}
		case 4:
			return []Stmt{{Op: Lock, Obj: lock}, {Op: CondWait, Obj: lock}, {Op: Unlock, Obj: lock}}
		case 5:
			return []Stmt{{Op: CondSignal, Obj: lock}}
		}
		return []Stmt{{Op: Broadcast, Obj: lock}}
	}
}
