package host

import (
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/shape"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// contextPrimitives returns the primitives by which the model of package testing starts goroutines in the
// middle of functions: see code.Middle.
func contextPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{Name: "testing.preparation", Run: func(c *exec.Call) {
			i := int(c.Int(0))
			first := i == 0
			if c.Machine.Order != nil {
				i = c.Machine.Order[i]
			}
			c.Goroutine.Middle = i + 1
			c.Machine.Prepares(true)
			if first {
				makeVariables(c)
			}
			c.Window[0] = heap.Word{P: c.Machine.FuncValue(c.Machine.Preparation(i))}
		}},
		{Name: "testing.contextTests", Run: func(c *exec.Call) { shape.Of(c.Machine).SetTests(c.Window[0], c.Window[1], c.Window[2]) }},
		{Name: "testing.prepareStep", Run: prepareStep, Shadows: true},
		{Name: "testing.callersLock", Run: callersLock},
		{Name: "testing.rejectContext", Run: func(c *exec.Call) { rejectContext(c, "") }},
		{
			Name: state.ContextWaitName,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Yield, Object: run.NoObject, Partner: -1, Enabled: len(c.Machine.Live) == 1})
			},
			Run: func(c *exec.Call) {
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Yield, Object: run.NoObject})
			},
		},
	}
}

// rejectContext ends a run whose initial state is not one of those that are looked for: the fact does not hold.
func rejectContext(c *exec.Call, fact string) {
	c.Machine.Trace.Skipped = true
	c.Machine.Stop(run.Finished, fact)
}

// prepareStep carries out a step of the preparation of a frame, the one on top.
func prepareStep(c *exec.Call) {
	m, g := c.Machine, c.Goroutine
	f := g.Top()
	s := &f.Func.Middle.Steps[c.Int(0)]
	h := shape.Of(m)
	switch s.Kind {
	case code.StepDraw:
		words, syms, ok := h.DrawPointing(g, s.Type, s.Name, s.Points)
		if ok && s.Set {
			ok = notNil(c, words[0], syms[0], s.Name)
		}
		if ok && s.To > s.From {
			ok = between(c, words[0], syms[0], s.From, s.To, s.Name)
		}
		if ok {
			setRegisters(m, g, int(f.Base+s.Reg), words, syms)
		}
	case code.StepBindings:
		bind(c, h, s)
	case code.StepMade:
		setRegisters(m, g, int(f.Base+s.Reg), []heap.Word{{P: h.Made(f.Func.Middle.First + s.Made)}}, []expr.ID{expr.None})
	case code.StepContent:
		if at := g.Stack[f.Base+s.Reg]; s.Type.Words > 0 {
			h.DrawContent(g, heap.Location{Object: at.P, Offset: int(at.N) + s.Off}, s.Type, s.Name, s.Region, s.Slot, s.Set)
		}
	case code.StepElements:
		if words := g.Stack[f.Base+s.Reg:]; words[0].P != nil && words[2].N > 0 {
			h.DrawElements(g, words[0].P, s.Type.Elem, s.Name, int(words[2].N), s.Region)
		}
	case code.StepEmpty:
		m.AddBound(run.NoSite, "maps that are empty where the search begins")
	case code.StepBuffer:
		h.DrawBuffer(g, g.Stack[f.Base+s.Reg].P, s.Type, s.Name, s.Region)
	case code.StepWithin:
		within(c, s)
	case code.StepHold:
		hold(c, s)
	case code.StepCount:
		w := g.Stack[f.Base+s.Reg]
		h.CountIn(heap.Location{Object: w.P, Offset: int(w.N)})
	case code.StepOpen:
		isOpen(c, s)
	case code.StepReject:
		rejectContext(c, s.Name)
	case code.StepEnter:
		from, prepared := g.Preparing()
		var linked []*state.Function
		for _, p := range prepared {
			linked = append(linked, m.Link(p.Of.SSA))
		}
		callers := m.Link(m.Program.SSA.ImportedPackage("testing").Func("contextCaller"))
		cond, signalled := waitsFor(c, s)
		m.Prepares(false)
		if m.Over {
			return
		}
		m.Enters(g, from, linked, callers, cond, signalled)
	}
}

// isOpen rejects states in which the channel in a register is nil or closed.
func isOpen(c *exec.Call, s *code.Step) {
	m, g := c.Machine, c.Goroutine
	at := int(g.Top().Base + s.Reg)
	if sym := g.Sym[at]; sym != expr.None {
		if !notNil(c, g.Stack[at], sym, s.Name) {
			return
		}
		m.ConcretizeRegister(g, at)
	}
	if w := g.Stack[at]; !m.Over && (w.P == nil || w.P.Cells[state.ChanClosed].N != 0) {
		rejectContext(c, s.Name+" is open")
	}
}

