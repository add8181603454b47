package racing

import (
	"context"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy/racing/integrate"
)

// A jump leads to an input for which two goroutines take paths that they have taken in different
// shapes: the structure that both want, as Algorithm 1 integrates it, and then the changes to it
// that the test demands.
type jump struct {
	candidate candidate
	shape     *integrate.Shape
	input     run.Input
	repairs   int // that were made
}

// Bounds of jumps.
const (
	jumpsEvery   = 16   // runs between integrations
	maxJumps     = 24   // integrations for a potential race
	maxRepairs   = 24   // runs to make the structure that two paths want one that the test accepts
	maxQueries   = 12   // to repair the structure of a run
	maxUnions    = 4096 // pairs of accesses that wait to be integrated
	maxSummaries = 2048 // of a goroutine
)

// summarise adds a path to the summary of its goroutine if it is a new one: if what it wants of the
// inputs is, whatever else they have. Its accesses are compared with those in the summaries of
// others.
func (s *search) summarise(p *path) {
	if len(p.of.pointers) == 0 || s.summaries[p.goroutine] >= maxSummaries {
		return
	}
	if sum := integrate.Hash(s.arena, s.want(p, p.last)); !s.frontier.first(newChain(sum).with(uint64(p.goroutine))) {
		return
	}
	s.summaries[p.goroutine]++
	for i := range p.accesses {
		s.compare(use{p, &p.accesses[i]})
	}
}

// A kind is what accesses of a summary have in common that need not all be integrated with others.
type kind struct {
	goroutine int32
	site      run.SiteID
	of        string // type of the object
	offset    int32
	write     bool
	locks     uint64
}

// maxOfKind bounds the accesses of a kind.
const maxOfKind = 6

// compare notes with which accesses of other goroutines, in other shapes, one may race if the objects are the same.
func (s *search) compare(u use) {
	a := u.access
	of := u.path.of.types[a.object.Count]
	if a.object.Goroutine != run.InputObjects || of == "" {
		return
	}
	sum := newChain(uint64(len(a.locks)))
	for _, l := range relative(a.locks, a.object, unknown) {
		sum = sum.and(uint64(l.object.Goroutine), uint64(l.object.Count), uint64(l.offset))
	}
	k := kind{u.path.goroutine, a.site, of, a.offset, a.write, uint64(sum)}
	if s.kinds[k]++; s.kinds[k] > maxOfKind {
		return
	}
	for _, v := range s.uses[of] {
		if v.path.goroutine == u.path.goroutine || v.path.of.shape == u.path.of.shape ||
			!a.racesIfSame(v.access) || !concurrent(s.config.Names, u, v) {
			continue
		}
		if r := s.potential(pairOf(a.site, v.access.site)); !r.confirmed && r.jumps+len(r.apart) < maxJumps {
			r.apart = append(r.apart, candidate{[2]use{v, u}})
		}
	}
	s.uses[of] = append(s.uses[of], u)
}

// racesIfSame is races for accesses to objects of different shapes.
func (a *access) racesIfSame(b *access) bool {
	return a.offset < b.offset+b.cells && b.offset < a.offset+a.cells &&
		(a.write || b.write) && !(a.atomic && b.atomic) && !exclusive(relative(a.locks, a.object, unknown),
		relative(b.locks, b.object, unknown))
}

func unknown(int32) (int32, bool) { return 0, false }

// relative returns the locks as another shape names them: those in the object itself, and in the
// objects of which number knows the number there.
func relative(locks []lock, own run.ObjectID, number func(object int32) (int32, bool)) []lock {
	var list []lock
	for _, l := range locks {
		switch n, ok := number(l.object.Count); {
		case l.object == own:
			l.object = run.ObjectID{Goroutine: run.InputObjects}
		case l.object.Goroutine != run.InputObjects:
		case ok:
			l.object.Count = n
		default:
			continue
		}
		list = append(list, l)
	}
	return list
}

