package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

var (
	lock  = Frame{"sync.(*Mutex).Lock", "/go/src/sync/mutex.go", 46}
	add   = Frame{"m.(*T).add", "/m/t.go", 7}
	later = Frame{"m.(*T).add", "/m/t.go", 9}
	test  = Frame{"m.TestT", "/m/t_test.go", 12}
	timer = Frame{Func: "[timer]"}
)

func TestPlace(t *testing.T) {
	for _, want := range []struct {
		activity Activity
		departs  Departure
		stack    []Frame
	}{
		{Running, "", []Frame{lock, add, test}},
		{Planning, InOrder, []Frame{timer}},
		{Planning, AtStart, nil},
	} {
		a, d, stack := NewPlace(want.activity, want.departs, want.stack).Parts()
		if a != want.activity || d != want.departs || !slices.Equal(stack, want.stack) {
			t.Errorf("%v: got %s %s %v", want, a, d, stack)
		}
	}
}

// FuzzParts tests that a text that is no place, from a damaged file, does no harm.
func FuzzParts(f *testing.F) {
	f.Add(string(NewPlace(Planning, InOrder, []Frame{lock, add})))
	f.Add("running\nf\tx\n\t\t\t\ng\t\t99999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		target := Target{Package: "m", Name: "T", Profile: Profile{Place(text): {Runs: 1}}}
		if err := Write(new(bytes.Buffer), &File{Targets: []Target{target}}); err != nil {
			t.Error(err)
		}
	})
}

// Profiles add up, and are the same when they have been in a file.
func TestMerge(t *testing.T) {
	at, elsewhere := NewPlace(Running, "", []Frame{add}), NewPlace(Running, "", []Frame{test})
	p := Profile{}
	p.Merge(Profile{at: {Steps: 1, Instructions: 1000, Time: 5}})
	p.Merge(nil)
	p.Merge(Profile{at: {Runs: 2, Steps: 3, Queries: 4, Solver: 5, Time: 6}, elsewhere: {Runs: 1}})
	want := Profile{at: {Runs: 2, Steps: 4, Instructions: 1000, Queries: 4, Solver: 5, Time: 11}, elsewhere: {Runs: 1}}
	if !maps.Equal(p, want) {
		t.Errorf("got %v, want %v", p, want)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again Profile
	if err := json.Unmarshal(text, &again); err != nil || !maps.Equal(again, want) {
		t.Errorf("%v: got %v from %s", err, again, text)
	}
}

// The package that pprof itself reads profiles with reads what Write writes.
func TestWrite(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := &File{
		Targets: []Target{
			{"m", "TestT", Profile{
				NewPlace(Planning, InOrder, []Frame{lock, add, test}): {Runs: 3, Time: 30},
				NewPlace(Running, "", []Frame{later, test}):           {Steps: 4, Instructions: 2018, Time: 40},
				NewPlace(Solving, "", []Frame{timer}):                 {Queries: 5, Solver: 50, Time: 50},
			}},
			{"m/n", "TestT", Profile{NewPlace(Planning, AtStart, []Frame{test}): {Runs: 1}}},
		},
		Comments: []string{"a comment"},
		Began:    began,
		Elapsed:  time.Second,
	}
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if p.TimeNanos != began.UnixNano() || p.DurationNanos != int64(time.Second) || p.DefaultSampleType != "runs" || !slices.Equal(p.Comments, f.Comments) {
		t.Errorf("time %d, duration %d, default %q, comments %q", p.TimeNanos, p.DurationNanos, p.DefaultSampleType, p.Comments)
	}
	var lines []string
	for _, s := range p.Sample {
		var stack []string
		for _, l := range s.Location {
			if len(l.Line) != 1 {
				t.Fatalf("a location with %d lines", len(l.Line))
			}
			stack = append(stack, fmt.Sprintf("%s:%d", l.Line[0].Function.Name, l.Line[0].Line))
		}
		lines = append(lines, fmt.Sprint(s.Value, s.Label, " ", strings.Join(stack, " ")))
	}
	want := []string{
		"[3 0 0 0 0 30] map[activity:[planning] departs:[order] package:[m] target:[TestT]] sync.(*Mutex).Lock:46 m.(*T).add:7 m.TestT:12",
		"[0 4 2018 0 0 40] map[activity:[running] package:[m] target:[TestT]] m.(*T).add:9 m.TestT:12",
		"[0 0 0 5 50 50] map[activity:[solving] package:[m] target:[TestT]] [timer]:0",
		"[1 0 0 0 0 0] map[activity:[planning] departs:[start] package:[m/n] target:[TestT]] m.TestT:12",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if len(p.Function) != 4 || len(p.Location) != 5 {
		t.Errorf("%d functions, %d locations", len(p.Function), len(p.Location))
	}
}
