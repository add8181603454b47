// Package constraint decides whether an interference scenario is realizable, as in section 6
// and RealizabilityCheck (section 7.2) of Farzan, Holzer, Razavi and Veith, Con2colic
// Testing (FSE 2013).
//
// A [Checker] makes two constraints of a scenario, those of figure 5:
//
//   - The data constraint (data.go) says that the branches of the scenario are taken if each
//     read yields what the scenario's write wrote. Package solve finds an input.
//   - The temporal constraint (temporal.go) says that the events can be ordered so that each
//     read does come after its write, with no other write between (cell.go), and that locks
//     (lock.go) and channels (channel.go) do what they do. Package order finds an [Order].
//     A simulation of it (simulation.go) then looks for operations that are blocked, and
//     the constraint excludes such a [Blocking], until there is an order without one.
//
// The [Verdict] is the input and the order, or the causes for which there are none: the
// local reads and the blocked operations in the unsatisfiable core (section 7.5).
//
// Two things save queries. Most branches depend on constants only, such as what was written
// before there was another goroutine, and need no solver (constants.go). A core that was
// found once refutes every scenario that contains it (cores.go).
package constraint