// integrate makes a jump for a potential race, false if there is none to be made.
func (s *search) integrate(ctx context.Context) (bool, error) {
	var r *potential
	for _, p := range s.potentials {
		if !p.confirmed && len(p.apart) > 0 && (r == nil || p.jumps < r.jumps) {
			r = p
		}
	}
	if r == nil {
		return false, nil
	}
	c := r.apart[0]
	r.apart = r.apart[1:]
	r.jumps++
	u, v := c.of[0], c.of[1]
	wants := [2]*integrate.Path{s.want(u.path, u.access.conditions), s.want(v.path, v.access.conditions)}
	combining := integrate.New(s.arena, s.solver, wants, [2]int32{u.access.object.Count, v.access.object.Count})
	shape, err := combining.Next(ctx)
	if err != nil {
		return false, err
	}
	for shape != nil && s.locked(c, shape) {
		if shape, err = combining.Next(ctx); err != nil {
			return false, err
		}
	}
	if shape == nil {
		r.why = combining.Why
		return true, nil
	}
	r.found = true
	s.adjusted += shape.Adjusted
	s.integrated++
	s.jumps = append(s.jumps, &jump{candidate: c, shape: shape, input: shape.Input})
	return true, nil
}

// want returns what a path wants of the inputs, as far as its conditions before an index say it.
func (s *search) want(p *path, end int) *integrate.Path {
	w := &integrate.Path{Input: p.of.input, Pointers: p.of.pointers}
	for i := p.first; i < end; i++ {
		if c := &p.of.conditions[i]; c.goroutine == p.goroutine && c.kind != run.Assumed {
			chosen := c.kind == run.Concretized && s.arena.Op(c.value) == expr.Var && p.of.pointers[s.arena.VarName(c.value)]
			w.Conditions = append(w.Conditions, integrate.Condition{Holds: c.holds, Chosen: chosen})
		}
	}
	return w
}

// locked reports whether a lock keeps two accesses apart in a shape.
func (s *search) locked(c candidate, shape *integrate.Shape) bool {
	var locks [2][]lock
	for k, u := range c.of {
		locks[k] = relative(u.access.locks, u.access.object, func(object int32) (int32, bool) {
			n, ok := shape.Objects[k][object]
			return n, ok
		})
	}
	return exclusive(locks[0], locks[1])
}

// arrived learns from the run of a jump, in which the focus has begun or has not. In the first case
// the other goroutine is tried in the same shape; otherwise the structure is repaired.
func (s *search) arrived(ctx context.Context, j *jump, o *origin, p *path) error {
	if p != nil {
		s.arrivals++
		for _, u := range j.candidate.of {
			if u.path.goroutine != p.goroutine {
				s.frontier.push(urgent, item{focus: u.path.goroutine, of: o, index: -1})
			}
		}
		return nil
	}
	if j.repairs++; j.repairs > maxRepairs {
		s.potential(j.at()).why = "no structure was found that both paths want and that the test accepts"
		return nil
	}
	wanted := j.shape.In(s.arena, o.input, o.pointers)
	queries := 0
	for i := len(o.conditions) - 1; i >= 0 && queries < maxQueries; i-- {
		c := &o.conditions[i]
		if c.kind == run.Assumed {
			continue
		}
		query := make([]expr.ID, 0, i+1+len(wanted))
		for k := range o.conditions[:i] {
			query = append(query, o.conditions[k].holds)
		}
		query = append(append(query, s.arena.Not(c.holds)), wanted...)
		queries++
		input, _, result, err := s.solve(ctx, query, o.input)
		if err != nil {
			return err
		}
		if result == solve.Sat && s.frontier.first(inputSum(input)) {
			again := *j
			again.input = input
			s.jumps = append(s.jumps, &again)
			return nil
		}
	}
	s.potential(j.at()).why = "the test accepts no structure that both paths want"
	return nil
}

func (j *jump) at() pair { return pairOf(j.candidate.of[0].access.site, j.candidate.of[1].access.site) }

// inputSum returns the hash of an input.
func inputSum(input run.Input) uint64 {
	sum := newChain()
	for _, name := range slices.Sorted(maps.Keys(input)) {
		sum = sum.text(name).and(input[name])
	}
	return uint64(sum)
}
