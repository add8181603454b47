package check

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

func site(n int32) run.SiteID { return run.SiteID{Func: n} }

func TestFindings(t *testing.T) {
	race := func(a, b int32) run.Finding {
		return run.Finding{Kind: run.Race, Site: site(a), Other: &run.Finding{Kind: run.Race, Site: site(b)}}
	}
	for _, test := range []struct {
		name  string
		trace run.Trace
		want  []run.FindingKind
	}{
		{"none", run.Trace{}, nil},
		{"one race seen from both sides", run.Trace{Findings: []run.Finding{race(1, 2), race(2, 1)}}, []run.FindingKind{run.Race}},
		{"two races", run.Trace{Findings: []run.Finding{race(1, 2), race(1, 3)}}, []run.FindingKind{run.Race, run.Race}},
		{"gravest first", run.Trace{Findings: []run.Finding{race(1, 2), {Kind: run.Panic}}}, []run.FindingKind{run.Panic, run.Race}},
		{"leaks are one", run.Trace{Findings: []run.Finding{{Kind: run.Leak, Site: site(1)}, {Kind: run.Leak, Site: site(2)}}}, []run.FindingKind{run.Leak}},
		{"a failure explains a leak", run.Trace{Findings: []run.Finding{{Kind: run.Leak}, {Kind: run.TestFailure}}}, []run.FindingKind{run.TestFailure}},
		{"a livelock is graver than a race", run.Trace{Findings: []run.Finding{race(1, 2), {Kind: run.Livelock}}}, []run.FindingKind{run.Livelock, run.Race}},
		{"a race does not", run.Trace{Findings: []run.Finding{{Kind: run.Leak}, race(1, 2)}}, []run.FindingKind{run.Race, run.Leak}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Findings(&test.trace)
			if len(got) != len(test.want) {
				t.Fatalf("%d findings, want %d", len(got), len(test.want))
			}
			for i, f := range got {
				if f.Kind != test.want[i] {
					t.Errorf("finding %d has kind %d, want %d", i, f.Kind, test.want[i])
				}
				if Find(&test.trace, KeyOf(f)) == nil {
					t.Errorf("finding %d is not found by its key", i)
				}
			}
		})
	}
}

func TestSame(t *testing.T) {
	base := func() *run.Trace {
		return &run.Trace{
			Decisions: []run.Decision{{Goroutine: 1}, {Goroutine: 2}},
			Events:    []run.Event{{Goroutine: 1, Wrote: 3}},
			Inputs:    []run.InputVar{{Name: "n", Width: 8, Value: 1}},
			Findings:  []run.Finding{{Message: "m"}},
		}
	}
	if err := Same(base(), base()); err != nil {
		t.Errorf("equal traces: %v", err)
	}
	for _, test := range []struct {
		want   string
		change func(*run.Trace)
	}{
		{"outcomes", func(t *run.Trace) { t.Outcome = run.Stopped }},
		{"instructions", func(t *run.Trace) { t.Instructions = 9 }},
		{"from number 1", func(t *run.Trace) { t.Decisions[1].Alt = 1 }},
		{"input 0", func(t *run.Trace) { t.Inputs[0].Value = 2 }},
		{"finding 0", func(t *run.Trace) { t.Findings[0].Message = "n" }},
		{"event 0", func(t *run.Trace) { t.Events[0].Wrote = 4 }},
		{"path conditions", func(t *run.Trace) { t.Path = append(t.Path, run.Condition{}) }},
	} {
		changed := base()
		test.change(changed)
		if err := Same(base(), changed); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one with %q", err, test.want)
		}
	}
	expressions := base()
	expressions.Events[0].WroteSym = 7
	if err := Same(base(), expressions); err != nil {
		t.Errorf("handles of expressions are compared: %v", err)
	}
}
