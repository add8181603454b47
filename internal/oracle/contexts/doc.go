// Package contexts checks that a search from the middle of a program begins in all states in which
// a run from the start is there.
//
// A test takes instructions of generated programs, and of programs in testdata that use pointers.
// It runs a program from the start, by some schedule and with some input, to where goroutines are
// at the instructions; and it lets a machine prepare the context that package static/initial makes
// of them, which gives the symbolic initial state: registers and memory with symbolic values, and
// the conditions of the path. [Admission] walks through both states at the same time, from the
// registers that are needed and the package variables that are inputs, and collects the equations
// that make the symbolic state the concrete one. A pointer that has not been chosen is chosen as
// the concrete state has it. The solver says whether the equations and the conditions can be true
// together. If they cannot on any path of the preparation, the initial state leaves out one that
// the program has. What has been chosen is compared in the order in which it was chosen, so that
// the first choice that is not that of the run comes after others that are: what it has to be is
// asked for next, and paths that share it are tried last.
//
// Of a goroutine whose callers are known, the registers of these are compared, too. Goroutines at
// one place are different ones.
//
// That structures have one owner is also looked at in the concrete state itself: no component of
// its heap has two roots.
//
// What [fragment.Context.Assumes] says is not held against it: locks and the other types of package
// sync are not compared, and neither is what belongs to other packages than the program's own.
// Interfaces that are inputs have some of the types that they can have, as a bound says, and are
// not compared.
package contexts
