// Package iter defines iterators, and turns them inside out.
package iter

// A Seq is an iterator over values: it passes each to yield, until that returns
// false.
type Seq[V any] func(yield func(V) bool)

// A Seq2 is an iterator over pairs of values.
type Seq2[K, V any] func(yield func(K, V) bool)
