package reach

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/distance"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/strategy"
)

// knowledge is what guides to a goal have found out, for all of them.
type knowledge struct {
	mu *sync.Mutex // of the analysis, too
	// first are the numbers of the first instructions of functions. Those of the others follow from
	// where they are in their function, so that they do not depend on who asks for what first.
	first  map[*ssa.Function]strategy.Location
	next   strategy.Location                     // after those of all functions of the graph
	instrs map[strategy.Location]ssa.Instruction // that were asked for
	number map[ssa.Instruction]strategy.Location

	own        []*callgraph.Node // whose code is not that of the standard library
	isOwn      map[*ssa.Function]bool
	starts     []strategy.Location
	stores     []store
	distances  map[ssa.Instruction]*ways
	byName     map[string]*callgraph.Node // nil if nobody has asked
	redefined  map[strategy.Location][]strategy.Location
	reads      map[strategy.Location][]strategy.Location
	defined    map[strategy.Location][]strategy.Location
	dependence map[strategy.Location][]strategy.Dependence
}

// A Guide guides the runs of a machine to a goal. It implements strategy.Guide.
type Guide struct {
	*Goal
	code   *code.Program                           // of the machine
	siteOf func(fn string, instr int32) run.SiteID // in the machine
	nameOf func(run.SiteID) string                 // of the function that a site is in

	sites map[strategy.Location]place.Site
	at    map[run.SiteID][]strategy.Location
	near  map[run.SiteID]int
}

// Guide returns what guides runs of a machine that has the code. The argument siteOf returns the
// site of an instruction of the function with a name, and nameOf the name of the function that a
// site is in.
func (g *Goal) Guide(c *code.Program, siteOf func(fn string, instr int32) run.SiteID, nameOf func(run.SiteID) string) *Guide {
	g.prepare()
	return &Guide{
		Goal: g, code: c, siteOf: siteOf, nameOf: nameOf,
		sites: make(map[strategy.Location]place.Site), at: make(map[run.SiteID][]strategy.Location), near: make(map[run.SiteID]int),
	}
}

// prepare finds the functions that are the program's own, and where goroutines start.
func (g *Goal) prepare() {
	k := &g.known
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.number != nil || g.calls == nil {
		return
	}
	k.number = make(map[ssa.Instruction]strategy.Location)
	k.instrs = make(map[strategy.Location]ssa.Instruction)
	k.first = make(map[*ssa.Function]strategy.Location)
	k.isOwn = make(map[*ssa.Function]bool)
	k.distances = make(map[ssa.Instruction]*ways)
	k.redefined = make(map[strategy.Location][]strategy.Location)
	k.reads = make(map[strategy.Location][]strategy.Location)
	k.defined = make(map[strategy.Location][]strategy.Location)
	k.dependence = make(map[strategy.Location][]strategy.Dependence)
	for _, n := range g.calls.Nodes {
		if n.Body != nil {
			k.count(n.Body)
		}
		if n.Body == nil || len(n.Body.Blocks) == 0 || n.Body.Syntax() == nil {
			continue
		}
		pkg := place.PackageOf(n.Body)
		if pkg == nil || g.code.Standard(pkg) && !g.program.IsOwn(g.program.Fset.Position(n.Body.Syntax().Pos()).Filename) {
			continue
		}
		k.own = append(k.own, n)
		k.isOwn[n.Body] = true
	}
	for _, n := range k.own {
		starts, called, byMachine := false, false, false
		for _, s := range n.Callers() {
			switch {
			case s.Caller.Body == nil && s.Mode != callgraph.Go:
				byMachine = true // because its value may be an input, or is given to a function that is not seen through
			case s.Mode == callgraph.Go || !k.isOwn[s.Caller.Body]:
				starts = true
			default:
				called = true
			}
		}
		if starts || byMachine && !called {
			k.starts = append(k.starts, g.location(n.Body.Blocks[0].Instrs[0]))
		}
	}
	k.stores = g.findStores()
}

