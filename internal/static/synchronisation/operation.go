package synchronisation

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
)

// A Kind says what an operation does.
type Kind uint8

// The kinds of operations.
const (
	Spawn    Kind = iota + 1 // a go statement, or WaitGroup.Go, which adds, too
	Channel                  // a send, a receive, a close, a select, or how many elements a channel has
	Lock                     // of a Mutex or RWMutex: to take it, to try to, or to let it go
	Add                      // to a WaitGroup, or Done
	Join                     // WaitGroup.Wait
	CondWait                 // Cond.Wait
	Notify                   // Cond.Signal or Broadcast
	Once                     // Once.Do
	Atomic                   // of package sync/atomic
)

// An Operation is an instruction of the program with which a goroutine synchronises with others.
type Operation struct {
	Instr ssa.Instruction
	Kind  Kind
}

// An Unsupported is something in a program that schedules cannot be found for.
type Unsupported struct {
	Instr ssa.Instruction // at which it is; its position may be unknown
	Func  *ssa.Function   // in which it is
	Why   string
}

// kinds are the functions of packages sync and sync/atomic, by their names.
var kinds = map[string]Kind{
	"(*sync.Mutex).Lock": Lock, "(*sync.Mutex).TryLock": Lock, "(*sync.Mutex).Unlock": Lock,
	"(*sync.RWMutex).Lock": Lock, "(*sync.RWMutex).TryLock": Lock, "(*sync.RWMutex).Unlock": Lock,
	"(*sync.RWMutex).RLock": Lock, "(*sync.RWMutex).TryRLock": Lock, "(*sync.RWMutex).RUnlock": Lock,
	"(*sync.rlocker).Lock": Lock, "(*sync.rlocker).Unlock": Lock,
	"(*sync.WaitGroup).Add": Add, "(*sync.WaitGroup).Done": Add, "(*sync.WaitGroup).Wait": Join, "(*sync.WaitGroup).Go": Spawn,
	"(*sync.Cond).Wait": CondWait, "(*sync.Cond).Signal": Notify, "(*sync.Cond).Broadcast": Notify,
	"(*sync.Once).Do": Once,
}

// harmless are functions of package sync that do not synchronise themselves.
var harmless = map[string]bool{"sync.NewCond": true, "(*sync.RWMutex).RLocker": true}

// fullName returns the name of a function as documentation has it, such as (*sync.Mutex).Lock.
func fullName(fn *ssa.Function) string {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.FullName()
	}
	if outer := fn.Parent(); outer != nil {
		for outer.Parent() != nil {
			outer = outer.Parent()
		}
		return "a function literal in " + fullName(outer)
	}
	return fn.String()
}

// Operations are those of a program.
type Operations struct {
	List        []Operation // in the order of the call graph
	Unsupported []Unsupported

	analysis *static.Analysis
	calls    *callgraph.Graph
	kind     map[ssa.Instruction]Kind
	edges    *edges
	may      []bool // by callgraph.Node.ID: the function, or what it calls in its own goroutine, synchronises
	waits    []bool // likewise: may wait for other goroutines

	computing map[*callgraph.Node]bool // see computes
	mentions  *bool                    // what hasForeign returns, nil if that is not known
}

// Find finds the operations of a program, with the calls that are possible.
func Find(a *static.Analysis, calls *callgraph.Graph) *Operations {
	o := &Operations{
		analysis: a, calls: calls, kind: make(map[ssa.Instruction]Kind), may: make([]bool, len(calls.Nodes)),
		waits: make([]bool, len(calls.Nodes)), computing: make(map[*callgraph.Node]bool),
	}
	o.edges = newEdges(calls, o.own)
	for _, n := range calls.Nodes {
		if n.Body == nil || !o.own(n.Body) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				k, why := o.classify(instr)
				if d, ok := instr.(*ssa.Defer); ok && k != 0 && why == "" {
					why = checkDeferred(d)
				}
				if why != "" {
					o.Unsupported = append(o.Unsupported, Unsupported{instr, n.Body, why})
				}
				if k != 0 {
					o.List = append(o.List, Operation{instr, k})
					o.kind[instr] = k
				}
			}
		}
	}
	o.close()
	for _, n := range calls.Nodes {
		if n.Body != nil && o.own(n.Body) && initialises(n.Body) && o.may[n.ID] {
			o.Unsupported = append(o.Unsupported, Unsupported{n.Body.Blocks[0].Instrs[0], n.Body, "synchronisation in the initialisation of package " + n.Body.Pkg.Pkg.Path() + " is not covered"})
		}
	}
	o.findRecursion()
	o.findEnds()
	return o
}

