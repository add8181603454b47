package concurrency

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Locks, wait groups, condition variables and semaphores. Each of them is a cell of the
// program's memory, whose address the models in golib pass to the primitives. Their whole
// state is in that cell and in the goroutines that are parked at an operation on it.

// operationOn returns the transition of operation op on a cell.
func operationOn(l heap.Location, op schedule.Op, enabled bool) run.Transition {
	return run.Transition{
		Op: op, Object: l.Object.ID, Offset: int32(l.Offset), Cells: 1, Partner: -1,
		State: int64(l.Load()), Enabled: enabled,
	}
}

// appendOperation appends the transition that operationOn returns.
func appendOperation(to []run.Transition, l heap.Location, op schedule.Op, enabled bool) []run.Transition {
	// Transitions are large: set this one in place.
	n := len(to)
	if n == cap(to) {
		return append(to, operationOn(l, op, enabled))
	}
	to = to[:n+1]
	t := &to[n]
	*t = run.Transition{}
	t.Op, t.Object, t.Offset, t.Cells, t.Partner = op, l.Object.ID, int32(l.Offset), 1, -1
	t.State, t.Enabled = int64(l.Load()), enabled
	return to
}

// lockOperation returns the transition of a step of kind k that takes a lock.
func lockOperation(l heap.Location, op schedule.Op, k run.LockKind, enabled bool) run.Transition {
	t := operationOn(l, op, enabled)
	t.Delta = int64(k)
	return t
}

// record records operation op of c's goroutine on a cell. It returns the cell's history,
// in which the operation leaves its clock or finds those of others. Plain writes to the
// cell race with the operation, for instance when a lock is overwritten by another.
func record(c *exec.Call, op schedule.Op, l heap.Location) *race.Sync {
	return recordExtra(c, op, l, 0)
}

// recordExtra is record for an event with an Extra.
func recordExtra(c *exec.Call, op schedule.Op, l heap.Location, extra int32) *race.Sync {
	return recordEvent(c, l, run.Event{Op: op, Extra: extra})
}

// recordTaken is record for an operation that has taken a lock, of kind k, which was tried or waited for.
func recordTaken(c *exec.Call, op schedule.Op, l heap.Location, k run.LockKind, try bool) *race.Sync {
	return recordEvent(c, l, run.Event{Op: op, Extra: int32(k), Try: try})
}

// recordEvent is record for an event of which the cell is still missing.
func recordEvent(c *exec.Call, l heap.Location, e run.Event) *race.Sync {
	c.Goroutine.Started = nil
	s := c.Machine.TouchSync(c.Goroutine, l)
	if !c.Machine.SkipEvent(c.Goroutine) {
		e.Object, e.Offset = l.Object.ID, int32(l.Offset)
		c.Machine.Record(c.Goroutine, e)
	}
	return s
}

// failMisuse ends the run because a primitive was used in a way that is a fatal error in
// Go.
func failMisuse(c *exec.Call, l heap.Location, message string) {
	record(c, schedule.Fail, l)
	c.Machine.Fatal(c.Goroutine, message)
}

// syncPrimitives returns the primitives of package sync, of the monitors of package net,
// and of the runtime's semaphores.
func syncPrimitives() []exec.Primitive {
	list := []exec.Primitive{
		{
			Name:      "sync.mutexLock",
			DependsOn: state.OnCell,
			Learns:    true,
			Awaits:    true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return appendOperation(to, l, schedule.Lock, l.Load() == 0)
			},
			Run: func(c *exec.Call) { lockMutex(c, c.CellAt(0), false) },
		},
		{
			Name:        "sync.mutexTryLock",
			DependsOn:   state.OnCell,
			MayOnlyRead: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return tryTransitions(to, operationOn(l, schedule.Lock, true), math.MaxInt64)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				free := l.Load() == 0
				if free {
					lockMutex(c, l, true)
				} else {
					tryFail(c, l, math.MaxInt64)
				}
				c.SetBool(0, free)
			},
		},
		{
			Name:        "sync.mutexUnlock",
			DependsOn:   state.OnCell,
			Transitions: always(schedule.Unlock),
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				if l.Load() == 0 {
					failMisuse(c, l, "sync: unlock of unlocked mutex")
					return
				}
				c.Machine.Heap.Put(l, 0)
				c.Goroutine.ReleaseOnly(&record(c, schedule.Unlock, l).Clock)
				c.Machine.NoteUnlock(c.Goroutine, l)
				c.Machine.Disinherit(c.Goroutine, l, false)
			},
		},
	}
	list = append(list, rwPrimitives()...)
	list = append(list, waitGroupPrimitives()...)
	list = append(list, condPrimitives()...)
	list = append(list, monitorPrimitives("net")...)
	return append(list, semaphorePrimitives()...)
}

