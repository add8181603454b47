package check

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

func site(n int32) vm.SiteID { return vm.SiteID{Func: n} }

func TestFindings(t *testing.T) {
	race := func(a, b int32) vm.Finding {
		return vm.Finding{Kind: vm.Race, Site: site(a), Other: &vm.Finding{Kind: vm.Race, Site: site(b)}}
	}
	for _, test := range []struct {
		name  string
		trace vm.Trace
		want  []vm.FindingKind
	}{
		{"none", vm.Trace{}, nil},
		{"one race seen from both sides", vm.Trace{Findings: []vm.Finding{race(1, 2), race(2, 1)}}, []vm.FindingKind{vm.Race}},
		{"two races", vm.Trace{Findings: []vm.Finding{race(1, 2), race(1, 3)}}, []vm.FindingKind{vm.Race, vm.Race}},
		{"gravest first", vm.Trace{Findings: []vm.Finding{race(1, 2), {Kind: vm.Panic}}}, []vm.FindingKind{vm.Panic, vm.Race}},
		{"leaks are one", vm.Trace{Findings: []vm.Finding{{Kind: vm.Leak, Site: site(1)}, {Kind: vm.Leak, Site: site(2)}}}, []vm.FindingKind{vm.Leak}},
		{"a failure explains a leak", vm.Trace{Findings: []vm.Finding{{Kind: vm.Leak}, {Kind: vm.TestFailure}}}, []vm.FindingKind{vm.TestFailure}},
		{"a livelock is graver than a race", vm.Trace{Findings: []vm.Finding{race(1, 2), {Kind: vm.Livelock}}}, []vm.FindingKind{vm.Livelock, vm.Race}},
		{"a race does not", vm.Trace{Findings: []vm.Finding{{Kind: vm.Leak}, race(1, 2)}}, []vm.FindingKind{vm.Race, vm.Leak}},
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
	base := func() *vm.Trace {
		return &vm.Trace{
			Decisions: []vm.Decision{{Goroutine: 1}, {Goroutine: 2}},
			Events:    []vm.Event{{Goroutine: 1, Wrote: 3}},
			Inputs:    []vm.InputVar{{Name: "n", Width: 8, Value: 1}},
			Findings:  []vm.Finding{{Message: "m"}},
		}
	}
	if err := Same(base(), base()); err != nil {
		t.Errorf("equal traces: %v", err)
	}
	for _, test := range []struct {
		want   string
		change func(*vm.Trace)
	}{
		{"outcomes", func(t *vm.Trace) { t.Outcome = vm.Stopped }},
		{"instructions", func(t *vm.Trace) { t.Instructions = 9 }},
		{"from number 1", func(t *vm.Trace) { t.Decisions[1].Alt = 1 }},
		{"input 0", func(t *vm.Trace) { t.Inputs[0].Value = 2 }},
		{"finding 0", func(t *vm.Trace) { t.Findings[0].Message = "n" }},
		{"event 0", func(t *vm.Trace) { t.Events[0].Wrote = 4 }},
		{"path conditions", func(t *vm.Trace) { t.Path = append(t.Path, vm.Condition{}) }},
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
