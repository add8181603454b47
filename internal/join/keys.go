package join

import "github.com/everyway-go/everyway/schedule"

// A key is something that goroutines share: a cell, or a channel or timer. It depends only on what was
// done with it before whether an operation on it is possible.
type key struct {
	cell   schedule.Cell
	kind   keyKind
	shared bool // several threads use it
	// exact is set for memory of which all values are known, and of one kind, so that a read sees the last write.
	exact bool
	lock  lockUse
	reads bool  // its length is asked for
	gets  int32 // the thread that receives from it; -1 for none, -2 if there are several
	timer bool

	now    int32   // tally of the value in memory that is exact, -1 if it is not known
	first  int32   // tally of the value that is there at first, as far as reads that no write explains show; -1 if they do not
	level  int32   // of a semaphore: releases less acquisitions; of a channel: values in it
	raised int32   // Adds of a wait group that raise its counter, so far
	added  int64   // to a wait group by all events together
	asked  int32   // waits for the wait group that are left
	waits  []int32 // by goroutine, at a condition: how many of its waits are left; nil if there are none
	sleeps int32   // goroutines with waits left
}

// A keyKind says what a key is used for.
type keyKind uint8

const (
	otherKey keyKind = iota
	memoryKey
	lockKey
	channelKey
	mixedKey
)

// A lockUse says who releases a lock.
type lockUse uint8

const (
	noLock     lockUse = iota // it is no lock, or reentrant, or readers release what others have taken
	ownLock                   // those who have taken it, and they do not take it twice
	handedLock                // whoever does
)

// kindOf returns what an operation uses its object for, and whether it has a key.
func kindOf(op schedule.Op) (keyKind, bool) {
	switch op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate:
		return memoryKey, true
	case schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.TryFail, schedule.LockIntent:
		return lockKey, true
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.LenChan, schedule.TimerSet, schedule.TimerFire:
		return channelKey, true
	case schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake, schedule.CondSignal,
		schedule.SemAcquire, schedule.SemRelease, schedule.Once, schedule.OnceSeen:
		return otherKey, true
	}
	return otherKey, false
}

// A tally counts what is to be done with one value in a cell.
type tally struct {
	key    int32
	bits   uint64
	demand int32 // threads whose next operation on the cell reads the value
	supply int32 // writes of the value that are not done
	writes int32 // all writes of the value
}

// none stands for no key, event or value.
const none = -1

// uses says what each event uses.
type uses struct {
	keys    []key
	of      []int32 // by event: its key, or none
	next    []int32 // by event: the next one of its thread with its key, or none
	tallies []tally
	read    []int32 // by event: the tally of the value that it reads in exact memory, or none
	wrote   []int32 // by event: likewise, of what it writes
}

// newUses finds what each event uses.
func newUses(t *Traces) *uses {
	n := len(t.events)
	u := &uses{of: make([]int32, n), next: make([]int32, n), read: make([]int32, n), wrote: make([]int32, n)}
	u.findKeys(t)
	u.findLocks(t)
	u.findValues(t)
	return u
}

// findKeys gives each event its key.
func (u *uses) findKeys(t *Traces) {
	number := map[schedule.Cell]int32{}
	var by, kinds []int32 // by key
	for i := range t.events {
		e := &t.events[i]
		u.of[i], u.next[i], u.read[i], u.wrote[i] = none, none, none, none
		kind, ok := kindOf(e.Op)
		if !ok {
			continue
		}
		k, known := number[e.Cell()]
		if !known {
			k = int32(len(u.keys))
			number[e.Cell()] = k
			u.keys = append(u.keys, key{cell: e.Cell(), kind: kind, exact: kind == memoryKey, gets: -1, now: none, first: none})
			by, kinds = append(by, int32(e.Goroutine)), append(kinds, none)
		}
		u.of[i] = k
		at := &u.keys[k]
		at.shared = at.shared || by[k] != int32(e.Goroutine)
		if at.kind != kind {
			at.kind, at.exact = mixedKey, false
		}
		u.describe(at, e, &kinds[k])
	}
	for _, th := range t.threads {
		last := map[int32]int32{}
		for _, i := range th.events {
			if k := u.of[i]; k != none {
				if before, ok := last[k]; ok {
					u.next[before] = i
				}
				last[k] = i
			}
		}
	}
}

