package reaching

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// Aliases say which accesses to memory may be to the same variable.
type Aliases interface {
	// May reports whether the variables at two addresses, or parts of them, may be the same.
	May(a, b ssa.Value) bool
	// Escapes reports whether code outside of the function may access what is at an address.
	Escapes(addr ssa.Value) bool
	// Writes reports whether a call may write what is at an address.
	Writes(call ssa.CallInstruction, addr ssa.Value) bool
}

// Types are the Aliases that follow from the types in a function, and from what it does with the
// addresses of its variables.
type Types struct {
	local map[*ssa.Alloc]bool
}

// NewTypes returns Types.
func NewTypes() *Types { return &Types{local: make(map[*ssa.Alloc]bool)} }

// May implements [Aliases].
func (t *Types) May(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	ra, rb := Root(a), Root(b)
	if ra != rb {
		if distinct(ra, rb) || t.Local(ra) || t.Local(rb) {
			return false
		}
	}
	return overlap(a, b)
}

// Escapes implements [Aliases].
func (t *Types) Escapes(addr ssa.Value) bool { return !t.Local(Root(addr)) }

// Writes implements [Aliases].
func (t *Types) Writes(call ssa.CallInstruction, addr ssa.Value) bool { return t.Escapes(addr) }

// Root returns the address of the variable that an address is in: without the fields and elements
// that lead from there.
func Root(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			if _, ok := a.X.Type().Underlying().(*types.Pointer); !ok {
				return a // of a slice
			}
			addr = a.X
		case *ssa.ChangeType:
			addr = a.X
		default:
			return addr
		}
	}
}

// distinct reports whether two roots are different variables.
func distinct(a, b ssa.Value) bool { return isVariable(a) && isVariable(b) && a != b }

func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global:
		return true
	}
	return false
}

// Local reports whether a root is a variable whose address is used for nothing but loads and stores
// in its function.
func (t *Types) Local(root ssa.Value) bool {
	alloc, ok := root.(*ssa.Alloc)
	if !ok {
		return false
	}
	local, known := t.local[alloc]
	if !known {
		local = stays(alloc)
		t.local[alloc] = local
	}
	return local
}

// stays reports whether an address is only loaded from and stored to.
func stays(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Val == addr {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !stays(ref) {
				return false
			}
		case *ssa.IndexAddr:
			if !stays(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// overlap reports whether accesses with the types of two addresses may be to the same memory.
func overlap(a, b ssa.Value) bool {
	fa, aField := a.(*ssa.FieldAddr)
	fb, bField := b.(*ssa.FieldAddr)
	if aField && bField {
		sa, sb := pointee(fa.X.Type()), pointee(fb.X.Type())
		if types.Identical(sa.Underlying(), sb.Underlying()) {
			return fa.Field == fb.Field
		}
	}
	ta, tb := pointee(a.Type()), pointee(b.Type())
	return contains(ta, tb) || contains(tb, ta)
}

// pointee returns the type of the variable at an address, or of the elements of a slice; that of a map is its own.
func pointee(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	}
	return t
}

// contains reports whether a variable of type t may have a part of type part.
func contains(t, part types.Type) bool {
	return code.HasPart(t, func(t types.Type) bool { return types.Identical(t.Underlying(), part.Underlying()) })
}
