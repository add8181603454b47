package race

import (
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
)

// TestReadings compares Join and Within with unions and inclusions of all sets of a few
// readings, some of which differ only in one field.
func TestReadings(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 64), a.Var("y", 64)
	all := []Reading{
		{Value: 1, Latest: 5},
		{Value: 2, Latest: 5},
		{Value: 1, Latest: 6},
		{Time: x, Value: 1, Latest: 5, Terms: 1},
		{Time: y, Value: 1, Latest: 5, Terms: 1},
		{Time: x, Value: 1, Latest: 5, Terms: 2},
	}
	set := func(members int) *Readings {
		var list []Reading
		for i, r := range all {
			if members>>i&1 != 0 {
				list = append([]Reading{r}, list...)
			}
		}
		return NewReadings(a, list...)
	}
	equal := func(r *Readings, members int) bool {
		s := set(members)
		return r.Within(s) && s.Within(r) && len(r.List()) == len(s.List())
	}
	for i := range 1 << len(all) {
		for j := range 1 << len(all) {
			r, s := set(i), set(j)
			if got, want := r.Within(s), i&^j == 0; got != want {
				t.Errorf("%06b within %06b: %t, want %t", i, j, got, want)
			}
			if !equal(r.Join(s), i|j) {
				t.Errorf("%06b joined with %06b: %v", i, j, r.Join(s).List())
			}
		}
	}
}
