package initial

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/waitgroup"
)

// synchronisation returns which synchronisation is used from a context on, and the wait groups that
// count its goroutines for sure.
func (v *Variables) synchronisation(stacks [][]ssa.Instruction) (uses fragment.Uses, debts [][]fragment.Debt) {
	for n := range reached(nodesOf(v.calls, stacks)) {
		if strings.HasPrefix(n.Name, "sync.(*WaitGroup).") {
			uses.Groups = true
		}
		if strings.HasPrefix(n.Name, "sync.(*Cond).") {
			uses.Conds = true
		}
	}
	if !uses.Groups {
		return uses, nil
	}
	if v.counts == nil {
		v.counts = waitgroup.New(v.calls, v.pointers, v.definitions)
	}
	debts = make([][]fragment.Debt, len(stacks))
	for i, stack := range stacks {
		for _, d := range v.counts.Owed(stack) {
			debts[i] = append(debts[i], fragment.Debt{Frame: d.Frame, Root: d.Root, Fields: d.Fields})
		}
	}
	return uses, debts
}

// nodesOf returns the functions in which the frames of stacks are.
func nodesOf(g *callgraph.Graph, stacks [][]ssa.Instruction) (list []*callgraph.Node) {
	for _, stack := range stacks {
		for _, at := range stack {
			if n := g.Of(at.Parent()); n != nil {
				list = append(list, n)
			}
		}
	}
	return list
}
