package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

func site(n int32) run.SiteID { return run.SiteID{Func: n} }

func at(n int32) run.StackTrace { return run.StackTrace{Site: site(n)} }

func TestJudge(t *testing.T) {
	race := func(a, b int32) run.AccessPair {
		return run.AccessPair{Earlier: run.MemoryAccess{StackTrace: at(b)}, Later: run.MemoryAccess{StackTrace: at(a)}}
	}
	stuck := func(returned bool, period int, spins ...bool) *run.Stuck {
		s := &run.Stuck{Returned: returned, Period: period}
		for i, spins := range spins {
			s.Goroutines = append(s.Goroutines, run.StuckGoroutine{StackTrace: at(int32(i)), Spins: spins})
		}
		return s
	}
	history := func(message, in string) run.Failure {
		return run.Failure{StackTrace: run.StackTrace{Site: run.SiteID{Func: 1}, Frames: []run.Frame{{Func: "testing.(*common).Error"}, {Func: in}, {Func: "m.FuzzX"}}}, Message: message}
	}
	for _, test := range []struct {
		name  string
		trace run.Trace
		want  []Kind
	}{
		{"none", run.Trace{}, nil},
		{"one race seen from both sides", run.Trace{Unordered: []run.AccessPair{race(1, 2), race(2, 1)}}, []Kind{Race}},
		{"a send and a close", run.Trace{ClosedSends: []run.AccessPair{race(1, 2)}}, []Kind{Race}},
		{"a send that panics", run.Trace{ClosedSends: []run.AccessPair{race(1, 2)}, Panic: &run.Failure{}}, []Kind{Panic}},
		{"two races", run.Trace{Unordered: []run.AccessPair{race(1, 2), race(1, 3)}}, []Kind{Race, Race}},
		{"gravest first", run.Trace{Unordered: []run.AccessPair{race(1, 2)}, Panic: &run.Failure{}}, []Kind{Panic, Race}},
		{"a fatal error", run.Trace{FatalError: &run.Failure{}, TestFailures: []run.Failure{{}}}, []Kind{FatalError, TestFailure}},
		{"an exit", run.Trace{Exit: &run.Exit{Status: 1}}, []Kind{TestFailure}},
		{"a history that nothing explains", run.Trace{TestFailures: []run.Failure{history("not linearizable: no order", "m.linearFails"), {}}, Exit: &run.Exit{Status: 1}}, []Kind{TestFailure, NotLinearizable}},
		{"what only says so", run.Trace{TestFailures: []run.Failure{history("not linearizable: no order", "m.TestX")}}, []Kind{TestFailure}},
		{"another failure of such a test", run.Trace{TestFailures: []run.Failure{history("not deterministic: ", "m.linearFails")}}, []Kind{TestFailure}},
		{"a failure twice at one place", run.Trace{TestFailures: []run.Failure{{Message: "1"}, {Message: "2"}}}, []Kind{TestFailure}},
		{"a deadlock is one", run.Trace{Stuck: stuck(false, 0, false, false)}, []Kind{Deadlock}},
		{"leaks are one", run.Trace{Stuck: stuck(true, 0, false, false)}, []Kind{Leak}},
		{"what spins leaks", run.Trace{Stuck: stuck(true, 0, true)}, []Kind{Leak}},
		{"what goes round leaks", run.Trace{Stuck: stuck(true, 3, false, false)}, []Kind{Leak}},
		{"a failure explains a leak", run.Trace{Stuck: stuck(true, 0, false), TestFailures: []run.Failure{{}}}, []Kind{TestFailure}},
		{"a livelock is graver than a race", run.Trace{Unordered: []run.AccessPair{race(1, 2)}, Stuck: stuck(false, 0, false, true)}, []Kind{Livelock, Race}},
		{"a state that repeats", run.Trace{Stuck: stuck(false, 3, false, false)}, []Kind{Livelock}},
		{"a race does not", run.Trace{Stuck: stuck(true, 0, false), Unordered: []run.AccessPair{race(1, 2)}}, []Kind{Race, Leak}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Judge(&test.trace)
			if len(got) != len(test.want) {
				t.Fatalf("%d findings, want %d", len(got), len(test.want))
			}
			for i := range got {
				f := &got[i]
				if f.Kind != test.want[i] {
					t.Errorf("finding %d has kind %s, want %s", i, f.Kind, test.want[i])
				}
				if Find(&test.trace, KeyOf(f)) == nil {
					t.Errorf("finding %d is not found by its key", i)
				}
			}
		})
	}
}

