// Package mutate mutates inputs at random, as the fuzzer of go test does. It flips bits, adds
// small numbers and tries boundary values; it removes, repeats and moves pieces of strings and
// slices, and takes pieces from other inputs.
//
// An input is values of variables by name, and the names show how they belong together: the
// length of s is len(s), its elements are s[0], s[1] and so on, or s[0].f and len(s[0].g) if
// they are structs. A [Mutator] learns the variables from the runs that drew them, and mutates
// a sequence as a whole: if an element is removed, those after it move up.
package mutate
