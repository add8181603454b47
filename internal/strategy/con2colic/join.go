package con2colic

import "github.com/everyway-go/everyway/schedule"

// A wait for a wait group needs events of as many goroutines as its counter says,
// and with n of them there are 2ⁿ candidates on the way to one that can be
// realized. Two things keep that down. Events are added in the order of their
// goroutines (see joins and joined of a scenario). And a candidate for which all
// goroutines that may still be added cannot bring the counter to zero is put aside
// until one of them is found to do more.

// A join is what may bring the counter to zero for a wait.
type join struct {
	wait nodeID
	done int64 // what is added to the counter on the way to the wait
	// least holds, for an event that may be added, by its goroutine, and for each
	// goroutine that comes with it, the least that is added to the counter there.
	least map[contribution]int64
	seen  int    // of the offers on the wait group
	aside []need // the candidates put aside
}

// A contribution is what comes of a goroutine with the events of another.
type contribution struct{ with, of int32 }

// joinOf returns the join for the wait n, which is made if need be.
func (f *forest) joinOf(n nodeID) *join {
	at := &f.locs[f.at(n).loc]
	for _, j := range at.joins {
		if j.wait == n {
			return j
		}
	}
	j := &join{wait: n, least: map[contribution]int64{}}
	for a := f.at(n).parent; a != 0; a = f.at(a).parent {
		if e := f.at(a); e.loc == f.at(n).loc && e.op == schedule.WaitGroupAdd {
			j.done += e.delta
		}
	}
	at.joins = append(at.joins, j)
	return j
}

// learn takes in the offers that are new, and reports whether there is more to be
// had from them.
func (j *join) learn(f *forest) (more bool) {
	offers := f.locs[f.at(j.wait).loc].offers
	for ; j.seen < len(offers); j.seen++ {
		p := offers[j.seen]
		with := f.at(p.node).goroutine
		consider := func(t nodeID) {
			key := contribution{with, f.at(t).goroutine}
			if x := j.leastOf(f, t); x < j.least[key] {
				j.least[key] = x
				more = true
			}
		}
		consider(p.node)
		for _, t := range p.base.tips {
			if f.at(t).goroutine != with {
				consider(t)
			}
		}
	}
	return more
}

// leastOf returns the least that the goroutine of t may have added to the counter,
// up to t, when it comes to the wait, beyond what is on the way to that.
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

// possible reports whether what may still be added to s can bring the counter to
// zero.
func (j *join) possible(f *forest, s *scenario) bool {
	least := map[int32]int64{}
	for _, t := range s.tips {
		least[f.at(t).goroutine] = j.leastOf(f, t)
	}
	for key, x := range j.least {
		if s.joins != j.wait || key.with >= s.joined {
			least[key.of] = min(least[key.of], x)
		}
	}
	sum := j.done
	for _, x := range least {
		sum += x
	}
	return sum <= 0
}

// putAside puts the need n, of a wait, aside if there is no meeting it yet.
func (c *Strategy) putAside(n need) bool {
	f := c.forest
	if !c.options.UnsatCore || f.at(n.node).op != schedule.WaitGroupWait {
		return false
	}
	j := f.joinOf(n.node)
	j.learn(f)
	if j.possible(f, n.s) {
		return false
	}
	j.aside = append(j.aside, n)
	return true
}

// rejoin explores what was put aside and need not be any more, after an offer on l.
func (c *Strategy) rejoin(l locID) {
	f := c.forest
	for i := 0; i < len(f.locs[l].joins); i++ {
		j := f.locs[l].joins[i]
		if !j.learn(f) {
			continue
		}
		aside := j.aside
		j.aside = nil
		for _, n := range aside {
			c.meet(n, l)
		}
	}
}
