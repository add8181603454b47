// Package sync keeps the hash-trie of GOROOT's internal/sync; its locks are those of
// package sync.
package sync

import (
	"sync"
	"unsafe"
)

// A Mutex is a mutual exclusion lock.
type Mutex = sync.Mutex

// hashOf hashes key, as a map does. It panics when key cannot be hashed.
func hashOf(key any, seed uintptr) uintptr

// isComparable reports whether the elements of the slice x, of any type, can be
// compared.
func isComparable(x any) bool

// initSlow makes the root, and the functions over keys and values.
func (ht *HashTrieMap[K, V]) initSlow() {
	ht.initMu.Lock()
	defer ht.initMu.Unlock()
	if ht.inited.Load() != 0 {
		return // somebody got here first
	}
	ht.root.Store(newIndirectNode[K, V](nil))
	ht.keyHash = hashKey[K]
	if isComparable([]V(nil)) {
		ht.valEqual = equalValues[V]
	}
	ht.seed = uintptr(runtime_rand())
	ht.inited.Store(1)
}

func hashKey[K any](p unsafe.Pointer, seed uintptr) uintptr { return hashOf(*(*K)(p), seed) }

func equalValues[V any](a, b unsafe.Pointer) bool { return any(*(*V)(a)) == any(*(*V)(b)) }
