package lockset

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A Path names a lock in a function: by the register, parameter or variable that points to what it is in, and the fields
// that lead to it.
type Path struct {
	Root   ssa.Value
	Fields string // numbers of fields, each followed by a dot
}

// pathOf returns the path of an address.
func pathOf(addr ssa.Value) Path {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		p := pathOf(a.X)
		return Path{p.Root, fmt.Sprintf("%s%d.", p.Fields, a.Field)}
	case *ssa.ChangeType:
		return pathOf(a.X)
	}
	return Path{Root: addr}
}

// down returns the path that a lock of the caller has in a function that a site calls; ok is false if it
// has none.
func down(p Path, site *callgraph.Site, callee *callgraph.Node) (q Path, ok bool) {
	if _, global := p.Root.(*ssa.Global); global {
		return p, true
	}
	if site.Instr == nil || callee.Body == nil {
		return Path{}, false
	}
	for i, v := range actuals(site, callee) {
		if v == nil {
			continue
		}
		if arg := pathOf(v); arg.Root == p.Root && strings.HasPrefix(p.Fields, arg.Fields) {
			return Path{formal(callee, i), p.Fields[len(arg.Fields):]}, true
		}
	}
	return Path{}, false
}

// up is the inverse of down.
func up(p Path, site *callgraph.Site, callee *callgraph.Node) (q Path, ok bool) {
	if _, global := p.Root.(*ssa.Global); global {
		return p, true
	}
	if site.Instr == nil || callee.Body == nil {
		return Path{}, false
	}
	for i, v := range actuals(site, callee) {
		if v != nil && formal(callee, i) == p.Root {
			arg := pathOf(v)
			return Path{arg.Root, arg.Fields + p.Fields}, true
		}
	}
	return Path{}, false
}

// actuals returns the values that a site passes to the parameters of a function, and then those that it captures;
// nil for those that are not known.
func actuals(site *callgraph.Site, callee *callgraph.Node) []ssa.Value {
	call := site.Instr.Common()
	args := call.Args
	if call.IsInvoke() {
		args = append([]ssa.Value{nil}, args...)
	}
	list := make([]ssa.Value, len(callee.Body.Params), len(callee.Body.Params)+len(callee.Body.FreeVars))
	copy(list, args)
	if closure, ok := call.Value.(*ssa.MakeClosure); ok && len(closure.Bindings) == len(callee.Body.FreeVars) {
		list = append(list, closure.Bindings...)
	}
	return list
}

// formal returns the value of a function that gets the i-th of actuals.
func formal(callee *callgraph.Node, i int) ssa.Value {
	if n := len(callee.Body.Params); i >= n {
		return callee.Body.FreeVars[i-n]
	} else {
		return callee.Body.Params[i]
	}
}

// fields returns the numbers of the fields.
func (p Path) fields() []int {
	var list []int
	for f := range strings.SplitSeq(strings.TrimSuffix(p.Fields, "."), ".") {
		if i, err := strconv.Atoi(f); err == nil {
			list = append(list, i)
		}
	}
	return list
}

func (p Path) String() string {
	var out strings.Builder
	if g, ok := p.Root.(*ssa.Global); ok {
		out.WriteString(g.String())
	} else {
		out.WriteString(p.Root.Name())
	}
	t := p.Root.Type()
	for _, i := range p.fields() {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		out.WriteString("." + f.Name())
		t = f.Type()
	}
	return out.String()
}