// location returns the number of an instruction.
func (g *Goal) location(instr ssa.Instruction) strategy.Location {
	k := &g.known
	l, ok := k.number[instr]
	if ok {
		return l
	}
	l, ok = k.first[instr.Parent()]
	if !ok {
		l = k.count(instr.Parent())
	}
	for _, b := range instr.Parent().Blocks {
		if b == instr.Block() {
			break
		}
		l += strategy.Location(len(b.Instrs))
	}
	l += strategy.Location(slices.Index(instr.Block().Instrs, instr))
	k.instrs[l] = instr
	k.number[instr] = l
	return l
}

// count numbers the instructions of a function, and returns the number of the first.
func (k *knowledge) count(fn *ssa.Function) strategy.Location {
	first, ok := k.first[fn]
	if ok {
		return first
	}
	first = k.next
	k.first[fn] = first
	for _, b := range fn.Blocks {
		k.next += strategy.Location(len(b.Instrs))
	}
	return first
}

// locations returns the numbers of instructions, in order and once each.
func (g *Goal) locations(instrs []ssa.Instruction) []strategy.Location {
	var list []strategy.Location
	for _, instr := range instrs {
		list = append(list, g.location(instr))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (g *Guide) lock() (unlock func()) {
	g.known.mu.Lock()
	return g.known.mu.Unlock
}

func (g *Guide) instr(l strategy.Location) ssa.Instruction { return g.known.instrs[l] }

// Places implements strategy.Guide.
func (g *Guide) Places() [][]strategy.Location {
	defer g.lock()()
	var list [][]strategy.Location
	for _, p := range g.Goal.Places {
		list = append(list, g.locations(p.Instrs))
	}
	return list
}

// Starts implements strategy.Guide.
func (g *Guide) Starts() []strategy.Location { return g.known.starts }

// Start implements strategy.Guide.
func (g *Guide) Start(l strategy.Location) strategy.Location {
	defer g.lock()()
	return g.location(g.instr(l).Parent().Blocks[0].Instrs[0])
}

// Callers implements strategy.Guide.
func (g *Guide) Callers(start strategy.Location) []strategy.Location {
	defer g.lock()()
	var list []ssa.Instruction
	for _, s := range g.calls.Of(g.instr(start).Parent()).Callers() {
		if s.Instr != nil && s.Mode != callgraph.Go && s.Caller.Body != nil && g.known.isOwn[s.Caller.Body] {
			list = append(list, s.Instr)
		}
	}
	return g.locations(list)
}

// Class implements strategy.Guide.
func (g *Guide) Class(l strategy.Location) string {
	defer g.lock()()
	recv := g.instr(l).Parent().Signature.Recv()
	if recv == nil {
		return ""
	}
	return strings.TrimPrefix(code.TypeString(recv.Type()), "*")
}

// IsCall implements strategy.Guide.
func (g *Guide) IsCall(l strategy.Location) bool {
	defer g.lock()()
	_, ok := g.instr(l).(ssa.CallInstruction)
	return ok
}

// IsBranch implements strategy.Guide.
func (g *Guide) IsBranch(l strategy.Location) bool {
	defer g.lock()()
	_, ok := g.instr(l).(*ssa.If)
	return ok
}

// node returns the node of an instruction in the control flow of its function, and its index there.
func (g *Goal) node(instr ssa.Instruction) (*control.Graph, *control.Node, int) {
	flow := g.analysis.Control(instr.Parent())
	if flow == nil {
		return nil, nil, 0
	}
	n := flow.At(instr)
	if n == nil {
		return nil, nil, 0
	}
	return flow, n, slices.Index(n.Instrs, instr)
}

// Path implements strategy.Guide.
func (g *Guide) Path(l, m strategy.Location) bool {
	defer g.lock()()
	from, to := g.instr(l), g.instr(m)
	if from.Parent() != to.Parent() {
		return false
	}
	found := false
	g.follow(from, func(instr ssa.Instruction) bool {
		found = found || instr == to
		return found
	})
	return found
}

// follow calls visit with the instructions that come after one on the paths of its function, each
// once. A path on which visit returns true ends there.
func (g *Goal) follow(from ssa.Instruction, visit func(ssa.Instruction) bool) {
	_, n, i := g.node(from)
	if n == nil {
		return
	}
	seen := make(map[*control.Node]bool)
	walk := func(instrs []ssa.Instruction) bool {
		for _, instr := range instrs {
			if visit(instr) {
				return true
			}
		}
		return false
	}
	if walk(n.Instrs[i+1:]) {
		return
	}
	work := slices.Clone(n.Succs)
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if !walk(at.Instrs) {
			work = append(work, at.Succs...)
		}
	}
}

// Followers implements strategy.Guide.
func (g *Guide) Followers(l strategy.Location, set func(strategy.Location) bool) []strategy.Location {
	defer g.lock()()
	var list []ssa.Instruction
	g.follow(g.instr(l), func(instr ssa.Instruction) bool {
		m, ok := g.known.number[instr]
		if !ok || !set(m) {
			return false
		}
		list = append(list, instr)
		return true
	})
	return g.locations(list)
}

// Dependences implements strategy.Guide.
func (g *Guide) Dependences(l strategy.Location) []strategy.Dependence {
	defer g.lock()()
	if list, ok := g.known.dependence[l]; ok {
		return list
	}
	var list []strategy.Dependence
	for _, d := range g.dependences(g.instr(l)) {
		list = append(list, strategy.Dependence{Branch: g.location(d.branch), Side: d.side})
	}
	g.known.dependence[l] = list
	return list
}

type dependence struct {
	branch *ssa.If
	side   strategy.Side
}

// dependences returns the nearest branches on which it depends whether an instruction is reached.
func (g *Goal) dependences(instr ssa.Instruction) []dependence {
	flow, n, _ := g.node(instr)
	if n == nil {
		return nil
	}
	var list []dependence
	for _, d := range flow.Dependences(n) {
		if len(d.Branch.Instrs) == 0 || d.Branch.Abrupt || d.Succ > 1 {
			continue
		}
		if branch, ok := d.Branch.Instrs[len(d.Branch.Instrs)-1].(*ssa.If); ok {
			list = append(list, dependence{branch, [...]strategy.Side{strategy.Then, strategy.Else}[d.Succ]})
		}
	}
	return list
}

// AfterWrite implements strategy.Guide.
func (g *Guide) AfterWrite(l strategy.Location) strategy.Location {
	defer g.lock()()
	instr := g.instr(l)
	if !isWrite(instr) {
		return strategy.NoLocation
	}
	_, n, i := g.node(instr)
	if n == nil || i+1 >= len(n.Instrs) {
		return strategy.NoLocation
	}
	return g.location(n.Instrs[i+1])
}

// Distance implements strategy.Guide.
func (g *Guide) Distance(from strategy.Location, passed bool, to strategy.Location) int {
	defer g.lock()()
	return g.waysTo(g.instr(to)).from(g.instr(from), passed)
}

// waysTo returns the distances to an instruction.
func (g *Goal) waysTo(to ssa.Instruction) *ways {
	w := g.known.distances[to]
	if w == nil {
		w = &ways{goal: g, to: g.analysis.Distances().To(to), up: make(map[*callgraph.Node]int), known: make(map[point]int)}
		g.known.distances[to] = w
	}
	return w
}

// ways have the distances to an instruction, from wherever a goroutine is: a call of a function may
// return to each of its callers. If that is the standard library, it is not expected to call
// anything else before it returns itself: it would lead from each test to all others.
type ways struct {
	goal  *Goal
	to    *distance.Map
	up    map[*callgraph.Node]int // from a return of a function
	known map[point]int
}

// A point is before an instruction, or after it.
type point struct {
	instr ssa.Instruction
	after bool
}

func (w *ways) from(instr ssa.Instruction, after bool) int {
	at := point{instr, after}
	if d, ok := w.known[at]; ok {
		return d
	}
	d := w.to.From(instr)
	if after {
		d = w.to.After(instr)
	}
	if n := w.goal.calls.Of(instr.Parent()); n != nil {
		if up := w.upFrom(n); up < distance.Never {
			d = min(d, w.to.Return(instr)+up)
		}
	}
	if d >= distance.Never {
		d = -1
	}
	w.known[at] = d
	return d
}

// upFrom returns the distance from a return of a function. That of all functions from which a call
// may lead to it, which it follows from, is found at the same time: it does not depend on which of
// them is asked for first.
func (w *ways) upFrom(n *callgraph.Node) int {
	if d, ok := w.up[n]; ok {
		return d
	}
	var fresh []*callgraph.Node
	work := []*callgraph.Node{n}
	returns := func(s *callgraph.Site) bool { return s.Instr != nil && s.Mode != callgraph.Go }
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := w.up[at]; ok {
			continue
		}
		fresh = append(fresh, at)
		w.up[at] = distance.Never
		for _, s := range at.Callers() {
			if returns(s) {
				work = append(work, s.Caller)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, at := range slices.Backward(fresh) {
			least := w.up[at]
			for _, s := range at.Callers() {
				if !returns(s) {
					continue
				}
				if s.Caller.Body != nil && w.goal.known.isOwn[s.Caller.Body] {
					least = min(least, w.to.After(s.Instr))
				}
				if up := w.up[s.Caller]; up < distance.Never {
					least = min(least, w.to.Return(s.Instr)+up)
				}
			}
			if least < w.up[at] {
				w.up[at], changed = least, true
			}
		}
	}
	return w.up[n]
}

// Position implements strategy.Guide.
func (g *Guide) Position(l strategy.Location) string {
	defer g.lock()()
	instr := g.instr(l)
	pos := positionOf(instr)
	if !pos.IsValid() {
		return ""
	}
	at := g.program.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", g.program.FileName(g.root, at.Filename), at.Line)
}

// positionOf returns where an instruction is in the source.
func positionOf(instr ssa.Instruction) token.Pos {
	if pos := instr.Pos(); pos.IsValid() {
		return pos
	}
	if branch, ok := instr.(*ssa.If); ok && branch.Cond.Pos().IsValid() {
		return branch.Cond.Pos()
	}
	if b := instr.Parent().Blocks[0]; instr == b.Instrs[0] {
		return instr.Parent().Pos()
	}
	for _, other := range instr.Block().Instrs {
		if other.Pos().IsValid() {
			return other.Pos()
		}
	}
	return token.NoPos
}

// Condition implements strategy.Guide.
func (g *Guide) Condition(l strategy.Location) string {
	defer g.lock()()
	branch, ok := g.instr(l).(*ssa.If)
	if !ok {
		return "the branch"
	}
	pos := positionOf(branch)
	var found ast.Expr
	if f := g.program.Syntax(g.program.Fset.Position(pos).Filename); f != nil {
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			if e, ok := n.(ast.Expr); ok && isCondition(e, pos) {
				found = e
			}
			return true
		})
	}
	if found == nil {
		return "the branch"
	}
	return types.ExprString(found)
}

