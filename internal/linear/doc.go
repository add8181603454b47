// Package linear makes tests of whether a type is linearizable: whether what calls on a value give that several
// goroutines make is what some order of the same calls gives if each is made alone.
//
// [Find] finds the constructors and methods of a type in its package, and the values that their
// parameters can have (values.go). A [Subject] writes these as a fuzz target for each [Bound]
// ([Subject.Source]); the arguments of the target choose the calls. A search of the target makes
// all histories. What does not depend on the type, the recording of histories and the search for an
// order that explains one, is in package driver, whose source is part of the tests.
//
// Histories begin with what constructors make, with one of the states to which calls lead
// ([Subject.Starts]), which a run of another target prints, or with values that are drawn, for
// which a predicate holds (predicate.go).
package linear
