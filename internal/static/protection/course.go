package protection

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// A Beginning is what is known of the goroutine in which a target begins.
type Beginning struct {
	Calls *callgraph.Graph
	Roots []*callgraph.Node // what it begins with, of which there is at least one
	// Alone reports whether nothing but that goroutine executes a function once packages are initialised.
	Alone func(*callgraph.Node) bool
	// Anytime reports whether something else calls a function in that goroutine than what the Roots lead to.
	Anytime func(*callgraph.Node) bool
	// Initial reports whether a function may be executed while packages are initialised.
	Initial func(*callgraph.Node) bool
}

// A course is which numbers a package variable has one after the other, if only the goroutine in
// which a target begins writes it: on entry to each function that the goroutine executes, and when
// the function returns.
type course struct {
	*bounding
	c      *cell
	writes map[*callgraph.Node]bool // functions that lead to a store, in the same goroutine
	entry  map[*callgraph.Node]Interval
	leave  map[*callgraph.Node]Interval
	grown  map[*callgraph.Node]int      // how often the two have
	begun  map[*callgraph.Site]Interval // when another goroutine may be started there

	work []*callgraph.Node
}

// mayHaveCourse reports whether a cell is a package variable of a program of which the beginning is known.
func (b *bounding) mayHaveCourse(c *cell) bool {
	return b.Beginning != nil && c.bound.Variable != nil && len(c.bound.Fields) == 0
}

