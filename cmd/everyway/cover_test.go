package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cover"
)

// TestOpenings says why a set is open: each reason once, and of many as many as can be read.
func TestOpenings(t *testing.T) {
	set := cover.New()
	const why = "main.go:3:4: the state in which the next epoch begins may depend on what fmt.Sprint returns, which is no input"
	set.Epochs = []*cover.Epoch{{Open: []string{why, "there are more than 2 schedules (-schedules)"}}, {}, {Open: []string{why}}, {Open: []string{why}}}
	said := func() (lines []string) {
		var printed strings.Builder
		r := &coverReport{coverer: &coverer{stdout: &printed}, set: set}
		r.openings()
		for line := range strings.Lines(printed.String()) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return lines
	}
	if got, want := said(), []string{"open: epoch 0 and 2 more: " + why, "open: epoch 0: there are more than 2 schedules (-schedules)"}; !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
	for i := range 20 {
		set.Epochs[1].Open = append(set.Epochs[1].Open, fmt.Sprint("reason ", i))
	}
	if got := said(); len(got) != maxReasons+1 || got[maxReasons] != "open: there are 12 more reasons: the file has them" || got[maxReasons-1] != "open: epoch 1: reason 7" {
		t.Errorf("the lines are %q", got)
	}
}
