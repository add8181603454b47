package protection

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/lockset"
)

// A Relation says what is true of several numbers together while nobody holds their lock: of
// package variables, or of fields of one variable. The sum of the terms is 0 or, if Modulo is not
// 0, a multiple of that.
type Relation struct {
	Terms  []Term
	Modulo int64
}

// A Term is a number of a relation, or minus that number.
type Term struct {
	Bound *Bound
	Minus bool
}

// String returns the relation as it is written in tests.
func (r *Relation) String() string {
	var b strings.Builder
	for i, t := range r.Terms {
		switch {
		case t.Minus:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(t.Bound.name())
	}
	if r.Modulo != 0 {
		return fmt.Sprintf("%s = 0 mod %d", b.String(), r.Modulo)
	}
	return b.String() + " = 0"
}

const (
	maxCells    = 8 // of a group
	maxModulo   = 1 << 20
	largeNumber = 1 << 40 // numbers of relations with a modulus are less than that
)

// A group is some numbers of one type that have one lock: package variables, or fields of the
// struct that has it. Each critical section makes something of what was there when it began, which
// sections find out. A sum of numbers that none of them changes is always 0, since all are 0 at
// first.
type group struct {
	cells []*cell
	wild  []bool // what somebody writes in another way
	wraps []bool // what may overflow
	ends  []outcome
	whole map[called][]outcome // what functions do that are called with the lock held, nil if that is not known
}

// A called function is one of which the caller has the lock of a variable, by the name that it has there.
type called struct {
	fn   *ssa.Function
	name lockset.Path
}

// An outcome is what a critical section has made of numbers: each is a sum of those that were there
// when it began, which were between some numbers.
type outcome struct {
	now []sum
	was []Interval
}

// Relations returns the relations of numbers that have bounds, which have to be known.
func (p *Program) Relations(structs Structs) []Relation {
	p.Bounds(structs)
	if p.related {
		return p.relations
	}
	p.related = true
	var groups []*group
	for _, c := range p.numbers.order {
		if !c.bound.Locked || c.upTo != 0 || c.within == (Interval{0, 1}) || p.numbers.isSetAlone(c) {
			continue
		}
		at := slices.IndexFunc(groups, func(g *group) bool {
			first := g.cells[0]
			return len(g.cells) < maxCells && first.guard.is(c.guard) && first.within == c.within &&
				(first.bound.Struct == nil) == (c.bound.Struct == nil) &&
				(c.bound.Struct == nil || types.Identical(first.bound.Struct, c.bound.Struct))
		})
		if at < 0 {
			groups, at = append(groups, &group{whole: make(map[called][]outcome)}), len(groups)
		}
		groups[at].cells = append(groups[at].cells, c)
	}
	for _, g := range groups {
		if len(g.cells) < 2 {
			continue
		}
		g.wild, g.wraps = make([]bool, len(g.cells)), make([]bool, len(g.cells))
		for _, n := range p.Calls.Nodes {
			if slices.ContainsFunc(g.cells, func(c *cell) bool { return slices.Contains(c.fns, n) }) {
				p.numbers.sectionsOf(g, n)
			}
		}
		p.relations = append(p.relations, g.relations()...)
	}
	return p.relations
}

// isSetAlone reports whether a cell is set before others can know of it, to something else than 0.
func (b *bounding) isSetAlone(c *cell) bool {
	return slices.ContainsFunc(c.stores, func(s *ssa.Store) bool {
		if !b.isAlone(s) {
			return false
		}
		k, ok := number(s.Val)
		return c.bound.Variable != nil || !ok || k != 0 ||
			slices.ContainsFunc(c.stores, func(other *ssa.Store) bool { return other.Parent() == s.Parent() && !b.isAlone(other) })
	})
}

// relations returns those sums of a few numbers that no critical section changes.
func (g *group) relations() (list []Relation) {
	n := len(g.cells)
	related := make(map[[2]int]bool)
	var last []int64
	try := func(a []int64) {
		modulo, ok := g.modulo(a)
		if !ok || modulo == 2 && last != nil && slices.EqualFunc(a, last, func(x, y int64) bool { return x == y || x == -y }) {
			return // modulo 2, a number is as much as minus that number
		}
		last = a
		r := Relation{Modulo: modulo}
		for i, k := range a {
			if k != 0 {
				r.Terms = append(r.Terms, Term{&g.cells[i].bound, k < 0})
			}
		}
		const limit = 16
		if len(list) < limit {
			list = append(list, r)
		}
	}
	for i := range n {
		for k := i + 1; k < n; k++ {
			for _, s := range []int64{-1, 1} {
				a := make([]int64, n)
				a[i], a[k] = 1, s
				found := len(list)
				try(a)
				related[[2]int{i, k}] = related[[2]int{i, k}] || len(list) > found
			}
		}
	}
	for i := range n {
		for k := i + 1; k < n; k++ {
			for l := k + 1; l < n; l++ {
				if related[[2]int{i, k}] || related[[2]int{i, l}] || related[[2]int{k, l}] {
					continue
				}
				for signs := range 4 {
					a := make([]int64, n)
					a[i], a[k], a[l] = 1, int64(1-signs&1*2), int64(1-signs>>1*2)
					try(a)
				}
			}
		}
	}
	return list
}

// modulo returns the number of which a sum of the cells, with some factors, is always a multiple: 0
// if it is always 0. It is false if nothing is known.
func (g *group) modulo(factors []int64) (modulo int64, ok bool) {
	for i, k := range factors {
		if k != 0 && g.wild[i] {
			return 0, false
		}
	}
	for _, end := range g.ends {
		after := sum{ok: true}
		for i, k := range factors {
			if k == 0 {
				continue
			}
			if !end.now[i].ok {
				return 0, false
			}
			after = after.plus(end.now[i], k)
		}
		by, known := end.constant(after, factors, 1) // by how much it is more than before
		if !known {
			if by, known = end.constant(after, factors, 0); !known { // or how much it is
				return 0, false
			}
		} else if by != 0 {
			if is, known := end.constant(after, factors, 0); known && is == 0 {
				by = 0
			}
		}
		modulo = gcd(modulo, by)
	}
	if modulo == 0 {
		return 0, true
	}
	if modulo == 1 || modulo > maxModulo {
		return 0, false
	}
	for i, k := range factors {
		if c := g.cells[i]; k != 0 && (g.wraps[i] || !(Interval{-largeNumber, largeNumber}).has(c.bound.Ever)) {
			return 0, false
		}
	}
	return modulo, true
}

// constant returns a sum minus so many times that of the cells, with their factors, if that is the
// same wherever the section has begun.
func (o *outcome) constant(s sum, factors []int64, times int64) (int64, bool) {
	if !s.ok {
		return 0, false
	}
	is := s.c
	for i, was := range o.was {
		switch k := int64(s.of[i]) - times*factors[i]; {
		case k == 0:
		case was.Least == was.Most:
			is += k * was.Least
		default:
			return 0, false
		}
	}
	return is, true
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// A sum is a constant and numbers that were there when a critical section began, each with a
// factor. If it is not ok, nothing is known.
type sum struct {
	ok    bool
	wraps bool // it may have overflown
	c     int64
	of    [maxCells]int8
}

// plus returns the sum with another one added, so many times.
func (s sum) plus(t sum, times int64) sum {
	r := sum{ok: s.ok && t.ok, wraps: s.wraps || t.wraps, c: s.c + times*t.c}
	const most = 8
	if r.c < -largeNumber || r.c > largeNumber || t.c < -largeNumber || t.c > largeNumber {
		return sum{}
	}
	for i := range r.of {
		k := int64(s.of[i]) + times*int64(t.of[i])
		if k < -most || k > most {
			return sum{}
		}
		r.of[i] = int8(k)
	}
	if !r.ok {
		return sum{}
	}
	return r
}

// constant returns the number that the sum is, if it is one without others.
func (s sum) constant() (int64, bool) { return s.c, s.ok && s.of == [maxCells]int8{} }

// between returns between which numbers a sum is.
func (s sum) between(was []Interval) Interval {
	is := Interval{s.c, s.c}
	large := Interval{-largeNumber, largeNumber}
	for i, w := range was {
		k := int64(s.of[i])
		switch {
		case k == 0:
		case !large.has(w):
			return Interval{-1 << 63, 1<<63 - 1}
		case k > 0:
			is.Least, is.Most = is.Least+k*w.Least, is.Most+k*w.Most
		default:
			is.Least, is.Most = is.Least+k*w.Most, is.Most+k*w.Least
		}
	}
	return is
}

// isNumber reports whether a type is one of numbers, and not of truth values.
func isNumber(t types.Type) bool { return code.KindOf(t).Integer() }
