package maporder

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// sortedNext reports whether a slice to which the loop adds elements is sorted after the loop,
// before anybody looks at them. The variable v is that of the slice at the beginning of an
// iteration, the slice itself, or a variable in memory.
func (l *loop) sortedNext(v ssa.Value) bool {
	elem := v.Type()
	cell, inMemory := v.(*ssa.Alloc)
	if inMemory {
		elem = pointee(v)
	}
	s, ok := elem.Underlying().(*types.Slice)
	if !ok || !isOrdered(s.Elem()) {
		return false
	}
	if phi, ok := v.(*ssa.Phi); ok && !l.isNewList(phi) {
		return false
	}
	if inMemory {
		for _, ref := range *v.Referrers() {
			if _, ok := ref.(*ssa.MakeClosure); ok && l.contains(ref) {
				return false // which may be called before it is sorted
			}
		}
	}
	var sort *ssa.Call
	for _, ref := range *v.Referrers() {
		if in := l.sortOf(ref, cell); in != nil {
			sort = in
			break
		}
	}
	if sort == nil || l.contains(sort) || !l.head.Dominates(sort.Block()) {
		return false
	}
	for _, ref := range *v.Referrers() {
		if !l.contains(ref) && !l.seesSorted(ref, sort, cell) {
			return false
		}
	}
	return true
}

// returns reports whether a slice to which the loop adds elements is returned, and nothing else
// is done with it.
func (l *loop) returns(phi *ssa.Phi) bool {
	if !l.isNewList(phi) || phi.Parent().Signature.Results().Len() != 1 {
		return false
	}
	for _, ref := range *phi.Referrers() {
		if _, ok := ref.(*ssa.Return); !ok && !l.contains(ref) {
			return false
		}
	}
	l.returned = true
	return true
}

// isNewList reports whether nobody else has the slice to which the loop adds elements.
func (l *loop) isNewList(phi *ssa.Phi) bool {
	for i, e := range phi.Edges {
		if !l.within[phi.Block().Preds[i]] && !isUnshared(e) {
			return false
		}
	}
	return true
}

// Sorted reports whether the result of a call is a slice that is sorted before anybody looks at
// the order of its elements.
func Sorted(call *ssa.Call) bool {
	if _, ok := call.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	l := loop{head: call.Block()}
	return l.sortedNext(call)
}

// sortOf returns the call that sorts the slice that an instruction has as its operand. If the
// slice is in a variable in memory, that is cell.
func (l *loop) sortOf(in ssa.Instruction, cell *ssa.Alloc) *ssa.Call {
	if l.contains(in) {
		return nil
	}
	switch in := in.(type) {
	case *ssa.Call:
		if sorts(in, cell) {
			return in
		}
		return nil
	case *ssa.UnOp:
		if !l.head.Dominates(in.Block()) {
			return nil // it is the slice before the loop
		}
	case *ssa.ChangeType, *ssa.MakeInterface:
	default:
		return nil
	}
	for _, ref := range *in.(ssa.Value).Referrers() {
		if sort := l.sortOf(ref, cell); sort != nil {
			return sort
		}
	}
	return nil
}

// seesSorted reports whether an instruction with the slice as its operand comes after it has
// been sorted, leads there, or depends on no order.
func (l *loop) seesSorted(in ssa.Instruction, sort *ssa.Call, cell *ssa.Alloc) bool {
	if in == sort || ssaform.Dominates(sort, in) {
		return true
	}
	if _, ok := in.(*ssa.UnOp); ok && !l.head.Dominates(in.Block()) {
		// Elements may be added to what the slice was before the loop.
		return !slices.ContainsFunc(*in.(ssa.Value).Referrers(), func(ref ssa.Instruction) bool { return !isLen(ref) })
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi:
		// It has the slice when the block is entered from one that the sort has been in.
		return false
	case *ssa.Store:
		// The variable is set before the loop.
		return cell != nil && in.Addr == cell && in.Block().Dominates(l.head) && isUnshared(in.Val)
	case *ssa.MakeClosure:
		return cell != nil && only(in) && (*in.Referrers())[0] == sort
	case *ssa.Call:
		return isLen(in)
	case *ssa.UnOp:
		if in.Op != token.MUL {
			return false
		}
	case *ssa.ChangeType, *ssa.MakeInterface:
	default:
		return false
	}
	for _, ref := range *in.(ssa.Value).Referrers() {
		if !l.seesSorted(ref, sort, nil) {
			return false
		}
	}
	return true
}

