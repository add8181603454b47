// Package hyperconcolic searches all inputs and all interleavings.
package hyperconcolic
