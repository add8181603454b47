package callgraph

import (
	"fmt"
	"go/types"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// A Graph has the functions that a program can reach, and their calls.
type Graph struct {
	// Nodes are the functions in the order in which they were found, which depends on nothing but
	// the program. The first one is Machine.
	Nodes []*Node
	// Machine stands for what calls functions without a call instruction of the program: the start
	// of the program and of its initialisers, timers, finalizers, cleanups, signals and reflection.
	Machine *Node

	of       map[*ssa.Function]*Node // by the function that is called, and by that which has the body
	written  map[string]*Node        // function values that the machine has written, by the function that returns them
	unsound  []string
	boxed    []types.Type
	draws    bool
	errors   []types.Type
	roots    map[*Node]bool
	given    []*Node
	sites    map[ssa.CallInstruction]*Site
	recovers map[*Node]bool // see Recovers
	machine  map[*Node]bool // what the machine calls, and what function values call that it has written
}

// A Node is a function.
type Node struct {
	ID   int           // index in Graph.Nodes
	Func *ssa.Function // as calls name it; nil for the machine, and for function values that it has written
	Body *ssa.Function // has the blocks; often Func itself, nil for functions of the machine
	Name string        // as code.FuncName gives it
	// Sites are the calls in the body, in the order of its blocks and instructions. Those of
	// the machine have no instruction.
	Sites []*Site

	callers []*Site // set by Graph.link, once each
}

// A Site is a call instruction, or what the machine calls.
type Site struct {
	Caller *Node
	Instr  ssa.CallInstruction // nil if the machine calls
	Mode   Mode

	static  *Node  // what it calls, if there is only one possibility
	dynamic *group // otherwise
}

// A Mode says how a function is called.
type Mode uint8

// The modes.
const (
	Call    Mode = iota
	Go           // in a new goroutine
	Defer        // when the caller returns or panics
	Outside      // by the machine
)

var modes = [...]string{"call", "go", "defer", "machine"}

func (m Mode) String() string { return modes[m] }

// A group is what several sites call: all calls of one method of an interface type, or of function
// values of one signature.
type group struct {
	callees []*Node
	has     map[*Node]bool
}

func (g *group) add(n *Node) {
	if g.has[n] {
		return
	}
	if g.has == nil {
		g.has = make(map[*Node]bool)
	}
	g.has[n] = true
	g.callees = append(g.callees, n)
}

// Callees returns the functions that may be called, in a fixed order. The list is shared and not to be changed.
// It is empty if the call cannot be reached with a value that has code: a run panics there.
// Builtin functions have no nodes.
func (s *Site) Callees() []*Node {
	if s.static != nil {
		return []*Node{s.static}
	}
	if s.dynamic == nil {
		return nil
	}
	return s.dynamic.callees
}

// May reports whether n is one of Callees.
func (s *Site) May(n *Node) bool {
	switch {
	case s.static != nil:
		return s.static == n
	case s.dynamic == nil:
		return false
	case s.dynamic.has != nil:
		return s.dynamic.has[n]
	}
	return slices.Contains(s.dynamic.callees, n)
}

// Static reports whether the call names the function that it calls.
func (s *Site) Static() bool { return s.static != nil }

// Of returns the node of a function, nil if it cannot be reached. The function may be the one that
// calls name, or the one that has the body, or a closure in one.
func (g *Graph) Of(fn *ssa.Function) *Node { return g.of[fn] }

// OfCode returns the node of a function of register code, nil if it cannot be reached or is a builtin function.
// Function values that the machine has written have one node for all that one of its functions returns.
func (g *Graph) OfCode(f *code.Func) *Node {
	if f.SSA == nil {
		return nil
	}
	if by, _, ok := strings.Cut(f.Name, "["); ok && f.Body == nil {
		if by == "runtime.setFinalizer" {
			by = "runtime.nextFinalizer" // which returns what was written then
		}
		if n := g.written[by]; n != nil {
			return n
		}
	}
	if f.Body == nil && f.Name != name(f.SSA) {
		return nil
	}
	return g.of[f.SSA]
}

// Written returns the node of the function values that a function of the machine returns, nil if it returns none.
func (g *Graph) Written(n *Node) *Node { return g.written[n.Name] }

// Callers returns the sites that may call n, in the order of the nodes and their sites.
func (n *Node) Callers() []*Site { return n.callers }

// SiteOf returns the site of a call in n, nil if instr is a call of a builtin function.
func (n *Node) SiteOf(instr ssa.CallInstruction) *Site {
	for _, s := range n.Sites {
		if s.Instr == instr {
			return s
		}
	}
	return nil
}

// Site returns the site of a call in any function, nil if instr is a call of a builtin function, or cannot be reached.
func (g *Graph) Site(instr ssa.CallInstruction) *Site { return g.sites[instr] }

// Ends reports whether n is a function of the machine that does not return.
func (n *Node) Ends() bool {
	return n.Body == nil && (n.Name == "runtime.Goexit" || n.Name == "syscall.Exit")
}

// Deferred returns the sites of the calls that a function defers: its own, and those of the bodies of its
// range-over-func loops.
func (g *Graph) Deferred(n *Node) []*Site {
	var list []*Site
	add := func(n *Node, lent bool) {
		for _, s := range n.Sites {
			if d, ok := s.Instr.(*ssa.Defer); ok && (d.DeferStack != nil) == lent {
				list = append(list, s)
			}
		}
	}
	add(n, false)
	if n.Body == nil {
		return list
	}
	work := slices.Clone(n.Body.AnonFuncs)
	for len(work) > 0 {
		fn := work[0]
		work = append(work[1:], fn.AnonFuncs...)
		if c := g.Of(fn); c != nil {
			add(c, true)
		}
	}
	return list
}

// Recovers reports whether a function may go on after a panic: it defers a function that calls recover, or one that is
// not known.
func (g *Graph) Recovers(n *Node) bool {
	if n.Body == nil || n.Body.Recover == nil {
		return false
	}
	if known, ok := g.recovers[n]; ok {
		return known
	}
	if g.recovers == nil {
		g.recovers = make(map[*Node]bool)
	}
	g.recovers[n] = defersRecover(n)
	var work []*Node
	seen := make(map[*Node]bool)
	add := func(s *Site) {
		for _, c := range s.Callees() {
			if !seen[c] {
				seen[c] = true
				work = append(work, c)
			}
		}
	}
	for _, s := range g.Deferred(n) {
		add(s)
	}
	for len(work) > 0 && !g.recovers[n] {
		c := work[0]
		work = work[1:]
		g.recovers[n] = callsRecover(c)
		if c.Body != nil && c.Body.Synthetic != "" {
			for _, s := range c.Sites { // for recover, what a wrapper calls is called directly
				add(s)
			}
		}
	}
	return g.recovers[n]
}

// callsRecover reports whether a function calls recover itself, or may do anything.
func callsRecover(n *Node) bool {
	if n.Body == nil {
		return n.Func == nil // written by the machine
	}
	for instr := range ssaform.Instructions(n.Body) {
		if call, ok := instr.(ssa.CallInstruction); ok && isRecover(call) {
			return true
		}
	}
	return false
}

// defersRecover reports whether a function, or the body of a loop in it, defers recover itself.
func defersRecover(n *Node) bool {
	work := []*ssa.Function{n.Body}
	for len(work) > 0 {
		fn := work[0]
		work = append(work[1:], fn.AnonFuncs...)
		for instr := range ssaform.Instructions(fn) {
			if d, ok := instr.(*ssa.Defer); ok && isRecover(d) {
				return true
			}
		}
	}
	return false
}

func isRecover(call ssa.CallInstruction) bool { return ssaform.IsBuiltin(call.Common(), "recover") }

// Primitive reports whether the machine carries out the function itself.
func (n *Node) Primitive() bool { return n.Body == nil && n.Func != nil }

// Starts reports whether a function of the machine has it call a function of the program later, in
// a goroutine of its own: when a timer fires, or when something is collected.
func (n *Node) Starts() bool { return n.Primitive() && powers[n.Name]&callsPlain != 0 }

func (n *Node) String() string { return n.Name }

// Boxed returns the types of which values may be in interfaces.
func (g *Graph) Boxed() []types.Type { return g.boxed }

// Draws reports whether interfaces and functions are inputs.
func (g *Graph) Draws() bool { return g.draws }

// Errors returns the types of the values with which the machine panics.
func (g *Graph) Errors() []types.Type { return g.errors }

// Root reports whether the program starts with a function.
func (g *Graph) Root(n *Node) bool { return g.roots[n] }

// Given returns the functions that are passed to the one with which the program starts.
func (g *Graph) Given() []*Node { return g.given }

// ByMachine reports whether the machine may call a function, or a function value may that the machine has written.
func (g *Graph) ByMachine(n *Node) bool { return g.machine[n] }

// Unsound returns what the graph may have missed, a line each.
func (g *Graph) Unsound() []string { return g.unsound }

// link sets the callers of all nodes.
func (g *Graph) link() {
	g.machine = make(map[*Node]bool)
	g.sites = make(map[ssa.CallInstruction]*Site)
	for _, n := range g.Nodes {
		n.callers = nil
	}
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			if s.Instr != nil {
				g.sites[s.Instr] = s
			}
			for _, callee := range s.Callees() {
				callee.callers = append(callee.callers, s)
				if s.Mode == Outside {
					g.machine[callee] = true
				}
			}
		}
	}
}

