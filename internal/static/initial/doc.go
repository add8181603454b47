// Package initial finds out what is known of the state of a program in the middle of which a search begins: it makes
// a [fragment.Context] of the instructions at which goroutines are.
package initial
