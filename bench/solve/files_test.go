package main

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/solve"
)

// TestAnswerFile checks the answers to the scripts in testdata.
func TestAnswerFile(t *testing.T) {
	scripts, err := readScripts([]string{"testdata/scripts"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"operators": "sat unsat sat", "idna": "sat", "json": "unsat", "parseint": "unsat", "rune": "unsat", "url": "unsat"}
	if len(scripts) != len(want) {
		t.Errorf("%d scripts, want %d", len(scripts), len(want))
	}
	for _, s := range scripts {
		name := strings.TrimSuffix(s.path[strings.LastIndexByte(s.path, '/')+1:], ".smt2")
		if s.err != nil || s.queries != len(strings.Fields(want[name])) {
			t.Errorf("%s: %d queries, %v", name, s.queries, s.err)
		}
		var out strings.Builder
		if err := answerFile(t.Context(), &out, s.path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := strings.Join(strings.Fields(out.String()), " "); got != want[name] {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
	}
}

// TestFilesRow checks what is made of the answers of programs.
func TestFilesRow(t *testing.T) {
	says := func(words string) command {
		return command{words, func(string, int) []string { return append([]string{"printf", `%s\n`}, strings.Fields(words)...) }}
	}
	sleeps := command{"sleep", func(string, int) []string { return []string{"sleep", "60"} }}
	two := []script{{family: "f", path: "a", queries: 2, status: []string{"sat", ""}}, {family: "f", path: "b", queries: 2, err: smtlib.ErrWide}}
	for _, test := range []struct {
		programs   []command
		limit      time.Duration
		row, error string
		notes      int
	}{
		{[]command{says("sat unsat"), says("sat unknown"), says("sat (error)")}, time.Hour, "f 2 1 0 1 T 0 1h0m0s 0 1h0m0s", "", 0},
		{[]command{says("unknown unsat"), says("sat unsat")}, time.Hour, "f 2 1 0 0 1h0m0s 1 T", "", 1},
		{[]command{says("sat unsat"), says("sat sat")}, time.Hour, "", "sat sat says sat to query 1, another says unsat", 0},
		{[]command{sleeps}, time.Millisecond, "f 2 1 0 0 1ms", "", 1},
		{[]command{says("unsat unsat")}, time.Hour, "f 2 1 0 1 T", "", 1}, // not what the file says
	} {
		var out strings.Builder
		rows := table.New(&out)
		f := files{limit: test.limit}
		notes, err := f.row(context.Background(), rows, two, test.programs)
		if err != nil || test.error != "" {
			if err == nil || !strings.Contains(err.Error(), test.error) {
				t.Errorf("error %v, want %q", err, test.error)
			}
			continue
		}
		if err := rows.Flush(); err != nil {
			t.Fatal(err)
		}
		if len(notes) != test.notes {
			t.Errorf("%s: notes %q", test.row, notes)
		}
		got, want := strings.Fields(out.String()), strings.Fields(test.row)
		for i := range want {
			if i >= len(got) || want[i] != "T" && got[i] != want[i] {
				t.Errorf("%q, want %q", got, want)
				break
			}
		}
	}
}

// TestRandomPath checks that all but the last branch of a path can be taken together.
func TestRandomPath(t *testing.T) {
	sat := 0
	for i := range 20 {
		a := expr.NewArena()
		conj := randomPath(a, rand.New(rand.NewPCG(uint64(i), 1)))
		if len(conj) < 5 || len(conj) > 20 {
			t.Errorf("a path of %d branches", len(conj))
		}
		s := solve.New(a, solve.Options{})
		if r, _, err := s.Check(t.Context(), conj[:len(conj)-1]); err != nil || r == solve.Unsat {
			t.Errorf("path %d without its last branch: %v, %v", i, r, err)
		} else if r == solve.Sat {
			sat++
		}
	}
	if sat == 0 {
		t.Error("no path was solved")
	}
}
