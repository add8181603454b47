package control

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Leads reports whether a path of at least one edge leads from a block to another one, or back to
// the same one: then it is in a loop.
func Leads(from, to *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

// LeadsAround reports whether a path of at least one edge leads from a block to another one, or
// back to the same one, that does not come to a third one.
func LeadsAround(from, to, around *ssa.BasicBlock) bool {
	if from == around {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{around: true}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}
