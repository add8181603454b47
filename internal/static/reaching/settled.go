package reaching

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Settled returns the value of the variable at an address if it is set once, as soon as it is made,
// and never again: a parameter that is captured, for instance.
func Settled(addr ssa.Value) (value ssa.Value, ok bool) {
	alloc, _, ok := madeBy(addr)
	if !ok {
		return nil, false
	}
	var stores []*ssa.Store
	if !onlyCaptured(alloc, &stores) || len(stores) != 1 || stores[0].Block() != alloc.Block() {
		return nil, false
	}
	b := alloc.Block()
	set := slices.Index(b.Instrs, ssa.Instruction(stores[0]))
	for _, ref := range *alloc.Referrers() {
		if ref.Block() == b && slices.Index(b.Instrs, ref) < set {
			return nil, false
		}
	}
	return stores[0].Val, true
}
