// Package summary has the summaries of functions: decision trees over their paths, which a machine
// can walk in the place of executing the code (Sun, UC Riverside 2023, section 5.1).
//
// # From code to a tree
//
// [Build] takes a function alone along its paths, from its beginning or another instruction on,
// with unknown contents of registers and memory: what is not known is an expression over what the
// function gets. Where a condition may have both outcomes, the tree has a node for each, unless the
// solver refutes one. A pointer that is used may lead to one of the objects of the path or to
// another one: the tree has a node for each of these, so that on a path it is known which accesses
// are to one cell (pointer-pointee relations, found by lazy initialisation). Calls are taken along
// with their callees.
//
// What remains of a path are its conditions, the values that they and the results need, the first
// read of each cell and the last write to it. Of further reads and writes a [Step] says only that
// they happen, since races may be detected there.
//
// # Where a tree ends
//
// A path ends at the return, where it gets too long ([Limits]), and before an instruction that is
// not covered: a visible operation, such as taking a lock, and whatever does more than compute and
// access cells that are known, such as operations on maps, interfaces and strings, and accesses at
// an index that is not known. Loops are unrolled, as recursion is, up to a limit. At each end, and
// before each step that could turn out to be one of these, an [Exit] says how the code goes on:
// where the frames are, and which values their registers have.
//
// A tree can be printed ([Tree.Format]) and written as JSON. [Check] is for trees that were read.
// Package walk walks trees.
package summary
