package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// fieldAddr compiles &x.f where the address itself is needed.
func (e *emitter) fieldAddr(v *ssa.FieldAddr) {
	base, off := e.address(v.X)
	off += e.prog.Type(elem(v.X.Type())).Fields[v.Field].Offset
	e.emit(code.Instr{Op: code.Addr, A: e.result(v), B: e.reg(base), C: number(int64(off))})
}

// indexAddr compiles &x[i].
func (e *emitter) indexAddr(v *ssa.IndexAddr) {
	words := e.words(elem(v.Type()))
	if i, ok := constElement(v); ok {
		base, off := e.address(v.X)
		e.emit(code.Instr{Op: code.Addr, A: e.result(v), B: e.reg(base), C: number(int64(off + i*words))})
		return
	}
	in := code.Instr{Op: code.IndexS, K: count(words), A: e.result(v), B: e.reg(v.X), C: e.indexReg(v.Index)}
	if array, ok := arrayOf(v.X); ok {
		in.Op, in.D = code.IndexA, length(array.Len())
	}
	e.unsignedOperand(0, v.Index)
	e.emit(in)
}

// elementOf compiles x[i] of an array in registers or a string.
func (e *emitter) elementOf(v *ssa.Index) {
	t := e.prog.Type(v.X.Type())
	in := code.Instr{Op: code.IndexStr, A: e.result(v), B: e.reg(v.X), C: e.indexReg(v.Index)}
	if t.Shape == code.ShapeArray {
		in.Op, in.K, in.D = code.IndexV, count(t.Elem.Words), number(t.Len)
	}
	e.unsignedOperand(0, v.Index)
	e.emit(in)
}

// slice compiles x[low:high:max].
func (e *emitter) slice(v *ssa.Slice) {
	t := e.prog.Type(v.X.Type())
	in := code.Instr{B: e.reg(v.X)}
	switch t.Shape {
	case code.ShapeString:
		in.Op, in.D = code.SliceStr, e.typeIndex(v.X.Type())
	case code.ShapeSlice:
		in.Op, in.D = code.SliceS, e.typeIndex(v.X.Type())
	default:
		in.Op, in.D = code.SliceP, e.typeIndex(elem(v.X.Type()))
	}
	if v.Low != nil || v.High != nil || v.Max != nil {
		in.C = e.regs.Scratch(3)
	}
	for i, bound := range []ssa.Value{v.Low, v.High, v.Max} {
		if bound != nil {
			e.putIndex(bound, in.C+int32(i))
			in.K |= 1 << i
		}
	}
	if alloc, ok := v.X.(*ssa.Alloc); ok && alloc.Comment == "makeslice" {
		in.K |= code.OfMake
	}
	in.A = e.result(v)
	for i, bound := range []ssa.Value{v.Low, v.High, v.Max} {
		if bound != nil {
			e.unsignedOperand(i, bound)
		}
	}
	e.emit(in)
}

// indexReg returns the register of an index or length, widened to 64 bits: the
// instructions that take one do not know its kind.
func (e *emitter) indexReg(v ssa.Value) int32 {
	if isConst(v) || code.KindOf(v.Type()).Bits() == 64 {
		return e.reg(v)
	}
	r := e.regs.Scratch(1)
	e.putIndex(v, r)
	return r
}

// putIndex puts an index or length, widened to 64 bits, into register dst.
func (e *emitter) putIndex(v ssa.Value, dst int32) {
	kind := code.KindOf(v.Type())
	if isConst(v) || kind.Bits() == 64 {
		e.put(v, dst)
		return
	}
	e.emit(code.Instr{Op: code.Conv, K: uint16(code.Int64), A: dst, B: e.reg(v), C: int32(kind)})
}

// unsignedOperand records that operand i of the instruction to be emitted next is v, an
// index or a bound: a message about it depends on the sign.
func (e *emitter) unsignedOperand(i int, v ssa.Value) {
	if kind := code.KindOf(v.Type()); isConst(v) || kind.Signed() || kind.Bits() < 64 {
		return
	}
	if e.f.Unsigned == nil {
		e.f.Unsigned = make(map[int32]uint8)
	}
	e.f.Unsigned[int32(len(e.f.Code))] |= 1 << i
}
