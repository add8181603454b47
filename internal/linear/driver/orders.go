package driver

import "slices"

// linearOrders has the orders that the calls of goroutines can have in time: which of them have returned when others are made. A call is known
// by its place, which is its number without those that are made before there are several goroutines.
type linearOrders struct {
	calls int
	// orders are sets of pairs of calls, those with fewer pairs first: the pair a*calls+b is in it if a has returned when b is made.
	orders []uint64
	// sequences are those of all calls in which those of each goroutine are in their order, and allow has, by order, the set of the
	// sequences in which no call comes before one that had returned.
	sequences [][]int
	allow     []uint64
	// stands says, for each set of goroutines that make the same calls as the one before them, which orders stand for
	// those that are the same if goroutines change places.
	stands [][]bool
}

// linearMostSequences is the number of sequences that a set has room for, and linearMostOrders that of orders that a byte can choose.
const (
	linearMostSequences = 64
	linearMostOrders    = 256
)

// linearOrdersOf returns the orders of goroutines that make a number of calls each, nil if there are too many.
func linearOrdersOf(goroutines, each int) *linearOrders {
	t := &linearOrders{calls: goroutines * each}
	if t.calls*t.calls > 64 {
		return nil
	}
	if t.sequences = linearSequences(goroutines, each, linearMostSequences); t.sequences == nil {
		return nil
	}
	if t.orders = linearEnumerate(goroutines, each, 0); len(t.orders) > linearMostOrders {
		return nil
	}
	slices.SortStableFunc(t.orders, func(a, b uint64) int { return linearCount(a) - linearCount(b) })
	for _, order := range t.orders {
		var allowed uint64
		for i, sequence := range t.sequences {
			if order&^t.pairs(sequence) == 0 {
				allowed |= 1 << i
			}
		}
		t.allow = append(t.allow, allowed)
	}
	for same := range 1 << (goroutines - 1) {
		standing := linearEnumerate(goroutines, each, same)
		stands := make([]bool, len(t.orders))
		for i, order := range t.orders {
			stands[i] = slices.Contains(standing, order)
		}
		t.stands = append(t.stands, stands)
	}
	return t
}

