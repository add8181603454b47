package lockset

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A Path names a lock in a function: by the register, parameter or variable that points to what it
// is in, and the fields that lead to it.
type Path struct {
	Root   ssa.Value
	Fields string // numbers of fields, each followed by a dot
}

// A pathTable gives numbers to paths.
type pathTable struct {
	list []Path // by number
	of   map[Path]int32
}

func (t *pathTable) number(p Path) int32 {
	n, ok := t.of[p]
	if !ok {
		if t.of == nil {
			t.of = make(map[Path]int32)
		}
		n = int32(len(t.list))
		t.list = append(t.list, p)
		t.of[p] = n
	}
	return n
}

// paths is a set of paths: their numbers, in order.
type paths []int32

func (s paths) has(p int32) bool {
	_, ok := slices.BinarySearch(s, p)
	return ok
}

func (s *paths) add(p int32) {
	if i, ok := slices.BinarySearch(*s, p); !ok {
		*s = slices.Insert(*s, i, p)
	}
}

func (s *paths) remove(p int32) {
	if i, ok := slices.BinarySearch(*s, p); ok {
		*s = slices.Delete(*s, i, i+1)
	}
}

// removeIf removes the paths for which gone is true and reports whether there are any.
func (s *paths) removeIf(gone func(p int32) bool) bool {
	before := len(*s)
	if before == 0 {
		return false
	}
	*s = slices.DeleteFunc(*s, gone)
	return len(*s) != before
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

// FieldNumbers returns the numbers of the fields that lead to the lock.
func (p Path) FieldNumbers() []int {
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
	for _, i := range p.FieldNumbers() {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		out.WriteString("." + f.Name())
		t = f.Type()
	}
	return out.String()
}
