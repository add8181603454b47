package sat

// propagate assigns what follows from the trail by unit clauses and reports
// it to the theory. It returns the literals of a false clause, or nil if there is none.
func (s *Solver) propagate() []Lit {
	for {
		for s.head < len(s.trail) {
			l := s.trail[s.head].Not()
			s.head++
			if conflict := s.visit(l); conflict != noRef {
				s.head = len(s.trail)
				return s.literals(conflict)
			}
		}
		if s.theory == nil {
			return nil
		}
		for s.asserted < len(s.trail) {
			l := s.trail[s.asserted]
			if !s.observed[l.Var()] {
				s.asserted++
				continue
			}
			together := s.theory.Assert(l)
			if together != nil {
				s.conflict = s.conflict[:0]
				for _, l := range together {
					s.conflict = append(s.conflict, l.Not())
				}
				return s.conflict
			}
			s.asserted++
		}
		return nil
	}
}

// visit looks at the clauses that watch l, which has become false: each finds
// another literal to watch, or is true, or implies its last literal. It
// returns a clause that is false, if there is one.
func (s *Solver) visit(l Lit) ref {
	list := s.watches[l]
	s.work += 1 + int64(len(list))/8
	keep := 0
	for i := 0; i < len(list); i++ {
		w := list[i]
		if s.values[w.blocker] == isTrue {
			list[keep] = w
			keep++
			continue
		}
		lits := s.literals(w.clause)
		if lits[0] == l {
			lits[0], lits[1] = lits[1], l
		}
		first := lits[0]
		w.blocker = first
		if s.values[first] == isTrue || !s.rewatch(lits, w) {
			list[keep] = w
			keep++
			switch s.values[first] {
			case unassigned:
				s.assign(first, w.clause)
			case isFalse:
				keep += copy(list[keep:], list[i+1:])
				s.watches[l] = list[:keep]
				return w.clause
			}
		}
	}
	s.watches[l] = list[:keep]
	return noRef
}

// rewatch has the clause watch a literal that is not false instead of lits[1],
// and reports whether there is one.
func (s *Solver) rewatch(lits []Lit, w watch) bool {
	for k := 2; k < len(lits); k++ {
		if l := lits[k]; s.values[l] != isFalse {
			lits[1], lits[k] = l, lits[1]
			s.watches[l] = append(s.watches[l], w)
			return true
		}
	}
	return false
}
