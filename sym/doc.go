// Package sym lets a test name inputs of its own, in addition to the arguments of a fuzz
// callback:
//
//	func TestTransfer(t *testing.T) {
//		amount := sym.Int("amount")
//		sym.Assume(t, amount >= 0)
//		...
//	}
//
// When everyway searches the test, the values are inputs of the search: every value that
// makes a difference is tried, under every interleaving of the goroutines. A finding shows
// the values that led to it.
//
// [Any] draws a value of any type: of structs, lists, trees and other structures that consist of
// pointers, every shape is tried.
//
// # Native runs
//
// Plain go test takes the values from the environment variable EVERYWAY_INPUT, a list such
// as
//
//	amount=-3 len(name)=2 name[0]=104 name[1]=105
//
// in which a string or a slice is given by its length and its bytes, and a floating-point number by
// its bits. A value that is not a number is a panic. Values that are not in the list are zero,
// false or empty or, if the environment variable EVERYWAY_SEED is set, random: they follow from
// what it is set to, and from their names. So are shapes: where pointers lead, and what is in maps,
// channels and interfaces.
//
//	for seed in 1 2 3 4 5; do EVERYWAY_SEED=$seed go test -count=1 -run TestTransfer; done
//
// # Values
//
// [Int] and its kin, [Bool], [String] and [Bytes] are inputs of basic types, [Range] and [OneOf] of
// which only some values matter, and [Choice] chooses what a test does next. [Built] is a value
// that the constructors and methods of its package lead to, and [Open] makes the pointers inputs of
// a structure that the test has built. [BackLink] says of which pointers it is known where they
// lead. [Assume] says of which inputs a test is, [Assert] what has to hold, and [Reachable] asks
// whether a place can be reached.
//
// # Names
//
// An input drawn again under the same name has the same value, in whichever goroutine.
// A loop that needs a new value in each round therefore makes a name for each:
//
//	for i := range 3 {
//		step := sym.Choice(fmt.Sprintf("step%d", i), 4)
//		...
//	}
//
// Drawn again with another range, an input stands for a number of that. A search tries only the
// values of the first range then, and its verdict says so.
package sym
