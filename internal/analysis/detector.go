package analysis

import (
	"cmp"
	"context"
	"fmt"

	"github.com/everyway-go/everyway/schedule"
)

// An Info describes a detector to those who choose one. Package registry lists those of all
// detectors.
type Info struct {
	Name string // the name that the -detector flag takes
	Doc  string // what the detector looks for, in a line
	// Certainty is that of its findings, at most.
	Certainty Certainty
	// New returns a detector for one schedule.
	New func(Config) Detector
}

// A Config is what a detector may need. Not every detector uses all of it.
type Config struct {
	State  *schedule.State // before the first event; Run advances it
	Table  *schedule.Table // that events refer to
	Report func(*Finding)  // to be called for each finding, as often as it is found
	Limits
}

// Limits bound what a detector keeps.
type Limits struct {
	// Window is how many events are looked at together, by those that cannot do without a bound; 0
	// for a bound of their own.
	Window int
	// Memory is about how many bytes are kept, at most, by those that need no windows; 0 for half a gigabyte.
	Memory int64
}

// DefaultMemory is the Memory that 0 stands for.
const DefaultMemory = 1 << 29

// Accesses returns how many accesses may be kept: they take half of the memory.
func (l Limits) Accesses() int { return int(cmp.Or(l.Memory, DefaultMemory) / 2 / 128) }

// Times returns how many times may be kept, in clocks: they take the other half.
func (l Limits) Times() int { return int(cmp.Or(l.Memory, DefaultMemory) / 2 / 4) }

// A Detector looks for defects in one schedule.
type Detector interface {
	// Event is called for each event, in order, when Config.State has taken it into account.
	// The event is valid until it returns; e.Clone makes a copy.
	Event(ctx context.Context, e *schedule.Event) error
	// Finish is called after the last event, or the last one before an error.
	Finish(ctx context.Context) error
}

// A Parted is a detector that looks at a schedule in parts if the whole one takes too much memory:
// what is before a part is taken to stay as it is.
type Parted interface {
	Detector
	// Parts returns how many parts there have been, 1 if that is the whole schedule.
	Parts() int64
}

// A Certainty says how sure a finding is.
type Certainty uint8

// The certainties.
const (
	// Suspected findings break a rule that correct programs may break, too.
	Suspected Certainty = iota
	// Predicted findings show in another order of the events, which the program allows as far
	// as the schedule tells.
	Predicted
	// Observed findings are in the schedule as it was recorded.
	Observed
)

// String returns the certainty as reports name it.
func (c Certainty) String() string {
	return [...]string{"suspected", "predicted", "observed"}[c]
}

// A Finding is a defect that a detector has found.
type Finding struct {
	Detector  string // Info.Name; Run sets it
	Kind      string // such as DataRace
	Certainty Certainty
	Sites     []Site // what is wrong, in the order of the schedule
	// Witness is the order of events, by their Order in the schedule, that shows the finding. The last
	// ones are what is wrong; those of a deadlock are next, and none of them is possible. After that of a leak the
	// goroutine of its last site is at that, and waits.
	// It is nil if that is the schedule itself, or no such order is known.
	Witness []int64
	Times   int64 // how often it was found; a Collector counts
	// Inputs are those with which it shows, as far as they are others than in the schedule.
	Inputs []Input
}

// An Input is an input of a program that has another value than in the schedule.
type Input struct {
	Name       string
	Value, Was schedule.Value
}

// Kinds of findings.
const (
	DataRace = "data race"
	Deadlock = "deadlock"
	// SendOnClosed is of the close of a channel and a send that can come after it.
	SendOnClosed = "send on closed channel"
	// Leak is of a goroutine that waits for ever, which is the last site, and of what has made it do so.
	Leak = "leak"
	// CloseOfClosed is of the close of a channel and a select that can find it open before that.
	CloseOfClosed = "close of closed channel"
	// UnlockOfUnlocked is of the acquisition of a lock and its release by another goroutine, which can come first.
	UnlockOfUnlocked = "unlock of unlocked lock"
	// NegativeCounter is of an Add to a wait group and a Done that can come before it.
	NegativeCounter = "negative wait group counter"
	// LongWait is of a goroutine that has waited long for a lock.
	LongWait = "long wait for a lock"
)

// A Site is an event that a finding consists of.
type Site struct {
	Order     int64
	Op        schedule.Op
	Goroutine schedule.GoroutineID
	Index     int64
	Cell      schedule.Cell
	Location  schedule.LocationID
	// Turn is not nil if the event goes another way than in the schedule, and what follows it in its goroutine is not
	// known.
	Turn *Turn
	Note string // what reports say of it, instead of the operation and the cell, if it is not empty
}

// A Turn is what a select does instead of what it has done in the schedule.
type Turn struct {
	Op   schedule.Op
	Cell schedule.Cell
	Case int32 // the number of the case; NoCase if it is the default case
}

// String returns the turn as reports name it.
func (t *Turn) String() string {
	if t.Cell.Object == 0 {
		return t.Op.String()
	}
	return fmt.Sprintf("%v %v", t.Op, t.Cell)
}

// SiteOf returns the site of an event.
func SiteOf(e *schedule.Event) Site {
	return Site{Order: e.Order, Op: e.Op, Goroutine: e.Goroutine, Index: e.Index, Cell: e.Cell(), Location: e.Location}
}