// endsTest are the methods of package testing that end the goroutine of a test.
var endsTest = []string{"FailNow", "Fatal", "Fatalf", "SkipNow", "Skip", "Skipf"}

// findEnds notes calls that end the goroutine of a test where another one may be: that ends, and the test goes on.
func (o *Operations) findEnds() {
	seen := make([]bool, len(o.calls.Nodes))
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if !seen[n.ID] {
			seen[n.ID] = true
			work = append(work, n)
		}
	}
	edges := func(n *callgraph.Node, do func(Edge)) {
		for _, s := range n.Sites {
			if s.Instr != nil {
				for _, e := range o.edges.from[s] {
					do(e)
				}
			}
		}
	}
	in := func(fn *ssa.Function, path string) bool {
		p := place.PackageOf(fn)
		return p != nil && p.Path() == path
	}
	for _, n := range o.calls.Nodes {
		if n.Body == nil || !o.own(n.Body) && !in(n.Body, "sync") { // others that start goroutines for the program are not covered
			continue
		}
		edges(n, func(e Edge) {
			if e.Mode == callgraph.Go {
				add(e.Callee)
			}
		})
	}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		if n.Body == nil || in(n.Body, "testing") {
			continue
		}
		edges(n, func(e Edge) {
			add(e.Callee)
			if fn := e.Callee.Func; fn != nil && in(fn, "testing") && slices.Contains(endsTest, fn.Name()) {
				o.Unsupported = append(o.Unsupported, Unsupported{e.Site.Instr, n.Body, fullName(fn) + " is covered in the goroutine of the test only"})
			}
		})
	}
}

// initialises reports whether a function is the initialiser of a package, or one of its init functions.
func initialises(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
}

// inputs is the package that inputs are drawn with. What it does to find them is not synchronisation of the program.
const inputs = "github.com/everyway-go/everyway/sym"

// own reports whether a function is outside of the standard library, and of the package of inputs.
// Wrappers that are made for method values are those of what they call.
func (o *Operations) own(fn *ssa.Function) bool {
	p := place.PackageOf(fn)
	return p != nil && p.Path() != inputs && !o.analysis.Code().Standard(p)
}

// Own reports whether a function is outside of the standard library.
func (o *Operations) Own(fn *ssa.Function) bool { return o.own(fn) }

// Calls returns the call graph.
func (o *Operations) Calls() *callgraph.Graph { return o.calls }

// Callers returns the calls of a function.
func (o *Operations) Callers(n *callgraph.Node) []Edge { return o.edges.to[n.ID] }

// Callees returns what an instruction may call in its own goroutine, deferred calls included.
func (o *Operations) Callees(instr ssa.Instruction) []*callgraph.Node {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	s := o.calls.Site(call)
	if s == nil {
		return nil
	}
	var list []*callgraph.Node
	for _, e := range o.edges.from[s] {
		if e.Mode != callgraph.Go {
			list = append(list, e.Callee)
		}
	}
	return list
}

// Of returns the kind of an operation, 0 if an instruction is none.
func (o *Operations) Of(instr ssa.Instruction) Kind { return o.kind[instr] }

// May reports whether a function, or what it calls in its own goroutine, may synchronise.
func (o *Operations) May(n *callgraph.Node) bool { return o.may[n.ID] }

// classify returns the kind of an operation, 0 for other instructions, or why an instruction is not covered.
func (o *Operations) classify(instr ssa.Instruction) (k Kind, why string) {
	switch instr := instr.(type) {
	case *ssa.Go:
		return Spawn, ""
	case *ssa.Send, *ssa.Select:
		return Channel, ""
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			return Channel, ""
		}
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return 0, ""
	}
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "close":
			return Channel, ""
		case "recover":
			if panicsAgain(call) {
				return 0, ""
			}
			return 0, "recover: what goes on after a panic is not covered"
		case "len":
			if _, ok := call.Common().Args[0].Type().Underlying().(*types.Chan); ok {
				return Channel, "" // how many have been sent and received before
			}
		}
		return 0, ""
	}
	site := o.calls.Site(call)
	if site == nil {
		return 0, ""
	}
	for _, c := range site.Callees() {
		if c.Func == nil {
			continue
		}
		p := place.PackageOf(c.Func)
		if p == nil || initialises(c.Func) {
			continue
		}
		name := fullName(c.Func)
		switch {
		case p.Path() == "sync/atomic":
			if k == 0 {
				k = Atomic
			}
		case p.Path() == "sync":
			if harmless[name] {
				continue
			}
			if kinds[name] == 0 {
				return 0, name + " is not covered"
			}
			if k == 0 || kinds[name] == k {
				k = kinds[name]
			}
		default:
			if o.isForeign(site, c) {
				return 0, name + " is not covered: it synchronises with what is not in the program"
			}
		}
	}
	return k, ""
}