// Narrow returns a graph with those callees of g for which may holds: a call is left out when it does
// not, and with it the functions that nothing calls any more. A call that names what it calls stays.
func (g *Graph) Narrow(may func(s *Site, callee *Node) bool) *Graph {
	return g.narrow(func(s *Site, callee *Node) bool { return s.static != nil || may(s, callee) })
}

// Part returns the part of g that a program reaches which starts with some of the roots of g and
// passes to them some of the functions that are given. A given function that is left out is still
// called where a call names it. The machine calls no closures of functions that are not reached.
func (g *Graph) Part(roots, given []*ssa.Function) *Graph {
	p := part{
		graph: g, starts: make(map[*Node]bool), out: make(map[*Node]bool), has: make([]bool, len(g.Nodes)),
		waiting: make(map[*Node][]*Node),
	}
	for _, fn := range roots {
		p.starts[g.Of(fn)] = true
	}
	passed := make(map[*Node]bool)
	for _, fn := range given {
		passed[g.Of(fn)] = true
	}
	for _, n := range g.given {
		p.out[n] = !passed[n]
	}
	p.reach()
	return g.narrow(func(s *Site, callee *Node) bool { return p.may(s, callee) && p.has[callee.ID] })
}

// A part is what is known of a part of a graph while it is found.
type part struct {
	graph   *Graph
	starts  map[*Node]bool
	out     map[*Node]bool    // are given to others only
	has     []bool            // by ID
	waiting map[*Node][]*Node // closures that the machine may call, by the function that makes them
}

