package driver

import (
	"reflect"
	"slices"
)

// A linearModel says what calls give one after another, as a porcupine.Model does.
type linearModel struct {
	init  func() any
	step  func(state, input, output any) (bool, any)
	equal func(a, b any) bool // nil for reflect.DeepEqual
	// encode returns what the model takes for a call; nil if it takes linearInput and []any.
	encode func(method string, args, results []any) (input, output any)
	// partition and partitionEvent are functions that divide a history into parts, of which init and step know one at a time:
	// a func([]Operation) [][]Operation, and a func([]Event) [][]Event. The model may have either, both, or none.
	partition, partitionEvent any
}

// A linearInput is what a model takes for a call, unless it has an encoding of its own.
type linearInput = struct {
	Method string
	Args   []any
}

// follow looks for an order of the calls that the model allows, of those of each part into which it divides the history. Calls that
// have not returned are taken for ones that had no effect.
func (l *linearTest[O]) follow(h *linearHistory) linearExplanation {
	var e linearExplanation
	for _, part := range l.parts(h) {
		if e = l.followPart(h, part); !e.found {
			break
		}
	}
	return e
}

// followPart looks for an order of some of the calls.
func (l *linearTest[O]) followPart(h *linearHistory, part []int) linearExplanation {
	var e linearExplanation
	type visit struct {
		done  []int // calls, sorted
		state any
	}
	var seen []visit
	equal := l.model.equal
	if equal == nil {
		equal = reflect.DeepEqual
	}
	ready := func(order []int, op int) bool {
		for _, i := range part {
			if h.ops[op].before[i] && !slices.Contains(order, i) {
				return false
			}
		}
		return true
	}
	var search func(order []int, state any) bool
	search = func(order []int, state any) bool {
		if len(order) == len(part) {
			return true
		}
		done := slices.Sorted(slices.Values(order))
		for _, v := range seen {
			if slices.Equal(v.done, done) && equal(v.state, state) {
				return false
			}
		}
		seen = append(seen, visit{done, state})
		for _, i := range part {
			if slices.Contains(order, i) || !ready(order, i) {
				continue
			}
			longer := append(slices.Clip(order), i)
			ok, next := l.step(h, i, state)
			if ok && search(longer, next) {
				return true
			}
			if !ok && len(longer) > len(e.longest) {
				e.longest, e.instead = longer, "the model does not allow it"
			}
		}
		return false
	}
	e.found = search(nil, l.model.init())
	return e
}

// step has the model make a call.
func (l *linearTest[O]) step(h *linearHistory, op int, state any) (bool, any) {
	if h.ops[op].result.panicked {
		return false, state // no model says that a call panics
	}
	input, output := l.operation(h, op)
	return l.model.step(state, input, output)
}

// operation returns what the model takes for a call.
func (l *linearTest[O]) operation(h *linearHistory, op int) (input, output any) {
	c := &l.calls[h.ops[op].index]
	args, results := c.args(h.object.(O)), h.ops[op].result.values
	if l.model.encode == nil {
		return linearInput{c.method, args}, results
	}
	return l.model.encode(c.method, args, results)
}
