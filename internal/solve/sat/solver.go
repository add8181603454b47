package sat

import "slices"

// ref is the offset of a clause in Solver.mem. A clause is two header words,
// its size and its activity, and then its literals; the first two are watched.
// The activity is a float32 in the bits of a Lit; it is 0 in a clause that was
// added and more in one that was learned.
type ref uint32

const (
	noRef  ref = 0
	header     = 2
)

// watch is an entry in the list of a literal: a clause to look at when the
// literal becomes false.
type watch struct {
	clause  ref
	blocker Lit // another literal of the clause: if true, there is nothing to do
}

// value of a literal.
type value int8

const (
	unassigned value = 0
	isTrue     value = 1
	isFalse    value = -1
)

// Solver holds clauses and searches for a model of them. It is not safe for
// concurrent use.
type Solver struct {
	theory Theory

	mem     []Lit // all clauses; see ref
	learned []ref
	wasted  int // words of mem in deleted clauses

	// By literal.
	watches [][]watch
	values  []value

	// By variable.
	level    []int32 // of the decision under which the variable was assigned
	reason   []ref   // the clause that implied it
	activity []float64
	phase    []bool // the value to try first is false
	seen     []bool // scratch of analyze
	observed []bool // by the theory

	trail    []Lit // in the order of assignment
	limits   []int // length of trail before each decision
	head     int   // trail[head:] is not propagated
	asserted int   // trail[asserted:] is not reported to the theory

	order      heap    // of variables to decide on; unused with a theory
	cursor     ref     // the clause where the last decision for a theory was needed
	increment  float64 // of activity, for a variable in a conflict
	clauseStep float32 // of activity, for a clause in a conflict

	unsat bool // the clauses alone have no model
	core  []Lit
	model []value

	budget int64           // work allowed; 0: no limit
	done   <-chan struct{} // closed when the answer is not wanted any more
	lookAt int64           // work at which search looks at done
	work   int64

	maxLearned int
	proof      Proof // nil if none is wanted

	conflict []Lit // scratch
	lits     []Lit
	clause   []Lit
	toClear  []Lit
	stack    []Lit
}

// New returns a solver without clauses. theory may be nil.
func New(theory Theory) *Solver {
	s := &Solver{theory: theory}
	s.order.activity = &s.activity
	s.Reset()
	return s
}

// Reset forgets all variables and clauses, and keeps the memory for others.
// A theory has to be put back by its owner.
func (s *Solver) Reset() {
	s.mem = append(s.mem[:0], 0) // no clause has offset noRef
	s.learned = s.learned[:0]
	s.wasted = 0
	for l := range s.values {
		s.watches[l] = s.watches[l][:0]
	}
	s.values = s.values[:0]
	s.level = s.level[:0]
	s.reason = s.reason[:0]
	s.activity = s.activity[:0]
	s.phase = s.phase[:0]
	s.seen = s.seen[:0]
	s.observed = s.observed[:0]
	s.trail = s.trail[:0]
	s.limits = s.limits[:0]
	s.head, s.asserted = 0, 0
	s.order.reset()
	s.cursor = 1
	s.increment, s.clauseStep = 1, 1
	s.unsat = false
	s.proof = nil
	s.core = s.core[:0]
	s.model = s.model[:0]
	s.budget, s.work, s.lookAt = 0, 0, 0
	s.maxLearned = 0
}

// NewVar adds a variable and returns it as a literal.
func (s *Solver) NewVar() Lit {
	v := len(s.level)
	s.values = append(s.values, unassigned, unassigned)
	for len(s.watches) < len(s.values) {
		s.watches = append(s.watches, nil)
	}
	s.level = append(s.level, 0)
	s.reason = append(s.reason, noRef)
	s.activity = append(s.activity, 0)
	s.phase = append(s.phase, true)
	s.seen = append(s.seen, false)
	s.observed = append(s.observed, false)
	if s.theory == nil {
		s.order.push(v)
	}
	return Lit(2 * v)
}

// NumVars returns the number of variables.
func (s *Solver) NumVars() int { return len(s.level) }

// Observe has the variable of l reported to the theory. It is called before the
// variable is in a clause.
func (s *Solver) Observe(l Lit) { s.observed[l.Var()] = true }

// Prefer sets the literal of a variable that is tried first. Until then, and
// until the search finds reason to differ, it is the negation.
func (s *Solver) Prefer(l Lit) { s.phase[l.Var()] = l.Negated() }

