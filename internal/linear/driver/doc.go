// Package driver is the part of generated tests that does not depend on what is tested: it makes calls on a value
// from several goroutines, such that some of them return before others are made, and looks for an order of the
// same calls, each made alone, that gives the same results.
//
//	history.go    which calls there are, and which of them return before others are made
//	orders.go     which of these orders decide something
//	driver.go     makes the calls, and looks for an explanation
//	result.go     what calls give
//	state.go      the states to which calls lead
//	copy.go       copies of values that are drawn
//	model.go      models, in the place of calls made alone, and partition.go their parts
//	describe.go   the history as it is shown
//
// Package linear adds the source of this package to the package under test. So it imports only the standard library,
// and all its names begin with linear.
package driver
