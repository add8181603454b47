package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/verdict"
)

// writePage writes docs/modules.md.
func writePage(name string, all []result, explained map[string]string, o options) error {
	var w bytes.Buffer
	fmt.Fprintf(&w, `# The tests of well-known modules

<!-- Written by go run ./bench/modules -budget %v -o docs/modules.md; do not edit. -->

This page has the verdicts on the own tests, fuzz targets and examples of modules, on one
of two cores, with %s. Each module was searched once, by

	everyway test -short -count=1 -budget %v -workers %d -clock %s ./...

beside `+"`go test -short -count=1 ./...` and `go test -race -short -count=1 ./...`"+` on the same
tests, after all had been compiled. The columns *hold*, *open*, *fail* and *skip* count
targets. *Longest* is the time of the target that took most: with -clock processor, processor
time, as the budget is. *Wall* and the times of go test are not: other work on the computer adds
to them. Memory is what the process used at most.

`, o.budget, runtime.Version(), o.budget, o.workers, o.clock)
	writeTable(&w, all)
	writeCauses(&w, all)
	writeFailures(&w, all, explained)
	return os.WriteFile(name, w.Bytes(), 0o666)
}

// writeTable writes a row for each module, and one for all.
func writeTable(w *bytes.Buffer, all []result) {
	fmt.Fprintf(w, "| module | targets | hold | open | fail | skip | wall | longest | memory | go test | -race |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	row := func(name string, r *result) {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %.1f s | %.1f s | %d MB | %s | %s |\n", name, len(r.Targets),
			r.count(verdict.Holds), r.count(verdict.Open), r.count(verdict.Fails), r.count(verdict.Skipped),
			r.Everyway.Seconds, r.longest(), r.Everyway.MB, r.Test.cell(), r.Race.cell())
	}
	var total result
	unrun := 0
	for i := range all {
		r := &all[i]
		if r.Why != "" {
			fmt.Fprintf(w, "| %s | not searched: %s | | | | | | | | | |\n", r.Module, table.Cell(r.Why))
			continue
		}
		name := r.Module
		if r.Stopped {
			name += " (stopped)"
		}
		row(name, r)
		total.Targets = append(total.Targets, r.Targets...)
		total.Everyway.add(r.Everyway)
		total.Test.add(r.Test)
		total.Race.add(r.Race)
		unrun += r.unrun()
	}
	row("**all**", &total)
	fmt.Fprintf(w, "\nOpen targets that were not run once: %d.\n", unrun)
}

// add adds the time of q to that of p, and takes the larger memory.
func (p *process) add(q process) {
	p.Seconds += q.Seconds
	p.MB = max(p.MB, q.MB)
}

// cell says how long a native run took, and whether it failed.
func (p *process) cell() string {
	s := fmt.Sprintf("%.1f s", p.Seconds)
	if p.Status != "" {
		s += ", fails"
	}
	return s
}

// shown is the number of modules that are named for a cause.
const shown = 4

// writeCauses writes for how many targets each cause is one of the reasons to stay open.
func writeCauses(w *bytes.Buffer, all []result) {
	targets := make(map[string]int)
	modules := make(map[string][]string)
	for _, r := range all {
		for _, t := range r.Targets {
			causes := make(map[string]bool)
			for _, reason := range t.Open {
				causes[cause(reason)] = true
			}
			for c := range causes {
				targets[c]++
				path, _, _ := strings.Cut(r.Module, "@")
				if !slices.Contains(modules[c], path) {
					modules[c] = append(modules[c], path)
				}
			}
		}
	}
	fmt.Fprintf(w, "\n## Why targets are open\n\nA target can have several reasons.\n\n| reason | targets | modules |\n|---|---|---|\n")
	byCount := func(a, b string) int {
		return cmp.Or(cmp.Compare(targets[b], targets[a]), strings.Compare(a, b))
	}
	for _, c := range slices.SortedFunc(maps.Keys(targets), byCount) {
		names := modules[c]
		if len(names) > shown {
			names = append(slices.Clone(names[:shown]), "…")
		}
		fmt.Fprintf(w, "| %s | %d | %s |\n", table.Cell(c), targets[c], strings.Join(names, ", "))
	}
}

// writeFailures writes what was found, with what is known of it.
func writeFailures(w *bytes.Buffer, all []result, explained map[string]string) {
	fmt.Fprintf(w, "\n## Failures\n\n| target | finding | at | what it is |\n|---|---|---|---|\n")
	for _, r := range all {
		path, _, _ := strings.Cut(r.Module, "@")
		for _, f := range r.Failures {
			why := cmp.Or(explained[path+" "+f.Target], "not explained yet")
			fmt.Fprintf(w, "| %s %s | %s | %s | %s |\n", path, table.Cell(f.Target), table.Cell(f.Kind+": "+f.Text), table.Cell(f.Pos), table.Cell(why))
		}
	}
}