// courseOf returns the course of a cell, nil if it has none.
func (b *bounding) courseOf(c *cell) *course {
	if !b.mayHaveCourse(c) {
		return nil
	}
	begin := b.Beginning
	k := &course{bounding: b, c: c, writes: make(map[*callgraph.Node]bool), begun: make(map[*callgraph.Site]Interval),
		entry: make(map[*callgraph.Node]Interval), leave: make(map[*callgraph.Node]Interval), grown: make(map[*callgraph.Node]int)}
	first := Interval{} // what the variable is when packages are initialised
	var work []*callgraph.Node
	for _, s := range c.stores {
		n := begin.Calls.Of(s.Parent())
		if n == nil {
			continue // which nothing calls
		}
		initial := begin.Initial(n)
		if initial {
			first = first.join(b.valueOf(s.Val, 0))
		}
		switch {
		case begin.Alone(n):
			if b.Control(n.Body) == nil {
				return nil
			}
			work = append(work, n)
			k.writes[n] = true
		case !initial:
			return nil
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Callers() {
			if caller := s.Caller; !isStart(s) && !k.writes[caller] && caller != begin.Calls.Machine {
				k.writes[caller] = true
				work = append(work, caller)
			}
		}
	}
	for _, n := range begin.Roots {
		at := first
		if takesMain(n) {
			at = c.bound.Ever
		}
		k.enter(n, at)
	}
	for _, n := range begin.Calls.Nodes {
		if begin.Anytime(n) {
			k.enter(n, c.bound.Ever)
		}
	}
	for len(k.work) > 0 {
		n := k.work[0]
		k.work = k.work[1:]
		k.run(n, nil)
	}
	return k
}

// takesMain reports whether a function is one that calls the tests, after it has done what it likes.
func takesMain(n *callgraph.Node) bool {
	return n.Func != nil && n.Func.Name() == "TestMain"
}

// isStart reports whether a call is made in another goroutine, or by the machine, which may make it there.
func isStart(s *callgraph.Site) bool { return s.Mode == callgraph.Go || s.Mode == callgraph.Outside }

// enter adds numbers to those on entry to a function.
func (k *course) enter(n *callgraph.Node, with Interval) {
	if k.grow(k.entry, n, with) {
		k.queue(n)
	}
}

// returns adds numbers to those that are there when a function returns.
func (k *course) returns(n *callgraph.Node, with Interval) {
	if !k.grow(k.leave, n, with) {
		return
	}
	for _, s := range n.Callers() {
		if _, entered := k.entry[s.Caller]; entered && k.writes[s.Caller] {
			k.queue(s.Caller)
		}
	}
}

// grow adds numbers to those of a function, and reports whether there are more now.
func (k *course) grow(of map[*callgraph.Node]Interval, n *callgraph.Node, by Interval) bool {
	was, known := of[n]
	if by.isNone() || known && was.has(by) {
		return false
	}
	if known {
		const limit = 8
		if k.grown[n]++; k.grown[n] > limit {
			by = widen(was, was.join(by), k.ends, k.c.within)
		}
		by = was.join(by)
	}
	of[n] = by
	return true
}

func (k *course) queue(n *callgraph.Node) {
	if !slices.Contains(k.work, n) {
		k.work = append(k.work, n)
	}
}

// run goes through a function. If at is an instruction of it, it returns what the variable is there.
func (k *course) run(n *callgraph.Node, at ssa.Instruction) Interval {
	in := k.entry[n]
	if !k.writes[n] {
		for _, s := range n.Sites {
			if isStart(s) {
				k.starts(s, in)
				continue
			}
			for _, callee := range s.Callees() {
				k.enter(callee, in)
			}
		}
		return in
	}
	var graph *control.Graph
	if n.Body != nil {
		graph = k.Control(n.Body)
	}
	for _, s := range n.Sites { // what is called without an instruction, or when the function ends in whatever way
		if graph != nil && s.Instr != nil && s.Mode != callgraph.Defer {
			continue
		}
		if isStart(s) {
			k.starts(s, k.c.bound.Ever)
			continue
		}
		for _, callee := range s.Callees() {
			k.enter(callee, k.c.bound.Ever)
		}
	}
	if graph == nil {
		k.returns(n, k.c.bound.Ever)
		return k.c.bound.Ever
	}
	f := &flow{
		bounding: k.bounding, c: k.c, n: n, graph: graph, of: make(map[lockset.Path]int), loads: make(map[ssa.Value]Interval), loadings: make(map[ssa.Value]int),
		course: k, until: at, there: none,
	}
	f.add(lockset.Path{Root: k.c.bound.Variable})
	f.run()
	return f.there
}

// stepIn is what an instruction does to a variable whose course the flow is part of.
func (f *flow) stepIn(c *content, instr ssa.Instruction) {
	k := f.course
	switch instr := instr.(type) {
	case *ssa.Return:
		k.returns(f.n, c.is)
	case *ssa.Go:
		if s := k.Beginning.Calls.Site(instr); s != nil {
			k.starts(s, c.is)
		}
	case *ssa.RunDefers:
		if slices.ContainsFunc(f.n.Sites, func(s *callgraph.Site) bool {
			return s.Mode == callgraph.Defer &&
				slices.ContainsFunc(s.Callees(), func(callee *callgraph.Node) bool { return k.writes[callee] })
		}) {
			c.is, c.regs = f.c.bound.Ever, nil
		}
	case *ssa.Call:
		s := k.Beginning.Calls.Site(instr)
		if s == nil || len(s.Callees()) == 0 {
			return
		}
		after, written := none, false
		for _, callee := range s.Callees() {
			k.enter(callee, c.is)
			if k.writes[callee] {
				after, written = after.join(k.leaving(callee)), true
			} else {
				after = after.join(c.is)
			}
		}
		if c.is = after; written {
			c.regs = nil
		}
	}
}

// starts notes what the variable is when another goroutine may be started at a site.
func (k *course) starts(s *callgraph.Site, with Interval) {
	was, known := k.begun[s]
	if known {
		with = with.join(was)
	}
	k.begun[s] = with
}

// leaving is what the variable is when a function returns, none if it is not known to do so.
func (k *course) leaving(n *callgraph.Node) Interval {
	if is, ok := k.leave[n]; ok {
		return is
	}
	return none
}

// course returns the course of a package variable, nil if it has none.
func (b *Bound) course() *course {
	if b.cell == nil {
		return nil
	}
	if !b.cell.courseKnown {
		b.cell.course, b.cell.courseKnown = b.by.courseOf(b.cell), true
	}
	return b.cell.course
}

// BegunWith returns between which numbers a package variable is when there is another goroutine
// than that in which the target begins, and that is one to which some sites lead where goroutines
// are started, if nothing writes the variable any more then. Else it is where the variable always
// is.
func (p *Program) BegunWith(b *Bound, leads func(*callgraph.Site) bool) Interval {
	k := b.course()
	if k == nil || slices.ContainsFunc(k.c.stores, func(s *ssa.Store) bool { return !p.Early(s) }) {
		return b.Ever
	}
	is := none
	for s, with := range k.begun {
		if leads(s) {
			is = is.join(with)
		}
	}
	if is.isNone() {
		return b.Ever
	}
	return b.Ever.Meet(is)
}

// At returns between which numbers a package variable is when the goroutine in which the target
// begins is at an instruction, if nobody else writes it. Else it is where the variable always is.
func (p *Program) At(b *Bound, at ssa.Instruction) Interval {
	k := b.course()
	if k == nil {
		return b.Ever
	}
	n := p.Beginning.Calls.Of(at.Parent())
	if n == nil {
		return b.Ever
	}
	if _, entered := k.entry[n]; !entered {
		return b.Ever
	}
	if is := k.run(n, at); !is.isNone() {
		return b.Ever.Meet(is)
	}
	return b.Ever
}
