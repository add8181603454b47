package initial

import (
	"context"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/internal/static/waitgroup"
)

// synchronisation returns which synchronisation is used from a context on, and the wait groups that count its goroutines for sure.
func synchronisation(ctx context.Context, a *static.Analysis, definitions *reaching.Program, stacks [][]ssa.Instruction) (uses fragment.Uses, debts [][]fragment.Debt, err error) {
	for n := range reached(nodesOf(a.Calls(), stacks)) {
		if strings.HasPrefix(n.Name, "sync.(*WaitGroup).") {
			uses.Groups = true
		}
		if strings.HasPrefix(n.Name, "sync.(*Cond).") {
			uses.Conds = true
		}
	}
	if !uses.Groups {
		return uses, nil, nil
	}
	pointers, err := a.PointsTo(ctx)
	if err != nil {
		return uses, nil, err
	}
	counts := waitgroup.New(a.Calls(), pointers, definitions)
	debts = make([][]fragment.Debt, len(stacks))
	for i, stack := range stacks {
		for _, d := range counts.Owed(stack) {
			debts[i] = append(debts[i], fragment.Debt{Frame: d.Frame, Root: d.Root, Fields: d.Fields})
		}
	}
	return uses, debts, nil
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
