package compile

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// An emitter writes the code of a function.
type emitter struct {
	*assembler
	*values
	blocks  *blocks
	needs   *regalloc.Function   // has an Instr for each instruction of blocks
	regs    *regalloc.Allocation // follows the instruction that is being compiled
	covered bool                 // branches are counted

	block, index int       // the block, and in it the instruction that is being compiled
	starts       [][]int32 // by block and instruction, where the code of the instruction begins
	stubs        []edge
	commuting    []*ssa.Range // loops over maps without code.OrderMatters
}

// need returns what the instruction that is being compiled reads and writes.
func (e *emitter) need() *regalloc.Instr { return &e.needs.Blocks[e.block].Instrs[e.index] }

// typeIndex returns the index of the layout of t in the function's table.
func (e *emitter) typeIndex(t types.Type) int32 { return e.assembler.typeIndex(e.prog.Type(t)) }

// reg returns the first register of operand v. A constant is put in scratch
// registers first.
func (e *emitter) reg(v ssa.Value) int32 {
	if r, ok := e.location(v); ok {
		return r
	}
	return e.constReg(v)
}

// constReg puts v, which location does not find, in scratch registers.
func (e *emitter) constReg(v ssa.Value) int32 {
	base, off := v, 0
	for e.of[base] != nil {
		val := e.of[base]
		base, off = val.base, off+val.off
	}
	words := e.words(base.Type())
	if words == 0 {
		return 0
	}
	r := e.regs.Scratch(words)
	e.materialize(base, r)
	return r + int32(off)
}

// location returns the first register of v when it is in registers already;
// 0 for values of no words.
func (e *emitter) location(v ssa.Value) (int32, bool) {
	n, off, ok := e.locate(v)
	if n == nil {
		return 0, ok
	}
	return n.Reg + off, ok
}

// result returns the first register for the result of v: a scratch one when v
// is not kept.
func (e *emitter) result(v ssa.Value) int32 {
	val := e.of[v]
	if val.node != nil {
		return val.node.Reg
	}
	if val.words == 0 {
		return 0
	}
	return e.regs.Scratch(val.words)
}

// put puts operand v in the registers from dst on.
func (e *emitter) put(v ssa.Value, dst int32) {
	if r, ok := e.location(v); ok {
		e.move(dst, r, e.valueWords(v))
		return
	}
	if e.of[v] == nil {
		e.materialize(v, dst)
		return
	}
	e.move(dst, e.constReg(v), e.valueWords(v)) // a part of a constant
}

// gather returns the first of consecutive registers that hold the values one after
// another: those where they are, or scratch ones to which they are moved.
func (e *emitter) gather(values []ssa.Value) (first int32, words int) {
	inPlace := len(values) > 0
	for _, v := range values {
		r, ok := e.location(v)
		if words == 0 {
			first = r
		}
		n := e.valueWords(v)
		inPlace = inPlace && ok && (n == 0 || r == first+int32(words))
		words += n
	}
	if inPlace {
		return first, words
	}
	if len(values) == 1 {
		return e.reg(values[0]), words
	}
	first = e.regs.Scratch(words)
	at := first
	for _, v := range values {
		e.put(v, at)
		at += int32(e.valueWords(v))
	}
	return first, words
}

// loadConst emits code that puts the constant with key in the registers from dst on.
func (e *emitter) loadConst(key constKey, dst int32) {
	switch {
	case key.kind == code.ConstString && key.text == "":
		e.emit(code.Instr{Op: code.Zero, K: 2, A: dst})
	case key.kind == code.ConstWords && key.n == 1 && int64(key.bits[0]) == int64(int32(key.bits[0])):
		e.emit(code.Instr{Op: code.Imm, A: dst, C: int32(key.bits[0])})
	default:
		e.emit(code.Instr{Op: code.Const, K: uint16(key.n), A: dst, B: e.constant(key)})
	}
}

// materialize emits code that puts the constant v in the registers from dst on.
func (e *emitter) materialize(v ssa.Value, dst int32) {
	if key := keyOf(v); key.n > 0 {
		e.loadConst(key, dst)
		return
	}
	k, ok := v.(*ssa.Const)
	if !ok {
		panic(fmt.Sprintf("operand %s (%T) has no registers", v.Name(), v))
	}
	if k.Value != nil { // unsafe.Pointer(uintptr(1))
		n := e.regs.Scratch(1)
		bits, _ := constBits(k, code.Uint64)
		e.loadConst(constKey{kind: code.ConstWords, n: 1, bits: bits}, n)
		e.emit(code.Instr{Op: code.IntPtr, A: dst, B: n})
		return
	}
	if words := e.words(k.Type()); words > 0 {
		e.zero(dst, words)
	}
}
