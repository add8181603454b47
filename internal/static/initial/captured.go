package initial

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// describeCaptured notes what is known of what is in the variables that a frame's function has
// captured and still uses, and in those that it has made for others to capture, when the frame is
// at an instruction. If presume is true, what is presumed not to be nil counts. It reports whether
// something is presumed.
func (v values) describeCaptured(frame *fragment.Memory, at ssa.Instruction, presume bool) (presumed bool) {
	fn := at.Parent()
	for _, captured := range fn.FreeVars {
		list, ok := reaching.Captured(captured, at)
		if !ok || len(list) == 0 || slices.Contains(list, nil) || !isReadAgain(captured) {
			continue
		}
		notNil, same := v.known(list)
		if !notNil && same == nil && presume && isNillable(list[0].Type()) && v.isFilled(reaching.Made(captured)) {
			notNil, presumed = true, true
		}
		if notNil || same != nil && code.KindOf(same.Type()).Integer() {
			frame.Contents[captured] = fragment.Content{NotNil: notNil, Same: same}
		}
	}
	anyOf(fn, func(instr ssa.Instruction) bool {
		alloc, ok := instr.(*ssa.Alloc)
		if !ok || !ssaform.Dominates(alloc, at) {
			return false
		}
		if list, ok := reaching.Captured(alloc, at); ok && len(list) > 0 && !slices.Contains(list, nil) {
			if notNil, _ := v.known(list); notNil {
				frame.Filled[alloc] = true
			}
		}
		return false
	})
	return presumed
}

// isReadAgain reports whether a function reads a captured variable, or has others capture it.
func isReadAgain(captured *ssa.FreeVar) bool {
	return slices.ContainsFunc(*captured.Referrers(), func(ref ssa.Instruction) bool {
		switch ref.(type) {
		case *ssa.UnOp, *ssa.MakeClosure:
			return true
		}
		return false
	})
}
