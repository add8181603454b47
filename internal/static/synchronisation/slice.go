package synchronisation

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A Slice has the instructions on which synchronisation may depend.
type Slice struct {
	ops      *Operations
	analysis *static.Analysis
	defs     *reaching.Program
	options  Options

	values  map[ssa.Value]bool
	control map[ssa.Instruction]bool // what decides whether it is carried out is in the slice, in callers too
	local   map[ssa.Instruction]bool // likewise, in its function
	in      map[ssa.Instruction]bool
	dead    map[*control.Graph][]bool // by node, see ends
	deps    map[*control.Graph][][]control.Dependence
	final   map[*control.Node]bool   // see Final
	at      map[ssa.Value]bool       // what may write there is in the slice
	writes  map[ssa.Instruction]bool // what it writes is in the slice
	work    []task
	now     any         // what the slice is being completed for: an instruction or a value
	cause   map[any]any // of an instruction or a value, what it is in the slice for

	closures  map[*ssa.Function][]*ssa.MakeClosure
	sends     []ssa.Instruction    // and selects
	made      []*ssa.MakeInterface // of pointers
	atomics   []primitiveCall      // that may write
	sources   map[ssa.Instruction]string
	order     []ssa.Instruction     // of sources, as found
	search    *search               // how much of the slice is wanted; nil for all of it
	elsewhere map[pointsto.Key]bool // by pointsto.Pointees.Key of addresses that are read: what writes there apart from instructions is in the slice
	read      map[ssa.Value]bool    // addresses, slices and maps of which the slice reads what is there
	reads     []ssa.Value           // those of read, as found
	boxes     []*ssa.MakeInterface
	parts     *pointsto.Parts // with borders: of memory, what the slice reads anywhere
	unknown   ssa.Value       // an address of which it is not known where it leads, nil if there is none
	pointers  *pointsto.Result
	receives  []types.Type // of elements that are received
	sets      *bool        // what setsProcessors returns, nil if that is not known
	flags     *bool        // likewise flagsGiven
}

// A search is for the sources of a slice: it ends when there is one, after so many tasks.
type search struct{ tasks int }

// A task completes the slice for an instruction or a value.
type task struct {
	of any
	do func()
}

// Options say what a slice has.
type Options struct {
	// Prefixes has branches of which one side ends the process before it synchronises left out, and
	// the ends of the process.
	Prefixes bool
	// Borders has whatever may write memory that the slice reads be in it, also where nothing reads
	// that any more: the slice computes the content of such memory at all times, and not only what
	// is read.
	Borders bool
	// Decided are branches of which it does not matter what decides them: either way is taken as
	// possible. See [Slice.Decisions].
	Decided map[*ssa.If]bool
	// Everything has all that the program computes be in it, apart from the standard library, as
	// far as that does not matter for it.
	Everything bool
	// Unknown has what package sym draws be no input, for tests.
	Unknown bool
	// Repeating are branches that are taken as no input, whatever decides them. See the function of that name.
	Repeating map[*ssa.If]bool
	// Processors says that it is known how many processors there are.
	Processors bool
	// Flags says that it is known with which flags the program is started.
	Flags bool
}

// newSlice returns a slice that has nothing in it.
func newSlice(ctx context.Context, a *static.Analysis, o *Operations, opt Options) (*Slice, error) {
	pointers, err := a.PointsTo(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding what synchronisation depends on: %w", err)
	}
	defs, err := a.Definitions(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding what synchronisation depends on: %w", err)
	}
	s := &Slice{ops: o, analysis: a, pointers: pointers, defs: defs, options: opt}
	s.empty()
	s.index()
	return s, nil
}