// may reports whether a site may call a function, if that is reached.
func (p *part) may(s *Site, callee *Node) bool {
	if s.static != nil {
		return s.Instr != nil || !p.graph.roots[callee] || p.starts[callee]
	}
	return !p.out[callee]
}

// reach finds the functions that are reached.
func (p *part) reach() {
	work := []*Node{p.graph.Machine}
	p.has[p.graph.Machine.ID] = true
	add := func(n *Node) {
		if !p.has[n.ID] {
			p.has[n.ID] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range p.waiting[n] {
			add(c)
		}
		for _, s := range n.Sites {
			for _, c := range s.Callees() {
				if !p.may(s, c) {
					continue
				}
				if s.Instr == nil && c.Func != nil && c.Func.Parent() != nil {
					if made := p.graph.Of(c.Func.Parent()); made != nil && !p.has[made.ID] {
						p.waiting[made] = append(p.waiting[made], c)
						continue
					}
				}
				add(c)
			}
		}
	}
}

// narrow returns a graph with those callees of g for which may holds.
func (g *Graph) narrow(may func(s *Site, callee *Node) bool) *Graph {
	narrow := &Graph{of: make(map[*ssa.Function]*Node), written: make(map[string]*Node), unsound: g.unsound}
	to := make(map[*Node]*Node)
	var work []*Node
	node := func(old *Node) *Node {
		n := to[old]
		if n == nil {
			n = &Node{ID: len(narrow.Nodes), Func: old.Func, Body: old.Body, Name: old.Name}
			to[old] = n
			narrow.Nodes = append(narrow.Nodes, n)
			if n.Func != nil {
				narrow.of[n.Func] = n
			} else if by, ok := strings.CutSuffix(n.Name, "()"); ok {
				narrow.written[by] = n
			}
			if n.Body != nil {
				narrow.of[n.Body] = n
			}
			work = append(work, old)
		}
		return n
	}
	narrow.Machine = node(g.Machine)
	for i := 0; i < len(work); i++ {
		old, n := work[i], to[work[i]]
		for _, s := range old.Sites {
			if s.Instr == nil && s.static != nil && !may(s, s.static) {
				continue
			}
			c := &Site{Caller: n, Instr: s.Instr, Mode: s.Mode}
			n.Sites = append(n.Sites, c)
			switch {
			case s.static != nil:
				c.static = node(s.static)
			case s.dynamic != nil:
				c.dynamic = &group{}
				for _, callee := range s.dynamic.callees {
					if may(s, callee) {
						c.dynamic.callees = append(c.dynamic.callees, node(callee))
					}
				}
			}
		}
	}
	for fn, old := range g.of { // with the other names of functions
		if n := to[old]; n != nil {
			narrow.of[fn] = n
		}
	}
	narrow.boxed, narrow.draws, narrow.errors, narrow.roots = g.boxed, g.draws, g.errors, make(map[*Node]bool)
	for old := range g.roots {
		if n := to[old]; n != nil {
			narrow.roots[n] = true
		}
	}
	for _, old := range g.given {
		if n := to[old]; n != nil {
			narrow.given = append(narrow.given, n)
		}
	}
	narrow.link()
	return narrow
}

// WriteTo prints the graph: each function with its calls, at which line, in which mode, and what
// they may call.
func (g *Graph) WriteTo(w io.Writer) (int64, error) {
	return g.Print(w, func(*Node) bool { return true })
}

// Print is WriteTo for the functions for which show holds.
func (g *Graph) Print(w io.Writer, show func(*Node) bool) (int64, error) {
	var out strings.Builder
	for _, n := range g.Nodes {
		if !show(n) {
			continue
		}
		fmt.Fprintf(&out, "%s%s\n", n.Name, primitive(n))
		for _, s := range n.Sites {
			names := make([]string, 0, len(s.Callees()))
			for _, c := range s.Callees() {
				names = append(names, c.Name)
			}
			slices.Sort(names)
			fmt.Fprintf(&out, "\t%s%s -> %s\n", s.Mode, s.line(), strings.Join(names, ", "))
		}
	}
	n, err := io.WriteString(w, out.String())
	return int64(n), err
}

func primitive(n *Node) string {
	if n.Primitive() {
		return " (of the machine)"
	}
	return ""
}

func (s *Site) line() string {
	if s.Instr == nil || !s.Instr.Pos().IsValid() {
		return ""
	}
	return fmt.Sprintf(" line %d", s.Caller.Body.Prog.Fset.Position(s.Instr.Pos()).Line)
}

// Sanity returns an error that says which invariant of the graph does not hold.
func (g *Graph) Sanity() error {
	if len(g.Nodes) == 0 || g.Nodes[0] != g.Machine {
		return fmt.Errorf("callgraph: the first node is not the machine")
	}
	for i, n := range g.Nodes {
		if n.ID != i {
			return fmt.Errorf("callgraph: node %d, %s, has the number %d", i, n.Name, n.ID)
		}
		if n.Func != nil && g.of[n.Func] != n || n.Body != nil && g.of[n.Body] != n {
			return fmt.Errorf("callgraph: %s is not found by its function", n.Name)
		}
		if n.Func != nil && len(n.callers) == 0 {
			return fmt.Errorf("callgraph: nothing calls %s", n.Name)
		}
		for _, s := range n.Sites {
			if s.Caller != n {
				return fmt.Errorf("callgraph: a site of %s is one of %s, too", n.Name, s.Caller.Name)
			}
			if (s.Instr == nil) != (n.Func == nil) || s.Instr != nil && s.Instr.Parent() != n.Body {
				return fmt.Errorf("callgraph: a site of %s has the instruction of another function", n.Name)
			}
			for _, c := range s.Callees() {
				if c.ID >= len(g.Nodes) || g.Nodes[c.ID] != c {
					return fmt.Errorf("callgraph: %s calls %s, which is not in the graph", n.Name, c.Name)
				}
			}
		}
	}
	return nil
}

// name returns the name of a function.
func name(fn *ssa.Function) string { return code.FuncName(fn) }
