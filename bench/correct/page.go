package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/verdict"
)

// writePage writes docs/correct.md.
func writePage(name string, all []result, known map[string]string, o options) error {
	var w bytes.Buffer
	fmt.Fprintf(&w, `# Correct programs

<!-- Written by go run ./bench/correct -budget %v -targets %d -o docs/correct.md; do not edit. -->

A correct program has no findings. This page is about the own tests of packages of the standard library of %s,
and of concurrent maps, caches, queues and pools in well-known modules. Of each,

- the tests, fuzz targets and examples are recorded in everyway's machine, by `+"`everyway record -short`"+`, as far as that
  comes in %v of processor time, or the time in the second table, and 2 GiB of memory;
- those that start goroutines, at most %d of them, are searched, by `+"`everyway test -short -budget %v`"+`, and recorded
  natively, by `+"`everyway record -native -short`"+`;
- the detectors that `+"`everyway race`"+` has by default look at all of these schedules, at each for %v at most.

Every finding is listed below, with what it is: a bug of the package or of its test, or a defect of everyway.

`, o.budget, o.targets, runtime.Version(), o.step, o.targets, o.budget, o.analysis)
	writeTable(&w, all)
	writeFindings(&w, all, known)
	return os.WriteFile(name, w.Bytes(), 0o666)
}

// writeTable writes a row for each subject, and one for all.
func writeTable(w *bytes.Buffer, all []result) {
	fmt.Fprintf(w, "| package or module | recorded, analysed | events | start goroutines | hold | open | fail | skip | runs | natively recorded, analysed | events | findings |\n"+
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	row := func(name string, r *result) {
		fmt.Fprintf(w, "| %s | %d, %d | %s | %d | %d | %d | %d | %d | %s | %d, %d | %s | %d |\n", name,
			r.Machine.Recorded, r.Machine.Analysed, thousands(r.Machine.Events), r.Concurrent,
			r.Searched[verdict.Holds], r.Searched[verdict.Open], r.Searched[verdict.Fails], r.Searched[verdict.Skipped], thousands(int64(r.Runs)),
			r.Native.Recorded, r.Native.Analysed, thousands(r.Native.Events), len(r.Findings))
	}
	total := result{Searched: map[verdict.Verdict]int{}}
	for i := range all {
		r := &all[i]
		if r.Why != "" {
			fmt.Fprintf(w, "| %s | not looked at: %s | | | | | | | | | | |\n", r.name(), table.Cell(r.Why))
			continue
		}
		row(r.name(), r)
		total.Machine.add(r.Machine)
		total.Native.add(r.Native)
		total.Concurrent += r.Concurrent
		total.Runs += r.Runs
		total.Findings = append(total.Findings, r.Findings...)
		for v, n := range r.Searched {
			total.Searched[v] += n
		}
	}
	row("**all**", &total)
	writeTroubles(w, all)
}

// writeTroubles writes of which subjects not everything was recorded.
func writeTroubles(w *bytes.Buffer, all []result) {
	fmt.Fprintf(w, "\nNot all tests were recorded of these:\n\n| package or module | in the machine | natively |\n|---|---|---|\n")
	for i := range all {
		if r := &all[i]; r.Machine.Trouble != "" || r.Native.Trouble != "" {
			fmt.Fprintf(w, "| %s | %s | %s |\n", r.name(), table.Cell(r.Machine.Trouble), table.Cell(r.Native.Trouble))
		}
	}
}

// name returns how the page names a subject.
func (r *result) name() string {
	if standard(r.Subject) {
		return r.Subject.Path
	}
	return r.Subject.String()
}

// add adds what t says to s.
func (s *schedules) add(t schedules) {
	s.Recorded += t.Recorded
	s.Analysed += t.Analysed
	s.Events += t.Events
}

// thousands writes a number with commas.
func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// inModule returns a place without the directory of the module cache.
func inModule(pos string) string {
	_, after, ok := strings.Cut(pos, "/pkg/mod/")
	if !ok {
		return pos
	}
	return after
}

// writeFindings writes what was found, with what is known of it.
func writeFindings(w *bytes.Buffer, all []result, known map[string]string) {
	fmt.Fprintf(w, "\n## Findings\n\n| target | found by | finding | at | what it is |\n|---|---|---|---|---|\n")
	for _, r := range all {
		for _, f := range r.Findings {
			why := cmp.Or(known[r.Subject.Path+" "+f.Target], "not explained yet")
			fmt.Fprintf(w, "| %s %s | %s | %s | %s | %s |\n", r.Subject.Path, table.Cell(f.Target), f.By,
				table.Cell(f.Kind+": "+f.Text), table.Cell(inModule(f.Pos)), table.Cell(why))
		}
	}
}
