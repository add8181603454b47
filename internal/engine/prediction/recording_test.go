package prediction

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

const recorded = `everyway schedule 3
%package example.com/m
%target TestA
%kind test
%input n int 64 7
` + events

// oldRecorded is what recorded was in version 1.
const oldRecorded = `everyway schedule 1
%header "{\"everyway\":2,\"package\":\"example.com/m\",\"target\":\"TestA\",\"kind\":\"test\",\"input\":[{\"name\":\"n\",\"type\":\"int\",\"width\":64,\"value\":7}]}"
` + events

const events = `g0.0 begin
g0.1 new o1 memory 0 - 4 example.com/m.shared
g0.2 new o2 memory 0 g0 9 -
g0.3 new o3 memory 0 g0 10 -
g0.4 fork g1 "0.1"
g0.5 read o3.0 i64:1 -
@location a.go 5 1 main.A
g0.6 write o2.0 i64:1 -
@location a.go 5 1 main.A
g0.7 write o2.1 i64:2 -
g1.0 begin
g1.1 choice 3
g1.2 read o2.0 i64:1 -
timer.0 fire o1 g2 5
g2.0 begin
g2.1 write o1.0 i64:1 -
g1.3 read o1.0 i64:1 -
g0.8 choice 1
g0.9 write o1.0 i64:2 -
g0.10 acq o2.5 mutex
%end
`

// read returns the recording of a schedule.
func read(t *testing.T, text string) (*recording, error) {
	t.Helper()
	r, err := schedule.NewReader(strings.NewReader(text), "a.schedule")
	if err != nil {
		t.Fatal(err)
	}
	return readSchedule(r)
}

func TestRun(t *testing.T) {
	s, err := read(t, recorded)
	if err != nil {
		t.Fatal(err)
	}
	if old, err := read(t, oldRecorded); err != nil || !reflect.DeepEqual(old.header.Input, s.header.Input) || old.header.Target != s.header.Target {
		t.Errorf("the old header is %+v, %v", old.header, err)
	}
	for _, test := range []struct {
		name      string
		finding   analysis.Finding
		events    []string
		decisions []string
	}{
		{
			// An access to several cells is one event, and the goroutine that a timer has started has no name.
			"the schedule as it is", analysis.Finding{Sites: []analysis.Site{{Order: 17}}},
			[]string{"0 read", "0 write a.go:5:1 main.A", "0.1 read", "timer timer fires", "0.1 read", "0 write", "0 lock"},
			[]string{"0.1 3", "0 1"},
		},
		{
			"a witness", analysis.Finding{Witness: []int64{0, 1, 2, 3, 4, 8, 9, 5, 10, 6}},
			[]string{"0 read", "0.1 read", "0 write a.go:5:1 main.A"},
			[]string{"0.1 3"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.run(&test.finding)
			var events, decisions []string
			for _, e := range r.Events {
				events = append(events, strings.TrimSpace(fmt.Sprint(e.Goroutine, " ", e.Op, " ", e.Pos, " ", e.Func)))
			}
			for _, d := range r.Decisions {
				decisions = append(decisions, fmt.Sprint(d.Goroutine, " ", d.Alt))
			}
			if !slices.Equal(events, test.events) || !slices.Equal(decisions, test.decisions) {
				t.Errorf("%q and choices %q, want %q and %q", events, decisions, test.events, test.decisions)
			}
			// What one goroutine alone accesses is not visible.
			if want := []schedule.Object{{Count: 3}, {Goroutine: "0", Count: 9}}; !slices.Equal(r.Visible.Objects, want) {
				t.Errorf("visible are %v, want %v", r.Visible.Objects, want)
			}
			if r.Target != "TestA" || len(r.Input) != 1 || r.Input[0].Value != 7 {
				t.Errorf("the header is %+v", r.Header)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	if _, err := read(t, "everyway schedule 3\n%package p\n%target T\ng0.0 begin\n%end\n"); !errors.Is(err, errUnknown) {
		t.Errorf("a schedule of another tool: %v", err)
	}
	if _, err := read(t, "everyway schedule 1\ng0.0 begin\n%end\n"); !errors.Is(err, errUnknown) {
		t.Errorf("a schedule without a header: %v", err)
	}
	for _, header := range []string{"nonsense", `"{\"everyway\":99}"`} {
		if _, err := read(t, "everyway schedule 1\n%header "+header+"\n%end\n"); err == nil || errors.Is(err, errUnknown) {
			t.Errorf("the header %s: %v", header, err)
		}
	}
}
