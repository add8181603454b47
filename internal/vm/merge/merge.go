package merge

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// maxMerged bounds the number of instructions that are evaluated for a region, since code
// that can be reached by several jumps may be evaluated once for each. For the parsers in
// bench/solve the number is at most 36.
const maxMerged = 4 * 64

// An Evaluation evaluates a region symbolically, without effects on the run. Registers
// are words with shadows, as in a frame; the words of those with a shadow are
// meaningless. Its methods return false if something cannot be evaluated or would take
// too long.
type Evaluation struct {
	Arena   *expr.Arena
	Known   map[state.KnownCondition]bool // what the path condition contains
	Slot    int32                         // of the goroutine that merges
	Program Program
	// Merged are the conditions that Merge has merged. Each of them precedes those that
	// are tested on one of its sides.
	Merged []state.MergedCondition

	left int // number of instructions that may still be evaluated
	done []mergedJump
}

// A Program provides the functions that a function calls, and its regions.
type Program interface {
	// Callee returns the function for fn.Callees[i].
	Callee(fn *state.Function, i int32) *state.Function
	Regions(fn *state.Function) *state.RegionCode
}

// Merge evaluates both sides of the jump at the head of a region of fn, with the given
// registers. It returns the shadows of the registers, or of the results, at each end of
// the region and, if there are two ends, the condition under which the first one is
// reached. It returns false if that is not possible, or if the path condition admits only
// one side.
func (e *Evaluation) Merge(fn *state.Function, region *region.Region, regs symbolic.Operands) (shadows [2][]expr.ID, first expr.ID, ok bool) {
	e.left = maxMerged
	head := region.Head
	c, ok := e.resolve(&fn.Code[head], regs)
	if !ok || c.known {
		return shadows, first, false
	}
	if region.Ends[1] < 0 {
		out, ok := e.sides(fn, head, c, regs)
		if !ok {
			return shadows, first, false
		}
		shadows[0] = out.Syms
	} else {
		ways, ok := e.paths(fn, head, region.Ends, regs)
		if !ok || ways[0].cond == expr.None || ways[1].cond == expr.None {
			return shadows, first, false
		}
		shadows, first = [2][]expr.ID{ways[0].regs.Syms, ways[1].regs.Syms}, ways[0].cond
	}
	for k, end := range region.Ends {
		if end >= 0 && end < len(fn.Code) {
			forgetUnneeded(shadows[k], fn.NeededBefore(int32(end)))
		}
	}
	return shadows, first, true
}

// A mergedJump is a jump whose sides have been evaluated, with the registers before it
// and those where the sides meet. A jump may be reached in many ways, often with the same
// values.
type mergedJump struct {
	fn         *state.Function
	pc         int
	before, to symbolic.Operands
}

// A choice is the decision that a conditional jump makes.
type choice struct {
	known   bool    // the jump can only go one way
	taken   bool    // if it is known: the jump is taken
	cond    expr.ID // if it is not known: the condition
	negated bool    // the jump is taken if cond does not hold
}

// run evaluates fn from instruction pc on until it reaches stop. It changes regs, and
// returns the registers at stop, or the results at the end of the function.
func (e *Evaluation) run(fn *state.Function, pc, stop int, regs symbolic.Operands) (symbolic.Operands, bool) {
	for pc = fn.Origin(pc); pc != stop; pc = fn.Origin(pc) {
		if e.left--; e.left < 0 {
			return symbolic.Operands{}, false
		}
		in := &fn.Code[pc]
		next, target := in.Flow()
		switch {
		case in.Op == code.Return:
			return regs.Slice(int(in.A), int(in.A)+int(in.K)), true
		case target < 0:
			if !e.step(fn, in, regs) {
				return symbolic.Operands{}, false
			}
			pc++
		case !next:
			pc = target
		default:
			c, ok := e.resolve(in, regs)
			switch {
			case !ok:
				return symbolic.Operands{}, false
			case c.known && c.taken:
				pc = target
			case c.known:
				pc++
			default:
				join := e.Program.Regions(fn).At(pc).Ends[0]
				if regs, ok = e.sides(fn, pc, c, regs); !ok || join == len(fn.Code) {
					return regs, ok
				}
				pc = join
			}
		}
	}
	return regs, true
}

