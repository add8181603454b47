package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
)

// ofGoroutine returns those elements of the list of a goroutine for which is holds, of lists by
// goroutine that there may be none of.
func ofGoroutine[E any](lists [][]E, goroutine int, is func(E) bool) (list []E) {
	if goroutine >= len(lists) {
		return nil
	}
	for _, e := range lists[goroutine] {
		if is(e) {
			list = append(list, e)
		}
	}
	return list
}

// unknownLocks returns those locks of a goroutine that have no name.
func unknownLocks(p *code.Program, c *fragment.Context, goroutine int) []code.UnknownLock {
	if goroutine >= len(c.Locks) {
		return nil
	}
	var list []code.UnknownLock
	for _, l := range c.Locks[goroutine] {
		if l.Root != nil {
			continue
		}
		u := code.UnknownLock{Name: l.Name, HeldLock: code.HeldLock{Read: l.Read, Least: l.Least, Most: l.Most, Inherited: l.Inherited}}
		for _, part := range l.In {
			u.Parts = append(u.Parts, code.LockPart{Type: p.Type(part.Type), Path: part.Path})
		}
		list = append(list, u)
	}
	return list
}

// held returns the values through which the locks are found that the frame holds, the wait groups
// that count it, and the channels that it has to close.
func (m *middle) held() (roots []ssa.Value) {
	for _, l := range m.locks {
		roots = append(roots, l.Root)
	}
	for _, d := range m.debts {
		roots = append(roots, d.Root)
	}
	for _, o := range m.open {
		roots = append(roots, o.Root)
	}
	return roots
}

// openFrom writes the code that refuses states in which those channels are closed that are found
// through a value, which has just been prepared.
func (m *middle) openFrom(v ssa.Value) {
	for _, o := range m.open {
		if o.Root != v {
			continue
		}
		reg, ok := m.pointer(v)
		if !ok {
			continue
		}
		pointer := v.Type()
		if _, captured := v.(*ssa.FreeVar); captured {
			pointer = elem(pointer)
			m.emit(code.Instr{Op: code.Load, K: uint16(m.prog.Type(pointer).Kinds[0]), A: m.scratch(), B: reg})
			reg = m.scratch()
		}
		skip := len(m.out.Code.Code)
		if len(o.Fields) > 0 {
			m.emit(code.Instr{Op: code.JmpNil, A: reg}) // a struct that there is not has no channel
			m.emit(code.Instr{Op: code.Addr, A: m.scratch(), B: reg, C: m.offset(pointer, o.Fields)})
			m.emit(code.Instr{Op: code.Load, K: uint16(m.prog.Type(fieldType(pointer, o.Fields)).Kinds[0]), A: m.scratch(), B: m.scratch()})
			reg = m.scratch()
		}
		name := m.prefix + m.describe(v, 0)
		m.emitStep(code.Step{Kind: code.StepOpen, Reg: reg, Name: name})
		m.refuse(code.Instr{Op: code.JmpNil, A: reg}, name+" is not nil") // and the register is needed until here
		if len(o.Fields) > 0 {
			m.out.Code.Code[skip].D = int32(len(m.out.Code.Code))
		}
	}
}

// countFrom writes the code that makes those wait groups count the goroutine that are found through
// a value, which has just been prepared.
func (m *middle) countFrom(v ssa.Value) {
	for _, d := range m.debts {
		if d.Root != v {
			continue
		}
		if reg, ok := m.pointer(v); ok {
			m.emit(code.Instr{Op: code.Addr, A: m.scratch(), B: reg, C: m.offset(d.Root.Type(), d.Fields)})
			m.emitStep(code.Step{Kind: code.StepCount, Reg: m.scratch()})
		}
	}
}

// holdFrom writes the code that makes the goroutine hold those locks that are found through a
// value, which has just been prepared. That is done at once: nothing else may need the value, and
// its register may have another one later.
func (m *middle) holdFrom(v ssa.Value) {
	m.countFrom(v)
	m.openFrom(v)
	for _, l := range m.locks {
		if l.Root != v {
			continue
		}
		if reg, ok := m.pointer(v); ok {
			m.emit(code.Instr{Op: code.Addr, A: m.scratch(), B: reg, C: m.offset(l.Root.Type(), l.Fields)})
			m.emitStep(code.Step{
				Kind: code.StepHold, Reg: m.scratch(), Name: m.prefix + "holds " + l.Name,
				Lock: &code.HeldLock{Read: l.Read, Least: l.Least, Most: l.Most, Inherited: l.Inherited},
			})
		} else {
			m.out.Unheld = append(m.out.Unheld, l.Name)
		}
	}
}

// holdFromStart is holdFrom for what is there at the beginning of the function.
func (m *middle) holdFromStart() {
	done := make(map[ssa.Value]bool)
	for _, root := range m.held() {
		switch root.(type) {
		case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
			if !done[root] {
				done[root] = true
				m.holdFrom(root)
			}
		}
	}
}

// scratch returns a register that nothing else uses.
func (m *middle) scratch() int32 { return int32(m.out.Code.Regs - 2) }

// pointer returns a register that has the value of a pointer, which may be scratch; ok is false if there is none.
func (m *middle) pointer(v ssa.Value) (reg int32, ok bool) {
	switch v := v.(type) {
	case *ssa.Global:
		f := m.out.Code
		f.Consts = append(f.Consts[:len(f.Consts):len(f.Consts)], keyOf(v).value())
		m.emit(code.Instr{Op: code.Const, K: 1, A: m.scratch(), B: int32(len(f.Consts) - 1)})
		return m.scratch(), true
	case *ssa.Parameter:
		if val := m.e.of[v]; val == nil || val.node == nil && val.base == nil {
			return m.unused(v), true
		}
	}
	for at := v; ; {
		val := m.e.of[at]
		switch {
		case val == nil:
			return 0, false
		case val.role == part:
			at = val.base
			continue
		case val.node == nil || val.variable || val.role == folded:
			return 0, false
		}
		break
	}
	n, off, ok := m.e.locate(v)
	if !ok || n == nil {
		return 0, false
	}
	return n.Reg + off, true
}

// unused returns a register that has the value of a parameter that the function does not use.
func (m *middle) unused(p *ssa.Parameter) int32 {
	if m.given {
		at := 0
		for _, other := range m.e.fn.Params {
			if other == p {
				break
			}
			at += m.e.words(other.Type())
		}
		return int32(at)
	}
	m.drawNamed(m.name(p), m.scratch(), p.Type(), true)
	return m.scratch()
}

// fieldType returns the type of what fields lead to from where a pointer of a type points.
func fieldType(pointer types.Type, fields []int) types.Type {
	t := elem(pointer)
	for _, f := range fields {
		t = t.Underlying().(*types.Struct).Field(f).Type()
	}
	return t
}

// offset returns where a lock or a channel is in what a pointer of a type points to, to which fields lead, in words.
func (m *middle) offset(pointer types.Type, fields []int) int32 {
	t := elem(pointer)
	off := 0
	for _, f := range fields {
		off += m.prog.Type(t).Fields[f].Offset
		t = t.Underlying().(*types.Struct).Field(f).Type()
	}
	return int32(off)
}