// NewSlice returns the slice of a program.
func NewSlice(ctx context.Context, a *static.Analysis, o *Operations, opt Options) (*Slice, error) {
	s, err := newSlice(ctx, a, o, opt)
	if err != nil {
		return nil, err
	}
	for _, op := range o.List {
		s.operation(op)
	}
	if !opt.Prefixes {
		s.ends()
	}
	if opt.Everything {
		s.everything()
	}
	if opt.Borders {
		s.parts = s.pointers.NewParts(s.initial())
	}
	for more := true; more; more = opt.Borders && s.allWrites() {
		if err := s.complete(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// empty has nothing in the slice.
func (s *Slice) empty() {
	s.values, s.control, s.local = make(map[ssa.Value]bool), make(map[ssa.Instruction]bool), make(map[ssa.Instruction]bool)
	s.in, s.at, s.writes, s.cause = make(map[ssa.Instruction]bool), make(map[ssa.Value]bool), make(map[ssa.Instruction]bool), make(map[any]any)
	s.final = make(map[*control.Node]bool)
	s.dead, s.deps = make(map[*control.Graph][]bool), make(map[*control.Graph][][]control.Dependence)
	s.sources, s.read, s.elsewhere = make(map[ssa.Instruction]string), make(map[ssa.Value]bool), make(map[pointsto.Key]bool)
	s.work, s.order, s.reads, s.boxes, s.receives, s.now = nil, nil, nil, nil, nil, nil
}

// complete adds what the slice needs for what is in it.
func (s *Slice) complete(ctx context.Context) error {
	for n := 0; len(s.work) > 0; n++ {
		if s.search != nil && len(s.order) > 0 && n >= s.search.tasks {
			break
		}
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := s.work[len(s.work)-1]
		if s.search != nil { // a source is often near
			next, s.work = s.work[0], s.work[1:]
		} else {
			s.work = s.work[:len(s.work)-1]
		}
		s.now = next.of
		next.do()
	}
	return nil
}

// allWrites adds whatever may write memory that the slice reads. It reports whether there is more of that than before.
func (s *Slice) allWrites() bool {
	for _, addr := range s.reads {
		if !s.pointers.Known(addr) && s.unknown == nil {
			if _, global := addr.(*ssa.Global); !global {
				s.unknown = addr
			}
		}
		s.parts.Add(s.pointers.Pointees(addr))
	}
	s.reads = nil
	for _, box := range s.boxes {
		s.parts.AddAll(s.parts.At(box))
		s.parts.AddAll(s.parts.Made(box.Parent(), box.X.Type()))
	}
	if !s.parts.Grown() {
		return false
	}
	for _, d := range s.defs.WritersTo(s.parts.Meet) {
		s.write(d)
	}
	for _, c := range s.atomics {
		if slices.ContainsFunc(c.to, s.parts.Meet) {
			s.write(c.call)
		}
	}
	return true
}

// initial returns a function that reports whether a function may be called before the program begins.
func (s *Slice) initial() func(*ssa.Function) bool {
	is := make(map[*ssa.Function]bool)
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if n.Body != nil && !is[n.Body] {
			is[n.Body] = true
			work = append(work, n)
		}
	}
	for _, n := range s.ops.calls.Nodes {
		if n.Body != nil && initialises(n.Body) {
			add(n)
		}
	}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, site := range n.Sites {
			for _, callee := range site.Callees() {
				add(callee)
			}
		}
	}
	return func(fn *ssa.Function) bool { return is[fn] }
}

// reading notes that the slice reads what is at an address.
func (s *Slice) reading(addr ssa.Value) {
	if !s.read[addr] {
		s.read[addr] = true
		s.reads = append(s.reads, addr)
	}
}

// Has reports whether synchronisation may depend on what an instruction computes, or which way a branch goes.
func (s *Slice) Has(instr ssa.Instruction) bool { return s.in[instr] }

// HasValue reports whether synchronisation may depend on a value.
func (s *Slice) HasValue(v ssa.Value) bool { return s.values[v] }

// Branches returns the branches in the slice, in the order of the call graph.
func (s *Slice) Branches() []*ssa.If {
	var list []*ssa.If
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil {
			continue
		}
		for _, b := range n.Body.Blocks {
			if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && s.in[br] {
				list = append(list, br)
			}
		}
	}
	return list
}

// primitivePackage reports whether a function is of a package in which atomic operations and locks
// are made. The slice has its calls, and not its code: that would be one for all of them.
func primitivePackage(fn *ssa.Function) bool {
	p := place.PackageOf(fn)
	if p == nil {
		return false
	}
	switch p.Path() {
	case "sync", "sync/atomic", "internal/sync", "internal/runtime/atomic":
		return true
	}
	return false
}

// Primitive reports whether a function is of a package in which atomic operations and locks are
// made, which are taken as a whole.
func (s *Slice) Primitive(fn *ssa.Function) bool { return primitivePackage(fn) }

// A Source is an instruction in the slice whose result is decided by what is no input.
type Source struct {
	Instr ssa.Instruction
	Why   string
}

// Sources returns them, in the order in which they were found, which depends on the program only.
func (s *Slice) Sources() []Source {
	var list []Source
	for _, i := range s.order {
		list = append(list, Source{i, s.sources[i]})
	}
	return list
}

