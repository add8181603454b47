package compile

import (
	"fmt"
	"go/constant"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// A constKey identifies a constant of up to two words, a function or a global.
type constKey struct {
	kind code.ConstKind
	n    int // words
	bits [2]uint64
	text string
	ref  ssa.Value
}

// keyOf returns the key of an operand that is a constant; the zero key for
// other operands, and for constants of more words.
func keyOf(v ssa.Value) constKey {
	switch v := v.(type) {
	case *ssa.Function:
		return constKey{kind: code.ConstFunc, n: 1, ref: v}
	case *ssa.Global:
		return constKey{kind: code.ConstGlobal, n: 1, ref: v}
	case *ssa.Const:
		kind := code.KindOf(v.Type())
		switch {
		case v.Value == nil || kind == code.NoKind || kind == code.Pointer:
			return constKey{}
		case kind == code.String:
			return constKey{kind: code.ConstString, n: 2, text: constant.StringVal(v.Value)}
		}
		bits, n := constBits(v, kind)
		return constKey{kind: code.ConstWords, n: n, bits: bits}
	}
	return constKey{}
}

// value returns the constant that a key identifies.
func (key constKey) value() code.ConstValue {
	v := code.ConstValue{Kind: key.kind, Text: key.text}
	switch key.kind {
	case code.ConstWords:
		v.Bits = append(v.Bits, key.bits[:key.n]...)
	case code.ConstFunc:
		v.Func = key.ref.(*ssa.Function)
	case code.ConstGlobal:
		v.Global = key.ref.(*ssa.Global)
	}
	return v
}

// constBits returns the words of a numeric or boolean constant.
func constBits(k *ssa.Const, kind code.Kind) (bits [2]uint64, n int) {
	n = 1
	switch {
	case kind == code.Bool:
		bits[0] = boolBits(k)
	case kind.Signed():
		bits[0] = uint64(k.Int64())
	case kind.Integer():
		bits[0] = k.Uint64()
	case kind == code.Float32:
		bits[0] = float32Bits(k.Float64())
	case kind == code.Float64:
		bits[0] = math.Float64bits(k.Float64())
	case kind == code.Complex64:
		x := k.Complex128()
		return [2]uint64{float32Bits(real(x)), float32Bits(imag(x))}, 2
	case kind == code.Complex128:
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

// constInt returns the value of a constant of integer or boolean type.
func constInt(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return 0, false
	}
	switch kind := code.KindOf(k.Type()); {
	case kind == code.Bool:
		return int64(boolBits(k)), true
	case kind.Signed():
		return k.Int64(), true
	case kind.Integer():
		return int64(k.Uint64()), true
	}
	return 0, false
}

// immediate returns the value of v as the operand of an instruction, when it is
// an integer constant that fits one.
func immediate(v ssa.Value) (int32, bool) {
	x, ok := constInt(v)
	return int32(x), ok && x == int64(int32(x))
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}
