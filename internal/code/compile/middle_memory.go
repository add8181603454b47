package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
)

// What a preparation does with memory: it makes stores and loads again of which it is known that
// what they have stored or loaded is still there (fragment.Memory). What is drawn for the memory is
// what is there when the context is reached, so a store changes nothing in a state that the program
// comes to, and a load gives what it gave; all other states are left out. So the order in which
// they are made does not matter, and neither does it that there were others between them.

// reads are the instructions that read memory.
var reads = map[code.Op]bool{code.Load: true, code.LoadN: true, code.LoadS: true, code.LoadA: true}

// writes are those that write it.
var writes = map[code.Op]bool{code.Store: true, code.StoreN: true, code.Copy: true, code.StoreS: true, code.StoreA: true}

// isLoad reports whether an instruction loads from memory, or from a variable in registers.
func isLoad(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}

// findMemory finds stores and loads that are made again. It reports whether it has found one more.
func (m *middle) findMemory() (found bool) {
	m.chain(func(_, _ int, instr ssa.Instruction) {
		if !m.memory.Holds[instr] {
			return
		}
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if m.loaded[instr] || !m.available(instr.X, 0) || !m.writesOnly(instr, reads) {
				return
			}
			m.loaded[instr], found = true, true
			if m.leaves[instr] {
				delete(m.leaves, instr)
				m.needOperands(instr)
			}
		case *ssa.Store:
			if m.stored[instr] || !m.available(instr.Addr, 0) || !m.available(instr.Val, 0) || !m.writesOnly(instr, writes) {
				return
			}
			m.stored[instr], found = true, true
			m.needOperands(instr)
		}
	})
	return found
}

// writesOnly reports whether the code of an instruction that accesses memory does nothing but that and compute.
func (m *middle) writesOnly(instr ssa.Instruction, ops map[code.Op]bool) bool {
	from, to := m.span(instr)
	for _, in := range m.e.f.Code[from:to] {
		if !computes[in.Op] && !ops[in.Op] && !reads[in.Op] {
			return false
		}
	}
	return true
}

// available reports whether a value follows from what is prepared anyhow.
func (m *middle) available(v ssa.Value, depth int) bool {
	const limit = 20
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.Parameter:
		return m.given || m.needed[v]
	}
	val := m.e.of[v]
	instr, ok := v.(ssa.Instruction)
	switch {
	case val == nil || !ok || depth > limit || val.role == dead || !m.before(instr):
		return false
	case m.needed[v]:
		return true
	case isLoad(instr) && !m.loaded[instr]:
		return false
	case val.role == part:
		return m.available(val.base, depth+1)
	case val.role == own && (val.variable || !m.computed(instr)):
		return false
	}
	switch instr.(type) {
	case *ssa.MakeMap, *ssa.MakeChan:
		return false // which would be empty
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && !m.available(*op, depth+1) {
			return false
		}
	}
	return true
}

// loadsAgain reports whether all loads that are a part of the code of an instruction are made again.
func (m *middle) loadsAgain(instr ssa.Instruction) bool {
	if isLoad(instr) && !m.loaded[instr] {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op == nil {
			continue
		}
		if val := m.e.of[*op]; val != nil && val.role != own {
			if in, ok := (*op).(ssa.Instruction); ok && !m.loadsAgain(in) {
				return false
			}
		}
	}
	return true
}

// variable prepares a variable that every path makes: what is in it is an input, but for the fields
// that are as they were made and those that are stored again.
func (m *middle) variable(v *ssa.Alloc, reg int32) {
	t := m.prog.Type(elem(v.Type()))
	known := slices.Clone(m.memory.Zero[v])
	for store := range m.stored {
		switch addr := store.Addr.(type) {
		case *ssa.Alloc:
			if addr == v {
				known = append(known, fragment.Whole)
			}
		case *ssa.FieldAddr:
			if addr.X == ssa.Value(v) {
				known = append(known, addr.Field)
			}
		}
	}
	name := m.name(v)
	inRegisters := m.e.isVariable(v)
	if inRegisters && t.Words > 0 {
		m.emit(code.Instr{Op: code.Zero, K: count(t.Words), A: reg})
	}
	if slices.Contains(known, fragment.Whole) {
		return
	}
	region := m.region(v)
	draw := func(t *code.Type, off, slot int, name string, set bool) {
		switch {
		case t.Words == 0:
		case inRegisters:
			var points []fragment.Region
			for i := range code.Slots(t) {
				points = append(points, m.context.Pointers.At(region, slot+i))
			}
			m.emitStep(code.Step{Kind: code.StepDraw, Reg: reg + int32(off), Type: t, Name: name, Set: set, Points: points})
		default:
			m.emitStep(code.Step{Kind: code.StepContent, Reg: reg, Off: off, Type: t, Name: name, Region: region, Slot: slot, Set: set})
		}
	}
	s, ok := elem(v.Type()).Underlying().(*types.Struct)
	if !ok || len(known) == 0 {
		draw(t, 0, 0, name, m.memory.Filled[v])
		return
	}
	slot := 0
	for i := range s.NumFields() {
		f := &t.Fields[i]
		if f.Name != "_" && !slices.Contains(known, i) {
			draw(f.Type, f.Offset, slot, name+"."+f.Name, m.isSet(elem(v.Type()), i))
		}
		slot += code.Slots(f.Type)
	}
}

// isSet reports whether a field of a struct is not nil.
func (m *middle) isSet(strct types.Type, field int) bool {
	return slices.ContainsFunc(m.context.Set, func(f fragment.Field) bool {
		return len(f.Fields) == 1 && f.Fields[0] == field && types.Identical(f.Struct, strct)
	})
}

// knowCaptured writes the code that refuses states in which there is something else in captured
// variables than is known of them.
func (m *middle) knowCaptured() {
	for _, v := range m.e.fn.FreeVars {
		known, ok := m.memory.Contents[v]
		if !ok {
			continue
		}
		addr, ok := m.pointer(v)
		if !ok {
			continue
		}
		kind := m.prog.Type(elem(v.Type())).Kinds[0]
		m.emit(code.Instr{Op: code.Load, K: uint16(kind), A: m.scratch(), B: addr})
		if known.NotNil {
			m.refuse(code.Instr{Op: code.JmpNil, A: m.scratch()}, fmt.Sprintf("%s%s is not nil", m.prefix, v.Name()))
			continue
		}
		if bits, _ := constBits(known.Same, kind); int64(bits[0]) == int64(int32(bits[0])) {
			m.refuse(code.Instr{Op: code.JmpNeI, K: uint16(kind), A: m.scratch(), C: int32(bits[0])},
				fmt.Sprintf("%s%s is %s", m.prefix, v.Name(), known.Same.Value))
		}
	}
}
