package reach

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// aliases says which values may lead to the same memory: by their types and names and, if pointers
// were analysed, by what they may point to.
type aliases struct {
	reaching.Aliases
	pointers *pointsto.Result
}

func (g *Goal) aliases() aliases { return aliases{reaching.NewTypes(), g.pointers} }

// May implements reaching.Aliases.
func (a aliases) May(x, y ssa.Value) bool {
	if !a.Aliases.May(x, y) {
		return false
	}
	if a.pointers == nil || !a.pointers.Known(x) || !a.pointers.Known(y) || types.IsInterface(x.Type()) || types.IsInterface(y.Type()) {
		return true // what is in an interface is one step farther
	}
	return a.pointers.Pointees(x).May(a.pointers.Pointees(y))
}
