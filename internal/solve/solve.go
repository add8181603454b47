package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/solve/bitblast"
	"github.com/everyway-go/everyway/internal/solve/bounds"
	"github.com/everyway-go/everyway/internal/solve/localsearch"
	"github.com/everyway-go/everyway/internal/solve/substitute"
)

// Limits of the local search, in moves: those before anything else is tried, and all.
const (
	firstMoves = 8
	allMoves   = 40
)

// DefaultBudget is the work allowed for a slice of a query unless Options say
// otherwise: a second or two.
const DefaultBudget = 10_000_000

// Options are the settings of a Solver.
type Options struct {
	// Budget is the work allowed for each slice of a query, in the units of
	// package sat; 0 means DefaultBudget. A slice that is not answered within it
	// costs up to three quarters more, see retry.go.
	Budget int64
	// Stats, if not nil, is counted up.
	Stats *Stats
	// Observe, if not nil, is called with every query.
	Observe func(a *expr.Arena, q Query)
	// Timed, if not nil, is called after every query, and after every search for a core of one, which is no
	// further query, with what it was about and how long it took.
	Timed func(about Subject, queries int64, took time.Duration)
	// Backend, if not nil, answers the slices that are neither remembered nor
	// answered by local search.
	Backend Backend
	// Cross has the built-in solver answer such slices, too. A contradiction
	// between the two is an error.
	Cross bool
}

// Backend is another solver. It is safe for concurrent use.
type Backend interface {
	// Solve answers a conjunction, with values for vars, its variables, if it is
	// Sat. The values have been checked. When the context is cancelled it answers
	// Unknown.
	Solve(ctx context.Context, a *expr.Arena, conj, vars []expr.ID) (Result, []uint64, error)
}

// Solver answers queries about the expressions of one arena. It is not safe
// for concurrent use.
type Solver struct {
	arena   *expr.Arena
	options Options
	stats   *Stats
	slicer  slicer
	answers answers
	current ordered // the slice that the stages work on
	search  *localsearch.Search
	bounds  *bounds.Analysis
	reducer *substitute.Reducer
	rest    slicer // of what the reducer leaves
	blaster *bitblast.Blaster

	subject Subject // of the queries to come

	failed []part // the slice that made the last query Unsat
	isNot  int    // or the index of a conjunct that is false, if not negative
}

