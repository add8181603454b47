package worker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Stats are what the runs of a search add up to, apart from its findings. Those of parts
// of a search, added in any order, make those of the whole.
type Stats struct {
	Runs int `json:"runs"`
	run.Counts
	Skipped    int             `json:"skipped,omitempty"` // runs that ended in t.Skip
	Shapes     Shapes          `json:"shapes,omitempty"`
	Solver     solve.Stats     `json:"solver,omitzero"`
	Summaries  run.Summaries   `json:"summaries,omitzero"`
	Covered    Coverage        `json:"covered,omitempty"`
	Open       map[string]bool `json:"open,omitempty"`       // why holds cannot be claimed
	Bounded    map[string]bool `json:"bounded,omitempty"`    // why runs of strategies were bounded that are not exhaustive
	LeftOut    map[string]bool `json:"leftout,omitempty"`    // why a strategy has left out runs that another one may show not to be needed
	Notes      map[string]bool `json:"notes,omitempty"`      // what remained when the target had returned and did not make it fail
	Refused    map[string]bool `json:"refused,omitempty"`    // from the middle of a program: what has to hold where runs begin, and did not in some
	DrewLength bool            `json:"drewlength,omitempty"` // some run drew the length of a string or slice
	BoundsHit  run.Bounds      `json:"boundshit,omitempty"`  // that made a difference to some run
	Places     Places          `json:"places,omitempty"`     // of bounds that come from places in the program
	HeldTimers bool            `json:"heldtimers,omitempty"` // in some run a timer had to wait for what else could happen
	CutTime    bool            `json:"cuttime,omitempty"`    // in some run goroutines lived on timers after the target had returned
	Ends       Ends            `json:"ends,omitempty"`       // where runs ended at their limit, with Config.Ends
	CutLength  bool            `json:"cutlength,omitempty"`  // in some run a goroutine would have taken more steps than it may
	Profile    profile.Profile `json:"profile,omitempty"`    // if Config.Profile is set
}

// GiveUp notes why holds cannot be claimed.
func (s *Stats) GiveUp(why string) {
	if s.Open == nil {
		s.Open = map[string]bool{}
	}
	s.Open[why] = true
}

// NoteBounded notes why a run of a strategy was bounded that is not exhaustive.
func (s *Stats) NoteBounded(why string) {
	if s.Bounded == nil {
		s.Bounded = map[string]bool{}
	}
	s.Bounded[why] = true
}

// LeaveOut notes why a strategy has left out runs, see strategy.Status.
func (s *Stats) LeaveOut(why string) {
	if s.LeftOut == nil {
		s.LeftOut = map[string]bool{}
	}
	s.LeftOut[why] = true
}

// Refuse notes what did not hold where a run began that begins in the middle of a program, and is none for that.
func (s *Stats) Refuse(fact string) {
	if s.Refused == nil {
		s.Refused = map[string]bool{}
	}
	s.Refused[fact] = true
}

// Places are positions in the program by the bounds that come from them.
type Places map[string]map[string]bool

// AddBound notes a bound that comes from a place in the program.
func (s *Stats) AddBound(bound, place string) {
	if s.Places == nil {
		s.Places = Places{}
	}
	if s.Places[bound] == nil {
		s.Places[bound] = map[string]bool{}
	}
	s.Places[bound][place] = true
}

// maxPlaces is the number of places that are listed with a bound.
const maxPlaces = 3

// names returns the bounds, each with where it comes from.
func (p Places) names() []string {
	var list []string
	for _, bound := range slices.Sorted(maps.Keys(p)) {
		at := slices.Sorted(maps.Keys(p[bound]))
		more := len(at) - maxPlaces
		if more > 0 {
			at = at[:maxPlaces]
		}
		text := bound
		if at[0] != "" {
			text += ", at " + strings.Join(at, ", ")
		}
		if more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, text)
	}
	return list
}

// Note notes what remained when the target had returned.
func (s *Stats) Note(what string) {
	if s.Notes == nil {
		s.Notes = map[string]bool{}
	}
	s.Notes[what] = true
}

// Add adds the stats of other runs.
func (s *Stats) Add(other *Stats) {
	s.Runs += other.Runs
	s.Counts.Add(other.Counts)
	s.Skipped += other.Skipped
	if s.Shapes == nil && other.Shapes != nil {
		s.Shapes = Shapes{}
	}
	for shape, accepted := range other.Shapes {
		s.Shapes.add(shape, accepted)
	}
	s.Solver.Add(other.Solver)
	s.Summaries.Add(other.Summaries)
	if s.Covered == nil && other.Covered != nil {
		s.Covered = Coverage{}
	}
	s.Covered.merge(other.Covered)
	if s.Profile == nil && other.Profile != nil {
		s.Profile = profile.Profile{}
	}
	s.Profile.Merge(other.Profile)
	for why := range other.Open {
		s.GiveUp(why)
	}
	for fact := range other.Refused {
		s.Refuse(fact)
	}
	for why := range other.Bounded {
		s.NoteBounded(why)
	}
	for why := range other.LeftOut {
		s.LeaveOut(why)
	}
	for what := range other.Notes {
		s.Note(what)
	}
	for bound, at := range other.Places {
		for place := range at {
			s.AddBound(bound, place)
		}
	}
	if s.Ends == nil && other.Ends != nil {
		s.Ends = Ends{}
	}
	for _, at := range slices.Sorted(maps.Keys(other.Ends)) {
		s.Ends.add(at, other.Ends[at])
	}
	s.DrewLength = s.DrewLength || other.DrewLength
	s.HeldTimers = s.HeldTimers || other.HeldTimers
	s.BoundsHit |= other.BoundsHit
	s.CutTime = s.CutTime || other.CutTime
	s.CutLength = s.CutLength || other.CutLength
}

// AddSince adds what a strategy has counted between two of its statuses.
func (s *Stats) AddSince(before, now strategy.Status) {
	s.Counts.Add(now.Counts.Since(before.Counts))
	s.Solver.Add(now.Solver.Since(before.Solver))
	s.CutLength = s.CutLength || now.CutLength
	for _, why := range now.LeftOut {
		s.LeaveOut(why)
	}
}

// Clone returns a copy that shares nothing with s.
func (s *Stats) Clone() Stats {
	c := Stats{
		Open: maps.Clone(s.Open), Bounded: maps.Clone(s.Bounded), LeftOut: maps.Clone(s.LeftOut),
		Notes: maps.Clone(s.Notes), Refused: maps.Clone(s.Refused),
	}
	c.Add(s)
	return c
}

// Bounds names the limits within which the runs are all there are. maxLen is the length of
// the longest string or slice that was drawn, and stall that of run.Settings.
func (s *Stats) Bounds(maxLen int, stall time.Duration) []string {
	var list []string
	if s.DrewLength {
		list = append(list, fmt.Sprintf("strings and slices of at most %d elements (-maxlen)", maxLen))
	}
	if s.HeldTimers {
		list = append(list, stallBound(stall))
	}
	list = append(list, s.BoundsHit.Names()...)
	list = append(list, s.Places.names()...)
	if s.CutTime {
		list = append(list, "time that ends soon after the target has returned, where goroutines live on timers")
	}
	return list
}

// stallBound names the bound that a stall is.
func stallBound(stall time.Duration) string {
	if stall == 0 {
		return "time passes when nothing else can happen (-stall 0)"
	}
	return fmt.Sprintf("goroutines that can run are kept waiting for at most %v (-stall)", stall)
}
