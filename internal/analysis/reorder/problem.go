package reorder

import (
	"slices"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A Problem asks which steps of a window can be brought into which order.
type Problem struct {
	*Window
	order    *order.Part // whose events are the steps
	same     []order.Lit // by step: it reads what it has read; of reads that need not
	clean    []order.Lit // by step: it writes what it has written
	previous []int       // by step: the one before it in its goroutine, -1 if there is none
	ready    [][]int     // by step: steps of other goroutines that its goroutine needs to be at it
	next     []order.Lit // by step: its goroutine is at it; of those that were asked about
	pending  [][]int     // by step: reads on which it depends what the goroutine does there
}

// Problem states the constraints of the window as it is.
func (w *Window) Problem() *Problem {
	n := len(w.Steps)
	p := &Problem{
		Window: w, order: order.NewPart(n),
		same: make([]order.Lit, n), clean: make([]order.Lit, n),
		next: make([]order.Lit, n), pending: make([][]int, n),
	}
	for i := range n {
		p.same[i], p.clean[i], p.next[i] = order.None, order.None, order.None
	}
	p.addGoroutines()
	p.addReads()
	p.addLocks()
	p.keepOrder((*Step).Talks, (*Step).TalksWith)
	if w.Writes {
		p.keepOrder((*Step).writes, func(*Step, *Step) bool { return true })
	}
	return p
}

// addGoroutines states that what is kept of a goroutine is a prefix, with all that it needs.
func (p *Problem) addGoroutines() {
	n := p.Needs()
	p.previous, p.ready = n.Previous, n.Ready
	for i := range p.Steps {
		if n.Previous[i] >= 0 {
			p.order.Need(n.Previous[i], i)
		}
		for _, j := range n.Others[i] {
			p.order.Need(j, i)
		}
	}
}

// addReads states what reads have to see.
func (p *Problem) addReads() {
	if p.Reads == dependence.AnyReads {
		return
	}
	lists := map[schedule.Cell][]int{} // of writes
	initial := map[schedule.Cell]schedule.Value{}
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.role != accesses {
			continue
		}
		if s.writes() {
			lists[s.Site.Cell] = append(lists[s.Site.Cell], i)
		}
		if s.reads() && s.from < p.start {
			if _, ok := initial[s.Site.Cell]; !ok {
				initial[s.Site.Cell] = s.read
			}
		}
	}
	unsettled := map[schedule.GoroutineID][]int{} // reads since the last step that is tied
	for i := range p.Steps {
		s := &p.Steps[i]
		if p.Reads == dependence.BranchReads {
			p.settle(i, unsettled)
		}
		if p.Reads == dependence.BranchReads && s.reads() && s.symbolic && len(lists[s.Site.Cell]) > 0 {
			p.same[i] = p.order.NewSelector()
			unsettled[s.Goroutine] = append(unsettled[s.Goroutine], i)
		}
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		condition := p.order.Kept(i)
		if p.same[i] != order.None {
			condition = p.same[i]
		}
		if s.reads() && s.role == accesses && len(lists[s.Site.Cell]) > 0 {
			p.addRead(i, condition, lists[s.Site.Cell], initial[s.Site.Cell])
		}
	}
}

