// Package integrate makes one structure of two, so that each of two goroutines takes in it the path
// that it has taken in one of them (Algorithm 1 of the thesis that package racing names).
//
// A [Path] is what a goroutine did with inputs when it ran alone: where the pointers that it used
// lead (its pointer-pointee relations), and its other conditions (its path constraints). It has not
// looked at the rest of its input.
//
// [Combining.Next] begins at the inputs that are not fields, and follows the pointers of both paths
// (COMBINE):
//
//   - A pointer that only one path has used leads where that path wants it.
//   - If both have used it, the objects to which it leads become one. In this way, two objects of
//     one path can become one, too.
//   - If it is nil for one path and not for the other, the path without a condition on it is
//     adjusted (RESOLVE). If both have one, there is no such structure.
//   - An input that neither path has looked at is as it was on one of the paths. These choices are
//     taken back when an attempt fails.
//
// In the end, the solver says whether the conditions of both paths can hold for the structure, with
// the objects renamed.
//
// The test need not accept a structure that suits both paths. [Shape.In] gives what both want as
// conditions for a run in which the structure is repaired.
package integrate
