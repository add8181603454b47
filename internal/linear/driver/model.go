package driver

import (
	"reflect"
	"slices"
)

// A linearModel says what calls give one after another, as a porcupine.Model does.
type linearModel struct {
	init  func() any
	step  func(state, input, output any) (bool, any)
	equal func(a, b any) bool // nil for ==
	// encode returns what the model takes for a call; nil if it takes linearInput and []any.
	encode func(method string, args, results []any) (input, output any)
}

// A linearInput is what a model takes for a call, unless it has an encoding of its own.
type linearInput = struct {
	Method string
	Args   []any
}

// follow looks for an order of the calls that the model allows. Calls that have not returned
// are taken for ones that had no effect.
func (l *linearTest[O]) follow(h *linearHistory) linearExplanation {
	var e linearExplanation
	n := h.count()
	type visit struct {
		done  []int // calls, sorted
		state any
	}
	var seen []visit
	equal := l.model.equal
	if equal == nil {
		equal = reflect.DeepEqual
	}
	var search func(order []int, state any) bool
	search = func(order []int, state any) bool {
		if len(order) == n {
			return true
		}
		done := slices.Sorted(slices.Values(order))
		for _, v := range seen {
			if slices.Equal(v.done, done) && equal(v.state, state) {
				return false
			}
		}
		seen = append(seen, visit{done, state})
		for i := range h.ops {
			if !h.ops[i].returned || slices.Contains(order, i) || !h.ready(order, i) {
				continue
			}
			longer := append(slices.Clip(order), i)
			ok, next := l.step(h, i, state)
			if ok && search(longer, next) {
				return true
			}
			if !ok {
				e.tried++
				if len(longer) > len(e.longest) {
					e.longest, e.instead = longer, "the model does not allow it"
				}
			}
		}
		return false
	}
	e.found = search(nil, l.model.init())
	return e
}

// step has the model make a call.
func (l *linearTest[O]) step(h *linearHistory, op int, state any) (bool, any) {
	c := &l.calls[h.ops[op].index]
	r := &h.ops[op].result
	args := c.args(h.object.(O))
	if r.panicked {
		return false, state // no model says that a call panics
	}
	if l.model.encode == nil {
		return l.model.step(state, linearInput{c.method, args}, r.values)
	}
	input, output := l.model.encode(c.method, args, r.values)
	return l.model.step(state, input, output)
}
