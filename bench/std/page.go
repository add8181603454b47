package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// writePage writes docs/stdtests.md.
func writePage(name string, all []comparison, o options) error {
	var w bytes.Buffer
	tests, same, listed := 0, 0, 0
	for _, c := range all {
		tests += c.tests
		same += c.same
		listed += len(c.differ)
	}
	short := ""
	if o.short {
		short = " with `-short`"
	}
	fmt.Fprintf(&w, `# The standard library's own tests

<!-- Written by go run ./bench/std -short -o docs/stdtests.md; do not edit. -->

This page compares how the tests, examples and seeds of fuzz tests of packages of %s
end when they are run%s natively and in the machine. In the machine they run under
one schedule, on the virtual clock and on the machine's own file system. A test counts as
*the same* if it passes, or skips itself, on both sides. Tests that failed natively where
this page was made are not counted.

| tests | the same | differ, with a reason below | differ without a reason |
|---|---|---|---|
| %d | %d (%.1f%%) | %d | %d |

| package | tests | the same | differ, with a reason | differ without a reason |
|---|---|---|---|---|
`, runtime.Version(), short, tests, same, 100*float64(same)/float64(max(tests, 1)), listed, tests-same-listed)
	for _, c := range all {
		fmt.Fprintf(&w, "| %s | %d | %d | %d | %d |\n", c.name, c.tests, c.same, len(c.differ), len(c.wrong))
	}
	writeReasons(&w, all)
	fmt.Fprintf(&w, "\n## Differences without a reason\n\n")
	if tests == same+listed {
		fmt.Fprintf(&w, "None.\n")
	} else {
		fmt.Fprintf(&w, "A test is given %d instructions and %v in the machine.\n\n| test | in the machine |\n|---|---|\n", o.instructions, o.time)
		for _, c := range all {
			for _, d := range c.wrong {
				fmt.Fprintf(&w, "| %s | %s |\n", table.Cell(c.name+"."+d.test), table.Cell(d.how))
			}
		}
	}
	return os.WriteFile(name, w.Bytes(), 0o666)
}

// writeReasons writes the tests that differ with a reason, by reason.
func writeReasons(w *bytes.Buffer, all []comparison) {
	tests := make(map[string][]string)
	var order []string
	for _, c := range all {
		for _, d := range c.differ {
			if tests[d.reason] == nil {
				order = append(order, d.reason)
			}
			tests[d.reason] = append(tests[d.reason], c.name+"."+d.test)
		}
	}
	fmt.Fprintf(w, "\n## Differences with a reason\n\n")
	for _, reason := range order {
		fmt.Fprintf(w, "**%s.** %s.\n\n", reason, table.Cell(strings.Join(tests[reason], ", ")))
	}
}
