// Package maporder finds the loops over maps whose result does not depend on the order in
// which they visit the entries.
//
// [Of] looks at the body of a loop and proves, if it can, that its iterations commute, so that
// all orders lead to the same state. What one iteration does may then not depend on those
// before it. It may
//
//   - make new objects, and write to those,
//   - assign to, or delete, the entry of its own key in any map,
//   - add to what the iterations before it have left in a variable or in the entry of a map, by
//     an operation that is commutative and associative: a sum of integers, bits, a minimum, a
//     maximum; floating-point numbers and strings do not add up to the same in every order,
//   - assign the same value as all other iterations,
//   - append to a slice that is sorted before it is used, always the same number of elements, as
//     its capacity depends on the order of different ones,
//   - call functions that do nothing but compute,
//   - close channels, which others can tell apart that wait at several of them,
//   - make the test fail, as it then does in every order.
//
// A loop that does none of that but to leave early, always in the same way, depends on no order
// either, except that it may read less memory in some orders.
//
// A loop that leaves its entries to a function that it was given ([VisitOf]) has an order that can
// be noticed or not by what that does. The same is asked of the calls then ([Commutes]), when it is
// known which function it is, and whether the keys have floating-point numbers in them: an
// assignment to the entry of a NaN makes another one, which may be visited if the map is the same.
//
// All orders fail if an iteration panics or ends its goroutine. But someone may recover from
// that, or the test that fails may be one that the program has made itself, and see what had been
// done until then, which the caller of Of has to provide for.
package maporder
