package exec

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// executeSymbolic carries out the symbolic part of an instruction of f, the top frame of
// g, which holds symbolic values. It is called before the instruction itself, and
// computes the shadows of the results from those of the operands. Conditions that decide
// where the program continues, or whether it panics, are added to the path condition.
// Values that have to be concrete are made concrete.
//
// Some instructions, such as loads and stores at symbolic indices and comparisons that
// follow pointers, are carried out here entirely. Then done is true, unless they fail, in
// which case m.Fault says why. Instructions that move values to and from interfaces,
// maps, call windows and so on handle the shadows of these values themselves; for them,
// only the operands that must be concrete are handled here.
func (m *Interpreter) executeSymbolic(g *state.Goroutine, f *state.Frame, in *code.Instr) (done bool) {
	base := int(f.Base)
	sy := g.Sym[base : base+f.Func.Regs]
	r := g.Stack[base : base+f.Func.Regs]
	a, b, c := in.A, in.B, in.C
	k := code.Kind(in.K)
	if m.ClockReadings > 0 || m.Draws > 0 {
		m.fixOperands(g, in, r, sy)
	}
	switch in.Op {
	case code.Mov:
		sy[a] = sy[b]
	case code.MovN:
		copy(sy[a:], sy[b:int(b)+int(in.K)])
	case code.Imm, code.New:
		sy[a] = expr.None
	case code.Const, code.Zero:
		clear(sy[a : int(a)+int(in.K)])

	case code.Add, code.AddK, code.AddI, code.AddKI, code.Sub, code.SubK, code.Mul, code.MulK, code.MulI,
		code.And, code.AndI, code.Or, code.Xor, code.AndNot, code.MulHi, code.ShlI, code.ShrI, code.Neg, code.Com, code.Not, code.Conv,
		code.AddF, code.SubF, code.MulF, code.DivF, code.NegF, code.SqrtF, code.RoundF, code.EqF, code.NeF, code.LtF, code.LeF,
		code.EqW, code.EqP, code.NeW, code.NeP, code.LtS, code.LtU, code.LeS, code.LeU:
		symbolic.SetResult(m.Arena, in, r, sy)
	case code.Div, code.Rem:
		m.CheckDivisor(g, symbolic.Operand{Word: r[c], Sym: sy[c]}, k)
		symbolic.SetResult(m.Arena, in, r, sy)
	case code.Shl, code.Shr:
		if code.Kind(in.D).Signed() {
			m.CheckCount(g, symbolic.Operand{Word: r[c], Sym: sy[c]}, code.Kind(in.D))
		}
		symbolic.SetResult(m.Arena, in, r, sy)
	case code.Rot:
		sy[a] = symbolic.Rotation(m.Arena, k, symbolic.Operand{Word: r[b], Sym: sy[b]}, symbolic.Operand{Word: r[c], Sym: sy[c]})
	case code.MkComplex:
		sy[a], sy[a+1] = sy[b], sy[c]
	case code.AddC, code.SubC, code.NegC, code.EqC, code.ConvC:
		symbolic.SetComplex(m.Arena, in, r, sy)

	case code.EqStr, code.NeStr, code.LtStr, code.LeStr:
		m.ConcretizeRegisters(g, base+int(b), 2)
		m.ConcretizeRegisters(g, base+int(c), 2)
		sy[a] = m.CompareTexts(g, in.Op, r[b:b+2], r[c:c+2])
		r[a] = heap.BoolWord(symbolic.CompareStrings(in.Op, r[b:b+2], r[c:c+2]))
		return true
	case code.Eq, code.Ne:
		t := f.Func.Types[in.D]
		x := symbolic.Operands{Words: r[b : int(b)+t.Words], Syms: sy[b : int(b)+t.Words]}
		y := symbolic.Operands{Words: r[c : int(c)+t.Words], Syms: sy[c : int(c)+t.Words]}
		eq := m.EqualSym(g, t, x, y)
		if in.Op == code.Ne {
			eq = m.Arena.Not(eq)
		}
		same, ok := m.Equal(g, t, x.Words, y.Words)
		if ok {
			sy[a] = symbolic.UnlessConst(m.Arena, eq)
			r[a] = heap.BoolWord(same == (in.Op == code.Eq))
		}
		return true
	case code.MinMax:
		if code.Kind(in.K) == code.String {
			m.minMaxTexts(g, f, in, r, sy)
			return true
		}
		symbolic.SetResult(m.Arena, in, r, sy)

	case code.JmpIf, code.JmpIfNot, code.JmpEq, code.JmpNe, code.JmpLtS, code.JmpLeS, code.JmpLtU, code.JmpLeU,
		code.JmpEqI, code.JmpNeI, code.JmpLtSI, code.JmpLeSI, code.JmpGtSI, code.JmpGeSI:
		m.symJump(g, f, in, r, sy)
	case code.JmpNil, code.JmpNotNil:
		m.CheckNil(g, r[a], sy[a], run.Jump)

	case code.Load, code.LoadN:
		m.concretizePointer(g, base+int(b))
		if r[b].P != nil {
			n := 1
			if in.Op == code.LoadN {
				n, k = int(in.K), code.NoKind
			}
			m.LoadSlow(g, f, int(a), r[b].P, int(r[b].N)+int(c), n, k)
			return true
		}
	case code.Store, code.StoreN:
		m.concretizePointer(g, base+int(a))
		if r[a].P != nil {
			n := 1
			if in.Op == code.StoreN {
				n, k = int(in.K), code.NoKind
			}
			m.StoreSlow(g, f, r[a].P, int(r[a].N)+int(c), int(b), n, k)
			return true
		}
	case code.Copy:
		m.concretizePointer(g, base+int(a))
		m.concretizePointer(g, base+int(b))
	case code.Addr:
		m.concretizePointer(g, base+int(b))
		sy[a] = expr.None
	case code.NilCheck:
		m.CheckNil(g, r[b], sy[b], run.Check)
	case code.IndexS, code.LoadS:
		if in.Op == code.LoadS && m.LoadIndexed(g, in, r, sy) {
			return true
		}
		m.ConcretizeRegisters(g, base+int(b), 3)
		m.concretizeIndex(g, base+int(c), r[b+1].N)
		if in.Op == code.IndexS {
			sy[a] = expr.None
		} else if r[c].N < r[b+1].N {
			m.LoadSlow(g, f, int(a), r[b].P, int(r[b].N+r[c].N), 1, k)
			return true
		}
	case code.IndexA, code.LoadA:
		if in.Op == code.LoadA && m.LoadIndexed(g, in, r, sy) {
			return true
		}
		m.concretizePointer(g, base+int(b))
		m.concretizeIndex(g, base+int(c), uint64(in.D))
		if in.Op == code.IndexA {
			sy[a] = expr.None
		} else if r[b].P != nil && r[c].N < uint64(in.D) {
			m.LoadSlow(g, f, int(a), r[b].P, int(r[b].N+r[c].N), 1, k)
			return true
		}
	case code.StoreS:
		if m.StoreIndexed(g, in, r, sy) {
			return true
		}
		m.ConcretizeRegisters(g, base+int(a), 3)
		m.concretizeIndex(g, base+int(c), r[a+1].N)
		if r[c].N < r[a+1].N {
			m.StoreSlow(g, f, r[a].P, int(r[a].N+r[c].N), int(b), 1, k)
			return true
		}
	case code.StoreA:
		if m.StoreIndexed(g, in, r, sy) {
			return true
		}
		m.concretizePointer(g, base+int(a))
		m.concretizeIndex(g, base+int(c), uint64(in.D))
		if r[a].P != nil && r[c].N < uint64(in.D) {
			m.StoreSlow(g, f, r[a].P, int(r[a].N+r[c].N), int(b), 1, k)
			return true
		}
	case code.IndexV:
		m.concretizeIndex(g, base+int(c), uint64(in.D))
		if i, n := r[c].N, int32(in.K); i < uint64(in.D) {
			from := b + int32(i)*n
			copy(sy[a:a+n], sy[from:from+n])
		}
	case code.FreeVar:
		m.LoadShadow(g, f, base+int(a), f.Closure.ShadowAt(int(c), int(in.K)), int(in.K))
	case code.IndexStr:
		if m.LoadIndexed(g, in, r, sy) {
			return true
		}
		m.ConcretizeRegisters(g, base+int(b), 2)
		m.concretizeIndex(g, base+int(c), r[b+1].N)
		if i := r[c].N; i < r[b+1].N {
			o, off := r[b].P, int(r[b].N+i)
			r[a] = o.Word(off)
			m.LoadShadow(g, f, base+int(a), o.ShadowAt(off, 1), 1)
			return true
		}

	case code.SliceS, code.SliceStr, code.SliceP:
		m.symSlice(g, f, in, r)
	case code.MakeSlice:
		m.concretizeSize(g, base+int(b), r[b])
		m.concretizeSize(g, base+int(c), r[c])
		clear(sy[a : a+3])
	case code.Append, code.CopyS:
		m.ConcretizeRegisters(g, base+int(b), 3)
		m.ConcretizeRegisters(g, base+int(c), 3)
		m.clearResults(f, in, sy)
	case code.AppendN:
		m.ConcretizeRegisters(g, base+int(b), 3)
	case code.Assert, code.TypeWord, code.CallIface:
		m.ConcretizeRegister(g, base+int(b)) // the dynamic type
		switch in.Op {
		case code.TypeWord:
			sy[a] = expr.None
		case code.CallIface:
			sy[a] = sy[b+1] // the receiver
		}
	case code.CallFn:
		m.concretizePointer(g, base+int(b))
	case code.Call, code.CallOwn, code.Closure, code.MakeIface, code.Return, code.Panic, code.Recover, code.Print,
		code.IntStr, code.Nop, code.Jmp, code.Cover, code.RunDefers, code.DeferStack, code.Unsupported:
		// Nothing has to be concrete.
	case code.Send:
		m.concretizePointer(g, base+int(a))
	case code.Recv:
		m.concretizePointer(g, base+int(b))
	case code.SelectCh:
		for i := range f.Func.Selects[b].Cases {
			m.concretizePointer(g, base+int(f.Func.Selects[b].Cases[i].Chan))
		}
	case code.MapGet, code.MapDel, code.MapNext, code.MapLen:
		m.ConcretizeRegister(g, base+int(b)) // the map or the iterator
		if in.Op == code.MapLen {
			sy[a] = expr.None
		}
	case code.MapSet, code.MapClear:
		m.ConcretizeRegister(g, base+int(a))
	default:
		for _, run := range f.Func.Reads(in) {
			m.ConcretizeRegisters(g, base+int(run.First), run.Words)
		}
		m.clearResults(f, in, sy)
	}
	return false
}

