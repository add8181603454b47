package racing

import "slices"

// A leg is a part of a run in which one of two goroutines takes steps, until it has taken and
// released locks so many times.
type leg struct {
	of    int // 0 or 1
	steps int
}

// orders returns orders in which two goroutines come to where they have taken the given steps, as
// far as locks decide: no lock is held by both at any time. There is one for each goroutine to
// begin with, if there is, which changes from one to the other as rarely as it can. Those with
// fewer changes come first.
func orders(steps [2][]step) [][]leg {
	var list [][]leg
	for first := range 2 {
		if legs := order(steps, first); legs != nil && !slices.ContainsFunc(list, func(l []leg) bool { return slices.Equal(l, legs) }) {
			list = append(list, legs)
		}
	}
	slices.SortStableFunc(list, func(a, b []leg) int { return len(a) - len(b) })
	return list
}

// A meeting is a state of two goroutines: how many steps each has taken.
type meeting [2]int

func (m meeting) before(k int) meeting {
	m[k]--
	return m
}

// order is orders for the goroutine to begin with. It finds a shortest way through the states, in
// each of which one of the goroutines has taken the last step.
func order(steps [2][]step, first int) []leg {
	const none = 1 << 30
	held := func(k, n int) []lock {
		if n == 0 {
			return nil
		}
		return steps[k][n-1].held
	}
	changes := make(map[meeting][2]int) // least number of them, by who has taken the last step
	least := func(m meeting) [2]int {
		if n, ok := changes[m]; ok {
			return n
		}
		return [2]int{none, none}
	}
	end := meeting{len(steps[0]), len(steps[1])}
	for i := range end[0] + 1 {
		for j := range end[1] + 1 {
			m := meeting{i, j}
			if exclusive(held(0, i), held(1, j)) {
				continue
			}
			n := [2]int{none, none}
			if m == (meeting{}) {
				n[first] = 0
			}
			for k := range 2 {
				if m[k] > 0 {
					p := least(m.before(k))
					n[k] = min(p[k], p[1-k]+1)
				}
			}
			changes[m] = n
		}
	}
	n := least(end)
	if min(n[0], n[1]) >= none {
		return nil
	}
	k := 0
	if n[1] < n[0] {
		k = 1
	}
	legs := []leg{{k, end[k]}}
	for m := end; m != (meeting{}); {
		if m[k] == 0 { // the other one began
			k = 1 - k
			legs = append(legs, leg{k, m[k]})
		}
		p := least(m.before(k))
		m = m.before(k)
		if p[1-k]+1 < p[k] {
			k = 1 - k
			legs = append(legs, leg{k, m[k]})
		}
	}
	if k != first {
		return nil // it is the order that begins with the other one
	}
	slices.Reverse(legs)
	return legs
}
