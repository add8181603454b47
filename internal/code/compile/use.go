package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// resultUse says what is done with the result of a call, an integer.
func resultUse(v *ssa.Call) code.Use {
	if !ssaform.IsInteger(v.Type()) {
		return code.Used
	}
	return useOf(v)
}

// useOf says what is done with an integer.
func useOf(v ssa.Value) code.Use {
	how := code.Unused
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			if len(ref.Results) != 1 {
				return code.Used
			}
			how = max(how, code.Returned)
		case *ssa.Convert:
			if !ssaform.IsInteger(ref.Type()) {
				return code.Used
			}
			how = max(how, useOf(ref))
		case *ssa.ChangeType:
			how = max(how, useOf(ref))
		default:
			return code.Used
		}
	}
	return how
}