// OwnSources returns the sources as the program has them, apart from the standard library: where it
// gets what is no input. If no source has such a place, they are where they are in the standard
// library.
func (s *Slice) OwnSources() []Source {
	var own, others []Source
	add := func(list *[]Source, src Source) {
		if !slices.ContainsFunc(*list, func(o Source) bool { return o.Instr == src.Instr }) {
			*list = append(*list, src)
		}
	}
	for _, src := range s.Sources() {
		at := slices.IndexFunc(s.Causes(src.Instr), func(cause any) bool {
			instr, ok := cause.(ssa.Instruction)
			return ok && s.ops.own(instr.Parent())
		})
		if at < 0 {
			add(&others, src)
			continue
		}
		instr := s.Causes(src.Instr)[at].(ssa.Instruction)
		if x, ok := instr.(*ssa.Extract); ok {
			if tuple, ok := x.Tuple.(ssa.Instruction); ok {
				instr = tuple // which has a position
			}
		}
		if at > 0 {
			src.Why = cmp.Or(given(instr), src.Why)
		}
		add(&own, Source{instr, src.Why})
	}
	if len(own) > 0 {
		return own
	}
	return others
}

// given says what an instruction has from outside of the program: what a call returns, or what is
// in a variable of another package; "" if it is neither.
func given(instr ssa.Instruction) string {
	if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL {
		for at := load.X; ; {
			switch x := at.(type) {
			case *ssa.IndexAddr:
				at = x.X
				continue
			case *ssa.FieldAddr:
				at = x.X
				continue
			case *ssa.Slice:
				at = x.X
				continue
			case *ssa.UnOp:
				at = x.X
				continue
			case *ssa.Global:
				if x.Pkg != nil && x.Pkg != instr.Parent().Pkg {
					return "what is in " + x.Pkg.Pkg.Path() + "." + x.Name()
				}
			}
			break
		}
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return ""
	}
	switch c := call.Common(); {
	case c.IsInvoke():
		return "what " + c.Method.FullName() + " returns"
	case c.StaticCallee() != nil:
		return "what " + fullName(c.StaticCallee()) + " returns"
	}
	return ""
}

func (s *Slice) source(instr ssa.Instruction, why string) {
	if _, ok := s.sources[instr]; !ok {
		s.sources[instr] = why
		s.order = append(s.order, instr)
	}
}

// index finds the closures, the sends, the interfaces and the calls of atomic operations.
func (s *Slice) index() {
	s.closures = make(map[*ssa.Function][]*ssa.MakeClosure)
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil {
			continue
		}
		for instr := range ssaform.Instructions(n.Body) {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				fn := instr.Fn.(*ssa.Function)
				s.closures[fn] = append(s.closures[fn], instr)
			case *ssa.Send, *ssa.Select:
				s.sends = append(s.sends, instr)
			case *ssa.MakeInterface:
				if _, ok := instr.X.Type().Underlying().(*types.Pointer); ok {
					s.made = append(s.made, instr)
				}
			}
		}
	}
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || primitivePackage(n.Body) {
			continue
		}
		for instr := range ssaform.Instructions(n.Body) {
			if call, ok := instr.(ssa.CallInstruction); ok {
				s.indexAtomic(call)
			}
		}
	}
}

// indexAtomic adds a call to the atomic operations that write, if it is one.
func (s *Slice) indexAtomic(call ssa.CallInstruction) {
	c := s.primitiveCall(call)
	if !slices.ContainsFunc(c.callees, func(n *callgraph.Node) bool { return !strings.HasPrefix(n.Func.Name(), "Load") }) {
		return
	}
	for _, at := range c.addresses {
		c.to = append(c.to, s.pointers.Pointees(at))
	}
	s.atomics = append(s.atomics, c)
}

// operation adds what decides whether an operation is carried out, and on which object.
func (s *Slice) operation(op Operation) {
	s.now = op.Instr
	s.reach(op.Instr)
	switch instr := op.Instr.(type) {
	case *ssa.Send:
		s.value(instr.Chan)
	case *ssa.UnOp:
		s.value(instr.X)
	case *ssa.Select:
		for _, st := range instr.States {
			s.value(st.Chan)
		}
	case ssa.CallInstruction:
		c := instr.Common()
		s.value(c.Value)
		primitive := s.primitiveCall(instr)
		for _, v := range primitive.bound {
			s.value(v)
		}
		switch {
		case op.Kind == Spawn && !isGoCall(instr):
			// What is passed to the goroutine matters if something depends on it there.
		case op.Kind == Atomic:
			if len(c.Args) > 0 && !c.IsInvoke() {
				s.value(c.Args[0])
			}
		default:
			for _, arg := range c.Args {
				s.value(arg)
			}
			for _, at := range primitive.addresses {
				if isPrimitive(at.Type().Underlying().(*types.Pointer).Elem()) {
					s.written(at) // by statements
				}
			}
		}
	}
}

