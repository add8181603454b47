package m2

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/everyway-go/everyway/schedule"
)

// A partial is a partial order of the steps of an ideal.
type partial struct {
	*window
	in       prefix
	steps    []int            // of the ideal, in the order of the schedule
	columns  []int            // by thread: its column in clocks; -1 for those that have no steps
	width    int              // of clocks
	number   []int            // by step: its row in clocks
	before   [][]int          // by row: steps that are directly before it, other than in its goroutine
	clocks   []int32          // by row and column: how many steps of the thread are before the step, or it
	accesses []cell           // that are written
	locks    [][]*criticality // by lock and thread
}

// A cell is what the ideal does to a cell of memory.
type cell struct {
	reads  []int   // that see a write, or what was there at first
	writes [][]int // by goroutine
	all    []int   // in the order of the schedule
}

// A criticality is the critical sections of a lock of one goroutine.
type criticality struct {
	thread         int
	all, exclusive []section
}

// newPartial returns the order that any order of the ideal has to keep. It reports whether that is possible.
func (x *window) newPartial(in prefix) (*partial, bool) {
	p := &partial{window: x, in: in, columns: make([]int, len(x.threads)), number: make([]int, len(x.Steps))}
	for t := range in {
		p.columns[t] = -1
		if in[t] > 0 {
			p.columns[t] = p.width
			p.width++
		}
	}
	for i := range x.Steps {
		if x.has(in, i) {
			p.number[i] = len(p.steps)
			p.steps = append(p.steps, i)
		}
	}
	if len(p.steps)*p.width > maxClocks {
		return nil, false
	}
	p.before = make([][]int, len(p.steps))
	p.clocks = make([]int32, len(p.steps)*p.width)
	for _, i := range p.steps {
		for _, j := range x.needs.Others[i] {
			p.add(j, i)
		}
		if x.source[i] != unwritten {
			p.add(x.source[i], i)
		}
	}
	p.keepTalk()
	p.addCells()
	return p, p.addLocks()
}

// add orders step i before step j.
func (p *partial) add(i, j int) {
	if p.thread[i] == p.thread[j] && p.place[i] < p.place[j] {
		return
	}
	p.before[p.number[j]] = append(p.before[p.number[j]], i)
}

// keepTalk keeps the order of what is done to each channel, wait group and the like, as far as it
// matters. Of each goroutine, the last step of a kind is enough: the earlier ones come before it.
func (p *partial) keepTalk() {
	last := map[schedule.Cell][]int{}
	for _, i := range p.steps {
		s := &p.Steps[i]
		if !s.Talks() {
			continue
		}
		keep := func(list []int) {
			for _, j := range list {
				if p.Steps[j].TalksWith(s) {
					p.add(j, i)
				}
			}
		}
		if s.Site.Cell.Object == 0 { // of no object, or of any
			for _, c := range slices.SortedFunc(maps.Keys(last), func(a, b schedule.Cell) int {
				return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Offset, b.Offset))
			}) {
				keep(last[c])
			}
		} else {
			keep(last[s.Site.Cell])
			keep(last[schedule.Cell{}])
		}
		list := slices.DeleteFunc(last[s.Site.Cell], func(j int) bool { return p.thread[j] == p.thread[i] && p.Steps[j].TalksLike(s) })
		last[s.Site.Cell] = append(list, i)
	}
}

// addCells notes the accesses, and orders reads of what was there at first before all writes.
func (p *partial) addCells() {
	index := map[schedule.Cell]int{}
	for _, i := range p.steps {
		s := &p.Steps[i]
		if !s.Reads() && !s.Writes() {
			continue
		}
		n, ok := index[s.Site.Cell]
		if !ok {
			n = len(p.accesses)
			index[s.Site.Cell] = n
			p.accesses = append(p.accesses, cell{})
		}
		c := &p.accesses[n]
		c.all = append(c.all, i)
		if s.Reads() {
			c.reads = append(c.reads, i)
		}
		if s.Writes() {
			at := slices.IndexFunc(c.writes, func(list []int) bool { return p.thread[list[0]] == p.thread[i] })
			if at < 0 {
				at = len(c.writes)
				c.writes = append(c.writes, nil)
			}
			c.writes[at] = append(c.writes[at], i)
		}
	}
	p.accesses = slices.DeleteFunc(p.accesses, func(c cell) bool { return len(c.writes) == 0 })
	for _, c := range p.accesses {
		for _, r := range c.reads {
			if p.source[r] != unwritten {
				continue
			}
			for _, list := range c.writes {
				for _, w := range list[:min(2, len(list))] {
					if w != r {
						p.add(r, w)
					}
				}
			}
		}
	}
}

// addLocks notes the critical sections, and puts the one of a lock that is not ended last.
func (p *partial) addLocks() bool {
	for _, list := range p.sections {
		var kept []section
		for _, s := range list {
			if s.Acquire < 0 || p.has(p.in, s.Acquire) {
				kept = append(kept, s)
			}
		}
		var threads []*criticality
		for i, s := range kept {
			for _, t := range kept[:i] {
				if s.Exclude(t.Section) && !p.apart(s, t) {
					return false
				}
			}
			if s.Acquire < 0 || p.open(s) {
				continue
			}
			at := slices.IndexFunc(threads, func(c *criticality) bool { return c.thread == s.thread })
			if at < 0 {
				at = len(threads)
				threads = append(threads, &criticality{thread: s.thread})
			}
			c := threads[at]
			if c.all = append(c.all, s); !s.Shared {
				c.exclusive = append(c.exclusive, s)
			}
		}
		if len(threads) > 1 {
			p.locks = append(p.locks, threads)
		}
	}
	return true
}