// sides evaluates both sides of the jump at pc, and returns the registers, or the
// results, where they meet.
func (e *Evaluation) sides(fn *state.Function, pc int, c choice, regs symbolic.Operands) (symbolic.Operands, bool) {
	for i := range e.done {
		if d := &e.done[i]; d.fn == fn && d.pc == pc && sameNeeded(d.before, regs, fn.NeededBefore(int32(pc))) {
			return d.to.Clone(), true
		}
	}
	e.Merged = append(e.Merged, state.MergedCondition{Cond: c.cond, Site: run.SiteID{Func: fn.ID, Instr: int32(pc)}})
	join, target := e.Program.Regions(fn).At(pc).Ends[0], int(fn.Code[pc].D)
	there, ok := e.run(fn, target, join, regs.Clone())
	if !ok {
		return there, false
	}
	here, ok := e.run(fn, pc+1, join, regs.Clone())
	if !ok {
		return here, false
	}
	var needed []uint64 // nil, since all results are needed
	if join < len(fn.Code) {
		needed = fn.NeededBefore(int32(join))
	}
	if !e.chooseAll(c, there, here, needed) {
		return there, false
	}
	e.done = append(e.done, mergedJump{fn, pc, regs, there.Clone()})
	return there, true
}

// A path is a way that the program may take to an end of the region: its condition, None
// if it is never taken, and the registers at that end.
type path struct {
	cond expr.ID
	regs symbolic.Operands
}

// paths evaluates fn from instruction pc on, where its tests begin or continue, until it
// reaches one of the ends. It changes regs.
func (e *Evaluation) paths(fn *state.Function, pc int, ends [2]int, regs symbolic.Operands) (to [2]path, ok bool) {
	for {
		pc = fn.Origin(pc)
		if k := slices.Index(ends[:], pc); k >= 0 {
			to[k] = path{e.Arena.Bool(true), regs}
			return to, true
		}
		if e.left--; e.left < 0 {
			return to, false
		}
		in := &fn.Code[pc]
		next, target := in.Flow()
		switch {
		case target < 0:
			if !e.step(fn, in, regs) {
				return to, false
			}
			pc++
		case !next:
			pc = target
		default:
			c, ok := e.resolve(in, regs)
			switch {
			case !ok:
				return to, false
			case c.known && c.taken:
				pc = target
			case c.known:
				pc++
			default:
				return e.bothPaths(fn, pc, c, ends, regs)
			}
		}
	}
}

// bothPaths is paths for the jump at pc, which may go to either side.
func (e *Evaluation) bothPaths(fn *state.Function, pc int, c choice, ends [2]int, regs symbolic.Operands) (to [2]path, ok bool) {
	e.Merged = append(e.Merged, state.MergedCondition{Cond: c.cond, Site: run.SiteID{Func: fn.ID, Instr: int32(pc)}})
	there, ok := e.paths(fn, int(fn.Code[pc].D), ends, regs.Clone())
	if !ok {
		return to, false
	}
	here, ok := e.paths(fn, pc+1, ends, regs)
	if !ok {
		return to, false
	}
	for k, end := range ends {
		x, y := there[k], here[k]
		to[k].regs = x.regs
		switch {
		case x.cond == expr.None && y.cond == expr.None:
			continue
		case x.cond == expr.None:
			x.cond, to[k].regs = e.Arena.Bool(false), y.regs
		case y.cond == expr.None:
			y.cond = e.Arena.Bool(false)
		case !e.chooseAll(c, x.regs, y.regs, fn.NeededBefore(int32(end))):
			return to, false
		}
		if c.negated {
			x, y = y, x
		}
		to[k].cond = e.Arena.Ite(c.cond, x.cond, y.cond)
	}
	return to, true
}

// chooseAll sets there, the registers on the path where the jump is taken, to their
// values whichever way the jump goes; here are the registers on the path where it is not
// taken. Only the registers in the set needed matter, or all of them if it is nil.
func (e *Evaluation) chooseAll(c choice, there, here symbolic.Operands, needed []uint64) bool {
	for r := range there.Words {
		if needed != nil && needed[r/64]&(1<<(r%64)) == 0 {
			continue
		}
		x, y := there.At(r), here.At(r)
		if c.negated {
			x, y = y, x
		}
		z, ok := e.choose(c.cond, x, y)
		if !ok {
			return false
		}
		there.Words[r], there.Syms[r] = z.Word, z.Sym
	}
	return true
}

// choose returns x if cond holds and otherwise y. They have the same type. The result is
// false if that may be a pointer type.
func (e *Evaluation) choose(cond expr.ID, x, y symbolic.Operand) (symbolic.Operand, bool) {
	if x.Same(y) {
		return x, true
	}
	if x.P != nil || y.P != nil {
		return x, false
	}
	// Values that are concrete on both sides may be of any kind, but in each kind the 64
	// bits of a word determine the value.
	width := uint8(64)
	for _, z := range []symbolic.Operand{x, y} {
		if z.Sym != expr.None {
			width = min(width, e.Arena.Width(z.Sym))
		}
	}
	of := func(z symbolic.Operand) expr.ID {
		if z.Sym == expr.None {
			return e.Arena.Const(z.N, width)
		}
		return e.Arena.Extract(z.Sym, 0, width)
	}
	z := symbolic.Operand{Sym: e.Arena.Ite(cond, of(x), of(y))}
	_, constant := e.Arena.ConstValue(z.Sym)
	return z, !constant
}

