package integrate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A Combining integrates two paths (Algorithm 1).
type Combining struct {
	arena   *expr.Arena
	solver  *solve.Solver
	sides   [2]*side
	meeting [2]int32 // objects that are to be one, 0 for none

	choices []int // that were taken, and
	options []int // of how many
	next    int   // of choices, in the attempt that is under way
	over    bool

	// Why says why the last attempt has failed.
	Why string
	// Adjusted counts the relations that were changed, in all attempts.
	Adjusted int
}

// A Shape is what allows two paths at the same time.
type Shape struct {
	Input run.Input
	// Wanted are the conditions of both paths on inputs that are no pointers, and Relations where
	// the pointers lead that they use. They name objects as Input does.
	Wanted    []expr.ID
	Relations map[string]uint64
	Adjusted  int                // number of relations that were changed
	Objects   [2]map[int32]int32 // the numbers of the objects of each path
}

// A side is a path that is combined.
type side struct {
	*Path
	fields map[int32][]string   // of the objects, sorted; those of 0 are no fields of any
	hard   map[string]bool      // pointers that the path has used or compared
	about  map[string][]expr.ID // conditions, but for relations, by the pointers in them
}

// maxAttempts bounds how often adjustments are taken back.
const maxAttempts = 16

// New returns what integrates two paths. If the numbers of objects in meeting are not 0, these two are to become one.
func New(a *expr.Arena, solver *solve.Solver, paths [2]*Path, meeting [2]int32) *Combining {
	c := &Combining{arena: a, solver: solver, meeting: meeting}
	for k, p := range paths {
		s := &side{Path: p, fields: make(map[int32][]string), hard: make(map[string]bool), about: make(map[string][]expr.ID)}
		for _, name := range slices.Sorted(maps.Keys(p.Input)) {
			object, field := Parent(name)
			s.fields[object] = append(s.fields[object], field)
		}
		for _, cond := range p.Conditions {
			for _, v := range a.Vars(nil, cond.Holds) {
				name := a.VarName(v)
				if !p.Pointers[name] {
					continue
				}
				s.hard[name] = true
				if !cond.Chosen {
					s.about[name] = append(s.about[name], cond.Holds)
				}
			}
		}
		c.sides[k] = s
	}
	return c
}

// Next returns the next shape that allows both paths, nil if there is none, or none was found.
func (c *Combining) Next(ctx context.Context) (*Shape, error) {
	for attempts := 0; !c.over && attempts < maxAttempts; attempts++ {
		c.next = 0
		s, err := c.combine(ctx)
		c.backtrack()
		if s != nil || err != nil {
			return s, err
		}
	}
	return nil, nil
}

// choose returns a number below n, which is another one in the next attempt.
func (c *Combining) choose(n int) int {
	if c.next == len(c.choices) {
		c.choices, c.options = append(c.choices, 0), append(c.options, n)
	}
	c.next++
	return c.choices[c.next-1]
}

// backtrack takes the last choice back that has another option.
func (c *Combining) backtrack() {
	for n := len(c.choices) - 1; n >= 0; n-- {
		if c.choices[n]++; c.choices[n] < c.options[n] {
			return
		}
		c.choices, c.options = c.choices[:n], c.options[:n]
	}
	c.over = true
}

// A node is an object of the shape: some of either side that are one.
type node struct {
	members [2][]int32
	number  int32
	fields  map[string]value // pointers
}

// A value is that of a pointer in the shape.
type value struct {
	to     *node // nil for a nil pointer
	offset uint64
}

// A combination is an attempt.
type combination struct {
	*Combining
	of       [2]map[int32]*node
	merged   map[*node]*node // into what, if it has been
	taken    map[string]int  // choices between pointers, by their names
	adjusted map[string]bool // pointers that do not lead where a path wanted them to
	shape    *Shape
}

// A ref is an object of a side.
type ref struct {
	side   int
	object int32
}

