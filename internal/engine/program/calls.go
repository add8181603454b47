package program

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/effect"
	"github.com/everyway-go/everyway/internal/static/initial"
	"github.com/everyway-go/everyway/internal/static/parallel"
	"github.com/everyway-go/everyway/internal/static/place"
)

// Calls are the calls into a package that the program's own packages make, of which some may run at once.
type Calls struct {
	Package string // import path of the package that is called
	Within  *load.Package
	Pairs   []Combination // those that may run at once, in the order in which they are to be searched
	Triples []Combination
	Dropped int // number of triples that were too many

	middle    *middle
	variables *initial.Variables
}

// A Combination is some calls that may run at once.
type Combination struct {
	stacks  []string
	cost    int
	callees string // what is called
	again   int    // number of combinations before it that call the same
	meet    int    // number of pairs of its calls of which one may write shared memory that the other one uses
}

// order puts those combinations first that promise most: of calls that may notice each other, then
// of functions that are not called together by one that comes before, then of more calls that may
// notice each other, then of low cost.
func order(list []Combination) {
	slices.SortStableFunc(list, func(a, b Combination) int { return cmp.Compare(a.cost, b.cost) })
	times := make(map[string]int)
	for i := range list {
		list[i].again = times[list[i].callees]
		times[list[i].callees]++
	}
	slices.SortStableFunc(list, func(a, b Combination) int {
		if (a.meet == 0) != (b.meet == 0) {
			return cmp.Compare(b.meet, a.meet)
		}
		return cmp.Or(cmp.Compare(a.again, b.again), cmp.Compare(b.meet, a.meet))
	})
}

// Contains reports whether all calls of another combination, as often as they are there, are among those of c.
func (c Combination) Contains(other Combination) bool {
	left := slices.Clone(c.stacks)
	for _, s := range other.stacks {
		i := slices.Index(left, s)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(other.stacks) < len(c.stacks)
}

// maxTriples bounds the triples.
const maxTriples = 20_000

// A call is one into the package.
type call struct {
	text string
	node *callgraph.Node // the function that makes it
	cost int

	callees []*callgraph.Node // what it may call, of the package
	names   string            // of these
	effects *effect.Effects   // of these
}

// meets reports whether two calls may notice each other.
func (c *call) meets(d *call) bool { return c.effects.Meet(d.effects) }

// Calls finds the calls into a package: an import path or the end of one, and which of them may run
// at once in a run of one of the targets. The error is what is wrong with the name, or that there
// are none.
func (p *Program) Calls(ctx context.Context, name string) (*Calls, error) {
	pkg, err := p.called(name)
	if err != nil {
		return nil, err
	}
	m, err := p.middle(ctx)
	if err != nil {
		return nil, err
	}
	c := &Calls{Package: pkg.Path, Within: m.within[0].Package, middle: m}
	list := m.callsInto(pkg)
	if len(list) == 0 {
		return nil, fmt.Errorf("the tests of package %s make no calls from the module into exported functions of %s",
			c.Within.Path, pkg.Path)
	}
	pointers, err := m.analysis.PointsTo(ctx)
	if err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", c.Within.Path, err)
	}
	if c.variables, err = initial.NewVariables(ctx, m.analysis); err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", c.Within.Path, err)
	}
	graph := pointers.Calls()
	results := m.parallel(graph)
	for i := range list {
		list[i].node = graph.Of(list[i].node.Body)
	}
	list = slices.DeleteFunc(list, func(c call) bool { return c.node == nil })
	shared, err := m.analysis.Shared(ctx)
	if err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", c.Within.Path, err)
	}
	effects := effect.NewFinder(pointers, shared, m.analysis.Library)
	for i := range list {
		list[i].find(graph, effects)
	}
	known := make(map[[3]*callgraph.Node]bool) // many calls are in the same functions
	atOnce := func(nodes ...*callgraph.Node) bool {
		var key [3]*callgraph.Node
		copy(key[:], nodes)
		is, ok := known[key]
		if !ok {
			is = slices.ContainsFunc(results, func(r *parallel.Result) bool { return r.AtOnce(nodes...) })
			known[key] = is
		}
		return is
	}
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i; j < len(list); j++ {
			if !atOnce(list[i].node, list[j].node) {
				continue
			}
			c.Pairs = append(c.Pairs, combine(&list[i], &list[j]))
			for k := j; k < len(list); k++ {
				if !atOnce(list[i].node, list[j].node, list[k].node) {
					continue
				}
				if len(c.Triples) == maxTriples {
					c.Dropped++
					continue
				}
				c.Triples = append(c.Triples, combine(&list[i], &list[j], &list[k]))
			}
		}
	}
	if len(c.Pairs) == 0 {
		return nil, fmt.Errorf("no two of the %d calls into %s may run at once: the tests make them in one goroutine", len(list), pkg.Path)
	}
	order(c.Pairs)
	order(c.Triples)
	return c, nil
}

