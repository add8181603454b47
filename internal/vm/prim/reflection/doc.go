// Package reflection implements the primitives of package reflect, and those by which
// package runtime and others give a program information about its own types and calls.
package reflection