// isCondition reports whether the value of an expression at a position may be what a branch tests.
func isCondition(e ast.Expr, pos token.Pos) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.OpPos == pos
	case *ast.CallExpr:
		return e.Lparen == pos
	case *ast.UnaryExpr:
		return e.OpPos == pos
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	}
	return false
}

// Site implements strategy.Guide.
func (g *Guide) Site(l strategy.Location) run.SiteID {
	defer g.lock()()
	at, ok := g.sites[l]
	if !ok {
		at, ok = place.SiteOf(g.code, g.calls, g.instr(l))
		if !ok {
			at.Instr = -1
		}
		g.sites[l] = at
		if ok {
			g.register(l, at)
		}
	}
	if at.Instr < 0 {
		return run.NoSite
	}
	return g.siteOf(at.Func.Name, at.Instr)
}

// register notes that a location is at a site, and at its copies. The start of a function comes first.
func (g *Guide) register(l strategy.Location, at place.Site) {
	set := func(instr int32) {
		site := g.siteOf(at.Func.Name, instr)
		if instr := g.instr(l); instr == instr.Parent().Blocks[0].Instrs[0] {
			g.at[site] = slices.Insert(g.at[site], 0, l)
		} else {
			g.at[site] = append(g.at[site], l)
		}
	}
	set(at.Instr)
	for copied, of := range at.Func.Repeats {
		if int32(of) == at.Instr {
			set(int32(copied))
		}
	}
}

// At implements strategy.Guide.
func (g *Guide) At(site run.SiteID) []strategy.Location { return g.at[site] }

// Inverted implements strategy.Guide.
func (g *Guide) Inverted(l strategy.Location) bool { return g.sites[l].Inverted }
