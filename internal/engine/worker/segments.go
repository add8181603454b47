package worker

import (
	"iter"
	"slices"
)

// split cuts steps into maximal runs of one goroutine.
func split(steps []step) [][]step {
	var segments [][]step
	for i, s := range steps {
		if i == 0 || s.goroutine != steps[i-1].goroutine {
			segments = append(segments, nil)
		}
		last := len(segments) - 1
		segments[last] = append(segments[last], s)
	}
	return segments
}

// switches counts the changes of goroutine in a list of steps.
func switches(steps []step) int {
	n := 0
	for i := 1; i < len(steps); i++ {
		if steps[i].goroutine != steps[i-1].goroutine {
			n++
		}
	}
	return n
}

// goroutines returns the goroutines that take a step, without the timers, in the order of their first steps.
func goroutines(steps []step) []int32 {
	var list []int32
	seen := map[int32]bool{-1: true}
	for _, s := range steps {
		if !seen[s.goroutine] {
			seen[s.goroutine] = true
			list = append(list, s.goroutine)
		}
	}
	return list
}

// neighbours returns the next and the previous segment of the goroutine of
// segment i.
func neighbours(segments [][]step, i int) []int {
	var js []int
	for j := i + 1; j < len(segments); j++ {
		if segments[j][0].goroutine == segments[i][0].goroutine {
			js = append(js, j)
			break
		}
	}
	for j := i - 1; j >= 0; j-- {
		if segments[j][0].goroutine == segments[i][0].goroutine {
			js = append(js, j)
			break
		}
	}
	return js
}

// join returns the steps with segment i moved next to segment j of the same
// goroutine, in program order.
func join(segments [][]step, i, j int) []step {
	var steps []step
	for k, seg := range segments {
		switch {
		case k == i:
		case k == j && i < j:
			steps = append(append(steps, segments[i]...), seg...)
		case k == j:
			steps = append(append(steps, seg...), segments[i]...)
		default:
			steps = append(steps, seg...)
		}
	}
	return steps
}

// postpone returns the steps with those of some goroutines, from a place on, moved to the end. They are
// taken there, or earlier if nothing else is possible.
func postpone(steps []step, from int, late func(goroutine int32) bool) []step {
	moved := slices.Clone(steps[:from])
	var rest []step
	for _, s := range steps[from:] {
		if late(s.goroutine) {
			rest = append(rest, s)
		} else {
			moved = append(moved, s)
		}
	}
	return append(moved, rest...)
}

// gather returns the steps with all of one goroutine together, where its first or its last segment is.
func gather(segments [][]step, goroutine int32, last bool) []step {
	at := -1
	var own []step
	for i, seg := range segments {
		if seg[0].goroutine == goroutine {
			own = append(own, seg...)
			if at < 0 || last {
				at = i
			}
		}
	}
	var steps []step
	for i, seg := range segments {
		switch {
		case i == at:
			steps = append(steps, own...)
		case seg[0].goroutine != goroutine:
			steps = append(steps, seg...)
		}
	}
	return steps
}

// fewerGoroutines returns orders of steps in which some goroutines come as late as possible: half
// of them, then fewer and fewer, then one. Those that came first, of which the others are, are the
// last to be tried.
func fewerGoroutines(steps []step) iter.Seq[[]step] {
	return func(yield func([]step) bool) {
		all := goroutines(steps)
		for size := len(all) - 1; size > 0; size /= 2 {
			for end := len(all); end > 0; end -= size {
				late := all[max(end-size, 0):end]
				if !yield(postpone(steps, 0, func(g int32) bool { return slices.Contains(late, g) })) {
					return
				}
			}
		}
	}
}

// fewerSwitches returns orders of steps that may need fewer switches, those that change most first.
func fewerSwitches(steps []step) iter.Seq[[]step] {
	return func(yield func([]step) bool) {
		segments := split(steps)
		// No more than the first steps, and then each goroutine as long as it can go on.
		end := make([]int, len(segments)+1)
		for i, seg := range segments {
			end[i+1] = end[i] + len(seg)
		}
		for n := len(segments) - 1; n > 0; n /= 2 {
			if !yield(slices.Clone(steps[:end[len(segments)-1-n]])) {
				return
			}
		}
		for _, g := range goroutines(steps) {
			for _, last := range []bool{true, false} {
				if !yield(gather(segments, g, last)) {
					return
				}
			}
		}
		for i, seg := range segments {
			g := seg[0].goroutine
			for _, j := range neighbours(segments, i) {
				if !yield(join(segments, i, j)) {
					return
				}
			}
			if !yield(postpone(steps, end[i], func(h int32) bool { return h == g })) {
				return
			}
		}
	}
}

// fewerSteps returns orders of steps in which the last steps of a goroutine come as late as possible.
func fewerSteps(steps []step) iter.Seq[[]step] {
	return func(yield func([]step) bool) {
		for _, g := range goroutines(steps) {
			var own []int
			for i, s := range steps {
				if s.goroutine == g {
					own = append(own, i)
				}
			}
			for n := len(own) / 2; n > 0; n /= 2 {
				if !yield(postpone(steps, own[len(own)-n], func(h int32) bool { return h == g })) {
					return
				}
			}
		}
	}
}