// isPrimitive reports whether a type is one of package sync.
func isPrimitive(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync"
}

// isGoCall reports whether an operation that starts a goroutine is a call, and no go statement.
func isGoCall(instr ssa.CallInstruction) bool {
	_, ok := instr.(*ssa.Go)
	return !ok
}

// Final reports whether an instruction is a call of os.Exit that function main makes in the place
// of returning. What decides whether a run comes there is in the slice, as it is of a return.
func (s *Slice) Final(instr ssa.Instruction) bool {
	g := s.analysis.Control(instr.Parent())
	if g == nil || g.At(instr) == nil {
		return false
	}
	s.deadNodes(g)
	return s.final[g.At(instr)]
}

// findFinal finds the calls of os.Exit that come in the place of the return of function main, if
// the process certainly ends at the nodes that are dead: those that it does not come to because it
// goes on on the other side of a branch.
func (s *Slice) findFinal(g *control.Graph, dead []bool) bool {
	fn := g.Fn
	if fn.Pkg == nil || fn != fn.Pkg.Func("main") || fn.Pkg.Pkg.Name() != "main" {
		return false
	}
	found := false
	for _, n := range g.Nodes {
		if !n.Abrupt || s.final[n] {
			continue
		}
		exits := slices.ContainsFunc(n.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			return ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().String() == "os.Exit"
		})
		if exits && !s.goesOn(g, n, dead, make(map[*control.Node]bool)) {
			s.final[n], found = true, true
		}
	}
	return found
}

// goesOn reports whether the process goes on on the other side of a branch on which it depends that
// a run comes to a node, on a side on which the process ends.
func (s *Slice) goesOn(g *control.Graph, n *control.Node, dead []bool, seen map[*control.Node]bool) bool {
	if seen[n] {
		return false
	}
	seen[n] = true
	for _, d := range g.Dependences(n) {
		if d.Branch.Block == nil || len(d.Branch.Instrs) == 0 {
			continue // the start of the function
		}
		if s.alive(g, d.Branch, dead) == 1 && dead[d.Branch.Succs[d.Succ].ID] || s.goesOn(g, d.Branch, dead, seen) {
			return true
		}
	}
	return false
}

// ends adds what decides whether the process ends.
func (s *Slice) ends() {
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || !s.ops.own(n.Body) {
			continue
		}
		g := s.analysis.Control(n.Body)
		if g == nil {
			continue
		}
		for _, node := range g.Nodes {
			if node.Abrupt && len(node.Instrs) > 0 {
				s.reach(node.Instrs[len(node.Instrs)-1])
			}
		}
	}
}

// everything adds all instructions of the program itself, and what these are about.
func (s *Slice) everything() {
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || !s.ops.own(n.Body) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				s.reach(instr)
				for _, op := range instr.Operands(nil) {
					s.value(*op)
				}
			}
		}
	}
}

// reach adds what decides whether an instruction is carried out: in its function, and in its callers.
func (s *Slice) reach(instr ssa.Instruction) {
	if s.control[instr] {
		return
	}
	s.control[instr] = true
	s.in[instr] = true
	s.note(instr)
	s.work = append(s.work, task{instr, func() {
		fn := instr.Parent()
		s.depend(instr)
		n := s.ops.calls.Of(fn)
		if n == nil {
			return
		}
		for _, e := range s.ops.Callers(n) {
			if e.Site.Instr == nil {
				continue // the start of the program, or what the machine calls
			}
			s.reach(e.Site.Instr)
			for _, on := range e.Through {
				if primitivePackage(on.Instr.Parent()) {
					continue // whether Once calls it follows from the order of its calls
				}
				s.in[on.Instr] = true
				s.depend(on.Instr)
				s.dependCaller(on)
			}
			if !e.Site.Static() {
				s.value(e.Site.Instr.Common().Value)
			}
		}
	}})
}

// note notes what an instruction or a value is in the slice for.
func (s *Slice) note(x any) {
	if _, ok := s.cause[x]; !ok && x != s.now {
		s.cause[x] = s.now
	}
}

// Causes returns why an instruction is in the slice: instructions and values, each for the next,
// the last of which is an operation.
func (s *Slice) Causes(instr ssa.Instruction) []any {
	list := []any{instr}
	for x := s.cause[instr]; x != nil && len(list) < 1000; x = s.cause[x] {
		list = append(list, x)
	}
	return list
}

