package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/initial"
	"github.com/everyway-go/everyway/internal/static/parallel"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/schedule"
)

// contextSeparator is between the goroutines of a context in the name of a target.
const contextSeparator = "+"

// Context returns the target that begins with goroutines at places: of each, where it is, and
// perhaps, separated by commas, the calls that have led there, innermost first. It is about the
// tests and main functions of one package. The error is what is wrong with the places. The options
// say what is not made use of.
func (p *Program) Context(ctx context.Context, stacks []string, opts initial.Options) (*load.Target, error) {
	m, err := p.middle(ctx)
	if err != nil {
		return nil, err
	}
	return m.target(ctx, stacks, opts, false)
}

// A middle is what is known of the targets of a package, in the middle of which a search begins.
type middle struct {
	program  *Program
	within   []load.Target
	code     *code.Program
	analysis *static.Analysis
	finder   *Finder
}

// middle analyses the targets in whose runs the goroutines of a context are there.
func (p *Program) middle(ctx context.Context) (*middle, error) {
	within, err := p.within()
	if err != nil {
		return nil, err
	}
	pkg := within[0].Package
	var all []*load.Target
	for i := range within {
		all = append(all, &within[i])
	}
	cfg, err := p.Static(all...)
	if err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", pkg.Path, err)
	}
	a, err := static.New(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", pkg.Path, err)
	}
	return &middle{p, within, cfg.Code, a, p.Finder(a, cfg.Code, p.RootOf(pkg))}, nil
}

// target returns the target that begins with goroutines at places. Alone says that there are no others.
func (m *middle) target(ctx context.Context, stacks []string, opts initial.Options, alone bool) (*load.Target, error) {
	pkg := m.within[0].Package
	t := &load.Target{Kind: load.TargetContext, Name: contextName(stacks), Package: m.program.tested(pkg)}
	var found [][]ssa.Instruction
	for _, text := range stacks {
		stack, err := m.finder.stack(text)
		if err != nil {
			return nil, fmt.Errorf("-at %s: %w", text, err)
		}
		found = append(found, stack)
	}
	if !alone {
		var err error
		if opts.Others, err = m.others(ctx, found); err != nil {
			return nil, fmt.Errorf("analysing package %s: %w", pkg.Path, err)
		}
	}
	c, err := initial.New(ctx, m.analysis, found, opts)
	if err != nil {
		return nil, fmt.Errorf("analysing package %s: %w", pkg.Path, err)
	}
	if c.Excluded != "" {
		return nil, fmt.Errorf("-at %s: %s", strings.Join(stacks, " -at "), c.Excluded)
	}
	for i, text := range stacks {
		made, err := compile.Middle(m.code, c, i, m.program.Package("testing").SSA.Func("prepareStep"))
		if err != nil {
			return nil, fmt.Errorf("-at %s: %w", text, err)
		}
		c.Assumes = append(c.Assumes, made.Assumes()...)
	}
	t.Context = &load.Context{
		Context: c, Places: strings.Join(stacks, contextSeparator), Within: m.within, Leading: leading(m.analysis, m.within, found),
	}
	last := found[0]
	t.Func = last[len(last)-1].Parent()
	return t, nil
}

// tested returns the package whose tests a package has: itself, or that of which it has the external tests.
func (p *Program) tested(pkg *load.Package) *load.Package {
	for _, other := range p.Packages {
		if other.Path == pkg.Binary() {
			return other
		}
	}
	return pkg
}

// others returns a function that reports whether another goroutine than those that have stacks may run a function.
func (m *middle) others(ctx context.Context, stacks [][]ssa.Instruction) (func(*callgraph.Node) bool, error) {
	pointers, err := m.analysis.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	graph := pointers.Calls()
	results := m.parallel(graph)
	var outermost []*callgraph.Node
	for _, stack := range stacks {
		if n := graph.Of(stack[len(stack)-1].Parent()); n != nil {
			outermost = append(outermost, n)
		}
	}
	return func(n *callgraph.Node) bool {
		if n.Body != nil {
			n = graph.Of(n.Body)
		}
		all := append(slices.Clip(outermost), n)
		return n != nil && slices.ContainsFunc(results, func(r *parallel.Result) bool { return r.AtOnce(all...) })
	}, nil
}

