package value

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// EqualSym returns an expression for whether two values of type t are equal. If the comparison
// panics, the result is meaningless. Dynamic types, and the base and length of strings, are made
// concrete.
func (m *Operations) EqualSym(g *state.Goroutine, t *code.Type, x, y symbolic.Operands) expr.ID {
	a := m.Arena
	all := a.Bool(true)
	switch t.Shape {
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "_" {
				continue
			}
			end := f.Offset + f.Type.Words
			all = a.And(all, m.EqualSym(g, f.Type, x.Slice(f.Offset, end), y.Slice(f.Offset, end)))
		}
	case code.ShapeArray:
		w := t.Elem.Words
		for i := range int(t.Len) {
			all = a.And(all, m.EqualSym(g, t.Elem, x.Slice(i*w, (i+1)*w), y.Slice(i*w, (i+1)*w)))
		}
	case code.ShapeString:
		for _, v := range []symbolic.Operands{x, y} {
			for i := range 2 {
				if o := v.At(i); o.Sym != expr.None {
					m.ConcretizeWord(g, o.Word, t.Kinds[i], o.Sym)
				}
			}
		}
		if eq := m.equalTexts(g, x.Words, y.Words); eq != expr.None {
			return eq
		}
		return a.Bool(symbolic.SameText(x.Words, y.Words))
	case code.ShapeInterface:
		return m.equalIfaceSym(g, x, y)
	default:
		for i := range t.Words {
			k := t.Kinds[i]
			p, q := x.At(i).Expr(m.Arena, k), y.At(i).Expr(m.Arena, k)
			if k.Float() {
				all = a.And(all, a.FEq(p, q))
			} else {
				all = a.And(all, a.Eq(p, q))
			}
		}
	}
	return all
}

// equalIfaceSym is EqualSym for interfaces.
func (m *Operations) equalIfaceSym(g *state.Goroutine, x, y symbolic.Operands) expr.ID {
	if p, q := x.At(0), y.At(0); p.Sym == expr.None && p.P == nil || q.Sym == expr.None && q.P == nil {
		return m.Arena.Eq(p.Expr(m.Arena, code.IfaceType), q.Expr(m.Arena, code.IfaceType)) // one of them is nil
	}
	for _, v := range []symbolic.Operands{x, y} {
		if typ := v.At(0); typ.Sym != expr.None {
			m.ConcretizeWord(g, typ.Word, code.IfaceType, typ.Sym)
		}
	}
	typ := x.Words[0].P
	if typ != y.Words[0].P {
		return m.Arena.Bool(false)
	}
	if typ == nil {
		return m.Arena.Bool(true)
	}
	t := typ.Desc
	if t.Words == 1 {
		return m.EqualSym(g, t, x.Slice(1, 2), y.Slice(1, 2))
	}
	var boxes [2]symbolic.Operands
	for i, v := range []symbolic.Operands{x, y} {
		data := v.At(1)
		if data.Sym != expr.None {
			m.ConcretizeWord(g, data.Word, code.Pointer, data.Sym)
		}
		boxes[i].Words = make([]heap.Word, t.Words)
		if t.Words > 0 {
			data.P.Load(boxes[i].Words, int(data.N))
			boxes[i].Syms = data.P.ShadowAt(int(data.N), t.Words)
		}
	}
	return m.EqualSym(g, t, boxes[0], boxes[1])
}

// compareTexts returns an expression for the comparison of two strings by op, None if
// their bytes are concrete.
func (m *Operations) CompareTexts(g *state.Goroutine, op code.Op, x, y []heap.Word) expr.ID {
	switch op {
	case code.EqStr:
		return m.equalTexts(g, x, y)
	case code.NeStr:
		eq := m.equalTexts(g, x, y)
		if eq == expr.None {
			return eq
		}
		return m.Arena.Not(eq)
	}
	if !symbolic.IsText(x) && !symbolic.IsText(y) {
		return expr.None
	}
	return symbolic.UnlessConst(m.Arena, symbolic.TextOf(x).Less(m.Arena, symbolic.TextOf(y), op == code.LeStr))
}

// equalTexts returns an expression for whether two strings are equal, None if that does
// not depend on symbolic bytes.
func (m *Operations) equalTexts(g *state.Goroutine, x, y []heap.Word) expr.ID {
	if x[1].N != y[1].N {
		m.CorrespondEqual(g, x, y)
		return expr.None
	}
	if !symbolic.IsText(x) && !symbolic.IsText(y) {
		return expr.None
	}
	return symbolic.UnlessConst(m.Arena, symbolic.TextOf(x).Match(m.Arena, symbolic.TextOf(y), 0))
}