// describe notes what an event tells of its key. The kind of the values in a cell is kept in valueKind.
func (u *uses) describe(k *key, e *schedule.Event, valueKind *int32) {
	switch e.Op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate:
		if *valueKind == none {
			*valueKind = int32(e.Value.Kind)
		}
		if e.Value.Kind == schedule.NoValue || *valueKind != int32(e.Value.Kind) {
			k.exact = false
		}
	case schedule.Recv, schedule.RecvClosed:
		if thread := int32(e.Goroutine); k.gets != thread {
			if k.gets == -1 {
				k.gets = thread
			} else {
				k.gets = -2
			}
		}
	case schedule.LenChan:
		k.reads = true
	case schedule.WaitGroupAdd:
		k.added += e.Number
	case schedule.WaitGroupWait:
		k.asked++
	case schedule.TimerSet, schedule.TimerFire:
		k.timer = true
	case schedule.CondWait:
		for len(k.waits) <= int(e.Goroutine) {
			k.waits = append(k.waits, 0)
		}
		if k.waits[e.Goroutine]++; k.waits[e.Goroutine] == 1 {
			k.sleeps++
		}
	}
}

// findLocks finds out who releases locks.
func (u *uses) findLocks(t *Traces) {
	for i := range u.keys {
		if u.keys[i].kind == lockKey {
			u.keys[i].lock = ownLock
		}
	}
	for _, th := range t.threads {
		held := map[int32]schedule.Op{} // by key: how it has been taken
		for _, i := range th.events {
			k := u.of[i]
			if k == none || u.keys[k].lock == noLock {
				continue
			}
			e := &t.events[i]
			switch {
			case e.Op == schedule.Lock && e.Lock == schedule.Reentrant, e.Op == schedule.RLock && held[k] == schedule.RLock, e.Op == schedule.RUnlock && held[k] != schedule.RLock:
				u.keys[k].lock = noLock
			case (e.Op == schedule.Lock || e.Op == schedule.RLock) &&
				held[k] != schedule.NoOp, e.Op == schedule.Unlock && held[k] != schedule.Lock:
				u.keys[k].lock = handedLock
			}
			switch {
			case e.Op == schedule.Lock && held[k] != schedule.RLock, e.Op == schedule.RLock:
				held[k] = e.Op
			case e.Op == schedule.Unlock && held[k] == schedule.Lock, e.Op == schedule.RUnlock:
				delete(held, k)
			}
		}
	}
}

// findValues finds what values are read and written in memory.
func (u *uses) findValues(t *Traces) {
	type value struct {
		key  int32
		bits uint64
	}
	number := map[value]int32{}
	tallyOf := func(k int32, bits uint64) int32 {
		n, ok := number[value{k, bits}]
		if !ok {
			n = int32(len(u.tallies))
			number[value{k, bits}] = n
			u.tallies = append(u.tallies, tally{key: k, bits: bits})
		}
		return n
	}
	for i := range t.events {
		k := u.of[i]
		if k == none || !u.keys[k].exact || !u.keys[k].shared {
			continue
		}
		e := &t.events[i]
		switch e.Op {
		case schedule.Read, schedule.AtomicRead, schedule.AtomicUpdate:
			u.read[i] = tallyOf(k, e.Value.Bits)
		}
		wrote := e.Value.Bits
		switch e.Op {
		case schedule.AtomicUpdate:
			wrote = e.Wrote
			fallthrough
		case schedule.Write, schedule.AtomicWrite:
			n := tallyOf(k, wrote)
			u.wrote[i] = n
			u.tallies[n].supply++
			u.tallies[n].writes++
		}
	}
	for _, th := range t.threads {
		seen := map[int32]bool{}
		for _, i := range th.events {
			if k := u.of[i]; k != none && !seen[k] {
				seen[k] = true
				if r := u.read[i]; r != none {
					u.tallies[r].demand++
				}
			}
		}
	}
	for i := range t.events {
		if r := u.read[i]; r != none && u.tallies[r].writes == 0 && u.keys[u.tallies[r].key].first == none {
			u.keys[u.tallies[r].key].first = r
		}
	}
}

// explain checks that each value that is read can have been there: that an event writes it, or that
// it can have been there at first. It is an error if that is not so.
func (u *uses) explain(t *Traces) error {
	for i := range t.events {
		r := u.read[i]
		if r == none || u.tallies[r].writes > 0 {
			continue
		}
		e, k := &t.events[i], &u.keys[u.tallies[r].key]
		if k.first != r {
			return t.wrong(int32(i), "nobody writes %v to %s, and it cannot have been there at first: another event has read another value that nobody writes", e.Value, t.cellName(e.Cell()))
		}
	}
	for _, th := range t.threads {
		last := map[int32]int32{} // by key: the tally of what the thread has left there or seen
		for _, i := range th.events {
			k := u.of[i]
			if r := u.read[i]; r != none && u.tallies[r].writes == 0 {
				if before, ok := last[k]; ok && before != r {
					return t.wrong(i, "nobody writes %v to %s, in which its goroutine has read or written another value before", t.events[i].Value, t.cellName(t.events[i].Cell()))
				}
			}
			if r := u.read[i]; r != none {
				last[k] = r
			}
			if w := u.wrote[i]; w != none {
				last[k] = w
			}
		}
	}
	return nil
}