// panicsAgain reports whether the function that recovers from a panic does nothing before it panics
// itself, so that nothing goes on.
func panicsAgain(recovers ssa.CallInstruction) bool {
	if _, ok := recovers.(*ssa.Call); !ok {
		return false
	}
	instrs := recovers.Block().Instrs
	if _, ok := instrs[len(instrs)-1].(*ssa.Panic); !ok {
		return false
	}
	return !slices.ContainsFunc(instrs[slices.Index(instrs, ssa.Instruction(recovers))+1:], func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case ssa.CallInstruction, *ssa.Send, *ssa.Select:
			return true
		case *ssa.UnOp:
			return instr.Op == token.ARROW
		}
		return false
	})
}

// checkDeferred returns why an operation that is deferred is not covered, "" if it is.
func checkDeferred(d *ssa.Defer) string {
	if _, ok := d.Call.Value.(*ssa.Builtin); !ok && d.Call.StaticCallee() == nil {
		return "synchronisation that is deferred through an interface or a function value is not covered"
	}
	return ""
}

// close sets may and waits.
func (o *Operations) close() {
	o.spread(o.may, func(Operation) bool { return true })
	o.spread(o.waits, o.wait)
}

// spread sets, in a slice by callgraph.Node.ID, which functions make an operation of some kind, or
// call in their own goroutine what does.
func (o *Operations) spread(is []bool, some func(Operation) bool) {
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if n != nil && !is[n.ID] {
			is[n.ID] = true
			work = append(work, n)
		}
	}
	for _, op := range o.List {
		if some(op) {
			add(o.calls.Of(op.Instr.Parent()))
		}
	}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, e := range o.Callers(n) {
			if e.Mode == callgraph.Call || e.Mode == callgraph.Defer {
				add(e.Site.Caller)
			}
		}
	}
}

// wait reports whether a goroutine may wait in an operation for other goroutines.
func (o *Operations) wait(op Operation) bool {
	call, ok := op.Instr.(ssa.CallInstruction)
	if !ok {
		return true // of a channel
	}
	switch op.Kind {
	case Join, CondWait, Once:
		return true
	case Lock:
		site := o.calls.Site(call)
		return site == nil || slices.ContainsFunc(site.Callees(), func(n *callgraph.Node) bool {
			return n.Func == nil || n.Func.Name() == "Lock" || n.Func.Name() == "RLock"
		})
	}
	return false
}

// WaitDeferred returns the defer statements of what may wait for other goroutines: it is called in
// the course of a panic, too.
func (o *Operations) WaitDeferred() []*ssa.Defer {
	var list []*ssa.Defer
	for _, n := range o.calls.Nodes {
		if n.Body == nil || !o.own(n.Body) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				d, ok := instr.(*ssa.Defer)
				if !ok {
					continue
				}
				k := o.kind[d]
				if k != 0 && o.wait(Operation{d, k}) ||
					slices.ContainsFunc(o.Callees(d), func(n *callgraph.Node) bool { return o.waits[n.ID] }) {
					list = append(list, d)
				}
			}
		}
	}
	return list
}

// findRecursion notes functions that synchronise and call themselves, directly or not.
func (o *Operations) findRecursion() {
	const entered, left = 1, 2
	state := make([]uint8, len(o.calls.Nodes))
	var visit func(n *callgraph.Node)
	visit = func(n *callgraph.Node) {
		state[n.ID] = entered
		for _, s := range n.Sites {
			if s.Instr == nil {
				continue
			}
			for _, e := range o.edges.from[s] {
				c := e.Callee
				switch {
				case e.Mode == callgraph.Go:
				case !o.may[c.ID]:
				case state[c.ID] == entered:
					if n.Body != nil {
						o.Unsupported = append(o.Unsupported, Unsupported{s.Instr, n.Body, "synchronisation in recursion is not covered: " + strings.TrimSuffix(c.Name, "$bound") + " is called again"})
					}
				case state[c.ID] == 0:
					visit(c)
				}
			}
		}
		state[n.ID] = left
	}
	for _, n := range o.calls.Nodes {
		if o.may[n.ID] && state[n.ID] == 0 && n != o.calls.Machine {
			visit(n)
		}
	}
}

// String returns the kind for people to read.
func (k Kind) String() string {
	names := [...]string{"none", "go", "channel", "lock", "add", "join", "cond wait", "notify", "once", "atomic"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprint("kind ", uint8(k))
}
