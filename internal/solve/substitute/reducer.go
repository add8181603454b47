package substitute

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// Limits of a reduction: passes over the conjuncts, and expressions built.
const (
	maxRounds = 6
	maxBuilt  = 50_000
)

// A Reducer rewrites the conjuncts of a conjunction by their equations. A conjunct
// x == t, with a variable x that is not in t, is left out, and x is replaced by t in
// all others. A conjunct t == c, with an expression t and a constant c, stays, and t
// is replaced by c in the others; so is every conjunct by true. What is left has a
// model if and only if the conjunction has, and Complete makes one of the other.
//
// A conjunct that stays is rewritten, too, with values for parts of t. This is not
// circular: each value used is that of a smaller expression.
//
// A Reducer builds expressions; its user releases the arena.
type Reducer struct {
	arena *expr.Arena
	eval  *expr.Evaluator

	conj    []expr.ID // in an order given by structure
	old     []expr.ID // those of the round before
	defined []definition

	// By ID, of those with the stamp of the round: what an expression is replaced by.
	stamp  uint32
	stamps []uint32
	images []expr.ID
	args   []expr.ID

	// By ID, the stamp of the round in which a variable was defined or was in a
	// definition.
	replaced, needed []uint32
	vars             []expr.ID
}

// definition gives a variable the value of an expression.
type definition struct{ x, t expr.ID }

// New returns a reducer of expressions of the arena.
func New(a *expr.Arena) *Reducer { return &Reducer{arena: a, eval: expr.NewEvaluator(a)} }

// Reduce rewrites a conjunction and returns what is left of it, which is valid until
// the next call. It reports whether anything has changed, and false if the conjuncts
// contradict each other.
func (r *Reducer) Reduce(conj []expr.ID) (rest []expr.ID, changed, ok bool) {
	changed, ok = r.reduce(conj)
	return r.conj, changed, ok
}

func (r *Reducer) reduce(conj []expr.ID) (changed, ok bool) {
	r.conj, r.defined = append(r.conj[:0], conj...), r.defined[:0]
	start := r.arena.Len()
	for range maxRounds {
		defined := len(r.defined)
		if !r.learn() {
			return true, false
		}
		again, ok := r.rewrite()
		if !ok {
			return true, false
		}
		again = again || len(r.defined) > defined
		changed = changed || again
		if !again || r.arena.Len()-start > maxBuilt {
			break
		}
	}
	return changed, true
}

// learn collects what expressions are to be replaced by. It reports false if there
// is a contradiction. Conjuncts that define a variable are taken out of conj.
func (r *Reducer) learn() bool {
	a := r.arena
	r.begin()
	n := 0
	for _, p := range r.conj {
		if r.define(p) {
			continue
		}
		r.conj[n] = p
		n++
	}
	r.conj = r.conj[:n]
	for _, p := range r.conj {
		if a.Op(p) == expr.Eq {
			if c := a.Arg(p, 1); a.Op(c) == expr.Const && !r.put(a.Arg(p, 0), c) {
				return false
			}
		}
		if !r.put(p, a.Bool(true)) {
			return false
		}
		switch a.Op(p) {
		case expr.Not, expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle:
			if !r.put(a.Not(p), a.Bool(false)) {
				return false
			}
		}
	}
	return true
}

// begin starts a round.
func (r *Reducer) begin() {
	if r.stamp++; r.stamp == 0 {
		clear(r.stamps)
		clear(r.replaced)
		clear(r.needed)
		r.stamp = 1
	}
	r.reach()
}

// reach makes room for all IDs there are.
func (r *Reducer) reach() {
	if n := r.arena.Len() + 1; len(r.stamps) < n {
		n *= 2
		r.stamps = append(r.stamps, make([]uint32, n-len(r.stamps))...)
		r.images = append(r.images, make([]expr.ID, n-len(r.images))...)
		r.replaced = append(r.replaced, make([]uint32, n-len(r.replaced))...)
		r.needed = append(r.needed, make([]uint32, n-len(r.needed))...)
	}
}