// An exit is a finding of its own only if no failure explains it, as it does when TestMain
// exits with the status of the tests.
func TestExitStatus(t *testing.T) {
	exit, ofTests := &run.Exit{StackTrace: at(1), Status: 1}, &run.Exit{StackTrace: at(1), Status: 1, OfTests: true}
	failed := []run.Failure{{StackTrace: at(2), Message: "a"}, {StackTrace: at(3), Message: "b"}}
	for _, test := range []struct {
		trace run.Trace
		want  []string
	}{
		{run.Trace{Exit: exit}, []string{"exit status 1"}},
		{run.Trace{TestFailures: failed}, []string{"a", "b"}},
		{run.Trace{Exit: ofTests}, []string{"exit status 1"}},
		{run.Trace{TestFailures: failed, Exit: ofTests}, []string{"a", "b"}},
		{run.Trace{TestFailures: failed, Exit: exit}, []string{"a", "b", "exit status 1"}},
	} {
		var got []string
		for _, f := range Judge(&test.trace) {
			got = append(got, f.Message)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("findings %q, want %q", got, test.want)
		}
	}
}

// Those that get no further are one finding, each behind the other; in a livelock those
// that only wait are not part of it.
func TestTogether(t *testing.T) {
	for _, test := range []struct {
		stuck run.Stuck
		want  []int32
	}{
		{run.Stuck{Goroutines: []run.StuckGoroutine{{StackTrace: at(1)}, {StackTrace: at(2)}, {StackTrace: at(3)}}}, []int32{1, 2, 3}},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{StackTrace: at(1), Spins: true}, {StackTrace: at(2)}, {StackTrace: at(3), Spins: true}}}, []int32{1, 3}},
		{run.Stuck{Returned: true, Goroutines: []run.StuckGoroutine{{StackTrace: at(1)}, {StackTrace: at(2), Spins: true}}}, []int32{1, 2}},
	} {
		var got []int32
		for f := range Judge(&run.Trace{Stuck: &test.stuck})[0].All() {
			got = append(got, f.Site.Func)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v: the finding is at %v, want %v", test.stuck, got, test.want)
		}
	}
}

