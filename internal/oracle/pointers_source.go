package oracle

import "fmt"

// pointer writes a statement about pointers. It returns false for others.
func (w *writer) pointer(p *Program, b int, s *Stmt) bool {
	x, y := text(p, s.X), text(p, s.Y)
	switch s.Op {
	case Load:
		w.p("ref = a%d.Load()", s.Obj)
	case Store:
		w.p("a%d.Store(%s)", s.Obj, x)
	case Exchange:
		w.p("ref = a%d.Swap(%s)", s.Obj, x)
	case Swap:
		w.flag(s.Dst, fmt.Sprintf("a%d.CompareAndSwap(%s, %s)", s.Obj, x, y))
	case NewCell:
		w.p("mine = &cell{v: %s}", x)
	case GetCell:
		w.p("if ref != nil {")
		w.p("r%d = ref.v", s.Dst)
		w.p("} else {")
		w.p("r%d = %d", s.Dst, Absent)
		w.p("}")
	case SetCell:
		w.p("if ref != nil {")
		w.p("ref.v = %s", x)
		w.p("}")
	case Link:
		w.p("if mine != nil {")
		w.p("mine.next = ref")
		w.p("}")
	case Follow:
		w.p("if mine = nil; ref != nil {")
		w.p("mine = ref.next")
		w.p("}")
	default:
		return false
	}
	if s.Show {
		w.p("show(%d, %d, %d, r%d)", w.index, b, s.ID, s.Dst)
	}
	return true
}
