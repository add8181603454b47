package code

import "go/types"

// HasPart reports whether a variable of a type is of such a type, or has a field or an element of
// an array that is, or in turn has one.
func HasPart(t types.Type, is func(types.Type) bool) bool {
	if is(t) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if HasPart(f.Type(), is) {
				return true
			}
		}
	case *types.Array:
		return HasPart(t.Elem(), is)
	}
	return false
}
