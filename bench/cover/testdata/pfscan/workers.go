//go:build !workers2 && !workers3 && !workers8

package main

// workers is the number of goroutines that share the work.
const workers = 4
