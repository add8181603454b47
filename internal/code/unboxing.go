package code

import (
	"go/token"
	"iter"
	"math"

	"golang.org/x/tools/go/ssa"
)

// unboxing returns a wrapper around target, a method with receiver type recv, that
// takes a pointer to the receiver.
func unboxing(target *Func, recv *Type, pos token.Pos) *Func {
	args := target.Params - recv.Words
	f := &Func{
		Name:     target.Name,
		SSA:      target.SSA,
		Params:   1 + args,
		Results:  target.Results,
		Callees:  []*ssa.Function{target.SSA},
		Recover:  -1,
		Wrapper:  true,
		Unboxes:  true,
		Standard: target.Standard,
		Own:      target.Own,
	}
	window := int32(f.Params)
	f.Regs = f.Params + max(target.Params, target.Results)
	for off, k := range Pieces(recv.Words) {
		f.Code = append(f.Code, Instr{Op: LoadN, K: uint16(k), A: window + int32(off), B: 0, C: int32(off)})
	}
	if args == 1 {
		f.Code = append(f.Code, Instr{Op: Mov, A: window + int32(recv.Words), B: 1})
	} else {
		for off, k := range Pieces(args) {
			f.Code = append(f.Code, Instr{Op: MovN, K: uint16(k), A: window + int32(recv.Words+off), B: 1 + int32(off)})
		}
	}
	f.Code = append(f.Code,
		Instr{Op: Call, K: ModeCall, A: window, B: 0, C: int32(target.Params), D: int32(target.Results)},
		Instr{Op: Return, K: uint16(target.Results), A: window})
	for range f.Code {
		f.Pos = append(f.Pos, pos)
	}
	return f
}

// Pieces returns the offsets and lengths of pieces of n consecutive words, each of which
// one instruction can move: K holds its length.
func Pieces(n int) iter.Seq2[int, int] {
	return func(yield func(off, words int) bool) {
		for off := 0; off < n; off += math.MaxUint16 {
			if !yield(off, min(n-off, math.MaxUint16)) {
				return
			}
		}
	}
}
