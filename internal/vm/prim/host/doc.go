// Package host implements the primitives by which a program interacts with its
// environment: inputs, random numbers, files, output, and the test that is run.
package host
