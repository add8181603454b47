package engine

import (
	"maps"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A tally is what runs of a search add up to, apart from its findings. The
// tallies of parts of a search, added in any order, make that of the whole.
type tally struct {
	Runs int `json:"runs"`
	run.Counts
	Skipped    int             `json:"skipped,omitempty"` // ended in t.Skip
	Solver     solve.Stats     `json:"solver,omitzero"`
	Covered    coverage        `json:"covered,omitempty"`
	Open       map[string]bool `json:"open,omitempty"`       // why holds cannot be claimed
	DrewLength bool            `json:"drewlength,omitempty"` // some run drew the length of a string or slice
	WholeReads bool            `json:"wholereads,omitempty"` // in some run a connection could have brought data in pieces
	HeldTimers bool            `json:"heldtimers,omitempty"` // in some run a timer had to wait for what else could happen
	CutTime    bool            `json:"cuttime,omitempty"`    // in some run goroutines lived on timers after the target had returned
	NeverRun   bool            `json:"neverrun,omitempty"`   // in some run there were finalizers or cleanups
}

// giveUp notes why holds cannot be claimed.
func (t *tally) giveUp(why string) {
	if t.Open == nil {
		t.Open = map[string]bool{}
	}
	t.Open[why] = true
}

// add adds the tally of other runs.
func (t *tally) add(o *tally) {
	t.Runs += o.Runs
	t.Counts.Add(o.Counts)
	t.Skipped += o.Skipped
	t.Solver.Add(o.Solver)
	if t.Covered == nil && o.Covered != nil {
		t.Covered = coverage{}
	}
	t.Covered.merge(o.Covered)
	for why := range o.Open {
		t.giveUp(why)
	}
	t.DrewLength = t.DrewLength || o.DrewLength
	t.HeldTimers = t.HeldTimers || o.HeldTimers
	t.WholeReads = t.WholeReads || o.WholeReads
	t.CutTime = t.CutTime || o.CutTime
	t.NeverRun = t.NeverRun || o.NeverRun
}

// clone returns a copy that shares nothing with t.
func (t *tally) clone() tally {
	c := tally{Open: maps.Clone(t.Open)}
	c.add(t)
	return c
}
