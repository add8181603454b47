package sync

import "unsafe"

// NewTruncHashTrieMap returns a map whose hash function has few values.
func NewTruncHashTrieMap[K, V comparable]() *HashTrieMap[K, V] {
	var m HashTrieMap[K, V]
	m.keyHash = func(p unsafe.Pointer, seed uintptr) uintptr { return hashKey[K](p, seed) & 15 }
	return &m
}
