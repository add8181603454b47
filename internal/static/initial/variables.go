package initial

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/closing"
	"github.com/everyway-go/everyway/internal/static/ownership"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/protection"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/internal/static/waitgroup"
)

// Variables find out which package variables are inputs: those that code may read that is executed
// from the context on, and that something else than the initialisation of packages may write. The
// standard library's are left as they are: they are the state of models. What is found out for one
// context is known for the others, also of fields, channels and wait groups.
type Variables struct {
	calls       *callgraph.Graph
	code        *code.Program
	definitions *reaching.Program
	pointers    *pointsto.Result

	after   map[*callgraph.Node]bool          // functions that may be executed when all packages have been initialised
	refers  map[*callgraph.Node][]*ssa.Global // to which variables functions refer
	written map[*ssa.Global]bool              // see writtenAfter
	leads   map[*ssa.Global]bool              // see leadsToWritten

	fields     *fields
	beginnings *beginnings
	channels   []ssa.Instruction // what does something with channels
	meetings   map[*callgraph.Node][]meeting
	counts     *waitgroup.Counts // nil until it is asked for
	closes     *closing.Closes   // nil until it is asked for
	counters   []*counter        // of those who are inside functions
	protection *protection.Program
	ownership  *ownership.Program

	above         map[*callgraph.Node]map[*callgraph.Node]bool // see leadsTo
	barriersKnown bool                                         // whether barriersFound has them
	barriersFound []*barrier
	referrers     map[*ssa.Function][]ssa.Instruction // nil until it is asked for: see referring
}

// NewVariables returns what finds out about the package variables of the programs of an analysis.
func NewVariables(ctx context.Context, a *static.Analysis) (*Variables, error) {
	definitions, err := a.Definitions(ctx)
	if err != nil {
		return nil, err
	}
	to, err := a.PointsTo(ctx)
	if err != nil {
		return nil, err
	}
	v := &Variables{
		calls: a.Calls(), code: a.Code(), definitions: definitions, pointers: to,
		refers: make(map[*callgraph.Node][]*ssa.Global), written: make(map[*ssa.Global]bool), leads: make(map[*ssa.Global]bool), above: make(map[*callgraph.Node]map[*callgraph.Node]bool),
	}
	v.after = reached(v.starts())
	v.fields = fieldsIn(a, to, definitions)
	isStandard := func(pkg *ssa.Package) bool { return pkg == nil || v.code.Standard(pkg.Pkg) }
	v.beginnings = newBeginnings(to.Calls(), isStandard)
	held, err := a.Locks(ctx)
	if err != nil {
		return nil, err
	}
	v.counters = countersOf(to.Calls(), definitions, held, isStandard)
	v.protection = protection.New(protection.Config{
		Calls: a.Calls(), Pointers: to, Definitions: definitions, Locks: held, Control: a.Control,
		Early: v.beginnings.isEarly, Beginning: v.beginnings.course(), Own: func(fn *ssa.Function) bool { return !isStandard(fn.Pkg) },
	})
	v.ownership = ownership.New(ownership.Config{
		Calls: a.Calls(), Pointers: to, Own: func(pkg *types.Package) bool { return pkg != nil && !v.code.Standard(pkg) },
	})
	v.channels = channelOperations(a.Calls())
	v.meetings = make(map[*callgraph.Node][]meeting)
	for _, n := range a.Calls().Nodes {
		if n.Body == nil {
			continue
		}
		if list := meetings(n); len(list) > 0 {
			v.meetings[n] = list
		}
	}
	return v, nil
}

// of returns the variables that are inputs, and what is assumed of the others, a line each. Those
// are left out that are 0.
func (v *Variables) of(stacks [][]ssa.Instruction, zero map[*ssa.Global]bool) (inputs []*ssa.Global, assumes []string) {
	var fixed, leads []string
	standard := false
	for _, g := range v.used(reached(nodesOf(v.calls, stacks))) {
		switch {
		case v.isCounter(g) || zero[g]:
		case v.isStandard(g):
			standard = standard || v.writtenAfter(g)
		case v.writtenAfter(g) && isInput(g.Type().Underlying().(*types.Pointer).Elem()):
			inputs = append(inputs, g)
		case v.writtenAfter(g):
			fixed = append(fixed, g.Name())
		case v.leadsToWritten(g):
			leads = append(leads, g.Name())
		}
	}
	if standard {
		assumes = append(assumes, "package variables of the standard library are as their initialisation leaves them")
	}
	if len(fixed) > 0 {
		assumes = append(assumes, fmt.Sprintf("the package variables %s are as their initialisation leaves them", strings.Join(fixed, ", ")))
	}
	if len(leads) > 0 {
		assumes = append(assumes, fmt.Sprintf("what the package variables %s lead to is as their initialisation leaves it", strings.Join(leads, ", ")))
	}
	return inputs, assumes
}

