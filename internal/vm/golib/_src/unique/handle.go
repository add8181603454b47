// Package unique gives equal values equal handles.
package unique

import (
	"sync"
	"unsafe"
)

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

// table holds the pointer of each key, as a *T.
type table map[any]any

var (
	mu sync.Mutex
	// handles points to the table, which does not keep the values from being collected.
	handles = hide(unsafe.Pointer(&table{}))
)

// hide returns a pointer to a place that holds ptr and that the collector does not look into.
func hide(ptr unsafe.Pointer) *unsafe.Pointer

// Make returns the handle of value.
func Make[T comparable](value T) Handle[T] {
	mu.Lock()
	defer mu.Unlock()
	k, handles := key[T]{value}, *(*table)(*handles)
	if p, ok := handles[k]; ok {
		return Handle[T]{p.(*T)}
	}
	p := &value
	handles[k] = p
	return Handle[T]{p}
}
