// Package driver is the part of generated tests that does not depend on what is tested: it makes calls on a value
// from several goroutines, such that some of them return before others are made, and looks for an order of the
// same calls, each made alone, that gives the same results.
//
// Package linear adds the source of this package to the package under test. So it imports only the standard library,
// and all its names begin with linear.
package driver