// open reports whether a section has not ended in the ideal.
func (p *partial) open(s section) bool { return s.Release < 0 || !p.has(p.in, s.Release) }

// apart orders sections that exclude each other, if there is but one way. It reports whether there is any.
func (p *partial) apart(s, t section) bool {
	switch {
	case p.open(s) && p.open(t), s.Acquire < 0 && t.Acquire < 0, t.Acquire < 0 && p.open(t), s.Acquire < 0 && p.open(s):
		return false
	case p.open(s) || t.Acquire < 0:
		p.add(t.Release, s.Acquire)
	case p.open(t) || s.Acquire < 0:
		p.add(s.Release, t.Acquire)
	}
	return true
}

// keepOthers keeps the order of accesses and critical sections that exclude each other, but for those of a thread.
func (p *partial) keepOthers(free int) {
	for _, c := range p.accesses {
		write, reads := -1, []int(nil)
		for _, i := range c.all {
			if p.thread[i] == free {
				continue
			}
			if write >= 0 {
				p.add(write, i)
			}
			if !p.Steps[i].Writes() {
				reads = append(reads, i)
				continue
			}
			for _, r := range reads {
				p.add(r, i)
			}
			write, reads = i, reads[:0]
		}
	}
	for _, threads := range p.locks {
		var list []section
		for _, c := range threads {
			if c.thread != free {
				list = append(list, c.all...)
			}
		}
		slices.SortFunc(list, func(s, t section) int { return s.Acquire - t.Acquire })
		var last []section // those that the next one may have to come after
		for _, s := range list {
			for _, t := range last {
				if s.Exclude(t.Section) {
					p.add(t.Release, s.Acquire)
				}
			}
			if !s.Shared {
				last = last[:0]
			}
			last = append(last, s)
		}
	}
}

// isBefore reports whether step i is before step j, or it, in the order as it was when clocks were computed.
func (p *partial) isBefore(i, j int) bool {
	return int(p.clock(j)[p.columns[p.thread[i]]]) > p.place[i]
}

// clock returns the row of a step.
func (p *partial) clock(i int) []int32 {
	n := p.number[i] * p.width
	return p.clocks[n : n+p.width]
}

// order computes the clocks. It reports whether there is no cycle.
func (p *partial) order() bool {
	waits := make([]int, len(p.steps))
	after := make([][]int, len(p.steps))
	for n, i := range p.steps {
		waits[n] = len(p.before[n])
		if p.place[i] > 0 {
			waits[n]++
		}
		for _, j := range p.before[n] {
			after[p.number[j]] = append(after[p.number[j]], i)
		}
	}
	var ready []int
	for n, i := range p.steps {
		if waits[n] == 0 {
			ready = append(ready, i)
		}
	}
	done := 0
	release := func(i int) {
		n := p.number[i]
		if waits[n]--; waits[n] == 0 {
			ready = append(ready, i)
		}
	}
	for ; len(ready) > 0; done++ {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		clock := p.clock(i)
		clear(clock)
		if p.place[i] > 0 {
			copy(clock, p.clock(p.previous(i)))
		}
		for _, j := range p.before[p.number[i]] {
			for k, time := range p.clock(j) {
				clock[k] = max(clock[k], time)
			}
		}
		clock[p.columns[p.thread[i]]] = int32(p.place[i] + 1)
		if list := p.threads[p.thread[i]]; p.place[i]+1 < p.in[p.thread[i]] {
			release(list[p.place[i]+1])
		}
		for _, j := range after[p.number[i]] {
			release(j)
		}
	}
	return done == len(p.steps)
}

// previous returns the step of the goroutine before a step.
func (p *partial) previous(i int) int { return p.threads[p.thread[i]][p.place[i]-1] }

// close orders what has to be in one order because of what is ordered already: writes of a cell and the
// reads of another write, and critical sections. It reports whether the order has no cycle.
func (p *partial) close() bool {
	for {
		if !p.order() {
			return false
		}
		added := false
		add := func(i, j int) {
			if !p.isBefore(i, j) {
				p.add(i, j)
				added = true
			}
		}
		for _, c := range p.accesses {
			for _, r := range c.reads {
				if w := p.source[r]; w != unwritten {
					for _, list := range c.writes {
						p.closeRead(r, w, list, add)
					}
				}
			}
		}
		for _, threads := range p.locks {
			for _, c := range threads {
				for _, d := range threads {
					if c != d {
						p.closeSections(c, d, add)
					}
				}
			}
		}
		if !added {
			return true
		}
	}
}

// closeRead keeps the writes of a goroutine from coming between w and r, which sees it.
func (p *partial) closeRead(r, w int, writes []int, add func(i, j int)) {
	at := sort.Search(len(writes), func(n int) bool { return !p.isBefore(writes[n], r) })
	for at--; at >= 0; at-- { // the last one before r
		if other := writes[at]; other != r {
			if other != w {
				add(other, w)
			}
			break
		}
	}
	at = sort.Search(len(writes), func(n int) bool { return p.isBefore(w, writes[n]) })
	for ; at < len(writes); at++ { // the first one after w
		if other := writes[at]; other != w && other != r {
			add(r, other)
			break
		}
	}
}

// closeSections keeps the sections of d from overlapping with those of c that begin before their end.
func (p *partial) closeSections(c, d *criticality, add func(i, j int)) {
	for _, s := range c.all {
		list := d.all
		if s.Shared {
			list = d.exclusive
		}
		at := sort.Search(len(list), func(n int) bool { return p.isBefore(s.Acquire, list[n].Release) })
		if at < len(list) {
			add(s.Release, list[at].Acquire)
		}
	}
}
