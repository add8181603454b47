// Package unique gives equal values equal handles.
package unique

import "sync"

// A Handle is the identity of a value.
type Handle[T comparable] struct {
	value *T
}

// Value returns the value that Make was given.
func (h Handle[T]) Value() T { return *h.value }

// A key is a value together with the type of its handles, which differ for, say,
// int and any.
type key[T comparable] struct {
	value T
}

var (
	mu sync.Mutex
	// handles holds the pointer of each key, as a *T.
	handles = make(map[any]any)
)

// Make returns the handle of value.
func Make[T comparable](value T) Handle[T] {
	mu.Lock()
	defer mu.Unlock()
	k := key[T]{value}
	if p, ok := handles[k]; ok {
		return Handle[T]{p.(*T)}
	}
	p := &value
	handles[k] = p
	return Handle[T]{p}
}
