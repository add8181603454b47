package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// compare says how the ending of a program in the machine differs from the native one.
func compare(machine, native ending) string {
	if !machine.ok {
		return line(machine.how)
	}
	if machine.output == native.output {
		return ""
	}
	got, want := strings.Split(machine.output, "\n"), strings.Split(native.output, "\n")
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return line(fmt.Sprintf("output ends before line %d: %s", i+1, want[i]))
		case i >= len(want):
			return line(fmt.Sprintf("output goes on with line %d: %s", i+1, got[i]))
		case got[i] != want[i]:
			return line(fmt.Sprintf("line %d of the output is %q, natively %q", i+1, got[i], want[i]))
		}
	}
	return "the output differs"
}

// line returns the beginning of s as a single line.
func line(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const width = 160
	if r := []rune(s); len(r) > width {
		s = string(r[:width]) + "…"
	}
	return s
}

// writePage writes docs/conformance.md.
func writePage(w io.Writer, version string, c *census, results map[string]result) {
	in, same := 0, 0
	outside := make(map[string]int)
	var differ []result
	for _, p := range c.programs {
		r := results[p.name]
		switch {
		case p.out != "":
			outside[p.out]++
		case r.Fails != "":
			outside["fails natively, as one package of a module"]++
		default:
			in++
			if r.Differs == "" {
				same++
			} else {
				differ = append(differ, r)
			}
		}
	}
	fmt.Fprintf(w, `# Conformance

<!-- Written by go run ./bench/conformance; do not edit. -->

The programs of the Go distribution's own suite, GOROOT/test of %s, run natively and in the
machine, under one schedule. A program conforms when it prints the same and ends with exit code 0
in both. %s writes this page.

| programs with the recipe %s | %d |
|---|---|
| out of scope | %d |
| in scope | %d |
| of these, as natively | **%d** |

`, version, "`go run ./bench/conformance`", "`// run`", len(c.programs), len(c.programs)-in, in, same)
	fmt.Fprintf(w, "## What differs\n\n")
	if len(differ) == 0 {
		fmt.Fprintf(w, "Nothing.\n")
	} else {
		fmt.Fprintf(w, "A program takes too long when it does not end within %v in the machine.\n\n", machineTime)
		fmt.Fprintf(w, "| program | in the machine |\n|---|---|\n")
		for _, r := range differ {
			fmt.Fprintf(w, "| %s | %s |\n", cell(r.Name), cell(r.Differs))
		}
	}
	fmt.Fprintf(w, "\n## Out of scope\n\nWhat a program imports and names decides, not how it fares in the machine.\n\n| reason | programs |\n|---|---|\n")
	for _, why := range slices.Sorted(maps.Keys(outside)) {
		fmt.Fprintf(w, "| %s | %d |\n", why, outside[why])
	}
	fmt.Fprintf(w, "\nThe suite's other files are not programs of one file to be run. By recipe:\n\n| recipe | files |\n|---|---|\n")
	for _, recipe := range slices.Sorted(maps.Keys(c.others)) {
		fmt.Fprintf(w, "| %s | %d |\n", recipe, c.others[recipe])
	}
}

// cell makes text fit into a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(s)
}
