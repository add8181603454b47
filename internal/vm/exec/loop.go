package exec

import (
	"math"
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/internal/vm/value"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// Execute executes g until it parks or ends, or the run is over.
//
// In the loop, r are the registers of the top frame f, in is the current instruction and pc the
// index of the next one. Before anything that may fail, park, use the position of the goroutine, or
// change frames, registers or shadows outside of the loop, f.PC is set to the current instruction.
// Such an instruction ends by jumping to resume, where the loop's variables are set again, or to
// done if the frames have not changed. Simple instructions make no calls, unless accesses are
// watched. Methods that carry out instructions return false if they could not; m.Fault says why.
func (m *Interpreter) Execute(g *state.Goroutine) {
	m.Preserve(g)
	m.PrepareAccesses(g) // there may have been a checkpoint
	m.watched.left = 0
	var (
		f *state.Frame
		// The call in progress.
		callee  *state.Function
		closure *heap.Object
	)

reload:
	if m.Over || g.Status != state.Running {
		return
	}
	f = g.Top()

enter:
	if f.Func.Summarised {
		if !m.Summaries.Enter(g, f) {
			return
		}
		f = g.Top()
	}

	// These do not change while f runs.
	ins := f.Func.Fused
	if f.Symbolic {
		ins = symbolicCode(g, f)
	}
	end := int(f.Base) + f.Func.Regs
	r := g.Stack[f.Base:end:end]

	for pc := int(f.PC); ; {
		in := &ins[pc]
		pc++
		var v uint64    // result of instructions that yield a number
		var w heap.Word // result of others that yield a single word
	again:
		switch in.Op {
		case code.Nop:
			continue

		// Data movement.
		case code.Mov:
			w = r[in.B]
			goto word
		case code.MovN:
			heap.MoveWords(r, int(in.A), int(in.B), int(in.K))
			continue
		case code.Imm:
			v = uint64(int64(in.C))
		case code.Const:
			at := f.Func.ConstAt[in.B]
			heap.CopyWords(r[in.A:], f.Func.ConstWords[at:int(at)+int(in.K)])
			continue
		case code.Zero:
			heap.ZeroWords(r[in.A : int(in.A)+int(in.K)])
			continue

		// Integer arithmetic.
		case code.Add:
			v = r[in.B].N + r[in.C].N
		case code.AddK:
			v = r[in.B].N + r[in.C].N
			goto narrow
		case code.AddI:
			v = r[in.B].N + uint64(int64(in.C))
		case code.AddKI:
			v = r[in.B].N + uint64(int64(in.C))
			goto narrow
		case code.Sub:
			v = r[in.B].N - r[in.C].N
		case code.SubK:
			v = r[in.B].N - r[in.C].N
			goto narrow
		case code.Mul:
			v = r[in.B].N * r[in.C].N
		case code.MulK:
			v = r[in.B].N * r[in.C].N
			goto narrow
		case code.MulI:
			v = r[in.B].N * uint64(int64(in.C))
		case code.Div, code.Rem:
			x, y := r[in.B].N, r[in.C].N
			if y == 0 {
				f.PC = int32(pc) - 1
				m.PanicError(g, "integer divide by zero")
				goto fault
			}
			v = symbolic.Divide(in.Op == code.Rem, code.Kind(in.K), x, y)
		case code.And:
			v = r[in.B].N & r[in.C].N
		case code.AndI:
			v = r[in.B].N & uint64(int64(in.C))
		case code.Or:
			v = r[in.B].N | r[in.C].N
		case code.Xor:
			v = r[in.B].N ^ r[in.C].N
		case code.AndNot:
			v = r[in.B].N &^ r[in.C].N
		case code.Shl:
			n := r[in.C].N
			if int64(n) < 0 && code.Kind(in.D).Signed() {
				f.PC = int32(pc) - 1
				m.PanicError(g, "negative shift amount")
				goto fault
			}
			v = r[in.B].N << n
			goto narrow
		case code.Shr:
			n := r[in.C].N
			if int64(n) < 0 && code.Kind(in.D).Signed() {
				f.PC = int32(pc) - 1
				m.PanicError(g, "negative shift amount")
				goto fault
			}
			if code.Kind(in.K).Signed() {
				v = uint64(int64(r[in.B].N) >> n)
			} else {
				v = r[in.B].N >> n
			}
		case code.ShlI:
			v = r[in.B].N << uint32(in.C)
			goto narrow
		case code.ShrI:
			if code.Kind(in.K).Signed() {
				v = uint64(int64(r[in.B].N) >> uint32(in.C))
			} else {
				v = r[in.B].N >> uint32(in.C)
			}
		case code.Neg:
			v = -r[in.B].N
			goto narrow
		case code.Com:
			v = ^r[in.B].N
			goto narrow
		case code.Not:
			v = r[in.B].N ^ 1
		case code.Rot:
			v = symbolic.Rotate(code.Kind(in.K), r[in.B].N, int(r[in.C].N))
		case code.MulHi:
			v, _ = bits.Mul64(r[in.B].N, r[in.C].N)

		// Floating point.
		case code.AddF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(symbolic.Float32Of(r[in.B]) + symbolic.Float32Of(r[in.C]))
			}
		case code.SubF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(symbolic.Float32Of(r[in.B]) - symbolic.Float32Of(r[in.C]))
			}
		case code.MulF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(symbolic.Float32Of(r[in.B]) * symbolic.Float32Of(r[in.C]))
			}
		case code.DivF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) / math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(symbolic.Float32Of(r[in.B]) / symbolic.Float32Of(r[in.C]))
			}
		case code.NegF:
			v = r[in.B].N ^ symbolic.SignBit(code.Kind(in.K))
		case code.SqrtF:
			v = expr.Float64Bits(math.Sqrt(math.Float64frombits(r[in.B].N)))
		case code.RoundF:
			v = expr.Round(expr.Rounding(in.C), 64, r[in.B].N)
		case code.AddC, code.SubC, code.MulC, code.DivC, code.NegC:
			symbolic.ComplexArith(in.Op, code.Kind(in.K), r, in)
			continue
		case code.EqC:
			v = heap.Bool(symbolic.EqualComplex(code.Kind(in.K), r[in.B:in.B+2], r[in.C:in.C+2]))

		// Comparisons.
		case code.EqW:
			v = heap.Bool(r[in.B].N == r[in.C].N)
		case code.NeW:
			v = heap.Bool(r[in.B].N != r[in.C].N)
		case code.LtS:
			v = heap.Bool(int64(r[in.B].N) < int64(r[in.C].N))
		case code.LeS:
			v = heap.Bool(int64(r[in.B].N) <= int64(r[in.C].N))
		case code.LtU:
			v = heap.Bool(r[in.B].N < r[in.C].N)
		case code.LeU:
			v = heap.Bool(r[in.B].N <= r[in.C].N)
		case code.EqF:
			v = heap.Bool(symbolic.FloatOf(code.Kind(in.K), r[in.B]) == symbolic.FloatOf(code.Kind(in.K), r[in.C]))
		case code.NeF:
			v = heap.Bool(symbolic.FloatOf(code.Kind(in.K), r[in.B]) != symbolic.FloatOf(code.Kind(in.K), r[in.C]))
		case code.LtF:
			v = heap.Bool(symbolic.FloatOf(code.Kind(in.K), r[in.B]) < symbolic.FloatOf(code.Kind(in.K), r[in.C]))
		case code.LeF:
			v = heap.Bool(symbolic.FloatOf(code.Kind(in.K), r[in.B]) <= symbolic.FloatOf(code.Kind(in.K), r[in.C]))
		case code.EqP:
			v = heap.Bool(r[in.B] == r[in.C])
		case code.NeP:
			v = heap.Bool(r[in.B] != r[in.C])
		case code.EqStr, code.NeStr, code.LtStr, code.LeStr:
			x, y := r[in.B:in.B+2], r[in.C:in.C+2]
			if symbolic.IsText(x) || symbolic.IsText(y) {
				goto symbolic
			}
			v = heap.Bool(symbolic.CompareStrings(in.Op, x, y))
		case code.Eq, code.Ne:
			t := f.Func.Types[in.D]
			x, y := r[in.B:int(in.B)+t.Words], r[in.C:int(in.C)+t.Words]
			if symbolic.HasText(t, x) || symbolic.HasText(t, y) {
				goto symbolic
			}
			f.PC = int32(pc) - 1
			eq, ok := m.Equal(g, t, x, y)
			if !ok {
				goto fault
			}
			v = heap.Bool(eq == (in.Op == code.Eq))

		// Conversions.
		case code.Conv:
			v = symbolic.ConvertWord(code.Kind(in.C), code.Kind(in.K), r[in.B].N)
		case code.ConvC:
			symbolic.ConvertComplex(code.Kind(in.C), code.Kind(in.K), r[in.B:in.B+2], r[in.A:in.A+2])
			continue
		case code.MkComplex:
			r[in.A], r[in.A+1] = heap.Word{N: r[in.B].N}, heap.Word{N: r[in.C].N}
			continue
		case code.StrBytes:
			f.PC = int32(pc) - 1
			if !m.CopyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 3) {
				goto fault
			}
			goto done
		case code.BytesStr:
			f.PC = int32(pc) - 1
			if !m.CopyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 2) {
				goto fault
			}
			goto done
		case code.StrRunes:
			f.PC = int32(pc) - 1
			if !m.StrRunes(g, r, in) {
				goto fault
			}
			goto done
		case code.RunesStr:
			f.PC = int32(pc) - 1
			if !m.RunesStr(g, f, r, in) {
				goto fault
			}
			goto done
		case code.IntStr:
			f.PC = int32(pc) - 1
			if !m.IntStr(g, f, r, in) {
				goto fault
			}
			goto done
		case code.PtrInt:
			f.PC = int32(pc) - 1
			if m.BeyondSpan(r[in.B]) {
				m.Unsupported(g, "the address of memory that is far from the start of its variable")
				goto fault
			}
			v = m.PointerToInt(g, r[in.B]).N
		case code.IntPtr:
			f.PC = int32(pc) - 1
			if !m.IntToPointer(g, r, in) {
				goto fault
			}
			goto done
		case code.SliceArr:
			f.PC = int32(pc) - 1
			if n := r[in.B+1].N; n < uint64(in.C) {
				m.PanicBounds(g, value.BoundsConvert, uint64(in.C), int64(n), true)
				goto fault
			}
			w = r[in.B]
			goto word
		case code.SliceToArr:
			f.PC = int32(pc) - 1
			if !m.SliceToArr(g, f, r, in, f.Func.Types[in.D]) {
				goto fault
			}
			goto done

		// Control flow.
		case code.Jmp:
			goto taken
		case code.JmpIf:
			if r[in.A].N != 0 {
				goto taken
			}
			continue
		case code.JmpIfNot:
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case code.JmpEq:
			if r[in.A].N == r[in.B].N {
				goto taken
			}
			continue
		case code.JmpNe:
			if r[in.A].N != r[in.B].N {
				goto taken
			}
			continue
		case code.JmpLtS:
			if int64(r[in.A].N) < int64(r[in.B].N) {
				goto taken
			}
			continue
		case code.JmpLeS:
			if int64(r[in.A].N) <= int64(r[in.B].N) {
				goto taken
			}
			continue
		case code.JmpLtU:
			if r[in.A].N < r[in.B].N {
				goto taken
			}
			continue
		case code.JmpLeU:
			if r[in.A].N <= r[in.B].N {
				goto taken
			}
			continue
		case code.JmpEqI:
			if r[in.A].N == uint64(int64(in.C)) {
				goto taken
			}
			continue
		case code.JmpNeI:
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			continue
		case code.JmpLtSI:
			if int64(r[in.A].N) < int64(in.C) {
				goto taken
			}
			continue
		case code.JmpLeSI:
			if int64(r[in.A].N) <= int64(in.C) {
				goto taken
			}
			continue
		case code.JmpGtSI:
			if int64(r[in.A].N) > int64(in.C) {
				goto taken
			}
			continue
		case code.JmpGeSI:
			if int64(r[in.A].N) >= int64(in.C) {
				goto taken
			}
			continue
		case code.JmpNil:
			if r[in.A].IsNil() {
				goto taken
			}
			continue
		case code.JmpNotNil:
			if !r[in.A].IsNil() {
				goto taken
			}
			continue
		case code.Cover:
			m.Trace.Cover(in.A)
			continue

		// Memory.
		case code.New:
			f.PC = int32(pc) - 1
			o := m.NewObject(g, f.Func.Types[in.D], heap.Variable)
			if m.Over {
				return
			}
			r[in.A] = heap.Word{P: o}
			continue
		case code.Load:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			off := int(p.N) + int(in.C)
			if o := p.P; uint(off) < uint(len(o.Cells)) && o.Sym == nil && (!m.Watching || m.Races.OwnRead(&g.Thread, o.Race, off, f.Chain, int32(pc)-1)) {
				w = o.Cells[off]
				goto loaded
			}
			f.PC = int32(pc) - 1
			if !m.LoadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.LoadN:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && o.Sym == nil && (!m.Watching || m.Races.OwnReads(&g.Thread, o.Race, off, n, f.Chain, int32(pc)-1)) {
				heap.CopyWords(r[in.A:int(in.A)+n], o.Cells[off:off+n])
				continue
			}
			f.PC = int32(pc) - 1
			if !m.LoadSlow(g, f, int(in.A), p.P, off, n, code.NoKind) {
				goto fault
			}
			goto done
		case code.Store:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off := int(p.N) + int(in.C)
			if o := p.P; uint(off) < uint(len(o.Cells)) && m.Heap.Fresh(o) && o.Sym == nil && (!m.Watching || m.Heap.Unwatched(o) && m.Races.OwnWrite(&g.Thread, o.Race, off, f.Chain, int32(pc)-1)) {
				o.Cells[off].Set(r[in.B])
				continue
			}
			f.PC = int32(pc) - 1
			if !m.StoreSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreN:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && m.Heap.Fresh(o) && o.Sym == nil && (!m.Watching || m.Heap.Unwatched(o) && m.Races.OwnWrites(&g.Thread, o.Race, off, n, f.Chain, int32(pc)-1)) {
				heap.CopyWords(o.Cells[off:off+n], r[in.B:int(in.B)+n])
				continue
			}
			f.PC = int32(pc) - 1
			if !m.StoreSlow(g, f, p.P, off, int(in.B), n, code.NoKind) {
				goto fault
			}
			goto done
		case code.Copy:
			p, q := r[in.A], r[in.B]
			if p.P == nil || q.P == nil {
				goto nilFault
			}
			f.PC = int32(pc) - 1
			if !m.CopySlow(g, p.P, int(p.N)+int(in.C), q.P, int(q.N)+int(in.D), int(in.K)) {
				goto fault
			}
			goto done
		case code.Addr:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			p.N += uint64(in.C)
			w = p
			goto word
		case code.NilCheck:
			if r[in.B].P == nil {
				if in.C > 0 {
					f.PC = int32(pc) - 1
					m.PanicPlain(g, f.Func.Messages[in.C-1])
					goto fault
				}
				goto nilFault
			}
			continue
		case code.IndexS:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(n), true)
				goto fault
			}
			p := r[in.B]
			p.N += i * uint64(in.K)
			w = p
			goto word
		case code.IndexA:
			i, p := r[in.C].N, r[in.B]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(in.D), true)
				goto fault
			}
			p.N += i * uint64(in.K)
			w = p
			goto word
		case code.LoadS, code.IndexStr:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.B].P, int(r[in.B].N+i)
			if o.Sym == nil && (!m.Watching || in.Op == code.IndexStr || m.Races.Knows(o.Race) && o.Race.Near(off) && f.Chain != 0 && o.Race.NearCell(off).OwnedForRead(&g.Thread) &&
				o.Race.NearCell(off).Reread(&g.Thread, f.Chain, int32(pc)-1) || m.Races.OwnRead(&g.Thread, o.Race, off, f.Chain, int32(pc)-1)) {
				if uint(off) < uint(len(o.Cells)) {
					w = o.Cells[off]
					goto loaded
				}
				if uint(off) < uint(len(o.Bytes)) {
					v = uint64(o.Bytes[off])
					break
				}
			}
			f.PC = int32(pc) - 1
			if in.Op == code.IndexStr {
				// Strings are immutable, so reading them is not an access to shared memory.
				if o.Kind == heap.ViewObject {
					m.Unsupported(g, "a string in memory of another type: pointer conversion of package unsafe")
					goto fault
				}
				at := int(f.Base + in.A)
				g.Stack[at] = o.Word(off)
				m.LoadShadow(g, f, at, o.ShadowAt(off, 1), 1)
			} else if !m.LoadSlow(g, f, int(in.A), o, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreS:
			i, n := r[in.C].N, r[in.A+1].N
			if i >= n {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.A].P, int(r[in.A].N+i)
			if m.Heap.Fresh(o) && o.Sym == nil && (!m.Watching || m.Heap.Unwatched(o) && (m.Races.Knows(o.Race) && o.Race.Near(off) && f.Chain != 0 && o.Race.NearCell(off).OwnedForWrite(&g.Thread) &&
				o.Race.NearCell(off).Rewrite(&g.Thread, f.Chain, int32(pc)-1) && o.Race.NearCell(off).Unread() || m.Races.OwnWrite(&g.Thread, o.Race, off, f.Chain, int32(pc)-1))) {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off].Set(r[in.B])
					continue
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					continue
				}
			}
			f.PC = int32(pc) - 1
			if !m.StoreSlow(g, f, o, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.LoadA:
			i, p := r[in.C].N, r[in.B]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; o.Sym == nil && (!m.Watching || m.Races.Knows(o.Race) && o.Race.Near(off) && f.Chain != 0 && o.Race.NearCell(off).OwnedForRead(&g.Thread) &&
				o.Race.NearCell(off).Reread(&g.Thread, f.Chain, int32(pc)-1) || m.Races.OwnRead(&g.Thread, o.Race, off, f.Chain, int32(pc)-1)) {
				if uint(off) < uint(len(o.Cells)) {
					w = o.Cells[off]
					goto loaded
				}
				if uint(off) < uint(len(o.Bytes)) {
					v = uint64(o.Bytes[off])
					break
				}
			}
			f.PC = int32(pc) - 1
			if !m.LoadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreA:
			i, p := r[in.C].N, r[in.A]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; m.Heap.Fresh(o) && o.Sym == nil && (!m.Watching || m.Heap.Unwatched(o) && (m.Races.Knows(o.Race) && o.Race.Near(off) && f.Chain != 0 && o.Race.NearCell(off).OwnedForWrite(&g.Thread) &&
				o.Race.NearCell(off).Rewrite(&g.Thread, f.Chain, int32(pc)-1) && o.Race.NearCell(off).Unread() || m.Races.OwnWrite(&g.Thread, o.Race, off, f.Chain, int32(pc)-1))) {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off].Set(r[in.B])
					continue
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					continue
				}
			}
			f.PC = int32(pc) - 1
			if !m.StoreSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.IndexV:
			i, n := r[in.C].N, int(in.K)
			if i >= uint64(in.D) {
				f.PC = int32(pc) - 1
				m.PanicBounds(g, value.BoundsIndex, i, int64(in.D), true)
				goto fault
			}
			from := int(in.B) + int(i)*n
			heap.CopyWords(r[in.A:int(in.A)+n], r[from:from+n])
			continue
		case code.FreeVar:
			o, off, n := f.Closure, int(in.C), int(in.K)
			heap.CopyWords(r[in.A:int(in.A)+n], o.Cells[off:off+n])
			if o.Sym == nil {
				continue
			}
			f.PC = int32(pc) - 1
			m.LoadShadow(g, f, int(f.Base+in.A), o.ShadowAt(off, n), n)
			goto done

		// Slices and strings.
		case code.MakeSlice:
			f.PC = int32(pc) - 1
			if !m.MakeSlice(g, r, in, f.Func.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.SliceS:
			f.PC = int32(pc) - 1
			if !m.Slice(g, r, in, f.Func.Types[in.D]) {
				goto fault
			}
			goto done
		case code.SliceStr:
			f.PC = int32(pc) - 1
			if !m.SliceStr(g, r, in) {
				goto fault
			}
			goto done
		case code.SliceP:
			f.PC = int32(pc) - 1
			if !m.SlicePtr(g, r, in, f.Func.Types[in.D]) {
				goto fault
			}
			goto done
		case code.Append, code.AppendStr:
			f.PC = int32(pc) - 1
			if !m.AppendSlice(g, f, r, in, f.Func.Types[in.D].Elem, r[in.C], int64(r[in.C+1].N)) {
				goto fault
			}
			goto done
		case code.AppendN:
			f.PC = int32(pc) - 1
			if !m.AppendN(g, f, r, in, f.Func.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.CopyS, code.CopyStr:
			f.PC = int32(pc) - 1
			words := 1
			if in.Op == code.CopyS {
				words = f.Func.Types[in.D].Elem.Words
			}
			if !m.CopySlice(g, r, in, words) {
				goto fault
			}
			goto done
		case code.Concat:
			f.PC = int32(pc) - 1
			if !m.Concat(g, r, in) {
				goto fault
			}
			goto done
		case code.PtrAdd:
			f.PC = int32(pc) - 1
			if !m.AddPointer(g, r, in) {
				goto fault
			}
			goto done
		case code.ClearS:
			f.PC = int32(pc) - 1
			if !m.ClearSlice(g, r[in.A:in.A+3], f.Func.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.StrNext:
			f.PC = int32(pc) - 1
			m.StrNext(g, f, r, in)
			goto done
		case code.SliceData:
			w = r[in.B]
			goto word
		case code.MkSlice:
			f.PC = int32(pc) - 1
			if !m.UnsafeSlice(g, r, in, f.Func.Types[in.D]) {
				goto fault
			}
			goto done
		case code.Pun:
			f.PC = int32(pc) - 1
			var ok bool
			if w, ok = m.Memory.Convert(value.Accessor{Operations: &m.Operations, Goroutine: g}, r[in.B], f.Func.Types[in.D], 1); !ok {
				goto fault
			}
			goto word
		case code.Unpun:
			if w = r[in.B]; layout.IsView(w) {
				w = m.Memory.Plain(w)
			}
			goto word
		case code.MkString:
			f.PC = int32(pc) - 1
			if !m.UnsafeString(g, r, in) {
				goto fault
			}
			goto done
		case code.MinMax:
			if code.Kind(in.K) == code.String && (symbolic.IsText(r[in.B:in.B+2]) || symbolic.IsText(r[in.C:in.C+2])) {
				goto symbolic
			}
			f.PC = int32(pc) - 1
			symbolic.MinMax(r, in)
			continue

		// Interfaces.
		case code.MakeIface:
			f.PC = int32(pc) - 1
			if !m.MakeIface(g, f, int(in.A), int(in.B), f.Func.Types[in.D]) {
				goto fault
			}
			goto done
		case code.Assert:
			f.PC = int32(pc) - 1
			if !m.Assert(g, f, in) {
				goto fault
			}
			goto done
		case code.TypeWord:
			v = heap.Bool(r[in.B].P == m.TypeWord(f.Func.Types[in.D]).P)

		// Maps.
		case code.MakeMap:
			f.PC = int32(pc) - 1
			o := m.MakeMap(g, f.Func.Types[in.D])
			if o == nil {
				goto fault
			}
			r[in.A] = heap.Word{P: o}
			continue
		case code.MapGet:
			f.PC = int32(pc) - 1
			if !m.MapGet(g, f, in) {
				goto fault
			}
			goto done
		case code.MapSet:
			f.PC = int32(pc) - 1
			if !m.MapSet(g, f, in) {
				goto fault
			}
			goto done
		case code.MapDel:
			f.PC = int32(pc) - 1
			if !m.MapDelete(g, f, in) {
				goto fault
			}
			goto done
		case code.MapLen:
			f.PC = int32(pc) - 1
			if !m.MapLength(g, r, in) {
				goto fault
			}
			goto done
		case code.MapClear:
			f.PC = int32(pc) - 1
			if !m.MapClear(g, r[in.A].P) {
				goto fault
			}
			goto done
		case code.MapIter:
			f.PC = int32(pc) - 1
			if !m.MapIter(g, f, in) {
				goto fault
			}
			goto done
		case code.MapNext:
			f.PC = int32(pc) - 1
			if !m.MapNext(g, f, in) {
				goto fault
			}
			goto done

		// Functions.
		case code.Closure:
			f.PC = int32(pc) - 1
			if !m.makeClosure(g, f, in) {
				goto fault
			}
			goto done
		case code.Call:
			if callee = f.Func.Linked[in.B]; callee == nil {
				callee = m.Callee(f.Func, in.B)
			}
			closure = nil
			goto call
		case code.CallOwn:
			callee, closure = m.builtin(f.Func, in.B), nil
			goto call
		case code.CallFn:
			closure = r[in.B].P
			if closure == nil {
				if in.K != code.ModeCall {
					callee = nil
					goto call
				}
				goto nilFault
			}
			callee = m.Funcs[closure.Func]
			goto call
		case code.CallIface:
			typ := r[in.B].P
			if typ == nil {
				goto nilFault
			}
			if callee, closure = m.method(f.Func, in.D, typ), nil; callee == nil {
				f.PC = int32(pc) - 1
				m.Unsupported(g, "call of a method that the dynamic type lacks: "+f.Func.Methods[in.D].Name)
				goto fault
			}
			r[in.A].Set(r[in.B+1])
			goto call
		case code.Return:
			goto leave
		case code.RunDefers:
			f.PC = int32(pc) - 1
			if m.RunDeferred(g, len(g.Frames)-1, state.DeferredCall) {
				goto reload
			}
			if m.Over {
				return
			}
			continue
		case code.DeferStack:
			v = uint64(len(g.Frames) - 1)
		case code.Panic:
			f.PC = int32(pc) - 1
			m.panicNow(g, r[in.A], r[in.A+1])
			goto fault
		case code.Recover:
			r[in.A], r[in.A+1] = m.recover(g)
			if f.Symbolic {
				clear(g.Sym[f.Base+in.A : f.Base+in.A+2])
			}
			continue
		case code.Print:
			f.PC = int32(pc) - 1
			m.Print(r[in.A:in.A+2*in.C], in.K&1 != 0)
			continue

		// Goroutines and channels.
		case code.MakeChan:
			f.PC = int32(pc) - 1
			o := m.makeChan(g, f.Func.Types[in.D], int64(r[in.B].N))
			if o == nil {
				goto fault
			}
			r[in.A] = heap.Word{P: o}
			continue
		case code.Send:
			f.PC = int32(pc) - 1
			if !m.send(g, f, in) {
				goto fault
			}
			goto resume
		case code.Recv:
			f.PC = int32(pc) - 1
			if !m.recv(g, f, in) {
				goto fault
			}
			goto resume
		case code.CloseCh:
			f.PC = int32(pc) - 1
			if !m.closeChan(g, r[in.A].P) {
				goto fault
			}
			goto resume
		case code.LenCh:
			f.PC = int32(pc) - 1
			n, ok := m.lenChan(g, r[in.B].P)
			if !ok {
				goto fault
			}
			v = n
		case code.CapCh:
			v = 0
			if ch := r[in.B].P; !state.IsTimerChan(ch) {
				v = state.CapChan(ch)
			}
		case code.Cap:
			f.PC = int32(pc) - 1
			v = m.Capacity(g, r, in)
		case code.SelectCh:
			f.PC = int32(pc) - 1
			if !m.selectCase(g, f, in) {
				goto fault
			}
			goto resume

		case code.Unsupported:
			f.PC = int32(pc) - 1
			m.Unsupported(g, f.Func.Messages[in.B])
			goto fault

		// Fused pairs of instructions: see package variant.
		case variant.MovMov:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			w = r[in.B]
			goto word
		case variant.MovCall:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			if callee = f.Func.Linked[in.B]; callee == nil {
				callee = m.Callee(f.Func, in.B)
			}
			closure = nil
			goto call
		case variant.MovNCall:
			heap.MoveWords(r, int(in.A), int(in.B), int(in.K))
			in = &ins[pc]
			pc++
			if callee = f.Func.Linked[in.B]; callee == nil {
				callee = m.Callee(f.Func, in.B)
			}
			closure = nil
			goto call
		case variant.MovReturn:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			goto leave
		case variant.ImmReturn:
			r[in.A].SetNumber(uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto leave
		case variant.AndIReturn:
			r[in.A].SetNumber(r[in.B].N & uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto leave
		case variant.ZeroReturn:
			heap.ZeroWords(r[in.A : int(in.A)+int(in.K)])
			in = &ins[pc]
			pc++
			goto leave
		case variant.AddIJmp:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto taken
		case variant.AddIJmpLtS:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(r[in.B].N) {
				goto taken
			}
			continue
		case variant.AddIJmpLeS:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) <= int64(r[in.B].N) {
				goto taken
			}
			continue
		case variant.AddIJmpLtSI:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(in.C) {
				goto taken
			}
			continue
		case variant.AddIAddI:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			v = r[in.B].N + uint64(int64(in.C))
		case variant.JmpNeIJmpNeI:
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			in = &ins[pc]
			pc++
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			continue
		case variant.JmpEqIJmpEqI:
			if r[in.A].N == uint64(int64(in.C)) {
				goto taken
			}
			in = &ins[pc]
			pc++
			if r[in.A].N == uint64(int64(in.C)) {
				goto taken
			}
			continue
		case variant.ShlIXor:
			r[in.A].SetNumber(r[in.B].N << uint32(in.C))
			in = &ins[pc]
			pc++
			v = r[in.B].N ^ r[in.C].N
		case variant.ShrIXor:
			r[in.A].SetNumber(r[in.B].N >> uint32(in.C))
			in = &ins[pc]
			pc++
			v = r[in.B].N ^ r[in.C].N
		case variant.LoadJmpNil:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || code.Kind(in.K) < code.Pointer || m.Watching && !m.Races.OwnRead(&g.Thread, p.P.Race, off, f.Chain, int32(pc)-1) {
				goto plain
			}
			r[in.A].Set(p.P.Cells[off])
			in = &ins[pc]
			pc++
			if r[in.A].IsNil() {
				goto taken
			}
			continue
		case variant.LoadJmpNotNil:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || code.Kind(in.K) < code.Pointer || m.Watching && !m.Races.OwnRead(&g.Thread, p.P.Race, off, f.Chain, int32(pc)-1) {
				goto plain
			}
			r[in.A].Set(p.P.Cells[off])
			in = &ins[pc]
			pc++
			if !r[in.A].IsNil() {
				goto taken
			}
			continue
		case variant.LoadJmpLeU:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			if r[in.A].N <= r[in.B].N {
				goto taken
			}
			continue
		case variant.LoadMov:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.Watching && !m.Races.OwnRead(&g.Thread, p.P.Race, off, f.Chain, int32(pc)-1) {
				goto plain
			}
			x := &p.P.Cells[off]
			if x.P != nil && code.Kind(in.K) < code.Pointer {
				goto plain
			}
			r[in.A].Set(*x)
			in = &ins[pc]
			pc++
			w = r[in.B]
			goto word
		case variant.LoadAddI:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = r[in.B].N + uint64(int64(in.C))
		case variant.LoadReturn:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.Watching && !m.Races.OwnRead(&g.Thread, p.P.Race, off, f.Chain, int32(pc)-1) {
				goto plain
			}
			x := &p.P.Cells[off]
			if x.P != nil && code.Kind(in.K) < code.Pointer {
				goto plain
			}
			r[in.A].Set(*x)
			in = &ins[pc]
			pc++
			goto leave
		case variant.LoadLoad:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.Watching && !m.Races.OwnRead(&g.Thread, p.P.Race, off, f.Chain, int32(pc)-1) {
				goto plain
			}
			x := &p.P.Cells[off]
			if x.P != nil && code.Kind(in.K) < code.Pointer {
				goto plain
			}
			r[in.A].Set(*x)
			in = &ins[pc]
			pc++
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			v = n
		case variant.StoreLoad:
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.Heap.Fresh(p.P) || p.P.Sym != nil || m.Watching {
				goto plain
			}
			p.P.Cells[off].Set(r[in.B])
			in = &ins[pc]
			pc++
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			v = n
		case variant.LoadMulF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
		case variant.LoadAddF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
		case variant.LoadSubF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
		case variant.MulFMulF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
		case variant.MulFAddF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
		case variant.MulFSubF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
		case variant.MulFLoad:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			v = n
		case variant.AddFStore:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.Heap.Fresh(p.P) || p.P.Sym != nil || m.Watching {
				goto plain
			}
			p.P.Cells[off].Set(r[in.B])
			continue
		case variant.SubFStore:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.Heap.Fresh(p.P) || p.P.Sym != nil || m.Watching {
				goto plain
			}
			p.P.Cells[off].Set(r[in.B])
			continue
		case variant.LoadSJmpLeS:
			n, ok := m.elementAt(g, f, r[in.B], r[in.B+1].N, r[in.C].N, pc)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) <= int64(r[in.B].N) {
				goto taken
			}
			continue
		case variant.LoadSJmpLtS:
			n, ok := m.elementAt(g, f, r[in.B], r[in.B+1].N, r[in.C].N, pc)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(r[in.B].N) {
				goto taken
			}
			continue
		case variant.LoadSJmpNeI:
			n, ok := m.elementAt(g, f, r[in.B], r[in.B+1].N, r[in.C].N, pc)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			continue
		case variant.LoadSLoadS:
			n, ok := m.elementAt(g, f, r[in.B], r[in.B+1].N, r[in.C].N, pc)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			n, ok = m.elementAt(g, f, r[in.B], r[in.B+1].N, r[in.C].N, pc)
			if !ok {
				goto plain
			}
			v = n
		case variant.IndexStrJmpLtSI:
			s, i := r[in.B], r[in.C].N
			if i >= r[in.B+1].N || s.P.Sym != nil || s.N+i >= uint64(len(s.P.Bytes)) {
				goto plain
			}
			r[in.A].SetNumber(uint64(s.P.Bytes[s.N+i]))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(in.C) {
				goto taken
			}
			continue
		case variant.LtFJmpIf:
			v = heap.Bool(math.Float64frombits(r[in.B].N) < math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N != 0 {
				goto taken
			}
			continue
		case variant.LtFJmpIfNot:
			v = heap.Bool(math.Float64frombits(r[in.B].N) < math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case variant.LeFJmpIf:
			v = heap.Bool(math.Float64frombits(r[in.B].N) <= math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N != 0 {
				goto taken
			}
			continue
		case variant.LeFJmpIfNot:
			v = heap.Bool(math.Float64frombits(r[in.B].N) <= math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case variant.NePJmpIfNot:
			r[in.A].SetNumber(heap.Bool(r[in.B] != r[in.C]))
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case variant.EqPJmpIfNot:
			r[in.A].SetNumber(heap.Bool(r[in.B] == r[in.C]))
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue

		default:
			f.PC = int32(pc) - 1
			if in.Op >= variant.Trapped {
				if in = m.Sprung(g, f, in); in == nil {
					return
				}
				if in == &m.Decisions.Jump {
					pc = int(in.D)
					continue
				}
				goto again
			}
			if in.Op < variant.Symbolic {
				m.Unsupported(g, "instruction "+in.Op.String())
				goto fault
			}
			// The symbolic part works on the instruction as it was compiled.
			in = &f.Func.Code[pc-1]
			if g.Merging.On {
				if m.join(g, f) {
					goto reload
				}
				goto again
			}
			if !m.executeSymbolic(g, f, in) {
				if m.Over {
					goto fault
				}
				if g.Merging.On {
					goto reload // execute this instruction again, in concrete code
				}
				goto again
			}
			if m.Fault != state.NoFault || m.Over {
				goto fault
			}
			if in.Op == code.LoadN || g.Sym[f.Base+in.A] != expr.None {
				goto resume // continue with the code for the registers that are symbolic now
			}
			continue
		}

	number:
		{
			// Avoid the write barrier: most registers that hold a number have held one before.
			d := &r[in.A]
			d.N = v
			if d.P != nil {
				d.P = nil
			}
		}
		continue

	plain:
		// Carry out the instruction as it was compiled, without fusion.
		in = &f.Func.Code[pc-1]
		goto again

	narrow:
		v = heap.Canonical(v, code.Kind(in.K))
		goto number

	loaded:
		// w has been loaded from memory.
		if w.P == nil {
			v = w.N
			goto number
		}
		if code.Kind(in.K) < code.Pointer {
			v = m.PointerToInt(g, w).N // a pointer in memory is read as a number
			goto number
		}

	word:
		r[in.A].Set(w)
		continue

	taken:
		if int(in.D) < pc {
			if m.Fuel -= int64(pc) - int64(in.D); m.Fuel < 0 {
				f.PC = int32(pc) - 1
				if !m.Sampled(g) && (!m.Refuel(g) || !m.pause(g)) {
					goto fault
				}
			}
		}
		pc = int(in.D)
		continue

	leave:
		{
			if len(f.Defers) > 0 {
				f.PC = int32(pc) - 1
				m.runPendingDefers(g, f)
				goto reload
			}
			// The results go to register 0, which is in.D. With a constant index the compiler would
			// keep parts of r's address in the host's registers.
			n := int(in.K)
			switch n {
			case 0:
			case 1:
				r[in.D].Set(r[in.A])
			default:
				heap.MoveWords(r, int(in.D), int(in.A), n)
			}
			if f.Symbolic {
				shadows := g.Sym[f.Base:]
				copy(shadows[:n], shadows[in.A:int(in.A)+n])
			}
			if m.Fuel -= int64(pc) - 1; m.Fuel < 0 {
				f.PC = int32(pc) - 1
				if !m.Sampled(g) && !m.Refuel(g) {
					goto fault
				}
			}
			if f.Mode != state.Called {
				m.finishReturn(g)
				goto reload
			}
			last := len(g.Frames) - 1
			from := f
			g.Frames = g.Frames[:last]
			f = &g.Frames[last-1]
			if from.Symbolic || f.Symbolic {
				returnShadows(g, f, from.Symbolic, from.Base, n)
			}
			f.PC++
			goto enter
		}

	call:
		// Call callee with closure. Its window is at register A.
		f.PC = int32(pc) - 1
		if in.K != code.ModeCall {
			if !m.startOrDefer(g, f, in, callee, closure) {
				goto fault
			}
			goto resume
		}
		if callee.Direct {
			if callee.Native == 0 {
				if !m.callPrimitive(g, f, callee, in) {
					goto fault
				}
				goto resume
			}
			if m.callNative(g, f, callee, in) {
				goto done
			}
		}
		{
			base := f.Base + in.A
			symbolic := f.Symbolic && state.AnySymbolic(g.Sym[base:int(base)+callee.Params])
			n := len(g.Frames)
			if need := int(base) + callee.Regs; n < cap(g.Frames) && need <= int(g.StackSize) && uint(n) <= uint(m.Limits.Depth-1) {
				g.Frames = g.Frames[:n+1]
				f = &g.Frames[n]
				f.Func, f.Closure, f.PC, f.Base, f.Mode = callee, closure, 0, base, state.Called
				f.Symbolic = false
				f.Defers = f.Defers[:0]
				f.Chain = 0
			} else if !m.Push(g, callee, closure, base, state.Called) {
				goto fault
			}
			f = &g.Frames[n]
			if m.Fuel--; m.Fuel < 0 && !m.Sampled(g) && !m.Refuel(g) {
				goto fault
			}
			if symbolic {
				f.Symbolic = true
			}
			goto enter
		}

	symbolic:
		// The registers are concrete, but what they point to is symbolic.
		f.PC = int32(pc) - 1
		if !f.Symbolic {
			g.MakeSymbolic(f)
		}
		if m.executeSymbolic(g, f, &f.Func.Code[pc-1]); m.Fault != state.NoFault || m.Over {
			goto fault
		}
		goto resume

	done:
		// The instruction is complete, and the frames have not changed.
		if !f.Symbolic && !m.Over {
			continue
		}

	resume:
		// The instruction is complete. Frames, registers or shadows may have changed.
		if m.Over {
			return
		}
		if top := g.Top(); top == f {
			f.PC++
		}
		goto reload

	nilFault:
		f.PC = int32(pc) - 1
		m.PanicNil(g)

	fault:
		switch m.Fault {
		case state.ParkFault:
			m.Fault = state.NoFault
			return
		case state.PanicFault:
			if m.Fault = state.NoFault; !m.Pass(g) {
				m.throw(g)
			}
		case state.ExitFault:
			m.Fault = state.NoFault
			m.goexit(g)
		default:
			return
		}
		goto reload
	}
}
