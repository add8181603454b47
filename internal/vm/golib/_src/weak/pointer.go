// Package weak points at objects without keeping them alive. Here nothing is
// ever collected, so a weak pointer never turns nil.
package weak

// A Pointer is a weak pointer to a value of type T.
type Pointer[T any] struct {
	p *T
}

// Make returns a weak pointer to *ptr.
func Make[T any](ptr *T) Pointer[T] { return Pointer[T]{ptr} }

// Value returns the pointer.
func (p Pointer[T]) Value() *T { return p.p }
