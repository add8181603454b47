package oracle

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// visits returns the possible results of a Range, in ascending order. It is a loop over the keys 0
// … X-1, during which the entry of key 1 is deleted, if Y is more than 1, and that of key X is
// made, if Y is odd. If Loop is not 0, the loop has one of the bodies of package maploop instead.
func visits(st *Stmt) []int {
	if st.Loop == 0 {
		return maploop.Visits(st.X.Const, st.Y.Const&1 != 0, st.Y.Const > 1)
	}
	var all []int
	for _, order := range maploop.Orders(st.X.Const) {
		all = append(all, maploop.Bodies[st.Loop-1].Result(order))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
