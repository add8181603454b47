package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// unread says what is read of the result of a call, an integer.
func unread(v *ssa.Call) code.Reading {
	if !isInteger(v.Type()) {
		return code.Read
	}
	return readingOf(v)
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// readingOf says what is read of an integer.
func readingOf(v ssa.Value) code.Reading {
	how := code.Unread
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			if len(ref.Results) != 1 {
				return code.Read
			}
			how = max(how, code.Returned)
		case *ssa.Convert:
			if !isInteger(ref.Type()) {
				return code.Read
			}
			how = max(how, readingOf(ref))
		case *ssa.ChangeType:
			how = max(how, readingOf(ref))
		default:
			return code.Read
		}
	}
	return how
}
