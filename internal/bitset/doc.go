// Package bitset has sets of small numbers, with a bit for each number.
//
// A [Set] is a slice of words, so it can be encoded, copied and cleared like one.
// [Set.Add] and [Set.Has] are inlined and allocate nothing.
package bitset
