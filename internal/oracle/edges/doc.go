// Package edges compares exhaustive searches with each other on programs in which it matters who knows of
// which access to memory.
//
// Who knows of an access, because it happened before what they do, decides whether a later access races with
// it. [Generate] draws a [Program] from a seed. Its variables keep the values that they have, so that many
// orders lead to the same memory and differ in no more than such knowledge:
//
//   - A goroutine accesses a variable or not, or accesses it before or after a release, or releases one thing
//     or another: a choice decides that leaves nothing behind. Or one of two goroutines that are alike does so.
//   - What it knows then is passed on: through channels, locks, atomic variables, wait groups, Once, condition
//     variables, timers, and goroutines that are started. Others interfere, and replace what was left there.
//   - In the end somebody accesses the variable in another way, or an overlapping one: a field, an element, a range, a
//     struct as a whole, what a pointer in it leads to. Often a value decides whether.
//
// [Compare] searches the programs with the strategy that remembers states, with and without what it leaves out,
// and with the one that makes a run for each class of orders, without reductions. Small programs are also run in every
// order, one after the other. All must find the same outcomes, races and branches.
package edges
