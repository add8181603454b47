package initial

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// locks returns which locks goroutines hold that have stacks.
func locks(ctx context.Context, a *static.Analysis, stacks [][]ssa.Instruction) ([][]fragment.Lock, error) {
	held, err := a.Locks(ctx)
	if err != nil {
		return nil, err
	}
	all := make([][]fragment.Lock, len(stacks))
	for i, stack := range stacks {
		for _, h := range held.Held(stack) {
			if g, ok := h.Path.Root.(*ssa.Global); ok && !h.Sure && a.LibraryPackage(g.Pkg) {
				continue // what calls a function of ours back does not lock it again
			}
			all[i] = append(all[i], asLocks(&h)...)
		}
	}
	return all, nil
}

// asLocks returns a lock that is held as one for writing, one for reading, or both if it may be either.
func asLocks(h *lockset.Held) []fragment.Lock {
	l := fragment.Lock{Frame: h.Frame, Root: h.Path.Root, Fields: h.Path.FieldNumbers(), Inherited: h.Inherited, Name: nameOf(h)}
	if l.Root == nil {
		for _, label := range h.Locks {
			if part := (fragment.Part{Type: label.Type, Path: label.Path()}); label.Global == nil && !slices.Contains(l.In, part) {
				l.In = append(l.In, part)
			}
		}
		if len(l.In) == 0 {
			return nil
		}
	}
	readers, writers := 0, 0
	for _, s := range h.By {
		if isRead(s) {
			readers++
		} else {
			writers++
		}
	}
	if readers+writers == 0 { // all that is known is that it is held
		readers, writers = 1, 1
		if !isReadWrite(l.Root, h.Path.FieldNumbers()) {
			readers = 0
		}
	}
	var list []fragment.Lock
	if writers > 0 {
		w := l
		w.Most = 1
		if h.Sure && readers == 0 {
			w.Least = 1
		}
		list = append(list, w)
	}
	if readers > 0 {
		r := l
		r.Read, r.Most = true, readers
		if h.Sure && writers == 0 {
			r.Least = 1
		}
		list = append(list, r)
	}
	return list
}

// isRead reports whether a site locks for reading.
func isRead(s *callgraph.Site) bool {
	return slices.ContainsFunc(s.Callees(), func(n *callgraph.Node) bool {
		return strings.HasSuffix(n.Name, ".RLock") || strings.HasSuffix(n.Name, ".TryRLock") || strings.HasSuffix(n.Name, "rlocker).Lock")
	})
}

// isReadWrite reports whether a lock that is found by fields from a pointer on is an RWMutex.
func isReadWrite(root ssa.Value, fields []int) bool {
	if root == nil {
		return true
	}
	p, ok := root.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	t := p.Elem()
	for _, f := range fields {
		t = t.Underlying().(*types.Struct).Field(f).Type()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || named.Obj().Name() != "Mutex"
}

// nameOf returns a name for a lock.
func nameOf(h *lockset.Held) string {
	if h.Path.Root == nil {
		if len(h.By) > 0 {
			return fmt.Sprintf("what %s has locked", h.By[0].Caller.Name)
		}
		return "a lock"
	}
	name := h.Path.String()
	if g, ok := h.Path.Root.(*ssa.Global); ok {
		return g.Name() + strings.TrimPrefix(name, g.String())
	}
	if root := h.Path.Root.Name(); !isVariable(h.Path.Root) {
		return sourceOf(h.Path.Root, 0) + strings.TrimPrefix(name, root)
	}
	return name
}

func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

// sourceOf returns how the source calls what a pointer points to, as far as that is simple.
func sourceOf(v ssa.Value, depth int) string {
	const limit = 4
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		if token.IsIdentifier(v.Comment) {
			return v.Comment
		}
	case *ssa.UnOp:
		if v.Op == token.MUL && depth < limit {
			return sourceOf(v.X, depth+1)
		}
	case *ssa.FieldAddr:
		if depth < limit {
			f := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(v.Field)
			return sourceOf(v.X, depth+1) + "." + f.Name()
		}
	case *ssa.IndexAddr:
		if depth < limit {
			return sourceOf(v.X, depth+1) + "[…]"
		}
	}
	return v.Name()
}
