package schedule

import "fmt"

// A numbering knows what numbers come next: goroutines, objects and values are numbered in
// the order of the events that begin or define them, so that the binary encoding has not to
// say the numbers.
type numbering struct {
	goroutine GoroutineID
	object    ObjectID
	local     Local
	index     []int64 // next one in each goroutine; that of Timers comes first
}

// Bounds of a schedule. More are refused, since what follows a schedule needs memory for each
// of them.
const (
	maxGoroutines = 1 << 22
	maxObjects    = 1<<31 - 1
	maxLocals     = 1<<31 - 1
	maxList       = 1 << 16
	maxOffset     = 1 << 61 // and the least is its negative
)

func newNumbering() numbering { return numbering{goroutine: 1, object: 1, local: 1} }

// indexOf returns the place at which the index of the next event of a goroutine is.
func (n *numbering) indexOf(g GoroutineID) *int64 {
	if int(g)+1 >= len(n.index) {
		n.index = append(n.index, make([]int64, int(g)+2-len(n.index))...)
	}
	return &n.index[g+1]
}

// follow checks that e has the numbers that come next, and counts them.
func (n *numbering) follow(e *Event) error {
	if e.Goroutine < Timers || e.Goroutine >= maxGoroutines {
		return fmt.Errorf("goroutine g%d: there are at most %d goroutines", e.Goroutine, maxGoroutines)
	}
	if at := n.indexOf(e.Goroutine); *at != e.Index {
		return fmt.Errorf("event %d of %s comes after event %d of it", e.Index, goroutineName(e.Goroutine), *at-1)
	} else {
		*at++
	}
	if err := n.uses(e); err != nil {
		return err
	}
	if e.Result == 0 && !starts[e.Op] {
		return nil
	}
	return n.define(e)
}

// starts holds the operations that introduce an object or start a goroutine.
var starts = [NumOps]bool{New: true, Spawn: true, TimerFire: true}

// uses checks that the values that e uses have been defined before.
func (n *numbering) uses(e *Event) error {
	if optional[e.Op]&leftBit != 0 && !n.defined(e.Left) {
		return undefined(e.Left)
	}
	if (e.Op == Binary || e.Op == AtomicUpdate) && !n.defined(e.Right) {
		return undefined(e.Right)
	}
	if len(e.List)+len(e.Depends) == 0 {
		return nil
	}
	for _, list := range [...][]Local{e.List, e.Depends} {
		for _, l := range list {
			if !n.defined(l) {
				return undefined(l)
			}
		}
	}
	return nil
}

func (n *numbering) defined(l Local) bool { return l >= 0 && l < n.local }

func undefined(l Local) error { return fmt.Errorf("value v%d is used before it is defined", l) }

// define checks that what e begins or defines has the number that comes next, and counts it.
func (n *numbering) define(e *Event) error {
	switch e.Op {
	case New:
		if e.Object != n.object {
			return fmt.Errorf("new object o%d: the next one is o%d", e.Object, n.object)
		}
		if n.object == maxObjects {
			return fmt.Errorf("more than %d objects", maxObjects)
		}
		n.object++
	case Spawn, TimerFire:
		if e.Op == TimerFire && e.Child == NoGoroutine {
			break
		}
		if e.Child != n.goroutine {
			return fmt.Errorf("new goroutine g%d: the next one is g%d", e.Child, n.goroutine)
		}
		if n.goroutine == maxGoroutines-1 {
			return fmt.Errorf("more than %d goroutines", maxGoroutines)
		}
		n.goroutine++
	}
	if e.Result != 0 && optional[e.Op]&resultBit != 0 {
		if e.Result != n.local {
			return fmt.Errorf("new value v%d: the next one is v%d", e.Result, n.local)
		}
		if n.local == maxLocals {
			return fmt.Errorf("more than %d values", maxLocals)
		}
		n.local++
	}
	return nil
}

// goroutineName returns the name of a goroutine in the text.
func goroutineName(g GoroutineID) string {
	if g == Timers {
		return timerWord
	}
	return fmt.Sprintf("g%d", g)
}
