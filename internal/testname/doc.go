// Package testname selects tests and subtests by their names, as the flags -run and -skip of
// go test do. A [Filter] is made from the two flags and asked for each name, such as TestA or
// TestA/sub.
package testname