// starts returns the functions that begin when packages have been initialised, or in a goroutine or
// a call of the machine's that may go on then.
func (v *Variables) starts() (list []*callgraph.Node) {
	for _, n := range v.calls.Nodes {
		for _, s := range n.Sites {
			if s.Mode != callgraph.Go && s.Mode != callgraph.Outside {
				continue
			}
			for _, c := range s.Callees() {
				if c.Func == nil || c.Func.Synthetic != "package initializer" {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// reached returns the functions that some others lead to, and these.
func reached(from []*callgraph.Node) map[*callgraph.Node]bool {
	seen := make(map[*callgraph.Node]bool)
	for _, n := range from {
		seen[n] = true
	}
	for work := slices.Clone(from); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Sites {
			for _, c := range s.Callees() {
				if !seen[c] {
					seen[c] = true
					work = append(work, c)
				}
			}
		}
	}
	return seen
}

// used returns the package variables to which functions refer, by their names.
func (v *Variables) used(by map[*callgraph.Node]bool) []*ssa.Global {
	seen := make(map[*ssa.Global]bool)
	var list []*ssa.Global
	for n := range by {
		for _, g := range v.referred(n) {
			if !seen[g] {
				seen[g] = true
				list = append(list, g)
			}
		}
	}
	slices.SortFunc(list, func(a, b *ssa.Global) int { return cmp.Compare(a.String(), b.String()) })
	return list
}

// referred returns the package variables to which a function refers.
func (v *Variables) referred(n *callgraph.Node) []*ssa.Global {
	if n.Body == nil {
		return nil
	}
	list, known := v.refers[n]
	if !known {
		var operands []*ssa.Value
		anyOf(n.Body, func(instr ssa.Instruction) bool {
			operands = instr.Operands(operands[:0])
			for _, op := range operands {
				if g, ok := (*op).(*ssa.Global); ok && !slices.Contains(list, g) {
					list = append(list, g)
				}
			}
			return false
		})
		v.refers[n] = list
	}
	return list
}

func (v *Variables) isStandard(g *ssa.Global) bool { return g.Pkg == nil || v.code.Standard(g.Pkg.Pkg) }

// isCounter reports whether a variable counts how often a block is executed, for which the compiler has an instruction.
func (v *Variables) isCounter(g *ssa.Global) bool {
	if v.code.Block == nil {
		return false
	}
	_, is := v.code.Block(g)
	return is
}

// isInput reports whether values of a type can be inputs, as far as its own parts say it.
func isInput(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if !isInput(f.Type()) {
				return false
			}
		}
	case *types.Array:
		return isInput(t.Elem())
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		s, ok := t.Elem().Underlying().(*types.Struct)
		return !ok || s.NumFields() > 0
	}
	return true
}

// writtenAfter reports whether a variable may be written when packages have been initialised.
func (v *Variables) writtenAfter(g *ssa.Global) bool {
	is, known := v.written[g]
	if !known {
		is = v.definitions.Written(g, func(by ssa.Instruction) bool { return v.after[v.calls.Of(by.Parent())] })
		v.written[g] = is
	}
	return is
}

// leadsToWritten reports whether a variable leads to something that may be written then.
func (v *Variables) leadsToWritten(g *ssa.Global) bool {
	is, known := v.leads[g]
	if !known {
		is = v.findWritten(g)
		v.leads[g] = is
	}
	return is
}

func (v *Variables) findWritten(g *ssa.Global) bool {
	reached := v.pointers.NewWalk()
	var work []*pointsto.Object
	for o := range reached.From(g) {
		work = append(work, o)
	}
	found := make(map[*pointsto.Object]bool)
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		if o.Global == nil || o.Global == g {
			found[o] = o.Global == nil
			for to := range reached.In(o) {
				work = append(work, to)
			}
		}
	}
	for n := range v.after {
		if n.Body != nil && anyOf(n.Body, func(instr ssa.Instruction) bool {
			addr := reaching.Written(instr)
			if addr == nil {
				return false
			}
			for l := range v.pointers.Each(addr) {
				if found[l.Object] {
					return true
				}
			}
			return false
		}) {
			return true
		}
	}
	return false
}
