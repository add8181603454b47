package frontier

import (
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A wait for a wait group needs events of as many goroutines as its counter says, and there
// are 2ⁿ candidates with some events of n goroutines. Two things reduce their number. Events
// are added in the order of their goroutines (see Candidate.join). And a candidate is
// deferred while the known events that can still be added do not bring the counter to zero.

// A join is what is known of the events that may bring the counter of a wait group to zero
// for a wait.
type join struct {
	wait forest.NodeID
	done int64 // the sum that is added to the counter before the wait in any case
	// least holds, by contribution, the least sum that it adds to the counter.
	least    map[contribution]int64
	seen     int        // number of the producers on the wait group that are in least
	deferred []obstacle // to be extended once least is lower
}

// A contribution is what goroutine of adds to the counter in an occurrence of an event of
// goroutine with.
type contribution struct{ with, of int32 }

func newJoin(f *forest.Forest, wait forest.NodeID) *join {
	j := &join{wait: wait, least: map[contribution]int64{}}
	for a := f.At(wait).Parent; a != 0; a = f.At(a).Parent {
		if e := f.At(a); e.Loc == f.At(wait).Loc && e.Op == schedule.WaitGroupAdd {
			j.done += e.Delta
		}
	}
	return j
}

// update adds to least what is new among producers, which are those on the wait group. It
// reports whether some sum is lower than before.
func (j *join) update(f *forest.Forest, producers []forest.Occurrence) (more bool) {
	for ; j.seen < len(producers); j.seen++ {
		o := producers[j.seen]
		with := f.At(o.Node).Goroutine
		consider := func(t forest.NodeID) {
			key := contribution{with, f.At(t).Goroutine}
			if x := j.leastOf(f, t); x < j.least[key] {
				j.least[key] = x
				more = true
			}
		}
		consider(o.Node)
		for _, t := range o.Base.Tips {
			if f.At(t).Goroutine != with {
				consider(t)
			}
		}
	}
	return more
}

// leastOf returns the least sum that the goroutine of t may have added to the counter, up to
// t, at any time, apart from what comes before the wait in any case.
func (j *join) leastOf(f *forest.Forest, t forest.NodeID) int64 {
	l, g := f.At(j.wait).Loc, f.At(t).Goroutine
	if g == f.At(j.wait).Goroutine {
		return 0
	}
	least := int64(0)
	for n := t; n != 0 && f.At(n).Goroutine == g && !f.Before(n, j.wait); n = f.At(n).Parent {
		e := f.At(n)
		if e.Loc != l || e.Op != schedule.WaitGroupAdd {
			continue
		}
		if !e.Seen {
			return unknownDelta
		}
		least = min(0, least+e.Delta)
	}
	return least
}

// unknownDelta stands for the delta of an event that no run has shown. It is less than the
// counter of any wait group: the delta may be anything.
const unknownDelta = -1 << 40

// possible reports whether the known events that may still be added to c can bring the
// counter to zero.
func (j *join) possible(f *forest.Forest, c *Candidate) bool {
	least := map[int32]int64{}
	for _, t := range c.Tips {
		least[f.At(t).Goroutine] = j.leastOf(f, t)
	}
	for key, x := range j.least {
		if c.join != j.wait || key.with >= c.joined {
			least[key.of] = min(least[key.of], x)
		}
	}
	sum := j.done
	for _, x := range least {
		sum += x
	}
	return sum <= 0
}
