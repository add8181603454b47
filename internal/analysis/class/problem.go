package class

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A problem asks which steps of a window can be brought into which order. The constraints of the
// class are stated once, and each pair of accesses is assumed to race in turn.
type problem struct {
	*detector
	order    *order.Order
	kept     []order.Lit // by step: it is in the order
	same     []order.Lit // by step: it reads what it has read; of reads that need not
	clean    []order.Lit // by step: it writes what it has written
	previous []int       // by step: the one before it in its goroutine, -1 if there is none
	needs    [][]int     // by step: steps of other goroutines that it needs
	pending  [][]int     // by step: reads on which it depends what the goroutine does there
}

// none is the literal of what needs no condition.
const none = ^order.Lit(0)

// newProblem states the constraints of a window.
func newProblem(d *detector) *problem {
	n := len(d.steps)
	p := &problem{
		detector: d, order: order.NewOrder(n),
		kept: make([]order.Lit, n), same: make([]order.Lit, n), clean: make([]order.Lit, n),
		previous: make([]int, n), needs: make([][]int, n), pending: make([][]int, n),
	}
	for i := range n {
		p.kept[i], p.same[i], p.clean[i] = p.order.NewSelector(), none, none
	}
	p.addGoroutines()
	p.addReads()
	p.addLocks()
	p.keepOrder(func(s *step) bool { return s.role == talks })
	if d.writes {
		p.keepOrder((*step).writes)
	}
	return p
}

// addGoroutines states that what is kept of a goroutine is a prefix, with all that it needs.
func (p *problem) addGoroutines() {
	byThread := map[schedule.GoroutineID][]int{} // by what clocks call the goroutine
	for i := range p.steps {
		s := &p.steps[i]
		own := byThread[s.Goroutine]
		p.previous[i] = -1
		from := p.base
		if len(own) > 0 {
			last := own[len(own)-1]
			p.previous[i] = last
			p.before(last, i)
			from = p.steps[last].Clock()
		}
		for h, time := range s.Clock() {
			h := schedule.GoroutineID(h)
			if h == s.Goroutine || time <= from.At(h) {
				continue
			}
			// The last step of h that is needed brings those before it along.
			list := byThread[h]
			for len(list) > 0 && p.steps[list[len(list)-1]].Time > time {
				list = list[:len(list)-1]
			}
			if len(list) > 0 {
				j := list[len(list)-1]
				p.needs[i] = append(p.needs[i], j)
				p.before(j, i)
			}
		}
		byThread[s.Goroutine] = append(own, i)
	}
}

// before states that step j needs step i.
func (p *problem) before(i, j int) {
	p.order.Fix(i, j)
	p.order.Add(p.kept[j].Not(), p.kept[i])
}

// addReads states what reads have to see.
func (p *problem) addReads() {
	if p.reads == anyReads {
		return
	}
	lists := map[schedule.Cell][]int{} // of writes
	initial := map[schedule.Cell]schedule.Value{}
	for i := range p.steps {
		s := &p.steps[i]
		if s.role != accesses {
			continue
		}
		if s.writes() {
			lists[s.site.Cell] = append(lists[s.site.Cell], i)
		}
		if s.reads() && s.from < p.start {
			if _, ok := initial[s.site.Cell]; !ok {
				initial[s.site.Cell] = s.read
			}
		}
	}
	unsettled := map[schedule.GoroutineID][]int{} // reads since the last step that is tied
	for i := range p.steps {
		s := &p.steps[i]
		if p.reads == branchReads {
			p.settle(i, unsettled)
		}
		if p.reads == branchReads && s.reads() && s.symbolic && len(lists[s.site.Cell]) > 0 {
			p.same[i] = p.order.NewSelector()
			unsettled[s.Goroutine] = append(unsettled[s.Goroutine], i)
		}
	}
	for i := range p.steps {
		s := &p.steps[i]
		condition := p.kept[i]
		if p.same[i] != none {
			condition = p.same[i]
		}
		if s.reads() && s.role == accesses && len(lists[s.site.Cell]) > 0 {
			p.addRead(i, condition, lists[s.site.Cell], initial[s.site.Cell])
		}
	}
}