// find finds out what a call may do to shared memory, by the functions of a call graph.
func (c *call) find(graph *callgraph.Graph, effects *effect.Finder) {
	var names []string
	for i, n := range c.callees {
		names = append(names, n.Name)
		if n.Body != nil {
			c.callees[i] = graph.Of(n.Body)
		}
	}
	c.callees = slices.DeleteFunc(c.callees, func(n *callgraph.Node) bool { return n == nil })
	c.names = strings.Join(names, "|")
	c.effects = effects.Of(slices.Clone(c.callees)...)
}

// fuzzed returns the functions that a fuzz test may pass to F.Fuzz, which calls them by reflection.
func fuzzed(t *load.Target) []*ssa.Function {
	if t.Kind != load.TargetFuzz {
		return nil
	}
	list := slices.Clone(t.Func.AnonFuncs)
	for _, b := range t.Func.Blocks {
		for _, instr := range b.Instrs {
			if i, ok := instr.(*ssa.MakeInterface); ok {
				if fn, ok := i.X.(*ssa.Function); ok {
					list = append(list, fn)
				}
			}
		}
	}
	return list
}

// Target returns the target that begins with goroutines about to make some calls.
func (c *Calls) Target(ctx context.Context, t Combination) (*load.Target, error) {
	return c.middle.target(ctx, t.stacks, initial.Options{Presume: true, Variables: c.variables}, false)
}

func combine(calls ...*call) Combination {
	var t Combination
	var callees []string
	for i, c := range calls {
		t.stacks = append(t.stacks, c.text)
		t.cost += c.cost
		callees = append(callees, c.names)
		for _, d := range calls[i+1:] {
			if c.meets(d) {
				t.meet++
			}
		}
	}
	slices.Sort(callees)
	t.callees = strings.Join(callees, " ")
	return t
}

// called returns the package that a name stands for.
func (p *Program) called(name string) (*load.Package, error) {
	var found []*load.Package
	for _, pkg := range p.All {
		if pkg.ForTest != "" && strings.HasSuffix(pkg.Path, "_test") {
			continue
		}
		if pkg.Path == name || strings.HasSuffix(pkg.Path, "/"+name) {
			if !slices.ContainsFunc(found, func(other *load.Package) bool { return other.Path == pkg.Path }) {
				found = append(found, pkg)
			}
		}
	}
	if i := slices.IndexFunc(found, func(pkg *load.Package) bool { return pkg.Path == name }); i >= 0 {
		return found[i], nil
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("the program has no package %s", name)
	case 1:
		return found[0], nil
	}
	var paths []string
	for _, pkg := range found {
		paths = append(paths, pkg.Path)
	}
	slices.Sort(paths)
	return nil, fmt.Errorf("the program has several packages of that name: %s", strings.Join(paths, ", "))
}

// callsInto returns the calls of exported functions and methods of a package that the program's own
// packages make, the package's tests included.
func (m *middle) callsInto(pkg *load.Package) []call {
	var list []call
	known := make(map[string]bool)
	sizes := make(map[*callgraph.Node]int)
	for _, n := range m.analysis.Calls().Nodes {
		if n.Body == nil || n.Body.Syntax() == nil {
			continue
		}
		file := m.program.Fset.Position(n.Body.Syntax().Pos()).Filename
		in := place.PackageOf(n.Body)
		if in == nil || !m.program.IsOwn(file) || in.Path() == pkg.Path && !strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, s := range n.Sites {
			at, ok := s.Instr.(*ssa.Call)
			callees := exported(s, pkg.Path)
			if !ok || len(callees) == 0 {
				continue
			}
			text := m.finder.stackText([]ssa.Instruction{at})
			if stack, err := m.finder.stack(text); err != nil || known[text] || stack[0] != ssa.Instruction(at) {
				continue
			}
			known[text] = true
			list = append(list, call{text: text, node: n, cost: m.size(n, sizes), callees: callees})
		}
	}
	slices.SortFunc(list, func(a, b call) int { return cmp.Compare(a.text, b.text) })
	return list
}

// exported returns the exported functions and methods of a package that a call may be one of.
func exported(s *callgraph.Site, pkg string) []*callgraph.Node {
	return slices.DeleteFunc(slices.Clone(s.Callees()), func(c *callgraph.Node) bool {
		of := c.Body
		if of == nil {
			of = c.Func
		}
		if of == nil || of.Parent() != nil || !token.IsExported(of.Name()) {
			return true
		}
		in := place.PackageOf(of)
		return in == nil || in.Path() != pkg
	})
}

// size returns the number of conditional branches in what a function calls, itself included: the
// paths from a call in it are many if these are.
func (m *middle) size(n *callgraph.Node, sizes map[*callgraph.Node]int) int {
	if size, ok := sizes[n]; ok {
		return size
	}
	size := 0
	seen := map[*callgraph.Node]bool{n: true}
	for work := []*callgraph.Node{n}; len(work) > 0; work = work[1:] {
		if work[0].Body != nil {
			for _, b := range work[0].Body.Blocks {
				if len(b.Succs) > 1 {
					size++
				}
			}
		}
		if work[0].Func == nil {
			continue
		}
		for _, s := range work[0].Sites {
			for _, c := range s.Callees() {
				if !seen[c] {
					seen[c] = true
					work = append(work, c)
				}
			}
		}
	}
	sizes[n] = size
	return size
}
