package maporder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// An Order says when the order of a loop can be noticed.
type Order uint8

const (
	// Matters: it is not known that no order can be noticed.
	Matters Order = iota
	// Shared: not as long as no other goroutine has been started. The loop leaves early, so that
	// it reads other memory in other orders, and races with others, or it closes channels, at
	// which others may wait.
	Shared
	// Result: only by the order of the elements of the slice that the function returns.
	Result
	// Never: not at all.
	Never
)

// A Bodies returns the function that has the body of a function, which may be the function
// itself. Its error says why there is none.
type Bodies func(*ssa.Function) (*ssa.Function, error)

// Of says when the order of a loop over a map can be noticed.
func Of(over *ssa.Range, bodies Bodies) Order {
	l := newLoop(over, bodies)
	if l == nil {
		return Matters
	}
	switch {
	case !l.commutes():
		return Matters
	case l.closes && len(l.exits) == 0 && !l.returned:
		return Shared
	case l.closes:
		return Matters
	case len(l.exits) == 0 && l.returned:
		return Result
	case len(l.exits) == 0:
		return Never
	case l.leavesAlike():
		return Shared
	}
	return Matters
}

// A loop is a loop over a map, or the calls of a function that such a loop makes.
type loop struct {
	over     *ssa.Range // nil if it is calls
	overType *types.Map
	floats   bool           // there may be floating-point numbers in the keys
	called   bool           // it is calls
	key      *ssa.Parameter // of calls that have the key of the entry as an argument, that
	next     *ssa.Next
	head     *ssa.BasicBlock // begins an iteration
	blocks   []*ssa.BasicBlock
	within   map[*ssa.BasicBlock]bool
	exits    []exit
	bodies   Bodies
	// returned is set if elements are appended to the slice that the function returns.
	returned bool
	// closes is set if channels are closed.
	closes bool
	// chunk is how many elements each append to a slice adds that is sorted later, 0 if there
	// is none.
	chunk int64

	// carried are the values that depend on the iterations before, and add up what those
	// have left. Their uses have been checked.
	carried map[ssa.Value]bool
	// added are the instructions of accumulations, which need no other check.
	added map[ssa.Instruction]bool
	maps  mapUses
	cells cellUses
}

// An exit is an edge by which the loop is left, other than that after the last entry.
type exit struct{ from, to *ssa.BasicBlock }

// newLoop returns the loop over a map. The result is nil if its form is not that of a range
// statement.
func newLoop(over *ssa.Range, bodies Bodies) *loop {
	l := &loop{
		over: over, overType: mapType(over.X), floats: hasFloat(mapType(over.X).Key()), bodies: bodies, within: make(map[*ssa.BasicBlock]bool),
		carried: make(map[ssa.Value]bool), added: make(map[ssa.Instruction]bool),
	}
	for _, ref := range *over.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Next:
			if l.next != nil {
				return nil
			}
			l.next = ref
		case *ssa.DebugRef:
		default:
			return nil
		}
	}
	if l.next == nil {
		return nil
	}
	l.head = l.next.Block()
	end, ok := l.head.Instrs[len(l.head.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	if cond, ok := end.Cond.(*ssa.Extract); !ok || cond.Tuple != l.next || cond.Index != 0 {
		return nil
	}
	l.within[l.head] = true
	l.blocks = append(l.blocks, l.head)
	for _, p := range l.head.Preds {
		if l.head.Dominates(p) {
			l.add(p)
		}
	}
	if len(l.blocks) == 1 {
		return nil // it does not repeat
	}
	if l.within[over.Block()] {
		return nil // what repeats is a loop around this one, which is left in each iteration
	}
	for _, b := range l.blocks {
		for i, s := range b.Succs {
			if !l.within[s] && !(b == l.head && i == 1) {
				l.exits = append(l.exits, exit{b, s})
			}
		}
	}
	return l
}

// add adds b, and all blocks from which it can be reached, to the loop.
func (l *loop) add(b *ssa.BasicBlock) {
	if l.within[b] {
		return
	}
	l.within[b] = true
	l.blocks = append(l.blocks, b)
	for _, p := range b.Preds {
		l.add(p)
	}
}

// contains reports whether an instruction is in the loop.
func (l *loop) contains(in ssa.Instruction) bool { return l.within[in.Block()] }

// invariant reports whether v is the same in all iterations.
func (l *loop) invariant(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return !l.called
	case ssa.Instruction:
		return !l.contains(v)
	}
	return true
}

