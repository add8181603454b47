package oracle

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// Loops over maps. A Range statement makes a map with the keys 0 … X-1, and loops over it.
// When the loop comes to key 0 it deletes the entry of key 1, if Y is more than 1, and makes
// that of key X, if Y is odd. Its result has the keys that were visited as digits. If Loop is
// not 0, the loop has another body instead, one of package maploop.

// keyBase is the base of the digits; key k is digit k+1.
const keyBase = 4

// maxKeys bounds X, so that the result fits what function show takes.
const maxKeys = 2

// visits returns the possible results of a Range, in ascending order: entries come in any
// order, one that is deleted before the loop comes to it is not visited, and one that is
// made while the loop goes on may be visited or not.
func visits(st *Stmt) []int {
	keys := st.X.Const
	if st.Loop > 0 {
		var all []int
		for _, order := range maploop.Orders(keys) {
			all = append(all, maploop.Bodies[st.Loop-1].Result(order))
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	made, deleted := st.Y.Const&1 != 0, st.Y.Const > 1
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
				rest, next = append(rest, keys), keys
			}
			visit(rest, next, seen*keyBase+k+1)
		}
	}
	left := make([]int, keys)
	for k := range left {
		left[k] = k
	}
	visit(left, never, 0)
	slices.Sort(all)
	return slices.Compact(all)
}
