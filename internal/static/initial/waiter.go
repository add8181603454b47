package initial

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
)

// withoutWaiter returns the locks that a goroutine holds which waits at a condition: not the one of
// the condition, which it has unlocked. If it is not known of a lock whether it is that one, it may
// be held.
func withoutWaiter(held []fragment.Lock, conditions []fragment.Condition, stack []ssa.Instruction) []fragment.Lock {
	var list []fragment.Lock
	base, lock, known := lockOfWaiter(conditions, stack)
	for _, l := range held {
		if known && l.Root == base && slices.Equal(l.Fields, lock) {
			continue
		}
		if !known || l.Root == nil || !areApart(l.Root, l.Fields, base, lock) {
			l.Least = 0
		}
		list = append(list, l)
	}
	return list
}

// lockOfWaiter returns where the lock of the condition is at which a goroutine waits: the fields
// that lead there from a pointer on.
func lockOfWaiter(conditions []fragment.Condition, stack []ssa.Instruction) (base ssa.Value, lock []int, known bool) {
	if len(stack) < 2 {
		return nil, nil, false
	}
	call, ok := stack[1].(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 {
		return nil, nil, false
	}
	addr, pointer := call.Call.Args[0], false
	if load, ok := addr.(*ssa.UnOp); ok {
		addr, pointer = load.X, true
	}
	base, path := fieldsOf(addr)
	for _, c := range conditions {
		n := len(path) - len(c.Cond)
		if c.Pointer != pointer || n < 0 || !slices.Equal(path[n:], c.Cond) {
			continue
		}
		if in := partOf(base, path[:n]); in != nil && types.Identical(in, c.Struct) {
			return base, slices.Concat(path[:n], c.Lock), true
		}
	}
	return nil, nil, false
}

// areApart reports whether two locks, to which fields lead from pointers on, are different fields
// of structs, so that they are not the same.
func areApart(a ssa.Value, to []int, b ssa.Value, other []int) bool {
	if len(to) == 0 || len(other) == 0 {
		return false
	}
	last, lastOther := len(to)-1, len(other)-1
	in, inOther := partOf(a, to[:last]), partOf(b, other[:lastOther])
	return in != nil && inOther != nil && (to[last] != other[lastOther] || !types.Identical(in, inOther))
}

// partOf returns the type of the part to which fields lead of what a pointer points to, nil if there is none.
func partOf(pointer ssa.Value, fields []int) types.Type {
	p, ok := pointer.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	t := p.Elem()
	for _, f := range fields {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = s.Field(f).Type()
	}
	return t
}
