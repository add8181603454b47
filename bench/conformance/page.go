package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// tally sums up the results.
type tally struct {
	outside           map[string][]string // names of programs, by the reason
	in, same          int
	repeated          int // with equal traces and states
	spawning, ordered int // programs with go statements; those that end as natively under all schedules
	varying           int // those of them that may end in several ways
	differ            []*program
	hurried           []*program // the time was over before all had been done
}

// count sums up the results for the programs.
func count(programs []*program, o *options, results *results) *tally {
	t := &tally{outside: make(map[string][]string)}
	for _, p := range programs {
		r := results.of(p)
		switch {
		case p.out != "":
			t.outside[p.out] = append(t.outside[p.out], p.name)
			continue
		case r.Native == nil:
			continue // not run
		case r.Native.Code == none:
			why := "natively: " + r.Native.How
			t.outside[why] = append(t.outside[why], p.name)
			continue
		case r.Machine == nil:
			continue // not run
		}
		t.in++
		m := r.Machine
		if m.Differs == "" {
			t.same++
			if m.Repeats == "" && !m.Unchecked {
				t.repeated++
			}
		}
		ordered := p.spawns && p.varies == ""
		switch {
		case ordered:
			t.spawning++
			if m.Schedules >= o.schedules && m.Scheduled == "" {
				t.ordered++
			}
		case p.varies != "":
			t.varying++
		}
		switch {
		case m.why() != "":
			t.differ = append(t.differ, p)
		case m.Unchecked, ordered && m.Schedules < o.schedules:
			t.hurried = append(t.hurried, p)
		}
	}
	return t
}

// writePage writes docs/conformance.md.
func writePage(w io.Writer, o *options, c *census, results *results) {
	t := count(c.programs, o, results)
	fmt.Fprintf(w, `# Conformance

<!-- Written by go run ./bench/conformance; do not edit. -->

This page compares how the programs of the Go distribution's own test suite, GOROOT/test of
%s, run natively and in the machine. A program conforms if it prints the same and ends with
the same exit code in both. When a program crashes, the dump of its goroutines is not
compared. %s writes this page.

| programs with the recipe %s | %d |
|---|---|
| out of scope | %d |
| in scope | %d |
| in scope, and as natively under one schedule | **%d** |
| of these, with the same trace, output and state when the plan is carried out again: after each of %d runs that were broken off at a random place and undone, and in a new machine | **%d** |

`, runtime.Version(), "`go run ./bench/conformance`", "`// run`", len(c.programs), len(c.programs)-t.in, t.in, t.same, o.cuts, t.repeated)
	fmt.Fprintf(w, `| in scope, with go statements, and with the same native ending under every schedule | %d |
|---|---|
| of these, as natively under each of %d random schedules | **%d** |

`, t.spawning, o.schedules, t.ordered)
	fmt.Fprintf(w, "## What differs\n\n")
	if len(t.differ) == 0 {
		fmt.Fprintf(w, "Nothing.\n")
	} else {
		fmt.Fprintf(w, "| program | in the machine |\n|---|---|\n")
		for _, p := range t.differ {
			fmt.Fprintf(w, "| %s | %s |\n", table.Cell(p.name), table.Cell(results.of(p).Machine.why()))
		}
	}
	if len(t.hurried) > 0 {
		fmt.Fprintf(w, "\nIn the following programs no difference was found, but the time limit (-time) ended the comparison\nbefore it was complete:\n\n")
		fmt.Fprintf(w, "| program | carried out again | random schedules |\n|---|---|---|\n")
		for _, p := range t.hurried {
			m := results.of(p).Machine
			again, schedules := "yes", ""
			if m.Unchecked {
				again = "in part"
			}
			if p.spawns && p.varies == "" {
				schedules = fmt.Sprint(m.Schedules)
			}
			fmt.Fprintf(w, "| %s | %s | %s |\n", table.Cell(p.name), again, schedules)
		}
	}
	if t.varying > 0 {
		fmt.Fprintf(w, "\nThe following programs were not run under random schedules, because natively they end in several ways\ntoo:\n\n| program | why |\n|---|---|\n")
		for _, p := range c.programs {
			if p.varies != "" && p.out == "" {
				fmt.Fprintf(w, "| %s | %s |\n", table.Cell(p.name), p.varies)
			}
		}
	}
	fmt.Fprintf(w, "\n## Out of scope\n\nWhether a program is in scope depends on what it imports and names, not on how it fares in the\nmachine.\n\n| reason | | programs |\n|---|---|---|\n")
	for _, why := range slices.Sorted(maps.Keys(t.outside)) {
		names := t.outside[why]
		fmt.Fprintf(w, "| %s | %d | %s |\n", why, len(names), table.Cell(strings.Join(names, ", ")))
	}
	fmt.Fprintf(w, "\nThe other files of the suite are not single-file programs to be run. By recipe they are:\n\n| recipe | files |\n|---|---|\n")
	for _, recipe := range slices.Sorted(maps.Keys(c.others)) {
		fmt.Fprintf(w, "| %s | %d |\n", recipe, c.others[recipe])
	}
}

// why says what is wrong with a program in the machine, "" for nothing.
func (r *report) why() string { return cmp.Or(r.Differs, r.Repeats, r.Scheduled) }
