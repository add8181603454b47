package order

// None is the literal of what needs no condition.
const None = ^Lit(0)

// A Part is an Order of which some events are kept, and the others left out. Its constraints are those
// that the memory and the locks of a concurrent program put on an order of its events.
type Part struct {
	*Order
	kept []Lit
}

// NewPart returns a Part of n events without constraints.
func NewPart(n int) *Part {
	p := &Part{Order: NewOrder(n), kept: make([]Lit, n)}
	for i := range p.kept {
		p.kept[i] = p.NewSelector()
	}
	return p
}

// Kept returns the literal that event i is kept.
func (p *Part) Kept(i int) Lit { return p.kept[i] }

// Need states that event i comes before event j, which is kept only if i is.
func (p *Part) Need(i, j int) {
	p.Fix(i, j)
	p.Add(p.kept[j].Not(), p.kept[i])
}

// A Section is a critical section, from event to event; -1 stands for what is none of the events.
type Section struct{ Acquire, Release int }

// Exclude states that two sections do not overlap. If free is not set, a comes before b.
func (p *Part) Exclude(a, b Section, free bool) {
	if b.Acquire < 0 {
		return
	}
	var both []Lit
	if a.Acquire >= 0 {
		both = append(both, p.kept[a.Acquire].Not())
	}
	both = append(both, p.kept[b.Acquire].Not())
	choice := append([]Lit{}, both...)
	after := func(x, y Section) { // x is released before y is acquired
		l := p.Before(x.Release, y.Acquire)
		choice = append(choice, l)
		p.Add(append(append([]Lit{}, both...), l.Not(), p.kept[x.Release])...)
	}
	if a.Release >= 0 {
		after(a, b)
	}
	if free && b.Release >= 0 && a.Acquire >= 0 {
		after(b, a)
	}
	p.Add(choice...)
}

// A Read is an event that has to see a certain value in a cell.
type Read struct {
	Event   int
	When    Lit   // the condition under which it has to see it
	Initial bool  // it may see what was there before all events
	First   Lit   // with Initial: the condition under which that is the value, which may be None
	Sources []int // the writes that it may see
	Writes  []int // all writes to the cell
	// Clean returns the condition under which one of the sources writes the value, which may be None.
	Clean func(write int) Lit
	// Ordered reports whether one event comes before another in any order.
	Ordered func(i, j int) bool
}

// See states that a read sees one of its sources: that is kept, and no other write that is kept
// comes between them.
func (p *Part) See(r Read) {
	sources := []Lit{r.When.Not()}
	if r.Initial {
		source := p.NewSelector()
		sources = append(sources, source)
		if r.First != None {
			p.Add(source.Not(), r.First)
		}
		for _, w := range r.Writes {
			if w != r.Event {
				p.Add(source.Not(), p.kept[w].Not(), p.Before(r.Event, w))
			}
		}
	}
	for _, w := range r.Sources {
		source := p.NewSelector()
		sources = append(sources, source)
		p.Add(source.Not(), p.kept[w])
		p.Add(source.Not(), p.Before(w, r.Event))
		if clean := r.Clean(w); clean != None {
			p.Add(source.Not(), clean)
		}
		for _, other := range r.Writes {
			if other != w && other != r.Event && !r.Ordered(other, w) && !r.Ordered(r.Event, other) {
				p.Add(source.Not(), p.kept[other].Not(), p.Before(other, w), p.Before(r.Event, other))
			}
		}
	}
	p.Add(sources...)
}
