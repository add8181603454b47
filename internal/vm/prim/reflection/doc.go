// Package reflection has the primitives of package reflect, and those by which package
// runtime shows a program its own types and calls.
package reflection
