//go:build unix

package search

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestLate interrupts searches of nasty programs by all strategies, at several points: what the
// process does from then on takes little. It is measured in time of the processor, which does
// not depend on what else the computer does, and is the same in all phases of a search: a run,
// what a strategy learns from it and plans next, an estimate, the confirmation of a finding and
// the minimising of it.
func TestLate(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/nasty"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	type search struct {
		target, strategy int
		after            time.Duration
	}
	targets, strategies := prog.Targets(), withoutPlaces()
	points := []time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond}
	var all []search
	for target := range targets {
		for strategy := range strategies {
			all = append(all, search{target, strategy, points[len(all)%len(points)]})
		}
	}
	for _, s := range sample.From(all, 40, 8) {
		target, strategy := &targets[s.target], strategies[s.strategy].Name
		t.Run(target.Name+"/"+strategy+"/"+s.after.String(), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			late := make(chan time.Duration, 1)
			ended := make(chan struct{})
			go func() {
				late <- interrupt(cancel, s.after, ended)
			}()
			cfg := Config{Strategy: strategy, Budget: time.Hour, Estimate: true, NoCorpus: true, OutDir: t.TempDir()}
			r, err := Target(ctx, prog, target, cfg, verdict.Quiet{})
			close(ended)
			if err != nil {
				t.Fatal(err)
			}
			if took := <-late; took > mostLate {
				t.Errorf("%v after the interrupt; %s %v", took, r.Verdict, r.Open)
			}
		})
	}
}

// mostLate is the time of the processor that a search may take from the interrupt on: half a second
// to minimise a finding, and as much for all else. It counts for all threads.
const mostLate = time.Second

// interrupt cancels a search when the process has taken some time, and returns how much more it
// takes until the search has ended.
func interrupt(cancel context.CancelFunc, after time.Duration, ended <-chan struct{}) time.Duration {
	start := processorTime()
	for processorTime()-start < after {
		select {
		case <-ended:
			return 0
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	start = processorTime()
	<-ended
	return processorTime() - start
}

// processorTime returns the time of the processor that the process has taken.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
