package typecode

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// A Writer writes the code of a function that the model of package reflect needs: an
// operation on values of a type that is known only when the program runs, such as a copy
// of a struct or a call of a function. The machine executes it like any other code, with
// its accesses, visible operations, panics and symbolic values.
//
// Values are passed by pointers to storage. The parameters occupy the first registers;
// the others are reserved one after another.
type Writer struct {
	prog *code.Program
	f    *code.Func
	pos  token.Pos
}

// New returns a Writer for a function that primitive prim returns.
func New(prog *code.Program, prim *ssa.Function, name string) *Writer {
	return &Writer{
		prog: prog,
		f:    &code.Func{Name: name, SSA: prim, Recover: -1, Standard: true},
		pos:  prim.Pos(),
	}
}

// params sets the number of parameter words. It must be called first.
func (c *Writer) params(n int) {
	c.f.Params = n
	c.f.Regs = n
}

// take reserves n registers and returns the first.
func (c *Writer) take(n int) int32 {
	r := c.f.Regs
	c.f.Regs += n
	return int32(r)
}

// emit adds an instruction and returns its index.
func (c *Writer) emit(in code.Instr) int {
	c.f.Code = append(c.f.Code, in)
	c.f.Pos = append(c.f.Pos, c.pos)
	return len(c.f.Code) - 1
}

// here sets the target of the jump at index at to the next instruction.
func (c *Writer) here(at int) { c.f.Code[at].D = int32(len(c.f.Code)) }

// typ returns the operand that refers to t.
func (c *Writer) typ(t *code.Type) int32 {
	c.f.Types = append(c.f.Types, t)
	return int32(len(c.f.Types) - 1)
}

// ret ends the function with n result words from r on.
func (c *Writer) ret(r int32, n int) *code.Func {
	c.f.Results = n
	c.emit(code.Instr{Op: code.Return, K: uint16(n), A: r})
	return c.f
}

// maxRun is the maximum number of words that one instruction moves.
const maxRun = 1 << 12

// runs calls move for n words, in runs that one instruction can move.
func runs(n int, move func(at int32, n uint16)) {
	for at := 0; at < n; at += maxRun {
		move(int32(at), uint16(min(n-at, maxRun)))
	}
}

// load emits r.. = the value of type t at pointer p.
func (c *Writer) load(t *code.Type, r, p int32) {
	if t.Words == 1 {
		c.emit(code.Instr{Op: code.Load, K: uint16(t.Kinds[0]), A: r, B: p})
		return
	}
	c.loadWords(t.Words, r, p, 0)
}

// loadWords emits r.. = n cells at pointer p + at.
func (c *Writer) loadWords(n int, r, p, at int32) {
	runs(n, func(i int32, n uint16) {
		c.emit(code.Instr{Op: code.LoadN, K: n, A: r + i, B: p, C: at + i})
	})
}

// store emits the value of type t at pointer p = r...
func (c *Writer) store(t *code.Type, p, r int32) {
	if t.Words == 1 {
		c.emit(code.Instr{Op: code.Store, K: uint16(t.Kinds[0]), A: p, B: r})
		return
	}
	c.storeWords(t.Words, p, 0, r)
}

// storeWords emits n cells at pointer p + at = r...
func (c *Writer) storeWords(n int, p, at, r int32) {
	runs(n, func(i int32, n uint16) {
		c.emit(code.Instr{Op: code.StoreN, K: n, A: p, B: r + i, C: at + i})
	})
}

// Copier writes a func(dst, src unsafe.Pointer).
func (c *Writer) Copier(t *code.Type) *code.Func {
	c.params(2)
	if t.Words == 1 {
		r := c.take(1)
		c.load(t, r, 1)
		c.store(t, 0, r)
		return c.ret(0, 0)
	}
	runs(t.Words, func(at int32, n uint16) {
		c.emit(code.Instr{Op: code.Copy, K: n, A: 0, C: at, B: 1, D: at})
	})
	return c.ret(0, 0)
}

