package initial

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/protection"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// Beginnings know what is executed only while there is no goroutine but the one in which a target
// begins, and nobody has been told to start one: as what a test sets up before its first go
// statement. A goroutine that is started later finds in memory what was written then, as long as
// nothing else writes there (Bergan 2014, section 2.5.4: writes that must occur before the first
// thread is made). Each target is run by itself.
type beginnings struct {
	calls      *callgraph.Graph
	isStandard func(*ssa.Package) bool
	once       map[*callgraph.Node]bool // targets that only package testing calls
	first      map[*callgraph.Node]bool // what the goroutine in which a target begins executes
	late       map[*callgraph.Node]bool // of these, what may be called when a goroutine has been started
	other      map[*callgraph.Node]bool // what other goroutines may execute, or the machine
	start      map[*callgraph.Node]bool // what may start a goroutine, or have the machine do so later
	initial    map[*callgraph.Node]bool // what initialises the program's own packages, and what that calls
	// Initialised says that no initialiser of the program's own packages starts a goroutine.
	initialised bool
}

func newBeginnings(g *callgraph.Graph, isStandard func(*ssa.Package) bool) *beginnings {
	b := &beginnings{
		calls: g, isStandard: isStandard, first: make(map[*callgraph.Node]bool),
		late: make(map[*callgraph.Node]bool), initialised: true,
	}
	b.findOnce(isStandard)
	roots := slices.Clone(g.Given())
	var outside, initialisers, apart []*callgraph.Node
	for _, s := range g.Machine.Sites {
		for _, c := range s.Callees() {
			switch {
			case isInitialiser(c):
				if !isStandard(c.Func.Pkg) {
					initialisers = append(initialisers, c)
				}
			case !g.Root(c):
				outside = append(outside, c)
			case len(g.Given()) == 0:
				roots = append(roots, c)
			}
		}
	}
	b.findStarts()
	for _, n := range initialisers {
		b.initialised = b.initialised && !slices.ContainsFunc(n.Sites, func(s *callgraph.Site) bool {
			return starts(s) || slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return !isInitialiser(c) && b.start[c] })
		})
	}
	apart = append(apart, outside...)
	for n := range reached(append(slices.Clone(roots), initialisers...)) {
		for _, s := range n.Sites {
			if starts(s) {
				apart = append(apart, s.Callees()...)
			}
		}
	}
	b.other = b.reached(apart)
	b.initial = make(map[*callgraph.Node]bool)
	initialises := func(n *callgraph.Node) bool {
		if b.initial[n] || isInitialiser(n) && isStandard(n.Func.Pkg) {
			return false
		}
		b.initial[n] = true
		return true
	}
	spread(slices.DeleteFunc(slices.Clone(initialisers), func(n *callgraph.Node) bool { return !initialises(n) }), initialises)
	add := func(n *callgraph.Node) bool {
		was := b.first[n]
		b.first[n] = true
		return !was
	}
	for _, n := range roots {
		add(n)
	}
	spread(roots, add)
	var late []*callgraph.Node
	add = func(n *callgraph.Node) bool {
		was := b.late[n]
		b.late[n] = true
		return !was
	}
	for n := range b.first {
		if b.calledLater(n) && add(n) {
			late = append(late, n)
		}
		for _, s := range n.Sites {
			if !starts(s) && (s.Instr == nil || s.Mode == callgraph.Defer && b.start[n] || b.startsBefore(n, s.Instr)) {
				for _, c := range s.Callees() {
					if add(c) {
						late = append(late, c)
					}
				}
			}
		}
	}
	spread(late, add)
	return b
}

// findOnce finds the targets of which the program's own packages do not mention the functions but to call them.
func (b *beginnings) findOnce(isStandard func(*ssa.Package) bool) {
	b.once = make(map[*callgraph.Node]bool)
	for _, n := range b.calls.Given() {
		b.once[n] = true
	}
	for _, n := range b.calls.Nodes {
		if n.Body == nil || isStandard(n.Body.Pkg) {
			continue
		}
		anyOf(n.Body, func(instr ssa.Instruction) bool {
			for _, op := range instr.Operands(nil) {
				if fn, ok := (*op).(*ssa.Function); ok {
					delete(b.once, b.calls.Of(fn))
				}
			}
			return false
		})
	}
}

// makesOne reports whether what an object stands for is made once at most: by a target, which only
// package testing calls, outside of loops.
func (b *beginnings) makesOne(o *pointsto.Object) bool {
	alloc, ok := o.Instr.(*ssa.Alloc)
	return ok && !o.Exposed && b.once[b.calls.Of(alloc.Parent())] && !control.Leads(alloc.Block(), alloc.Block())
}

