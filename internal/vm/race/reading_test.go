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

// TestReaders checks that of the readings of one goroutine, the last one counts.
func TestReaders(t *testing.T) {
	a := expr.NewArena()
	reading := func(slot, number int32) Reading {
		return Reading{Value: int64(10*number + slot), Latest: 100, Reader: Reader{slot, number}}
	}
	early, late, other := reading(1, 1), reading(1, 2), reading(2, 1)
	both := NewReadings(a, early, other).Join(NewReadings(a, late))
	if want := NewReadings(a, late, other); len(both.List()) != 2 || !both.Within(want) || !want.Within(both) {
		t.Errorf("joined: %v, want %v", both.List(), want.List())
	}
	if !NewReadings(a, early).Within(both) || both.Within(NewReadings(a, early, other)) {
		t.Error("a later reading covers an earlier one, and not the other way round")
	}
}