// always returns a function that computes the transition of an operation on the cell of
// the first argument that never has to wait.
func always(op schedule.Op) func(c *exec.Call, to []run.Transition) []run.Transition {
	return func(c *exec.Call, to []run.Transition) []run.Transition {
		return appendOperation(to, c.CellAt(0), op, true)
	}
}

// tryTransitions appends the two outcomes of a TryLock, exactly one of which is enabled:
// to succeed with transition take, or to fail because some bit of busy is set.
func tryTransitions(to []run.Transition, take run.Transition, busy int64) []run.Transition {
	fail := take
	fail.Op, fail.Delta = schedule.TryFail, busy
	fail.Enabled = take.State&busy != 0
	take.Enabled = !fail.Enabled
	return append(to, take, fail)
}

// tryFail carries out a TryLock that fails because some bit of busy is set.
func tryFail(c *exec.Call, l heap.Location, busy uint64) {
	c.Machine.ObserveUntil(c.Goroutine, state.UntilClear, l, code.Uint64, heap.Word{N: busy}, false)
	record(c, schedule.TryFail, l)
}

// lockMutex takes the free mutex l.
func lockMutex(c *exec.Call, l heap.Location, try bool) {
	c.Machine.Heap.Put(l, 1)
	c.Goroutine.Acquire(&recordTaken(c, schedule.Lock, l, run.LockMutex, try).Clock)
	c.Machine.NoteLock(c.Goroutine, l)
}

// rwPrimitives lists the primitives of sync.RWMutex.
func rwPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{
			Name:      "sync.rwLock",
			DependsOn: state.OnCell,
			Awaits:    true, // and what it does when there are readers teaches it nothing
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				s := l.Load()
				if c.Goroutine.Phase > 0 { // the writer has announced itself
					return append(to, lockOperation(l, schedule.Lock, run.LockRWAnnounced, s&run.RWReaders == 0))
				}
				op := schedule.Lock
				if s&run.RWReaders > 0 {
					op = schedule.LockIntent
				}
				return append(to, lockOperation(l, op, run.LockRW, s&run.RWWriter == 0))
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				if s := l.Load(); s&run.RWReaders > 0 {
					c.Machine.Heap.Put(l, s|run.RWWriter)
					record(c, schedule.LockIntent, l)
					c.Again()
					return
				}
				rwLock(c, l, false)
			},
		},
		{
			Name:        "sync.rwTryLock",
			DependsOn:   state.OnCell,
			MayOnlyRead: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return tryTransitions(to, lockOperation(l, schedule.Lock, run.LockRWTry, true), math.MaxInt64)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				free := l.Load() == 0
				if free {
					if c.Machine.Multi {
						c.Machine.Trace.Bounds.Add(run.WritersAtOnce)
					}
					rwLock(c, l, true)
				} else {
					tryFail(c, l, math.MaxInt64)
				}
				c.SetBool(0, free)
			},
		},
		{
			Name:        "sync.rwUnlock",
			DependsOn:   state.OnCell,
			Transitions: always(schedule.Unlock),
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				if l.Load()&run.RWHeld == 0 {
					failMisuse(c, l, "sync: Unlock of unlocked RWMutex")
					return
				}
				c.Machine.Heap.Put(l, 0)
				c.Goroutine.ReleaseOnly(&record(c, schedule.Unlock, l).Clock)
				c.Machine.NoteUnlock(c.Goroutine, l)
				c.Machine.Disinherit(c.Goroutine, l, false)
			},
		},
		{
			Name:      "sync.rwRLock",
			DependsOn: state.OnCell,
			Learns:    true,
			Awaits:    true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return appendOperation(to, l, schedule.RLock, l.Load()&run.RWWriter == 0)
			},
			Run: func(c *exec.Call) { rLock(c, c.CellAt(0), false) },
		},
		{
			Name:        "sync.rwTryRLock",
			DependsOn:   state.OnCell,
			MayOnlyRead: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return tryTransitions(to, operationOn(l, schedule.RLock, true), run.RWWriter)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				free := l.Load()&run.RWWriter == 0
				if free {
					rLock(c, l, true)
				} else {
					tryFail(c, l, run.RWWriter)
				}
				c.SetBool(0, free)
			},
		},
		{
			Name:        "sync.rwRUnlock",
			DependsOn:   state.OnCell,
			Transitions: always(schedule.RUnlock),
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				s := l.Load()
				if s&run.RWReaders == 0 {
					failMisuse(c, l, "sync: RUnlock of unlocked RWMutex")
					return
				}
				c.Machine.Heap.Put(l, s-1)
				c.Goroutine.Release(&record(c, schedule.RUnlock, l).Readers)
				c.Machine.Disinherit(c.Goroutine, l, true)
			},
		},
	}
}