// fixOperands fixes readings of the clock and random numbers if in computes something from
// which it is hard to tell what they were. With sums, differences, comparisons and the masks
// and shifts in the representation of a time.Time, it is easy.
func (m *Interpreter) fixOperands(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) {
	use := state.Mixed
	switch in.Op {
	case code.MulHi, code.Rot:
	case code.Mul, code.MulK, code.MulI:
		if !m.overflows(in, r, sy) {
			use = state.Scaled
		}
	case code.Div, code.Xor:
		use = state.Divided
	case code.Rem:
		use = state.Scaled
	case code.Conv:
		if !code.Kind(in.K).Float() {
			return
		}
		use = state.Scaled
	case code.LoadS, code.LoadA, code.StoreS, code.StoreA, code.IndexStr:
		if x := sy[in.C]; x != expr.None && m.Fix(g, x, state.Indexed) {
			sy[in.C] = expr.None
		}
		return
	default:
		return
	}
	x, y := symbolic.OperandsOf(in, r, sy)
	for i, sym := range [...]expr.ID{x.Sym, y.Sym} {
		if sym != expr.None && m.Fix(g, sym, use) {
			sy[[...]int32{in.B, in.C}[i]] = expr.None
		}
	}
}

// overflows reports whether the product that in computes may be anything.
func (m *Interpreter) overflows(in *code.Instr, r []heap.Word, sy []expr.ID) bool {
	x, y := symbolic.OperandsOf(in, r, sy)
	product, k := symbolic.Result(m.Arena, in, x, y)
	return product != expr.None && m.Arena.Spread(product) >= 1<<k.Bits()-1
}

