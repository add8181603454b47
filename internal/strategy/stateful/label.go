package stateful

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A who names a thread: a goroutine, or one of the timers that a goroutine has set.
type who struct {
	goroutine int32 // -1 for a timer
	creator   int32 // of the timer; -1 for the passing of time
	timer     int32 // number of timers that creator had set before
}

// whoTakes returns the thread of which t is a step.
func whoTakes(t *run.Transition) who {
	if t.Goroutine < 0 {
		return who{-1, int32(t.Delta), t.Timer()}
	}
	return who{goroutine: t.Goroutine}
}

// A label is a step that a thread may take, as far as it says with which steps of others it may
// conflict. It does not say what the step finds: that may be something else in another order.
type label = run.Transition

// A labelKey identifies a label.
type labelKey struct {
	who            who
	op             schedule.Op
	at, from       run.Range
	bubble, queue  run.ObjectID
	state, delta   int64
	waits          run.Waiting
	selects, spins bool
	polls, enabled bool
	commutes       bool
	queued         bool
	awaits         string
}

// labelOf returns the label of t. The result is false if that conflicts with nothing that other
// labels of the thread do not conflict with, too.
func labelOf(t *run.Transition) (label, bool) {
	if t.Op == schedule.SelectDefault {
		return label{}, false // there is a label for each case
	}
	l := *t
	l.State = 0
	switch t.Op {
	case schedule.AtomicRead, schedule.AtomicUpdate:
		l.Delta = 0 // may be an address
		if t.Compares {
			l.Op = schedule.AtomicUpdate
		}
	case schedule.Close:
		l.State = min(t.State, 0) // whether it has been closed before
	case schedule.WaitGroupAdd:
		if t.Commutes {
			break
		}
		if l.State = t.State; t.Delta == -1 {
			l.State = min(t.State, manyLeft)
		}
	}
	if t.Goroutine >= 0 {
		l.Alt = 0
	} else {
		l.Alt = t.Timer()
	}
	l.Partner, l.Site = -1, run.NoSite
	l.Contingent, l.Compares = false, false
	l.Enabled = t.Enabled && (t.Op == schedule.Send || t.Op == schedule.Recv) // which matters in missesDefault
	return l, true
}

// manyLeft is a counter of a wait group that is high enough for two Dones.
const manyLeft = 3

// labels numbers labels.
type labels struct {
	numbers map[labelKey]int
	all     []label // by number
}

// number returns the number of l.
func (ls *labels) number(l *label) int {
	key := labelKey{
		who: whoTakes(l), op: l.Op, at: run.Range{Object: l.Object, Offset: l.Offset, Cells: l.Cells}, from: l.From,
		bubble: l.Bubble, queue: l.Queue, state: l.State, delta: l.Delta, waits: l.Waits,
		selects: l.Select, polls: l.Default, spins: l.Spins, commutes: l.Commutes, queued: l.Queued, enabled: l.Enabled,
	}
	if len(l.Awaits) > 0 {
		key.awaits = fmt.Sprint(l.Awaits)
	}
	n, ok := ls.numbers[key]
	if !ok {
		n = len(ls.all)
		ls.numbers[key] = n
		ls.all = append(ls.all, *l)
		ls.all[n].Awaits = slices.Clone(l.Awaits)
	}
	return n
}

// conflict reports whether the order of two steps of different threads may matter, of which that
// with label a has been taken before that with label b.
func conflict(a, b *label) bool {
	switch {
	case isQuiescent(a) || isQuiescent(b) || enables(a, b):
		return false // they have only one order
	case run.Dependent(a, b):
		return true
	}
	if a.Op == schedule.RecvClosed && b.Op == schedule.RecvClosed {
		return false // the channel is as before; what a select could do instead has labels of its own
	}
	// What a select does depends on all its channels.
	return (a.Select || b.Select) && a.Object == b.Object && a.Object != run.NoObject
}

// isQuiescent reports whether l is possible only when nothing else is, outside of bubbles or in
// one of them. No step can be moved from before it to after it or the other way round.
func isQuiescent(l *label) bool {
	return l.Op == schedule.TimePass || l.Op == schedule.BubbleIdle
}

// enables reports whether a step with label b is never possible before one with label a, although
// it is after it: who holds a lock has to unlock it first, the zero value is received from a
// channel when it has been closed (for the first time: a second close is a panic), that of a timer,
// on which nobody else sends, has something only when it has fired, and a wait group waits for all
// Dones. (Whether a TryLock fails is up to other labels of the thread.) A select may find something
// else before: the default case, or another select, which it cannot meet when both have a case that
// is ready.
func enables(a, b *label) bool {
	if a.Object != b.Object || a.Offset != b.Offset || b.Select {
		return false
	}
	switch a.Op {
	case schedule.TimerFire:
		return b.Op == schedule.Recv
	case schedule.Unlock:
		switch b.Op {
		case schedule.RLock:
			return true
		case schedule.Lock:
			kind := run.LockKind(b.Delta & (1<<run.LockKindBits - 1))
			return kind != run.LockMonitor
		}
	case schedule.RUnlock:
		return b.Op == schedule.Lock && run.LockKind(b.Delta&(1<<run.LockKindBits-1)) == run.LockRWAnnounced
	case schedule.Close:
		return a.State >= 0 && b.Op == schedule.RecvClosed
	case schedule.WaitGroupAdd:
		return a.Delta < 0 && (a.Commutes || a.State+a.Delta >= 0) && b.Op == schedule.WaitGroupWait
	}
	return false
}

// isWide reports whether l may conflict with labels of other objects.
func isWide(l *label) bool {
	switch l.Op {
	case schedule.CondSignal, schedule.TimePass, schedule.BubbleIdle, schedule.NoOp:
		return true
	}
	return l.Queue != run.ObjectID{} || l.From.Cells > 0 || len(l.Awaits) > 0 || l.Object == run.GoroutinesObject
}
