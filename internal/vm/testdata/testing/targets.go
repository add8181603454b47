// Package targets has a target for each thing that package testing can do.
package targets

// Add returns a + b.
func Add(a, b int) int { return a + b }