// Clearer writes a func(p unsafe.Pointer).
func (c *Writer) Clearer(t *code.Type) *code.Func {
	c.params(1)
	n := min(t.Words, maxRun)
	r := c.take(n)
	c.emit(code.Instr{Op: code.Zero, K: uint16(n), A: r})
	if t.Words == 1 {
		c.store(t, 0, r)
		return c.ret(0, 0)
	}
	runs(t.Words, func(at int32, n uint16) {
		c.emit(code.Instr{Op: code.StoreN, K: n, A: 0, B: r, C: at})
	})
	return c.ret(0, 0)
}

// Packer writes a func(p unsafe.Pointer) any.
func (c *Writer) Packer(t *code.Type) *code.Func {
	c.params(1)
	v := c.take(t.Words)
	i := c.take(2)
	c.load(t, v, 0)
	c.emit(code.Instr{Op: code.MakeIface, A: i, B: v, D: c.typ(t)})
	return c.ret(i, 2)
}

// SliceMaker writes a func(len, cap int) slice.
func (c *Writer) SliceMaker(t *code.Type) *code.Func {
	c.params(2)
	r := c.take(3)
	c.emit(code.Instr{Op: code.MakeSlice, A: r, B: 0, C: 1, D: c.typ(t)})
	return c.ret(r, 3)
}

// Appender writes a func(s, x slice) slice.
func (c *Writer) Appender(t *code.Type) *code.Func {
	c.params(6)
	r := c.take(3)
	c.emit(code.Instr{Op: code.Append, A: r, B: 0, C: 3, D: c.typ(t)})
	return c.ret(r, 3)
}

// SliceCopier writes a func(dst, src slice) int.
func (c *Writer) SliceCopier(t *code.Type) *code.Func {
	c.params(6)
	r := c.take(1)
	c.emit(code.Instr{Op: code.CopyS, A: r, B: 0, C: 3, D: c.typ(t)})
	return c.ret(r, 1)
}

// SliceClearer writes a func(s slice).
func (c *Writer) SliceClearer(t *code.Type) *code.Func {
	c.params(3)
	c.emit(code.Instr{Op: code.ClearS, A: 0, D: c.typ(t)})
	return c.ret(0, 0)
}

// MapMaker writes a func(n int) unsafe.Pointer.
func (c *Writer) MapMaker(t *code.Type) *code.Func {
	c.params(1)
	r := c.take(1)
	c.emit(code.Instr{Op: code.MakeMap, A: r, B: 0, D: c.typ(t)})
	return c.ret(r, 1)
}

// MapGetter writes a func(m, k, e unsafe.Pointer) bool.
func (c *Writer) MapGetter(t *code.Type) *code.Func {
	c.params(3)
	key := c.take(t.Key.Words)
	elem := c.take(t.Elem.Words)
	ok := c.take(1)
	c.load(t.Key, key, 1)
	c.emit(code.Instr{Op: code.MapGet, K: 1, A: elem, B: 0, C: key, D: c.typ(t)})
	missing := c.emit(code.Instr{Op: code.JmpIfNot, A: ok})
	c.store(t.Elem, 2, elem)
	c.here(missing)
	return c.ret(ok, 1)
}

// MapSetter writes a func(m, k, e unsafe.Pointer).
func (c *Writer) MapSetter(t *code.Type) *code.Func {
	c.params(3)
	key := c.take(t.Key.Words)
	elem := c.take(t.Elem.Words)
	c.load(t.Key, key, 1)
	c.load(t.Elem, elem, 2)
	c.emit(code.Instr{Op: code.MapSet, A: 0, B: key, C: elem, D: c.typ(t)})
	return c.ret(0, 0)
}

