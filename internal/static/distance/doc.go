// Package distance says how far it is, at least, from one instruction to another: in instructions
// of SSA, through calls and returns, if every branch goes the right way.
//
// [NewLengths] finds the shortest way through each function of a call graph. [Lengths.To] finds the
// shortest ways to some instructions; the [Map] that it returns is asked from where a goroutine is:
// [Map.From] for an instruction if the function is not left, [Map.Stack] for a whole stack. A
// goroutine that is started is a call: how far it is to what the new goroutine does. Distances are
// computed as by Dijkstra, function by function, until no entry of a function comes nearer.
//
// A distance is [Never] only if there is no way at all in the call graph, panics included: what may
// panic leads to the deferred calls of its function, and to those of its callers, at an extra cost.
// What other goroutines do that run already, and what the machine starts (callgraph.Graph.Machine),
// has to be asked for by itself.
package distance