// dependCaller adds what decides in a function whether a closure in it that makes a call is called.
func (s *Slice) dependCaller(on *callgraph.Site) {
	for fn := on.Instr.Parent(); fn.Parent() != nil; fn = fn.Parent() {
		n := s.ops.calls.Of(fn)
		if n == nil {
			return
		}
		for _, e := range s.ops.Callers(n) {
			if e.Site.Instr != nil && e.Site.Instr.Parent() == fn.Parent() {
				s.in[e.Site.Instr] = true
				s.depend(e.Site.Instr)
			}
		}
	}
}

// depend adds the branches in its function on which it depends whether an instruction is carried out.
func (s *Slice) depend(instr ssa.Instruction) {
	if s.local[instr] {
		return
	}
	s.local[instr] = true
	g := s.analysis.Control(instr.Parent())
	if g == nil {
		return
	}
	n := g.At(instr)
	if n == nil {
		return
	}
	s.dependNode(g, n, make(map[*control.Node]bool))
}

func (s *Slice) dependNode(g *control.Graph, n *control.Node, seen map[*control.Node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	for _, d := range s.dependences(g)[n.ID] {
		if d.Branch.Block == nil || len(d.Branch.Instrs) == 0 {
			continue // the start of the function
		}
		last := d.Branch.Instrs[len(d.Branch.Instrs)-1]
		if s.options.Prefixes && s.ignored(g, d.Branch) {
			s.dependNode(g, d.Branch, seen)
			continue
		}
		s.in[last] = true
		s.note(last)
		if br, ok := last.(*ssa.If); ok {
			s.condition(br)
		}
		s.depend(last)
	}
}

// dependences returns, by node, on which branches it depends that a run comes to it which goes on.
func (s *Slice) dependences(g *control.Graph) [][]control.Dependence {
	deps, ok := s.deps[g]
	if !ok {
		without := make([]bool, len(g.Nodes))
		if s.options.Prefixes {
			without = s.deadNodes(g)
		}
		deps = g.DependencesWithout(without)
		s.deps[g] = deps
	}
	return deps
}

// condition adds what decides a branch.
func (s *Slice) condition(br *ssa.If) {
	switch {
	case s.options.Decided[br]:
	case s.options.Repeating[br]:
		s.source(br, goesRound)
	default:
		s.value(br.Cond)
	}
}

// ignored reports whether a branch has a side that ends the process before it synchronises, and not
// more than one that does not.
func (s *Slice) ignored(g *control.Graph, n *control.Node) bool {
	return s.alive(g, n, s.deadNodes(g)) <= 1
}

// alive returns how many sides of a branch do not end the process before it synchronises.
func (s *Slice) alive(g *control.Graph, n *control.Node, dead []bool) int {
	alive := 0
	for _, succ := range n.Succs[:len(n.Succs)-n.Pseudo] {
		if succ != g.Recover && !dead[succ.ID] {
			alive++
		}
	}
	return alive
}

// deadNodes says, of each node of a graph, whether the process certainly ends when it is reached,
// before it synchronises.
func (s *Slice) deadNodes(g *control.Graph) []bool {
	if dead, ok := s.dead[g]; ok {
		return dead
	}
	dead := make([]bool, len(g.Nodes))
	s.dead[g] = dead
	if g.Recover != nil {
		return dead // it may go on after a panic
	}
	s.findDead(g, dead)
	if s.findFinal(g, dead) {
		clear(dead)
		s.findDead(g, dead)
	}
	return dead
}

// findDead finds the nodes of a graph that are dead, those that are final apart.
func (s *Slice) findDead(g *control.Graph, dead []bool) {
	quiet := make([]bool, len(g.Nodes))
	for i, n := range g.Nodes {
		quiet[i] = !s.final[n] && !slices.ContainsFunc(n.Instrs, s.maySynchronise)
	}
	for changed := true; changed; {
		changed = false
		for i, n := range g.Nodes {
			if dead[i] || !quiet[i] || n == g.Exit || n == g.Start {
				continue
			}
			is := n.Abrupt
			if !n.Abrupt {
				is = len(n.Succs) > n.Pseudo
				for _, succ := range n.Succs[:len(n.Succs)-n.Pseudo] {
					is = is && dead[succ.ID]
				}
			}
			if is {
				dead[i], changed = true, true
			}
		}
	}
}

// maySynchronise reports whether an instruction is an operation, or calls what may synchronise.
func (s *Slice) maySynchronise(instr ssa.Instruction) bool {
	if s.ops.Of(instr) != 0 {
		return true
	}
	if _, ok := instr.(*ssa.RunDefers); ok {
		return true
	}
	return slices.ContainsFunc(s.ops.Callees(instr), s.ops.May)
}

// value adds what a value is computed from.
func (s *Slice) value(v ssa.Value) {
	if v == nil || s.values[v] {
		return
	}
	s.values[v] = true
	s.note(v)
	s.work = append(s.work, task{v, func() { s.compute(v) }})
}

func (s *Slice) compute(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin, *ssa.Alloc:
		return
	case *ssa.Parameter:
		s.parameter(v)
		return
	case *ssa.FreeVar:
		fn := v.Parent()
		i := slices.Index(fn.FreeVars, v)
		for _, c := range s.closures[fn] {
			s.value(c.Bindings[i])
			s.value(c) // which leads to it where it is called, although it is known which function that is
		}
		return
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	s.in[instr] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for i, e := range v.Edges {
			s.value(e)
			pred := v.Block().Preds[i]
			last := pred.Instrs[len(pred.Instrs)-1]
			s.depend(last)
			if br, ok := last.(*ssa.If); ok {
				if g := s.analysis.Control(br.Parent()); g != nil && s.options.Prefixes && s.ignored(g, g.At(br)) {
					continue
				}
				s.in[br] = true
				s.condition(br)
			}
		}
		return
	case *ssa.MakeClosure:
		return // what it captures matters where it is used
	case *ssa.MakeInterface:
		s.boxes = append(s.boxes, v)
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Call:
			s.results(tuple, v.Index)
			return
		case *ssa.UnOp:
			if tuple.Op == token.ARROW {
				s.receive(tuple, v.Index == 0)
				return
			}
		case *ssa.Select:
			s.selected(tuple, v.Index)
			return
		}
	case *ssa.Call:
		s.results(v, -1)
		return
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			s.receive(v, true)
			return
		}
	case *ssa.Select:
		s.selected(v, -1)
		return
	case *ssa.Next:
		if !v.IsString {
			s.source(v, "the order of a map")
		}
	case *ssa.Convert:
		if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer && s.ops.own(v.Parent()) {
			s.source(v, "the address of a variable")
		}
		s.contents(v)
	case *ssa.MultiConvert:
		s.contents(v)
	}
	if addr := reaching.Read(instr); addr != nil {
		s.memory(instr, addr)
	}
	for _, op := range instr.Operands(nil) {
		s.value(*op)
	}
}

