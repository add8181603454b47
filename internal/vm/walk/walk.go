package walk

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/summary"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A walk takes a goroutine along a path of a tree.
type walk struct {
	*Walker
	g     *state.Goroutine
	tree  *summary.Tree
	first int // the index of the function's frame

	words   []heap.Word
	syms    []expr.ID
	objects []heap.Word

	steps int // that have been taken
	at    *summary.Node
}

// walk walks a tree from the state in which g is at its first instruction. Afterwards, g is where
// the tree does not go on.
func (w *walk) walk() {
	f := w.g.Top()
	w.first = len(w.g.Frames) - 1
	for i, r := range w.tree.Formals {
		at := int(f.Base) + int(r)
		w.words[i], w.syms[i] = w.g.Stack[at], expr.None
		if f.Symbolic {
			w.syms[i] = w.g.Sym[at]
		}
	}
	w.objects = w.objects[:0]
	for n := w.tree.Root; n != nil; {
		w.at = n
		for i := range n.Steps {
			if s := &n.Steps[i]; !w.step(s) {
				w.leave(s.Exit)
				return
			}
		}
		n = w.next(n)
	}
	w.leave(w.at.Exit)
}

// next returns the node that follows n, nil if the tree does not have it. It adds what decides that
// to the path condition, as the code does.
func (w *walk) next(n *summary.Node) *summary.Node {
	side := 0
	switch n.End {
	case summary.Leaf:
		return nil
	case summary.Shape:
		return w.lead(n)
	case summary.Nil:
		x := n.On
		if isNil := w.words[x].IsNil(); isNil == (n.Jump.Op == code.JmpNil) {
			side = 1
		}
		if n.Next[side] == nil {
			return nil
		}
		if sym := w.syms[x]; sym != expr.None {
			w.g.Top().PC = n.PC
			w.m.CheckNil(w.g, w.words[x], sym, run.Jump)
		}
	default:
		t := symbolic.ComparisonOf(&n.Jump, w.words, w.syms)
		holds := t.Holds()
		if holds == (n.Jump.Op != code.JmpIfNot) {
			side = 1
		}
		if n.Next[side] == nil {
			return nil
		}
		if t.Symbolic() {
			f := w.g.Top()
			if w.m.Plan.Merge != run.MergeNone && w.code.Regions(f.Func).At(f.Func.Origin(int(n.PC))) != nil {
				return nil // the code may merge both sides
			}
			f.PC = n.PC
			w.m.AddCondition(w.g, t.Expr(w.m.Arena), holds, run.Jump)
		}
	}
	if w.m.Over {
		return nil
	}
	if side == 1 {
		w.m.Fuel -= n.Fuel
	}
	return n.Next[side]
}

// lead returns the node for the object to which the pointer of a Shape leads.
func (w *walk) lead(n *summary.Node) *summary.Node {
	p := w.words[n.On]
	if p.P == w.m.ZeroSized {
		return nil // one object stands for many
	}
	for k, o := range w.objects {
		if o.P == p.P {
			if o.N != p.N {
				return nil // it leads to another part
			}
			return n.Next[k]
		}
	}
	next := n.Next[len(n.Next)-1]
	if next != nil {
		w.objects = append(w.objects, p)
	}
	return next
}

// step takes a step. It returns false if the code has to go on from the exit of the step, or from
// where the goroutine is if the run is over.
func (w *walk) step(s *summary.Step) bool {
	m, in := w.m, &s.In
	w.steps++
	switch s.Kind {
	case summary.Compute:
		w.compute(in)
	case summary.Constant:
		fn := w.g.Top().Func
		for i, word := range fn.ConstWords[fn.ConstAt[in.B]:][:in.K] {
			w.words[int(in.A)+i], w.syms[int(in.A)+i] = word, expr.None
		}
	case summary.Divisor:
		y := symbolic.Operand{Word: w.words[in.C], Sym: w.syms[in.C]}
		if y.N == 0 {
			return false
		}
		if y.Sym != expr.None {
			w.g.Top().PC = s.PC
			m.CheckDivisor(w.g, y, code.Kind(in.K))
		}
	case summary.Count:
		n := symbolic.Operand{Word: w.words[in.C], Sym: w.syms[in.C]}
		if int64(n.N) < 0 {
			return false
		}
		if n.Sym != expr.None {
			w.g.Top().PC = s.PC
			m.CheckCount(w.g, n, code.Kind(in.D))
		}
	case summary.Point:
		return w.point(s)
	case summary.Fix:
		w.words[in.A], w.syms[in.A] = w.words[in.B], expr.None
		if sym := w.syms[in.B]; sym != expr.None {
			w.g.Top().PC = s.PC
			m.ConcretizeWord(w.g, w.words[in.B], code.Int64, sym)
		}
	case summary.Length:
		return uint64(in.C) < w.words[in.B].N
	case summary.Load:
		return w.load(s)
	case summary.Again:
		if !m.Watching {
			return true
		}
		o, off := w.words[in.B].P, int(w.words[in.B].N)+int(in.C)
		return simple(s, o, off) && w.read(s, o, off)
	case summary.Store:
		return w.store(s)
	case summary.New:
		w.g.Top().PC = s.PC
		o := m.NewObject(w.g, w.g.Top().Func.Types[in.D], heap.Variable)
		w.words[in.A], w.syms[in.A] = heap.Word{P: o}, expr.None
		w.objects = append(w.objects, w.words[in.A])
	case summary.Cover:
		m.Trace.Cover(in.A)
	case summary.Enter:
		f := w.g.Top()
		f.PC = s.PC
		if !m.Push(w.g, w.code.Callee(f.Func, in.B), nil, f.Base+in.A, state.Called) {
			return false
		}
		m.Fuel--
	case summary.Leave:
		w.g.Frames = w.g.Frames[:len(w.g.Frames)-1]
		m.Fuel -= int64(in.A)
	case summary.Spend:
		m.Fuel -= int64(in.A)
	}
	return !m.Over
}