// reached is reached, but for the targets that only package testing calls: it does so once, in the
// goroutine in which they begin.
func (b *beginnings) reached(from []*callgraph.Node) map[*callgraph.Node]bool {
	seen := make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	for _, n := range from {
		if !b.once[n] && !seen[n] {
			seen[n] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Sites {
			for _, c := range s.Callees() {
				if !seen[c] && !b.once[c] {
					seen[c] = true
					work = append(work, c)
				}
			}
		}
	}
	return seen
}

// calledLater reports whether something else than what the goroutine of a target executes may call
// a function that it executes, too, as package testing does with the functions that are passed to
// T.Cleanup.
func (b *beginnings) calledLater(n *callgraph.Node) bool {
	if slices.Contains(b.calls.Given(), n) {
		return !b.once[n]
	}
	return !b.calls.Root(n) && slices.ContainsFunc(n.Callers(), func(s *callgraph.Site) bool {
		return !starts(s) && (!b.first[s.Caller] || strings.HasPrefix(s.Caller.Name, "testing."))
	})
}

// spread adds what some functions call in the same goroutine, until nothing is new.
func spread(from []*callgraph.Node, add func(*callgraph.Node) bool) {
	for work := slices.Clone(from); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Sites {
			if starts(s) {
				continue
			}
			for _, c := range s.Callees() {
				if add(c) {
					work = append(work, c)
				}
			}
		}
	}
}

// starts reports whether a site is a call in another goroutine, or one by the machine.
func starts(s *callgraph.Site) bool { return s.Mode == callgraph.Go || s.Mode == callgraph.Outside }

func isInitialiser(n *callgraph.Node) bool {
	return n.Func != nil && n.Func.Synthetic == "package initializer"
}

// findStarts finds the functions that may start a goroutine, by themselves or by what they call.
func (b *beginnings) findStarts() {
	b.start = make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	for _, n := range b.calls.Nodes {
		if n != b.calls.Machine && (n.Starts() || slices.ContainsFunc(n.Sites, starts)) {
			b.start[n] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Callers() {
			if c := s.Caller; c != b.calls.Machine && !b.start[c] {
				b.start[c] = true
				work = append(work, c)
			}
		}
	}
}

// course is what is known of the goroutine in which a target begins, nil if that is nothing.
func (b *beginnings) course() *protection.Beginning {
	if !b.initialised || len(b.calls.Given()) == 0 {
		return nil
	}
	return &protection.Beginning{
		Calls: b.calls, Roots: b.calls.Given(),
		Alone:   func(n *callgraph.Node) bool { return b.first[n] && !b.other[n] },
		Anytime: func(n *callgraph.Node) bool { return b.first[n] && b.calledLater(n) },
		Initial: func(n *callgraph.Node) bool { return b.initial[n] },
	}
}

// isFirst reports whether a goroutine is the one in which a target begins, if its outermost frame is one of a function.
func (b *beginnings) isFirst(outermost *ssa.Function) bool {
	n := b.calls.Of(outermost)
	return n != nil && b.first[n] && !b.other[n] && !b.initial[n]
}

// isOther reports whether a goroutine is another one, which that has started or one that it has
// started, directly or not.
func (b *beginnings) isOther(outermost *ssa.Function) bool {
	n := b.calls.Of(outermost)
	return n != nil && b.other[n] && !b.first[n] && !b.initial[n] && !b.isStandard(outermost.Pkg)
}

// settled reports whether what is at an address is only written before other goroutines are started
// than that in which a target begins.
func (b *beginnings) settled(definitions *reaching.Program, addr ssa.Value) bool {
	return !definitions.Written(addr, func(w ssa.Instruction) bool { return !b.isEarly(w) })
}

// isEarly reports whether an instruction is executed only by the goroutine in which a target
// begins, before it has started another one.
func (b *beginnings) isEarly(instr ssa.Instruction) bool {
	n := b.calls.Of(instr.Parent())
	switch {
	case n == nil || b.other[n] || b.late[n]:
		return false
	case !b.first[n]: // what initialises packages, or nothing is known of
		return b.initialised && (isInitialiser(n) || strings.HasPrefix(instr.Parent().Name(), "init#"))
	}
	return !b.startsBefore(n, instr)
}

// startsBefore reports whether a function may have started a goroutine when it comes to an instruction.
func (b *beginnings) startsBefore(n *callgraph.Node, at ssa.Instruction) bool {
	return b.start[n] && slices.ContainsFunc(n.Sites, func(s *callgraph.Site) bool {
		if !starts(s) && !slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return b.start[c] }) {
			return false
		}
		return s.Instr == nil || s.Mode == callgraph.Defer || leads(s.Instr, at)
	})
}

// leads reports whether a path leads from after one instruction of a function to another one.
func leads(from, to ssa.Instruction) bool {
	if from.Parent() != to.Parent() {
		return true
	}
	a, b := from.Block(), to.Block()
	if a == b && slices.Index(a.Instrs, from) < slices.Index(a.Instrs, to) {
		return true
	}
	seen := make(map[*ssa.BasicBlock]bool)
	for work := slices.Clone(a.Succs); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if n == b {
			return true
		}
		work = append(work, n.Succs...)
	}
	return false
}
