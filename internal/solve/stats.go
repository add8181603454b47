package solve

import (
	"fmt"
	"strings"
)

// Stats counts how queries were answered. Each slice counts for the stage that
// answered it, so that those from Hits to Unknowns add up to Slices, unless a
// query was cancelled. In JSON a count of 0 is left out.
type Stats struct {
	Queries int64 `json:",omitzero"` // calls of Check, CheckNear and Satisfiable
	Slices  int64 `json:",omitzero"` // independent parts of them

	Hits        int64 `json:",omitzero"` // answered before
	Supersets   int64 `json:",omitzero"` // contain conjuncts that were Unsat before
	Models      int64 `json:",omitzero"` // satisfied by a model found before; of Satisfiable only
	Hinted      int64 `json:",omitzero"` // satisfied by the hint of CheckNear
	Guessed     int64 `json:",omitzero"` // answered by local search
	Bounded     int64 `json:",omitzero"` // refuted by bounds of values
	Substituted int64 `json:",omitzero"` // answered by substitution, and what is above for the rest
	Blasted     int64 `json:",omitzero"` // answered by bit-blasting
	Retried     int64 `json:",omitzero"` // answered by bit-blasting the second time
	Concretised int64 `json:",omitzero"` // satisfied when an operand was made concrete
	Asked       int64 `json:",omitzero"` // answered by Options.Backend
	Unknowns    int64 `json:",omitzero"` // not answered within the budget

	Work int64 `json:",omitzero"` // units of work in package sat
}

// A counter is a field of Stats, with the words that String gives it.
type counter struct {
	value *int64
	words string
}

// counters lists the fields of s.
func (s *Stats) counters() []counter {
	return []counter{
		{&s.Queries, "queries"},
		{&s.Slices, "parts"},
		{&s.Hits, "answered before"},
		{&s.Supersets, "with a part refuted before"},
		{&s.Models, "by a model found before"},
		{&s.Hinted, "by the hint"},
		{&s.Guessed, "by local search"},
		{&s.Bounded, "by bounds"},
		{&s.Substituted, "by substitution"},
		{&s.Blasted, "by a circuit"},
		{&s.Retried, "by another circuit"},
		{&s.Concretised, "with a concrete operand"},
		{&s.Asked, "by another solver"},
		{&s.Unknowns, "unknown"},
		{&s.Work, "units of work"},
	}
}

// Add adds the counts of o to those of s.
func (s *Stats) Add(o Stats) {
	other := o.counters()
	for i, c := range s.counters() {
		*c.value += *other[i].value
	}
}

// Since returns what has been counted since s was before.
func (s Stats) Since(before Stats) Stats {
	other := before.counters()
	for i, c := range s.counters() {
		*c.value -= *other[i].value
	}
	return s
}

// String lists the counts that are not zero.
func (s Stats) String() string {
	var list []string
	for _, c := range s.counters() {
		if *c.value != 0 {
			list = append(list, fmt.Sprint(*c.value, " ", c.words))
		}
	}
	return strings.Join(list, ", ")
}

// stage is one of the stages between local search and giving up, in their order.
type stage int

const (
	bySearch stage = iota
	byBounds
	bySubstitution
	byCircuit
	bySecondCircuit
	byConcreteOperand
	byBackend
)

// count counts the answer to a slice.
func (s *Stats) count(r Result, by stage) {
	if r == Unknown {
		s.Unknowns++
		return
	}
	counts := [...]*int64{
		bySearch: &s.Guessed, byBounds: &s.Bounded, bySubstitution: &s.Substituted, byCircuit: &s.Blasted,
		bySecondCircuit: &s.Retried, byConcreteOperand: &s.Concretised, byBackend: &s.Asked,
	}
	*counts[by]++
}