// clearResults makes the results of in concrete.
func (m *Interpreter) clearResults(f *state.Frame, in *code.Instr, sy []expr.ID) {
	for _, run := range f.Func.Writes(in) {
		clear(sy[run.First : int(run.First)+run.Words])
	}
}

// symJump adds the condition of a jump to the path condition, unless both sides can be
// merged.
func (m *Interpreter) symJump(g *state.Goroutine, f *state.Frame, in *code.Instr, r []heap.Word, sy []expr.ID) {
	t := symbolic.ComparisonOf(in, r, sy)
	if t.Symbolic() && !(m.Plan.Merge != run.MergeNone && m.merge(g, f)) {
		m.AddCondition(g, t.Expr(m.Arena), t.Holds(), run.Jump)
	}
}

// minMaxTexts carries out min or max of two strings. Which of them is the result is a condition.
func (m *Interpreter) minMaxTexts(g *state.Goroutine, f *state.Frame, in *code.Instr, r []heap.Word, sy []expr.ID) {
	for _, at := range []int32{in.B, in.C} {
		m.ConcretizeRegisters(g, int(f.Base)+int(at), 2)
	}
	x, y := r[in.B:in.B+2], r[in.C:in.C+2]
	if in.D == 1 {
		x, y = y, x
	}
	if less := m.CompareTexts(g, code.LtStr, y, x); less != expr.None { // the second is the result
		m.AddCondition(g, less, symbolic.CompareStrings(code.LtStr, y, x), run.Jump)
	}
	symbolic.MinMax(r, in)
	clear(sy[in.A : in.A+2])
}

