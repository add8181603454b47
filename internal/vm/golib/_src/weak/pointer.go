// Package weak points at objects without keeping them alive.
package weak

import "unsafe"

// A Pointer is a weak pointer to a value of type T.
type Pointer[T any] struct {
	_ [0]*T
	// u is the handle of the value: equal pointers have the same one. The handle of a
	// pointer that the standard library makes is the pointer itself, which keeps the value
	// alive.
	u unsafe.Pointer
}

// register returns the handle of *ptr.
func register(ptr unsafe.Pointer) unsafe.Pointer

// value returns the pointer of a handle, nil once its object has been collected. A pointer
// that is none is returned as it is.
func value(handle unsafe.Pointer) unsafe.Pointer

// trusted reports whether Make is called by the standard library.
func trusted() bool

// Make returns a weak pointer to *ptr.
func Make[T any](ptr *T) Pointer[T] {
	if ptr == nil || trusted() {
		return Pointer[T]{u: unsafe.Pointer(ptr)}
	}
	return Pointer[T]{u: register(unsafe.Pointer(ptr))}
}

// Value returns the pointer, nil once its object has been collected.
func (p Pointer[T]) Value() *T {
	return (*T)(value(p.u))
}
