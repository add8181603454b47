package main

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/internal/verdict"
)

func TestJudge(t *testing.T) {
	target := func(name string, v verdict.Verdict, kinds ...string) command.Target {
		out := command.Target{Name: name, Totals: verdict.Totals{Verdict: v, Runs: 2}, Seconds: 0.5}
		for _, k := range kinds {
			out.Findings = append(out.Findings, command.Finding{Kind: k, Message: k + ": send on closed channel", Pos: "a.go:1:2"})
		}
		return out
	}
	s := judge([]command.Target{
		target("TestRaceA", verdict.Fails, "data race"),
		target("TestRaceB", verdict.Fails, "panic"),
		target("TestRaceC", verdict.Fails, "leak"),
		target("TestRaceD", verdict.Holds),
		target("TestRaceE", verdict.Skipped),
		target("TestNoRaceA", verdict.Holds),
		target("TestNoRaceB", verdict.Open),
		target("TestNoRaceC", verdict.Fails, "leak"),
		target("TestNoRaceD", verdict.Fails, "leak", "data race"),
	})
	notes := s.notes
	s.notes = nil
	want := summary{races: 4, found: 2, clean: 4, hold: 1, open: 1, other: 1, wrong: 1, skipped: 1, runs: 8, time: 2 * time.Second}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v\nwant %+v", s, want)
	}
	if want := []string{
		"TestRaceC: no race: fails leak at a.go:1:2", "TestRaceD: no race: holds ", "TestRaceE: the test skips itself",
		"TestNoRaceB: open: ", "TestNoRaceC: no race, but leak at a.go:1:2", "TestNoRaceD: a race where there is none, at a.go:1:2",
	}; !slices.Equal(notes, want) {
		t.Errorf("notes %q\nwant %q", notes, want)
	}
}