// contents adds what is in the slice of which a conversion makes a string.
func (s *Slice) contents(v ssa.Value) {
	instr := v.(ssa.Instruction)
	if x := *instr.Operands(nil)[0]; isSlice(x.Type()) {
		s.written(x)
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// parameter adds what callers pass.
func (s *Slice) parameter(p *ssa.Parameter) {
	fn := p.Parent()
	n := s.ops.calls.Of(fn)
	if n == nil {
		return
	}
	i := slices.Index(fn.Params, p)
	for _, site := range n.Callers() {
		if site.Instr == nil {
			if fn.Signature.Params().Len() > 0 && !s.onlyCalled(fn) {
				s.source(fn.Blocks[0].Instrs[0], "what the runtime passes to "+fullName(fn))
			}
			continue
		}
		c := site.Instr.Common()
		args := c.Args
		if c.IsInvoke() {
			args = append([]ssa.Value{c.Value}, args...)
		}
		if i < len(args) {
			s.value(args[i])
		}
		if !site.Static() {
			s.value(c.Value)
		}
	}
}

// onlyCalled reports whether all that is done with a function literal is to call it, so that nobody
// else can, as by reflection.
func (s *Slice) onlyCalled(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	called := func(v ssa.Value) bool {
		refs := v.Referrers()
		return refs != nil && !slices.ContainsFunc(*refs, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.MakeClosure: // of the function, which is looked at itself
				return instr.Fn != v || slices.Contains(instr.Bindings, v)
			case ssa.CallInstruction:
				return instr.Common().Value != v || slices.Contains(instr.Common().Args, v)
			}
			return true
		})
	}
	return called(fn) && !slices.ContainsFunc(s.closures[fn], func(c *ssa.MakeClosure) bool { return !called(c) })
}

