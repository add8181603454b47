package search

import (
	"fmt"
	"strings"
)

// Reductions are what the exhaustive search leaves out beside other members of a class: see the
// documentation of package hyperconcolic.
type Reductions struct {
	Symmetry bool `json:"symmetry"` // runs that differ only in which of several symmetric goroutines does what
	Adds     bool `json:"adds"`     // runs that differ only in the order of Adds and Dones of wait groups
	States   bool `json:"states"`   // in a phase of the mix, runs that come to a state that is known: see package stateful
}

// AllReductions are all there are.
var AllReductions = Reductions{Symmetry: true, Adds: true, States: true}

// The words of ParseReductions.
const (
	reduceAll, reduceNone = "all", "none"
	reduceSymmetry        = "symmetry"
	reduceAdds            = "adds"
	reduceStates          = "states"
)

// ParseReductions returns the reductions that a list of words names, separated by commas: all,
// none, or some of symmetry, adds and states.
func ParseReductions(list string) (Reductions, error) {
	switch list {
	case reduceAll:
		return AllReductions, nil
	case reduceNone:
		return Reductions{}, nil
	}
	var r Reductions
	for word := range strings.SplitSeq(list, ",") {
		switch word {
		case reduceSymmetry:
			r.Symmetry = true
		case reduceAdds:
			r.Adds = true
		case reduceStates:
			r.States = true
		default:
			return r, fmt.Errorf("%q: want %s, %s, or some of %s,%s,%s", word, reduceAll, reduceNone, reduceSymmetry, reduceAdds, reduceStates)
		}
	}
	return r, nil
}

// String returns the list for which ParseReductions returns r.
func (r Reductions) String() string {
	var words []string
	if r.Symmetry {
		words = append(words, reduceSymmetry)
	}
	if r.Adds {
		words = append(words, reduceAdds)
	}
	if r.States {
		words = append(words, reduceStates)
	}
	switch {
	case r == AllReductions:
		return reduceAll
	case len(words) == 0:
		return reduceNone
	}
	return strings.Join(words, ",")
}
