package initial

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// How many a barrier waits for, and how many goroutines come to it, is asked for each target by
// itself (Bergan 2014, section 2.5.4, expected arrivals). What the target calls once has one value
// for each of its variables outside of loops, so that two numbers which are the same variable are
// equal, though it is not known what they are.

// areEnough reports whether a barrier waits for at least as many goroutines as some calls start,
// each of which is made in functions that a target calls once.
func (v *Variables) areEnough(c *counter, parties ssa.Value, starts []ssa.CallInstruction) bool {
	var makers map[*callgraph.Node]*ssa.Alloc
	if c.global == nil {
		made, ok := v.makers(c)
		if !ok {
			return false
		}
		makers = made
	}
	by := make(map[*callgraph.Node][]ssa.CallInstruction)
	for _, s := range starts {
		targets, ok := v.calledOnceFrom(v.beginnings.calls.Of(s.Parent()), 0)
		if !ok {
			return false
		}
		for _, t := range targets {
			by[t] = append(by[t], s)
		}
	}
	for t, starts := range by {
		if !v.areEnoughIn(t, c, v.partiesIn(t, c, parties, makers[t]), starts) {
			return false
		}
	}
	return true
}

// makers returns by which instruction a target makes the one struct in which a counter is. It
// reports false if a run may have two such structs, or if they are made otherwise.
func (v *Variables) makers(c *counter) (makers map[*callgraph.Node]*ssa.Alloc, ok bool) {
	base, path := fieldsOf(c.steps[0].Addr)
	at := v.fields.at(base, path)
	if at == nil {
		return nil, false
	}
	makers = make(map[*callgraph.Node]*ssa.Alloc)
	ok = v.fields.areMade(at, func(alloc *ssa.Alloc) bool {
		targets, ok := v.calledOnceFrom(v.beginnings.calls.Of(alloc.Parent()), 0)
		if !ok || control.Leads(alloc.Block(), alloc.Block()) {
			return false
		}
		for _, t := range targets {
			if makers[t] != nil {
				return false
			}
			makers[t] = alloc
		}
		return true
	})
	return makers, ok
}

// partiesIn returns for how many a barrier waits in a target, nil if that is not known: a constant,
// what a package variable has then, or what the maker of the struct has set a field of it to, which
// does not change.
func (v *Variables) partiesIn(t *callgraph.Node, c *counter, parties ssa.Value, maker *ssa.Alloc) ssa.Value {
	load := loadOf(parties)
	if load == nil {
		return parties
	}
	_, base := cellOf(load.X)
	if base == nil {
		return parties
	}
	isConstant := false
	v.fields.ofAnyContext(func() { isConstant = v.fields.isConstant(load) })
	if _, of := cellOf(c.steps[0].Addr); maker == nil || base != of || !isConstant {
		return nil
	}
	var set ssa.Value
	for _, s := range v.fields.loaded(load).stores {
		if by, _ := fieldsOf(s.Addr); by == ssa.Value(maker) {
			if set != nil {
				return nil
			}
			set = s.Val
		}
	}
	if set == nil {
		return nil
	}
	return v.valueIn(t, set)
}

// areEnoughIn reports whether a number is at least that of the goroutines which calls start in a target.
func (v *Variables) areEnoughIn(t *callgraph.Node, c *counter, parties ssa.Value, starts []ssa.CallInstruction) bool {
	if parties == nil {
		return false
	}
	least, isConst := intOf(parties)
	if !slices.ContainsFunc(starts, func(s ssa.CallInstruction) bool { return control.Leads(s.Block(), s.Block()) }) {
		return isConst && int64(len(starts)) <= least
	}
	if len(starts) != 1 {
		return false
	}
	limit := iterations(starts[0])
	if limit == nil {
		return false
	}
	limit = v.valueIn(t, limit)
	if most, ok := intOf(limit); ok {
		return isConst && most <= least
	}
	return isSame(limit, parties) || v.isUnchanged(limit, parties, starts[0], c)
}

// valueIn returns what a value is in a target that calls its function once: what the callers pass for a parameter.
func (v *Variables) valueIn(t *callgraph.Node, x ssa.Value) ssa.Value {
	for {
		p, ok := x.(*ssa.Parameter)
		if !ok {
			return x
		}
		call := v.callFrom(t, p.Parent())
		if call == nil {
			return x
		}
		x = call.Call.Args[slices.Index(p.Parent().Params, p)]
	}
}

// callFrom returns the call of a function to which a target leads, which calls it once; nil if it is the target's own.
func (v *Variables) callFrom(t *callgraph.Node, fn *ssa.Function) *ssa.Call {
	if v.beginnings.once[v.beginnings.calls.Of(fn)] {
		return nil
	}
	for _, ref := range v.referring(fn) {
		call, ok := ref.(*ssa.Call)
		if !ok {
			continue
		}
		if targets, ok := v.calledOnceFrom(v.beginnings.calls.Of(call.Parent()), 0); ok && slices.Contains(targets, t) {
			return call
		}
	}
	return nil
}

// isSame reports whether two values of functions that are called once are equal.
func isSame(x, y ssa.Value) bool {
	if isLen(x) && isLen(y) {
		x, y = x.(*ssa.Call).Call.Args[0], y.(*ssa.Call).Call.Args[0]
	}
	if x != y {
		return false
	}
	switch x := x.(type) {
	case *ssa.Parameter:
		return true
	case ssa.Instruction:
		return !control.Leads(x.Block(), x.Block())
	}
	return false
}

// isLen reports whether a value is the length of a slice or a string, which does not change.
func isLen(x ssa.Value) bool {
	call, ok := x.(*ssa.Call)
	return ok && ssaform.IsBuiltin(&call.Call, "len") && !isChannel(call.Call.Args[0])
}

// isUnchanged reports whether two values have been loaded from the same package variable, the
// second one perhaps by those who come to a barrier, and nothing changes it from then until the
// first goroutine is started, nor later.
func (v *Variables) isUnchanged(limit, parties ssa.Value, start ssa.CallInstruction, c *counter) bool {
	a, b := loadOf(limit), loadOf(parties)
	if a == nil || b == nil {
		return false
	}
	of, base := cellOf(a.X)
	if other, baseOther := cellOf(b.X); of != other || of.global == nil || base != nil || baseOther != nil {
		return false
	}
	return v.beginnings.settled(v.definitions, a.X) && !v.writtenBefore(a, start) &&
		(b.Parent() == c.inside[0] || !v.writtenBefore(b, start))
}
