package contexts

import (
	"fmt"
	"go/types"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
)

// joined returns two objects of the state of a machine that have a root of a structure and are in
// one component, "" if there are none.
func joined(m *vm.Machine, s *fragment.Structure) string {
	edges := make(map[*code.Type]bool)
	for _, e := range s.Edges {
		edges[m.Program.Type(e)] = true
	}
	root := m.Program.Type(s.Root)
	objects := reachable(m)
	parent := make(map[*heap.Object]*heap.Object)
	find := func(o *heap.Object) *heap.Object {
		for parent[o] != nil {
			o = parent[o]
		}
		return o
	}
	join := func(a, b *heap.Object) {
		if a, b = find(a), find(b); a != b && b != nil {
			parent[a] = b
		}
	}
	for _, o := range objects {
		switch {
		case o.Kind == heap.MapObject && o.Type != nil:
			if table := o.Cells[maptable.Entries].P; table != nil && (hasEdge(o.Type.Elem, edges) || hasEdge(o.Type.Key, edges)) {
				for i := range table.Cells {
					if to := table.Cells[i].P; to != nil && to.Kind != heap.TypeObject {
						join(o, to)
					}
				}
			}
		case (o.Kind == heap.Variable || o.Kind == heap.Array) && o.Type != nil && o.Type.Words > 0:
			for at := 0; at+o.Type.Words <= len(o.Cells); at += o.Type.Words {
				each(o.Type, at, func(t *code.Type, at int) {
					if !edges[t] {
						return
					}
					if t.Shape == code.ShapeInterface {
						at++
					}
					if to := o.Cells[at].P; to != nil && to.Kind != heap.TypeObject {
						join(o, to)
					}
				})
			}
		}
	}
	owner := make(map[*heap.Object]*heap.Object)
	for _, o := range objects {
		if o.Kind != heap.Variable && o.Kind != heap.Array || o.Type == nil || !has(o.Type, root) {
			continue
		}
		at := find(o)
		if other := owner[at]; other != nil {
			return fmt.Sprintf("%v and %v, which have variables of type %s", other.ID, o.ID, types.TypeString(s.Root, nil))
		}
		owner[at] = o
	}
	return ""
}

// reachable returns the objects to which goroutines and package variables lead.
func reachable(m *vm.Machine) []*heap.Object {
	var list []*heap.Object
	seen := make(map[*heap.Object]bool)
	add := func(o *heap.Object) {
		if o != nil && !seen[o] {
			seen[o] = true
			list = append(list, o)
		}
	}
	for _, g := range m.Goroutines {
		for i := range g.Stack {
			add(g.Stack[i].P)
		}
	}
	for i := 0; i < len(list); i++ {
		for k := range list[i].Cells {
			add(list[i].Cells[k].P)
		}
	}
	return list
}

// each calls a function for the parts of a variable of type t that begins at a cell.
func each(t *code.Type, at int, do func(t *code.Type, at int)) {
	do(t, at)
	switch t.Shape {
	case code.ShapeStruct:
		for i := range t.Fields {
			each(t.Fields[i].Type, at+t.Fields[i].Offset, do)
		}
	case code.ShapeArray:
		for i := range int(t.Len) {
			each(t.Elem, at+i*t.Elem.Words, do)
		}
	}
}

// has reports whether a variable of type t has a part of another one.
func has(t, part *code.Type) (is bool) {
	each(t, 0, func(u *code.Type, _ int) { is = is || u == part })
	return is
}

// hasEdge reports whether a variable of type t has a part whose type is in a set.
func hasEdge(t *code.Type, edges map[*code.Type]bool) (is bool) {
	each(t, 0, func(u *code.Type, _ int) { is = is || edges[u] })
	return is
}