// results adds what a result of a call is computed from: that of an index, or all with -1.
func (s *Slice) results(call *ssa.Call, index int) {
	s.in[call] = true
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		for _, arg := range c.Args {
			s.value(arg)
		}
		switch b.Name() {
		case "len":
			if _, ok := c.Args[0].Type().Underlying().(*types.Map); ok {
				s.written(c.Args[0])
			}
		case "String": // of package unsafe: a string of bytes in memory
			s.written(c.Args[0])
		}
		return
	}
	site := s.ops.calls.Site(call)
	if site == nil {
		return
	}
	if !site.Static() {
		s.value(c.Value)
	}
	if primitive := s.primitiveCall(call); len(primitive.callees) > 0 {
		s.given(primitive)
		for _, at := range primitive.addresses {
			s.written(at)
		}
	}
	for _, n := range site.Callees() {
		if n.Func != nil && primitivePackage(n.Func) {
			continue
		}
		if n.Body == nil {
			s.primitive(call, n)
			continue
		}
		if s.countsProcessors(call) {
			continue
		}
		if ofEnvironment(n.Func) {
			s.source(call, "what "+n.Name+" returns")
		}
		for _, b := range n.Body.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok {
				continue
			}
			s.in[ret] = true
			s.depend(ret)
			for i, r := range ret.Results {
				if index < 0 || i == index {
					s.value(r)
				}
			}
		}
	}
}

// pure are the packages whose functions without code compute their results from what they are
// given, and from memory to which that leads.
var pure = []string{
	"math", "math/bits", "math/big", "internal/bytealg", "internal/abi", "sync", "sync/atomic", "internal/runtime/atomic", "internal/race", "unsafe", "strings",
	"internal/runtime/maps", "internal/stringslite", "internal/strconv", inputs,
}

// ofEnvironment reports whether what a function returns is that of the computer on which the
// program runs, as how many processors it has. The machine has code for it, which returns what one
// may have.
func ofEnvironment(fn *ssa.Function) bool {
	if fn == nil || fn.Parent() != nil || fn.Signature.Recv() != nil || place.PackageOf(fn) == nil {
		return false
	}
	path := place.PackageOf(fn).Path()
	return token.IsExported(fn.Name()) && (path == "runtime" || strings.HasPrefix(path, "runtime/")) ||
		path == "syscall" && fn.Name() == "Getpagesize"
}

// countsProcessors reports whether what a call returns is how many processors there are, if that is known.
func (s *Slice) countsProcessors(call ssa.CallInstruction) bool {
	if !s.options.Processors || !s.ops.own(call.Parent()) {
		return false
	}
	switch fn := call.Common().StaticCallee(); {
	case fn == nil:
		return false
	case fn.String() == "runtime.NumCPU":
		return true
	case fn.String() != "runtime.GOMAXPROCS":
		return false
	}
	if s.sets == nil {
		s.sets = new(bool)
		*s.sets = s.setsProcessors()
	}
	return !*s.sets
}

// setsProcessors reports whether the program may have runtime.GOMAXPROCS return something else than it did at first.
func (s *Slice) setsProcessors() bool {
	return slices.ContainsFunc(s.ops.calls.Nodes, func(n *callgraph.Node) bool {
		if n.Func == nil {
			return false
		}
		switch n.Func.String() {
		case "runtime.SetDefaultGOMAXPROCS":
			return len(s.ops.Callers(n)) > 0
		case "runtime.GOMAXPROCS":
		default:
			return false
		}
		return slices.ContainsFunc(s.ops.Callers(n), func(e Edge) bool {
			call := e.Site.Instr
			if call == nil || call.Common().StaticCallee() != n.Func {
				return true
			}
			switch arg := call.Common().Args[0].(type) {
			case *ssa.Const:
				return arg.Int64() > 0
			case *ssa.Call:
				fn := arg.Call.StaticCallee()
				return fn == nil || fn.String() != "runtime.NumCPU" || !s.ops.own(arg.Parent())
			}
			return true
		})
	})
}

// primitive adds what a function is given that the machine carries out.
func (s *Slice) primitive(call *ssa.Call, n *callgraph.Node) {
	path := ""
	if n.Func != nil {
		if p := place.PackageOf(n.Func); p != nil {
			path = p.Path()
		}
	}
	describes := (path == "reflect" || path == "internal/reflectlite") && strings.HasPrefix(n.Func.Name(), "type") // what a type is
	if !describes && !slices.Contains(pure, path) || path == inputs && s.options.Unknown {
		why := "what " + strings.TrimSuffix(n.Name, "$bound") + " returns"
		if path != "" && !token.IsExported(n.Func.Name()) && !s.ops.own(n.Func) {
			why = "what package " + path + " gets from outside"
		}
		s.source(call, why)
	}
	c := call.Common()
	for _, arg := range c.Args {
		s.value(arg)
		switch arg.Type().Underlying().(type) {
		case *types.Pointer, *types.Slice:
			s.written(arg)
		}
	}
}

// memory adds what may have written what an instruction reads from memory.
func (s *Slice) memory(instr ssa.Instruction, addr ssa.Value) {
	s.reading(addr)
	s.global(instr, addr)
	defs, _ := s.defs.Reads(instr)
	for _, d := range defs {
		s.write(d)
	}
	s.writtenElsewhere(addr)
}

