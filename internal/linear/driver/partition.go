package driver

import (
	"reflect"
	"slices"
)

// parts returns the calls of a history that have returned, divided as the model divides them. If one has panicked they are not
// divided: no model has an output for it, and none allows it.
func (l *linearTest[O]) parts(h *linearHistory) [][]int {
	var all []int
	panicked := false
	for i := range h.ops {
		if h.ops[i].returned {
			all = append(all, i)
			panicked = panicked || h.ops[i].result.panicked
		}
	}
	if panicked {
		return [][]int{all}
	}
	if f := reflect.ValueOf(l.model.partition); f.IsValid() && !f.IsNil() {
		return l.divide(h, all, f, false)
	}
	if f := reflect.ValueOf(l.model.partitionEvent); f.IsValid() && !f.IsNil() {
		return l.divide(h, all, f, true)
	}
	return [][]int{all}
}

// divide has a function of a model divide calls. It takes a slice of what porcupine calls an Operation, or an Event, and returns
// several. Their types are known by reflection only, since the driver imports nothing of the user's.
func (l *linearTest[O]) divide(h *linearHistory, calls []int, f reflect.Value, events bool) [][]int {
	made, returned := h.times(calls)
	n, number := len(calls), "Call"
	if events {
		n, number = 2*n, "Id"
	}
	list := reflect.MakeSlice(f.Type().In(0), n, n)
	set := func(v reflect.Value, field string, value any) {
		if value != nil {
			to := v.FieldByName(field)
			to.Set(reflect.ValueOf(value).Convert(to.Type()))
		}
	}
	for i, op := range calls {
		input, output := l.operation(h, op)
		if !events {
			v := list.Index(i)
			set(v, "ClientId", h.ops[op].goroutine+1)
			set(v, "Input", input)
			set(v, "Call", made[op])
			set(v, "Output", output)
			set(v, "Return", returned[op])
			continue
		}
		for _, returns := range []bool{false, true} {
			at, value := made[op], input
			if returns {
				at, value = returned[op], output
			}
			v := list.Index(at)
			set(v, "ClientId", h.ops[op].goroutine+1)
			set(v, "Kind", returns)
			set(v, "Value", value)
			set(v, "Id", made[op])
		}
	}
	var parts [][]int
	divided := f.Call([]reflect.Value{list})[0]
	for p := range divided.Len() {
		var part []int
		for i := range divided.Index(p).Len() {
			op := slices.Index(made, int(divided.Index(p).Index(i).FieldByName(number).Int()))
			if !slices.Contains(part, op) {
				part = append(part, op)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// times returns, by their numbers, when calls were made and when they had returned, each from 0 to twice the number of the
// calls. The same calls as in the history had returned when another one was made.
func (h *linearHistory) times(calls []int) (made, returned []int) {
	made, returned = make([]int, len(h.ops)), make([]int, len(h.ops))
	for i := range made {
		made[i], returned[i] = -1, -1
	}
	// The sets of calls that had returned when others were made are one in the other, so that a call comes after those with smaller sets.
	order := slices.Clone(calls)
	slices.SortStableFunc(order, func(a, b int) int { return h.preceding(a) - h.preceding(b) })
	now := 0
	for _, op := range order {
		for _, before := range calls {
			if h.ops[op].before[before] && returned[before] < 0 {
				returned[before] = now
				now++
			}
		}
		made[op] = now
		now++
	}
	for _, op := range order {
		if returned[op] < 0 {
			returned[op] = now
			now++
		}
	}
	return made, returned
}

// preceding returns the number of calls that had returned when another one was made.
func (h *linearHistory) preceding(op int) int {
	n := 0
	for _, before := range h.ops[op].before {
		if before {
			n++
		}
	}
	return n
}
