package state

import (
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// TakeFor is Take for that of the goroutines that begin in the middle of functions which has a
// number, from 0 on, whether it has been started or will be.
func (m *State) TakeFor(number int, l heap.Location, read, inherited bool) bool {
	main := m.Goroutines[0]
	i := slices.IndexFunc(m.Goroutines, func(g *Goroutine) bool { return g.ID > 0 && g.Middle == number+1 })
	if i < 0 {
		m.Preserve(main)
		n := len(main.Taken)
		if !m.Take(main, l, read, inherited) {
			return false
		}
		main.Taken[n].For = number + 1
		return true
	}
	child := m.Goroutines[i]
	m.Preserve(child)
	taken := main.Taken
	ok := m.Take(main, l, read, inherited)
	if ok {
		m.holds(child, main.Taken[len(taken)])
	}
	main.Taken = taken
	return ok
}

// Take makes the goroutine that g is preparing, the next one that it starts, hold a lock once more.
// It returns false if that cannot be, since the lock is held otherwise: by one writer, or by
// readers.
func (m *State) Take(g *Goroutine, l heap.Location, read, inherited bool) bool {
	before := l.Load()
	i := Inherited{At: l, Readers: read}
	switch {
	case read:
		if before&run.RWWriter != 0 {
			return false
		}
		m.Heap.Put(l, before+1)
	case before != 0:
		return false
	default:
		i.RWWriter = isRWMutex(l)
		if i.RWWriter {
			m.Heap.Put(l, run.RWWriter|run.RWHeld)
		} else {
			m.Heap.Put(l, 1)
		}
	}
	g.Taken = append(slices.Clip(g.Taken), Taken{Inherited: i, Given: inherited})
	return true
}

// isRWMutex reports whether the lock at a location is an RWMutex.
func isRWMutex(l heap.Location) bool {
	t, off := l.Object.Type, l.Offset
	for t != nil {
		if named, ok := types.Unalias(t.Go).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
			switch named.Obj().Name() {
			case "Mutex":
				return false
			case "RWMutex":
				return true
			}
		}
		switch {
		case t.Shape == code.ShapeArray && t.Elem.Words > 0:
			t, off = t.Elem, off%t.Elem.Words
		case t.Shape == code.ShapeStruct && len(t.Fields) > 0:
			j := len(t.Fields) - 1
			for j > 0 && (t.Fields[j].Offset > off || t.Fields[j].Type.Words == 0) {
				j--
			}
			t, off = t.Fields[j].Type, off-t.Fields[j].Offset
		default:
			return false
		}
	}
	return false
}

// holdTaken makes child hold what has been taken for it.
func (m *State) holdTaken(g, child *Goroutine) {
	var others []Taken
	for _, l := range g.Taken {
		if l.For != 0 && l.For != child.Middle {
			others = append(others, l)
		} else {
			m.holds(child, l)
		}
	}
	g.Taken = others
}

// holds makes g hold a lock that has been taken for it.
func (m *State) holds(g *Goroutine, l Taken) {
	if !l.Readers {
		m.NoteLock(g, l.At)
	}
	if l.Given {
		g.Inherit(l.Inherited)
		m.Inherits = true
	}
}

// Inherit makes g one that has inherited a lock. The list is replaced, so that checkpoints keep theirs.
func (g *Goroutine) Inherit(l Inherited) { g.Inherited = append(slices.Clip(g.Inherited), l) }

// Disinherit notes that g, or another goroutine if g has not inherited it, has unlocked a lock.
func (m *State) Disinherit(g *Goroutine, at heap.Location, readers bool) {
	if !m.Inherits {
		return
	}
	is := func(l Inherited) bool { return l.At == at && l.Readers == readers }
	if !slices.ContainsFunc(g.Inherited, is) {
		i := slices.IndexFunc(m.Live, func(g *Goroutine) bool { return slices.ContainsFunc(g.Inherited, is) })
		if i < 0 {
			return
		}
		g = m.Live[i]
		m.Preserve(g)
	}
	i := slices.IndexFunc(g.Inherited, is)
	g.Inherited = slices.Concat(g.Inherited[:i], g.Inherited[i+1:])
}

// InheritedLocks returns the places of the locks that g has inherited.
func (g *Goroutine) InheritedLocks() []race.Lock {
	var list []race.Lock
	for _, l := range g.Inherited {
		list = append(list, lockAt(l.At))
	}
	return list
}