// settle states on which of the reads before it step i depends.
func (p *Problem) settle(i int, unsettled map[schedule.GoroutineID][]int) {
	s := &p.Steps[i]
	list := unsettled[s.Goroutine]
	if len(list) == 0 {
		return
	}
	if s.tied {
		p.pending[i] = list
		for _, r := range list {
			p.order.Add(p.order.Kept(i).Not(), p.same[r])
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
func (p *Problem) addRead(r int, condition order.Lit, writes []int, initial schedule.Value) {
	s := &p.Steps[r]
	read := order.Read{
		Event: r, When: condition, Writes: writes,
		Initial: (s.from < p.start || initial == s.read && s.read.Kind != schedule.NoValue) &&
			!slices.ContainsFunc(writes, func(w int) bool { return p.Steps[w].Before(s) }),
		First:   order.None,
		Clean:   func(w int) order.Lit { return p.clean[w] },
		Ordered: func(i, j int) bool { return p.Steps[i].Before(&p.Steps[j]) },
	}
	for _, w := range writes {
		t := &p.Steps[w]
		if w == r || s.Before(t) ||
			t.Site.Order != s.from && (t.wrote != s.read || s.read.Kind == schedule.NoValue) || p.overwritten(w, r, writes) {
			continue
		}
		read.Sources = append(read.Sources, w)
	}
	p.order.See(read)
}

// overwritten reports whether another write is between w and r in any order.
func (p *Problem) overwritten(w, r int, writes []int) bool {
	return slices.ContainsFunc(writes, func(other int) bool {
		return other != w && other != r && p.Steps[w].Before(&p.Steps[other]) && p.Steps[other].Before(&p.Steps[r])
	})
}

// addLocks states that sections that exclude each other do not overlap.
func (p *Problem) addLocks() {
	if p.Locks == dependence.AnyLocks {
		return
	}
	for _, list := range p.Sections() {
		for i, b := range list {
			for _, a := range list[:i] {
				if a.Exclude(b) {
					p.order.Exclude(order.Section{Acquire: a.Acquire, Release: a.Release},
						order.Section{Acquire: b.Acquire, Release: b.Release}, p.Locks == dependence.FreeLocks)
				}
			}
		}
	}
}

// keepOrder states that some steps stay in their order, if they are kept: of each cell, those that
// depend on each other.
func (p *Problem) keepOrder(which func(*Step) bool, dependent func(s, t *Step) bool) {
	lists := map[schedule.Cell][]int{}
	var all []int // that are of no object, or of any
	for i := range p.Steps {
		s := &p.Steps[i]
		if !which(s) {
			continue
		}
		c := s.Site.Cell
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
			if !p.Steps[j].Before(s) && dependent(&p.Steps[j], s) {
				p.order.Add(p.order.Kept(j).Not(), p.order.Kept(i).Not(), p.order.Before(j, i))
			}
		}
		lists[c] = append(lists[c], i)
		all = all[:0]
	}
}

// Kept returns the literal that step i is in the order.
func (p *Problem) Kept(i int) order.Lit { return p.order.Kept(i) }

// Next returns a literal that is true only in orders after which one of the given steps is next: its goroutine
// has done all that comes before it, in the way in which it was done, and has not done the step.
func (p *Problem) Next(steps ...int) order.Lit {
	if len(steps) == 1 {
		return p.isNext(steps[0])
	}
	some := p.order.NewSelector()
	clause := []order.Lit{some.Not()}
	for _, i := range steps {
		clause = append(clause, p.isNext(i))
	}
	p.order.Add(clause...)
	return some
}

// isNext is Next for one step.
func (p *Problem) isNext(i int) order.Lit {
	if p.next[i] != order.None {
		return p.next[i]
	}
	l := p.order.NewSelector()
	p.next[i] = l
	p.order.Add(l.Not(), p.order.Kept(i).Not())
	if p.previous[i] >= 0 {
		p.order.Add(l.Not(), p.order.Kept(p.previous[i]))
	}
	for _, j := range p.ready[i] {
		p.order.Add(l.Not(), p.order.Kept(j))
	}
	for _, r := range p.pending[i] {
		p.order.Add(l.Not(), p.same[r])
	}
	return l
}

// Possible reports whether there is an order in which all the given literals hold.
func (p *Problem) Possible(literals ...order.Lit) bool {
	return p.order.Check(literals...) == order.Sat
}

// Selector returns a literal that has nothing to do with the order, of a group of constraints that hold where it does.
func (p *Problem) Selector() order.Lit { return p.order.NewSelector() }

// Order returns the steps of the order that the last call of Possible has found.
func (p *Problem) Order() []int {
	return slices.DeleteFunc(p.order.Linear(nil), func(i int) bool { return !p.order.Holds(p.order.Kept(i)) })
}

// Otherwise states, where a selector holds, that some reads do not all see the writes that they see
// in the order that the last call of Possible has found, if all are kept. It returns false if there
// are none.
func (p *Problem) Otherwise(selector order.Lit, reads []int) bool {
	clause := []order.Lit{selector.Not()}
	at := make([]int, len(p.Steps))
	for n, i := range p.order.Linear(nil) {
		at[i] = n
	}
	for _, r := range reads {
		clause = append(clause, p.order.Kept(r).Not())
		last := -1
		var before []int
		for w := range p.Steps {
			if s := &p.Steps[w]; w == r || s.Site.Cell != p.Steps[r].Site.Cell || !s.Writes() || p.Steps[r].Before(s) {
				continue
			}
			switch kept := p.order.Kept(w); {
			case !p.order.Holds(kept):
				clause = append(clause, kept)
			case at[r] < at[w]:
				clause = append(clause, kept.Not(), p.order.Before(w, r))
			default:
				clause = append(clause, kept.Not(), p.order.Before(r, w))
				before = append(before, w)
				if last < 0 || at[last] < at[w] {
					last = w
				}
			}
		}
		for _, w := range before {
			if w != last {
				clause = append(clause, p.order.Before(last, w))
			}
		}
	}
	if len(clause) == 1 {
		return false
	}
	p.order.Add(clause...)
	return true
}

// Chosen returns which of the steps of a call of Next is next in the order that the last call of
// Possible has found.
func (p *Problem) Chosen(steps []int) int {
	for _, i := range steps {
		if p.next[i] != order.None && p.order.Holds(p.next[i]) {
			return i
		}
	}
	return steps[0]
}

// Witness returns the order that the last call of Possible has found, with the events that are no steps, and
// after it the given steps, which are next. It returns nil if the schedule is too long for that.
func (p *Problem) Witness(next ...int) []int64 {
	kept := func(yield func(int) bool) {
		for _, i := range p.order.Linear(nil) {
			if p.order.Holds(p.order.Kept(i)) && !yield(i) {
				return
			}
		}
	}
	return p.Window.Witness(kept, next...)
}