// define takes p as the definition of a variable if it can be one. No variable
// defined in a round is in a definition of the same round.
func (r *Reducer) define(p expr.ID) bool {
	a := r.arena
	switch a.Op(p) {
	case expr.Var:
		return r.defineAs(p, a.Bool(true))
	case expr.Not:
		return a.Op(a.Arg(p, 0)) == expr.Var && r.defineAs(a.Arg(p, 0), a.Bool(false))
	case expr.Eq:
		x, y := a.Arg(p, 0), a.Arg(p, 1)
		return a.Op(x) == expr.Var && r.defineAs(x, y) || a.Op(y) == expr.Var && r.defineAs(y, x)
	}
	return false
}

func (r *Reducer) defineAs(x, t expr.ID) bool {
	r.reach()
	if r.replaced[x] == r.stamp || r.needed[x] == r.stamp {
		return false
	}
	r.vars = r.arena.Vars(r.vars[:0], t)
	for _, v := range r.vars {
		if v == x || r.replaced[v] == r.stamp {
			return false
		}
	}
	for _, v := range r.vars {
		r.needed[v] = r.stamp
	}
	r.replaced[x] = r.stamp
	r.stamps[x], r.images[x] = r.stamp, t
	r.defined = append(r.defined, definition{x, t})
	return true
}

// put has x replaced by the constant c. It reports false if x is to be replaced by
// another one.
func (r *Reducer) put(x, c expr.ID) bool {
	r.reach()
	if r.stamps[x] == r.stamp {
		y := r.images[x]
		return y == c || r.arena.Op(y) != expr.Const
	}
	r.stamps[x], r.images[x] = r.stamp, c
	return true
}

// rewrite makes the replacements. It reports whether that has changed anything, and
// false if a conjunct has become false.
func (r *Reducer) rewrite() (changed, ok bool) {
	a := r.arena
	r.conj, r.old = r.old[:0], r.conj
	for _, p := range r.old {
		q := p
		switch {
		case a.Op(p) == expr.Eq && a.Op(a.Arg(p, 1)) == expr.Const:
			q = a.Eq(r.kept(a.Arg(p, 0)), a.Arg(p, 1))
		case a.Op(p) == expr.Not:
			q = a.Not(r.kept(a.Arg(p, 0)))
		default:
			q = r.kept(p)
		}
		changed = changed || q != p || a.Op(p) == expr.And
		if !r.add(q) {
			return true, false
		}
	}
	if changed {
		slices.SortFunc(r.conj, func(x, y expr.ID) int {
			return cmp.Or(cmp.Compare(a.Hash(x), a.Hash(y)), cmp.Compare(x, y))
		})
		r.conj = slices.Compact(r.conj)
	}
	return changed, true
}

// kept rewrites an expression that has to stay, since its conjunct gives its value.
func (r *Reducer) kept(x expr.ID) expr.ID {
	if r.replaced[x] == r.stamp {
		return r.images[x]
	}
	return r.inside(x)
}

// add adds a conjunct, or its parts. It reports false if it is false.
func (r *Reducer) add(p expr.ID) bool {
	a := r.arena
	if v, ok := a.ConstValue(p); ok {
		return v == 1
	}
	if a.Op(p) == expr.And {
		return r.add(a.Arg(p, 0)) && r.add(a.Arg(p, 1))
	}
	r.conj = append(r.conj, p)
	return true
}

// image returns what x is rewritten to.
func (r *Reducer) image(x expr.ID) expr.ID {
	if int(x) < len(r.stamps) && r.stamps[x] == r.stamp {
		return r.images[x]
	}
	y := r.inside(x)
	r.reach()
	r.stamps[x], r.images[x] = r.stamp, y
	return y
}

// inside rewrites the operands of x.
func (r *Reducer) inside(x expr.ID) expr.ID {
	a := r.arena
	n := a.NumArgs(x)
	if n == 0 {
		return x
	}
	start := len(r.args)
	same := true
	for i := range n {
		arg := a.Arg(x, i)
		image := r.image(arg)
		same = same && image == arg
		r.args = append(r.args, image)
	}
	y := x
	if !same {
		y = a.Rebuild(a, x, r.args[start:])
	}
	r.args = r.args[:start]
	return y
}

// Complete gives the variables that were defined their values, when the others
// have theirs.
func (r *Reducer) Complete(value map[expr.ID]uint64) {
	r.eval.Start(func(v expr.ID) uint64 { return value[v] })
	for _, d := range slices.Backward(r.defined) { // those in a definition have their values
		value[d.x] = r.eval.Eval(d.t)
	}
}