// MapDeleter writes a func(m, k unsafe.Pointer).
func (c *Writer) MapDeleter(t *code.Type) *code.Func {
	c.params(2)
	key := c.take(t.Key.Words)
	c.load(t.Key, key, 1)
	c.emit(code.Instr{Op: code.MapDel, A: 0, B: key, D: c.typ(t)})
	return c.ret(0, 0)
}

// MapRanger writes a func(m unsafe.Pointer) unsafe.Pointer.
func (c *Writer) MapRanger(t *code.Type) *code.Func {
	c.params(1)
	r := c.take(1)
	c.emit(code.Instr{Op: code.MapIter, A: r, B: 0, D: c.typ(t)})
	return c.ret(r, 1)
}

// MapNexter writes a func(it, k, e unsafe.Pointer) bool.
func (c *Writer) MapNexter(t *code.Type) *code.Func {
	c.params(3)
	ok := c.take(1)
	key := c.take(t.Key.Words)
	elem := c.take(t.Elem.Words)
	c.emit(code.Instr{Op: code.MapNext, K: 3, A: ok, B: 0, D: c.typ(t)})
	done := c.emit(code.Instr{Op: code.JmpIfNot, A: ok})
	c.store(t.Key, 1, key)
	c.store(t.Elem, 2, elem)
	c.here(done)
	return c.ret(ok, 1)
}

// ChanMaker writes a func(size int) unsafe.Pointer.
func (c *Writer) ChanMaker(t *code.Type) *code.Func {
	c.params(1)
	r := c.take(1)
	c.emit(code.Instr{Op: code.MakeChan, A: r, B: 0, D: c.typ(t)})
	return c.ret(r, 1)
}

// Sender writes a func(ch, p unsafe.Pointer).
func (c *Writer) Sender(t *code.Type) *code.Func {
	c.params(2)
	v := c.take(t.Elem.Words)
	c.load(t.Elem, v, 1)
	c.emit(code.Instr{Op: code.Send, A: 0, B: v, D: c.typ(t)})
	return c.ret(0, 0)
}

// Receiver writes a func(ch, p unsafe.Pointer) bool.
func (c *Writer) Receiver(t *code.Type) *code.Func {
	c.params(2)
	v := c.take(t.Elem.Words)
	ok := c.take(1)
	c.emit(code.Instr{Op: code.Recv, K: 1, A: v, B: 0, D: c.typ(t)})
	c.store(t.Elem, 1, v)
	return c.ret(ok, 1)
}

// Selector writes a func(chans, values unsafe.Pointer) (int, bool), in which case i sends
// on, or receives from, a channel of type ts[i].
func (c *Writer) Selector(sends []bool, ts []*code.Type, block bool) *code.Func {
	c.params(2)
	sel := code.Select{Default: !block}
	results := 2
	for i, t := range ts {
		k := code.SelectCase{Send: sends[i], Chan: c.take(1), Type: t, Recv: -1, Pos: c.pos}
		c.emit(code.Instr{Op: code.Load, K: uint16(code.Pointer), A: k.Chan, B: 0, C: int32(i)})
		if k.Send {
			p := c.take(1)
			k.Value = c.take(t.Elem.Words)
			c.emit(code.Instr{Op: code.Load, K: uint16(code.Pointer), A: p, B: 1, C: int32(i)})
			c.load(t.Elem, k.Value, p)
		} else {
			k.Recv = int32(results)
			results += t.Elem.Words
		}
		sel.Cases = append(sel.Cases, k)
	}
	chosen := c.take(results)
	for i := range sel.Cases {
		if k := &sel.Cases[i]; !k.Send {
			k.Recv += chosen
		}
	}
	c.f.Selects = []code.Select{sel}
	c.emit(code.Instr{Op: code.SelectCh, A: chosen, B: 0})
	p := c.take(1)
	for i, k := range sel.Cases {
		if k.Send {
			continue
		}
		other := c.emit(code.Instr{Op: code.JmpNeI, K: uint16(code.Int64), A: chosen, C: int32(i)})
		c.emit(code.Instr{Op: code.Load, K: uint16(code.Pointer), A: p, B: 1, C: int32(i)})
		c.store(k.Type.Elem, p, k.Recv)
		c.here(other)
	}
	return c.ret(chosen, 2)
}