// rwLock takes the RWMutex l, which has no readers, for writing.
func rwLock(c *exec.Call, l heap.Location, try bool) {
	c.Machine.Heap.Put(l, run.RWWriter|run.RWHeld)
	s := recordTaken(c, schedule.Lock, l, run.LockRW, try)
	c.Goroutine.Acquire(&s.Clock)
	c.Goroutine.Acquire(&s.Readers)
	c.Machine.NoteLock(c.Goroutine, l)
}

// rLock takes the RWMutex l, which no writer holds or has announced itself at, for
// reading.
func rLock(c *exec.Call, l heap.Location, try bool) {
	c.Machine.Heap.Put(l, l.Load()+1)
	c.Goroutine.Acquire(&recordTaken(c, schedule.RLock, l, run.LockRW, try).Clock)
}

// maxCommuting bounds what is added in Adds that commute, so that the counter does not overflow.
const maxCommuting = 1 << 20

// waitGroupPrimitives returns the primitives of sync.WaitGroup.
func waitGroupPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{
			Name:      "sync.wgAdd",
			DependsOn: state.OnCell,
			Counts:    true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				to = appendOperation(to, l, schedule.WaitGroupAdd, true)
				t := &to[len(to)-1]
				t.Delta = int64(int32(c.Int(1)))
				t.Commutes = c.Machine.Plan.AddsCommute && c.Goroutine.Bubble == nil && -maxCommuting < t.Delta && t.Delta < maxCommuting
				return to
			},
			Run: func(c *exec.Call) {
				l, delta := c.CellAt(0), c.Int(1)
				if !joinBubble(c, l) {
					return
				}
				before := int64(l.Load())
				after := int64(int32(before + delta)) // the counter has 32 bits
				c.Machine.Heap.Put(l, uint64(after))
				s := c.Machine.TouchSync(c.Goroutine, l)
				if !c.Machine.SkipEvent(c.Goroutine) {
					c.Machine.Record(c.Goroutine, run.Event{
						Op: schedule.WaitGroupAdd, Object: l.Object.ID, Offset: int32(l.Offset),
						Read: uint64(before), Wrote: uint64(after),
					})
				}
				if c.Machine.Plan.AddsCommute {
					if delta > 0 {
						c.Machine.NoteAccess(c.Goroutine, l, run.CountAdd)
					}
					count(c, &s.Count, delta)
				}
				if delta < 0 {
					c.Goroutine.Release(&s.Clock)
				}
				if after < 0 {
					record(c, schedule.Fail, l)
					c.Machine.PanicString(c.Goroutine, "sync: negative WaitGroup counter")
					return
				}
				if before == 0 && delta > 0 && c.Machine.Watching {
					// An Add that raises the counter from zero must be ordered with
					// every Wait that has to wait. Otherwise they race, as they do for
					// the race detector of go test -race.
					now := c.Machine.AccessOf(c.Goroutine)
					c.Machine.NoteAccess(c.Goroutine, l, run.GroupAdd)
					c.Machine.Races.Compare(&c.Goroutine.Thread, &now, s.Waits, true, false)
					s.Adds = race.KeepLatest(s.Adds, &c.Goroutine.Thread, now)
				}
			},
		},
		{
			Name:      sched.GroupWaitName,
			DependsOn: state.OnCell,
			Learns:    true,
			Awaits:    true,
			Counts:    true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return appendOperation(to, l, schedule.WaitGroupWait, l.Load() == 0)
			},
			Run: func(c *exec.Call) {
				l, waited := c.CellAt(0), int32(0)
				if c.Goroutine.Blocked {
					waited = 1
				}
				s := recordExtra(c, schedule.WaitGroupWait, l, waited)
				if c.Machine.Watching {
					// That an Add has come before, and nothing orders it with the Wait, shows
					// that the Wait may have to wait. Whether it had come by then in this
					// run is no matter of the order of steps that conflict.
					now := c.Machine.AccessOf(c.Goroutine)
					c.Machine.NoteAccess(c.Goroutine, l, run.GroupWait)
					c.Machine.Races.Compare(&c.Goroutine.Thread, &now, s.Adds, false, true)
					if c.Goroutine.Blocked {
						s.Waits = race.KeepLatest(s.Waits, &c.Goroutine.Thread, now)
					}
				}
				if c.Machine.Plan.AddsCommute {
					c.Machine.NoteAccess(c.Goroutine, l, run.CountWait)
				}
				if c.Machine.Plan.AddsCommute && !s.Count.Wait(&c.Goroutine.Thread, c.Machine.AccessOf(c.Goroutine)) {
					c.Machine.Trace.AddsMatter = true
				}
				c.Goroutine.Acquire(&s.Clock)
				if b := sched.GroupBubble(l); b.P != nil && b.P == c.Goroutine.Bubble {
					// Other bubbles may use the wait group from now on.
					c.Machine.Heap.Store(l.Object, l.Offset+1, []heap.Word{{}}, nil)
				}
			},
		},
	}
}

