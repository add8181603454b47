// Package integrate makes one structure of two, so that each of two goroutines takes in it the path
// that it has taken in one of them (Algorithm 1 of the thesis that package racing names).
//
// A [Path] is what a goroutine has done with inputs when it ran alone: where the pointers lead that
// it has used, which are its pointer-pointee relations, and its other conditions, which are its
// path constraints. What else its input has, it has not looked at.
//
// [Combining.Next] begins at the inputs that are no fields, and goes along the pointers of both
// sides (COMBINE). A pointer that only one path has used leads where that path wants it. If both
// have, what it leads to becomes one object. If it is nil for one and not for the other, the one
// that has no condition on it is adjusted (RESOLVE), and if neither can be, there is no such
// structure. So can objects of one path become one. The inputs that neither path has looked at are
// as they were on one of the sides; they are the choices that are taken back when an attempt fails.
// The solver says at last whether the conditions of both paths can hold for the structure, with the
// objects renamed.
//
// A structure that both paths want need not be one that the test accepts. [Shape.In] gives what
// both want as conditions for a run in which the structure is repaired.
package integrate
