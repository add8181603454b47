// Package sequential checks what everyway says of sequential programs against what
// they do natively on every input.
//
// [Generate] draws a [Program] from a seed: a Go function of one or two small
// inputs, which returns a byte or panics, with arithmetic on small integers,
// strings, slices, maps, loops, closures, deferred functions, conversions and
// methods in it. [Compare] makes one binary of many programs, which records how
// each of them ends on each input of its domain, searches the programs in the
// machine, and compares:
//
//   - for every input exactly one path condition holds (where the iteration order
//     of a map is a choice of the run, at least one),
//   - and the run with that condition ends as the program does natively: with the
//     same result, or with the same panic;
//   - a target that fails if the result is a given byte fails if there is an input
//     with this result or a panic, and holds otherwise.
//
// The result is compared without being made concrete: the target has another
// input, and tells whether the result is equal to it. A program for which there is
// a difference is reduced by leaving statements out.
package sequential
