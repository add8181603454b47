package synchronisation

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
)

// foreign are functions of the standard library that synchronise with what is outside of the
// program, or that start goroutines for the program, by their packages; with a nil list all
// functions of the package that are not computing.
var foreign = map[string][]string{
	"time":              {"After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"context":           {"WithCancel", "WithCancelCause", "WithDeadline", "WithDeadlineCause", "WithTimeout", "WithTimeoutCause", "AfterFunc"},
	"os/signal":         nil,
	"os/exec":           nil,
	"net":               nil,
	"net/http":          nil,
	"testing/synctest":  nil,
	"runtime":           {"Goexit", "AddCleanup", "SetFinalizer", "LockOSThread"},
	"iter":              {"Pull", "Pull2"},
	"net/http/httptest": nil,
	"runtime/pprof":     nil,
	"database/sql":      nil,
	"io":                {"Pipe"},
	"testing":           {"Run", "Parallel", "Context", "RunParallel", "Loop", "Fuzz"},
	"reflect":           {"Send", "TrySend", "Recv", "TryRecv", "Close", "Select"},
}

// isForeign reports whether a function that is called at a site is one of foreign.
func (o *Operations) isForeign(site *callgraph.Site, n *callgraph.Node) bool {
	p := place.PackageOf(n.Func)
	list, ok := foreign[p.Path()]
	switch {
	case !ok || list != nil:
		return ok && slices.Contains(list, n.Func.Name())
	case o.computes(n):
		return false
	}
	return site.Static() || o.hasForeign()
}

// computes reports whether all that a function does is to compute: neither it nor what it calls
// starts a goroutine, uses a channel or waits for others, apart from locks, or does what it has no
// code for, as a system call.
func (o *Operations) computes(n *callgraph.Node) bool {
	if is, ok := o.computing[n]; ok {
		return is
	}
	is := true
	seen := map[*callgraph.Node]bool{n: true}
	for work := []*callgraph.Node{n}; len(work) > 0 && is; {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		is = !o.acts(next)
		for _, site := range next.Sites {
			for _, callee := range site.Callees() {
				if !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	o.computing[n] = is
	return is
}

// acts reports whether a function does something else than to compute, apart from what it calls.
func (o *Operations) acts(n *callgraph.Node) bool {
	if n.Func == nil || place.PackageOf(n.Func) == nil {
		return true
	}
	path := place.PackageOf(n.Func).Path()
	if n.Body == nil {
		return !slices.Contains(pure, path)
	}
	if path == "sync" {
		switch kinds[fullName(n.Func)] {
		case Spawn, Add, Join, CondWait, Notify:
			return true
		}
	}
	for _, b := range n.Body.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select:
				return true
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					return true
				}
			case ssa.CallInstruction:
				if b, ok := instr.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
					return true
				}
			}
		}
	}
	return false
}

// hasForeign reports whether the program may have a value of a type whose methods are foreign,
// which a call through an interface may be of. It has none if it mentions nothing of the packages
// in which these are, nor of those that import them, but functions that compute: package reflect is
// taken not to make them of nothing.
func (o *Operations) hasForeign() bool {
	if o.mentions != nil {
		return *o.mentions
	}
	o.mentions = new(bool)
	imports := make(map[*types.Package]bool)
	var mentioned func(p *types.Package) bool
	mentioned = func(p *types.Package) bool {
		if p == nil || !o.analysis.Code().Standard(p) {
			return false
		}
		is, ok := imports[p]
		if !ok {
			list, foreign := foreign[p.Path()]
			is = foreign && list == nil || slices.ContainsFunc(p.Imports(), mentioned)
			imports[p] = is
		}
		return is
	}
	typed := make(map[types.Type]bool)
	var has func(t types.Type) bool
	has = func(t types.Type) bool {
		if is, ok := typed[t]; ok {
			return is
		}
		typed[t] = false
		is := false
		switch t := t.(type) {
		case *types.Alias:
			is = has(types.Unalias(t))
		case *types.Named:
			is = mentioned(t.Obj().Pkg()) || has(t.Underlying())
		case *types.Pointer:
			is = has(t.Elem())
		case *types.Slice:
			is = has(t.Elem())
		case *types.Array:
			is = has(t.Elem())
		case *types.Chan:
			is = has(t.Elem())
		case *types.Map:
			is = has(t.Key()) || has(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				is = is || has(v.Type())
			}
		case *types.Struct:
			for f := range t.Fields() {
				is = is || has(f.Type())
			}
		case *types.Signature:
			is = has(t.Params()) || has(t.Results())
		}
		typed[t] = is
		return is
	}
	for _, n := range o.calls.Nodes {
		if n.Body == nil || !o.own(n.Body) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if v, ok := instr.(ssa.Value); ok && has(v.Type()) {
					*o.mentions = true
					return true
				}
				for _, op := range instr.Operands(nil) {
					switch x := (*op).(type) {
					case *ssa.Function:
						if p := place.PackageOf(x); p == nil || initialises(x) || !mentioned(p) {
							continue
						}
						if c := o.calls.Of(x); c != nil && o.computes(c) {
							continue
						}
					case *ssa.Global:
						if x.Pkg == nil || !mentioned(x.Pkg.Pkg) {
							continue
						}
					default:
						continue
					}
					*o.mentions = true
					return true
				}
			}
		}
	}
	return false
}
