package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/internal/verdict"
)

func TestLists(t *testing.T) {
	list, err := modules.Parse(modulesText)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Errorf("%d modules, want 40 at least", len(list))
	}
	known := make(map[string]bool)
	for _, m := range list {
		if known[m.Path] {
			t.Errorf("%s is listed twice", m.Path)
		}
		known[m.Path] = true
	}
}

func TestCause(t *testing.T) {
	for reason, want := range map[string]string{
		"the budget of 5s is spent, after 120 of about 7,000 runs, 2%; -resume goes on": "the budget is spent",
		"a/b_test.go:12:3: orders of map iteration that do not go round":                "orders of map iteration that do not go round",
		"more than 50,000,000 instructions in a run":                                    "more than N instructions in a run",
		"too many scheduling decisions":                                                 "too many scheduling decisions",
	} {
		if got := cause(reason); got != want {
			t.Errorf("cause(%q) = %q, want %q", reason, got, want)
		}
	}
}

// TestPage reads what a search prints, and writes a page of it.
func TestPage(t *testing.T) {
	r := result{Module: "example.com/m@v1.0.0"}
	err := r.read([]byte(`{"Action":"run","Package":"example.com/m/sub","Test":"TestA"}
{"Action":"output","Package":"example.com/m/sub","Test":"TestA","Event":"finding","Kind":"data race","Message":"read and write of x\nmore","Pos":"sub/a.go:3:4"}
{"Action":"fail","Package":"example.com/m/sub","Test":"TestA","Elapsed":1.5,"Verdict":"fails","Runs":3}
{"Action":"fail","Package":"example.com/m/sub","Elapsed":1.5}
{"Action":"pass","Package":"example.com/m","Test":"TestB","Elapsed":2.5,"Verdict":"open","Runs":0,"Open":["the budget of 1s is spent"]}
{"Action":"pass","Pack`), modules.Module{Path: "example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	if r.count(verdict.Fails) != 1 || r.count(verdict.Open) != 1 || r.longest() != 2.5 || r.unrun() != 1 {
		t.Errorf("read %+v", r)
	}
	name := filepath.Join(t.TempDir(), "page.md")
	broken := result{Module: "example.com/n@v1.0.0", Why: "does not compile"}
	explained := map[string]string{"example.com/m sub.TestA": "true: x is read without the lock"}
	if err := writePage(name, []result{r, broken}, explained, options{budget: time.Second, workers: 1, clock: "processor"}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| example.com/m@v1.0.0 | 2 | 0 | 1 | 1 | 0 | 0.0 s | 2.5 s |",
		"not searched: does not compile",
		"not run once: 1.",
		"| the budget is spent | 1 | example.com/m |",
		"| example.com/m sub.TestA | data race: read and write of x | sub/a.go:3:4 | true: x is read without the lock |",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
