package initial

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
)

// conditions finds the condition variables of which the lock is a field of the struct that they are
// in, from when anybody can know of them on: what makes a variable of the type sets it at once, and
// nothing sets it otherwise. That no path makes it otherwise is proved of the whole program; else
// nothing is known of the conditions of the type.
func (f *fields) conditions() (list []fragment.Condition) {
	byOthers := false // the lock of some condition is set through a pointer to it alone
	for _, at := range f.order {
		if isCond(at.Struct) && slices.ContainsFunc(at.stores, func(s *ssa.Store) bool {
			base, _ := fieldsOf(s.Addr)
			alloc, ok := base.(*ssa.Alloc)
			return !ok || alloc.Parent().String() != "sync.NewCond"
		}) {
			byOthers = true
		}
	}
	for _, at := range f.order {
		c := fragment.Condition{Struct: at.Struct, Cond: at.Fields}
		switch {
		case isPointerToCond(typeOf(at)):
			if at.taken || slices.ContainsFunc(f.types, isPointerToCond) {
				continue
			}
			c.Pointer = true
		case isLockOfCond(at) && !byOthers:
			c.Cond = at.Fields[:len(at.Fields)-1]
		default:
			continue
		}
		if !slices.ContainsFunc(at.stores, func(s *ssa.Store) bool { return !lockOf(&c, s) }) && len(at.stores) > 0 && f.madeWith(at) && !f.isWrittenElsewhere(at) {
			list = append(list, c)
		}
	}
	return list
}

// isLockOfCond reports whether a field is the lock of a condition in the struct.
func isLockOfCond(at *field) bool {
	t := at.Struct
	for i, f := range at.Fields {
		field := t.Underlying().(*types.Struct).Field(f)
		if isCond(t) {
			return i > 0 && i == len(at.Fields)-1 && field.Name() == "L"
		}
		t = field.Type()
	}
	return false
}

// lockOf sets the lock of a condition to the one that a store gives it. It reports false if that is
// no field of the same variable, or another one than was set before.
func lockOf(c *fragment.Condition, store *ssa.Store) bool {
	lock := store.Val
	if c.Pointer {
		call, ok := store.Val.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().String() != "sync.NewCond" {
			return false
		}
		lock = call.Call.Args[0]
	}
	made, ok := lock.(*ssa.MakeInterface)
	if !ok || !isLock(made.X.Type()) {
		return false
	}
	base, _ := fieldsOf(store.Addr)
	root, path := fieldsOf(made.X)
	if root != base || len(path) == 0 || c.Lock != nil && !slices.Equal(c.Lock, path) {
		return false
	}
	c.Lock = path
	return true
}

// conds returns the package variables that are conditions and are used from a context on.
func (v *Variables) conds(stacks [][]ssa.Instruction) []*ssa.Global {
	return slices.DeleteFunc(v.used(reached(nodesOf(v.calls, stacks))), func(g *ssa.Global) bool { return !isCond(g.Type().Underlying().(*types.Pointer).Elem()) })
}

// isCond reports whether a type is sync.Cond.
func isCond(t types.Type) bool { return isSync(t, "Cond") }

func isPointerToCond(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && isCond(p.Elem())
}

// isLock reports whether a type is that of a pointer to a lock.
func isLock(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && (isSync(p.Elem(), "Mutex") || isSync(p.Elem(), "RWMutex"))
}

// isSync reports whether a type is the one of a name in package sync.
func isSync(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == name
}
