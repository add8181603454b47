package main

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strconv"

	"github.com/everyway-go/everyway/bench/shapes/internal/seeds"
)

var (
	unlocks = regexp.MustCompile(`(?m)^(\s*\S+\.(mu\.Unlock|unlock)\(\))$`)
	imports = regexp.MustCompile(`(?m)^(import )?(\s*)"sync"$`)
)

// yielding has a program let other goroutines run when it releases a lock, so that natively one
// comes in between more often.
func yielding(source []byte) []byte {
	if !unlocks.Match(source) {
		return source
	}
	source = unlocks.ReplaceAll(source, []byte("$1; runtime.Gosched()"))
	return imports.ReplaceAll(source, []byte(`$1$2"sync"; $1"runtime"`))
}

var (
	raceReport = regexp.MustCompile(`(?s)WARNING: DATA RACE\n(.*?)\n\n(Previous .*?)\n\n`)
	raceFrame  = regexp.MustCompile(`\n\s+(\S+\.go):(\d+)`)
)

// native stresses a program with the race detector some times, until it reports a race, and returns
// those that it reports.
func (p *program) native(ctx context.Context, race seeds.Race) (map[seeds.Race]bool, error) {
	found := make(map[seeds.Race]bool)
	for range 5 {
		cmd := exec.CommandContext(ctx, "go", "test", "-race", "-count=1", "-timeout=20s", "-run=^TestStress$", "-overlay="+p.overlay, p.pattern())
		cmd.Dir = p.root
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		for _, report := range raceReport.FindAllSubmatch(out, -1) {
			found[seeds.RaceOf(p.line(report[1]), p.line(report[2]))] = true
		}
		if found[race] {
			break
		}
	}
	return found, nil
}

// line returns the innermost line of the program in a call stack.
func (p *program) line(stack []byte) seeds.Line {
	for _, frame := range raceFrame.FindAllSubmatch(stack, -1) {
		if string(frame[1]) == p.file() {
			n, _ := strconv.Atoi(string(frame[2]))
			return p.lines[n]
		}
	}
	return seeds.Line{}
}
