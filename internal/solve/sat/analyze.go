package sat

import "math"

// learn turns a false clause into a new one that is the reason, goes back to where
// that would have been of use, and assigns the literal it implies there.
func (s *Solver) learn(conflict []Lit) {
	clause := s.analyze(conflict)
	if s.proof != nil {
		s.proof.Derive(clause)
	}
	if len(clause) == 1 {
		s.cancel(0)
		s.assign(clause[0], noRef)
		return
	}
	// The second literal is to be one of the highest level but the first's.
	high := 1
	for i, l := range clause[2:] {
		if s.level[l.Var()] > s.level[clause[high].Var()] {
			high = i + 2
		}
	}
	clause[1], clause[high] = clause[high], clause[1]
	s.cancel(int(s.level[clause[1].Var()]))
	c := s.attach(clause)
	s.learned = append(s.learned, c)
	s.setClauseActivity(c, s.clauseStep)
	s.assign(clause[0], c)
}

// analyze resolves the false clause with the reasons of its literals until
// one literal of the current level is left, the first unique implication
// point. It returns the learned clause with that literal first.
func (s *Solver) analyze(conflict []Lit) []Lit {
	clause := append(s.clause[:0], none)
	open := 0 // literals of the current level still to be resolved
	at := len(s.trail) - 1
	pivot := none
	for {
		for _, l := range conflict {
			v := l.Var()
			if l == pivot || s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.bump(v)
			if int(s.level[v]) == len(s.limits) {
				open++
			} else {
				clause = append(clause, l)
			}
		}
		for !s.seen[s.trail[at].Var()] {
			at--
		}
		pivot = s.trail[at]
		at--
		s.seen[pivot.Var()] = false
		if open--; open == 0 {
			break
		}
		why := s.reason[pivot.Var()]
		s.bumpClause(why)
		conflict = s.literals(why)
	}
	clause[0] = pivot.Not()
	s.toClear = append(s.toClear[:0], clause[1:]...)
	kept := 1
	for _, l := range clause[1:] {
		if !s.redundant(l) {
			clause[kept] = l
			kept++
		}
	}
	for _, l := range s.toClear {
		s.seen[l.Var()] = false
	}
	s.clause = clause
	return clause[:kept]
}

// redundant reports whether l follows from the other literals of the learned
// clause, which are those seen.
func (s *Solver) redundant(l Lit) bool {
	if s.reason[l.Var()] == noRef {
		return false
	}
	s.stack = append(s.stack[:0], l)
	marked := len(s.toClear)
	for len(s.stack) > 0 {
		p := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		for _, q := range s.literals(s.reason[p.Var()]) {
			v := q.Var()
			if v == p.Var() || s.seen[v] || s.level[v] == 0 {
				continue
			}
			if s.reason[v] == noRef {
				for _, l := range s.toClear[marked:] {
					s.seen[l.Var()] = false
				}
				s.toClear = s.toClear[:marked]
				return false
			}
			s.seen[v] = true
			s.toClear = append(s.toClear, q)
			s.stack = append(s.stack, q)
		}
	}
	return true
}

// blame sets the core when the assumption l is false: l and the assumptions
// from which its negation followed.
func (s *Solver) blame(l Lit) {
	s.core = append(s.core[:0], l)
	if len(s.limits) == 0 || s.level[l.Var()] == 0 {
		return
	}
	s.seen[l.Var()] = true
	for i := len(s.trail) - 1; i >= s.limits[0]; i-- {
		p := s.trail[i]
		v := p.Var()
		if !s.seen[v] {
			continue
		}
		s.seen[v] = false
		if s.reason[v] == noRef { // a decision, and all decisions are assumptions
			s.core = append(s.core, p)
			continue
		}
		for _, q := range s.literals(s.reason[v]) {
			if q.Var() != v && s.level[q.Var()] > 0 {
				s.seen[q.Var()] = true
			}
		}
	}
}

// bump makes the variable more likely to be decided on.
func (s *Solver) bump(v int) {
	if s.activity[v] += s.increment; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.increment *= 1e-100
	}
	if s.theory == nil {
		s.order.raise(v)
	}
}

// bumpClause makes a clause, if it is a learned one, less likely to be forgotten.
func (s *Solver) bumpClause(c ref) {
	a := s.clauseActivity(c)
	if a == 0 {
		return
	}
	if a += s.clauseStep; a > 1e20 {
		for _, c := range s.learned {
			s.setClauseActivity(c, max(s.clauseActivity(c)*1e-20, math.SmallestNonzeroFloat32))
		}
		s.clauseStep *= 1e-20
		a *= 1e-20
	}
	s.setClauseActivity(c, a)
}

func (s *Solver) clauseActivity(c ref) float32 { return math.Float32frombits(uint32(s.mem[c+1])) }

func (s *Solver) setClauseActivity(c ref, a float32) { s.mem[c+1] = Lit(math.Float32bits(a)) }

// decay makes past conflicts count less.
func (s *Solver) decay() {
	s.increment /= 0.95
	s.clauseStep /= 0.999
}
