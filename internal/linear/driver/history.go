package driver

import (
	"slices"
	"unsafe"
)

// A linearOp is a call that a history has.
type linearOp struct {
	index     int // of the call in linearTest.calls
	goroutine int // in which it is made; -1 for those that are made before there are several
	returned  bool
	result    linearResult
	before    []bool // by the numbers of the calls: those that had returned when it was made
}

// A linearHistory is the calls that a number of goroutines make on a value, in the order of the goroutines. Calls
// that are made alone, before there are several goroutines, come first.
type linearHistory struct {
	ops    []linearOp
	alone  int              // number of calls that are made before there are several goroutines
	first  []int            // by goroutine, its first call; and the number of calls
	known  []unsafe.Pointer // of the value, as linearTest.pointers returns them
	object any              // the value
}

// A linearSize says how many calls a history has.
type linearSize struct {
	alone      int // that are made before there are several goroutines
	goroutines int
	calls      int           // of each goroutine
	sets       [][]string    // of methods: goroutines call all of one set and no others; nil means any methods
	orders     *linearOrders // of the calls in time, nil if they are not known
}

// allows reports whether goroutines that have called some methods can call another one, if they make a number of calls after that.
func (s *linearSize) allows(called []string, method string, left int) bool {
	if s.sets == nil {
		return true
	}
	for _, set := range s.sets {
		missing := 0 // of the set
		for _, m := range set {
			if m != method && !slices.Contains(called, m) {
				missing++
			}
		}
		outside := func(m string) bool { return !slices.Contains(set, m) }
		if missing <= left && !outside(method) && !slices.ContainsFunc(called, outside) {
			return true
		}
	}
	return false
}

// plan returns the history in which the first calls are made alone, of which some are given, and then each goroutine makes its calls. The choice is of the calls: first the others
// that are made alone, then, in each round, a call for each goroutine; the rest of it is returned. So is which goroutines make the same calls as the ones before
// them. It returns nil if the same calls are made by the goroutines in another order of these, or if there are no such calls.
func (l *linearTest[O]) plan(size linearSize, given []int, choice []uint8) (h *linearHistory, same []bool, rest []uint8) {
	alone := len(given) + size.alone
	h = &linearHistory{ops: make([]linearOp, alone+size.goroutines*size.calls), alone: alone}
	for op, call := range given {
		h.ops[op] = linearOp{index: call, goroutine: -1, before: make([]bool, len(h.ops))}
	}
	var methods []string // that are called by goroutines
	left := size.goroutines * size.calls
	pick := func(op, goroutine, least int) bool {
		if goroutine >= 0 {
			left--
		}
		for i := least; i < len(l.calls); i++ {
			method := l.calls[i].method
			if goroutine >= 0 && !size.allows(methods, method, left) {
				continue
			}
			if choice[0] == uint8(i) {
				choice = choice[1:]
				h.ops[op] = linearOp{index: i, goroutine: goroutine, before: make([]bool, len(h.ops))}
				if goroutine >= 0 && !slices.Contains(methods, method) {
					methods = append(methods, method)
				}
				return true
			}
		}
		return false
	}
	for op := range size.alone {
		if !pick(len(given)+op, -1, 0) {
			return nil, nil, nil
		}
	}
	// Goroutines that change places make the same history, so that one makes no smaller sequence of
	// calls than the one before it.
	same = make([]bool, size.goroutines)
	for g := range same {
		same[g] = g > 0
		h.first = append(h.first, alone+g*size.calls)
	}
	h.first = append(h.first, len(h.ops))
	for i := range size.calls {
		for g := range size.goroutines {
			op, least := h.first[g]+i, 0
			if same[g] {
				least = h.ops[h.first[g-1]+i].index
			}
			if !pick(op, g, least) {
				return nil, nil, nil
			}
			same[g] = same[g] && h.ops[op].index == least
		}
	}
	return h, same, choice
}

