package race

import (
	"fmt"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// TestLoads reads a cell by one thread and changes it by another, in both orders, with an edge
// between the two and without.
func TestLoads(t *testing.T) {
	site := run.SiteID{Func: 7, Instr: 1}
	for _, tt := range []struct {
		name    string
		change  func(d *Detector, t *Thread, c *Cell)
		races   bool // with a hidden read that nothing orders with it
		unknown bool // a read that comes later has something to learn, also from what has not been written by package sync/atomic
	}{
		{"store", func(d *Detector, t *Thread, c *Cell) { d.Atomic(t, t.Access(0, 2), c, true) }, false, true},
		{"load", func(d *Detector, t *Thread, c *Cell) { d.Atomic(t, t.Access(0, 2), c, false) }, false, false},
		{"lock", func(d *Detector, t *Thread, c *Cell) { d.Use(t, t.Access(0, 2), c) }, false, true},
		{"release", func(d *Detector, t *Thread, c *Cell) { t.Release(&d.Sync(c).Clock) }, false, true},
		{"write", func(d *Detector, t *Thread, c *Cell) {
			now := t.Access(0, 2)
			d.plainWrite(t, &now, c)
		}, true, true},
		{"read", func(d *Detector, t *Thread, c *Cell) {
			now := t.Access(0, 2)
			d.plainRead(t, &now, c)
		}, false, false},
	} {
		eachEncounter(func(e *encounter) {
			d, c := e.d, e.c
			read := func(reader *Thread) {
				if e.watched {
					d.WatchRead(reader, reader.Access(0, 1), site, c)
					return
				}
				if got, want := d.HideRead(reader, reader.Access(0, 1), site, c), e.first || e.ordered || !tt.unknown; got != want {
					t.Errorf("%s, %v: the read is ordered %v, want %v", tt.name, e, got, want)
				}
				d.HiddenRead(reader, reader.Access(0, 1), c)
			}
			mark := e.carryOut(read, func(changer *Thread) { tt.change(d, changer, c) })
			shows := tt.unknown && !e.ordered && !(e.first && tt.name == "release")
			if got := slices.Contains(d.Shown, site); got != shows {
				t.Errorf("%s, %v: the read is noted %v, want %v", tt.name, e, got, shows)
			}
			if quiet := e.watched && !shows; d.HasQuiet() != quiet {
				t.Errorf("%s, %v: quiet reads %v, want %v", tt.name, e, d.HasQuiet(), quiet)
			}
			if races := tt.races && !e.ordered && !e.watched; races != (e.races == 1) || e.races > 1 {
				t.Errorf("%s, %v: %d races", tt.name, e, e.races)
			}
			d.Rewind(&mark)
			if len(d.Shown) > 0 || d.HasQuiet() != (e.watched && e.first) {
				t.Errorf("%s, %v: after going back reads %v are noted", tt.name, e, d.Shown)
			}
		})
	}
}

// An encounter is two threads that use a cell, the first one by an operation that is hidden or watched.
type encounter struct {
	watched, first, ordered bool // the operation of the first thread is watched; it comes first; happens-before orders the two
	d                       *Detector
	c                       *Cell
	races                   int
}

// eachEncounter calls do for each way in which two threads can encounter each other.
func eachEncounter(do func(e *encounter)) {
	for _, watched := range []bool{false, true} {
		for _, first := range []bool{false, true} {
			for _, ordered := range []bool{false, true} {
				e := &encounter{watched: watched, first: first, ordered: ordered}
				e.d = &Detector{Found: func(Race) { e.races++ }}
				e.d.Begin()
				e.c = e.d.Cell(e.d.NewShadow(nil, 1, false), 0)
				do(e)
			}
		}
	}
}

func (e *encounter) String() string {
	return fmt.Sprintf("watched %v, first %v, ordered %v", e.watched, e.first, e.ordered)
}

// carryOut has the threads do what they do. It returns a mark between the two.
func (e *encounter) carryOut(one, other func(t *Thread)) Mark {
	from, to := &Thread{Slot: 0}, &Thread{Slot: 1}
	from.Clock.Set(0, 1)
	to.Clock.Set(1, 1)
	if !e.first {
		from, to, one, other = to, from, other, one
	}
	one(from)
	if e.ordered {
		var between Clock
		from.Release(&between)
		to.Acquire(&between)
	}
	mark := e.d.Checkpoint()
	other(to)
	return mark
}

// TestAdditions adds to a cell by one thread and accesses it by another, in both orders, with an
// edge between the two and without.
func TestAdditions(t *testing.T) {
	site, other := run.SiteID{Func: 7, Instr: 1}, run.SiteID{Func: 7, Instr: 2}
	for _, tt := range []struct {
		name   string
		access func(d *Detector, t *Thread, c *Cell)
		races  bool // with a hidden addition that nothing orders with it
		counts bool // whether the two are ordered
	}{
		{"load", func(d *Detector, t *Thread, c *Cell) {
			d.BeforeAtomic(t, c)
			t.Acquire(&d.Sync(c).Clock)
			d.Atomic(t, t.Access(0, 2), c, false)
		}, false, true},
		{"store", func(d *Detector, t *Thread, c *Cell) {
			d.BeforeAtomic(t, c)
			d.Atomic(t, t.Access(0, 2), c, true)
		}, false, true},
		{"hidden load", func(d *Detector, t *Thread, c *Cell) { d.HideRead(t, t.Access(0, 2), other, c) }, false, true},
		{"add", func(d *Detector, t *Thread, c *Cell) { d.Add(t, t.Access(0, 2), c) }, false, false},
		{"hidden add", func(d *Detector, t *Thread, c *Cell) { d.HiddenAdd(t, t.Access(0, 2), other, c) }, false, false},
		{"lock", func(d *Detector, t *Thread, c *Cell) { d.Use(t, t.Access(0, 2), c) }, false, true},
		{"write", func(d *Detector, t *Thread, c *Cell) {
			now := t.Access(0, 2)
			d.plainWrite(t, &now, c)
		}, true, true},
		{"read", func(d *Detector, t *Thread, c *Cell) {
			now := t.Access(0, 2)
			d.plainRead(t, &now, c)
		}, true, true},
	} {
		eachEncounter(func(e *encounter) {
			d, c := e.d, e.c
			e.carryOut(func(adder *Thread) {
				if e.watched {
					d.WatchAdd(adder, adder.Access(0, 1), site, c)
					d.Add(adder, adder.Access(0, 1), c)
				} else {
					d.HiddenAdd(adder, adder.Access(0, 1), site, c)
				}
				adder.Release(&d.Sync(c).Clock)
			}, func(accessor *Thread) { tt.access(d, accessor, c) })
			if got, want := slices.Contains(d.Shown, site), tt.counts && !e.ordered; got != want {
				t.Errorf("%s, %v: the addition is noted %v, want %v", tt.name, e, got, want)
			}
			if races := tt.races && !e.ordered; races != (e.races == 1) || e.races > 1 {
				t.Errorf("%s, %v: %d races", tt.name, e, e.races)
			}
		})
	}
}

// TestLearningLoad reads what has been stored after a plain write: with what the reader learns of
// the store, it knows of the write.
func TestLearningLoad(t *testing.T) {
	for _, learns := range []bool{false, true} {
		found := 0
		d := &Detector{Found: func(Race) { found++ }}
		d.Begin()
		reader, writer := &Thread{Slot: 0}, &Thread{Slot: 1}
		reader.Clock.Set(0, 1)
		writer.Clock.Set(1, 1)
		c := d.Cell(d.NewShadow(nil, 1, false), 0)
		now := writer.Access(0, 1)
		d.plainWrite(writer, &now, c)
		d.Atomic(writer, writer.Access(0, 2), c, true)
		writer.ReleaseOnly(&d.Sync(c).Clock)
		if d.HideRead(reader, reader.Access(0, 3), run.SiteID{}, c) {
			t.Error("a read is ordered with a store of which nothing tells")
		}
		if learns {
			reader.Acquire(&d.Sync(c).Clock)
		}
		if d.HiddenRead(reader, reader.Access(0, 3), c); (found > 0) == learns {
			t.Errorf("%d races of a read that learns of the store: %v", found, learns)
		}
	}
}

// TestLoadsOfMany has two threads read at one site: who changes the cell and knows of one of them
// only races with the other.
func TestLoadsOfMany(t *testing.T) {
	one, other := run.SiteID{Func: 7, Instr: 1}, run.SiteID{Func: 7, Instr: 2}
	d := &Detector{Found: func(Race) {}}
	d.Begin()
	var threads [3]*Thread
	for i := range threads {
		threads[i] = &Thread{Slot: int32(i)}
		threads[i].Clock.Set(int32(i), 1)
	}
	c := d.Cell(d.NewShadow(nil, 1, false), 0)
	d.HideRead(threads[0], threads[0].Access(0, 1), one, c)
	d.HideRead(threads[0], threads[0].Access(0, 2), other, c)
	var told Clock
	threads[0].Release(&told)
	threads[1].Acquire(&told)
	d.HideRead(threads[1], threads[1].Access(0, 1), one, c)
	threads[2].Acquire(&told) // of the reads of the first thread
	d.Atomic(threads[2], threads[2].Access(0, 3), c, true)
	if want := []run.SiteID{one}; !slices.Equal(d.Shown, want) {
		t.Errorf("reads %v are noted, want %v", d.Shown, want)
	}
}

// TestDeferredAtOneSite has a thread add to a cell and read it at one site, as two deferred calls
// do: who depends on the sum and knows of neither races with the addition.
func TestDeferredAtOneSite(t *testing.T) {
	site := run.SiteID{Func: 7, Instr: 1}
	for _, watched := range []bool{false, true} {
		for _, addsFirst := range []bool{false, true} {
			d := &Detector{Found: func(Race) {}}
			d.Begin()
			adder, reader := &Thread{Slot: 0}, &Thread{Slot: 1}
			adder.Clock.Set(0, 1)
			reader.Clock.Set(1, 1)
			c := d.Cell(d.NewShadow(nil, 1, false), 0)
			for _, adds := range []bool{addsFirst, !addsFirst} {
				switch now := adder.Access(0, 1); {
				case adds && watched:
					d.WatchAdd(adder, now, site, c)
				case adds:
					d.HiddenAdd(adder, now, site, c)
				case watched:
					d.WatchRead(adder, now, site, c)
				default:
					d.HideRead(adder, now, site, c)
				}
			}
			if d.BeforeAtomic(reader, c); !slices.Contains(d.Shown, site) {
				t.Errorf("watched %v, the addition first %v: the addition is not noted", watched, addsFirst)
			}
		}
	}
}
