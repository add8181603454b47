package waitgroup

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A path names what a pointer points to in a function: by a value, and the fields, and variables
// that never change, that lead from there.
type path struct {
	root  ssa.Value
	steps string
}

// pathOf returns the path of an address.
func pathOf(addr ssa.Value) path {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		p := pathOf(a.X)
		return path{p.root, fmt.Sprintf("%s.%d", p.steps, a.Field)}
	case *ssa.ChangeType:
		return pathOf(a.X)
	case *ssa.UnOp:
		if _, settled := reaching.Settled(a.X); settled && a.Op == token.MUL {
			p := pathOf(a.X)
			return path{p.root, p.steps + "*"}
		}
	}
	return path{root: addr}
}

// above returns the path that something has in the function which starts or defers another one, in which it has path p.
func above(p path, call *ssa.CallCommon, callee *callgraph.Node) (q path, ok bool) {
	if _, global := p.root.(*ssa.Global); global {
		return p, true
	}
	for i, v := range callee.Body.Params {
		if v == p.root && !call.IsInvoke() && i < len(call.Args) {
			q = pathOf(call.Args[i])
			return path{q.root, q.steps + p.steps}, true
		}
	}
	closure, ok := call.Value.(*ssa.MakeClosure)
	if !ok {
		return path{}, false
	}
	for i, v := range callee.Body.FreeVars {
		if v == p.root && i < len(closure.Bindings) {
			q = pathOf(closure.Bindings[i])
			return path{q.root, q.steps + p.steps}, true
		}
	}
	return path{}, false
}
