package race

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// A simulation is a detector with the goroutines and objects of a program.
type simulation struct {
	Detector
	threads  []*Thread
	objects  []*Shadow
	races    []Race
	marks    []simulationMark
	owners   bool // accesses of owners of cells are recorded as such
	owned    int  // how many were
	prepared int  // how many of prepared ones
	first    int  // how many of these to an object that had to be saved or was new
	indexed  int  // accesses to objects that were accessed at symbolic indices
}

// A simulationMark is a state of a simulation to go back to, with copies of its threads.
type simulationMark struct {
	Mark
	threads []Thread
	races   int
}

// simulatedSize is the size of the objects: of one all cells are together, of the others some are in pages.
func simulatedSize(object int) int { return []int{maxWhole, maxWhole + 3, maxWhole + 3}[object] }

func newSimulation(owners bool) *simulation {
	s := &simulation{owners: owners}
	s.Found = func(r Race) { s.races = append(s.races, r) }
	s.objects = make([]*Shadow, 3)
	s.begin()
	return s
}

// begin begins another run.
func (s *simulation) begin() {
	s.Begin()
	for fn := range int32(6) {
		s.Context(0, run.SiteID{Func: -1}, fn) // the chains of the accesses
	}
	s.races, s.marks, s.threads = nil, nil, nil
	for slot := range int32(3) {
		t := &Thread{Slot: slot}
		t.Clock.Set(slot, 1)
		s.threads = append(s.threads, t)
	}
}

// shadow returns the shadow of an object.
func (s *simulation) shadow(object int) *Shadow {
	if s.Shadow(s.objects[object]) == nil {
		s.objects[object] = s.NewShadow(s.objects[object], simulatedSize(object), false)
	}
	return s.objects[object]
}

// access is a plain access of a goroutine, as the machine makes it.
func (s *simulation) access(t *Thread, object, off int, now Access, write bool) {
	if s.owners {
		own := s.OwnRead
		if write {
			own = s.OwnWrite
		}
		in := NumberedChain(now.Context())
		if s.ownNear(t, s.objects[object], off, &now, write) || own(t, s.objects[object], off, in, now.instr()) {
			s.prepared++
			return
		}
		if t.Prepared() {
			if s.Shadow(s.objects[object]) == nil {
				s.objects[object] = s.NewOwnedShadow(s.objects[object], simulatedSize(object), t, write)
			}
			if own(t, s.objects[object], off, in, now.instr()) {
				s.first++
				return
			}
		}
		if c := s.Owned(t, s.objects[object], off, write); c != nil {
			s.owned++
			c.Renew(&now, write)
			s.Prepare(t)
			return
		}
	}
	o := s.shadow(object)
	if len(o.Indexed)+len(o.Stored) > 0 {
		s.indexed++
	}
	if write {
		o.Writers.Add(t.Slot)
	} else {
		o.Readers.Add(t.Slot)
	}
	s.Plain(t, &now, o, off, 1, write)
}

// ownNear records an access as the dispatch loop of the machine does, if the cell is near and owned already.
func (s *simulation) ownNear(t *Thread, o *Shadow, off int, now *Access, write bool) bool {
	if !s.Knows(o) || !o.Near(off) || now.Context() == 0 {
		return false
	}
	c, in := o.NearCell(off), NumberedChain(now.Context())
	if write {
		return c.OwnedForWrite(t) && c.Rewrite(t, in, now.instr()) && c.Unread()
	}
	return c.OwnedForRead(t) && c.Reread(t, in, now.instr())
}

// step does one of many things, by random numbers. Most are accesses of the same few goroutines to
// the same few cells.
func (s *simulation) step(r *rand.Rand, n int) {
	t := s.threads[r.IntN(len(s.threads))]
	object := r.IntN(len(s.objects))
	off := []int{0, 1, simulatedSize(object) - 2}[r.IntN(3)]
	now := t.Access(NumberedChain(int32(n%7)), int32(n))
	switch what := r.IntN(100); {
	case what < 60:
		for range 1 + r.IntN(4) {
			s.access(t, object, off, now, r.IntN(2) == 0)
		}
	case what < 80: // one after the other
		from, write := r.IntN(4), r.IntN(2) == 0
		for off := from; off < from+1+r.IntN(20); off++ {
			s.access(t, object, off, now, write)
		}
	case what < 84:
		s.Atomic(t, now, s.Cell(s.shadow(object), 2), what < 82)
	case what < 88:
		t.Release(&s.Sync(s.Cell(s.shadow(0), 3)).Clock)
	case what < 93:
		t.Acquire(&s.Sync(s.Cell(s.shadow(0), 3)).Clock)
	case what < 94:
		s.Use(t, now, s.Cell(s.shadow(object), off))
	case what < 95:
		s.Forget(s.shadow(object))
	case what < 96:
		o := s.shadow(object)
		o.Indexes(now, n%2 == 0)
	case what < 98:
		m := simulationMark{Mark: s.Checkpoint(), races: len(s.races)}
		for _, t := range s.threads {
			t.Unprepare()
			copied := *t
			copied.Clock = Clock{}
			copied.Clock.Assign(&t.Clock)
			m.threads = append(m.threads, copied)
		}
		s.marks = append(s.marks, m)
	case len(s.marks) > 0:
		i := r.IntN(len(s.marks))
		m := &s.marks[i]
		s.Rewind(&m.Mark)
		for k, t := range s.threads {
			*t = m.threads[k]
			t.Clock = Clock{}
			t.Clock.Assign(&m.threads[k].Clock)
		}
		s.races = s.races[:m.races]
		s.marks = s.marks[:i+1]
	case r.IntN(20) == 0:
		s.begin()
	}
}

// history returns all that counts of the histories of the cells.
func (s *simulation) history() []string {
	list := []string{fmt.Sprint(s.Mixed, s.indexed)}
	for i, o := range s.objects {
		if o == nil || o.run != s.run {
			continue
		}
		list = append(list, fmt.Sprint(i, o.Readers, o.Writers, o.Indexed, o.Stored))
		o.EachCell(func(off int, c *Cell) {
			list = append(list, fmt.Sprint(i, off, c.ListsReads()))
			c.EachAccess(func(k run.AccessKind, a *Access) { list = append(list, fmt.Sprint(k, *a)) })
		})
	}
	return list
}

// TestOwner compares a detector that knows who owns cells with one that does not.
func TestOwner(t *testing.T) {
	owned, prepared, first, found := 0, 0, 0, 0
	for seed := range uint64(40) {
		with, without := newSimulation(true), newSimulation(false)
		a, b := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 1))
		for n := range 300 {
			with.step(a, n)
			without.step(b, n)
			if !reflect.DeepEqual(with.races, without.races) {
				t.Fatalf("seed %d, step %d: races %v, want %v", seed, n, with.races, without.races)
			}
			if x, y := with.history(), without.history(); !slices.Equal(x, y) {
				t.Fatalf("seed %d, step %d: histories %q, want %q", seed, n, x, y)
			}
		}
		owned += with.owned
		prepared += with.prepared
		first += with.first
		found += len(with.races)
	}
	if owned == 0 || prepared == 0 || first == 0 || found == 0 {
		t.Errorf("%d accesses of owners, %d of prepared ones, %d the first, and %d races", owned, prepared, first, found)
	}
}
