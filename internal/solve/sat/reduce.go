package sat

import (
	"cmp"
	"slices"
)

// reduce forgets the less active half of the learned clauses, but for those
// of two literals and those that are the reason of an assignment, and allows
// for more next time.
func (s *Solver) reduce() {
	slices.SortFunc(s.learned, func(c, d ref) int {
		return cmp.Or(
			cmp.Compare(s.clauseActivity(d), s.clauseActivity(c)),
			cmp.Compare(c, d))
	})
	keep := s.learned[:len(s.learned)/2]
	for _, c := range s.learned[len(s.learned)/2:] {
		if s.mem[c] == 2 || s.locked(c) {
			keep = append(keep, c)
			continue
		}
		if s.proof != nil {
			s.proof.Delete(s.literals(c))
		}
		s.wasted += header + int(s.mem[c])
		s.mem[c+1] = deleted
	}
	s.learned = keep
	for l, list := range s.watches {
		s.watches[l] = slices.DeleteFunc(list, func(w watch) bool { return s.mem[w.clause+1] == deleted })
	}
	s.maxLearned += s.maxLearned / 10
	if s.wasted > len(s.mem)/3 {
		s.compact()
	}
}

// deleted in the place of a clause's activity marks a clause that is gone: it
// is no number that an activity can be.
const deleted = ^Lit(0)

// locked reports whether the clause is the reason of an assignment.
func (s *Solver) locked(c ref) bool {
	for _, l := range s.literals(c)[:2] {
		if s.values[l] == isTrue && s.reason[l.Var()] == c {
			return true
		}
	}
	return false
}

// compact moves the clauses together in memory.
func (s *Solver) compact() {
	// A clause that has moved leaves its new place where its size was; the old
	// memory is a copy.
	old := slices.Clone(s.mem)
	s.mem = s.mem[:1]
	for c := 1; c < len(old); {
		size := int(old[c])
		if old[c+1] != deleted {
			moved := Lit(len(s.mem))
			s.mem = append(s.mem, old[c:c+header+size]...)
			old[c] = moved
		}
		c += header + size
	}
	for _, list := range s.watches {
		for i := range list {
			list[i].clause = ref(old[list[i].clause])
		}
	}
	for i := range s.learned {
		s.learned[i] = ref(old[s.learned[i]])
	}
	for _, l := range s.trail {
		if r := s.reason[l.Var()]; r != noRef {
			s.reason[l.Var()] = ref(old[r])
		}
	}
	s.wasted = 0
	s.cursor = 1
}