// global notes a read of a variable that is set before the program begins.
func (s *Slice) global(instr ssa.Instruction, addr ssa.Value) {
	if g, ok := reaching.Root(addr).(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "os" && g.Name() == "Args" {
		s.source(instr, "what is in os.Args")
	}
}

// written adds what may write what is at an address, in the elements of a slice, or in a map.
func (s *Slice) written(addr ssa.Value) {
	if s.at[addr] {
		return
	}
	s.at[addr] = true
	s.reading(addr)
	for _, d := range s.defs.Writers(addr) {
		s.write(d)
	}
	s.writtenElsewhere(addr)
}

// writtenElsewhere adds what may write what is at an address, apart from instructions: functions of
// the machine, and atomic operations.
func (s *Slice) writtenElsewhere(addr ssa.Value) {
	to := s.pointers.Pointees(addr)
	if key, ok := to.Key(); ok {
		if s.elsewhere[key] {
			return
		}
		s.elsewhere[key] = true
	}
	for _, d := range s.defs.MachineWriters(addr) {
		s.write(d)
	}
	for _, c := range s.atomics {
		for i, at := range c.addresses {
			if at == addr || c.to[i].May(to) {
				s.write(c.call)
				break
			}
		}
	}
}

// write adds an instruction that writes what is read in the slice.
func (s *Slice) write(d ssa.Instruction) {
	if s.writes[d] || primitivePackage(d.Parent()) {
		return
	}
	s.writes[d] = true
	if s.setsFlag(d) {
		s.in[d] = true // what it writes, and whether it does, follows from the flags, if they are parsed
		s.reachFlags()
		return
	}
	s.reach(d)
	switch d := d.(type) {
	case *ssa.Store:
		s.value(d.Addr)
		s.value(d.Val)
	case *ssa.MapUpdate:
		s.value(d.Map)
		s.value(d.Key)
		s.value(d.Value)
	case ssa.CallInstruction:
		c := d.Common()
		if b, ok := c.Value.(*ssa.Builtin); ok {
			for _, arg := range c.Args {
				s.value(arg)
			}
			if b.Name() == "copy" || b.Name() == "append" {
				for _, arg := range c.Args {
					if isSlice(arg.Type()) && !s.at[arg] {
						s.work = append(s.work, task{d, func() { s.written(arg) }})
					}
				}
			}
			return
		}
		if call, ok := d.(*ssa.Call); ok {
			if site := s.ops.calls.Site(call); site != nil {
				for _, n := range site.Callees() {
					if n.Body == nil && (n.Func == nil || !primitivePackage(n.Func)) {
						s.primitive(call, n)
					}
				}
			}
		}
		if p := s.primitiveCall(d); len(p.callees) > 0 {
			s.given(p)
			return
		}
		if _, ok := d.(*ssa.Call); ok {
			return
		}
		for _, arg := range c.Args {
			s.value(arg)
		}
	}
}

// receive adds what a receive depends on: whether a value is received or the channel is closed
// follows from the operations, and the value itself, if it is wanted, from what is sent.
func (s *Slice) receive(v *ssa.UnOp, value bool) {
	s.in[v] = true
	s.value(v.X)
	if value {
		s.received(v.X.Type())
	}
}

// selected adds what a result of a select depends on: that of an index, or all with -1. The first
// two are which case it is, and whether a value is received; then there is one for each receive.
func (s *Slice) selected(v *ssa.Select, index int) {
	s.in[v] = true
	at := 2
	for _, st := range v.States {
		s.value(st.Chan)
		if st.Dir != types.RecvOnly {
			continue
		}
		if index < 0 || index == at {
			s.received(st.Chan.Type())
		}
		at++
	}
}

// received adds what may be sent on a channel of a type.
func (s *Slice) received(t types.Type) {
	elem := t.Underlying().(*types.Chan).Elem()
	s.receives = append(s.receives, elem)
	same := func(ch ssa.Value) bool { return types.Identical(ch.Type().Underlying().(*types.Chan).Elem(), elem) }
	for _, instr := range s.sends {
		switch instr := instr.(type) {
		case *ssa.Send:
			if same(instr.Chan) {
				s.reach(instr)
				s.value(instr.Chan)
				s.value(instr.X)
			}
		case *ssa.Select:
			for _, st := range instr.States {
				if st.Dir == types.SendOnly && same(st.Chan) {
					s.reach(instr)
					s.value(st.Chan)
					s.value(st.Send)
				}
			}
		}
	}
}
