// Package summaries makes the summaries of functions that machines walk (package walk), and keeps them.
//
// A [Library] belongs to a process. It makes a tree when a machine asks for one: summary.Build
// takes the function alone along all of its paths, and the solver refutes the sides of conditions
// that no input can take. The tree is kept in the cache on disk, under the hash of the function's
// code, with the hashes of the functions that it has called; when one of these is not the same, the
// tree is made again.
//
// What is in the cache makes no difference to a tree, and whether there is one none to a run.
package summaries
