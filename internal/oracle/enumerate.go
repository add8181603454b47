package oracle

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Result is everything a program can do.
type Result struct {
	// Outcomes are the ends of all runs, sorted; see [Outcome].
	Outcomes []string
	// Degree tells of each branch that can be covered the least number of
	// interferences on a run up to it. A read is an interference when the
	// value was written neither by the reader, nor by the goroutine that
	// spawned it before the spawn (or that one's spawner …), nor initially.
	Degree map[Branch]int
	// Race is set when two accesses of a plain variable, one of them a write,
	// are not ordered by happens-before in some run.
	Race bool
	// MayRace is set when an Add of a wait group from zero comes after a Wait, and they are not
	// ordered: whether they race depends on whether the Wait has had to wait.
	MayRace bool
	States  int // visited
}

// Fails reports whether something can go wrong.
func (r *Result) Fails() bool {
	if r.Race {
		return true
	}
	for _, o := range r.Outcomes {
		if !strings.HasPrefix(o, "ok") {
			return true
		}
	}
	return false
}

// ErrTooLarge is returned for a program with more states than the limit.
var ErrTooLarge = errors.New("oracle: too many states")

// MaxStatements bounds the number of statements of a program.
const MaxStatements = 64

// Enumerate explores every input and every interleaving of p. The programs it
// takes have at most seven bodies and 64 statements. It gives up with
// ErrTooLarge after limit states.
func Enumerate(p *Program, limit int) (*Result, error) {
	if n := p.Number(); n > MaxStatements || len(p.Bodies) > MaxBodies {
		return nil, fmt.Errorf("oracle: %d statements in %d bodies: too many", n, len(p.Bodies))
	}
	r := &Result{Degree: map[Branch]int{}}
	code := flatten(p)
	ends := map[string]bool{}
	var err error
	p.EachInput(func(values []int) {
		if err != nil {
			return
		}
		x := &execution{p: p, code: code, inputs: slices.Clone(values)}
		if err = r.degrees(x, limit); err != nil {
			return
		}
		end := func(s *state) { ends[x.outcome(s)] = true }
		if err = r.explore(x, outcomes, limit, end); err != nil {
			return
		}
		if (p.Plains > 0 || p.Reused) && !x.raced {
			err = r.explore(x, races, limit, func(*state) {})
		}
		r.Race, r.MayRace = r.Race || x.raced, r.MayRace || x.mayRace
	})
	if err != nil {
		return nil, err
	}
	r.Outcomes = slices.Sorted(maps.Keys(ends))
	return r, nil
}

// explore visits every state of x, as told apart by t, and calls end for those
// without a step, and for one of those from which the program goes round for ever: a
// component of states, strongly connected, that no step leaves. It finds the components as
// Tarjan does.
func (r *Result) explore(x *execution, t tracking, limit int, end func(*state)) error {
	type visited struct {
		low    int  // the first state of the component, as far as that is known
		done   bool // the component is
		leaves bool // a step leads from here to another component
	}
	var all []visited
	var open []int // of components that are not done
	seen := map[string]int{}
	var buf []byte
	var visit func(s *state) (int, error)
	visit = func(s *state) (int, error) {
		buf = s.key(buf[:0], t)
		if at, ok := seen[string(buf)]; ok {
			return at, nil
		}
		at := len(all)
		seen[string(buf)] = at
		all, open = append(all, visited{low: at}), append(open, at)
		if r.States++; r.States > limit {
			return 0, ErrTooLarge
		}
		steps := x.steps(nil, s)
		for _, st := range steps {
			next := s.clone()
			x.take(next, st)
			to, err := visit(next)
			if err != nil {
				return 0, err
			}
			if all[to].done {
				all[at].leaves = true
			} else {
				all[at].low = min(all[at].low, all[to].low)
			}
		}
		if all[at].low == at {
			from := slices.Index(open, at)
			leaves := false
			for _, i := range open[from:] {
				all[i].done = true
				leaves = leaves || all[i].leaves
			}
			if open = open[:from]; !leaves {
				end(s)
			}
		}
		return at, nil
	}
	_, err := visit(x.start())
	return err
}

// degrees visits the states of x in the order of the interferences that lead
// to them.
func (r *Result) degrees(x *execution, limit int) error {
	seen := map[string]bool{}
	var buf []byte
	x.covered = func(b Branch) {
		if d, ok := r.Degree[b]; !ok || x.degree < d {
			r.Degree[b] = x.degree
		}
	}
	defer func() { x.covered = nil }()
	x.degree = 0
	// level holds states reached with degree interferences, next those with
	// one more: no step has two.
	level, next := []*state{x.start()}, []*state(nil)
	for degree := 0; len(level) > 0; degree++ {
		for len(level) > 0 {
			s := level[len(level)-1]
			level = level[:len(level)-1]
			buf = s.key(buf[:0], degrees)
			if seen[string(buf)] {
				continue
			}
			seen[string(buf)] = true
			if r.States++; r.States > limit {
				return ErrTooLarge
			}
			for _, st := range x.steps(nil, s) {
				t := s.clone()
				x.degree = degree
				x.take(t, st)
				if x.degree == degree {
					level = append(level, t)
				} else {
					next = append(next, t)
				}
			}
		}
		level, next = next, nil
	}
	return nil
}

// outcome describes the end s of a run.
func (x *execution) outcome(s *state) string {
	var b Outcome
	for i := range s.bodies {
		for j := 0; j < len(s.bodies[i].history); j += 2 {
			h := s.bodies[i].history
			b.Shown = append(b.Shown, Shown{i, int(h[j]), int(int8(h[j+1]))})
		}
	}
	x.p.Each(func(body int, st *Stmt) {
		if st.Op == Error && s.errors>>st.ID&1 != 0 {
			b.Errors = append(b.Errors, st.ID)
		}
	})
	switch {
	case s.failed != "":
		b.Failure, b.Failing = s.failed, s.failing
	case x.p.Bubble:
		b.Failure = x.bubbleEnd(s)
	case x.at(s, 0) != nil:
		b.Failure = Deadlock
	default:
		for i := range s.bodies {
			if x.at(s, i) != nil {
				b.Failure = Leak
			}
		}
	}
	return b.Canonical(x.p)
}
