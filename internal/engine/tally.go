package engine

import (
	"maps"

	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A tally is what runs of a search add up to, apart from its findings. The
// tallies of parts of a search, added in any order, make that of the whole.
type tally struct {
	Runs       int             `json:"runs"`
	Candidates int             `json:"candidates,omitempty"`
	Redundant  int             `json:"redundant,omitempty"`
	Blocked    int             `json:"blocked,omitempty"`
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
	t.Candidates += o.Candidates
	t.Redundant += o.Redundant
	t.Blocked += o.Blocked
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

// learn takes over what a strategy says of the runs made since it said before.
func (t *tally) learn(before, now strategy.Status) {
	t.Redundant += now.Redundant - before.Redundant
	t.Blocked += now.Blocked - before.Blocked
	t.Solver.Add(now.Solver.Since(before.Solver))
}
