package reorder

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// A Step is an event of a window on whose place in an order something depends.
type Step struct {
	ideal.Stamp // with what it needs, reads and locks aside
	role        role
	Kind        access.Kind // of an access
	talk        dependence.Operation
	update      bool // reads and writes
	// tied is set if it can only be done, as it was, by a goroutine that has seen what it saw.
	tied     bool
	symbolic bool // of a read: what is computed from its value is in the schedule
	Site     analysis.Site
	from     int64             // Order of the write that a read has seen
	read     schedule.Value    // by a read
	wrote    schedule.Value    // by a write
	Held     []schedule.Held   // locks that its goroutine held before it, unless it is a release
	Added    int64             // to a wait group
	Lock     schedule.LockKind // of an acquisition that is not for reading
	Select   bool              // it is a case of a select, or the default case
	Choice   *Choice           // of a select whose cases are known
	Try      bool              // it is a lock that was free, and would not have been waited for
	ready    vectorclock.Clock // what has to be kept for the goroutine to be at it
}

// A Choice is the cases of a select.
type Choice struct {
	Cases   []schedule.Case // other than the default case
	Taken   int             // the case of the step; len(Cases) if that is the default case
	Default bool            // there is a default case, so that the select never waits
}

// choiceOf returns the cases of the select that e is a case of, nil if they are not known.
func choiceOf(e *schedule.Event) *Choice {
	if len(e.Cases) == 0 || e.Op == schedule.Pending {
		return nil
	}
	c := &Choice{Cases: slices.Clone(e.Cases), Taken: int(e.Case)}
	if n := len(c.Cases) - 1; c.Cases[n].Op == schedule.SelectDefault {
		c.Cases, c.Default = c.Cases[:n], true
	}
	if e.Op == schedule.SelectDefault {
		c.Taken = len(c.Cases)
	}
	return c
}

// A role says what a step is to others.
type role uint8

const (
	alone     role = iota // nothing
	accesses              // memory
	acquires              // a lock
	acquiresR             // a lock, for reading
	releases
	releasesR
	talks // to others, by something whose order is kept as package dependence says
)

// roleOf returns the role of an event and whether it is a step at all.
func roleOf(e *schedule.Event, environment bool) (r role, ok bool) {
	switch e.Op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate:
		if environment {
			return talks, true
		}
		return accesses, true
	case schedule.Lock:
		return acquires, true
	case schedule.RLock:
		return acquiresR, true
	case schedule.Unlock:
		return releases, true
	case schedule.RUnlock:
		return releasesR, true
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.SelectDefault, schedule.LenChan,
		schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake, schedule.CondSignal,
		schedule.SemAcquire, schedule.SemRelease, schedule.Once, schedule.OnceSeen, schedule.TimerSet, schedule.TimerFire:
		return talks, true
	case schedule.Spawn, schedule.Join, schedule.Sleep, schedule.Branch, schedule.Assume, schedule.Choice, schedule.Fail,
		schedule.Call, schedule.VoidCall:
		return alone, true
	}
	return alone, len(e.Depends) > 0
}

// newStep returns an event as a step.
func newStep(e *schedule.Event, r role, stamp ideal.Stamp, ready vectorclock.Clock) Step {
	s := Step{
		Stamp: stamp, role: r, Site: analysis.SiteOf(e), from: e.From, Lock: e.Lock, Select: e.Selects(), Choice: choiceOf(e), Try: e.Try, ready: ready,
		tied: r == talks || r == alone || len(e.Depends) > 0, symbolic: e.Result != 0,
	}
	if e.Op == schedule.WaitGroupAdd {
		s.Added = e.Number
	}
	if r == talks {
		if s.talk = dependence.OperationOf(e); dependence.IsAccess(e.Op) {
			s.talk.Op = schedule.Write // what changes by itself is changed by who looks at it, too
		}
	}
	if r != accesses {
		return s
	}
	s.Kind = access.KindOf(e.Op)
	s.update = e.Op == schedule.AtomicUpdate
	if s.reads() {
		s.read = e.Value
	}
	if s.update {
		s.wrote = schedule.Value{Kind: e.Value.Kind, Bits: e.Wrote}
		s.symbolic = false // whether it has succeeded is not known to depend on what it has read
	} else if s.Kind.IsWrite() {
		s.wrote = e.Value
	}
	return s
}

// Reads reports whether a step reads memory.
func (s *Step) Reads() bool { return s.role == accesses && s.reads() }

// Writes reports whether a step writes memory.
func (s *Step) Writes() bool { return s.role == accesses && s.writes() }

// From returns the Order of the write that a read has seen, -1 if that is not in the schedule.
func (s *Step) From() int64 { return s.from }

// Talks reports whether a step is to others than accesses and locks: it stays in its order with
// those at its cell, or with all of them if it has none, with which it [Step.TalksWith].
func (s *Step) Talks() bool { return s.role == talks }

// TalksWith reports whether two steps that talk depend on each other, if they are at the same cell, or one is at none.
func (s *Step) TalksWith(t *Step) bool { return dependence.Dependent(s.talk, t.talk) }

// TalksLike reports whether the same steps talk with both.
func (s *Step) TalksLike(t *Step) bool { return s.talk == t.talk }

// reads reports whether an access reads.
func (s *Step) reads() bool { return s.update || s.Kind != access.None && !s.Kind.IsWrite() }

// writes reports whether an access writes.
func (s *Step) writes() bool { return s.Kind.IsWrite() }

// SeesOther reports whether two reads have seen different values.
func (s *Step) SeesOther(t *Step) bool {
	return s.read.Kind == t.read.Kind && s.read.Kind != schedule.NoValue && s.read.Bits != t.read.Bits
}

// Before reports whether t, or what it needs, needs s.
func (s *Step) Before(t *Step) bool {
	if s.Goroutine == t.Goroutine {
		return s.Time < t.Time
	}
	return t.Stamp.Needs(s.Epoch)
}

// Follows reports whether s can only be next, or done, when t has been done.
func (s *Step) Follows(t *Step) bool {
	if s.Goroutine == t.Goroutine {
		return t.Time < s.Time
	}
	return t.Epoch.Before(s.ready)
}
