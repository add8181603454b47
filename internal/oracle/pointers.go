package oracle

// Pointers. The atomic variables are pointers to cells, which goroutines make, link and pass on.
// Each body may make two. A cell has a value and a pointer to the next one, which are plain
// variables. A goroutine has two pointers of its own, Ref and Mine, which are nil at first.

// cellsOfBody is the number of cells that a body may make.
const cellsOfBody = 2

// Cells says that the program has pointers. It is to be called when there are all bodies.
func (p *Program) Cells() {
	p.Pointers, p.Plains = true, 2*cellsOfBody*len(p.Bodies)
}

// usePointer carries out a step of body b at a statement about cells.
func (x *execution) usePointer(s *state, b int, st *Stmt) {
	g := &s.bodies[b]
	// The variables of the cell that a pointer leads to; the value that stands for it is one more than its number.
	value := func(pointer int) *cell { return &s.plains[2*(pointer-1)] }
	next := func(pointer int) *cell { return &s.plains[2*(pointer-1)+1] }
	switch st.Op {
	case NewCell:
		g.locals[Mine] = 1 + cellsOfBody*b + st.Obj
		x.set(s, value(g.locals[Mine]), b, st.X)
	case GetCell:
		if g.locals[Ref] == 0 {
			g.locals[st.Dst] = Absent
		} else {
			x.get(s, value(g.locals[Ref]), b, st.Dst)
		}
	case SetCell:
		if g.locals[Ref] != 0 {
			x.set(s, value(g.locals[Ref]), b, st.X)
		}
	case Link:
		if g.locals[Mine] != 0 {
			x.set(s, next(g.locals[Mine]), b, Expr{Kind: Local, Index: Ref})
		}
	case Follow:
		if g.locals[Ref] == 0 {
			g.locals[Mine] = 0
		} else {
			x.get(s, next(g.locals[Ref]), b, Mine)
		}
	}
}
