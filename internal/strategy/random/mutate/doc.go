// Package mutate changes inputs at random, as the fuzzer of go test does: bits
// are flipped, small numbers added, boundary values tried; of strings and slices
// pieces are removed, repeated, moved and taken from other inputs.
//
// An input gives values to variables by name, and names tell how they belong
// together: that of the length of s is len(s), those of its elements s[0], s[1],
// …, or s[0].f and len(s[0].g) when they are structs. A [Mutator] learns the
// variables from the runs that drew them and changes a sequence as a whole:
// when an element is removed the ones behind it move up.
package mutate
