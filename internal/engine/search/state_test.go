package search

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestDamaged has states that no search has, as a damaged file may hold them.
func TestDamaged(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"degree":-1}`, ""},
		{`{"degree":-1,"numbered":2,"tasks":[{"number":2,"items":[{"data":"AQ=="}],"runs":1}]}`, ""},
		{`{"degree":-2}`, "a degree below 0"},
		{`{"phase":-1}`, "a phase below 0"},
		{`{"round":-1}`, "a round below 0"},
		{`{"since":-1}`, "a number of runs before the phase below 0"},
		{`{"maxlen":-9223372036854775808}`, "a longest string below 0"},
		{`{"frontier":[{"data":""}]}`, "an empty item"},
		{`{"left":[null]}`, "an empty item"},
		{`{"numbered":1,"tasks":[{"number":2}]}`, "a task 2 of 1"},
		{`{"numbered":1,"tasks":[{"number":1,"runs":-1}]}`, "a number of runs below 0 of task 1"},
		{`{"numbered":1,"tasks":[{"number":1,"items":[{"data":""}]}]}`, "an empty item of task 1"},
		{`{"numbered":1,"tasks":[{"number":1,"done":true,"found":{}}]}`, "a run of task 1 without a finding"},
		{`{"findings":[null]}`, "a finding without a run"},
		{`{"findings":[{"Run":null}]}`, "a finding without a run"},
		{`{"accepted":[null]}`, "an accepted finding that is none"},
		{`{"ended":"perhaps"}`, `a verdict "perhaps"`},
	} {
		st := &state{}
		if err := json.Unmarshal([]byte(test.text), st); err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		got := ""
		if err := st.check(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
	st := &state{Degree: -1, Numbered: 1, Tasks: []worker.Task{{Number: 1, Done: true}}}
	if err := st.check(); err != nil {
		t.Error(err)
	}
}

// TestDropped checks that items that were dropped keep the search that has dropped them from
// showing anything of all runs, and not another search that comes to its end.
func TestDropped(t *testing.T) {
	exhaustive := phase{strategy: hyperconcolic.Info, length: 8}
	for _, test := range []struct {
		name   string
		size   int // of an item, two of which wait
		finite bool
		length int
		open   []string
	}{
		{"none", maxFrontier / 2, true, 8, nil},
		{"one", maxFrontier/2 + 1, false, 0, []string{dropped()}},
	} {
		s := &search{result: &verdict.Result{}, state: &state{Divided: true, Frontier: []strategy.Item{{Data: make([]byte, test.size)}, {Data: make([]byte, test.size)}}}}
		if size := s.state.bound(); size > maxFrontier {
			t.Errorf("%s: %d bytes wait", test.name, size)
		}
		s.state.Frontier = nil // their runs are made
		s.endDivided(phase{strategy: hyperconcolic.Info})
		if s.totals(); s.state.Finite != test.finite || !slices.Equal(s.result.Open, test.open) {
			t.Errorf("%s: finite %v, open %q", test.name, s.state.Finite, s.result.Open)
		}
		s.state.Finite, s.state.Stats.CutLength = false, true
		if s.endDivided(exhaustive); s.state.Length != test.length {
			t.Errorf("%s: all runs of length %d were made, want %d", test.name, s.state.Length, test.length)
		}
		s.state.Finite = true // by the stateful search
		if s.totals(); len(s.result.Open) > 0 {
			t.Errorf("%s: open after the end of another search: %q", test.name, s.result.Open)
		}
		s.state.Finite = false
		s.state.divideAgain()
		if s.totals(); len(s.result.Open) > 0 {
			t.Errorf("%s: open when the search begins again: %q", test.name, s.result.Open)
		}
	}
}

// TestLeftOut checks that runs that the exhaustive search has left out keep it from showing
// anything of all runs, and not another search that comes to its end.
func TestLeftOut(t *testing.T) {
	s := &search{result: &verdict.Result{}, state: &state{Divided: true, Tasks: []worker.Task{{}}}}
	const why = "too many orders"
	s.state.Tasks[0].Stats.LeaveOut(why)
	s.state.endTask()
	s.endDivided(phase{strategy: hyperconcolic.Info})
	if s.totals(); s.state.Finite || !slices.Equal(s.result.Open, []string{why}) {
		t.Errorf("finite %v, open %q", s.state.Finite, s.result.Open)
	}
	s.state.Finite = true // by the stateful search
	if s.totals(); len(s.result.Open) > 0 {
		t.Errorf("open after the end of another search: %q", s.result.Open)
	}
	s.state.Finite = false
	s.state.divideAgain()
	if s.totals(); len(s.result.Open) > 0 {
		t.Errorf("open when the search begins again: %q", s.result.Open)
	}
}

// TestSavedItems checks that what is saved of a state is what is read, and that what items have in
// common is saved, and counted, once.
func TestSavedItems(t *testing.T) {
	first := &strategy.Base{Data: []byte("first")}
	second := &strategy.Base{From: first, Data: []byte("second")}
	third := &strategy.Base{From: first, Data: []byte("third")}
	item := func(b *strategy.Base, data byte) strategy.Item {
		return strategy.Item{Base: b, Data: []byte{data}, Size: int(data)}
	}
	st := &state{
		Degree:   -1,
		Frontier: []strategy.Item{item(third, 1), item(second, 2), item(nil, 3)},
		Left:     []strategy.Item{item(first, 4)},
		Tasks:    []worker.Task{{Number: 1, Runs: 2, Items: []strategy.Item{item(second, 5), item(third, 6)}}},
	}
	text, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	var saved struct{ Bases []savedBase }
	if err := json.Unmarshal(text, &saved); err != nil || len(saved.Bases) != 3 {
		t.Errorf("%d bases are saved, want 3 (%v)", len(saved.Bases), err)
	}
	read := &state{}
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read, st) {
		t.Errorf("read %+v, want %+v", read, st)
	}
	if read.Frontier[1].Base != read.Tasks[0].Items[0].Base {
		t.Error("what two items have in common is there twice")
	}
	if got, want := st.bound(), int64(3+len("first")+len("second")+len("third")); got != want {
		t.Errorf("the frontier takes %d bytes, want %d", got, want)
	}
	for _, bad := range []string{
		`{"bases":[{"from":1,"data":"AQ=="}]}`, `{"bases":[{"from":-1,"data":"AQ=="}]}`,
		`{"frontier":[{"base":1,"data":"AQ=="}]}`, `{"tasks":[{"number":1,"items":[{"base":-1,"data":"AQ=="}]}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &state{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
