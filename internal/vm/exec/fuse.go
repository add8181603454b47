package exec

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Opcodes that exist only in what the dispatch loop runs: each stands for an
// instruction and the one after it, and saves the way from one to the other. The
// second instruction stays behind the first, so that it can be jumped to. Whatever
// is not the usual case (memory that is missing, shared, symbolic) is left to
// the first instruction as it was compiled.
//
// A function as package code compiled it does not know of them: positions, counts of
// instructions, symbolic values and what a goroutine is at are those of the single
// instructions.
//
// The pairs are frequent ones of encoding/json, of the string functions, and of
// numeric loops; see TestFusedPairs for a program with each of them.
const (
	movMov code.Op = code.NumOps + iota
	movCall
	movNCall
	movReturn
	immReturn
	andIReturn
	zeroReturn
	addIJmp
	addIJmpLtS
	addIJmpLeS
	addIJmpLtSI
	addIAddI
	jmpNeIJmpNeI
	jmpEqIJmpEqI
	shlIXor
	shrIXor
	loadJmpNil
	loadJmpNotNil
	loadJmpLeU
	loadMov
	loadAddI
	loadLoad
	loadReturn
	storeLoad
	loadMulF // the floating-point ones are of float64
	loadAddF
	loadSubF
	mulFMulF
	mulFAddF
	mulFSubF
	mulFLoad
	addFStore
	subFStore
	loadSJmpLeS
	loadSJmpLtS
	loadSJmpNeI
	loadSLoadS
	indexStrJmpLtSI
	ltFJmpIf
	ltFJmpIfNot
	leFJmpIf
	leFJmpIfNot
	nePJmpIfNot
	eqPJmpIfNot

	// symbolicOps is added to the opcodes of the code that frames with symbolic
	// registers run: those instructions get their symbolic side done first (see
	// shadow), so that concrete frames need not ask whether there is one.
	symbolicOps
)

// Fusions gives the opcode that stands for a pair.
var Fusions = map[[2]code.Op]code.Op{
	{code.Mov, code.Mov}:          movMov,
	{code.Mov, code.Call}:         movCall,
	{code.MovN, code.Call}:        movNCall,
	{code.Mov, code.Return}:       movReturn,
	{code.Imm, code.Return}:       immReturn,
	{code.AndI, code.Return}:      andIReturn,
	{code.Zero, code.Return}:      zeroReturn,
	{code.AddI, code.Jmp}:         addIJmp,
	{code.AddI, code.JmpLtS}:      addIJmpLtS,
	{code.AddI, code.JmpLeS}:      addIJmpLeS,
	{code.AddI, code.JmpLtSI}:     addIJmpLtSI,
	{code.AddI, code.AddI}:        addIAddI,
	{code.JmpNeI, code.JmpNeI}:    jmpNeIJmpNeI,
	{code.JmpEqI, code.JmpEqI}:    jmpEqIJmpEqI,
	{code.ShlI, code.Xor}:         shlIXor,
	{code.ShrI, code.Xor}:         shrIXor,
	{code.Load, code.JmpNil}:      loadJmpNil,
	{code.Load, code.JmpNotNil}:   loadJmpNotNil,
	{code.Load, code.JmpLeU}:      loadJmpLeU,
	{code.Load, code.Mov}:         loadMov,
	{code.Load, code.AddI}:        loadAddI,
	{code.Load, code.Load}:        loadLoad,
	{code.Load, code.Return}:      loadReturn,
	{code.Store, code.Load}:       storeLoad,
	{code.Load, code.MulF}:        loadMulF,
	{code.Load, code.AddF}:        loadAddF,
	{code.Load, code.SubF}:        loadSubF,
	{code.MulF, code.MulF}:        mulFMulF,
	{code.MulF, code.AddF}:        mulFAddF,
	{code.MulF, code.SubF}:        mulFSubF,
	{code.MulF, code.Load}:        mulFLoad,
	{code.AddF, code.Store}:       addFStore,
	{code.SubF, code.Store}:       subFStore,
	{code.LoadS, code.JmpLeS}:     loadSJmpLeS,
	{code.LoadS, code.JmpLtS}:     loadSJmpLtS,
	{code.LoadS, code.JmpNeI}:     loadSJmpNeI,
	{code.LoadS, code.LoadS}:      loadSLoadS,
	{code.IndexStr, code.JmpLtSI}: indexStrJmpLtSI,
	{code.LtF, code.JmpIf}:        ltFJmpIf,
	{code.LtF, code.JmpIfNot}:     ltFJmpIfNot,
	{code.LeF, code.JmpIf}:        leFJmpIf,
	{code.LeF, code.JmpIfNot}:     leFJmpIfNot,
	{code.NeP, code.JmpIfNot}:     nePJmpIfNot,
	{code.EqP, code.JmpIfNot}:     eqPJmpIfNot,
}

// fuse returns ins with the first of every pair that has one replaced by its fused
// opcode.
func fuse(ins []code.Instr) []code.Instr {
	fused := make([]code.Instr, len(ins))
	copy(fused, ins)
	for i := range len(ins) - 1 {
		if op, ok := Fusions[[2]code.Op{ins[i].Op, ins[i+1].Op}]; ok && fusible(&ins[i], &ins[i+1]) {
			fused[i].Op = op
		}
	}
	return fused
}

// fusible reports whether a pair that has a fused opcode is of kinds that it is for.
func fusible(first, second *code.Instr) bool {
	for _, in := range []*code.Instr{first, second} {
		switch in.Op {
		case code.AddF, code.SubF, code.MulF, code.LtF, code.LeF:
			if code.Kind(in.K) != code.Float64 {
				return false
			}
		case code.Call:
			if in.K != code.ModeCall {
				return false
			}
		case code.ShlI, code.ShrI:
			if k := code.Kind(in.K); k != code.Uint64 && (k != code.Int64 || in.Op == code.ShrI) {
				return false
			}
		}
	}
	return true
}

// numberAt returns the number in the cell at p+c; ok is false when reading it is no
// matter of a look.
func (m *Interpreter) numberAt(p heap.Word, c int32) (n uint64, ok bool) {
	off := int(p.N) + int(c)
	if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.Multi {
		return 0, false
	}
	w := &p.P.Cells[off]
	return w.N, w.P == nil
}

// elementAt returns the number in element i of the slice at base with n elements; ok is
// false when reading it is no matter of a look.
func (m *Interpreter) elementAt(base heap.Word, n, i uint64) (v uint64, ok bool) {
	off := base.N + i
	if i >= n || base.P.Sym != nil || m.Multi {
		return 0, false
	}
	if off < uint64(len(base.P.Cells)) {
		w := &base.P.Cells[off]
		return w.N, w.P == nil
	}
	if off < uint64(len(base.P.Bytes)) {
		return uint64(base.P.Bytes[off]), true
	}
	return 0, false
}
