package localsearch

import "github.com/everyway-go/everyway/internal/expr"

// Moves of the local search through arrays.

// maxPlaces bounds the places of an array that a move looks at.
const maxPlaces = 1024

// pullElement is pull for the element of an array at an index. It moves the index
// to where the array has the value wanted, or a store of that value to the index,
// or pulls at what is stored there now; which of them first depends on the turn.
// If all that fails another store is moved there: a counter grows.
func (s *Search) pullElement(array, index expr.ID, want uint64, fuel *int) bool {
	i := s.eval.Eval(index)
	now, store := s.source(array, i)
	moves := [...]func() bool{
		func() bool { return s.pullIndex(array, index, i, want, fuel) },
		func() bool { return s.pullStores(array, store, i, &want, fuel) },
		func() bool { return s.pull(now, want, fuel) },
	}
	first := int(s.turn>>(maxFuel-*fuel)) % len(moves)
	for k := range moves {
		if moves[(first+k)%len(moves)]() {
			return true
		}
	}
	return s.pullStores(array, store, i, nil, fuel)
}

// source returns the expression that the array has at index i under the present values, and
// the store that put it there, or None if it is from the table.
func (s *Search) source(array expr.ID, i uint64) (x, store expr.ID) {
	a := s.arena
	for ; a.Op(array) == expr.Store; array = a.Arg(array, 0) {
		if s.eval.Eval(a.Arg(array, 1)) == i {
			return a.Arg(array, 2), array
		}
	}
	return a.Arg(array, int(min(i, uint64(a.NumArgs(array)-1)))), expr.None
}

// pullIndex pulls the index, which is i now, to where the array has the value wanted.
func (s *Search) pullIndex(array, index expr.ID, i, want uint64, fuel *int) bool {
	a := s.arena
	if a.Op(index) == expr.Const {
		return false
	}
	try := func(j uint64) bool {
		return j != i && s.eval.Element(array, j) == want && s.pull(index, j, fuel)
	}
	table := array
	for ; a.Op(table) == expr.Store; table = a.Arg(table, 0) {
		if try(s.eval.Eval(a.Arg(table, 1))) {
			return true
		}
	}
	last := a.NumArgs(table) - 1
	mask := ^uint64(0) >> (64 - a.Width(index))
	for k := range min(last+1, maxPlaces) {
		j := (uint64(k) + uint64(s.turn)) % uint64(last+1)
		if j <= mask && try(j) {
			return true
		}
	}
	return false
}

// pullStores moves a store of the value wanted, or of any value if want is nil,
// that is later than the one whose value is read, to the index i. If the array below
// the store that is read has the value there, it moves that store away.
func (s *Search) pullStores(array, store expr.ID, i uint64, want *uint64, fuel *int) bool {
	a := s.arena
	for ; a.Op(array) == expr.Store; array = a.Arg(array, 0) {
		index := a.Arg(array, 1)
		if array == store {
			return want != nil && s.eval.Element(a.Arg(store, 0), i) == *want &&
				s.pull(index, (i+1)&(^uint64(0)>>(64-a.Width(index))), fuel)
		}
		if (want == nil || s.eval.Eval(a.Arg(array, 2)) == *want) && s.pull(index, i, fuel) {
			return true
		}
	}
	return false
}