// settle states on which of the reads before it step i depends.
func (p *problem) settle(i int, unsettled map[schedule.GoroutineID][]int) {
	s := &p.steps[i]
	list := unsettled[s.Goroutine]
	if len(list) == 0 {
		return
	}
	if s.tied {
		p.pending[i] = list
		for _, r := range list {
			p.order.Add(p.kept[i].Not(), p.same[r])
		}
		if s.role != accesses {
			// Steps after it are done only if it is.
			unsettled[s.Goroutine] = nil
		}
	}
	if s.writes() {
		p.clean[i] = p.order.NewSelector()
		for _, r := range list {
			p.order.Add(p.clean[i].Not(), p.same[r])
		}
	}
}

// addRead states that if a condition holds a read sees the value that it has seen: of one of the
// writes, or what was there before the window.
func (p *problem) addRead(r int, condition order.Lit, writes []int, initial schedule.Value) {
	s := &p.steps[r]
	sources := []order.Lit{condition.Not()}
	if s.from < p.start || initial == s.read && s.read.Kind != schedule.NoValue {
		if !slices.ContainsFunc(writes, func(w int) bool { return p.steps[w].before(s) }) {
			source := p.order.NewSelector()
			sources = append(sources, source)
			for _, w := range writes {
				if w != r {
					p.order.Add(source.Not(), p.kept[w].Not(), p.order.Before(r, w))
				}
			}
		}
	}
	for _, w := range writes {
		t := &p.steps[w]
		if w == r || s.before(t) || t.site.Order != s.from && (t.wrote != s.read || s.read.Kind == schedule.NoValue) || p.overwritten(w, r, writes) {
			continue
		}
		source := p.order.NewSelector()
		sources = append(sources, source)
		p.order.Add(source.Not(), p.kept[w])
		p.order.Add(source.Not(), p.order.Before(w, r))
		if p.clean[w] != none {
			p.order.Add(source.Not(), p.clean[w])
		}
		for _, other := range writes {
			if other != w && other != r && !p.steps[other].before(t) && !s.before(&p.steps[other]) {
				p.order.Add(source.Not(), p.kept[other].Not(), p.order.Before(other, w), p.order.Before(r, other))
			}
		}
	}
	p.order.Add(sources...)
}

// overwritten reports whether another write is between w and r in any order.
func (p *problem) overwritten(w, r int, writes []int) bool {
	return slices.ContainsFunc(writes, func(other int) bool {
		return other != w && other != r && p.steps[w].before(&p.steps[other]) && p.steps[other].before(&p.steps[r])
	})
}

// A section is a critical section, from step to step; -1 stands for what is outside of the window.
type section struct {
	goroutine        schedule.GoroutineID
	acquire, release int
	shared           bool
	depth            int
}

// addLocks states that sections that exclude each other do not overlap.
func (p *problem) addLocks() {
	if p.locks == anyLocks {
		return
	}
	var cells []schedule.Cell
	sections := map[schedule.Cell][]*section{}
	add := func(c schedule.Cell, s *section) {
		if sections[c] == nil {
			cells = append(cells, c)
		}
		sections[c] = append(sections[c], s)
	}
	for i, h := range p.open {
		add(h.Cell, &section{goroutine: p.holders[i].Goroutine, acquire: -1, release: -1, shared: h.Shared, depth: 1})
	}
	for i := range p.steps {
		s := &p.steps[i]
		c := s.site.Cell
		switch s.role {
		case acquires, acquiresR:
			if at := find(sections[c], s.Goroutine, false); at != nil && at.goroutine == s.Goroutine && s.role == acquires {
				at.depth++
				continue
			}
			add(c, &section{goroutine: s.Goroutine, acquire: i, release: -1, shared: s.role == acquiresR, depth: 1})
		case releases, releasesR:
			if at := find(sections[c], s.Goroutine, s.role == releasesR); at != nil {
				if at.depth--; at.depth == 0 {
					at.release = i
				}
			}
		}
	}
	for _, c := range cells {
		list := sections[c]
		for i, b := range list {
			for _, a := range list[:i] {
				if a.goroutine != b.goroutine && !(a.shared && b.shared) {
					p.exclude(a, b)
				}
			}
		}
	}
}

