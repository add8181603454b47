// Package control has the control flow of functions: graphs of their code, post-dominators, and
// which branches decide whether an instruction is executed.
//
// [New] makes the [Graph] of a function from its SSA. A [Node] is a stretch of instructions that
// are executed one after another, in the order in which the machine executes them (package
// evalorder), which is not always that of SSA. A basic block is one node, or several if it has
// calls that do not return: [EndingsOf] finds the functions that never do, such as os.Exit,
// runtime.Goexit, those that always panic, and what calls them. With [Options.Panics] a node ends
// at each instruction that may panic, too.
//
// A node that panics or does not return leads to the exit and, if the function defers calls, to the
// block where it goes on when one of them recovers, unless Options.DiesOfPanics says that none
// does. Without Options.Panics, what panics implicitly (a nil pointer, an index out of range, a
// call of which the callee panics) has no edges, or every instruction would depend on all before
// it; then the block for recovered panics hangs from the start of the function, so that it is never
// taken for unreachable.
//
// Post-dominators are found by package dominance, and control dependence is computed from them as
// Ferrante, Ottenstein and Warren have it (The program dependence graph and its use in optimization,
// TOPLAS 1987, section 3.1). A loop without an exit has a pseudo edge to the exit, so that each node
// has a post-dominator.
package control