func TestSame(t *testing.T) {
	base := func() *run.Trace {
		return &run.Trace{
			Decisions: []run.Decision{{Goroutine: 1}, {Goroutine: 2}},
			Events:    []run.Event{{Goroutine: 1, Wrote: 3}},
			Inputs:    []run.InputVar{{Name: "n", Width: 8, Value: 1}},
			Stuck:     &run.Stuck{Returned: true, Goroutines: []run.StuckGoroutine{{For: "m"}, {For: "m"}}},
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
		{"finding 0", func(t *run.Trace) { t.Stuck.Goroutines[0].For = "n" }},
		{"finding 0", func(t *run.Trace) { t.Stuck.Goroutines[1].For = "n" }},
		{"finding 0", func(t *run.Trace) { t.Stuck.Goroutines = t.Stuck.Goroutines[:1] }},
		{"findings", func(t *run.Trace) { t.FatalError = &run.Failure{}; t.Exit = &run.Exit{} }},
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

// What remains when the target has returned is a finding or a note, as Leaks has it. A
// program has neither.
func TestJudgement(t *testing.T) {
	trace := run.Trace{
		Stuck: &run.Stuck{Returned: true, Goroutines: []run.StuckGoroutine{
			{StackTrace: at(1), For: "chan receive", Waker: run.TimerWaker},
			{StackTrace: at(2), For: "sync.mutexLock"},
			{StackTrace: at(3), For: "chan send", Waker: run.VariableWaker},
			{StackTrace: at(4), Spins: true},
			{StackTrace: at(5), Waker: run.Running},
		}},
		Unordered: []run.AccessPair{{}},
	}
	kinds := func(fs []Finding) string {
		var list []string
		for _, f := range fs {
			list = append(list, string(f.Kind))
		}
		return strings.Join(list, ", ")
	}
	for _, test := range []struct {
		judgement       Judgement
		findings, notes string
	}{
		{Judgement{}, "data race, leak", "background goroutine, timer goroutine, running goroutine"},
		{Judgement{Leaks: LeaksUnreachable}, "data race, leak", "background goroutine, timer goroutine, running goroutine"},
		{Judgement{Leaks: LeaksAll}, "data race, leak, background goroutine, timer goroutine, running goroutine", ""},
		{Judgement{Leaks: LeaksNone}, "data race", "leak, background goroutine, timer goroutine, running goroutine"},
		{Judgement{Program: true}, "data race", ""},
		{Judgement{Program: true, Leaks: LeaksAll}, "data race", ""},
	} {
		if got := kinds(test.judgement.Findings(&trace)); got != test.findings {
			t.Errorf("%+v: findings %s, want %s", test.judgement, got, test.findings)
		}
		if got := kinds(test.judgement.Notes(&trace)); got != test.notes {
			t.Errorf("%+v: notes %s, want %s", test.judgement, got, test.notes)
		}
	}
	leak := Judge(&trace)[1]
	if leak.Site.Func != 2 || len(leak.Others) != 1 || leak.Others[0].Site.Func != 4 {
		t.Errorf("the leak is %+v, want that of goroutines 2 and 4", leak)
	}
}

func TestRuns(t *testing.T) {
	for _, test := range []struct {
		stuck run.Stuck
		want  bool
	}{
		{run.Stuck{Goroutines: []run.StuckGoroutine{{For: "a mutex"}}}, false},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{Spins: true}}}, true},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{Spins: true, For: "a variable"}}}, true},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{}}, Period: 4}, true},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{For: "runs for ever"}}, Returned: true}, false},
		{run.Stuck{Goroutines: []run.StuckGoroutine{{Spins: true, For: "blocked for ever"}}, Returned: true}, true},
	} {
		f := Judge(&run.Trace{Stuck: &test.stuck})[0]
		if got := Runs(f.Message); got != test.want {
			t.Errorf("Runs(%q) = %v", f.Message, got)
		}
	}
}

// A run in which more goroutines remain shows that some of them do.
func TestShows(t *testing.T) {
	leak := func(sites ...int32) Key {
		f := Finding{Kind: Leak, StackTrace: at(sites[0])}
		for _, s := range sites[1:] {
			f.Others = append(f.Others, Finding{StackTrace: at(s)})
		}
		return KeyOf(&f)
	}
	deadlock := func(sites ...int32) Key {
		f := Finding{Kind: Deadlock, StackTrace: at(sites[0])}
		for _, s := range sites[1:] {
			f.Others = append(f.Others, Finding{StackTrace: at(s)})
		}
		return KeyOf(&f)
	}
	if deadlock(1, 2) == deadlock(1, 2, 3) {
		t.Error("two deadlocks, one with another goroutine, have the same key")
	}
	race := KeyOf(&Finding{Kind: Race, StackTrace: at(1), Others: []Finding{{StackTrace: at(2)}}})
	for _, test := range []struct {
		a, b Key
		want bool
	}{
		{leak(1, 2, 3), leak(3, 1), true},
		{leak(1, 1, 2), leak(2, 1), true},
		{leak(1, 2), leak(1, 2, 3), false},
		{leak(12), leak(1), false},
		{deadlock(1, 2, 3), deadlock(1, 2), true},
		{deadlock(1, 2), deadlock(1, 2, 3), true},
		{deadlock(1, 3, 2), deadlock(1, 2), false},
		{race, race, true},
		{race, leak(1), false},
		{leak(1, 2), race, false},
	} {
		if got := test.a.Shows(test.b); got != test.want {
			t.Errorf("%v shows %v: %t", test.a, test.b, got)
		}
	}
}
