// Package host has the primitives that stand for what is outside the program: inputs,
// random numbers, files, output, and the test that is run.
package host
