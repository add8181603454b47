package vm

import (
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// symbolicOps is added to the opcodes of the code that frames with symbolic
// registers run: those instructions get their symbolic side done first (see
// shadow), so that concrete frames need not ask whether there is one.
const symbolicOps = code.NumOps

// exec executes g until it is parked, has ended, or the run is over.
//
// Within, r are the registers of the top frame f, sy their shadows (nil when the
// frame holds nothing symbolic) and pc the next instruction. f.pc is set to it
// before anything that may fail, park, or look at where the goroutine is. The
// methods that carry out instructions return false when they could not; the
// fault says why.
func (m *Machine) exec(g *goroutine) {
	m.preserve(g)
	var (
		f *frame
		// Of the call that is being made.
		callee  *function
		closure *Object
	)

reload:
	if m.over || g.status != running {
		return
	}
	f = g.top()

enter:
	// These stay as they are while f runs.
	ins := f.fn.ins
	r := g.stack[f.base : int(f.base)+f.fn.regs]
	var sy []expr.ID
	if f.symbolic {
		ins = f.fn.symbolicCode()
		sy = g.sym[f.base : int(f.base)+f.fn.regs]
	}

	for pc := f.pc; ; {
		in := &ins[pc]
		op := in.Op
		var jump bool
	again:
		switch op {
		case code.Nop:

		// Data movement.
		case code.Mov:
			r[in.A] = r[in.B]
		case code.MovN:
			copy(r[in.A:int(in.A)+int(in.K)], r[in.B:int(in.B)+int(in.K)])
		case code.Imm:
			r[in.A] = Word{N: uint64(int64(in.C))}
		case code.Const:
			at := f.fn.constAt[in.B]
			copy(r[in.A:], f.fn.consts[at:int(at)+int(in.K)])
		case code.Zero:
			clear(r[in.A : int(in.A)+int(in.K)])

		// Integer arithmetic.
		case code.Add:
			r[in.A] = Word{N: r[in.B].N + r[in.C].N}
		case code.AddK:
			r[in.A] = Word{N: canonical(r[in.B].N+r[in.C].N, code.Kind(in.K))}
		case code.AddI:
			r[in.A] = Word{N: r[in.B].N + uint64(int64(in.C))}
		case code.AddKI:
			r[in.A] = Word{N: canonical(r[in.B].N+uint64(int64(in.C)), code.Kind(in.K))}
		case code.Sub:
			r[in.A] = Word{N: r[in.B].N - r[in.C].N}
		case code.SubK:
			r[in.A] = Word{N: canonical(r[in.B].N-r[in.C].N, code.Kind(in.K))}
		case code.Mul:
			r[in.A] = Word{N: r[in.B].N * r[in.C].N}
		case code.MulK:
			r[in.A] = Word{N: canonical(r[in.B].N*r[in.C].N, code.Kind(in.K))}
		case code.MulI:
			r[in.A] = Word{N: r[in.B].N * uint64(int64(in.C))}
		case code.Div, code.Rem:
			x, y := r[in.B].N, r[in.C].N
			if y == 0 {
				f.pc = pc
				m.panicError(g, "integer divide by zero")
				goto fault
			}
			r[in.A] = Word{N: divide(op == code.Rem, code.Kind(in.K), x, y)}
		case code.And:
			r[in.A] = Word{N: r[in.B].N & r[in.C].N}
		case code.AndI:
			r[in.A] = Word{N: r[in.B].N & uint64(int64(in.C))}
		case code.Or:
			r[in.A] = Word{N: r[in.B].N | r[in.C].N}
		case code.Xor:
			r[in.A] = Word{N: r[in.B].N ^ r[in.C].N}
		case code.AndNot:
			r[in.A] = Word{N: r[in.B].N &^ r[in.C].N}
		case code.Shl:
			n := r[in.C].N
			if int64(n) < 0 && code.Kind(in.D).Signed() {
				f.pc = pc
				m.panicError(g, "negative shift amount")
				goto fault
			}
			r[in.A] = Word{N: canonical(r[in.B].N<<n, code.Kind(in.K))}
		case code.Shr:
			n := r[in.C].N
			if int64(n) < 0 && code.Kind(in.D).Signed() {
				f.pc = pc
				m.panicError(g, "negative shift amount")
				goto fault
			}
			if code.Kind(in.K).Signed() {
				r[in.A] = Word{N: uint64(int64(r[in.B].N) >> n)}
			} else {
				r[in.A] = Word{N: r[in.B].N >> n}
			}
		case code.ShlI:
			r[in.A] = Word{N: canonical(r[in.B].N<<uint32(in.C), code.Kind(in.K))}
		case code.ShrI:
			if code.Kind(in.K).Signed() {
				r[in.A] = Word{N: uint64(int64(r[in.B].N) >> uint32(in.C))}
			} else {
				r[in.A] = Word{N: r[in.B].N >> uint32(in.C)}
			}
		case code.Neg:
			r[in.A] = Word{N: canonical(-r[in.B].N, code.Kind(in.K))}
		case code.Com:
			r[in.A] = Word{N: canonical(^r[in.B].N, code.Kind(in.K))}
		case code.Not:
			r[in.A] = Word{N: r[in.B].N ^ 1}

		// Floating point.
		case code.AddF:
			if code.Kind(in.K) == code.Float64 {
				r[in.A] = Word{N: math.Float64bits(math.Float64frombits(r[in.B].N) + math.Float64frombits(r[in.C].N))}
			} else {
				r[in.A] = float32Word(float32Of(r[in.B]) + float32Of(r[in.C]))
			}
		case code.SubF:
			if code.Kind(in.K) == code.Float64 {
				r[in.A] = Word{N: math.Float64bits(math.Float64frombits(r[in.B].N) - math.Float64frombits(r[in.C].N))}
			} else {
				r[in.A] = float32Word(float32Of(r[in.B]) - float32Of(r[in.C]))
			}
		case code.MulF:
			if code.Kind(in.K) == code.Float64 {
				r[in.A] = Word{N: math.Float64bits(math.Float64frombits(r[in.B].N) * math.Float64frombits(r[in.C].N))}
			} else {
				r[in.A] = float32Word(float32Of(r[in.B]) * float32Of(r[in.C]))
			}
		case code.DivF:
			if code.Kind(in.K) == code.Float64 {
				r[in.A] = Word{N: math.Float64bits(math.Float64frombits(r[in.B].N) / math.Float64frombits(r[in.C].N))}
			} else {
				r[in.A] = float32Word(float32Of(r[in.B]) / float32Of(r[in.C]))
			}
		case code.NegF:
			if code.Kind(in.K) == code.Float64 {
				r[in.A] = Word{N: math.Float64bits(-math.Float64frombits(r[in.B].N))}
			} else {
				r[in.A] = float32Word(-float32Of(r[in.B]))
			}
		case code.AddC, code.SubC, code.MulC, code.DivC, code.NegC:
			complexArith(op, code.Kind(in.K), r, in)
		case code.EqC:
			r[in.A] = boolWord(equalComplex(code.Kind(in.K), r[in.B:in.B+2], r[in.C:in.C+2]))

		// Comparisons.
		case code.EqW:
			r[in.A] = boolWord(r[in.B].N == r[in.C].N)
		case code.NeW:
			r[in.A] = boolWord(r[in.B].N != r[in.C].N)
		case code.LtS:
			r[in.A] = boolWord(int64(r[in.B].N) < int64(r[in.C].N))
		case code.LeS:
			r[in.A] = boolWord(int64(r[in.B].N) <= int64(r[in.C].N))
		case code.LtU:
			r[in.A] = boolWord(r[in.B].N < r[in.C].N)
		case code.LeU:
			r[in.A] = boolWord(r[in.B].N <= r[in.C].N)
		case code.EqF:
			r[in.A] = boolWord(floatOf(code.Kind(in.K), r[in.B]) == floatOf(code.Kind(in.K), r[in.C]))
		case code.NeF:
			r[in.A] = boolWord(floatOf(code.Kind(in.K), r[in.B]) != floatOf(code.Kind(in.K), r[in.C]))
		case code.LtF:
			r[in.A] = boolWord(floatOf(code.Kind(in.K), r[in.B]) < floatOf(code.Kind(in.K), r[in.C]))
		case code.LeF:
			r[in.A] = boolWord(floatOf(code.Kind(in.K), r[in.B]) <= floatOf(code.Kind(in.K), r[in.C]))
		case code.EqP:
			r[in.A] = boolWord(r[in.B] == r[in.C])
		case code.NeP:
			r[in.A] = boolWord(r[in.B] != r[in.C])
		case code.EqStr, code.NeStr, code.LtStr, code.LeStr:
			x, y := r[in.B:in.B+2], r[in.C:in.C+2]
			if sy == nil && (symbolicText(x) || symbolicText(y)) {
				goto symbolic
			}
			switch op {
			case code.EqStr:
				jump = sameText(x, y)
			case code.NeStr:
				jump = !sameText(x, y)
			case code.LtStr:
				jump = compareText(x, y) < 0
			default:
				jump = compareText(x, y) <= 0
			}
			r[in.A] = boolWord(jump)
		case code.Eq, code.Ne:
			t := f.fn.Types[in.D]
			x, y := r[in.B:int(in.B)+t.Words], r[in.C:int(in.C)+t.Words]
			if sy == nil && (symbolicValue(t, x) || symbolicValue(t, y)) {
				goto symbolic
			}
			f.pc = pc
			eq, ok := m.equal(g, t, x, y)
			if !ok {
				goto fault
			}
			r[in.A] = boolWord(eq == (op == code.Eq))

		// Conversions.
		case code.Conv:
			r[in.A] = Word{N: convertWord(code.Kind(in.C), code.Kind(in.K), r[in.B].N)}
		case code.ConvC:
			convertComplex(code.Kind(in.C), code.Kind(in.K), r[in.B:in.B+2], r[in.A:in.A+2])
		case code.MkComplex:
			r[in.A], r[in.A+1] = Word{N: r[in.B].N}, Word{N: r[in.C].N}
		case code.StrBytes:
			f.pc = pc
			if !m.copyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 3) {
				goto fault
			}
		case code.BytesStr:
			f.pc = pc
			if !m.copyText(g, f, in.A, r[in.B], int(r[in.B+1].N), 2) {
				goto fault
			}
		case code.StrRunes:
			f.pc = pc
			if !m.strRunes(g, r, in) {
				goto fault
			}
		case code.RunesStr:
			f.pc = pc
			if !m.runesStr(g, f, r, in) {
				goto fault
			}
		case code.IntStr:
			f.pc = pc
			if !m.intStr(g, r, in) {
				goto fault
			}
		case code.PtrInt:
			f.pc = pc
			if m.beyondSpan(r[in.B]) {
				m.unsupported(g, "the address of memory that is far from the start of its variable")
				goto fault
			}
			r[in.A] = m.pointerToInt(r[in.B])
		case code.IntPtr:
			f.pc = pc
			if !m.intToPointer(g, r, in) {
				goto fault
			}
		case code.SliceArr:
			f.pc = pc
			if n := r[in.B+1].N; n < uint64(in.C) {
				m.panicBounds(g, boundsConvert, uint64(in.C), int64(n), true)
				goto fault
			}
			r[in.A] = r[in.B]
		case code.SliceToArr:
			f.pc = pc
			if !m.sliceToArr(g, f, r, in, f.fn.Types[in.D]) {
				goto fault
			}

		// Control flow.
		case code.Jmp:
			jump = true
			goto branch
		case code.JmpIf:
			jump = r[in.A].N != 0
			goto branch
		case code.JmpIfNot:
			jump = r[in.A].N == 0
			goto branch
		case code.JmpEq:
			jump = r[in.A].N == r[in.B].N
			goto branch
		case code.JmpNe:
			jump = r[in.A].N != r[in.B].N
			goto branch
		case code.JmpLtS:
			jump = int64(r[in.A].N) < int64(r[in.B].N)
			goto branch
		case code.JmpLeS:
			jump = int64(r[in.A].N) <= int64(r[in.B].N)
			goto branch
		case code.JmpLtU:
			jump = r[in.A].N < r[in.B].N
			goto branch
		case code.JmpLeU:
			jump = r[in.A].N <= r[in.B].N
			goto branch
		case code.JmpEqI:
			jump = r[in.A].N == uint64(int64(in.C))
			goto branch
		case code.JmpNeI:
			jump = r[in.A].N != uint64(int64(in.C))
			goto branch
		case code.JmpLtSI:
			jump = int64(r[in.A].N) < int64(in.C)
			goto branch
		case code.JmpLeSI:
			jump = int64(r[in.A].N) <= int64(in.C)
			goto branch
		case code.JmpGtSI:
			jump = int64(r[in.A].N) > int64(in.C)
			goto branch
		case code.JmpGeSI:
			jump = int64(r[in.A].N) >= int64(in.C)
			goto branch
		case code.JmpNil:
			jump = r[in.A] == Word{}
			goto branch
		case code.JmpNotNil:
			jump = r[in.A] != Word{}
			goto branch
		case code.Cover:
			m.cover(in.A)

		// Memory.
		case code.New:
			f.pc = pc
			o := m.newObject(g, f.fn.Types[in.D], Variable)
			if m.over {
				return
			}
			r[in.A] = Word{P: o}
		case code.Load:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			off := int(p.N) + int(in.C)
			if o := p.P; uint(off) < uint(len(o.Cells)) && o.Sym == nil && !m.multi && sy == nil {
				w := o.Cells[off]
				if w.P != nil && code.Kind(in.K) < code.Pointer {
					w = m.pointerToInt(w) // memory of a pointer, read as a number
				}
				r[in.A] = w
				break
			}
			f.pc = pc
			if !m.loadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.LoadN:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && o.Sym == nil && !m.multi && sy == nil {
				copy(r[in.A:int(in.A)+n], o.Cells[off:off+n])
				break
			}
			f.pc = pc
			if !m.loadSlow(g, f, int(in.A), p.P, off, n, code.NoKind) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.Store:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off := int(p.N) + int(in.C)
			if o := p.P; uint(off) < uint(len(o.Cells)) && o.stamp == m.stamp && o.Sym == nil && !m.multi && sy == nil {
				o.Cells[off] = r[in.B]
				break
			}
			f.pc = pc
			if !m.storeSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
		case code.StoreN:
			p := r[in.A]
			if p.P == nil {
				goto nilFault
			}
			off, n := int(p.N)+int(in.C), int(in.K)
			if o := p.P; off >= 0 && off+n <= len(o.Cells) && o.stamp == m.stamp && o.Sym == nil && !m.multi && sy == nil {
				copy(o.Cells[off:off+n], r[in.B:])
				break
			}
			f.pc = pc
			if !m.storeSlow(g, f, p.P, off, int(in.B), n, code.NoKind) {
				goto fault
			}
		case code.Copy:
			p, q := r[in.A], r[in.B]
			if p.P == nil || q.P == nil {
				goto nilFault
			}
			f.pc = pc
			if !m.copySlow(g, p.P, int(p.N)+int(in.C), q.P, int(q.N)+int(in.D), int(in.K)) {
				goto fault
			}
		case code.Addr:
			p := r[in.B]
			if p.P == nil {
				goto nilFault
			}
			p.N += uint64(in.C)
			r[in.A] = p
		case code.NilCheck:
			if r[in.B].P == nil {
				if in.C > 0 {
					f.pc = pc
					m.panicPlain(g, f.fn.Messages[in.C-1])
					goto fault
				}
				goto nilFault
			}
		case code.IndexS:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(n), true)
				goto fault
			}
			p := r[in.B]
			p.N += i * uint64(in.K)
			r[in.A] = p
		case code.IndexA:
			i, p := r[in.C].N, r[in.B]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			p.N += i * uint64(in.K)
			r[in.A] = p
		case code.LoadS, code.IndexStr:
			i, n := r[in.C].N, r[in.B+1].N
			if i >= n {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.B].P, int(r[in.B].N+i)
			if o.Sym == nil && !m.multi && sy == nil {
				if uint(off) < uint(len(o.Cells)) {
					w := o.Cells[off]
					if w.P != nil && code.Kind(in.K) < code.Pointer {
						w = m.pointerToInt(w)
					}
					r[in.A] = w
					break
				}
				if uint(off) < uint(len(o.Bytes)) {
					r[in.A] = Word{N: uint64(o.Bytes[off])}
					break
				}
			}
			f.pc = pc
			if op == code.IndexStr {
				// Strings do not change: reading them is no access to shared memory.
				at := int(f.base + in.A)
				g.stack[at] = cellWord(o, off)
				m.loadShadow(g, f, at, o.shadowAt(off, 1), 1)
			} else if !m.loadSlow(g, f, int(in.A), o, off, 1, code.Kind(in.K)) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.StoreS:
			i, n := r[in.C].N, r[in.A+1].N
			if i >= n {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(n), true)
				goto fault
			}
			o, off := r[in.A].P, int(r[in.A].N+i)
			if o.stamp == m.stamp && o.Sym == nil && !m.multi && sy == nil {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off] = r[in.B]
					break
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					break
				}
			}
			f.pc = pc
			if !m.storeSlow(g, f, o, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
		case code.LoadA:
			i, p := r[in.C].N, r[in.B]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; o.Sym == nil && !m.multi && sy == nil {
				if uint(off) < uint(len(o.Cells)) {
					w := o.Cells[off]
					if w.P != nil && code.Kind(in.K) < code.Pointer {
						w = m.pointerToInt(w)
					}
					r[in.A] = w
					break
				}
				if uint(off) < uint(len(o.Bytes)) {
					r[in.A] = Word{N: uint64(o.Bytes[off])}
					break
				}
			}
			f.pc = pc
			if !m.loadSlow(g, f, int(in.A), p.P, off, 1, code.Kind(in.K)) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.StoreA:
			i, p := r[in.C].N, r[in.A]
			if p.P == nil {
				goto nilFault
			}
			if i >= uint64(in.D) {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			off := int(p.N + i)
			if o := p.P; o.stamp == m.stamp && o.Sym == nil && !m.multi && sy == nil {
				if uint(off) < uint(len(o.Cells)) {
					o.Cells[off] = r[in.B]
					break
				}
				if uint(off) < uint(len(o.Bytes)) {
					o.Bytes[off] = byte(r[in.B].N)
					break
				}
			}
			f.pc = pc
			if !m.storeSlow(g, f, p.P, off, int(in.B), 1, code.Kind(in.K)) {
				goto fault
			}
		case code.IndexV:
			i, n := r[in.C].N, int(in.K)
			if i >= uint64(in.D) {
				f.pc = pc
				m.panicBounds(g, boundsIndex, i, int64(in.D), true)
				goto fault
			}
			from := int(in.B) + int(i)*n
			copy(r[in.A:int(in.A)+n], r[from:from+n])
			if sy != nil {
				copy(sy[in.A:int(in.A)+n], sy[from:from+n])
			}
		case code.FreeVar:
			o, off, n := f.closure, int(in.C), int(in.K)
			copy(r[in.A:int(in.A)+n], o.Cells[off:off+n])
			if sy != nil || o.Sym != nil {
				m.loadShadow(g, f, int(f.base+in.A), o.shadowAt(off, n), n)
				if f.symbolic != (sy != nil) {
					f.pc = pc
					goto next
				}
			}

		// Slices and strings.
		case code.MakeSlice:
			f.pc = pc
			if !m.makeSlice(g, r, in, f.fn.Types[in.D].Elem) {
				goto fault
			}
		case code.SliceS:
			f.pc = pc
			if !m.slice(g, r, in, f.fn.Types[in.D]) {
				goto fault
			}
		case code.SliceStr:
			f.pc = pc
			if !m.sliceStr(g, r, in) {
				goto fault
			}
		case code.SliceP:
			f.pc = pc
			if !m.slicePtr(g, r, in, f.fn.Types[in.D]) {
				goto fault
			}
		case code.Append, code.AppendStr:
			f.pc = pc
			if !m.appendSlice(g, f, r, in, f.fn.Types[in.D].Elem, r[in.C], int64(r[in.C+1].N)) {
				goto fault
			}
		case code.AppendN:
			f.pc = pc
			if !m.appendN(g, f, r, in, f.fn.Types[in.D].Elem) {
				goto fault
			}
		case code.CopyS, code.CopyStr:
			f.pc = pc
			words := 1
			if op == code.CopyS {
				words = f.fn.Types[in.D].Elem.Words
			}
			if !m.copySlice(g, r, in, words) {
				goto fault
			}
		case code.Concat:
			f.pc = pc
			if !m.concat(g, r, in) {
				goto fault
			}
		case code.PtrAdd:
			f.pc = pc
			if !m.addPointer(g, r, in) {
				goto fault
			}
		case code.ClearS:
			f.pc = pc
			if !m.clearSlice(g, r[in.A:in.A+3], f.fn.Types[in.D].Elem) {
				goto fault
			}
		case code.StrNext:
			f.pc = pc
			m.strNext(g, f, r, in)
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.SliceData:
			r[in.A] = r[in.B]
		case code.MkSlice:
			f.pc = pc
			if !m.unsafeSlice(g, r, in) {
				goto fault
			}
		case code.MkString:
			f.pc = pc
			if !m.unsafeString(g, r, in) {
				goto fault
			}
		case code.MinMax:
			f.pc = pc
			m.minMax(r, in)

		// Interfaces.
		case code.MakeIface:
			f.pc = pc
			if !m.makeIface(g, f, int(in.A), int(in.B), f.fn.Types[in.D]) {
				goto fault
			}
		case code.Assert:
			f.pc = pc
			if !m.assert(g, f, in) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.TypeWord:
			r[in.A] = boolWord(r[in.B].P == m.typeWord(f.fn.Types[in.D]).P)

		// Maps.
		case code.MakeMap:
			f.pc = pc
			o := m.makeMap(g, f.fn.Types[in.D])
			if o == nil {
				goto fault
			}
			r[in.A] = Word{P: o}
		case code.MapGet:
			f.pc = pc
			if !m.mapGet(g, f, in) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.MapSet:
			f.pc = pc
			if !m.mapSet(g, f, in) {
				goto fault
			}
		case code.MapDel:
			f.pc = pc
			if !m.mapDelete(g, f, in) {
				goto fault
			}
		case code.MapLen:
			f.pc = pc
			if !m.mapLength(g, r, in) {
				goto fault
			}
		case code.MapClear:
			f.pc = pc
			if !m.mapClear(g, r[in.A].P) {
				goto fault
			}
		case code.MapIter:
			f.pc = pc
			if !m.mapIter(g, f, in) {
				goto fault
			}
		case code.MapNext:
			f.pc = pc
			if !m.mapNext(g, f, in) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}

		// Functions.
		case code.Closure:
			f.pc = pc
			if !m.makeClosure(g, f, in) {
				goto fault
			}
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
			callee = closure.fn
			goto call
		case code.CallIface:
			typ := r[in.B].P
			if typ == nil {
				goto nilFault
			}
			if callee, closure = m.method(f.fn, in.D, typ), nil; callee == nil {
				f.pc = pc
				m.unsupported(g, "call of a method that the dynamic type lacks: "+f.fn.Methods[in.D].Name)
				goto fault
			}
			r[in.A] = r[in.B+1]
			if sy != nil {
				sy[in.A] = sy[in.B+1]
			}
			goto call
		case code.Return:
			if len(f.defers) > 0 {
				f.pc = pc
				m.returnDefers(g, f)
				goto reload
			}
			n := int(in.K)
			if n == 1 {
				r[0] = r[in.A]
			} else {
				copy(r[:n], r[in.A:int(in.A)+n])
			}
			if sy != nil {
				copy(sy[:n], sy[in.A:int(in.A)+n])
			}
			if m.fuel -= int64(pc); m.fuel < 0 {
				f.pc = pc
				if !m.refuel(g) {
					goto fault
				}
			}
			if f.mode != called {
				m.leave(g)
				goto reload
			}
			base, last := f.base, len(g.frames)-1
			g.frames = g.frames[:last]
			f = &g.frames[last-1]
			if sy != nil || f.symbolic {
				g.returnShadows(f, sy != nil, base, n)
			}
			f.pc++
			goto enter
		case code.RunDefers:
			f.pc = pc
			if m.runDeferred(g, len(g.frames)-1, deferredCall) {
				goto reload
			}
			if m.over {
				return
			}
		case code.DeferStack:
			r[in.A] = Word{N: uint64(len(g.frames) - 1)}
		case code.Panic:
			f.pc = pc
			m.panicNow(g, r[in.A], r[in.A+1])
			goto fault
		case code.Recover:
			r[in.A], r[in.A+1] = m.recover(g)
			if sy != nil {
				sy[in.A], sy[in.A+1] = expr.None, expr.None
			}
		case code.Print:
			f.pc = pc
			m.print(g, r[in.A:in.A+2*in.C], in.K&1 != 0)

		// Goroutines and channels.
		case code.MakeChan:
			f.pc = pc
			o := m.makeChan(g, f.fn.Types[in.D], int64(r[in.B].N))
			if o == nil {
				goto fault
			}
			r[in.A] = Word{P: o}
		case code.Send:
			f.pc = pc
			if !m.send(g, f, in) {
				goto fault
			}
		case code.Recv:
			f.pc = pc
			if !m.recv(g, f, in) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}
		case code.CloseCh:
			f.pc = pc
			if !m.closeChan(g, r[in.A].P) {
				goto fault
			}
		case code.LenCh:
			f.pc = pc
			n, ok := m.lenChan(g, r[in.B].P)
			if !ok {
				goto fault
			}
			r[in.A] = Word{N: n}
		case code.CapCh:
			r[in.A] = Word{N: capChan(r[in.B].P)}
		case code.SelectCh:
			f.pc = pc
			if !m.selectCase(g, f, in) {
				goto fault
			}
			if f.symbolic != (sy != nil) {
				goto next
			}

		case code.Unsupported:
			f.pc = pc
			m.unsupported(g, f.fn.Messages[in.B])
			goto fault

		default:
			if op < symbolicOps {
				f.pc = pc
				m.unsupported(g, "instruction "+op.String())
				goto fault
			}
			f.pc = pc
			// The registers' shadows want the instruction as it was compiled.
			in = &f.fn.Code[pc]
			if m.shadow(g, f, in) {
				break
			}
			op = in.Op
			goto again
		}
		pc++
		continue

	branch:
		if !jump {
			pc++
			continue
		}
		if in.D <= pc {
			if m.fuel -= int64(pc-in.D) + 1; m.fuel < 0 {
				f.pc = pc
				if !m.refuel(g) || !m.pause(g) {
					goto fault
				}
			}
		}
		pc = in.D
		continue

	call:
		// callee with closure, its window at register A.
		f.pc = pc
		if in.K != code.ModeCall {
			if !m.startOrDefer(g, f, in, callee, closure) {
				goto fault
			}
			pc++
			continue
		}
		if callee.intrinsic {
			if !m.callPrimitive(g, f, callee, in) {
				goto fault
			}
			if f != g.top() || f.symbolic != (sy != nil) {
				goto next
			}
			pc++
			continue
		}
		{
			base := f.base + in.A
			symbolic := sy != nil && anySymbolic(sy[in.A:int(in.A)+callee.Params])
			n := len(g.frames)
			if need := int(base) + callee.regs; n < cap(g.frames) && need <= len(g.stack) && n != m.limits.Depth {
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
		g.makeSymbolic(f)
		f.pc = pc
		goto reload

	next:
		// Frames, registers or shadows are others now; the instruction is done.
		if m.over {
			return
		}
		if top := g.top(); top == f {
			f.pc = pc + 1
		}
		goto reload

	nilFault:
		f.pc = pc
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