// compute carries out an instruction on values.
func (w *walk) compute(in *code.Instr) {
	switch in.Op {
	case code.Imm:
		w.words[in.A], w.syms[in.A] = heap.Word{N: uint64(int64(in.C))}, expr.None
		return
	case code.Mov:
		w.words[in.A], w.syms[in.A] = w.words[in.B], w.syms[in.B]
		return
	case code.Addr:
		w.words[in.A], w.syms[in.A] = summary.Apply(in, w.words), expr.None
		return
	}
	symbolic.SetResult(w.m.Arena, in, w.words, w.syms)
	w.words[in.A] = summary.Apply(in, w.words)
}

// point is step for a Point.
func (w *walk) point(s *summary.Step) bool {
	in := &s.In
	p := w.words[in.B]
	if p.P == nil {
		return false // which panics
	}
	if sym := w.syms[in.B]; sym != expr.None {
		w.g.Top().PC = s.PC
		w.m.CheckNil(w.g, p, sym, run.Check)
		if in.A >= 0 {
			w.m.ConcretizeWord(w.g, p, code.Int64, sym)
		}
	}
	if in.A >= 0 {
		w.words[in.A], w.syms[in.A] = p, expr.None
	}
	return !w.m.Over
}

// simple reports whether cells are accessed as the code does where nothing is special about the object.
func simple(s *summary.Step, o *heap.Object, off int) bool {
	return o.Kind != heap.ViewObject && o.InBounds(off, int(s.In.K)) && (o.Bytes == nil || s.Cell == code.Uint8 || s.Cell == code.NoKind)
}

// load is step for a Load.
func (w *walk) load(s *summary.Step) bool {
	in := &s.In
	p, n := w.words[in.B], int(in.K)
	o, off := p.P, int(p.N)+int(in.C)
	if !simple(s, o, off) || s.Cell != code.NoKind && s.Cell < code.Pointer && o.Word(off).P != nil {
		return false
	}
	if w.m.Watching && !w.read(s, o, off) {
		return false
	}
	to := int(in.A)
	o.Load(w.words[to:to+n], off)
	if shadow := o.ShadowAt(off, n); shadow != nil {
		copy(w.syms[to:to+n], shadow)
	} else {
		clear(w.syms[to : to+n])
	}
	w.Counts.Reads += n
	return true
}

// read records a read of cells while accesses are watched. The result is false if it is a visible
// operation, which is left to the code.
func (w *walk) read(s *summary.Step, o *heap.Object, off int) bool {
	n := int(s.In.K)
	w.g.Top().PC = s.PC
	if w.m.AccessVisible(w.g, o) || !w.m.Access(w.g, o, off, n, false) {
		return false
	}
	if w.m.Tracing {
		w.m.Accessed(w.g, o, off, n, false, 0) // the plan asks for no symbols
	}
	return true
}

// store is step for a Store. Unless accesses are watched, memory is written when the walk ends.
func (w *walk) store(s *summary.Step) bool {
	in := &s.In
	p, n := w.words[in.A], int(in.K)
	o, off := p.P, int(p.N)+int(in.C)
	if !simple(s, o, off) {
		return false
	}
	if !w.m.Watching {
		return true
	}
	w.g.Top().PC = s.PC
	if w.m.AccessVisible(w.g, o) || !w.m.Access(w.g, o, off, n, true) {
		return false
	}
	from := int(in.B)
	w.m.Heap.Store(o, off, w.words[from:from+n], w.syms[from:from+n])
	if w.m.Tracing {
		w.m.Accessed(w.g, o, off, n, true, 0)
	}
	w.Counts.Writes += n
	return true
}

// leave has the code go on from an exit: it writes the registers of the frames, and to memory.
func (w *walk) leave(e *summary.Exit) {
	if e == nil {
		return // the run is over
	}
	g := w.g
	for i := range e.Frames {
		at := &e.Frames[i]
		f := &g.Frames[w.first+i]
		f.PC = at.PC
		if !f.Symbolic {
			for _, r := range at.Regs {
				if w.syms[r.Value] != expr.None {
					g.MakeSymbolic(f)
					break
				}
			}
		}
		for _, r := range at.Regs {
			g.Stack[int(f.Base)+int(r.Reg)].Set(w.words[r.Value])
		}
		if f.Symbolic {
			for _, r := range at.Regs {
				g.Sym[int(f.Base)+int(r.Reg)] = w.syms[r.Value]
			}
		}
	}
	if w.m.Watching {
		return
	}
	for _, x := range e.Writes {
		p := w.words[x.To]
		w.m.Heap.Store(p.P, int(p.N)+int(x.Off), w.words[x.Value:x.Value+1], w.syms[x.Value:x.Value+1])
	}
	w.Counts.Writes += len(e.Writes)
}
