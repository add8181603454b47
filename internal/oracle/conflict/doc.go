// Package conflict checks what everyway says of data races in programs of one reader and
// one writer.
//
// [Generate] draws a [Program] from a seed. Two goroutines access a variable, and
// synchronise in one or several ways: with locks, channels, atomics, wait groups, contexts,
// timers and so on (forms.go). For each form it is known from the memory model of Go whether
// what comes before it in the first goroutine happens before what comes after it in the
// second. So it is known by construction whether there is a race: the generator also puts
// accesses in the wrong place, uses forms that order nothing, and joins forms, side by side
// or in a chain over a third goroutine.
//
// [Compare] searches the programs, and compares the verdicts. [Native] has the race detector
// look for races in the same programs: it must not find one where there is none.
package conflict
