package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// failuresText explains failures. A line that begins with '=' explains those in the lines
// that follow: a module, without its version, and a target. '#' begins a comment.
//
//go:embed failures.txt
var failuresText string

// parseFailures reads explanations, by module and target with a space between.
func parseFailures(text string) (map[string]string, error) {
	explained := make(map[string]string)
	why := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if after, ok := strings.CutPrefix(line, "="); ok {
			why = strings.TrimSpace(after)
			continue
		}
		if why == "" || len(strings.Fields(line)) != 2 {
			return nil, fmt.Errorf("failures.txt: %q is not a module and a target below an explanation", line)
		}
		explained[line] = why
	}
	return explained, nil
}
