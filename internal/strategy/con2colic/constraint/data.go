package constraint

import (
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// An origin is what a conjunct of a data constraint comes from.
type origin struct {
	kind originKind
	node forest.NodeID // the branch, or the read
	part int32         // of the read
}

type originKind uint8

const (
	branchOrigin    originKind = iota // DC_branch: the condition of a branch
	interfereOrigin                   // DC_interfere: a read yields what its edge's write wrote
	localOrigin                       // DC_local: a read yields what its own goroutine wrote, or the initial value
)

// data is the data constraint DC(I) of figure 5 of the paper: what the inputs have to satisfy
// for a run to have the scenario. Only reads on which a branch of the scenario depends take
// part; what the others yield makes no difference.
type data struct {
	conjuncts []expr.ID
	origins   []origin // of conjuncts
	// incomplete says that something is not known that the constraint needs: a write that no
	// run has shown, or an initial value. The constraint is weaker than it should be.
	incomplete bool
	// refuted is the condition of a branch that is false whatever the inputs are, expr.None
	// if there is none. If there is one, the constraint is unsatisfiable.
	refuted expr.ID

	constants constants
	vars      []expr.ID // scratch
	queue     []expr.ID
	seen      []uint32 // by variable: the round in which it was met
	round     uint32
}

// build makes the constraint of the scenario in v.
func (d *data) build(v *view) {
	d.conjuncts, d.origins, d.queue = d.conjuncts[:0], d.origins[:0], d.queue[:0]
	d.incomplete, d.refuted = false, expr.None
	d.round++
	d.constants.start(v)
	f := v.f
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			if e := f.At(n); e.Op == schedule.Branch || e.Op == schedule.Assume {
				d.addBranch(f, n)
			}
		}
		// The outcome of a compare-and-swap belongs to it, although the branch on the
		// outcome is an event of its own.
		if t := v.s.Tips[i]; t != v.s.Sink {
			if n := f.SwapOutcome(t); n != 0 {
				d.addBranch(f, n)
			}
		}
	}
	for len(d.queue) > 0 {
		x := d.queue[len(d.queue)-1]
		d.queue = d.queue[:len(d.queue)-1]
		d.match(v, x)
	}
}

// addBranch adds the condition of a branch, unless that is a constant.
func (d *data) addBranch(f *forest.Forest, n forest.NodeID) {
	cond := f.At(n).Cond
	switch x, ok := d.constants.value(cond); {
	case !ok:
		d.add(f, cond, origin{kind: branchOrigin, node: n})
	case x == 0 && d.refuted == expr.None:
		d.refuted = cond
	}
}

// add adds a conjunct and queues its variables.
func (d *data) add(f *forest.Forest, x expr.ID, o origin) {
	if c, ok := f.Arena.ConstValue(x); ok && c == 1 {
		return
	}
	d.conjuncts = append(d.conjuncts, x)
	d.origins = append(d.origins, o)
	d.vars = f.Arena.Vars(d.vars[:0], x)
	for _, y := range d.vars {
		for len(d.seen) <= int(y) {
			d.seen = append(d.seen, 0)
		}
		if d.seen[y] != d.round {
			d.seen[y] = d.round
			d.queue = append(d.queue, y)
		}
	}
}

// match adds DC_match for the read that variable x stands for, if it is one.
func (d *data) match(v *view, x expr.ID) {
	f := v.f
	read, part, ok := v.read(x)
	if !ok {
		return
	}
	w, local, missing := v.source(read, part)
	if missing {
		return // the temporal constraint is unsatisfiable
	}
	o := origin{interfereOrigin, read, part}
	if local {
		o.kind = localOrigin
	}
	width := f.Arena.Width(x)
	l := f.Parts(read)[part].Loc
	if w == 0 {
		if l := f.Location(l); l.InitialKnown && dependence.IsRead(f.At(read).Op) {
			d.add(f, f.Arena.Eq(x, f.Arena.Const(l.Initial, width)), o)
		} else {
			d.incomplete = true
		}
		return
	}
	switch p := f.PartOn(w, l); {
	case p == nil || !p.Known:
		d.incomplete = true
	case p.WroteSym == expr.None:
		d.add(f, f.Arena.Eq(x, f.Arena.Const(p.Wrote, width)), o)
	case f.Arena.Width(p.WroteSym) == width:
		d.add(f, f.Arena.Eq(x, p.WroteSym), o)
	default:
		d.incomplete = true
	}
}

// solve looks for an input that satisfies the constraint, preferably one near hint. If the
// result is Unsat, the core of the solver holds indexes of conjuncts.
func (d *data) solve(ctx context.Context, f *forest.Forest, s *solve.Solver, hint run.Input) (solve.Result, run.Input, error) {
	near := func(x expr.ID) uint64 {
		if _, ok := f.ReadOf(x); ok {
			return 0
		}
		if name, ok := f.Inputs[x]; ok {
			return hint[name]
		}
		return hint[f.Arena.VarName(x)]
	}
	result, model, err := s.CheckNear(ctx, d.conjuncts, near)
	if err != nil || result != solve.Sat {
		return result, nil, err
	}
	input := make(run.Input, len(hint))
	for _, x := range slices.Sorted(maps.Keys(f.Inputs)) {
		name := f.Inputs[x]
		if d.mentions(x) {
			input[name] = model.Value(x)
		} else if _, ok := input[name]; !ok {
			if h, ok := hint[name]; ok {
				input[name] = h
			}
		}
	}
	return result, input, nil
}

// mentions reports whether the variable x is in the constraint.
func (d *data) mentions(x expr.ID) bool {
	return int(x) < len(d.seen) && d.seen[x] == d.round
}

// localReads returns the local reads among the conjuncts of the given indexes. With a receive
// come those before it that take what their own goroutine has sent: if they took something
// else, it would too.
func (d *data) localReads(v *view, core []int) []forest.Cause {
	var causes []forest.Cause
	for _, i := range core {
		o := d.origins[i]
		if o.kind != localOrigin {
			continue
		}
		causes = append(causes, forest.Cause{Node: o.node, Part: o.part})
		if v.f.At(o.node).Op == schedule.Recv {
			for _, n := range v.takers(o.node) {
				causes = append(causes, forest.Cause{Node: n})
			}
		}
	}
	return causes
}
