package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/internal/verdict"
)

func TestSubjects(t *testing.T) {
	subjects, err := modules.Parse(subjectsText)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	n := 0
	for _, s := range subjects {
		if seen[s.Path] {
			t.Errorf("%s is listed twice", s.Path)
		}
		seen[s.Path] = true
		if !standard(s) {
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d modules, want 20 at least", n)
	}
}

func TestChoose(t *testing.T) {
	var recorded []command.Recording
	for i := range 10 {
		recorded = append(recorded, command.Recording{Name: string(rune('A' + i)), Goroutines: 1 + i%2})
	}
	for n, want := range map[int]string{0: "^()$", 2: "^(B|F)$", 5: "^(B|D|F|H|J)$", 9: "^(B|D|F|H|J)$"} {
		if got := names(choose(recorded, n)); got != want {
			t.Errorf("choose %d: %s, want %s", n, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	all := []result{
		{
			Subject: modules.Module{Path: "sync", Version: "std"}, Machine: schedules{Recorded: 3, Analysed: 2, Events: 1234567, Trouble: "stopped after 1s"}, Concurrent: 2,
			Searched: map[verdict.Verdict]int{verdict.Holds: 1, verdict.Fails: 1}, Runs: 7,
			Findings: []finding{{"_test.TestA", "search", "leak", "blocked", "/go/pkg/mod/a.go:1:2"}},
		},
		{Subject: modules.Module{Path: "example.com/m", Version: "v1.0.0"}, Why: "does not compile"},
	}
	name := filepath.Join(t.TempDir(), "page.md")
	known := map[string]string{"sync _test.TestA": "True: so it is"}
	if err := writePage(name, all, known, options{budget: time.Second}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| sync | 3, 2 | 1,234,567 | 2 | 1 | 0 | 1 | 0 | 7 | 0, 0 | 0 | 1 |",
		"| sync | stopped after 1s |  |",
		"| example.com/m@v1.0.0 | not looked at: does not compile |",
		`| sync \_test.TestA | search | leak: blocked | a.go:1:2 | True: so it is |`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
