package order

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// TestSettle compares relations of random schedules, in which goroutines start and end, that settle
// all the time with those that do not: they order the same if nothing is taken to be known that is
// not, and otherwise not less.
func TestSettle(t *testing.T) {
	more, retired, forgotten := 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 16))
		joins := seed%2 == 0
		exact, same, bound := New(), New(), New()
		same.slots.limits = limits{events: 1, idle: 1 << 20, ended: 1 << 20}
		bound.slots.limits = limits{events: 1, idle: 20, ended: 1}
		relations := [...]*Relation{exact, same, bound}
		var accesses [3][]vectorclock.Epoch
		do := func(e schedule.Event) {
			g := e.Goroutine
			for i, r := range relations {
				if i > 0 {
					before := known(r)
					r.Settle()
					forgotten += before - known(r)
				}
				accesses[i] = append(accesses[i], r.Epoch(g))
				r.Event(&e)
			}
			for k := range accesses[0] {
				want := exact.Ordered(accesses[0][k], g)
				if got := same.Ordered(accesses[1][k], g); got != want {
					t.Fatalf("seed %d: event %d is ordered before the one after event %d of g%d: %t, want %t", seed, k, len(accesses[0]), g, got, want)
				}
				got := bound.Ordered(accesses[2][k], g)
				if want && !got {
					t.Fatalf("seed %d: event %d is not ordered before the one after event %d of g%d", seed, k, len(accesses[0]), g)
				}
				if got && !want {
					more++
				}
				if same.Settled(accesses[1][k]) && !same.Ordered(accesses[1][k], g) {
					t.Fatalf("seed %d: event %d is settled, and not ordered before the one after event %d of g%d", seed, k, len(accesses[0]), g)
				}
			}
		}
		do(schedule.Event{Op: schedule.New, Object: 1, Kind: schedule.Channel, Number: 2})
		live, goroutines, queued := []schedule.GoroutineID{0}, schedule.GoroutineID(1), 0
		var over []schedule.GoroutineID
		set := make(map[schedule.ObjectID]bool) // timers
		for range 250 {
			i := rng.IntN(len(live))
			g, cell := live[i], int64(rng.IntN(3))
			switch rng.IntN(10) {
			case 0:
				if len(live) < 6 {
					do(schedule.Event{Op: schedule.Spawn, Goroutine: g, Child: goroutines})
					live = append(live, goroutines)
					goroutines++
				}
			case 1:
				if g != 0 {
					do(schedule.Event{Op: schedule.End, Goroutine: g})
					live, over = append(live[:i], live[i+1:]...), append(over, g)
				}
			case 2, 3:
				do(schedule.Event{Op: schedule.Lock, Goroutine: g, Object: 2, Offset: cell})
				do(schedule.Event{Op: schedule.Unlock, Goroutine: g, Object: 2, Offset: cell})
			case 4:
				do(schedule.Event{Op: schedule.RLock, Goroutine: g, Object: 2, Offset: cell})
				do(schedule.Event{Op: schedule.RUnlock, Goroutine: g, Object: 2, Offset: cell})
			case 5:
				do(schedule.Event{Op: schedule.AtomicWrite, Goroutine: g, Object: 3, Offset: cell})
			case 6:
				do(schedule.Event{Op: schedule.AtomicRead, Goroutine: g, Object: 3, Offset: cell})
			case 7:
				if queued < 2 {
					queued++
					do(schedule.Event{Op: schedule.Send, Goroutine: g, Object: 1, Case: schedule.NoCase})
				} else {
					queued--
					do(schedule.Event{Op: schedule.Recv, Goroutine: g, Object: 1, Case: schedule.NoCase})
				}
			case 8:
				if joins && len(over) > 0 && rng.IntN(3) == 0 {
					do(schedule.Event{Op: schedule.Join, Goroutine: g, Child: over[rng.IntN(len(over))]})
				} else {
					do(schedule.Event{Op: schedule.Read, Goroutine: g, Object: 4})
				}
			case 9:
				timer := schedule.ObjectID(5 + cell)
				switch {
				case !set[timer]:
					do(schedule.Event{Op: schedule.TimerSet, Goroutine: g, Object: timer})
					set[timer] = true
				case len(live) < 6:
					for _, r := range relations {
						r.Event(&schedule.Event{Op: schedule.TimerFire, Goroutine: schedule.NoGoroutine, Object: timer, Child: goroutines})
					}
					live = append(live, goroutines)
					goroutines++
					set[timer] = false
				}
			}
		}
		for _, s := range same.slots.of {
			if s == noSlot {
				retired++
			}
		}
	}
	if more == 0 || retired == 0 || forgotten == 0 {
		t.Errorf("%d pairs are ordered that need not be, %d goroutines have lost their slots, %d cells are forgotten: want some of each", more, retired, forgotten)
	}
}

// known returns how many cells of a schedule of the test a relation knows.
func known(r *Relation) (n int) {
	for o := range schedule.ObjectID(5) {
		for cell := range int64(3) {
			if r.syncs.Find(schedule.Cell{Object: o, Offset: cell}) != nil {
				n++
			}
		}
	}
	return n
}
