// Package sample says how much of a long comparison a test makes.
//
// Many tests compare thousands of random programs or queries with what a slow and simple
// implementation, or another solver, says of them. All of that takes a quarter of an hour,
// so go test makes a sample of each comparison, go test -short a smaller one, and only a run
// with the environment variable EVERYWAY_TESTS=all the whole. EVERYWAY_TESTS=1/16 to 16/16 are its
// sixteenths: .ci/run makes one of them, which depends on the commit.
//
// A test states the three sizes, the largest first. [Of] gives the numbers of the cases to
// compare, [From] and [Each] take the cases from a list, and [Size] is for what has no order, such as
// queries drawn one after another from a random source:
//
//	for seed := range sample.Of(2000, 300, 40) {
//
// A sample is spread over the whole range, and it is the same in every run.
package sample
