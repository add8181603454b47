package main

import (
	"fmt"
	"strings"
)

// An ending is what a program printed and how it ended.
type ending struct {
	Output string // standard output and error
	Code   int    // the exit code, -1 when there is none
	How    string `json:",omitempty"` // it ended, when it has no exit code
}

// none is the exit code of a program that has not come to its end.
const none = -1

// compare says how the ending of a program in the machine differs from the native one.
// It is empty when it does not.
func compare(machine, native ending) string {
	if machine.Code == none {
		return line(machine.How)
	}
	got, want := strings.Split(plain(machine.Output), "\n"), strings.Split(plain(native.Output), "\n")
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
	if machine.Code != native.Code {
		return fmt.Sprintf("exit code %d, natively %d", machine.Code, native.Code)
	}
	return ""
}

// plain returns the output without the dump of the goroutines of a program that has
// crashed, and what comes before it of signals and of how to get a longer one.
func plain(output string) string {
	output, _, dumped := strings.Cut(output, "\n\ngoroutine ")
	if dumped {
		output, _, _ = strings.Cut(output, "\n[signal ")
		output += "\n"
	}
	return output
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