// combine makes an attempt.
func (c *Combining) combine(ctx context.Context) (*Shape, error) {
	x := &combination{
		Combining: c, merged: make(map[*node]*node), taken: make(map[string]int),
		adjusted: make(map[string]bool), shape: &Shape{},
	}
	for k := range x.of {
		x.of[k] = make(map[int32]*node)
		x.node(ref{k, 0})
	}
	first := c.choose(2) // whose inputs count that neither path has conditions on
	x.union(ref{0, 0}, ref{1, 0})
	if m := c.meeting; m[0] > 0 && m[1] > 0 && c.choose(2) == 1 {
		x.shape.Adjusted++
		x.union(ref{0, m[0]}, ref{1, m[1]})
	}
	if why := x.close(first); why != "" {
		c.Why = why
		return nil, nil
	}
	x.shape.Adjusted += len(x.adjusted)
	c.Adjusted += x.shape.Adjusted
	if m := c.meeting; m[0] > 0 && m[1] > 0 && x.node(ref{0, m[0]}) != x.node(ref{1, m[1]}) {
		c.Why = "the accesses are to different objects"
		return nil, nil
	}
	return x.solve(ctx, first)
}

// node returns the node of an object.
func (x *combination) node(r ref) *node {
	n := x.of[r.side][r.object]
	if n == nil {
		n = &node{fields: make(map[string]value)}
		n.members[r.side] = []int32{r.object}
		x.of[r.side][r.object] = n
	}
	for x.merged[n] != nil {
		n = x.merged[n]
	}
	return n
}

// union makes two objects one, and the objects to which the pointers in them lead.
func (x *combination) union(a, b ref) {
	n, m := x.node(a), x.node(b)
	if n == m {
		return
	}
	x.merged[m] = n
	for k := range n.members {
		if len(n.members[k]) > 0 && len(m.members[k]) > 0 {
			x.shape.Adjusted++ // two objects of one path become one
		}
		n.members[k] = append(n.members[k], m.members[k]...)
	}
}

// An origin is what a pointer is on a side.
type origin struct {
	ref
	name string
	code uint64
	hard bool
}

// close decides where the pointers lead, from the roots on, until nothing changes any more. It
// returns why that cannot be, if so.
func (x *combination) close(first int) string {
	for {
		changed := false
		seen := map[*node]bool{}
		todo := []*node{x.node(ref{0, 0})}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, field := range x.pointers(n) {
				v, more, why := x.decide(n, field, first)
				if why != "" {
					return why
				}
				if more {
					changed = true
				}
				if v.to != nil {
					for x.merged[v.to] != nil {
						v.to = x.merged[v.to]
					}
					todo = append(todo, v.to)
				}
				n.fields[field] = v
			}
			if changed {
				break
			}
		}
		if !changed {
			return ""
		}
	}
}

