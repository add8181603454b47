package driver

import (
	"fmt"
	"slices"
	"testing"
)

// key tells histories apart: the calls and, of each, those that had returned when it was made.
func (h *linearHistory) key() string {
	var list []string
	for i := range h.ops {
		list = append(list, fmt.Sprint(h.ops[i].index, h.ops[i].before))
	}
	return fmt.Sprint(list)
}

func TestPlan(t *testing.T) {
	calls := func(methods ...string) *linearTest[int] {
		l := &linearTest[int]{}
		for i, m := range methods {
			l.calls = append(l.calls, linearCall[int]{name: fmt.Sprint(m, i), method: m})
		}
		return l
	}
	for _, test := range []struct {
		name string
		size linearSize
		l    *linearTest[int]
		want int
	}{
		// Of 16 choices, 4 have two goroutines that do the same, and of the others one of two is made.
		{"all", linearSize{goroutines: 2, calls: 2}, calls("a", "b"), 10},
		{"one method", linearSize{goroutines: 2, calls: 2, sets: [][]string{{"a"}, {"b"}}}, calls("a", "b"), 2},
		{"two of a method", linearSize{goroutines: 2, calls: 2, sets: [][]string{{"a"}}}, calls("a", "a"), 10},
		// Of three methods, each pair has 10, and each method by itself is in two pairs.
		{"pairs", linearSize{goroutines: 2, calls: 2, sets: [][]string{{"a"}, {"b"}, {"c"}, {"a", "b"}, {"a", "c"}, {"b", "c"}}}, calls("a", "b", "c"), 3*10 - 3},
		// Of the 10 of a pair, 2 are of one method. With one call of each goroutine, no history has three methods.
		{"both", linearSize{goroutines: 2, calls: 2, sets: [][]string{{"a", "c"}}}, calls("a", "b", "c"), 8},
		{"too many", linearSize{goroutines: 2, calls: 1, sets: [][]string{{"a", "b", "c"}, {"b"}}}, calls("a", "b", "c"), 1},
		{"before", linearSize{alone: 1, goroutines: 2, calls: 1, sets: [][]string{{"a"}, {"b"}, {"c"}}}, calls("a", "b", "c"), 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen := map[string]int{}
			n := test.size.alone + test.size.goroutines*test.size.calls
			choice := make([]uint8, n)
			for number := 0; number < 1<<(2*n); number++ {
				for i := range choice {
					choice[i] = uint8(number >> (2 * i) & 3)
				}
				if h, _, rest := test.l.plan(test.size, nil, choice); h != nil {
					if len(rest) > 0 {
						t.Fatalf("%d choices are left", len(rest))
					}
					seen[h.key()]++
				}
			}
			if len(seen) != test.want {
				t.Errorf("%d histories, want %d: %v", len(seen), test.want, seen)
			}
			for h, n := range seen {
				if n != 1 {
					t.Errorf("%s is made %d times", h, n)
				}
			}
		})
	}
}

// empty returns a history of goroutines that make the same call all the time, each numbered by its goroutine unless they are the same.
func empty(goroutines, each int, same bool) *linearHistory {
	h := &linearHistory{}
	for g := range goroutines {
		h.first = append(h.first, len(h.ops))
		for range each {
			op := linearOp{goroutine: g, returned: true, before: make([]bool, goroutines*each)}
			if !same {
				op.index = g
			}
			h.ops = append(h.ops, op)
		}
	}
	h.first = append(h.first, len(h.ops))
	return h
}

// inTime calls visit with the history of each sequence of the calls and returns of goroutines.
func inTime(goroutines, each int, same bool, visit func(*linearHistory)) {
	h := empty(goroutines, each, same)
	at := make([]int, goroutines) // by goroutine, twice the number of its calls that have returned, and 1 if one is made
	var step func()
	step = func() {
		ended := true
		for g := range at {
			if at[g] == 2*each {
				continue
			}
			ended = false
			if at[g]%2 == 0 {
				op := &h.ops[h.first[g]+at[g]/2]
				for i := range h.ops {
					op.before[i] = 2*(i%each) < at[i/each]-1
				}
			}
			at[g]++
			step()
			at[g]--
		}
		if ended {
			visit(h)
		}
	}
	step()
}

// swapped returns the keys of a history after each exchange of goroutines.
func swapped(h *linearHistory, goroutines, each int) []string {
	var keys []string
	var permute func(order []int)
	permute = func(order []int) {
		if len(order) == goroutines {
			other := empty(goroutines, each, true)
			to := func(op int) int { return order[op/each]*each + op%each }
			for i := range h.ops {
				for b, before := range h.ops[i].before {
					other.ops[to(i)].before[to(b)] = before
				}
			}
			keys = append(keys, other.key())
		}
		for g := range goroutines {
			if !slices.Contains(order, g) {
				permute(append(slices.Clip(order), g))
			}
		}
	}
	permute(nil)
	return keys
}

// Each order that calls can have in time is chosen in one way. Of those that goroutines have which make the same calls and change
// places, one is.
func TestOrder(t *testing.T) {
	for _, test := range []struct{ goroutines, each int }{{2, 1}, {2, 2}, {2, 3}, {3, 1}, {3, 2}, {4, 1}} {
		for _, same := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d %t", test.goroutines, test.each, same), func(t *testing.T) {
				want := map[string]bool{}
				inTime(test.goroutines, test.each, same, func(h *linearHistory) { want[h.key()] = true })
				chosen := map[string]bool{}
				// Choices are made like the digits of a number that is counted up.
				for digits, sizes := []int{}, []int{}; ; {
					h := empty(test.goroutines, test.each, same)
					equal := make([]bool, test.goroutines)
					for g := range equal {
						equal[g] = same && g > 0
					}
					made := 0
					h.order(equal, func(n int) int {
						if n < 2 {
							t.Fatalf("a choice of %d", n)
						}
						if made++; made > len(digits) {
							digits, sizes = append(digits, 0), append(sizes, n)
						}
						return digits[made-1]
					})
					if limit := 2*test.goroutines*test.each - 1; made > limit {
						t.Fatalf("%d choices, more than %d", made, limit)
					}
					keys := []string{h.key()}
					if same {
						keys = slices.Compact(slices.Sorted(slices.Values(swapped(h, test.goroutines, test.each))))
					}
					for _, key := range keys {
						if chosen[key] {
							t.Fatalf("%s is chosen twice", key)
						}
						if !want[key] {
							t.Fatalf("%s is chosen, which calls cannot have in time", key)
						}
						chosen[key] = true
					}
					last := len(digits) - 1
					for ; last >= 0 && digits[last] == sizes[last]-1; last-- {
					}
					if last < 0 {
						break
					}
					digits, sizes = digits[:last+1], sizes[:last+1]
					digits[last]++
				}
				if len(chosen) != len(want) {
					t.Errorf("%d orders are chosen, want %d", len(chosen), len(want))
				}
			})
		}
	}
}
