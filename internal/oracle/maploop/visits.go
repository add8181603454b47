package maploop

import (
	"fmt"
	"slices"
	"strings"
)

// Loops over maps that change meanwhile. Such a loop is over a map with the keys 0 … n-1. When it
// comes to key 0 it deletes the entry of key 1, or makes that of key n, or both. Its result has the
// keys that were visited as digits.

// Base is the base of the digits; key k is digit k+1.
const Base = 4

// MaxKeys bounds n, so that the result fits what function show takes.
const MaxKeys = 2

// Visits returns the possible results of a loop over n keys, in ascending order: entries come in any
// order, one that is deleted before the loop comes to it is not visited, and one that is
// made while the loop goes on may be visited or not.
func Visits(n int, made, deleted bool) []int {
	var all []int
	var visit func(left []int, fresh, seen int)
	visit = func(left []int, fresh, seen int) {
		if len(left) == 0 || len(left) == 1 && left[0] == fresh {
			all = append(all, seen)
		}
		for _, k := range left {
			rest := slices.DeleteFunc(slices.Clone(left), func(other int) bool {
				return other == k || k == 0 && deleted && other == 1
			})
			next := fresh
			if k == 0 && made {
				rest, next = append(rest, n), n
			}
			visit(rest, next, seen*Base+k+1)
		}
	}
	left := make([]int, n)
	for k := range left {
		left[k] = k
	}
	visit(left, -1, 0)
	slices.Sort(all)
	return slices.Compact(all)
}

// Source returns the source of a loop over n keys, which leaves its result in r<dst>.
func Source(dst, n int, made, deleted bool) []string {
	var keys []string
	for k := range n {
		keys = append(keys, fmt.Sprintf("%d: 0", k))
	}
	lines := []string{
		fmt.Sprintf("r%d = 0", dst),
		fmt.Sprintf("for m, k := (map[int]int{%s}), 0; k == 0; k++ {", strings.Join(keys, ", ")),
		"for k := range m {",
		"if k == 0 {",
	}
	if deleted {
		lines = append(lines, "delete(m, 1)")
	}
	if made {
		lines = append(lines, fmt.Sprintf("m[%d] = 0", n))
	}
	return append(lines, "}", fmt.Sprintf("r%d = r%[1]d*%d + k + 1", dst, Base), "}", "}")
}