// New returns a solver over the arena.
func New(a *expr.Arena, o Options) *Solver {
	s := &Solver{
		arena:   a,
		options: o,
		stats:   o.Stats,
		slicer:  slicer{arena: a},
		search:  localsearch.New(a),
		bounds:  bounds.New(a),
		reducer: substitute.New(a),
		rest:    slicer{arena: a},
		blaster: bitblast.New(a),
		isNot:   -1,
	}
	s.options.Budget = cmp.Or(o.Budget, DefaultBudget)
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
// and if so by what model. It fails only if the context is cancelled or
// the backend fails.
func (s *Solver) Check(ctx context.Context, conj []expr.ID) (Result, *Model, error) {
	return s.CheckNear(ctx, conj, nil)
}

// CheckNear is Check with preferred values for variables. Slices that the hint
// satisfies keep its values; in others the search starts from it.
func (s *Solver) CheckNear(ctx context.Context, conj []expr.ID, hint func(v expr.ID) uint64) (Result, *Model, error) {
	m := &Model{arena: s.arena}
	r, err := s.query(ctx, Query{conj, hint, true}, func(slice []part) (answer, error) {
		a, err := s.solve(ctx, slice, hint)
		m.add(a)
		return a, err
	})
	if r != Sat {
		return r, nil, err
	}
	m.sort()
	return Sat, m, nil
}

// Satisfiable is Check without the model. It can be cheaper: any model will do, such
// as that of another query.
func (s *Solver) Satisfiable(ctx context.Context, conj []expr.ID) (Result, error) {
	return s.query(ctx, Query{Conj: conj}, func(slice []part) (answer, error) {
		if a, ok := s.recall(slice); ok {
			return a, nil
		}
		return s.solve(ctx, slice, nil)
	})
}

// A Query is what a Solver is to answer.
type Query struct {
	Conj  []expr.ID
	Hint  func(v expr.ID) uint64 // of CheckNear, otherwise nil
	Model bool                   // wanted, which it is not by Satisfiable
}

// query answers a query by having solve answer its slices.
func (s *Solver) query(ctx context.Context, q Query, solve func(slice []part) (answer, error)) (Result, error) {
	s.stats.Queries++
	if s.options.Observe != nil {
		s.options.Observe(s.arena, q)
	}
	defer s.timed(1, s.now())
	s.failed, s.isNot = nil, -1
	slices, falseAt := s.slicer.slice(q.Conj)
	if falseAt >= 0 {
		s.isNot = falseAt
		return Unsat, nil
	}
	result := Sat
	for _, slice := range slices {
		if err := ctx.Err(); err != nil {
			return Unknown, fmt.Errorf("solving: %w", err)
		}
		s.stats.Slices++
		a, err := solve(slice)
		if err != nil {
			return Unknown, fmt.Errorf("solving: %w", err)
		}
		switch a.result {
		case Unsat:
			s.failed = append([]part(nil), slice...)
			return Unsat, nil
		case Unknown:
			result = Unknown
		}
	}
	return result, nil
}

// solve answers a slice.
func (s *Solver) solve(ctx context.Context, slice []part, hint func(v expr.ID) uint64) (answer, error) {
	a, found := s.answers.get(slice)
	if hint != nil && !(found && a.result == Unsat) {
		if a, ok := s.solveNear(slice, hint, found); ok {
			return a, nil
		}
	}
	if found {
		s.stats.Hits++
	} else {
		var err error
		if a, err = s.solveAlone(ctx, slice, hint != nil); err != nil {
			return answer{}, err
		}
		s.answers.put(slice, a)
	}
	if a.result == Sat && hint != nil {
		return s.nearer(a, slice, hint), nil
	}
	return a, nil
}

// start puts the stages to work on a slice, with values from which to search.
func (s *Solver) start(slice []part, value func(v expr.ID) uint64) {
	s.current.set(s.arena, slice)
	s.search.Start(s.current.conj, s.current.vars, value)
}

// found returns the model that the search has found.
func (s *Solver) found() answer {
	return answer{result: Sat, vars: slices.Clone(s.current.vars), values: s.search.Values()}
}

// recall answers a slice by a model found before, if one of them satisfies it.
func (s *Solver) recall(slice []part) (answer, bool) {
	for _, m := range s.answers.models {
		s.start(slice, m.lookup())
		if s.search.Satisfied() {
			s.stats.Models++
			return s.found(), true
		}
	}
	return answer{}, false
}

// solveNear tries the hint, and some steps from it. In between it looks for a
// cheap refutation, unless the answer to the slice from nothing is known.
func (s *Solver) solveNear(slice []part, hint func(v expr.ID) uint64, known bool) (answer, bool) {
	s.start(slice, hint)
	switch {
	case s.search.Satisfied():
		s.stats.Hinted++
	case s.search.Run(firstMoves):
		s.stats.Guessed++
	case !known && !s.options.Cross && s.refute(slice):
		a := answer{result: Unsat}
		s.answers.put(slice, a)
		return a, true
	case s.search.Run(allMoves):
		s.stats.Guessed++
	default:
		return answer{}, false
	}
	a := s.found()
	s.answers.found(a)
	return a, true
}

// nearer moves a model of the slice closer to the hint, a variable at a time.
func (s *Solver) nearer(a answer, slice []part, hint func(v expr.ID) uint64) answer {
	s.start(slice, a.lookup())
	s.search.Approach(hint)
	return s.found()
}

// refute looks for a contradiction in the slice that the stages work on, by what
// takes no search.
func (s *Solver) refute(slice []part) bool {
	switch {
	case s.answers.containsRefuted(slice):
		s.stats.Supersets++
	case s.bounds.Refute(s.current.conj):
		s.stats.Bounded++
	default:
		return false
	}
	return true
}

// solveAlone answers a slice without a hint. It does not try to refute it if that
// was tried.
func (s *Solver) solveAlone(ctx context.Context, slice []part, tried bool) (answer, error) {
	s.start(slice, zero)
	switch {
	case s.search.Run(firstMoves):
		s.stats.Guessed++
		return s.found(), nil
	case !tried && !s.options.Cross && s.refute(slice):
		return answer{result: Unsat}, nil
	case s.search.Run(allMoves):
		s.stats.Guessed++
		return s.found(), nil
	}
	a, by := s.reduce(ctx)
	if s.options.Backend != nil && (a.result == Unknown || s.options.Cross) {
		s.current.set(s.arena, slice)
		other, err := s.queryBackend(ctx, a)
		if err != nil {
			return answer{}, err
		}
		if other.result != a.result {
			by = byBackend
		}
		a = other
	}
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	s.stats.count(a.result, by)
	if a.result == Sat {
		s.answers.found(a)
	}
	return a, nil
}

// zero is the value of each variable where a search without a hint starts.
func zero(expr.ID) uint64 { return 0 }

// queryBackend has the backend answer the slice that the stages work on. own is the
// answer of the built-in solver, Unknown if there is none.
func (s *Solver) queryBackend(ctx context.Context, own answer) (answer, error) {
	conj := slices.Clone(s.current.conj)
	vars := slices.Clone(s.current.vars)
	result, values, err := s.options.Backend.Solve(ctx, s.arena, conj, vars)
	if err != nil {
		return answer{}, err
	}
	switch {
	case result == Unknown || result == own.result:
		return own, nil
	case own.result != Unknown:
		var query strings.Builder
		if err := smtlib.WriteScript(&query, s.arena, conj); err != nil {
			return answer{}, err
		}
		return answer{}, &Disagreement{Own: own.result, Other: result, Query: query.String()}
	}
	return answer{result: result, vars: vars, values: values}, nil
}

// Disagreement is the error of [Options.Cross].
type Disagreement struct {
	Own, Other Result
	Query      string // in SMT-LIB
}

func (d *Disagreement) Error() string {
	return fmt.Sprintf("two solvers disagree: %v says the built-in one, %v the other; the query is\n%s", d.Own, d.Other, d.Query)
}
