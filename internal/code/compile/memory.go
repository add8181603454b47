package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
)

// alloc compiles the creation of a variable: a new object, or registers set to zero.
func (e *emitter) alloc(v *ssa.Alloc) {
	val := e.of[v]
	if val.variable {
		if !e.need().Unread { // otherwise it gets a value before it is read
			e.emit(code.Instr{Op: code.Zero, K: count(val.words), A: val.node.Reg})
		}
		return
	}
	in := code.Instr{Op: code.New, A: val.node.Reg, D: e.typeIndex(elem(v.Type()))}
	if v.Heap {
		in.K = 1
	}
	e.emit(in)
}

// accessPos makes the position of the selection that addr stands for the current one:
// loads and stores of go/ssa have none of their own.
func (e *emitter) accessPos(instr ssa.Instruction, addr ssa.Value) {
	if e.of[addr] != nil && e.of[addr].role == folded && !instr.Pos().IsValid() {
		if pos := addr.Pos(); pos.IsValid() {
			e.pos, e.own = pos, pos
		}
	}
}

// load compiles the load of v into the registers from dst on.
func (e *emitter) load(v *ssa.UnOp, dst int32) {
	e.accessPos(v, v.X)
	words := e.words(v.Type())
	if alloc, off, ok := e.variable(v.X); ok {
		if words > 0 {
			e.move(dst, e.of[alloc].node.Reg+int32(off), words)
		}
		return
	}
	if index := e.element(v.X); index != nil {
		kind := e.prog.Type(v.Type()).Kinds[0]
		in := code.Instr{Op: code.LoadS, K: uint16(kind), A: dst, B: e.reg(index.X), C: e.indexReg(index.Index)}
		if array, ok := arrayOf(index.X); ok {
			in.Op, in.D = code.LoadA, length(array.Len())
		}
		e.unsignedOperand(0, index.Index)
		e.emit(in)
		return
	}
	base, off := e.address(v.X)
	switch {
	case words == 0:
		if !e.notNil(base) {
			e.emit(code.Instr{Op: code.NilCheck, B: e.reg(base)})
		}
	case words == 1:
		e.emit(code.Instr{Op: code.Load, K: uint16(e.prog.Type(v.Type()).Kinds[0]), A: dst, B: e.reg(base), C: number(int64(off))})
	default:
		b := e.reg(base)
		for at, k := range code.Pieces(words) {
			e.emit(code.Instr{Op: code.LoadN, K: uint16(k), A: dst + int32(at), B: b, C: number(int64(off + at))})
		}
	}
}

// mark compiles the mark of a block of statements.
func (e *emitter) mark(block int) {
	if !e.covered {
		return
	}
	e.emit(code.Instr{Op: code.Cover, A: int32(len(e.prog.Branches))})
	e.prog.Branches = append(e.prog.Branches, code.Branch{Func: e.f, Pos: e.pos, Block: block + 1})
}

// store compiles *addr = val.
func (e *emitter) store(v *ssa.Store) {
	if g, ok := v.Addr.(*ssa.Global); ok && e.prog.Block != nil {
		if block, ok := e.prog.Block(g); ok {
			e.mark(block)
			return
		}
	}
	if e.inFoldedAppend(v) || toBlankField(v.Addr) || evalorder.StoresBack(e.blocks.list[e.block].Instrs, e.index) {
		return
	}
	e.accessPos(v, v.Addr)
	words := e.words(v.Val.Type())
	from, _ := v.Val.(*ssa.UnOp)
	if val := e.of[v.Val]; val == nil || val.role != folded {
		from = nil
	}
	if alloc, off, ok := e.variable(v.Addr); ok {
		switch dst := e.of[alloc].node; {
		case words == 0:
		case from != nil:
			e.load(from, dst.Reg+int32(off))
		default:
			e.put(v.Val, dst.Reg+int32(off))
		}
		return
	}
	if index := e.element(v.Addr); index != nil {
		kind := e.prog.Type(v.Val.Type()).Kinds[0]
		in := code.Instr{Op: code.StoreS, K: uint16(kind), A: e.reg(index.X), B: e.reg(v.Val), C: e.indexReg(index.Index)}
		if array, ok := arrayOf(index.X); ok {
			in.Op, in.D = code.StoreA, length(array.Len())
		}
		e.unsignedOperand(0, index.Index)
		e.emit(in)
		return
	}
	base, off := e.address(v.Addr)
	switch {
	case words == 0:
		if !e.notNil(base) {
			e.emit(code.Instr{Op: code.NilCheck, B: e.reg(base)})
		}
	case words == 1:
		e.emit(code.Instr{
			Op: code.Store, K: uint16(e.prog.Type(v.Val.Type()).Kinds[0]), A: e.reg(base), B: e.reg(v.Val),
			C: number(int64(off)),
		})
	case from != nil:
		e.copy(base, off, from, words)
	case isConst(v.Val) && words > maxVariable && keyOf(v.Val).n == 0:
		e.storeZero(base, off, words)
	default:
		a, b := e.reg(base), e.reg(v.Val)
		for at, k := range code.Pieces(words) {
			e.emit(code.Instr{Op: code.StoreN, K: uint16(k), A: a, B: b + int32(at), C: number(int64(off + at))})
		}
	}
}

// copy compiles the store of a folded load.
func (e *emitter) copy(base ssa.Value, off int, from *ssa.UnOp, words int) {
	if alloc, at, ok := e.variable(from.X); ok {
		e.emit(code.Instr{Op: code.StoreN, K: count(words), A: e.reg(base), B: e.of[alloc].node.Reg + int32(at), C: number(int64(off))})
		return
	}
	src, at := e.address(from.X)
	a, b := e.reg(base), e.reg(src)
	// The target overlaps the source only when they are the same, so it does not
	// matter in which order the pieces go.
	for i, k := range code.Pieces(words) {
		e.emit(code.Instr{Op: code.Copy, K: uint16(k), A: a, B: b, C: number(int64(off + i)), D: number(int64(at + i))})
	}
}

// storeZero compiles the store of a large zero value.
func (e *emitter) storeZero(base ssa.Value, off, words int) {
	a := e.reg(base)
	zero := e.regs.Scratch(min(words, maxVariable))
	e.emit(code.Instr{Op: code.Zero, K: uint16(min(words, maxVariable)), A: zero})
	for words > 0 {
		n := min(words, maxVariable)
		e.emit(code.Instr{Op: code.StoreN, K: uint16(n), A: a, B: zero, C: number(int64(off))})
		words, off = words-n, off+n
	}
}

// toBlankField reports whether addr is in a blank field: a composite literal may give a
// value to one, which is not stored.
func toBlankField(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			if fieldsOf(a.X.Type()).Field(a.Field).Name() == "_" {
				return true
			}
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return false
		}
	}
}
