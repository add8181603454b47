package synchronisation

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
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
				if ssaform.IsBuiltin(instr.Common(), "close") {
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
	if o.mentions == nil {
		m := mentions{Operations: o, packages: make(map[*types.Package]bool), types: make(map[types.Type]bool)}
		has := slices.ContainsFunc(o.calls.Nodes, func(n *callgraph.Node) bool {
			return n.Body != nil && o.own(n.Body) && m.inFunction(n.Body)
		})
		o.mentions = &has
	}
	return *o.mentions
}

// A mentions finds what a program mentions of the packages all of whose functions are foreign.
type mentions struct {
	*Operations
	packages map[*types.Package]bool // answers of ofPackage
	types    map[types.Type]bool     // answers of ofType
}

// inFunction reports whether a function has a value of a type, or names a function or a variable,
// that may be foreign.
func (m *mentions) inFunction(fn *ssa.Function) bool {
	for instr := range ssaform.Instructions(fn) {
		if v, ok := instr.(ssa.Value); ok && m.ofType(v.Type()) {
			return true
		}
		for _, op := range instr.Operands(nil) {
			if m.ofOperand(*op) {
				return true
			}
		}
	}
	return false
}

// ofOperand reports whether an operand is a variable of a package that may be foreign, or a
// function of one that does not only compute.
func (m *mentions) ofOperand(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Function:
		if p := place.PackageOf(x); p == nil || initialises(x) || !m.ofPackage(p) {
			return false
		}
		c := m.calls.Of(x)
		return c == nil || !m.computes(c)
	case *ssa.Global:
		return x.Pkg != nil && m.ofPackage(x.Pkg.Pkg)
	}
	return false
}

// ofPackage reports whether a package is of the standard library, and all of its functions are
// foreign, or those of a package that it imports.
func (m *mentions) ofPackage(p *types.Package) bool {
	if p == nil || !m.analysis.Code().Standard(p) {
		return false
	}
	is, ok := m.packages[p]
	if !ok {
		list, isForeign := foreign[p.Path()]
		is = isForeign && list == nil || slices.ContainsFunc(p.Imports(), m.ofPackage)
		m.packages[p] = is
	}
	return is
}

// ofType reports whether a type is declared in a package of which ofPackage is true, or has a part
// that is.
func (m *mentions) ofType(t types.Type) bool {
	if is, ok := m.types[t]; ok {
		return is
	}
	m.types[t] = false // of a type that refers to itself, the other parts decide
	is := false
	switch t := t.(type) {
	case *types.Alias:
		is = m.ofType(types.Unalias(t))
	case *types.Named:
		is = m.ofPackage(t.Obj().Pkg()) || m.ofType(t.Underlying())
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel or map
		is = m.ofType(t.Elem())
		if t, ok := t.(*types.Map); ok {
			is = is || m.ofType(t.Key())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			is = is || m.ofType(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			is = is || m.ofType(f.Type())
		}
	case *types.Signature:
		is = m.ofType(t.Params()) || m.ofType(t.Results())
	}
	m.types[t] = is
	return is
}