// linearCount returns the number of elements of a set.
func linearCount(set uint64) int {
	n := 0
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// pairs returns the pairs of calls that are in the order of a sequence.
func (t *linearOrders) pairs(sequence []int) uint64 {
	var set uint64
	for i, a := range sequence {
		for _, b := range sequence[i+1:] {
			set |= 1 << (a*t.calls + b)
		}
	}
	return set
}

// linearSequences returns the sequences of the calls of goroutines, nil if there are more than a number of them.
func linearSequences(goroutines, each, most int) [][]int {
	var list [][]int
	made := make([]int, goroutines)
	var extend func(sequence []int)
	extend = func(sequence []int) {
		if len(list) > most {
			return
		}
		if len(sequence) == goroutines*each {
			list = append(list, slices.Clone(sequence))
			return
		}
		for g := range made {
			if made[g] < each {
				made[g]++
				extend(append(slices.Clip(sequence), g*each+made[g]-1))
				made[g]--
			}
		}
	}
	extend(nil)
	if len(list) > most {
		return nil
	}
	return list
}

// linearEnumerate returns the orders that linearHistory.order chooses from, for goroutines of which a set make the same calls as the ones
// before them: goroutine g+1 does if g is in it.
func linearEnumerate(goroutines, each, same int) []uint64 {
	var orders []uint64
	n := goroutines * each
	// Choices are made like the digits of a number that is counted up.
	for digits, sizes := []int{}, []int{}; ; {
		h := &linearHistory{ops: make([]linearOp, n)}
		for i := range h.ops {
			h.ops[i] = linearOp{goroutine: i / each, before: make([]bool, n)}
		}
		alike := make([]bool, goroutines)
		for g := range goroutines {
			h.first = append(h.first, g*each)
			alike[g] = g > 0 && same>>(g-1)&1 == 1
		}
		h.first = append(h.first, n)
		made := 0
		h.order(alike, func(of int) int {
			if made++; made > len(digits) {
				digits, sizes = append(digits, 0), append(sizes, of)
			}
			return digits[made-1]
		})
		var set uint64
		for b := range h.ops {
			for a, before := range h.ops[b].before {
				if before {
					set |= 1 << (a*n + b)
				}
			}
		}
		orders = append(orders, set)
		last := len(digits) - 1
		for ; last >= 0 && digits[last] == sizes[last]-1; last-- {
		}
		if last < 0 || len(orders) > linearMostOrders {
			return orders
		}
		digits, sizes = digits[:last+1], sizes[:last+1]
		digits[last]++
	}
}

// A linearOutcome is what calls give in some sequences.
type linearOutcome struct {
	*linearHistory        // one of them
	sequences      uint64 // a set
}

// outcomes makes the calls of a history that is planned in all sequences, each alone on a value of its own. It returns nil if a call
// blocks, or there is no value.
func (l *linearTest[O]) outcomes(make int, h *linearHistory, t *linearOrders) []linearOutcome {
	var found []linearOutcome // if a call blocks, what has been found is that goroutine's still
	if !linearEnds(func() { found = l.allOutcomes(make, h, t) }) {
		return nil
	}
	return found
}

// allOutcomes is outcomes where no call blocks.
func (l *linearTest[O]) allOutcomes(make int, h *linearHistory, t *linearOrders) []linearOutcome {
	var list []linearOutcome
	for number, places := range t.sequences {
		o, ok := l.makes[make].make()
		if !ok {
			return nil
		}
		alone := h.again()
		alone.known = l.pointers(o)
		for op := range h.alone {
			l.calls[alone.ops[op].index].do(o, &alone.ops[op].result)
		}
		for _, place := range places {
			c := &alone.ops[h.alone+place]
			l.calls[c.index].do(o, &c.result)
		}
		if at := linearOutcomeOf(list, alone); at >= 0 {
			list[at].sequences |= 1 << number
		} else {
			list = append(list, linearOutcome{alone, 1 << number})
		}
	}
	return list
}

// again returns the same calls, none of which has been made.
func (h *linearHistory) again() *linearHistory {
	other := &linearHistory{ops: make([]linearOp, len(h.ops)), alone: h.alone}
	for i := range h.ops {
		other.ops[i].index = h.ops[i].index
	}
	return other
}

// linearOutcomeOf returns the index of the outcome that a history has, negative if it has another one.
func linearOutcomeOf(list []linearOutcome, h *linearHistory) int {
	for at, outcome := range list {
		var results linearSame
		results.begin(h.known, outcome.known)
		same := true
		for i := range h.ops {
			if same = results.results(&h.ops[i].result, &outcome.ops[i].result); !same {
				break
			}
		}
		if same {
			return at
		}
	}
	return -1
}

// useful returns the orders of which a search learns something, by what the calls give one after another: the weakest ones, of which no other asks
// for less, since no sequence gives some outcomes that the calls have; and an order for which no sequence gives some outcome which the calls have in
// others, if that is not so of one that asks for less. For a run in which the calls have another order is one in which they have the order that asks for
// less, and all of these are searched; so what is wrong with it is wrong there. There are several weakest orders: of two goroutines that make two calls
// each, at least one makes its second call when the first one of the other has returned.
func (t *linearOrders) useful(outcomes []linearOutcome, stands []bool) []int {
	needed := make([]bool, len(t.orders))
	// keep keeps the orders that are wrong, if none is that asks for less.
	keep := func(wrong func(order int) bool) {
		var least []uint64
		for i, order := range t.orders {
			if wrong(i) && !slices.ContainsFunc(least, func(less uint64) bool { return less&^order == 0 }) {
				least, needed[i] = append(least, order), true
			}
		}
	}
	keep(func(int) bool { return true }) // with an outcome that no sequence gives
	for _, outcome := range outcomes {
		keep(func(order int) bool { return t.allow[order]&outcome.sequences == 0 })
	}
	return t.standing(needed, stands)
}

// standing returns the orders that are needed and stand for those that are the same.
func (t *linearOrders) standing(needed, stands []bool) []int {
	var list []int
	for i := range t.orders {
		if needed[i] && stands[i] {
			list = append(list, i)
		}
	}
	return list
}

// orderUseful chooses which calls of a history return before others are made, of those orders of which a search learns something. It returns what
// the calls give in sequences and the order, nil if that is not known.
func (l *linearTest[O]) orderUseful(make int, h *linearHistory, t *linearOrders, same []bool, choice []uint8) (outcomes []linearOutcome, order int) {
	set := 0
	for g := 1; g < len(same); g++ {
		if same[g] {
			set |= 1 << (g - 1)
		}
	}
	var orders []int
	if outcomes = l.outcomes(make, h, t); outcomes != nil {
		orders = t.useful(outcomes, t.stands[set])
	} else {
		orders = t.standing(slices.Repeat([]bool{true}, len(t.orders)), t.stands[set])
	}
	chosen := 0
	for chosen < len(orders)-1 && choice[0] != uint8(chosen) {
		chosen++
	}
	order = orders[chosen]
	for b := range t.calls {
		before := h.ops[h.alone+b].before
		for op := range h.alone {
			before[op] = true
		}
		for a := range t.calls {
			before[h.alone+a] = t.orders[order]>>(a*t.calls+b)&1 == 1
		}
	}
	return outcomes, order
}

// explained reports whether the outcome of a history is that of a sequence that its order allows. All calls have returned.
func (t *linearOrders) explained(h *linearHistory, outcomes []linearOutcome, order int) bool {
	at := linearOutcomeOf(outcomes, h)
	return at >= 0 && outcomes[at].sequences&t.allow[order] != 0
}
