package main

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/internal/goroot"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

func TestJudge(t *testing.T) {
	blocked := func(function, waitsFor string, others ...command.Finding) command.Finding {
		return command.Finding{
			Kind: "leak", Message: "goroutine blocked for ever: " + waitsFor, Goroutine: "0.1", Pos: "a.go:1:2",
			Stack: []schedule.Frame{{Func: "sync.(*Mutex).Lock"}, {Func: "main." + function}}, Others: others,
		}
	}
	k := &goroot.LeakKernel{Name: "K", Leaks: []*regexp.Regexp{
		regexp.MustCompile(`K\.func1\(.* \[sync\.Mutex\.Lock\]`), regexp.MustCompile(`K\.func2\(.* \[chan send\]`),
	}}
	r := judge(k, &command.Target{
		Totals: verdict.Totals{Verdict: verdict.Fails, Runs: 3}, Seconds: 2,
		Findings: []command.Finding{
			blocked("K.func1", "sync.mutexLock", blocked("K.func3", "chan send"), blocked("K.func3", "chan send")),
			{Kind: "data race", Pos: "b.go:1:2"},
		},
	})
	if r.places() != 1 || !r.seen[0] || r.until != 2*time.Second || len(r.found) != 3 {
		t.Errorf("got %+v", r)
	}
	if got, want := r.notes(k), []string{
		`missed: K\.func2\(.* \[chan send\] (fails after 3 runs)`, "not expected: K.func3 [chan send]", "also data race at b.go:1:2",
	}; !slices.Equal(got, want) {
		t.Errorf("notes %q\nwant %q", got, want)
	}
}