// isLen reports whether an instruction takes the length or the capacity of its operand.
func isLen(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && ssaform.IsBuiltin(&call.Call, "len", "cap")
}

// addsAlike reports whether a call of append, as one of others that do so, adds the same number
// of elements as they do. The capacity to which a slice grows depends on the order of different
// ones.
func (l *loop) addsAlike(in *ssa.Call) bool {
	slice, ok := in.Call.Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	list, ok := slice.X.(*ssa.Alloc)
	if !ok || slice.Low != nil || slice.High != nil {
		return false
	}
	array, ok := pointee(list).Underlying().(*types.Array)
	if !ok {
		return false
	}
	if l.chunk == 0 {
		l.chunk = array.Len()
	}
	return l.chunk == array.Len()
}

// isUnshared reports whether a slice has just been made, and has no other use.
func isUnshared(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.ChangeType:
		return only(v) && isUnshared(v.X)
	case *ssa.MakeSlice:
		return only(v)
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && only(v) && only(made)
	}
	return false
}

// sorts reports whether a call sorts the slice that it gets first, so that the result does not
// depend on the order in which the elements were. The elements are ordered by all that they
// consist of.
func sorts(in *ssa.Call, cell *ssa.Alloc) bool {
	fn, ok := in.Call.Value.(*ssa.Function)
	if !ok {
		return false
	}
	args := in.Call.Args
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	switch fn.String() {
	case "sort.Strings", "sort.Ints", "slices.Sort", "(sort.StringSlice).Sort", "(sort.IntSlice).Sort":
		return true
	case "sort.Sort", "sort.Stable":
		v, ok := args[0].(*ssa.MakeInterface)
		if !ok {
			return false
		}
		name := types.TypeString(v.X.Type(), nil)
		return name == "sort.StringSlice" || name == "sort.IntSlice"
	case "slices.SortFunc", "slices.SortStableFunc":
		compare, ok := args[1].(*ssa.Function)
		if ok && compare.Origin() != nil {
			compare = compare.Origin()
		}
		return ok && (compare.String() == "strings.Compare" || compare.String() == "cmp.Compare")
	case "sort.Slice", "sort.SliceStable":
		less, ok := args[1].(*ssa.MakeClosure)
		return ok && cell != nil && compares(less, cell)
	}
	return false
}

// compares reports whether a closure compares two elements of the slice that a variable is,
// given their indexes.
func compares(less *ssa.MakeClosure, cell *ssa.Alloc) bool {
	fn := less.Fn.(*ssa.Function)
	if len(fn.Blocks) != 1 || len(fn.Params) != 2 || len(less.Bindings) != 1 || less.Bindings[0] != cell {
		return false
	}
	var instrs []ssa.Instruction
	for _, in := range fn.Blocks[0].Instrs {
		if _, ok := in.(*ssa.DebugRef); !ok {
			instrs = append(instrs, in)
		}
	}
	if len(instrs) != 8 {
		return false
	}
	result, ok := instrs[7].(*ssa.Return)
	if !ok || len(result.Results) != 1 {
		return false
	}
	cmp, ok := result.Results[0].(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS && cmp.Op != token.GTR {
		return false
	}
	element := func(v, index ssa.Value) bool {
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return false
		}
		at, ok := load.X.(*ssa.IndexAddr)
		if !ok || at.Index != index {
			return false
		}
		slice, ok := at.X.(*ssa.UnOp)
		return ok && slice.Op == token.MUL && slice.X == fn.FreeVars[0]
	}
	i, j := ssa.Value(fn.Params[0]), ssa.Value(fn.Params[1])
	return element(cmp.X, i) && element(cmp.Y, j) || element(cmp.X, j) && element(cmp.Y, i)
}