// concretizePointer makes the pointer in the register at Stack[at] concrete. Whether it
// is nil is a condition of its own.
func (m *Interpreter) concretizePointer(g *state.Goroutine, at int) {
	if g.Sym[at] != expr.None {
		m.CheckNil(g, g.Stack[at], g.Sym[at], run.Check)
		m.ConcretizeRegister(g, at)
	}
}

// concretizeIndex makes the index in the register at Stack[at] concrete. Whether it is
// less than n is a condition of its own. It stays symbolic where any element would do.
func (m *Interpreter) concretizeIndex(g *state.Goroutine, at int, n uint64) {
	x := g.Sym[at]
	if x == expr.None || m.Decisions.Free != nil && m.Decisions.Free(m.SiteOfTop(g)) {
		return
	}
	x = symbolic.Fit(m.Arena, x, code.Int64)
	m.AddCondition(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), g.Stack[at].N < n, run.Check)
	m.ConcretizeRegister(g, at)
}

// concretizeSize makes the size in the register at Stack[at] concrete. Whether it is
// negative is a condition of its own.
func (m *Interpreter) concretizeSize(g *state.Goroutine, at int, w heap.Word) {
	if x := g.Sym[at]; x != expr.None {
		x = symbolic.Fit(m.Arena, x, code.Int64)
		m.AddCondition(g, m.Arena.Sle(m.Arena.Const(0, 64), x), int64(w.N) >= 0, run.Check)
		m.ConcretizeRegister(g, at)
	}
}

// symSlice makes the operands of a slice expression concrete. The results of Go's checks
// are conditions of their own, in the order in which Go makes the checks.
func (m *Interpreter) symSlice(g *state.Goroutine, f *state.Frame, in *code.Instr, r []heap.Word) {
	base := int(f.Base)
	var limit symbolic.Operand // the capacity, or the length of a string
	switch in.Op {
	case code.SliceS:
		m.ConcretizeRegisters(g, base+int(in.B), 3)
		limit.Word = r[in.B+2]
	case code.SliceStr:
		m.ConcretizeRegisters(g, base+int(in.B), 2)
		limit.Word = r[in.B+1]
	default:
		m.concretizePointer(g, base+int(in.B))
		limit.N = uint64(f.Func.Types[in.D].Len)
	}
	for i := 2; i >= 0; i-- {
		if in.K&(1<<i) == 0 {
			continue
		}
		at := base + int(in.C) + i
		x := symbolic.Operand{Word: g.Stack[at], Sym: g.Sym[at]}
		holds := x.N <= limit.N
		if x.Sym != expr.None || limit.Sym != expr.None {
			m.AddCondition(g, m.Arena.Ule(x.Expr(m.Arena, code.Int64), limit.Expr(m.Arena, code.Int64)), holds, run.Check)
		}
		if !holds {
			break // the slice expression panics here
		}
		limit = x
	}
	for i := range 3 {
		if in.K&(1<<i) != 0 {
			m.ConcretizeRegister(g, base+int(in.C)+i)
		}
	}
	m.clearResults(f, in, g.Sym[base:])
}

// maxVariants is the maximum number of variants of a function. The last of them covers
// all cases.
const maxVariants = 8

// symbolicCode returns the code that f, a frame of g with symbolic registers, runs from
// its current instruction on. It drops the shadows of registers that are not needed any
// more.
func symbolicCode(g *state.Goroutine, f *state.Frame) []code.Instr {
	fn := f.Func
	if g.Merging.On {
		return fn.Regions.Code
	}
	needed := fn.NeededBefore(f.PC)
	var room [8]uint64
	symbolic := room[:]
	if len(needed) > len(room) {
		symbolic = make([]uint64, len(needed))
	}
	symbolic = symbolic[:len(needed)]
	for r, x := range g.Sym[f.Base : int(f.Base)+fn.Regs] {
		if x == expr.None {
			continue
		}
		if bit := uint64(1) << (r % 64); needed[r/64]&bit != 0 {
			symbolic[r/64] |= bit
		} else {
			g.Sym[int(f.Base)+r] = expr.None
		}
	}
	for i := range fn.Variants {
		if v := &fn.Variants[i]; v.Covers(int(f.PC), symbolic) {
			return v.Code
		}
	}
	if len(fn.Variants) == maxVariants-1 {
		fn.Variants = append(fn.Variants, variant.General(fn.Func, fn.Fused))
	} else {
		fn.Variants = append(fn.Variants, variant.For(fn.Func, fn.Fused, int(f.PC), symbolic))
	}
	return fn.Variants[len(fn.Variants)-1].Code
}