// parallel returns what may run at once in each target.
func (m *middle) parallel(graph *callgraph.Graph) []*parallel.Result {
	var results []*parallel.Result
	analysis := parallel.New(graph)
	for i := range m.within {
		results = append(results, analysis.Of(m.within[i].Func, fuzzed(&m.within[i])...))
	}
	return results
}

// maxContextName is the length of names of targets that name their places whole: the name is also that of files.
const maxContextName = 80

// contextName returns what a target is called that begins at places: these or, if that is too long,
// what shortName says.
func contextName(stacks []string) string {
	if name := strings.Join(stacks, contextSeparator); len(name) <= maxContextName {
		return name
	}
	return shortName(stacks)
}

// shortName returns the innermost lines of the first of some stacks, and the number of the others.
func shortName(stacks []string) string {
	var list []string
	for _, stack := range stacks {
		inner, _, _ := strings.Cut(strings.TrimPrefix(stack, Waiting), ",")
		if s, err := place.Parse(inner); err == nil && s.Column > 0 {
			inner = fmt.Sprintf("%s:%d", s.File, s.Line)
		}
		list = append(list, inner)
	}
	if more := len(list) - maxNamed; more > 0 {
		list = append(list[:maxNamed], fmt.Sprint(more))
	}
	return strings.Join(list, contextSeparator)
}

