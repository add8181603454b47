// Package maporder finds the loops over maps whose result does not depend on the order in
// which they visit the entries.
//
// [Of] looks at the body of a loop and proves, if it can, that its iterations commute, so that
// all orders lead to the same state. For that, what an iteration does must not depend on those
// before it. An iteration may
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
// A loop that only leaves early, always in the same way, does not depend on the order either,
// except that it may read less memory in some orders.
//
// A loop may pass its entries to a function that it was given ([VisitOf]). Whether its order can be
// noticed then depends on that function. [Commutes] asks the same of the calls, once the function
// is known, and whether the keys have floating-point numbers in them: an assignment to the entry of
// a NaN makes another one, which may be visited if the map is the same.
//
// If an iteration panics or ends its goroutine, or makes the test fail, all orders fail. But
// someone may recover from that, or the failing test may be one that the program has made itself;
// they see what had been done until then. The caller of Of has to provide for that.
package maporder
