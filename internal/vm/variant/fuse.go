package variant

import "github.com/everyway-go/everyway/internal/code"

// Opcodes that exist only in the code that the dispatch loop runs. Each stands for an
// instruction and the one after it, and saves a dispatch. The second instruction stays in
// its place, so that it can be jumped to. In unusual cases (nil pointers, shared or
// symbolic memory) the dispatch loop executes the first instruction as it was compiled.
//
// Fusion does not show outside of the dispatch loop: positions, counts of instructions,
// symbolic values and program counters are those of the single instructions.
//
// The pairs are frequent ones of encoding/json, of the string functions, and of
// numeric loops; see TestFusedPairs for a program with each of them.
const (
	MovMov code.Op = code.NumOps + iota
	MovCall
	MovNCall
	MovReturn
	ImmReturn
	AndIReturn
	ZeroReturn
	AddIJmp
	AddIJmpLtS
	AddIJmpLeS
	AddIJmpLtSI
	AddIAddI
	JmpNeIJmpNeI
	JmpEqIJmpEqI
	ShlIXor
	ShrIXor
	LoadJmpNil
	LoadJmpNotNil
	LoadJmpLeU
	LoadMov
	LoadAddI
	LoadLoad
	LoadReturn
	StoreLoad
	LoadMulF // floating-point operations are those of float64
	LoadAddF
	LoadSubF
	MulFMulF
	MulFAddF
	MulFSubF
	MulFLoad
	AddFStore
	SubFStore
	LoadSJmpLeS
	LoadSJmpLtS
	LoadSJmpNeI
	LoadSLoadS
	IndexStrJmpLtSI
	LtFJmpIf
	LtFJmpIfNot
	LeFJmpIf
	LeFJmpIfNot
	NePJmpIfNot
	EqPJmpIfNot

	// Symbolic is added to the opcodes of instructions that use symbolic registers, in
	// the code for frames that have some. The symbolic part of such an instruction is
	// carried out first. Concrete frames therefore need not check for symbolic values.
	Symbolic
)

// Trapped is set in the opcodes of instructions with a trap: see Traps of package state.
const Trapped code.Op = 1 << 15

// Fusions maps pairs of opcodes to the fused opcode.
var Fusions = map[[2]code.Op]code.Op{
	{code.Mov, code.Mov}:          MovMov,
	{code.Mov, code.Call}:         MovCall,
	{code.MovN, code.Call}:        MovNCall,
	{code.Mov, code.Return}:       MovReturn,
	{code.Imm, code.Return}:       ImmReturn,
	{code.AndI, code.Return}:      AndIReturn,
	{code.Zero, code.Return}:      ZeroReturn,
	{code.AddI, code.Jmp}:         AddIJmp,
	{code.AddI, code.JmpLtS}:      AddIJmpLtS,
	{code.AddI, code.JmpLeS}:      AddIJmpLeS,
	{code.AddI, code.JmpLtSI}:     AddIJmpLtSI,
	{code.AddI, code.AddI}:        AddIAddI,
	{code.JmpNeI, code.JmpNeI}:    JmpNeIJmpNeI,
	{code.JmpEqI, code.JmpEqI}:    JmpEqIJmpEqI,
	{code.ShlI, code.Xor}:         ShlIXor,
	{code.ShrI, code.Xor}:         ShrIXor,
	{code.Load, code.JmpNil}:      LoadJmpNil,
	{code.Load, code.JmpNotNil}:   LoadJmpNotNil,
	{code.Load, code.JmpLeU}:      LoadJmpLeU,
	{code.Load, code.Mov}:         LoadMov,
	{code.Load, code.AddI}:        LoadAddI,
	{code.Load, code.Load}:        LoadLoad,
	{code.Load, code.Return}:      LoadReturn,
	{code.Store, code.Load}:       StoreLoad,
	{code.Load, code.MulF}:        LoadMulF,
	{code.Load, code.AddF}:        LoadAddF,
	{code.Load, code.SubF}:        LoadSubF,
	{code.MulF, code.MulF}:        MulFMulF,
	{code.MulF, code.AddF}:        MulFAddF,
	{code.MulF, code.SubF}:        MulFSubF,
	{code.MulF, code.Load}:        MulFLoad,
	{code.AddF, code.Store}:       AddFStore,
	{code.SubF, code.Store}:       SubFStore,
	{code.LoadS, code.JmpLeS}:     LoadSJmpLeS,
	{code.LoadS, code.JmpLtS}:     LoadSJmpLtS,
	{code.LoadS, code.JmpNeI}:     LoadSJmpNeI,
	{code.LoadS, code.LoadS}:      LoadSLoadS,
	{code.IndexStr, code.JmpLtSI}: IndexStrJmpLtSI,
	{code.LtF, code.JmpIf}:        LtFJmpIf,
	{code.LtF, code.JmpIfNot}:     LtFJmpIfNot,
	{code.LeF, code.JmpIf}:        LeFJmpIf,
	{code.LeF, code.JmpIfNot}:     LeFJmpIfNot,
	{code.NeP, code.JmpIfNot}:     NePJmpIfNot,
	{code.EqP, code.JmpIfNot}:     EqPJmpIfNot,
}

// Fuse returns a copy of ins in which the first instruction of every pair that can be
// fused has the fused opcode.
func Fuse(ins []code.Instr) []code.Instr {
	fused := make([]code.Instr, len(ins))
	copy(fused, ins)
	for i := range len(ins) - 1 {
		if op, ok := Fusions[[2]code.Op{ins[i].Op, ins[i+1].Op}]; ok && fusible(&ins[i], &ins[i+1]) {
			fused[i].Op = op
		}
	}
	return fused
}

// Trap sets traps at instructions of code that Fuse has made of ins.
func Trap(fused, ins []code.Instr, at []int32) {
	for _, i := range at {
		fused[i].Op = ins[i].Op | Trapped
		if i > 0 && fused[i-1].Op < Trapped {
			fused[i-1].Op = ins[i-1].Op // it can no longer be fused with this one
		}
	}
}

// fusible reports whether the operands of a pair of instructions that has a fused opcode
// are of the kinds that the opcode supports.
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