// orderAny chooses which calls return before others are made, of all orders that they can have.
func (h *linearHistory) orderAny(same []bool, choice []uint8) {
	h.order(same, func(n int) int {
		chosen := 0
		for chosen < n-1 && choice[0] != uint8(chosen) {
			chosen++
		}
		choice = choice[1:]
		return chosen
	})
}

// order chooses which calls return before others are made. It does so in the order of time: some goroutines make their next calls,
// then some of the calls return, and so on, so that each order that calls can have in time is chosen in one way. Goroutines of
// which same says that they make the same calls as the one before them do not change places. Each choice is one of n, which is more than 1;
// there are fewer of them than calls and returns.
func (h *linearHistory) order(same []bool, choose func(n int) int) {
	next := slices.Clone(h.first[:len(same)]) // by goroutine, its next call
	running, idle, more := make([]bool, len(same)), make([]bool, len(same)), make([]bool, len(same))
	returned := make([]bool, len(h.ops))
	for op := range h.alone {
		returned[op] = true
	}
	for {
		for g := range same {
			idle[g] = !running[g] && next[g] < h.first[g+1]
		}
		chosen := linearSubset(idle, idle, same, choose)
		for g := range same {
			if chosen[g] {
				copy(h.ops[next[g]].before, returned)
				next[g]++
				running[g] = true
			}
			more[g] = next[g] < h.first[g+1]
		}
		if !slices.Contains(more, true) {
			return
		}
		some, waits := running, false
		for g := range same {
			waits = waits || more[g] && !running[g]
			idle[g] = running[g] && more[g]
		}
		if !waits { // one returns that makes another call: otherwise nobody makes one then
			some = idle
		}
		chosen = linearSubset(running, some, same, choose)
		for g := range same {
			if chosen[g] {
				returned[next[g]-1], running[g] = true, false
			}
		}
	}
}

// linearSubset chooses a subset of a set of goroutines that has one of some of them. Of goroutines that are the same so far, the first ones are in
// it; those of which one is in it and the next one is not are the same no longer.
func linearSubset(of, some, same []bool, choose func(n int) int) []bool {
	var subsets [][]bool
	for mask := 1; mask < 1<<len(of); mask++ {
		subset := make([]bool, len(of))
		possible, has := true, false
		for g := range of {
			subset[g] = mask>>g&1 == 1
			possible = possible && (!subset[g] || of[g] && (!same[g] || subset[g-1]))
			has = has || subset[g] && some[g]
		}
		if possible && has {
			subsets = append(subsets, subset)
		}
	}
	chosen := subsets[0]
	if len(subsets) > 1 {
		chosen = subsets[choose(len(subsets))]
	}
	for g := range of {
		same[g] = same[g] && chosen[g] == chosen[g-1]
	}
	return chosen
}

// ends returns, by the numbers of the calls, channels that are closed when a call has returned for which another goroutine waits.
func (h *linearHistory) ends() []chan struct{} {
	ended := make([]chan struct{}, len(h.ops))
	for op := h.alone; op < len(h.ops); op++ {
		for _, i := range h.waits(op) {
			if ended[i] == nil {
				ended[i] = make(chan struct{})
			}
		}
	}
	return ended
}

// waits returns the calls for which a call waits. The goroutine that makes it has waited for some before, and the
// last call of another one comes after the ones before it.
func (h *linearHistory) waits(op int) []int {
	var list []int
	for g := range len(h.first) - 1 {
		if g == h.ops[op].goroutine {
			continue
		}
		for i := h.first[g+1] - 1; i >= h.first[g]; i-- {
			if !h.ops[op].before[i] {
				continue
			}
			if op == h.first[h.ops[op].goroutine] || !h.ops[op-1].before[i] {
				list = append(list, i)
			}
			break
		}
	}
	return list
}

// pending returns the calls that were made and have not returned.
func (h *linearHistory) pending() []int {
	var list []int
	for g := range len(h.first) - 1 {
		for i := h.first[g]; i < h.first[g+1]; i++ {
			if !h.ops[i].returned {
				list = append(list, i)
				break
			}
		}
	}
	return list
}