// count notes that the goroutine of c adds delta to the counter of a wait group.
func count(c *exec.Call, s *race.Count, delta int64) {
	m, g := c.Machine, c.Goroutine
	next := race.Start{Goroutine: g.ID, Nth: g.Spawns + 1}
	if delta > 0 {
		if !s.Add(&g.Thread, m.AccessOf(g), delta, next) {
			m.Trace.AddsMatter = true
		}
		return
	}
	self := race.Start{Goroutine: m.Names.Parent(g.ID), Nth: m.Names.Place(g.ID)}
	ok, others := s.Done(&g.Thread, -delta, self, next)
	if !ok {
		m.Trace.AddsMatter = true
	}
	m.Races.Mixed = m.Races.Mixed || others
}

// joinBubble associates the wait group l, which c adds to, with the bubble of c's
// goroutine. Wait groups in global variables are not associated with bubbles. If the wait
// group is associated with another bubble already, or is used both inside and outside of
// bubbles, joinBubble ends the run and returns false.
func joinBubble(c *exec.Call, l heap.Location) bool {
	b, has := c.Goroutine.Bubble, sched.GroupBubble(l).P
	switch {
	case has == b, l.Object.ID.Goroutine == run.GlobalObjects:
		return true
	case has != nil && b != nil:
		failMisuse(c, l, "sync: WaitGroup.Add called from multiple synctest bubbles")
	case has != nil, l.Load() != 0:
		failMisuse(c, l, "sync: WaitGroup.Add called from inside and outside synctest bubble")
	default:
		c.Machine.Heap.Store(l.Object, l.Offset+1, []heap.Word{{P: b}}, nil)
		return true
	}
	return false
}

// condPrimitives returns the primitives of sync.Cond. A waiting goroutine first notes
// that it waits (condAdd), then releases the lock, and then waits until it is notified
// (condWait).
func condPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{
			Name:        "sync.condAdd",
			DependsOn:   state.OnCell,
			Transitions: always(schedule.CondWait),
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				c.Goroutine.Cond, c.Goroutine.Notified = l, false
				record(c, schedule.CondWait, l)
			},
		},
		{
			Name:      sched.CondWaitName,
			DependsOn: state.OnNothing,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				return append(to, operationOn(c.CellAt(0), schedule.CondWake, c.Goroutine.Notified))
			},
			Run: func(c *exec.Call) {
				record(c, schedule.CondWake, c.CellAt(0))
				c.Goroutine.Acquire(&c.Goroutine.Wakeup)
				c.Goroutine.Cond, c.Goroutine.Notified = heap.Location{}, false
			},
		},
		{
			Name: "sync.condSignal",
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				n := len(to)
				for _, p := range c.Machine.Live {
					if p.Cond == l && !p.Notified {
						t := operationOn(l, schedule.CondSignal, true)
						t.Alt, t.Partner = run.AltOf(0, p.Slot, 0), p.ID
						to = append(to, t)
					}
				}
				if len(to) == n {
					t := operationOn(l, schedule.CondSignal, true)
					t.Commutes = c.Machine.Plan.AddsCommute // wakes nobody
					to = append(to, t)
				}
				return to
			},
			Run: func(c *exec.Call) {
				slot, _, wakes := run.AltPartner(c.Alt)
				if !wakes {
					record(c, schedule.CondSignal, c.CellAt(0))
					wakesOther(c)
				} else {
					p := c.Machine.Goroutines[slot]
					recordExtra(c, schedule.CondSignal, c.CellAt(0), 1+p.ID)
					notifyWaiter(c, p)
				}
				c.Goroutine.Tick()
			},
		},
		{
			Name: "sync.condBroadcast",
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				t := operationOn(l, schedule.CondSignal, true)
				t.Commutes = c.Machine.Plan.AddsCommute &&
					!slices.ContainsFunc(c.Machine.Live, func(p *state.Goroutine) bool { return p.Cond == l && !p.Notified })
				return append(to, t)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				c.Machine.Record(c.Goroutine, run.Event{Op: schedule.CondSignal, Object: l.Object.ID, Offset: int32(l.Offset), Alt: -1})
				if c.Machine.Uses.Others { // others that have waited do so no longer: how many these were makes no difference
					c.Machine.Heap.Store(l.Object, l.Offset, []heap.Word{{}}, []expr.ID{expr.None})
				}
				for _, p := range c.Machine.Live {
					if p.Cond == l && !p.Notified {
						notifyWaiter(c, p)
					}
				}
				c.Goroutine.Tick()
			},
		},
	}
}