// A signature is a function type counted in words.
type signature struct {
	params, results int
}

func (c *Writer) signatureOf(sig *types.Signature) signature {
	return signature{
		params:  c.prog.Type(sig.Params()).Words,
		results: c.prog.Type(sig.Results()).Words,
	}
}

// window reserves a call window for in words of arguments and out of results.
func (c *Writer) window(in, out int) int32 { return c.take(max(in, out)) }

// Caller writes a func(fn, frame unsafe.Pointer) that calls function values of type sig.
func (c *Writer) Caller(sig *types.Signature) *code.Func {
	c.params(2)
	s := c.signatureOf(sig)
	w := c.window(s.params, s.results)
	c.loadWords(s.params, w, 1, 0)
	c.emit(code.Instr{Op: code.CallFn, K: code.ModeCall, A: w, B: 0, C: int32(s.params), D: int32(s.results)})
	c.storeWords(s.results, 1, int32(s.params), w)
	return c.ret(0, 0)
}

// MethodCaller writes a func(rcvr, frame unsafe.Pointer) that calls method fn of type t.
func (c *Writer) MethodCaller(t *code.Type, fn *ssa.Function, sig *types.Signature) *code.Func {
	c.params(2)
	s := c.signatureOf(sig)
	in := t.Words + s.params
	w := c.window(in, s.results)
	c.load(t, w, 0)
	c.loadWords(s.params, w+int32(t.Words), 1, 0)
	c.call(fn, w, in, s.results)
	c.storeWords(s.results, 1, int32(s.params), w)
	return c.ret(0, 0)
}

func (c *Writer) call(fn *ssa.Function, w int32, in, out int) {
	c.f.Callees = append(c.f.Callees, fn)
	c.emit(code.Instr{Op: code.Call, K: code.ModeCall, A: w, B: int32(len(c.f.Callees) - 1), C: int32(in), D: int32(out)})
}

// Method writes the code of method values for method fn of type t. The closure binds a
// pointer to the receiver.
func (c *Writer) Method(t *code.Type, fn *ssa.Function, sig *types.Signature) *code.Func {
	s := c.signatureOf(sig)
	c.params(s.params)
	c.f.Wrapper = true
	rcvr := c.take(1)
	in := t.Words + s.params
	w := c.window(in, s.results)
	c.emit(code.Instr{Op: code.FreeVar, K: 1, A: rcvr, C: 0})
	c.load(t, w, rcvr)
	c.move(s.params, w+int32(t.Words), 0)
	c.call(fn, w, in, s.results)
	return c.ret(w, s.results)
}

// move emits r.. = q.., n words.
func (c *Writer) move(n int, r, q int32) {
	runs(n, func(at int32, n uint16) {
		c.emit(code.Instr{Op: code.MovN, K: n, A: r + at, B: q + at})
	})
}

// Made writes the code of functions that reflect.MakeFunc makes. The closure binds the
// first argument of callReflect; the second is a frame of type ft.
func (c *Writer) Made(ft *code.Type, callReflect *ssa.Function, sig *types.Signature) *code.Func {
	c.f.Wrapper = true
	s := c.signatureOf(sig)
	c.params(s.params)
	frame := c.take(1)
	w := c.window(2, s.results)
	c.emit(code.Instr{Op: code.New, K: 1, A: frame, D: c.typ(ft)})
	c.storeWords(s.params, frame, 0, 0)
	c.emit(code.Instr{Op: code.FreeVar, K: 1, A: w, C: 0})
	c.emit(code.Instr{Op: code.Mov, A: w + 1, B: frame})
	c.call(callReflect, w, 2, 0)
	c.loadWords(s.results, w, frame, int32(s.params))
	return c.ret(w, s.results)
}
