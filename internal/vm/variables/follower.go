package variables

import (
	"go/token"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Follower follows the variables of the frames of a machine.
type Follower struct {
	fset *token.FileSet
	// Follows says which functions are followed.
	Follows func(*code.Func) bool
	// Reached is called when a goroutine comes to a line of a function that is followed, which is at the
	// given position; first is set if it is the first line of the call. If it returns false, the run stops there.
	Reached func(g *state.Goroutine, at token.Pos, first bool) bool

	functions map[*code.Func]*function
	stacks    [][]frame // by slot of the goroutine and index of the frame
}

// A frame is what is known of a frame.
type frame struct {
	fn       *function // nil if it is not followed
	last     int32     // the instruction at which it was seen last, -1 if it has just been entered
	line     int       // the line at which it is
	at       token.Pos // where it is, if that is not where the instruction is
	returned bool
	values   []Value // of code.Variables.List
}

// A Value is what is known of a variable.
type Value struct {
	Known bool
	// Address is where the variable is, if it is in memory. Otherwise Words is its value.
	Address heap.Word
	Words   []heap.Word // not changed in place
	// Func is the name of the function that is the value, if the machine has no function value for it.
	Func string
}

// New returns a Follower that follows no frame yet.
func New(fset *token.FileSet) *Follower {
	return &Follower{fset: fset, functions: make(map[*code.Func]*function)}
}

// Begin forgets all frames: a run begins at the start of the target.
func (w *Follower) Begin() { w.stacks = w.stacks[:0] }

// A Snapshot is what a Follower knows at some point of a run.
type Snapshot struct{ stacks [][]frame }

// Snapshot returns what is known now.
func (w *Follower) Snapshot() *Snapshot { return &Snapshot{clone(w.stacks)} }

// Restore makes w know what it knew when the snapshot was made.
func (w *Follower) Restore(s *Snapshot) { w.stacks = clone(s.stacks) }

func clone(stacks [][]frame) [][]frame {
	out := make([][]frame, len(stacks))
	for i, stack := range stacks {
		out[i] = slices.Clone(stack)
		for k := range out[i] {
			out[i][k].values = slices.Clone(out[i][k].values)
		}
	}
	return out
}

// Traps implements state.Traps.At.
func (w *Follower) Traps(f *code.Func) []int32 {
	if f.Variables == nil || f.Wrapper || f.SSA.Syntax() == nil || w.Follows != nil && !w.Follows(f) {
		return nil
	}
	fn := newFunction(f, w.fset)
	w.functions[f] = fn
	return fn.traps
}

// Trap implements state.Traps.Sprung.
func (w *Follower) Trap(g *state.Goroutine, f *state.Frame) bool {
	fn := w.functions[f.Func.Func]
	if fn == nil {
		return true
	}
	fr := w.frame(g, f, fn)
	if fr.last == f.PC {
		return true // the goroutine has waited here
	}
	last := fr.last
	for _, a := range fn.assignments(f.PC) {
		known := true
		switch a.From {
		case code.FromBefore:
			if last != f.PC-1 {
				continue
			}
		case code.FromEntry:
			if last >= 0 {
				continue
			}
		case code.FromUnknown:
			known = last < 0 || last == f.PC-1
		}
		if known && a.Pos.IsValid() && !w.reach(g, fr, a.Pos, w.fset.Position(a.Pos).Line) {
			return false
		}
		if a.Off >= 0 {
			v := &fr.values[a.Var]
			if !known {
				*v = Value{}
				continue
			}
			v.assign(&fn.Variables.List[a.Var], &a, g.Stack[f.Base:])
		}
	}
	fr.last, fr.at = f.PC, token.NoPos
	if fn.Code[f.PC].Op == code.Return && len(f.Defers) == 0 {
		fr.returned = true
	}
	if fn.firsts[f.PC] {
		return w.reach(g, fr, fn.Variables.Statements[f.PC], fn.lines[f.PC])
	}
	return true
}

// reach calls Reached if a goroutine comes to another line in its top frame.
func (w *Follower) reach(g *state.Goroutine, fr *frame, at token.Pos, line int) bool {
	if line == fr.line || line == 0 {
		return true
	}
	first := fr.line == 0
	fr.line, fr.at = line, at
	return w.Reached(g, at, first)
}

// frame returns what is known of the top frame of g.
func (w *Follower) frame(g *state.Goroutine, f *state.Frame, fn *function) *frame {
	for int(g.Slot) >= len(w.stacks) {
		w.stacks = append(w.stacks, nil)
	}
	stack := w.stacks[g.Slot]
	depth := len(g.Frames) - 1
	for depth >= len(stack) {
		stack = append(stack, frame{})
	}
	stack = stack[:depth+1]
	w.stacks[g.Slot] = stack
	fr := &stack[depth]
	if fr.fn == fn && !fr.returned {
		return fr
	}
	*fr = frame{fn: fn, last: -1, values: make([]Value, len(fn.Variables.List))}
	if f.PC != 0 {
		return fr // it was entered before it was followed
	}
	for i := range fn.Variables.List {
		v := &fn.Variables.List[i]
		switch {
		case v.Captured >= 0 && f.Closure != nil:
			fr.values[i] = Value{Known: true, Address: f.Closure.Cells[v.Captured]}
		case v.Param >= 0:
			at := f.Base + v.Param
			fr.values[i] = Value{Known: true, Words: slices.Clone(g.Stack[at : int(at)+v.Type.Words])}
		}
	}
	return fr
}

// assign gives the variable a new value. The registers of the frame are regs.
func (v *Value) assign(of *code.Variable, a *code.Assignment, regs []heap.Word) {
	if a.Kind == code.InMemory {
		*v = Value{Known: true, Address: regs[a.Reg]}
		return
	}
	words, fn, ok := read(&a.Place, int(a.Words), regs)
	if !ok {
		*v = Value{}
		return
	}
	if int(a.Words) == of.Type.Words {
		*v = Value{Known: true, Words: words, Func: fn}
		return
	}
	if !v.Known || len(v.Words) != of.Type.Words {
		*v = Value{}
		return
	}
	v.Words = slices.Clone(v.Words)
	copy(v.Words[a.Off:], words)
}

// read returns n words from a place, or the name of a function.
func read(p *code.Place, n int, regs []heap.Word) (words []heap.Word, fn string, ok bool) {
	switch p.Kind {
	case code.InRegisters:
		return slices.Clone(regs[p.Reg : int(p.Reg)+n]), "", true
	case code.IsPart:
		at := regs[p.Reg]
		if at.P == nil {
			return nil, "", false
		}
		at.N += uint64(p.Plus)
		return []heap.Word{at}, "", true
	case code.IsZero:
		return make([]heap.Word, n), "", true
	case code.IsConstant:
		switch c := &p.Const; c.Kind {
		case code.ConstWords:
			for _, bits := range c.Bits {
				words = append(words, heap.Word{N: bits})
			}
			return words, "", true
		case code.ConstString:
			o := &heap.Object{Bytes: []byte(c.Text), Kind: heap.Array}
			return []heap.Word{{P: o}, {N: uint64(len(c.Text))}}, "", true
		case code.ConstFunc:
			return make([]heap.Word, n), code.FuncName(c.Func), true
		}
	case code.IsCompared:
		x, _, ok := read(p.Left, 1, regs)
		y, _, ok2 := read(p.Right, 1, regs)
		if !ok || !ok2 {
			return nil, "", false
		}
		return []heap.Word{heap.BoolWord(compare(p.Op, p.Of, x[0].N, y[0].N))}, "", true
	}
	return nil, "", false
}

// compare compares two words of a kind.
func compare(op token.Token, k code.Kind, x, y uint64) bool {
	less := x < y
	if k.Signed() {
		less = int64(x) < int64(y)
	}
	switch op {
	case token.EQL:
		return x == y
	case token.NEQ:
		return x != y
	case token.LSS:
		return less
	case token.GEQ:
		return !less
	case token.LEQ:
		return less || x == y
	}
	return !less && x != y // GTR
}

// Frame returns what is known of the frame with the given index of a goroutine: the values of its variables,
// and where it is, if that is not where its instruction is. The result ok is false if the frame is not followed.
func (w *Follower) Frame(g *state.Goroutine, index int) (vars []code.Variable, values []Value, at token.Pos, ok bool) {
	if int(g.Slot) >= len(w.stacks) || index >= len(w.stacks[g.Slot]) || index >= len(g.Frames) {
		return nil, nil, token.NoPos, false
	}
	fr := &w.stacks[g.Slot][index]
	if fr.fn == nil || fr.fn.Func != g.Frames[index].Func.Func || fr.returned && index < len(g.Frames)-1 {
		return nil, nil, token.NoPos, false
	}
	return fr.fn.Variables.List, fr.values, fr.at, true
}
