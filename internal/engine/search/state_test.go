package search

import (
	"encoding/json"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/worker"
)

// TestDamaged has states that no search has, as a damaged file may hold them.
func TestDamaged(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"degree":-1}`, ""},
		{`{"degree":-1,"numbered":2,"tasks":[{"number":2,"items":["AQ=="],"runs":1}]}`, ""},
		{`{"degree":-2}`, "a degree below 0"},
		{`{"phase":-1}`, "a phase below 0"},
		{`{"round":-1}`, "a round below 0"},
		{`{"since":-1}`, "a number of runs before the phase below 0"},
		{`{"maxlen":-9223372036854775808}`, "a longest string below 0"},
		{`{"frontier":[""]}`, "an empty item"},
		{`{"left":[null]}`, "an empty item"},
		{`{"numbered":1,"tasks":[{"number":2}]}`, "a task 2 of 1"},
		{`{"numbered":1,"tasks":[{"number":1,"runs":-1}]}`, "a number of runs below 0 of task 1"},
		{`{"numbered":1,"tasks":[{"number":1,"items":[""]}]}`, "an empty item of task 1"},
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
