package solve

import "github.com/everyway-go/everyway/internal/expr"

// part is a conjunct of a query, or one of a conjunction in a query.
type part struct {
	x     expr.ID
	index int // in the query
}

// slicer divides queries into independent slices.
type slicer struct {
	arena  *expr.Arena
	parts  []part
	slices [][]part
	vars   []expr.ID // scratch

	// Union-find over variables, and marks on the conjuncts seen, by ID. What
	// has not the stamp of the round is of an earlier query.
	round  uint32
	stamps []uint32
	parent []expr.ID
	group  []int32 // of a representative: its index in slices, or -1
}

// slice returns the conjuncts of a query in slices that share no variable, in
// the order of appearance. If one is plainly false it returns its index
// instead, which otherwise is -1. The result is valid until the next call.
func (s *slicer) slice(conj []expr.ID) (result [][]part, falseAt int) {
	s.round++
	if s.round == 0 || len(s.stamps) <= s.arena.Len() {
		n := 2*s.arena.Len() + 1
		s.round = 1
		s.stamps = make([]uint32, n)
		s.parent = make([]expr.ID, n)
		s.group = make([]int32, n)
	}
	s.parts = s.parts[:0]
	for i, x := range conj {
		if !s.split(x, i) {
			return nil, i
		}
	}
	for _, p := range s.parts {
		vars := s.varsOf(p.x)
		root := s.find(vars[0])
		for _, v := range vars[1:] {
			s.parent[s.find(v)] = root
		}
	}
	s.slices = s.slices[:0]
	for _, p := range s.parts {
		root := s.find(s.varsOf(p.x)[0])
		if s.group[root] < 0 {
			s.group[root] = int32(len(s.slices))
			if len(s.slices) < cap(s.slices) { // keep the memory of the slice there
				s.slices = s.slices[:len(s.slices)+1]
				s.slices[len(s.slices)-1] = s.slices[len(s.slices)-1][:0]
			} else {
				s.slices = append(s.slices, nil)
			}
		}
		g := s.group[root]
		s.slices[g] = append(s.slices[g], p)
	}
	return s.slices, -1
}

// split takes a conjunct apart at its conjunctions and keeps those parts that
// are new. It reports false for a conjunct that is false.
func (s *slicer) split(x expr.ID, index int) bool {
	if v, ok := s.arena.ConstValue(x); ok {
		return v == 1
	}
	if s.stamps[x] == s.round && s.arena.Op(x) != expr.Var {
		return true
	}
	switch s.arena.Op(x) {
	case expr.And:
		s.stamps[x] = s.round
		return s.split(s.arena.Arg(x, 0), index) && s.split(s.arena.Arg(x, 1), index)
	case expr.Var: // its stamp is that of the union-find
	default:
		s.stamps[x] = s.round
	}
	s.parts = append(s.parts, part{x, index})
	return true
}

func (s *slicer) varsOf(x expr.ID) []expr.ID {
	s.vars = s.arena.Vars(s.vars[:0], x)
	return s.vars
}

// find returns the representative of the slice of the variable v.
func (s *slicer) find(v expr.ID) expr.ID {
	if s.stamps[v] != s.round {
		s.stamps[v] = s.round
		s.parent[v] = v
		s.group[v] = -1
		return v
	}
	for s.parent[v] != v {
		s.parent[v] = s.parent[s.parent[v]]
		v = s.parent[v]
	}
	return v
}
