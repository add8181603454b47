package rrb

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/bench/shapes/internal/trial"
)

// Each operation has a copy of the vector, so that the two that run at the same time share nodes only.
var kind = trial.Kind[*Vector]{Of: Of, Ops: []trial.Op[*Vector]{
	{Name: "Get", Do: get, Model: first},
	{Name: "Set", Do: set, Model: first},
	{Name: "Concat", Do: concat, Model: twice},
}}

func get(v *Vector, i int) int {
	w := v.Copy()
	defer w.Release()
	if w.Len() == 0 {
		return -1
	}
	return w.Get(within(i, w.Len()))
}

// set sets a value of a copy, which is no value of the vector.
func set(v *Vector, i int) int {
	w := v.Copy()
	defer w.Release()
	if w.Len() == 0 {
		return -1
	}
	i = within(i, w.Len())
	w.Set(i, w.Get(i)+1)
	return w.Get(i) - 1
}

// concat concatenates two copies and returns the number of values.
func concat(v *Vector, i int) int {
	w := v.Copy()
	defer w.Release()
	w.Concat(v)
	w.Append(i)
	return w.Len()
}

// within makes any number an index of so many values. It does not compute with the number, so that an index in a run is no
// expression of the input.
func within(i, n int) int {
	for k := 0; ; k++ {
		if i <= k || k+1 >= n {
			return k
		}
	}
}

func first(values []int, i int) ([]int, int) {
	if len(values) == 0 {
		return values, -1
	}
	return values, values[within(i, len(values))]
}

func twice(values []int, _ int) ([]int, int) { return values, 2*len(values) + 1 }

func TestSequential(t *testing.T)    { kind.Sequential(t) }
func TestStress(t *testing.T)        { kind.Stress(t) }
func TestGetDefault(t *testing.T)    { kind.Default(t, "Get") }
func TestSetDefault(t *testing.T)    { kind.Default(t, "Set") }
func TestConcatDefault(t *testing.T) { kind.Default(t, "Concat") }

// TestValues compares vectors with slices.
func TestValues(t *testing.T) {
	v, want := Of(), []int(nil)
	for i := range 40 {
		v.Append(i)
		want = append(want, i)
		if i%13 == 12 {
			v.Concat(v)
			want = append(want, want...)
		}
		w := v.Copy()
		w.Set(i/2, -1)
		got := make([]int, v.Len())
		for j := range got {
			got[j] = v.Get(j)
		}
		if !slices.Equal(got, want) || w.Get(i/2) != -1 {
			t.Fatalf("%d, want %d; the copy has %d", got, want, w.Get(i/2))
		}
		if w.Release(); !v.Valid() {
			t.Fatalf("the shape after %d values is not valid", len(want))
		}
	}
}
func TestGetAny(t *testing.T)    { kind.Any(t, "Get") }
func TestSetAny(t *testing.T)    { kind.Any(t, "Set") }
func TestConcatAny(t *testing.T) { kind.Any(t, "Concat") }
