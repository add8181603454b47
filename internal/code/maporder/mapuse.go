package maporder

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mapUses are the uses of maps in a loop, without those of maps that the iteration has made.
type mapUses struct {
	writes []mapWrite
	reads  []*types.Map // types of the maps of which other entries than that of the iteration's key may be read
	owns   []*types.Map // types of the maps of which the entry of the iteration's key is read
}

// A mapWrite is what an iteration does to an entry of a map.
type mapWrite struct {
	of  ssa.Value
	typ *types.Map
	own bool // the entry is that of the iteration's key
	del bool // it is deleted
	// The other entries that are written, in whatever order, in the end have what all
	// assignments assign, or add up to the same.
	family family
	value  ssa.Value // family assignment: what is assigned
}

// mixes reports whether a map of type t may be the one that is written, converted to a type whose
// keys have other tags. Then keys of an interface type that are different, as the types of what is
// in them have different tags, have one entry.
func (w *mapWrite) mixes(t *types.Map) bool {
	return types.IdenticalIgnoreTags(t, w.typ) && !types.Identical(t.Key(), w.typ.Key())
}

func mapType(v ssa.Value) *types.Map { return v.Type().Underlying().(*types.Map) }

// isMadeMap reports whether a map was made by the iteration.
func (l *loop) isMadeMap(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeMap)
	return ok && l.contains(made)
}

// lookup notes a lookup.
func (u *mapUses) lookup(l *loop, in *ssa.Lookup) {
	t, ok := in.X.Type().Underlying().(*types.Map)
	switch {
	case !ok || l.isMadeMap(in.X):
	case l.own(in.Index):
		u.owns = append(u.owns, t)
	default:
		u.reads = append(u.reads, t)
	}
}

// update notes an assignment to an entry. It reports whether the order of several may not
// matter.
func (u *mapUses) update(l *loop, in *ssa.MapUpdate) bool {
	if l.isMadeMap(in.Map) {
		return true
	}
	w := mapWrite{of: in.Map, typ: mapType(in.Map), own: l.own(in.Key)}
	switch {
	case w.own:
	case hasFloat(w.typ.Key()):
		return false // of zeros that are the same key, the last one is kept
	case l.invariant(in.Value):
		w.family, w.value = assignment, in.Value
	case isEmpty(in.Value.Type()):
		w.family = assignment
	default:
		return false
	}
	u.writes = append(u.writes, w)
	return true
}

// addsToEntry notes an assignment that adds something to what an entry has been before.
func (l *loop) addsToEntry(in *ssa.MapUpdate) {
	if l.isMadeMap(in.Map) || l.own(in.Key) || hasFloat(mapType(in.Map).Key()) {
		return
	}
	op, ok := in.Value.(*ssa.BinOp)
	if !ok || !only(op) {
		return
	}
	var found *ssa.Lookup
	f := familyOf(op, func(v ssa.Value) bool {
		lookup, ok := v.(*ssa.Lookup)
		if ok && l.same(lookup.X, in.Map) && l.same(lookup.Index, in.Key) && lookup.Block() == in.Block() &&
			!lookup.CommaOk && only(lookup) {
			found = lookup
			return true
		}
		return false
	})
	if f == noFamily {
		return
	}
	instrs := in.Block().Instrs
	from, to := slices.Index(instrs, ssa.Instruction(found)), slices.Index(instrs, ssa.Instruction(in))
	for _, other := range instrs[from+1 : to] {
		switch other.(type) {
		case *ssa.MapUpdate, *ssa.Call:
			return
		}
	}
	l.added[found], l.added[in] = true, true
	l.maps.writes = append(l.maps.writes, mapWrite{of: in.Map, typ: mapType(in.Map), family: f})
}

// delete notes a call of delete. It reports whether the order of several may not matter.
func (u *mapUses) delete(l *loop, in *ssa.Call) bool {
	of, key := in.Call.Args[0], in.Call.Args[1]
	if !l.isMadeMap(of) {
		u.writes = append(u.writes, mapWrite{of: of, typ: mapType(of), own: l.own(key), del: true})
	}
	return true
}

// commute reports whether the iterations commute as far as maps are concerned. Maps may be the
// same if their types are.
func (u *mapUses) commute(l *loop) bool {
	for i := range u.writes {
		w := &u.writes[i]
		is := func(t *types.Map) bool { return types.IdenticalIgnoreTags(t, w.typ) }
		if slices.ContainsFunc(u.reads, is) {
			return false
		}
		over := is(l.overType) && !l.apart(w.of)
		if w.own {
			// The entry of the iteration's key is there. NaN is a key that is not.
			if over && !w.del && l.floats {
				return false
			}
			if slices.ContainsFunc(u.owns, w.mixes) {
				return false
			}
		} else if over || slices.ContainsFunc(u.owns, is) {
			return false
		}
		for k := range u.writes[:i] {
			o := &u.writes[k]
			switch {
			case !is(o.typ):
			case w.own != o.own:
				return false
			case w.own:
				if w.mixes(o.typ) {
					return false
				}
				if over && w.del != o.del {
					return false // an entry that is made again is visited again
				}
			case w.del != o.del || w.family != o.family || w.family == assignment && w.value != nil && !l.same(w.value, o.value):
				return false
			}
		}
	}
	return true
}

// apart reports whether a map is not the one that the loop is over, because it was made for
// something else and nobody else has it when the loop begins.
func (l *loop) apart(of ssa.Value) bool {
	made, ok := of.(*ssa.MakeMap)
	if !ok || l.called || l.over.X == of {
		return false
	}
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range:
			continue
		case *ssa.MapUpdate:
			if ref.Value != made && ref.Key != made {
				continue
			}
		case *ssa.Call:
			if _, ok := ref.Call.Value.(*ssa.Builtin); ok {
				continue
			}
		}
		if reaches(ref.Block(), l.head) {
			return false
		}
	}
	return true
}

// reaches reports whether a block can be executed before another one.
func reaches(from, to *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Succs, visit)
	}
	return visit(from)
}

// hasFloat reports whether a value of a type may have floating-point numbers in it: then equal
// values may differ, and a value may not equal itself.
func hasFloat(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Interface:
		return true
	case *types.Array:
		return hasFloat(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasFloat(f.Type()) {
				return true
			}
		}
	}
	return false
}

// isEmpty reports whether a type has one value only.
func isEmpty(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}
