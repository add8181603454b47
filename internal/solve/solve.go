package solve

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Result is the answer to a query.
type Result = sat.Result

// The answers.
const (
	Unknown = sat.Unknown // the budget was spent
	Sat     = sat.Sat
	Unsat   = sat.Unsat
)

// DefaultBudget is the work allowed for a slice of a query unless Options say
// otherwise: a second or two.
const DefaultBudget = 10_000_000

// Options are the settings of a Solver.
type Options struct {
	// Budget is the work allowed for each slice of a query, in the units of
	// package sat; 0 means DefaultBudget.
	Budget int64
	// Stats, if not nil, is counted up.
	Stats *Stats
}

// Stats counts how queries were answered.
type Stats struct {
	Queries  int64 // calls of Check and CheckNear
	Slices   int64 // independent parts of them
	Hits     int64 // slices answered before
	Hinted   int64 // slices that the hint of CheckNear satisfied
	Guessed  int64 // slices answered by local search
	Blasted  int64 // slices answered by bit-blasting
	Unknowns int64 // slices whose budget was spent
	Work     int64 // units of work in package sat
}

// Solver answers queries about the expressions of one arena. It is not safe
// for concurrent use.
type Solver struct {
	arena   *expr.Arena
	budget  int64
	stats   *Stats
	slicer  slicer
	answers answers
	guesser guesser
	blaster *blaster

	failed []part // the slice that made the last query Unsat
	isNot  int    // or the index of a conjunct that is false, if not negative
}

// part is a conjunct of a query, or of a conjunction there.
type part struct {
	x     expr.ID
	index int // in the query
}

// answer is what is known of a slice.
type answer struct {
	result Result
	vars   []expr.ID // those of the slice, in a structural order
	values []uint64  // of vars, if the result is Sat
}

// New returns a solver over the arena.
func New(a *expr.Arena, o Options) *Solver {
	s := &Solver{
		arena:   a,
		budget:  cmp.Or(o.Budget, DefaultBudget),
		stats:   o.Stats,
		slicer:  slicer{arena: a},
		guesser: guesser{arena: a},
		blaster: newBlaster(a),
		isNot:   -1,
	}
	if s.stats == nil {
		s.stats = &Stats{}
	}
	return s
}

// Reset forgets all answers. It has to be called when the arena was released
// to a mark made before the latest query, and invalidates Core.
func (s *Solver) Reset() {
	s.answers.reset()
	s.failed, s.isNot = nil, -1
}

// Check returns whether all conjuncts, expressions of width 1, can be true,
// and if so by what model.
func (s *Solver) Check(conj []expr.ID) (Result, *Model) { return s.check(conj, nil) }

// CheckNear is Check with preferred values for variables. Slices that the hint
// satisfies keep its values; in others the search starts from it.
func (s *Solver) CheckNear(conj []expr.ID, hint func(v expr.ID) uint64) (Result, *Model) {
	return s.check(conj, hint)
}

func (s *Solver) check(conj []expr.ID, hint func(v expr.ID) uint64) (Result, *Model) {
	s.stats.Queries++
	s.failed, s.isNot = nil, -1
	slices, falseAt := s.slicer.slice(conj)
	if falseAt >= 0 {
		s.isNot = falseAt
		return Unsat, nil
	}
	m := &Model{arena: s.arena}
	unknown := false
	for _, slice := range slices {
		s.stats.Slices++
		a := s.solve(slice, hint)
		switch a.result {
		case Unsat:
			s.failed = append([]part(nil), slice...)
			return Unsat, nil
		case Unknown:
			unknown = true
		default:
			m.add(a)
		}
	}
	if unknown {
		return Unknown, nil
	}
	m.sort()
	return Sat, m
}