// find returns the section that is open, one of the goroutine if there is any.
func find(list []*section, g schedule.GoroutineID, shared bool) (found *section) {
	for _, s := range list {
		if s.release < 0 && s.shared == shared && (found == nil || s.goroutine == g) {
			found = s
		}
	}
	return found
}

// exclude states that two sections, in their order, do not overlap.
func (p *problem) exclude(a, b *section) {
	if b.acquire < 0 {
		return
	}
	var both []order.Lit
	if a.acquire >= 0 {
		both = append(both, p.kept[a.acquire].Not())
	}
	both = append(both, p.kept[b.acquire].Not())
	choice := slices.Clone(both)
	after := func(x, y *section) { // x is released before y is acquired
		l := p.order.Before(x.release, y.acquire)
		choice = append(choice, l)
		p.order.Add(append(slices.Clone(both), l.Not(), p.kept[x.release])...)
	}
	if a.release >= 0 {
		after(a, b)
	}
	if p.locks == freeLocks && b.release >= 0 && a.acquire >= 0 {
		after(b, a)
	}
	p.order.Add(choice...)
}

// keepOrder states that some steps, of each cell, stay in their order if they are kept.
func (p *problem) keepOrder(which func(*step) bool) {
	lists := map[schedule.Cell][]int{}
	var all []int // that are of no object, or of any
	for i := range p.steps {
		s := &p.steps[i]
		if !which(s) {
			continue
		}
		c := s.site.Cell
		earlier := lists[c]
		if c.Object == 0 {
			for _, list := range lists {
				all = append(all, list...)
			}
			slices.Sort(all)
			earlier = slices.Compact(all)
		} else {
			earlier = append(slices.Clone(earlier), lists[schedule.Cell{}]...)
		}
		for _, j := range earlier {
			if !p.steps[j].before(s) {
				p.order.Add(p.kept[j].Not(), p.kept[i].Not(), p.order.Before(j, i))
			}
		}
		lists[c] = append(lists[c], i)
		all = all[:0]
	}
}

// race reports whether there is an order after which two accesses are next.
func (p *problem) race(a, b int) bool {
	var assume []order.Lit
	for _, i := range [...]int{a, b} {
		assume = append(assume, p.kept[i].Not())
		if p.previous[i] >= 0 {
			assume = append(assume, p.kept[p.previous[i]])
		}
		for _, j := range p.needs[i] {
			assume = append(assume, p.kept[j])
		}
		for _, r := range p.pending[i] {
			assume = append(assume, p.same[r])
		}
	}
	return p.order.Check(assume...) == order.Sat
}

// witness returns the order that the last call of race has found, with the events that are no steps.
func (p *problem) witness(a, b int) []int64 {
	list := p.relation.Witness(p.base)
	done := slices.Clone(p.base)
	next := func(i int, to uint32) {
		s := &p.steps[i]
		list = append(list, p.relation.Events(vectorclock.Epoch{Goroutine: s.Goroutine, Time: done.At(s.Goroutine)}, to)...)
		done.Set(s.Goroutine, to)
	}
	for _, i := range p.order.Linear(nil) {
		if p.order.Holds(p.kept[i]) {
			next(i, p.steps[i].Time)
		}
	}
	next(a, p.steps[a].Time-1)
	next(b, p.steps[b].Time-1)
	if !p.relation.Logged() {
		return nil
	}
	return append(list, p.steps[a].site.Order, p.steps[b].site.Order)
}
