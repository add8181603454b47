package vm

import (
	"math"
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Execute executes g until it is parked, has ended, or the run is over.
//
// Within, r are the registers of the top frame f and pc is the instruction after the
// present one, in. f.pc is set to the present one before anything that may fail, park,
// or look at where the goroutine is, or that changes frames, registers or shadows
// behind the loop's back: such an instruction ends at resume, where what the loop
// holds in variables is read again, or at done when frames stay as they were. So
// nothing that the loop needs is alive across a call, and simple instructions find all
// of it in the host's registers. The methods that carry out instructions return false
// when they could not; the fault says why.
func (m *Machine) Execute(g *goroutine) {
	m.preserve(g)
	var (
		f *frame
		// Of the call that is being made.
		callee  *function
		closure *heap.Object
	)

reload:
	if m.over || g.status != running {
		return
	}
	f = g.top()

enter:
	// These stay as they are while f runs.
	ins := f.fn.ins
	if f.symbolic {
		ins = g.symbolicCode(f)
	}
	end := int(f.base) + f.fn.regs
	r := g.stack[f.base:end:end]

	for pc := int(f.pc); ; {
		in := &ins[pc]
		pc++
		var v uint64    // result of instructions that make a number
		var w heap.Word // of others that make a single word
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
			at := f.fn.constAt[in.B]
			heap.CopyWords(r[in.A:], f.fn.consts[at:int(at)+int(in.K)])
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
				f.pc = int32(pc) - 1
				m.panicError(g, "integer divide by zero")
				goto fault
			}
			v = divide(in.Op == code.Rem, code.Kind(in.K), x, y)
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
				f.pc = int32(pc) - 1
				m.panicError(g, "negative shift amount")
				goto fault
			}
			v = r[in.B].N << n
			goto narrow
		case code.Shr:
			n := r[in.C].N
			if int64(n) < 0 && code.Kind(in.D).Signed() {
				f.pc = int32(pc) - 1
				m.panicError(g, "negative shift amount")
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
			v = rotate(code.Kind(in.K), r[in.B].N, int(r[in.C].N))
		case code.MulHi:
			v, _ = bits.Mul64(r[in.B].N, r[in.C].N)

		// Floating point.
		case code.AddF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(float32Of(r[in.B]) + float32Of(r[in.C]))
			}
		case code.SubF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(float32Of(r[in.B]) - float32Of(r[in.C]))
			}
		case code.MulF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(float32Of(r[in.B]) * float32Of(r[in.C]))
			}
		case code.DivF:
			if code.Kind(in.K) == code.Float64 {
				v = expr.Float64Bits(math.Float64frombits(r[in.B].N) / math.Float64frombits(r[in.C].N))
			} else {
				v = expr.Float32Bits(float32Of(r[in.B]) / float32Of(r[in.C]))
			}
		case code.NegF:
			v = r[in.B].N ^ signBit(code.Kind(in.K))
		case code.SqrtF:
			v = expr.Float64Bits(math.Sqrt(math.Float64frombits(r[in.B].N)))
		case code.RoundF:
			v = expr.Round(expr.Rounding(in.C), 64, r[in.B].N)
		case code.AddC, code.SubC, code.MulC, code.DivC, code.NegC:
			complexArith(in.Op, code.Kind(in.K), r, in)
			continue
		case code.EqC:
			v = heap.Bool(equalComplex(code.Kind(in.K), r[in.B:in.B+2], r[in.C:in.C+2]))

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
			v = heap.Bool(floatOf(code.Kind(in.K), r[in.B]) == floatOf(code.Kind(in.K), r[in.C]))
		case code.NeF:
			v = heap.Bool(floatOf(code.Kind(in.K), r[in.B]) != floatOf(code.Kind(in.K), r[in.C]))
		case code.LtF:
			v = heap.Bool(floatOf(code.Kind(in.K), r[in.B]) < floatOf(code.Kind(in.K), r[in.C]))
		case code.LeF:
			v = heap.Bool(floatOf(code.Kind(in.K), r[in.B]) <= floatOf(code.Kind(in.K), r[in.C]))
		case code.EqP:
			v = heap.Bool(r[in.B] == r[in.C])
		case code.NeP:
			v = heap.Bool(r[in.B] != r[in.C])
		case code.EqStr, code.NeStr, code.LtStr, code.LeStr:
			x, y := r[in.B:in.B+2], r[in.C:in.C+2]
			if symbolicText(x) || symbolicText(y) {
				goto symbolic
			}
			v = heap.Bool(compareStrings(in.Op, x, y))
		case code.Eq, code.Ne:
			t := f.fn.Types[in.D]
			x, y := r[in.B:int(in.B)+t.Words], r[in.C:int(in.C)+t.Words]
			if symbolicValue(t, x) || symbolicValue(t, y) {
				goto symbolic
			}
			f.pc = int32(pc) - 1
			eq, ok := m.equal(g, t, x, y)
			if !ok {
				goto fault
			}
			v = heap.Bool(eq == (in.Op == code.Eq))

		// Conversions.
		case code.Conv:
			v = convertWord(code.Kind(in.C), code.Kind(in.K), r[in.B].N)
		case code.ConvC:
			convertComplex(code.Kind(in.C), code.Kind(in.K), r[in.B:in.B+2], r[in.A:in.A+2])
			continue
		case code.MkComplex:
			r[in.A], r[in.A+1] = heap.Word{N: r[in.B].N}, heap.Word{N: r[in.C].N}
			continue
		case code.StrBytes:
			f.pc = int32(pc) - 1
			if !m.copyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 3) {
				goto fault
			}
			goto done
		case code.BytesStr:
			f.pc = int32(pc) - 1
			if !m.copyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 2) {
				goto fault
			}
			goto done
		case code.StrRunes:
			f.pc = int32(pc) - 1
			if !m.strRunes(g, r, in) {
				goto fault
			}
			goto done
		case code.RunesStr:
			f.pc = int32(pc) - 1
			if !m.runesStr(g, f, r, in) {
				goto fault
			}
			goto done
		case code.IntStr:
			f.pc = int32(pc) - 1
			if !m.intStr(g, f, r, in) {
				goto fault
			}
			goto done
		case code.PtrInt:
			f.pc = int32(pc) - 1
			if m.beyondSpan(r[in.B]) {
				m.unsupported(g, "the address of memory that is far from the start of its variable")
				goto fault
			}
			v = m.pointerToInt(r[in.B]).N
		case code.IntPtr:
			f.pc = int32(pc) - 1
			if !m.intToPointer(g, r, in) {
				goto fault
			}
			goto done
		case code.SliceArr:
			f.pc = int32(pc) - 1
			if n := r[in.B+1].N; n < uint64(in.C) {
				m.panicBounds(g, boundsConvert, uint64(in.C), int64(n), true)
				goto fault
			}
			w = r[in.B]
			goto word
		case code.SliceToArr:
			f.pc = int32(pc) - 1
			if !m.sliceToArr(g, f, r, in, f.fn.Types[in.D]) {
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
			m.cover(in.A)
			continue

		// Memory.
		case code.New:
			f.pc = int32(pc) - 1
			o := m.newObject(g, f.fn.Types[in.D], heap.Variable)
			if m.over {
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
			if o := p.P; uint(off) < uint(len(o.Cells)) && o.Sym == nil && !m.multi {
				w = o.Cells[off]
				goto loaded
			}
			f.pc = int32(pc) - 1
			if !m.loadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.LoadN:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && o.Sym == nil && !m.multi {
				heap.CopyWords(r[in.A:int(in.A)+n], o.Cells[off:off+n])
				continue
			}
			f.pc = int32(pc) - 1
			if !m.loadSlow(g, f, int(in.A), p.P, off, n, code.NoKind) {
				goto fault
			}
			goto done
		case code.Store:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off := int(p.N) + int(in.C)
			if o := p.P; uint(off) < uint(len(o.Cells)) && m.heap.Fresh(o) && o.Sym == nil && !m.multi {
				o.Cells[off].Set(r[in.B])
				continue
			}
			f.pc = int32(pc) - 1
			if !m.storeSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreN:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && m.heap.Fresh(o) && o.Sym == nil && !m.multi {
				heap.CopyWords(o.Cells[off:off+n], r[in.B:int(in.B)+n])
				continue
			}
			f.pc = int32(pc) - 1
			if !m.storeSlow(g, f, p.P, off, int(in.B), n, code.NoKind) {
				goto fault
			}
			goto done
		case code.Copy:
			p, q := r[in.A], r[in.B]
			if p.P == nil || q.P == nil {
				goto nilFault
			}
			f.pc = int32(pc) - 1
			if !m.copySlow(g, p.P, int(p.N)+int(in.C), q.P, int(q.N)+int(in.D), int(in.K)) {
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
					f.pc = int32(pc) - 1
					m.panicPlain(g, f.fn.Messages[in.C-1])
					goto fault
				}
				goto nilFault
			}
			continue
		case code.IndexS:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(n), true)
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
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			p.N += i * uint64(in.K)
			w = p
			goto word
		case code.LoadS, code.IndexStr:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.B].P, int(r[in.B].N+i)
			if o.Sym == nil && !m.multi {
				if uint(off) < uint(len(o.Cells)) {
					w = o.Cells[off]
					goto loaded
				}
				if uint(off) < uint(len(o.Bytes)) {
					v = uint64(o.Bytes[off])
					break
				}
			}
			f.pc = int32(pc) - 1
			if in.Op == code.IndexStr {
				// Strings do not change: reading them is no access to shared memory.
				at := int(f.base + in.A)
				g.stack[at] = o.Word(off)
				m.loadShadow(g, f, at, o.ShadowAt(off, 1), 1)
			} else if !m.loadSlow(g, f, int(in.A), o, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreS:
			i, n := r[in.C].N, r[in.A+1].N
			if i >= n {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.A].P, int(r[in.A].N+i)
			if m.heap.Fresh(o) && o.Sym == nil && !m.multi {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off].Set(r[in.B])
					continue
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					continue
				}
			}
			f.pc = int32(pc) - 1
			if !m.storeSlow(g, f, o, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.LoadA:
			i, p := r[in.C].N, r[in.B]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; o.Sym == nil && !m.multi {
				if uint(off) < uint(len(o.Cells)) {
					w = o.Cells[off]
					goto loaded
				}
				if uint(off) < uint(len(o.Bytes)) {
					v = uint64(o.Bytes[off])
					break
				}
			}
			f.pc = int32(pc) - 1
			if !m.loadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.StoreA:
			i, p := r[in.C].N, r[in.A]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; m.heap.Fresh(o) && o.Sym == nil && !m.multi {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off].Set(r[in.B])
					continue
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					continue
				}
			}
			f.pc = int32(pc) - 1
			if !m.storeSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
			goto done
		case code.IndexV:
			i, n := r[in.C].N, int(in.K)
			if i >= uint64(in.D) {
				f.pc = int32(pc) - 1
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			from := int(in.B) + int(i)*n
			heap.CopyWords(r[in.A:int(in.A)+n], r[from:from+n])
			continue
		case code.FreeVar:
			o, off, n := f.closure, int(in.C), int(in.K)
			heap.CopyWords(r[in.A:int(in.A)+n], o.Cells[off:off+n])
			if o.Sym == nil {
				continue
			}
			f.pc = int32(pc) - 1
			m.loadShadow(g, f, int(f.base+in.A), o.ShadowAt(off, n), n)
			goto done

		// Slices and strings.
		case code.MakeSlice:
			f.pc = int32(pc) - 1
			if !m.makeSlice(g, r, in, f.fn.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.SliceS:
			f.pc = int32(pc) - 1
			if !m.slice(g, r, in, f.fn.Types[in.D]) {
				goto fault
			}
			goto done
		case code.SliceStr:
			f.pc = int32(pc) - 1
			if !m.sliceStr(g, r, in) {
				goto fault
			}
			goto done
		case code.SliceP:
			f.pc = int32(pc) - 1
			if !m.slicePtr(g, r, in, f.fn.Types[in.D]) {
				goto fault
			}
			goto done
		case code.Append, code.AppendStr:
			f.pc = int32(pc) - 1
			if !m.appendSlice(g, f, r, in, f.fn.Types[in.D].Elem, r[in.C], int64(r[in.C+1].N)) {
				goto fault
			}
			goto done
		case code.AppendN:
			f.pc = int32(pc) - 1
			if !m.appendN(g, f, r, in, f.fn.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.CopyS, code.CopyStr:
			f.pc = int32(pc) - 1
			words := 1
			if in.Op == code.CopyS {
				words = f.fn.Types[in.D].Elem.Words
			}
			if !m.copySlice(g, r, in, words) {
				goto fault
			}
			goto done
		case code.Concat:
			f.pc = int32(pc) - 1
			if !m.concat(g, r, in) {
				goto fault
			}
			goto done
		case code.PtrAdd:
			f.pc = int32(pc) - 1
			if !m.addPointer(g, r, in) {
				goto fault
			}
			goto done
		case code.ClearS:
			f.pc = int32(pc) - 1
			if !m.clearSlice(g, r[in.A:in.A+3], f.fn.Types[in.D].Elem) {
				goto fault
			}
			goto done
		case code.StrNext:
			f.pc = int32(pc) - 1
			m.strNext(g, f, r, in)
			goto done
		case code.SliceData:
			w = r[in.B]
			goto word
		case code.MkSlice:
			f.pc = int32(pc) - 1
			if !m.unsafeSlice(g, r, in) {
				goto fault
			}
			goto done
		case code.MkString:
			f.pc = int32(pc) - 1
			if !m.unsafeString(g, r, in) {
				goto fault
			}
			goto done
		case code.MinMax:
			f.pc = int32(pc) - 1
			m.minMax(r, in)
			continue

		// Interfaces.
		case code.MakeIface:
			f.pc = int32(pc) - 1
			if !m.makeIface(g, f, int(in.A), int(in.B), f.fn.Types[in.D]) {
				goto fault
			}
			goto done
		case code.Assert:
			f.pc = int32(pc) - 1
			if !m.assert(g, f, in) {
				goto fault
			}
			goto done
		case code.TypeWord:
			v = heap.Bool(r[in.B].P == m.typeWord(f.fn.Types[in.D]).P)

		// Maps.
		case code.MakeMap:
			f.pc = int32(pc) - 1
			o := m.makeMap(g, f.fn.Types[in.D])
			if o == nil {
				goto fault
			}
			r[in.A] = heap.Word{P: o}
			continue
		case code.MapGet:
			f.pc = int32(pc) - 1
			if !m.mapGet(g, f, in) {
				goto fault
			}
			goto done
		case code.MapSet:
			f.pc = int32(pc) - 1
			if !m.mapSet(g, f, in) {
				goto fault
			}
			goto done
		case code.MapDel:
			f.pc = int32(pc) - 1
			if !m.mapDelete(g, f, in) {
				goto fault
			}
			goto done
		case code.MapLen:
			f.pc = int32(pc) - 1
			if !m.mapLength(g, r, in) {
				goto fault
			}
			goto done
		case code.MapClear:
			f.pc = int32(pc) - 1
			if !m.mapClear(g, r[in.A].P) {
				goto fault
			}
			goto done
		case code.MapIter:
			f.pc = int32(pc) - 1
			if !m.mapIter(g, f, in) {
				goto fault
			}
			goto done
		case code.MapNext:
			f.pc = int32(pc) - 1
			if !m.mapNext(g, f, in) {
				goto fault
			}
			goto done

		// Functions.
		case code.Closure:
			f.pc = int32(pc) - 1
			if !m.makeClosure(g, f, in) {
				goto fault
			}
			goto done
		case code.Call:
			if callee = f.fn.callees[in.B]; callee == nil {
				callee = m.callee(f.fn, in.B)
			}
			closure = nil
			goto call
		case code.CallOwn:
			callee, closure = m.builtin(f.fn, in.B), nil
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
			if callee, closure = m.method(f.fn, in.D, typ), nil; callee == nil {
				f.pc = int32(pc) - 1
				m.unsupported(g, "call of a method that the dynamic type lacks: "+f.fn.Methods[in.D].Name)
				goto fault
			}
			r[in.A].Set(r[in.B+1])
			goto call
		case code.Return:
			goto leave
		case code.RunDefers:
			f.pc = int32(pc) - 1
			if m.runDeferred(g, len(g.frames)-1, deferredCall) {
				goto reload
			}
			if m.over {
				return
			}
			continue
		case code.DeferStack:
			v = uint64(len(g.frames) - 1)
		case code.Panic:
			f.pc = int32(pc) - 1
			m.panicNow(g, r[in.A], r[in.A+1])
			goto fault
		case code.Recover:
			r[in.A], r[in.A+1] = m.recover(g)
			if f.symbolic {
				clear(g.sym[f.base+in.A : f.base+in.A+2])
			}
			continue
		case code.Print:
			f.pc = int32(pc) - 1
			m.print(g, r[in.A:in.A+2*in.C], in.K&1 != 0)
			continue

		// Goroutines and channels.
		case code.MakeChan:
			f.pc = int32(pc) - 1
			o := m.makeChan(g, f.fn.Types[in.D], int64(r[in.B].N))
			if o == nil {
				goto fault
			}
			r[in.A] = heap.Word{P: o}
			continue
		case code.Send:
			f.pc = int32(pc) - 1
			if !m.send(g, f, in) {
				goto fault
			}
			goto resume
		case code.Recv:
			f.pc = int32(pc) - 1
			if !m.recv(g, f, in) {
				goto fault
			}
			goto resume
		case code.CloseCh:
			f.pc = int32(pc) - 1
			if !m.closeChan(g, r[in.A].P) {
				goto fault
			}
			goto resume
		case code.LenCh:
			f.pc = int32(pc) - 1
			n, ok := m.lenChan(g, r[in.B].P)
			if !ok {
				goto fault
			}
			v = n
		case code.CapCh:
			v = capChan(r[in.B].P)
		case code.SelectCh:
			f.pc = int32(pc) - 1
			if !m.selectCase(g, f, in) {
				goto fault
			}
			goto resume

		case code.Unsupported:
			f.pc = int32(pc) - 1
			m.unsupported(g, f.fn.Messages[in.B])
			goto fault

		// Two instructions in one: see fuse.go.
		case movMov:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			w = r[in.B]
			goto word
		case movCall:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			if callee = f.fn.callees[in.B]; callee == nil {
				callee = m.callee(f.fn, in.B)
			}
			closure = nil
			goto call
		case movNCall:
			heap.MoveWords(r, int(in.A), int(in.B), int(in.K))
			in = &ins[pc]
			pc++
			if callee = f.fn.callees[in.B]; callee == nil {
				callee = m.callee(f.fn, in.B)
			}
			closure = nil
			goto call
		case movReturn:
			r[in.A].Set(r[in.B])
			in = &ins[pc]
			pc++
			goto leave
		case immReturn:
			r[in.A].SetNumber(uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto leave
		case andIReturn:
			r[in.A].SetNumber(r[in.B].N & uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto leave
		case zeroReturn:
			heap.ZeroWords(r[in.A : int(in.A)+int(in.K)])
			in = &ins[pc]
			pc++
			goto leave
		case addIJmp:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			goto taken
		case addIJmpLtS:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(r[in.B].N) {
				goto taken
			}
			continue
		case addIJmpLeS:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) <= int64(r[in.B].N) {
				goto taken
			}
			continue
		case addIJmpLtSI:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			if int64(r[in.A].N) < int64(in.C) {
				goto taken
			}
			continue
		case addIAddI:
			r[in.A].SetNumber(r[in.B].N + uint64(int64(in.C)))
			in = &ins[pc]
			pc++
			v = r[in.B].N + uint64(int64(in.C))
		case jmpNeIJmpNeI:
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			in = &ins[pc]
			pc++
			if r[in.A].N != uint64(int64(in.C)) {
				goto taken
			}
			continue
		case jmpEqIJmpEqI:
			if r[in.A].N == uint64(int64(in.C)) {
				goto taken
			}
			in = &ins[pc]
			pc++
			if r[in.A].N == uint64(int64(in.C)) {
				goto taken
			}
			continue
		case shlIXor:
			r[in.A].SetNumber(r[in.B].N << uint32(in.C))
			in = &ins[pc]
			pc++
			v = r[in.B].N ^ r[in.C].N
		case shrIXor:
			r[in.A].SetNumber(r[in.B].N >> uint32(in.C))
			in = &ins[pc]
			pc++
			v = r[in.B].N ^ r[in.C].N
		case loadJmpNil:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.multi || code.Kind(in.K) < code.Pointer {
				goto plain
			}
			r[in.A].Set(p.P.Cells[off])
			in = &ins[pc]
			pc++
			if r[in.A].IsNil() {
				goto taken
			}
			continue
		case loadJmpNotNil:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.multi || code.Kind(in.K) < code.Pointer {
				goto plain
			}
			r[in.A].Set(p.P.Cells[off])
			in = &ins[pc]
			pc++
			if !r[in.A].IsNil() {
				goto taken
			}
			continue
		case loadJmpLeU:
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
		case loadMov:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.multi {
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
		case loadAddI:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = r[in.B].N + uint64(int64(in.C))
		case loadReturn:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.multi {
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
		case loadLoad:
			p := r[in.B]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.multi {
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
		case storeLoad:
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.heap.Fresh(p.P) || p.P.Sym != nil || m.multi {
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
		case loadMulF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
		case loadAddF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
		case loadSubF:
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
		case mulFMulF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))
		case mulFAddF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))
		case mulFSubF:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			v = expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))
		case mulFLoad:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			n, ok := m.numberAt(r[in.B], in.C)
			if !ok {
				goto plain
			}
			v = n
		case addFStore:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.heap.Fresh(p.P) || p.P.Sym != nil || m.multi {
				goto plain
			}
			p.P.Cells[off].Set(r[in.B])
			continue
		case subFStore:
			r[in.A].SetNumber(expr.Float64Bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N)))
			in = &ins[pc]
			pc++
			p := r[in.A]
			off := int(p.N) + int(in.C)
			if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || !m.heap.Fresh(p.P) || p.P.Sym != nil || m.multi {
				goto plain
			}
			p.P.Cells[off].Set(r[in.B])
			continue
		case loadSJmpLeS:
			n, ok := m.elementAt(r[in.B], r[in.B+1].N, r[in.C].N)
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
		case loadSJmpLtS:
			n, ok := m.elementAt(r[in.B], r[in.B+1].N, r[in.C].N)
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
		case loadSJmpNeI:
			n, ok := m.elementAt(r[in.B], r[in.B+1].N, r[in.C].N)
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
		case loadSLoadS:
			n, ok := m.elementAt(r[in.B], r[in.B+1].N, r[in.C].N)
			if !ok {
				goto plain
			}
			r[in.A].SetNumber(n)
			in = &ins[pc]
			pc++
			n, ok = m.elementAt(r[in.B], r[in.B+1].N, r[in.C].N)
			if !ok {
				goto plain
			}
			v = n
		case indexStrJmpLtSI:
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
		case ltFJmpIf:
			v = heap.Bool(math.Float64frombits(r[in.B].N) < math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N != 0 {
				goto taken
			}
			continue
		case ltFJmpIfNot:
			v = heap.Bool(math.Float64frombits(r[in.B].N) < math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case leFJmpIf:
			v = heap.Bool(math.Float64frombits(r[in.B].N) <= math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N != 0 {
				goto taken
			}
			continue
		case leFJmpIfNot:
			v = heap.Bool(math.Float64frombits(r[in.B].N) <= math.Float64frombits(r[in.C].N))
			r[in.A].SetNumber(v)
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case nePJmpIfNot:
			r[in.A].SetNumber(heap.Bool(r[in.B] != r[in.C]))
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue
		case eqPJmpIfNot:
			r[in.A].SetNumber(heap.Bool(r[in.B] == r[in.C]))
			in = &ins[pc]
			pc++
			if r[in.A].N == 0 {
				goto taken
			}
			continue

		default:
			f.pc = int32(pc) - 1
			if in.Op < symbolicOps {
				m.unsupported(g, "instruction "+in.Op.String())
				goto fault
			}
			// The registers' shadows want the instruction as it was compiled.
			in = &f.fn.Code[pc-1]
			if g.merging.on {
				if m.join(g, f) {
					goto reload
				}
				goto again
			}
			if !m.shadow(g, f, in) {
				if g.merging.on {
					goto reload // this instruction again, in concrete code
				}
				goto again
			}
			if m.fault != noFault || m.over {
				goto fault
			}
			if in.Op == code.LoadN || g.sym[f.base+in.A] != expr.None {
				goto resume // to the code for what is symbolic now
			}
			continue
		}

	number:
		{
			// Most registers that hold a number have held one before: the host's
			// write barrier is for the others.
			d := &r[in.A]
			d.N = v
			if d.P != nil {
				d.P = nil
			}
		}
		continue

	plain:
		// The instruction is to be carried out alone, as it was compiled.
		in = &f.fn.Code[pc-1]
		goto again

	narrow:
		v = heap.Canonical(v, code.Kind(in.K))
		goto number

	loaded:
		// w comes from memory.
		if w.P == nil {
			v = w.N
			goto number
		}
		if code.Kind(in.K) < code.Pointer {
			v = m.pointerToInt(w).N // memory of a pointer, read as a number
			goto number
		}

	word:
		r[in.A].Set(w)
		continue

	taken:
		if int(in.D) < pc {
			if m.fuel -= int64(pc) - int64(in.D); m.fuel < 0 {
				f.pc = int32(pc) - 1
				if !m.refuel(g) || !m.pause(g) {
					goto fault
				}
			}
		}
		pc = int(in.D)
		continue

	leave:
		{
			if len(f.defers) > 0 {
				f.pc = int32(pc) - 1
				m.returnDefers(g, f)
				goto reload
			}
			// The results go to register 0, which is D: as a variable it keeps the
			// parts of r's address out of the host's registers.
			n := int(in.K)
			switch n {
			case 0:
			case 1:
				r[in.D].Set(r[in.A])
			default:
				heap.MoveWords(r, int(in.D), int(in.A), n)
			}
			if f.symbolic {
				shadows := g.sym[f.base:]
				copy(shadows[:n], shadows[in.A:int(in.A)+n])
			}
			if m.fuel -= int64(pc) - 1; m.fuel < 0 {
				f.pc = int32(pc) - 1
				if !m.refuel(g) {
					goto fault
				}
			}
			if f.mode != called {
				m.leave(g)
				goto reload
			}
			last := len(g.frames) - 1
			from := f
			g.frames = g.frames[:last]
			f = &g.frames[last-1]
			if from.symbolic || f.symbolic {
				g.returnShadows(f, from.symbolic, from.base, n)
			}
			f.pc++
			goto enter
		}

	call:
		// callee with closure, its window at register A.
		f.pc = int32(pc) - 1
		if in.K != code.ModeCall {
			if !m.startOrDefer(g, f, in, callee, closure) {
				goto fault
			}
			goto resume
		}
		if callee.direct {
			if callee.native == 0 {
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
			base := f.base + in.A
			symbolic := f.symbolic && anySymbolic(g.sym[base:int(base)+callee.Params])
			n := len(g.frames)
			if need := int(base) + callee.regs; n < cap(g.frames) && need <= len(g.stack) && n != m.Limits.Depth {
				g.frames = g.frames[:n+1]
				f = &g.frames[n]
				f.fn, f.closure, f.pc, f.base, f.mode = callee, closure, 0, base, called
				f.symbolic = false
				f.defers = f.defers[:0]
				f.context = 0
			} else if !m.push(g, callee, closure, base, called) {
				goto fault
			}
			f = &g.frames[n]
			if m.fuel--; m.fuel < 0 && !m.refuel(g) {
				goto fault
			}
			if symbolic {
				f.symbolic = true
			}
			goto enter
		}

	symbolic:
		// The registers are concrete, but what they point to is not.
		f.pc = int32(pc) - 1
		if !f.symbolic {
			g.makeSymbolic(f)
		}
		if m.shadow(g, f, &f.fn.Code[pc-1]); m.fault != noFault || m.over {
			goto fault
		}
		goto resume

	done:
		// The instruction is done, and frames are as they were.
		if !f.symbolic && !m.over {
			continue
		}

	resume:
		// The instruction is done; frames, registers or shadows may be others now.
		if m.over {
			return
		}
		if top := g.top(); top == f {
			f.pc++
		}
		goto reload

	nilFault:
		f.pc = int32(pc) - 1
		m.panicNil(g)

	fault:
		switch m.fault {
		case parkFault:
			m.fault = noFault
			return
		case panicFault:
			m.fault = noFault
			m.throw(g)
		case exitFault:
			m.fault = noFault
			m.goexit(g)
		default:
			return
		}
		goto reload
	}
}