// solve answers a slice.
func (s *Solver) solve(slice []part, hint func(v expr.ID) uint64) answer {
	known, found := s.answers.get(slice)
	if found {
		s.stats.Hits++
	}
	if hint != nil && !(found && known.result == Unsat) {
		if a, ok := s.solveNear(slice, hint); ok {
			return a
		}
	}
	if !found {
		known = s.solveAlone(slice)
		s.answers.put(slice, known)
	}
	if known.result == Sat && hint != nil {
		return s.nearer(slice, known, hint)
	}
	return known
}

// solveNear tries the hint, and some steps from it.
func (s *Solver) solveNear(slice []part, hint func(v expr.ID) uint64) (answer, bool) {
	s.guesser.start(slice, hint)
	if s.guesser.satisfied() {
		s.stats.Hinted++
		return s.guesser.answer(), true
	}
	if s.guesser.search() {
		s.stats.Guessed++
		return s.guesser.answer(), true
	}
	return answer{}, false
}

// nearer moves a model closer to the hint, a variable at a time.
func (s *Solver) nearer(slice []part, a answer, hint func(v expr.ID) uint64) answer {
	s.guesser.start(slice, func(v expr.ID) uint64 { return a.values[slices.Index(a.vars, v)] })
	s.guesser.approach(hint)
	return s.guesser.answer()
}

// solveAlone answers a slice by local search from zero, then by bit-blasting.
func (s *Solver) solveAlone(slice []part) answer {
	s.guesser.start(slice, func(expr.ID) uint64 { return 0 })
	if s.guesser.search() {
		s.stats.Guessed++
		return s.guesser.answer()
	}
	ordered := s.guesser.parts // in structural order
	s.blaster.reset(s.budget)
	for _, p := range ordered {
		if !s.blaster.sat.Add(s.blaster.literal(p.x)) {
			break
		}
	}
	result := s.blaster.sat.Solve()
	s.stats.Work += s.blaster.sat.Work()
	s.stats.Blasted++
	a := answer{result: result}
	switch result {
	case Unknown:
		s.stats.Unknowns++
	case Sat:
		a.vars = slices.Clone(s.guesser.vars)
		for _, v := range a.vars {
			a.values = append(a.values, s.blaster.value(v))
		}
	}
	return a
}

// coreTries bounds the conjuncts of a core that Core tries to do without.
const coreTries = 32

// Core returns indexes, ascending, of conjuncts of the last query that cannot
// be true together, if it was answered Unsat. The core is small but not always
// the least there is.
func (s *Solver) Core() []int {
	if s.isNot >= 0 {
		return []int{s.isNot}
	}
	if s.failed == nil {
		return nil
	}
	// Assume each conjunct, so as to learn which were needed.
	s.guesser.start(s.failed, func(expr.ID) uint64 { return 0 })
	parts := s.guesser.parts
	b := s.blaster
	b.reset(s.budget)
	lits := make([]sat.Lit, len(parts))
	for i, p := range parts {
		lits[i] = b.literal(p.x)
	}
	core := lits
	if b.sat.Solve(lits...) == Unsat {
		core = b.sat.Core()
	}
	// Try to do without each, for about as much work as it took to get here.
	enough := max(b.sat.Work(), 50_000)
	for i, tries := 0, 0; i < len(core) && tries < coreTries && b.sat.Work() < s.budget; tries++ {
		b.sat.SetBudget(b.sat.Work() + enough)
		without := slices.Delete(slices.Clone(core), i, i+1)
		if b.sat.Solve(without...) == Unsat {
			// Those before i stay: none of them could be done without.
			core = intersect(without, b.sat.Core())
		} else {
			i++
		}
	}
	s.stats.Work += b.sat.Work()
	var indexes []int
	for i, p := range parts {
		if slices.Contains(core, lits[i]) {
			indexes = append(indexes, p.index)
		}
	}
	slices.Sort(indexes)
	return slices.Compact(indexes)
}

// intersect returns the literals of x that are in y, in the order of x.
func intersect(x, y []sat.Lit) []sat.Lit {
	return slices.DeleteFunc(x, func(l sat.Lit) bool { return !slices.Contains(y, l) })
}