// own reports whether v is the key of the iteration, perhaps as a value of another type, so
// that it is another one in each iteration.
func (l *loop) own(v ssa.Value) bool {
	own, _ := l.isKey(v)
	return own
}

// isKey is own. If v is what is in a key of interface type, asserted is set: then keys that have it as values of
// different types are different keys, and as values of one type they may be the same.
func (l *loop) isKey(v ssa.Value) (own, asserted bool) {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v == l.key, false
	case *ssa.Extract:
		return v.Tuple == l.next && v.Index == 1, false
	case *ssa.ChangeType:
		own, asserted = l.isKey(v.X)
		return own && !asserted, false
	case *ssa.MakeInterface:
		return l.isKey(v.X)
	case *ssa.TypeAssert:
		own, _ = l.isKey(v.X)
		return own && !v.CommaOk, true
	case *ssa.UnOp:
		// A variable of the iteration that closures have, too.
		variable, ok := v.X.(*ssa.Alloc)
		if !ok || v.Op != token.MUL || !l.contains(variable) {
			return false, false
		}
		if store := onlyStore(variable); store != nil && ssaform.Dominates(store, v) {
			return l.isKey(store.Val)
		}
	}
	return false, false
}

// onlyStore returns the store to a variable that is set once, and nil if there is none. What
// closures do to the variable does not count.
func onlyStore(variable *ssa.Alloc) *ssa.Store {
	var store *ssa.Store
	for _, ref := range *variable.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != variable || store != nil {
				return nil
			}
			store = ref
		case *ssa.UnOp, *ssa.MakeClosure, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return store
}

// commutes reports whether the iterations of the loop commute.
func (l *loop) commutes() bool {
	for _, in := range l.head.Instrs {
		if phi, ok := in.(*ssa.Phi); ok && !l.accumulates(phi) {
			return false
		}
	}
	for _, b := range l.blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				l.addsInMemory(in)
			case *ssa.MapUpdate:
				l.addsToEntry(in)
			}
		}
	}
	for _, b := range l.blocks {
		for _, in := range b.Instrs {
			if !l.added[in] && !l.step(in) {
				return false
			}
		}
	}
	return l.cells.commute(l) && l.maps.commute(l)
}

// step reports whether an instruction of the body does nothing that prevents the iterations
// from commuting, as far as that can be said of the instruction alone.
func (l *loop) step(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return l.store(in)
	case *ssa.MapUpdate:
		return l.maps.update(l, in)
	case *ssa.Call:
		return l.call(in)
	case *ssa.Lookup:
		l.maps.lookup(l, in)
		return true
	case *ssa.Range:
		if t, ok := in.X.Type().Underlying().(*types.Map); ok {
			l.maps.reads = append(l.maps.reads, t)
			return Of(in, l.bodies) == Never
		}
		return true
	case *ssa.UnOp:
		return l.load(in)
	}
	return computes(in)
}

// computes reports whether an instruction does nothing but compute, or make an object. Those
// that use memory or call functions are not among them.
func computes(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Alloc, *ssa.BinOp, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.DebugRef, *ssa.Extract,
		*ssa.Field, *ssa.FieldAddr, *ssa.If, *ssa.Index, *ssa.IndexAddr, *ssa.Jump, *ssa.MakeClosure, *ssa.MakeInterface,
		*ssa.MakeMap, *ssa.MakeSlice, *ssa.MultiConvert, *ssa.Next, *ssa.Phi, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.TypeAssert:
		return true
	}
	return false
}
