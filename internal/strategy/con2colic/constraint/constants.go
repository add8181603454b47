package constraint

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// constants are the values in a scenario that do not depend on inputs: what a read yields
// whose write wrote a constant, and what is computed from such reads. Most branches of a path
// depend on nothing else, since many cells are written once or by one goroutine only.
type constants struct {
	v         *view
	known     []uint32 // by variable: round if it is a constant, round+1 if it is not
	values    []uint64 // by variable
	round     uint32
	evaluator *expr.Evaluator
	vars      []expr.ID // scratch, a stack
}

// start begins with the scenario in v.
func (k *constants) start(v *view) {
	k.v = v
	k.round += 2
	if k.evaluator == nil {
		k.evaluator = expr.NewEvaluator(v.f.Arena)
	}
	k.evaluator.Start(func(x expr.ID) uint64 { return k.values[x] })
}

// value returns the value of x, if it is a constant.
func (k *constants) value(x expr.ID) (uint64, bool) {
	a := k.v.f.Arena
	if c, ok := a.ConstValue(x); ok {
		return c, true
	}
	from := len(k.vars)
	k.vars = a.Vars(k.vars, x)
	constant := true
	for i := from; i < len(k.vars) && constant; i++ {
		constant = k.variable(k.vars[i])
	}
	k.vars = k.vars[:from]
	if !constant {
		return 0, false
	}
	return k.evaluator.Eval(x), true
}

// variable reports whether the variable x is a constant. If it is, values holds its value.
func (k *constants) variable(x expr.ID) bool {
	for len(k.known) <= int(x) {
		k.known, k.values = append(k.known, 0), append(k.values, 0)
	}
	switch k.known[x] {
	case k.round:
		return true
	case k.round + 1:
		return false
	}
	k.known[x] = k.round + 1 // until it is known, so that a value that depends on itself is none
	read, part, ok := k.read(x)
	if !ok {
		return false
	}
	f := k.v.f
	w, _, _ := k.v.source(read, part)
	l := f.Parts(read)[part].Loc
	if w == 0 {
		at := f.Location(l)
		k.values[x], ok = at.Initial, at.InitialKnown
	} else if p := f.PartOn(w, l); p == nil || !p.Known {
		ok = false
	} else if p.WroteSym == expr.None {
		k.values[x] = p.Wrote
	} else if ok = f.Arena.Width(p.WroteSym) == f.Arena.Width(x); ok {
		var value uint64
		value, ok = k.value(p.WroteSym)
		k.values[x] = value
	}
	if ok {
		k.known[x] = k.round
	}
	return ok
}

// read returns the read of memory and the part of it that x stands for in the scenario. It is
// false if there is none.
func (k *constants) read(x expr.ID) (read forest.NodeID, part int32, ok bool) {
	read, part, ok = k.v.read(x)
	return read, part, ok && dependence.IsRead(k.v.f.At(read).Op)
}

// localReads returns the local reads on which the constant x depends.
func (k *constants) localReads(x expr.ID) []forest.Cause {
	f := k.v.f
	var causes []forest.Cause
	queue := f.Arena.Vars(nil, x)
	seen := map[expr.ID]bool{}
	for len(queue) > 0 {
		y := queue[0]
		queue = queue[1:]
		read, part, ok := k.read(y)
		if seen[y] || !ok {
			continue
		}
		seen[y] = true
		w, local, _ := k.v.source(read, part)
		if local {
			causes = append(causes, forest.Cause{Node: read, Part: part})
		}
		if w == 0 {
			continue
		}
		if p := f.PartOn(w, f.Parts(read)[part].Loc); p != nil && p.WroteSym != expr.None {
			queue = f.Arena.Vars(queue, p.WroteSym)
		}
	}
	return causes
}