// pointers returns the fields of a node that are pointers, sorted.
func (x *combination) pointers(n *node) []string {
	var list []string
	for k, s := range x.sides {
		for _, object := range n.members[k] {
			for _, field := range s.fields[object] {
				if s.Pointers[Name(object, field)] {
					list = append(list, field)
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// decide decides where a pointer leads (lines 7 to 23 of the algorithm). The second result says
// that objects became one because of that.
func (x *combination) decide(n *node, field string, first int) (v value, more bool, why string) {
	var list []origin
	for _, k := range []int{first, 1 - first} {
		s := x.sides[k]
		for _, object := range n.members[k] {
			name := Name(object, field)
			if code, ok := s.Input[name]; ok && s.Pointers[name] {
				list = append(list, origin{ref{k, object}, name, code, s.hard[name]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b origin) int {
		switch {
		case a.hard == b.hard:
			return 0
		case a.hard:
			return -1
		}
		return 1
	})
	best := list[0]
	for _, o := range list[1:] {
		switch {
		case o.code == 0 && best.code == 0:
		case o.code != 0 && best.code != 0:
			to, offset := Target(best.code)
			other, otherOffset := Target(o.code)
			if offset != otherOffset {
				if o.hard && best.hard {
					return v, false, fmt.Sprintf("%s leads to different parts of an object", field)
				}
				continue
			}
			if a, b := (ref{best.side, to}), (ref{o.side, other}); x.node(a) != x.node(b) {
				if !o.hard && x.keeps(a, b) {
					continue // the relation is given up instead
				}
				x.union(a, b)
				more = true
			}
		case !o.hard && best.hard: // one is nil, and the path does not use it: it is as the other one wants it
		case !o.hard: // nor does the other one: it may be as it is on either side
			if x.between(o, best) {
				best = o
			}
		default:
			mine, others := x.adjustable(o, best), x.adjustable(best, o)
			if !mine && !others {
				return v, false, fmt.Sprintf("%s has to be nil and not nil", strings.TrimPrefix(field, "."))
			}
			x.adjusted[key(o, best)] = true
			if !mine || others && x.between(o, best) {
				best = o
			}
		}
	}
	if best.code == 0 {
		return value{}, more, ""
	}
	to, offset := Target(best.code)
	return value{x.node(ref{best.side, to}), offset}, more, ""
}

// between chooses between two pointers that both can be as they are.
func (x *combination) between(o, best origin) bool {
	k := key(o, best)
	taken, ok := x.taken[k]
	if !ok {
		taken = x.choose(2)
		x.taken[k] = taken
	}
	return taken == 1
}

// key names two pointers.
func key(o, p origin) string { return fmt.Sprint(o.side, o.name, p.side, p.name) }

// keeps reports whether two objects are better not made one because of a relation that neither path
// needs: two objects of one side would become one.
func (x *combination) keeps(a, b ref) bool {
	n, m := x.node(a), x.node(b)
	return len(n.members[0]) > 0 && len(m.members[0]) > 0 || len(n.members[1]) > 0 && len(m.members[1]) > 0
}

// adjustable reports whether a pointer of a path can have the value of another one, of which one is
// nil: whether the conditions on it that do not depend on other inputs still hold then.
func (x *combination) adjustable(o, by origin) bool {
	s := x.sides[o.side]
	for _, cond := range s.about[o.name] {
		known := x.arena.Eval(cond, func(v expr.ID) uint64 {
			name := x.arena.VarName(v)
			if name == o.name {
				if by.code == 0 {
					return 0
				}
				return codeOf(stranger, 0)
			}
			return s.Input[name]
		})
		if known == 0 {
			return false
		}
	}
	// What the path has found behind a pointer it does not find if it is nil.
	return o.code == 0 || !x.follows(o)
}

// follows reports whether a path has conditions on what a pointer leads to.
func (x *combination) follows(o origin) bool {
	s := x.sides[o.side]
	object, _ := Target(o.code)
	for _, cond := range s.Conditions {
		for _, v := range x.arena.Vars(nil, cond.Holds) {
			if of, _ := Parent(x.arena.VarName(v)); of == object {
				return true
			}
		}
	}
	return false
}

// stranger is the number of an object that is none of a side.
const stranger = 1 << 20

// solve numbers the objects, and returns the shape if the conditions of both paths can hold.
func (x *combination) solve(ctx context.Context, first int) (*Shape, error) {
	root := x.node(ref{0, 0})
	list := []*node{root}
	seen := map[*node]bool{root: true}
	for i := 0; i < len(list); i++ {
		list[i].number = int32(i)
		for _, field := range slices.Sorted(maps.Keys(list[i].fields)) {
			if to := list[i].fields[field].to; to != nil && !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	for k := range x.of {
		x.shape.Objects[k] = make(map[int32]int32)
		for object := range x.of[k] {
			if n := x.node(ref{k, object}); seen[n] {
				x.shape.Objects[k][object] = n.number
			}
		}
	}
	x.shape.Input = run.Input{}
	x.shape.Relations = make(map[string]uint64)
	for _, n := range list {
		for field, v := range n.fields {
			name, code := Name(n.number, field), uint64(0)
			if v.to != nil {
				code = codeOf(v.to.number, v.offset)
			}
			x.shape.Input[name] = code
			for k, s := range x.sides {
				if slices.ContainsFunc(n.members[k], func(object int32) bool { return s.hard[Name(object, field)] }) {
					x.shape.Relations[name] = code
				}
			}
		}
		for _, k := range []int{first, 1 - first} {
			for _, object := range n.members[k] {
				for _, field := range x.sides[k].fields[object] {
					name := Name(n.number, field)
					if _, ok := x.shape.Input[name]; !ok {
						x.shape.Input[name] = x.sides[k].Input[Name(object, field)]
					}
				}
			}
		}
	}
	for k := range x.sides {
		for _, cond := range x.sides[k].Conditions {
			if cond.Chosen {
				continue
			}
			again, ok := x.rename(k, cond.Holds, seen)
			if !ok {
				x.Why = "a path depends on an object that the other one does not leave where it is"
				return nil, nil
			}
			if v, constant := x.arena.ConstValue(again); constant {
				if v == 0 {
					x.Why = "the paths want pointers to be equal and not equal"
					return nil, nil
				}
				continue
			}
			x.shape.Wanted = append(x.shape.Wanted, again)
		}
	}
	near := x.shape.Input
	result, model, err := x.solver.CheckNear(ctx, x.shape.Wanted, func(v expr.ID) uint64 { return near[x.arena.VarName(v)] })
	if err != nil {
		return nil, err
	}
	switch result {
	case solve.Unknown:
		x.Why = "the solver does not know whether the conditions of both paths can hold"
		return nil, nil
	case solve.Unsat:
		x.Why = "the conditions of the paths contradict each other"
		return nil, nil
	}
	for _, v := range model.Vars() {
		x.shape.Input[x.arena.VarName(v)] = model.Value(v)
	}
	return x.shape, nil
}

// rename returns a condition of a side with the pointers replaced by where they lead in the shape,
// and the other inputs by those of the shape. It returns false if an object in it is not in the
// shape.
func (x *combination) rename(k int, cond expr.ID, in map[*node]bool) (expr.ID, bool) {
	s, a := x.sides[k], x.arena
	ok := true
	variable := func(e expr.ID) expr.ID {
		name := a.VarName(e)
		object, field := Parent(name)
		n := x.node(ref{k, object})
		if !in[n] {
			ok = false
			return e
		}
		if !s.Pointers[name] {
			return a.VarOfRun(Name(n.number, field), a.Width(e))
		}
		code := uint64(0)
		if v := n.fields[field]; v.to != nil {
			code = codeOf(v.to.number, v.offset)
		}
		return a.Const(code, a.Width(e))
	}
	renamed := a.Replace(cond, func(e expr.ID) (expr.ID, bool) {
		switch a.Op(e) {
		case expr.Var:
			return variable(e), true
		case expr.Eq:
			for i := range 2 {
				if code, is := x.target(k, a.Arg(e, i), a.Arg(e, 1-i), in); is {
					return a.Eq(code, variable(a.Arg(e, 1-i))), true
				}
			}
		}
		return 0, false
	})
	return renamed, ok
}

// target returns what a constant is in the shape that is compared with a pointer: the code of an
// object. It returns false for any other expression, and for nil.
func (x *combination) target(k int, e, with expr.ID, in map[*node]bool) (expr.ID, bool) {
	a := x.arena
	code, is := a.ConstValue(e)
	if !is || code == 0 || a.Op(with) != expr.Var || !x.sides[k].Pointers[a.VarName(with)] {
		return 0, false
	}
	object, offset := Target(code)
	if n := x.of[k][object]; n == nil || !in[x.node(ref{k, object})] {
		return a.Const(codeOf(stranger, offset), a.Width(e)), true
	}
	return a.Const(codeOf(x.node(ref{k, object}).number, offset), a.Width(e)), true
}
