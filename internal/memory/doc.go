// Package memory bounds the memory of the process.
//
// A [Budget] has a limit, which [ParseSize] reads and which is a share of the memory of the
// computer by default ([Default]). While it is watched, it compares the memory of the process
// with the limit. Each search that is under way has a [Share] of it. When memory runs short,
// what can be done without is let go of first ([Budget.OnShort]). If that does not suffice, the
// context of the share that holds most is cancelled, with an [ExceededError] as its cause; the
// others go on.
//
// Which search that is depends on the moment. So it may only decide that a verdict is open.
// What one run may allocate is a limit of the machine, which follows from the budget alone.
package memory