// within returns the targets in whose runs the goroutines of a context are there.
func (p *Program) within() ([]load.Target, error) {
	var list []load.Target
	for _, t := range p.Targets() {
		if t.Kind == load.TargetBenchmark {
			continue
		}
		if len(list) > 0 && list[0].Package.Binary() != t.Package.Binary() {
			return nil, fmt.Errorf("a search from the middle is about the tests of one package: name that, not %s and %s",
				list[0].Package.Path, t.Package.Path)
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, errors.New("a search from the middle needs tests or a main function that lead there: there are none")
	}
	return list, nil
}

// leading returns the targets that call functions in which goroutines begin: those of most
// goroutines first and, of these, those from which the fewest calls lead there.
func leading(a *static.Analysis, targets []load.Target, stacks [][]ssa.Instruction) []*load.Target {
	calls := make(map[*load.Target]int)
	led := make(map[*load.Target]int)
	var list []*load.Target
	for _, stack := range stacks {
		depth := distances(a.Calls(), stack[len(stack)-1].Parent())
		for i := range targets {
			t := &targets[i]
			if n, ok := depth[a.Calls().Of(t.Func)]; ok {
				led[t]++
				calls[t] += n
			}
		}
	}
	for i := range targets {
		if led[&targets[i]] > 0 || len(a.Unsound()) > 0 {
			list = append(list, &targets[i])
		}
	}
	slices.SortStableFunc(list, func(x, y *load.Target) int {
		return cmp.Or(cmp.Compare(led[y], led[x]), cmp.Compare(calls[x], calls[y]))
	})
	return list
}

// distances returns the least number of calls from each function that leads to one.
func distances(g *callgraph.Graph, to *ssa.Function) map[*callgraph.Node]int {
	depth := map[*callgraph.Node]int{g.Of(to): 0}
	for work := []*callgraph.Node{g.Of(to)}; len(work) > 0; work = work[1:] {
		for _, s := range work[0].Callers() {
			if _, ok := depth[s.Caller]; !ok {
				depth[s.Caller] = depth[work[0]] + 1
				work = append(work, s.Caller)
			}
		}
	}
	return depth
}

// Waiting is before the places of a goroutine that waits at a condition, in the call of
// (*sync.Cond).Wait that is there.
const Waiting = "waiting:"

// stack finds the frames of a goroutine.
func (x *Finder) stack(text string) ([]ssa.Instruction, error) {
	text, waits := strings.CutPrefix(text, Waiting)
	if !waits {
		return x.frames(text, nil)
	}
	wait := x.conditionWait()
	if wait == nil {
		return nil, errors.New("no goroutine waits at a condition: no test calls (*sync.Cond).Wait")
	}
	stack, err := x.frames(text, wait)
	if err != nil {
		return nil, err
	}
	return append([]ssa.Instruction{waitIn(wait)}, stack...), nil
}

// conditionWait returns the code of (*sync.Cond).Wait, nil if nothing calls it.
func (x *Finder) conditionWait() *ssa.Function {
	for _, n := range x.calls.Nodes {
		if n.Body != nil && n.Name == "sync.(*Cond).Wait" {
			return n.Body
		}
	}
	return nil
}

// waitIn returns the instruction of (*sync.Cond).Wait at which a goroutine waits.
func waitIn(wait *ssa.Function) ssa.Instruction {
	for _, b := range wait.Blocks {
		for _, at := range b.Instrs {
			if fragment.Waits([]ssa.Instruction{at}) {
				return at
			}
		}
	}
	return nil
}

// frames finds those of a goroutine, of which the innermost one calls a function, if that is not nil.
func (x *Finder) frames(text string, callee *ssa.Function) ([]ssa.Instruction, error) {
	var stack []ssa.Instruction
	for i, name := range place.Split(text) {
		s, err := place.Parse(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		at, err := x.Find(s)
		if err != nil {
			return nil, err
		}
		switch {
		case len(at.Instrs) == 0:
			return nil, fmt.Errorf("no test calls what leads to %s", s.Text)
		case i > 0 || callee != nil:
			if i > 0 {
				callee = stack[i-1].Parent()
			}
			call, err := x.callOf(at, callee)
			if err != nil {
				return nil, err
			}
			stack = append(stack, call)
		case len(at.Instrs) > 1:
			return nil, fmt.Errorf("%s is in %d functions: %s", s.Text, len(at.Instrs), names(at.Instrs))
		default:
			stack = append(stack, at.Instrs[0])
		}
	}
	return stack, nil
}

// names returns the names of the functions of instructions.
func names(list []ssa.Instruction) string {
	var texts []string
	for _, instr := range list {
		texts = append(texts, instr.Parent().Name())
	}
	return strings.Join(slices.Compact(texts), ", ")
}

// callOf returns the call of a function in the statement that begins at a place, or the one that is there.
func (x *Finder) callOf(at Place, callee *ssa.Function) (ssa.Instruction, error) {
	var found, exact []ssa.Instruction
	for _, first := range at.Instrs {
		caller := x.calls.Of(first.Parent())
		line := x.program.Fset.Position(first.Pos())
		for _, site := range caller.Sites {
			call, ok := site.Instr.(*ssa.Call)
			if !ok {
				continue
			}
			is := x.program.Fset.Position(call.Pos())
			if is.Line != line.Line || is.Filename != line.Filename || !leadsTo(site, callee) {
				continue
			}
			if at.Column == 0 || call.Block() == first.Block() {
				found = append(found, call)
			}
			if is.Column == at.Column {
				exact = append(exact, call)
			}
		}
	}
	if len(exact) > 0 {
		found = exact
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("%s makes no call of %s", at.Text, callee.Name())
	case len(found) > 1:
		return nil, fmt.Errorf("%s makes %d calls of %s: name one by its column", at.Text, len(found), callee.Name())
	}
	return found[0], nil
}

// maxWrappers bounds the functions without source, each called by the one before, through which a
// call leads to one with source.
const maxWrappers = 4

// leadsTo reports whether a call may be one of a function, through functions that the compiler has
// made, such as that of a method which is promoted.
func leadsTo(site *callgraph.Site, callee *ssa.Function) bool {
	sites := []*callgraph.Site{site}
	for range maxWrappers {
		var through []*callgraph.Site
		for _, s := range sites {
			for _, c := range s.Callees() {
				switch {
				case c.Body == nil:
				case c.Body == callee:
					return true
				case c.Body.Syntax() == nil:
					through = append(through, c.Sites...)
				}
			}
		}
		sites = through
	}
	return false
}

// recordedContext returns the context of a recorded run.
func (p *Program) recordedContext(r *schedule.Run) (*load.Target, error) {
	m, err := p.middle(context.Background())
	if err != nil {
		return nil, err
	}
	return m.target(context.Background(), strings.Split(r.Target, contextSeparator), initial.Options{Presume: true}, true)
}
