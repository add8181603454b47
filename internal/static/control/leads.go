package control

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Leads reports whether a path of at least one edge leads from a block to another one, or back to the same one: then it is in a loop.
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