// sameNeeded reports whether the registers in the set needed have the same values in x
// and y.
func sameNeeded(x, y symbolic.Operands, needed []uint64) bool {
	for r := range x.Words {
		if needed[r/64]&(1<<(r%64)) != 0 && !x.At(r).Same(y.At(r)) {
			return false
		}
	}
	return true
}

// resolve returns the decision of a conditional jump.
func (e *Evaluation) resolve(in *code.Instr, regs symbolic.Operands) (choice, bool) {
	if in.Op == code.JmpNil || in.Op == code.JmpNotNil {
		p := regs.At(int(in.A))
		return choice{known: true, taken: p.IsNil() == (in.Op == code.JmpNil)}, p.Sym == expr.None
	}
	t := symbolic.ComparisonOf(in, regs.Words, regs.Syms)
	unlike := in.Op == code.JmpIfNot
	if !t.Symbolic() {
		return choice{known: true, taken: t.Holds() != unlike}, true
	}
	c := choice{cond: t.Expr(e.Arena), negated: unlike}
	holds, constant := e.Arena.ConstValue(c.cond)
	switch {
	case constant:
		c.known, c.taken = true, (holds == 1) != unlike
	case e.Known[state.KnownCondition{Slot: e.Slot, Cond: c.cond}]:
		c.known, c.taken = true, !unlike
	case e.Known[state.KnownCondition{Slot: e.Slot, Cond: e.Arena.Not(c.cond)}]:
		c.known, c.taken = true, unlike
	}
	return c, true
}

// step evaluates an instruction that is not a jump.
func (e *Evaluation) step(fn *state.Function, in *code.Instr, regs symbolic.Operands) bool {
	a, b, n := int(in.A), int(in.B), int(in.K)
	switch in.Op {
	case code.Nop, code.Cover:
	case code.Mov:
		regs.Words[a], regs.Syms[a] = regs.Words[b], regs.Syms[b]
	case code.MovN:
		copy(regs.Words[a:], regs.Words[b:b+n])
		copy(regs.Syms[a:], regs.Syms[b:b+n])
	case code.Imm:
		regs.Words[a], regs.Syms[a] = heap.Word{N: uint64(int64(in.C))}, expr.None
	case code.Const:
		copy(regs.Words[a:], fn.ConstWords[fn.ConstAt[b]:][:n])
		clear(regs.Syms[a : a+n])
	case code.Zero:
		clear(regs.Words[a : a+n])
		clear(regs.Syms[a : a+n])
	case code.Call:
		return e.call(fn, in, regs)
	default:
		return e.compute(in, regs)
	}
	return true
}

// call evaluates a call of a function that only computes.
func (e *Evaluation) call(fn *state.Function, in *code.Instr, regs symbolic.Operands) bool {
	callee := e.Program.Callee(fn, in.B)
	if callee.Direct || e.Program.Regions(callee).Whole == nil {
		return false
	}
	inner := symbolic.Operands{Words: make([]heap.Word, callee.Regs), Syms: make([]expr.ID, callee.Regs)}
	copy(inner.Words, regs.Words[in.A:int(in.A)+callee.Params])
	copy(inner.Syms, regs.Syms[in.A:int(in.A)+callee.Params])
	out, ok := e.run(callee, 0, len(callee.Code), inner)
	if ok {
		copy(regs.Words[in.A:], out.Words)
		copy(regs.Syms[in.A:], out.Syms)
	}
	return ok
}

// compute evaluates an instruction that computes a word from one or two others.
func (e *Evaluation) compute(in *code.Instr, regs symbolic.Operands) bool {
	x, y := symbolic.OperandsOf(in, regs.Words, regs.Syms)
	var z symbolic.Operand
	switch in.Op {
	case code.EqP, code.NeP:
		if x.Sym != expr.None || y.Sym != expr.None {
			return false
		}
		z.N = heap.Bool((x.Word == y.Word) == (in.Op == code.EqP))
	case code.Div, code.Rem:
		if y.Sym != expr.None || y.N == 0 {
			return false
		}
	case code.Shl, code.Shr:
		if code.Kind(in.D).Signed() && (y.Sym != expr.None || int64(y.N) < 0) {
			return false
		}
	}
	if in.Op != code.EqP && in.Op != code.NeP {
		if x.P != nil || y.P != nil {
			return false
		}
		v, k := symbolic.Result(e.Arena, in, x, y)
		if n, constant := e.Arena.ConstValue(v); constant {
			z.N = heap.Canonical(n, k)
		} else {
			z.Sym = v
		}
	}
	regs.Words[in.A], regs.Syms[in.A] = z.Word, z.Sym
	return true
}

// forgetUnneeded makes registers concrete that are not in the set needed.
func forgetUnneeded(syms []expr.ID, needed []uint64) {
	for r := range syms {
		if needed[r/64]&(1<<(r%64)) == 0 {
			syms[r] = expr.None
		}
	}
}