// waitsFor returns the condition at which a goroutine waits that is being started, if it does.
// Whether it has been signalled, and has not gone on yet, is an input. Who waits does not hold the
// lock of the condition.
func waitsFor(c *exec.Call, s *code.Step) (cond heap.Location, signalled bool) {
	m, g := c.Machine, c.Goroutine
	if !s.Waits {
		return cond, false
	}
	w := g.Stack[g.Top().Base+s.Reg]
	cond = heap.Location{Object: w.P, Offset: int(w.N)}
	locker := heap.Location{Object: w.P, Offset: int(w.N) - int(s.From) + shape.LockerOf(m.Program.Type(condType(m)))}
	lock := w.P.Cells[locker.Offset+1]
	held := slices.ContainsFunc(g.Taken, func(l state.Taken) bool {
		return (l.For == 0 || l.For == g.Middle) && l.At == heap.Location{Object: lock.P, Offset: int(lock.N)}
	})
	if held {
		rejectContext(c, "who waits at a condition does not hold its lock")
		return cond, false
	}
	x := m.DrawChoice(s.Name)
	if x.Sym != expr.None {
		m.Equate(g, x.Sym, x.N)
	}
	return cond, x.N != 0
}

// condType returns the type sync.Cond.
func condType(m *exec.Interpreter) types.Type {
	return m.Program.SSA.ImportedPackage("sync").Type("Cond").Type()
}

// makeVariables makes the variables that are made on all paths to where goroutines begin, before
// anything else is an input, and then package variables inputs.
func makeVariables(c *exec.Call) {
	h := shape.Of(c.Machine)
	for _, mid := range c.Machine.Middles {
		for ; mid != nil; mid = mid.Inner {
			for _, made := range mid.Made {
				if !h.Make(c.Goroutine, made.Type, made.Region) {
					return
				}
			}
		}
	}
	for _, v := range c.Machine.InputVariables {
		o := c.Machine.Variable(v)
		if o.Type == nil || c.Machine.Over {
			continue // it has no size
		}
		var region fragment.Region
		if p := c.Machine.Pointers; p != nil && len(p.Of[v]) > 0 {
			region = p.Of[v][0]
		}
		at := heap.Location{Object: o}
		h.DrawContent(c.Goroutine, at, o.Type, v.Pkg.Pkg.Name()+"."+v.Name(), region, 0, false)
		if r, ok := c.Machine.VariablesBetween[v]; ok && !c.Machine.Over {
			sym := expr.None
			if syms := o.ShadowAt(0, 1); len(syms) > 0 {
				sym = syms[0]
			}
			h.KnowBetween(c.Goroutine, o.Word(0).N, sym, r, o.Type.Kinds[0].Signed())
		}
	}
	for _, v := range c.Machine.Uses.Waited {
		if !c.Machine.Over {
			h.DrawWaiters(c.Goroutine, c.Machine.Variable(v), v.Pkg.Pkg.Name()+"."+v.Name())
		}
	}
	for _, r := range c.Machine.VariablesRelated {
		var terms []shape.Term
		var kind code.Kind
		for _, t := range r.Terms {
			o := c.Machine.Variable(t.Variable)
			if o == nil || o.Type == nil {
				return
			}
			term := shape.Term{N: o.Word(0).N, Minus: t.Minus}
			if syms := o.ShadowAt(0, 1); len(syms) > 0 {
				term.Sym = syms[0]
			}
			terms, kind = append(terms, term), o.Type.Kinds[0]
		}
		h.KnowRelated(c.Goroutine, terms, r.Modulo, kind)
	}
}

// setRegisters sets registers of the top frame.
func setRegisters(m *exec.Interpreter, g *state.Goroutine, at int, words []heap.Word, syms []expr.ID) {
	for i := range words {
		m.SetRegister(g, at+i, words[i], syms[i])
	}
}

// notNil makes it a condition that a pointer is not nil. It returns false if it is, and ends the run.
func notNil(c *exec.Call, w heap.Word, sym expr.ID, name string) bool {
	if sym != expr.None {
		a := c.Machine.Arena
		c.Machine.AddCondition(c.Goroutine, a.Eq(sym, a.Const(0, a.Width(sym))), w.P == nil, run.Check)
	}
	if w.P == nil && !c.Machine.Over {
		rejectContext(c, name+" is not nil")
	}
	return !c.Machine.Over
}

// bind makes the variables that the function of the top frame has captured inputs.
func bind(c *exec.Call, h *shape.Heap, s *code.Step) {
	m, g := c.Machine, c.Goroutine
	closure := m.NewCells(g, nil, heap.ClosureObject, int(s.Reg))
	if closure == nil {
		return
	}
	closure.Func = m.Link(g.Top().Func.Middle.Of.SSA).ID
	all, allSyms := make([]heap.Word, s.Reg), make([]expr.ID, s.Reg)
	for i := range s.Parts {
		p := &s.Parts[i]
		words, syms, ok := h.DrawPointing(g, p.Type, p.Name, p.Points)
		if ok && p.Set {
			ok = notNil(c, words[0], syms[0], p.Name)
		}
		if !ok {
			return
		}
		copy(all[p.Reg:], words)
		copy(allSyms[p.Reg:], syms)
	}
	closure.Fill(0, all, allSyms)
	g.SetClosure(closure)
}
