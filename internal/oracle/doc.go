// Package oracle says what the right answer is. It finds everything that small concurrent programs
// can do by brute force: every input of a small domain under every interleaving. Searches are
// tested against it.
//
// A [Program] is a tree of statements over shared variables, atomics, locks, channels and wait
// groups and, if it says so, over time, timers and maps. Package kinds draws one from a seed;
// [Source] writes a set of them as a Go test package, one fuzz target or test each; [Enumerate]
// explores one and gives a [Result]: the verdict, the outcomes, the branches that can be covered
// and how many interferences each needs, whether there is a race.
//
// The enumerator works on the tree, with a semantics of its own in semantics.go and what it uses,
// such as time.go, parked.go and cancellation.go, and shares no code with the machine: what the two
// agree on is unlikely to be a common mistake. It keeps a set of visited states and so ends
// quickly; the tests check it against another enumerator that keeps none and that models the wait
// queues of Go's runtime, and against what the go command's test binaries do.
package oracle
