// Package follower carries an interference scenario out on the machine: its [Follower] is the
// scheduler of the run. It is the schedule of section 7.2 of Farzan, Holzer, Razavi and
// Veith, Con2colic Testing (FSE 2013): first the events of the scenario in the order found
// for them, then the goroutine of the sink without interruption.
//
// That exclusive part ends before an unforeseen interference (section 7.3). If the goroutine
// waits for time to pass, which it does only when nothing else can happen, all goroutines
// run in the end.
//
// The [Result] says how far the run followed the scenario, and what the goroutines could
// have done instead of what they did.
package follower
