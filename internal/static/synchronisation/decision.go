package synchronisation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load/substitute"
	"github.com/everyway-go/everyway/internal/static"
)

// A Decision is a branch in a slice that is decided by what is no input, such as what a file has.
type Decision struct {
	Branch *ssa.If
	Why    string // what decides it
}

// nearby is how many tasks of a slice are done to name the sources of a condition.
const nearby = 1000

// Decisions returns the branches of a program at which what is no input comes to decide something,
// in the order of the call graph: a slice without what decides these (Options.Decided) has no such
// sources, unless they decide more than branches, as which lock is taken. Each is carried out a
// bounded number of times between two markers: it is in a function that synchronises, and in no
// loop that does not. What such loops, and functions that do not synchronise, compute is taken as a
// whole, as what the standard library does.
//
// Those that are in no slice which is made without what decides the others are of no interest.
func Decisions(ctx context.Context, a *static.Analysis, o *Operations, opt Options) ([]Decision, error) {
	opt.Borders, opt.Decided = false, make(map[*ssa.If]bool)
	s, err := newSlice(ctx, a, o, opt)
	if err != nil {
		return nil, err
	}
	var branches []*ssa.If
	for _, n := range o.calls.Nodes {
		if n.Body == nil || !o.own(n.Body) || !o.May(n) {
			continue
		}
		for _, b := range n.Body.Blocks {
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			may, err := s.mayDecide(ctx, br)
			if err != nil {
				return nil, err
			}
			if may {
				branches = append(branches, br)
				opt.Decided[br] = true
			}
		}
	}
	var list []Decision
	for _, br := range branches {
		s.empty()
		s.value(br.Cond)
		why := s.decider(br.Cond)
		s.search = &search{}
		if why == "" {
			s.search.tasks = nearby
		}
		if err := s.complete(ctx); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(s.order, func(src ssa.Instruction) bool { return s.sources[src] == goesRound }) {
			why = goesRound
		}
		if len(s.order) > 0 {
			list = append(list, Decision{br, cmp.Or(why, s.deciders())})
		}
	}
	return list, nil
}

// deciders says where all in the slice may come from that is no input.
func (s *Slice) deciders() string {
	var whys []string
	for _, src := range s.OwnSources() {
		if !slices.Contains(whys, src.Why) {
			whys = append(whys, src.Why)
		}
	}
	if len(whys) > 2 {
		whys = append(whys[:2], "others")
	}
	return strings.Join(whys, " or ")
}

// Effect says what a source in the slice decides, and where: a branch that is no decision, or more than a branch.
func (s *Slice) Effect(src Source) (what string, at ssa.Instruction) {
	causes := s.Causes(src.Instr)
	if call, ok := src.Instr.(*ssa.Call); ok && len(causes) == 1 {
		for _, result := range *call.Referrers() { // it is there for one of its results
			if s.cause[result] != nil {
				causes = s.Causes(result)
				break
			}
		}
	}
	for _, cause := range slices.Backward(causes) { // what is nearest to an operation
		if br, ok := cause.(*ssa.If); ok {
			return "a branch", br
		}
	}
	for _, cause := range slices.Backward(causes) {
		instr, ok := cause.(ssa.Instruction)
		if !ok || s.ops.Of(instr) == 0 {
			continue
		}
		switch s.ops.Of(instr) {
		case Lock:
			return "which lock it is", instr
		case Add:
			return "which wait group it is, or how much is added", instr
		case Join:
			return "which wait group it is", instr
		case CondWait, Notify:
			return "which condition variable it is", instr
		case Channel:
			return "which channel it is, or what its buffer has room for", instr
		case Spawn:
			return "what is started", instr
		}
		return "which variable it is, or what is stored", instr
	}
	return "", nil
}

// decider says what decides a condition, as the program has it: the call or the package variable
// from which the fewest operations lead there; "" if there is none.
func (s *Slice) decider(cond ssa.Value) string {
	work, seen := []ssa.Value{cond}, map[ssa.Value]bool{}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Global:
			return "what is in " + v.Pkg.Pkg.Path() + "." + v.Name()
		case *ssa.Call:
			if fn := v.Common().StaticCallee(); fn != nil {
				if substitute.IsTree(fn.String()) {
					return "what " + cmp.Or(substitute.Function(v.Parent().Name()), "filepath.Walk or filepath.WalkDir") + " finds"
				}
				return "what " + fullName(fn) + " returns"
			}
			if c := v.Common(); c.IsInvoke() {
				return "what " + c.Method.FullName() + " returns"
			} else if _, ok := c.Value.(*ssa.Builtin); !ok {
				return "what a function value returns"
			}
		case *ssa.Alloc: // a variable that a function literal has
			for _, ref := range *v.Referrers() {
				if store, ok := ref.(*ssa.Store); ok && store.Addr == v {
					work = append(work, store.Val)
				}
			}
		case *ssa.Parameter:
			n := s.ops.calls.Of(v.Parent())
			if n == nil {
				continue
			}
			for _, site := range n.Callers() {
				if site.Instr != nil && !site.Instr.Common().IsInvoke() {
					if args, i := site.Instr.Common().Args, slices.Index(v.Parent().Params, v); i < len(args) {
						work = append(work, args[i])
					}
				}
			}
		}
		if instr, ok := v.(ssa.Instruction); ok {
			for _, op := range instr.Operands(nil) {
				if *op != nil {
					work = append(work, *op)
				}
			}
		}
	}
	return ""
}

// A Way is a branch of which one side ends the process before it synchronises, and that the slice leaves out.
type Way struct {
	Branch *ssa.If
	Holds  bool // its condition, on the other side
}

// Ways returns them, those of the program itself, in the order of the call graph.
func (s *Slice) Ways() []Way {
	var list []Way
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || !s.options.Prefixes || !s.ops.own(n.Body) {
			continue
		}
		g := s.analysis.Control(n.Body)
		if g == nil {
			continue
		}
		for _, b := range n.Body.Blocks {
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || s.in[br] || g.At(br) == nil || !s.ignored(g, g.At(br)) {
				continue
			}
			dead := s.deadNodes(g)
			ends := func(to *ssa.BasicBlock) bool {
				at := g.At(to.Instrs[0])
				return at != nil && dead[at.ID]
			}
			if then, els := ends(b.Succs[0]), ends(b.Succs[1]); then != els {
				list = append(list, Way{br, els})
			}
		}
	}
	return list
}

// mayDecide reports whether a branch of the program in a function that may synchronise may be one of the decisions.
func (s *Slice) mayDecide(ctx context.Context, br *ssa.If) (bool, error) {
	loops, err := s.analysis.Loops(ctx)
	if err != nil {
		return false, err
	}
	g := s.analysis.Control(br.Parent())
	if g == nil {
		return false, nil
	}
	at := g.At(br)
	for _, l := range loops.Of(g) {
		if !slices.Contains(l.Nodes, at) {
			continue
		}
		if !s.synchronises(l) {
			return false, nil
		}
	}
	return true, nil
}
