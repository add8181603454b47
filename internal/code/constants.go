package code

import (
	"fmt"
	"go/constant"
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"
)

// A constKey identifies a constant of up to two words, a function or a global.
type constKey struct {
	kind ConstKind
	n    int // words
	bits [2]uint64
	text string
	ref  ssa.Value
}

// keyOf returns the key of an operand that is a constant; the zero key for
// other operands, and for constants of another length.
func keyOf(v ssa.Value) constKey {
	switch v := v.(type) {
	case *ssa.Function:
		return constKey{kind: ConstFunc, n: 1, ref: v}
	case *ssa.Global:
		return constKey{kind: ConstGlobal, n: 1, ref: v}
	case *ssa.Const:
		kind := kindOf(v.Type())
		switch {
		case v.Value == nil || kind == NoKind || kind == Pointer:
			return constKey{}
		case kind == String:
			return constKey{kind: ConstString, n: 2, text: constant.StringVal(v.Value)}
		}
		bits, n := constBits(v, kind)
		return constKey{kind: ConstWords, n: n, bits: bits}
	}
	return constKey{}
}

// constBits returns the words of a numeric or boolean constant.
func constBits(k *ssa.Const, kind Kind) (bits [2]uint64, n int) {
	n = 1
	switch {
	case kind == Bool:
		bits[0] = boolBits(k)
	case kind.Signed():
		bits[0] = uint64(k.Int64())
	case kind.Integer():
		bits[0] = k.Uint64()
	case kind == Float32:
		bits[0] = float32Bits(k.Float64())
	case kind == Float64:
		bits[0] = math.Float64bits(k.Float64())
	case kind == Complex64:
		x := k.Complex128()
		return [2]uint64{float32Bits(real(x)), float32Bits(imag(x))}, 2
	case kind == Complex128:
		x := k.Complex128()
		return [2]uint64{math.Float64bits(real(x)), math.Float64bits(imag(x))}, 2
	default:
		panic(fmt.Sprintf("constant %v of kind %v", k, kind))
	}
	return bits, n
}

func float32Bits(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }

func boolBits(k *ssa.Const) uint64 {
	if constant.BoolVal(k.Value) {
		return 1
	}
	return 0
}

// immediate returns the value of v as the operand of an instruction, when it is
// an integer constant that fits one.
func immediate(v ssa.Value) (int32, bool) {
	x, ok := constInt(v)
	return int32(x), ok && x == int64(int32(x))
}

// maxPins is the number of constants kept in registers throughout a function.
const maxPins = 8

// pinConstants gives registers to constants that loops need in registers, so
// that they are not made again in every round.
func (c *compiler) pinConstants() {
	for i := range c.blocks {
		if c.blocks[i].loops == 0 {
			continue
		}
		for _, instr := range c.blocks[i].Instrs {
			var operands []ssa.Value
			switch instr := instr.(type) {
			case *ssa.BinOp:
				if c.hasImmediate(instr) {
					continue
				}
				operands = []ssa.Value{instr.X, instr.Y}
			case *ssa.UnOp:
				operands = []ssa.Value{instr.X}
			case *ssa.FieldAddr:
				operands = []ssa.Value{instr.X}
			case *ssa.IndexAddr:
				operands = []ssa.Value{instr.X, instr.Index}
			case *ssa.Store:
				operands = []ssa.Value{instr.Addr}
			}
			for _, v := range operands {
				key := keyOf(v)
				if key.n != 1 || key.kind == ConstFunc || c.pinned[key] != nil || len(c.pins) == maxPins {
					continue
				}
				c.pins = append(c.pins, key)
				c.pinned[key] = c.newNode(1)
			}
		}
	}
}

// hasImmediate says whether the instruction for op takes its constant operand
// as an immediate.
func (c *compiler) hasImmediate(op *ssa.BinOp) bool {
	_, right := immediate(op.Y)
	_, left := immediate(op.X)
	kind := kindOf(op.X.Type())
	if !kind.Integer() {
		return false
	}
	switch op.Op {
	case token.ADD, token.AND:
		return right || left
	case token.SUB, token.SHL, token.SHR, token.AND_NOT:
		return right
	case token.MUL:
		return (right || left) && kind.Bits() == 64
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return (right || left) && kind != Uint64 && c.values[op].role == folded
	}
	return false
}

// constant returns the index in the table of the constant with key.
func (c *compiler) constant(key constKey) int32 {
	if i, ok := c.consts[key]; ok {
		return i
	}
	v := ConstValue{Kind: key.kind, Text: key.text}
	switch key.kind {
	case ConstWords:
		v.Bits = append(v.Bits, key.bits[:key.n]...)
	case ConstFunc:
		v.Func = key.ref.(*ssa.Function)
	case ConstGlobal:
		v.Global = key.ref.(*ssa.Global)
	}
	i := int32(len(c.f.Consts))
	c.f.Consts = append(c.f.Consts, v)
	c.consts[key] = i
	return i
}

// loadConst emits code that puts the constant with key in the registers from dst on.
func (c *compiler) loadConst(key constKey, dst int32) {
	switch {
	case key.kind == ConstString && key.text == "":
		c.emitOp(Instr{Op: Zero, K: 2, A: dst})
	case key.kind == ConstWords && key.n == 1 && int64(key.bits[0]) == int64(int32(key.bits[0])):
		c.emitOp(Instr{Op: Imm, A: dst, C: int32(key.bits[0])})
	default:
		c.emitOp(Instr{Op: Const, K: uint16(key.n), A: dst, B: c.constant(key)})
	}
}

// materialize emits code that puts the constant v in the registers from dst on.
func (c *compiler) materialize(v ssa.Value, dst int32) {
	if key := keyOf(v); key.n > 0 {
		c.loadConst(key, dst)
		return
	}
	k, ok := v.(*ssa.Const)
	if !ok {
		panic(fmt.Sprintf("operand %s (%T) has no registers", v.Name(), v))
	}
	if k.Value != nil { // unsafe.Pointer(uintptr(1))
		n := c.scratch(1)
		bits, _ := constBits(k, Uint64)
		c.loadConst(constKey{kind: ConstWords, n: 1, bits: bits}, n)
		c.emitOp(Instr{Op: IntPtr, A: dst, B: n})
		return
	}
	if words := c.words(k.Type()); words > 0 {
		c.zero(dst, words)
	}
}
