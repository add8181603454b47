//go:build workers2

package main

// workers is the number of goroutines that share the work.
const workers = 2