// SetBudget limits the work of all calls of Solve together. A unit is about a
// variable assigned, a clause looked at or a tenth of a conflict. 0 means no limit.
func (s *Solver) SetBudget(units int64) { s.budget = units }

// SetDone has Solve answer Unknown soon after the channel is closed.
func (s *Solver) SetDone(done <-chan struct{}) { s.done = done }

// Done reports whether the channel of SetDone is closed.
func (s *Solver) Done() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Work returns the units of work done since New or Reset.
func (s *Solver) Work() int64 { return s.work }

// Spend counts work that is done for the sake of the next Solve.
func (s *Solver) Spend(units int64) { s.work += units }

// Fixed returns whether the clauses alone, without search, force l (1) or its
// negation (-1). It returns 0 if they force neither.
func (s *Solver) Fixed(l Lit) int {
	if s.values[l] != unassigned && s.level[l.Var()] == 0 {
		return int(s.values[l])
	}
	return 0
}

// Add adds a clause: at least one of the literals is true. It reports whether
// the clauses can still have a model as far as propagation can see.
func (s *Solver) Add(clause ...Lit) bool {
	s.cancel(0)
	if s.unsat {
		return false
	}
	// Drop false literals and doubles; a true literal or a pair of opposites
	// makes the clause void.
	s.work++
	s.lits = append(s.lits[:0], clause...)
	lits := s.lits
	if s.proof != nil {
		s.proof.Axiom(clause)
	}
	n := 0
next:
	for _, l := range lits {
		switch s.values[l] {
		case isTrue:
			return true
		case isFalse:
			continue
		}
		for _, k := range lits[:n] {
			switch k {
			case l:
				continue next
			case l.Not():
				return true
			}
		}
		lits[n] = l
		n++
	}
	if lits = lits[:n]; s.proof != nil && n > 0 && n < len(clause) {
		s.proof.Derive(lits)
	}
	switch n {
	case 0:
		s.refuted()
	case 1:
		s.assign(lits[0], noRef)
		if s.propagate() != nil {
			s.refuted()
		}
	default:
		s.attach(lits)
	}
	return !s.unsat
}

// attach stores a clause of two or more literals and watches the first two.
func (s *Solver) attach(lits []Lit) ref {
	c := ref(len(s.mem))
	s.mem = append(s.mem, Lit(len(lits)), 0)
	s.mem = append(s.mem, lits...)
	s.watches[lits[0]] = append(s.watches[lits[0]], watch{c, lits[1]})
	s.watches[lits[1]] = append(s.watches[lits[1]], watch{c, lits[0]})
	return c
}

// literals returns the literals of a clause, as they stand in memory.
func (s *Solver) literals(c ref) []Lit {
	start := int(c) + header
	return s.mem[start : start+int(s.mem[c])]
}

// assign makes l true, because of the clause if there is one.
func (s *Solver) assign(l Lit, why ref) {
	s.values[l], s.values[l.Not()] = isTrue, isFalse
	s.level[l.Var()] = int32(len(s.limits))
	s.reason[l.Var()] = why
	s.trail = append(s.trail, l)
}

// decide opens a decision level with l.
func (s *Solver) decide(l Lit) {
	s.limits = append(s.limits, len(s.trail))
	s.assign(l, noRef)
}

// cancel goes back to a decision level.
func (s *Solver) cancel(level int) {
	if len(s.limits) <= level {
		return
	}
	start := s.limits[level]
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		if i < s.asserted && s.observed[l.Var()] {
			s.theory.Retract(l)
		}
		s.values[l], s.values[l.Not()] = unassigned, unassigned
		if s.theory == nil {
			s.phase[l.Var()] = l.Negated()
			s.order.push(l.Var())
		}
	}
	s.trail = s.trail[:start]
	s.limits = s.limits[:level]
	s.head = start
	s.asserted = min(s.asserted, start)
}

// Solve looks for a model of the clauses in which the assumptions are true.
func (s *Solver) Solve(assumptions ...Lit) Result {
	s.cancel(0)
	s.core = s.core[:0]
	s.model = s.model[:0]
	if s.unsat {
		return Unsat
	}
	if s.propagate() != nil {
		s.refuted()
		return Unsat
	}
	if s.maxLearned == 0 {
		s.maxLearned = 2000 + len(s.mem)/20
	}
	for round := 1; ; round++ {
		if s.Done() {
			return Unknown
		}
		if r, done := s.search(assumptions, 64*luby(round)); done {
			if r == Sat {
				s.complete()
			}
			s.cancel(0)
			return r
		}
	}
}