// wakesOther wakes a goroutine that waits for a condition variable and is none of the run's, if
// there is one: whether there is is a branch of the library, as in package runtime.
func wakesOther(c *exec.Call) {
	l := c.CellAt(0)
	s := l.Object.ShadowAt(l.Offset, 1)
	if s == nil || s[0] == expr.None {
		return
	}
	a, n := c.Machine.Arena, l.Load()
	c.Machine.Branch(c.Goroutine, a.Not(a.Eq(s[0], a.Const(0, 32))), n > 0)
	if n > 0 {
		c.Machine.Heap.Store(l.Object, l.Offset, []heap.Word{{N: n - 1}}, []expr.ID{a.Sub(s[0], a.Const(1, 32))})
	}
}

// notifyWaiter notifies p, which waits for a condition variable.
func notifyWaiter(c *exec.Call, p *state.Goroutine) {
	if p.Bubble != nil && p.Bubble != c.Goroutine.Bubble {
		c.Machine.Fatal(c.Goroutine, "semaphore wake of synctest goroutine from outside bubble")
		return
	}
	c.Machine.Preserve(p)
	p.Notified = true
	c.Machine.Reconsider(p)
	p.Wakeup.Assign(&c.Goroutine.Clock)
	c.Machine.Races.NoteReplaced(&p.Wakeup, &c.Goroutine.Clock)
}

// semaphorePrimitives returns the primitives of the runtime's semaphores, which the locks
// of package internal/poll use.
func semaphorePrimitives() []exec.Primitive {
	return []exec.Primitive{
		{
			Name:      "runtime.semacquire",
			DependsOn: state.OnCell,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l := c.CellAt(0)
				return appendOperation(to, l, schedule.SemAcquire, l.Load() > 0)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				c.Machine.Heap.Put(l, l.Load()-1)
				c.Goroutine.Acquire(&record(c, schedule.SemAcquire, l).Clock)
			},
		},
		{
			Name:        "runtime.semrelease",
			DependsOn:   state.OnCell,
			Transitions: always(schedule.SemRelease),
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				c.Machine.Heap.Put(l, l.Load()+1)
				c.Goroutine.Release(&record(c, schedule.SemRelease, l).Clock)
			},
		},
	}
}

// monitorPrimitives returns the primitives of monitors, which are locks that the model of
// package pkg takes on a condition. Waiting for the condition and taking the lock are one
// step, since it makes no difference whether a goroutine had to wait.
func monitorPrimitives(pkg string) []exec.Primitive {
	return []exec.Primitive{
		{
			Name:      pkg + ".lockWhen",
			DependsOn: state.OnCell,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				l, conditions := c.CellAt(0), c.Int(1)
				t := lockOperation(l, schedule.Lock, run.LockMonitor, run.MonitorFree(int64(l.Load()), conditions))
				t.Delta += conditions << run.LockKindBits
				return append(to, t)
			},
			Run: func(c *exec.Call) {
				l := c.CellAt(0)
				c.Machine.Heap.Put(l, l.Load()|run.MonitorHeld)
				c.Goroutine.Acquire(&recordExtra(c, schedule.Lock, l, int32(run.LockMonitor)).Clock)
			},
		},
		{
			Name:      pkg + ".unlock",
			DependsOn: state.OnCell,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				to = appendOperation(to, c.CellAt(0), schedule.Unlock, true)
				to[len(to)-1].Delta = c.Int(1)
				return to
			},
			Run: func(c *exec.Call) {
				l, conditions := c.CellAt(0), uint64(c.Int(1))
				c.Machine.Heap.Put(l, conditions)
				c.Goroutine.ReleaseOnly(&record(c, schedule.Unlock, l).Clock)
				c.Machine.NoteUnlock(c.Goroutine, l)
			},
		},
	}
}
