//go:build workers3

package main

// workers is the number of goroutines that share the work.
const workers = 3