// search works until it is done or has met the given number of conflicts.
func (s *Solver) search(assumptions []Lit, conflicts int) (r Result, done bool) {
	for {
		if conflict := s.propagate(); conflict != nil {
			conflicts--
			s.work += 10
			if len(s.limits) == 0 {
				s.refuted()
				return Unsat, true
			}
			s.learn(conflict)
			s.decay()
			continue
		}
		if s.budget > 0 && s.work > s.budget || s.stops() {
			return Unknown, true
		}
		if conflicts <= 0 { // restart
			s.cancel(0)
			return Unknown, false
		}
		if len(s.learned)-len(s.trail) > s.maxLearned {
			s.reduce()
		}
		next, ok := s.next(assumptions)
		if !ok {
			s.refutedUnder(s.core)
			return Unsat, true
		}
		if next == none {
			return Sat, true
		}
		s.decide(next)
	}
}

// lookEvery is the work, a few milliseconds, after which search looks again whether its answer
// is still wanted.
const lookEvery = 100_000

// stops reports, now and then, whether the answer is not wanted any more.
func (s *Solver) stops() bool {
	if s.work < s.lookAt {
		return false
	}
	s.lookAt = s.work + lookEvery
	return s.Done()
}

const none = ^Lit(0)

// next chooses the next decision: an assumption, or the most active variable,
// or none if all are assigned. It reports false, with the core set, if an
// assumption is false.
func (s *Solver) next(assumptions []Lit) (Lit, bool) {
	for len(s.limits) < len(assumptions) {
		l := assumptions[len(s.limits)]
		switch s.values[l] {
		case isTrue: // a level of its own all the same: levels count assumptions
			s.limits = append(s.limits, len(s.trail))
		case isFalse:
			s.blame(l)
			return none, false
		default:
			return l, true
		}
	}
	if s.theory != nil {
		return s.nextNeeded(), true
	}
	for {
		v, ok := s.order.pop()
		if !ok {
			return none, true
		}
		if l := Lit(2 * v); s.values[l] == unassigned {
			return s.preferred(v), true
		}
	}
}

// preferred returns the literal of an unassigned variable that is true unless
// there is reason to differ.
func (s *Solver) preferred(v int) Lit {
	l := Lit(2 * v)
	switch {
	case s.observed[v]:
		return s.theory.Choose(l)
	case s.phase[v]:
		return l.Not()
	}
	return l
}

// nextNeeded returns the next decision where there is a theory, or none if
// there is nothing to decide. With all unassigned variables as preferred, the
// theory is content; so a decision is only needed against preference, for a
// clause that is false otherwise.
func (s *Solver) nextNeeded() Lit {
	c := s.cursor
	for wrapped := false; ; {
		if int(c) == len(s.mem) {
			if wrapped {
				return none
			}
			c, wrapped = 1, true
		}
		if wrapped && c == s.cursor {
			return none
		}
		if s.mem[c+1] == 0 { // not learned: what is learned follows from the others
			if l := s.needed(c); l != none {
				s.cursor = c
				return l
			}
		}
		c += header + ref(s.mem[c])
	}
}

// needed returns a literal to make the clause true, or none if it is true with
// all unassigned variables as preferred.
func (s *Solver) needed(c ref) Lit {
	best := none
	for _, l := range s.literals(c) {
		switch {
		case s.values[l] == isTrue:
			return none
		case s.values[l] == isFalse:
			continue
		case s.preferred(l.Var()) == l:
			return none
		case best == none || s.activity[l.Var()] > s.activity[best.Var()]:
			best = l
		}
	}
	return best
}

// complete makes the present assignment the model, with unassigned variables
// as preferred.
func (s *Solver) complete() {
	s.model = append(s.model, s.values...)
	for v := range s.level {
		if s.model[2*v] == unassigned {
			l := s.preferred(v)
			s.model[l], s.model[l.Not()] = isTrue, isFalse
		}
	}
}

// Value returns whether l is true in the model found by the last Solve.
func (s *Solver) Value(l Lit) bool { return s.model[l] == isTrue }

// Core returns assumptions of the last Solve, which was Unsat, that cannot
// hold together; none if the clauses alone cannot.
func (s *Solver) Core() []Lit { return slices.Clone(s.core) }

// luby returns the i-th number, from 1, of the sequence 1 1 2 1 1 2 4 1 1 2 …
func luby(i int) int {
	for k := 1; ; k++ {
		switch full := 1<<k - 1; {
		case i == full:
			return 1 << (k - 1)
		case i < full:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}
