package worker

import (
	"reflect"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

func TestMeeting(t *testing.T) {
	object := func(n int32) run.ObjectID { return run.ObjectID{Goroutine: run.GlobalObjects, Count: n} }
	reads := func(n int32) Footprint { return Footprint{object(n): false} }
	writes := func(n int32) Footprint { return Footprint{object(n): true} }
	both := func(f, g Footprint) Footprint {
		all := Footprint{}
		for _, part := range []Footprint{f, g} {
			for o, wrote := range part {
				all.add(o, wrote)
			}
		}
		return all
	}
	tests := []struct {
		name       string
		tests      []Footprint
		background Footprint // of the first test
		want       [][]int
	}{
		{"none", nil, nil, nil},
		{"one", []Footprint{writes(1)}, nil, nil},
		{"apart", []Footprint{writes(1), writes(2)}, nil, nil},
		{"all read", []Footprint{reads(1), reads(1)}, nil, nil},
		{"one writes", []Footprint{reads(1), writes(1)}, nil, [][]int{{0, 1}}},
		{"both write", []Footprint{writes(1), reads(2), writes(1)}, nil, [][]int{{0, 2}}},
		{"a read and a write of one test", []Footprint{both(reads(1), writes(1)), reads(1)}, nil, [][]int{{0, 1}}},
		{"through another", []Footprint{writes(1), writes(2), both(reads(1), reads(2))}, nil, [][]int{{0, 1, 2}}},
		{"two sets", []Footprint{writes(1), writes(2), reads(2), reads(1)}, nil, [][]int{{0, 3}, {1, 2}}},
		{"through the background", []Footprint{writes(1), reads(2)}, both(reads(1), writes(2)), [][]int{{0, 1}}},
		{"one meets the background", []Footprint{writes(1), reads(3)}, both(reads(1), writes(2)), nil},
		{"the number of goroutines", []Footprint{{run.GoroutinesObject: false}, reads(1), {}}, nil, [][]int{{0, 1, 2}}},
	}
	for _, test := range tests {
		var list []*Footprints
		for _, f := range test.tests {
			list = append(list, &Footprints{Test: f, Background: Footprint{}})
		}
		if test.background != nil {
			list[0].Background = test.background
		}
		if got := Meeting(list); len(got)+len(test.want) > 0 && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
