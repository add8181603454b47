package con2colic

import "github.com/everyway-go/everyway/schedule"

// A wait for a wait group needs events of as many goroutines as its counter says,
// and with n of them there are 2ⁿ candidates on the way to one that is realizable.
// Two things keep that down. Events are added in the order of their goroutines (see
// candidate.join). And a candidate to which no events can be added that bring the
// counter to zero is deferred until one is found that does more.

// A join is what is known of the events that may bring the counter of a wait group to
// zero for a wait.
type join struct {
	wait nodeID
	done int64 // what is added to the counter before the wait
	// least holds, for a goroutine with an event that may be added, and for each goroutine
	// that is added with it, the least sum that the latter adds to the counter.
	least    map[contribution]int64
	seen     int            // number of the producers on the wait group that are in least
	deferred []unrealizable // to be extended once least is lower
}

// A contribution is that of a goroutine that is added with an event of another.
type contribution struct{ with, of int32 }

func newJoin(f *forest, wait nodeID) *join {
	j := &join{wait: wait, least: map[contribution]int64{}}
	for a := f.at(wait).parent; a != 0; a = f.at(a).parent {
		if e := f.at(a); e.loc == f.at(wait).loc && e.op == schedule.WaitGroupAdd {
			j.done += e.delta
		}
	}
	return j
}

// update takes in the new ones of producers, those on the wait group. It reports whether
// they can contribute more than what was known.
func (j *join) update(f *forest, producers []occurrence) (more bool) {
	for ; j.seen < len(producers); j.seen++ {
		o := producers[j.seen]
		with := f.at(o.node).goroutine
		consider := func(t nodeID) {
			key := contribution{with, f.at(t).goroutine}
			if x := j.leastOf(f, t); x < j.least[key] {
				j.least[key] = x
				more = true
			}
		}
		consider(o.node)
		for _, t := range o.base.tips {
			if f.at(t).goroutine != with {
				consider(t)
			}
		}
	}
	return more
}

// leastOf returns the least sum that the goroutine of t may have added to the counter up
// to t when the wait takes place, apart from what comes before the wait in any case.
func (j *join) leastOf(f *forest, t nodeID) int64 {
	l, g := f.at(j.wait).loc, f.at(t).goroutine
	if g == f.at(j.wait).goroutine {
		return 0
	}
	least := int64(0)
	for n := t; n != 0 && f.at(n).goroutine == g && !f.before(n, j.wait); n = f.at(n).parent {
		e := f.at(n)
		if e.loc != l || e.op != schedule.WaitGroupAdd {
			continue
		}
		if !e.seen {
			return unknownDelta
		}
		least = min(0, least+e.delta)
	}
	return least
}

// unknownDelta is less than the counter of any wait group: what is not known may
// be anything.
const unknownDelta = -1 << 40

// possible reports whether what may still be added to c can bring the counter to
// zero.
func (j *join) possible(f *forest, c *candidate) bool {
	least := map[int32]int64{}
	for _, t := range c.tips {
		least[f.at(t).goroutine] = j.leastOf(f, t)
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
