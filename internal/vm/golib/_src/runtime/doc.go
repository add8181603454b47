// Package runtime is what a program can ask of the machine that runs it. The
// machine itself is not Go code: what it answers comes through functions
// without a body, and the panics it raises are values of the error types here.
package runtime
