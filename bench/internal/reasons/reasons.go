// Package reasons reads lists that say why results are as they are. A line that begins with
// '=' gives a reason, for what is named in the lines that follow:
//
//	= True: the test does not stop the ticker
//	example.com/m TestTicker
//
// '#' begins a comment.
package reasons

import (
	"fmt"
	"strings"
)

// An Entry is a line of a list, with the reason above it.
type Entry struct{ Name, Reason string }

// Parse reads a list. It is an error if a line has no reason above it.
func Parse(text string) ([]Entry, error) {
	var list []Entry
	reason := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if after, ok := strings.CutPrefix(line, "="); ok {
			reason = strings.TrimSpace(after)
			continue
		}
		if reason == "" {
			return nil, fmt.Errorf("%q has no reason", line)
		}
		list = append(list, Entry{line, reason})
	}
	return list, nil
}
