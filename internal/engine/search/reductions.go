package search

import (
	"fmt"
	"slices"
	"strings"
)

// Reductions are what the exhaustive searches leave out beside other members of a class: see the
// documentation of the packages hyperconcolic and stateful.
type Reductions struct {
	Symmetry bool `json:"symmetry"` // runs that differ only in which of several symmetric goroutines does what
	Adds     bool `json:"adds"`     // runs that differ only in the order of Adds and Dones of wait groups, and of additions to atomic variables whose results nobody reads
	States   bool `json:"states"`   // in a phase of the mix, runs that come to a state that is known: see package stateful
	Names    bool `json:"names"`    // states that differ only in the names of goroutines and objects, or in places that continue in the same way
	Accesses bool `json:"accesses"` // states that differ only in who knows of accesses that cannot race
	// Knowledge takes states for the same that differ only in who knows of any access: what can
	// come after them is compared instead, and Accesses makes no difference.
	Knowledge bool `json:"knowledge"`
	// Unread takes, with Knowledge, states for the same that differ only in words of memory that nobody reads any more.
	Unread bool `json:"unread"`
	// Alike has, with Names, one of the steps tried that goroutines which are alike in a state can take.
	Alike bool `json:"alike"`
	// Ahead has it taken into account, where a run ends at a known state, what has to happen before
	// the steps that come later.
	Ahead bool `json:"ahead"`
	// Atomics, with Knowledge, takes atomic loads for no steps as long as they are ordered with
	// what changes their variables and, with Adds, additions as long as they are ordered with what
	// depends on the sum.
	Atomics bool `json:"atomics"`
	Logs    bool `json:"logs"` // runs that differ only in when something is written to the log of a test
}

// AllReductions are all there are.
var AllReductions = Reductions{Symmetry: true, Adds: true, States: true, Names: true, Accesses: true, Knowledge: true, Unread: true, Alike: true, Ahead: true, Atomics: true, Logs: true}

// DefaultReductions are those that are made if nothing else is asked for.
var DefaultReductions = AllReductions

// The words of ParseReductions.
const (
	reduceAll, reduceNone = "all", "none"
	reduceSymmetry        = "symmetry"
	reduceAdds            = "adds"
	reduceStates          = "states"
	reduceNames           = "names"
	reduceAccesses        = "accesses"
	reduceKnowledge       = "knowledge"
	reduceUnread          = "unread"
	reduceAlike           = "alike"
	reduceAhead           = "ahead"
	reduceAtomics         = "atomics"
	reduceLogs            = "logs"
)

// reductionWords are the words for one reduction each.
var reductionWords = []string{reduceSymmetry, reduceAdds, reduceStates, reduceNames, reduceAccesses, reduceKnowledge, reduceUnread, reduceAlike, reduceAhead, reduceAtomics, reduceLogs}

// ReductionWords returns the words that ParseReductions takes for one reduction each.
func ReductionWords() []string { return slices.Clone(reductionWords) }

// of returns the reduction for which a word stands, nil if there is none.
func (r *Reductions) of(word string) *bool {
	switch word {
	case reduceSymmetry:
		return &r.Symmetry
	case reduceAdds:
		return &r.Adds
	case reduceStates:
		return &r.States
	case reduceNames:
		return &r.Names
	case reduceAccesses:
		return &r.Accesses
	case reduceKnowledge:
		return &r.Knowledge
	case reduceUnread:
		return &r.Unread
	case reduceAlike:
		return &r.Alike
	case reduceAhead:
		return &r.Ahead
	case reduceAtomics:
		return &r.Atomics
	case reduceLogs:
		return &r.Logs
	}
	return nil
}

// ParseReductions returns the reductions that a list of words names, separated by commas: all,
// none, or some of [ReductionWords].
func ParseReductions(list string) (Reductions, error) {
	switch list {
	case reduceAll:
		return AllReductions, nil
	case reduceNone:
		return Reductions{}, nil
	}
	var r Reductions
	for word := range strings.SplitSeq(list, ",") {
		set := r.of(word)
		if set == nil {
			return r, fmt.Errorf("%q: want %s, %s, or some of %s", word, reduceAll, reduceNone, strings.Join(reductionWords, ","))
		}
		*set = true
	}
	return r, nil
}

// String returns the list for which ParseReductions returns r.
func (r Reductions) String() string {
	var words []string
	for _, word := range reductionWords {
		if *r.of(word) {
			words = append(words, word)
		}
	}
	switch {
	case r == AllReductions:
		return reduceAll
	case len(words) == 0:
		return reduceNone
	}
	return strings.Join(words, ",")
}
