package vm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// For each stall, the exhaustive search finds the outcomes that all interleavings have, and
// a longer stall allows everything that a shorter one does.
func TestStalls(t *testing.T) {
	p := loadFuncs(t, "concurrent/stalls")
	for _, name := range slices.Sorted(maps.Keys(p.docs)) {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			var shorter []string
			for _, stall := range []time.Duration{0, 500 * time.Millisecond, time.Second, 1500 * time.Millisecond, 2 * time.Second, run.AnyStall} {
				r.Stall = stall
				want := map[string]int{}
				all := 0
				r.everyRun(t, run.Plan{}, 200_000, func(_ *run.Trace, out string) {
					want[out]++
					all++
				})
				got, runs := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names}))
				w, g := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))
				if !slices.Equal(w, g) {
					t.Errorf("stall %v: found\n\t%s\nwant\n\t%s", stall, strings.Join(g, "\n\t"), strings.Join(w, "\n\t"))
				}
				for _, out := range shorter {
					if want[out] == 0 {
						t.Errorf("stall %v does not allow what a shorter one does: %s", stall, out)
					}
				}
				shorter = w
				t.Log(stall, all, "interleavings", runs, "runs", strings.Join(w, "; "))
			}
		})
	}
}

// That a timer does not fire any more since the target has returned is said also if there are no goroutines then.
func TestTimeCutWithoutGoroutines(t *testing.T) {
	r := loadFuncs(t, "concurrent/time").runner(t, "setsItself")
	if trace, _ := r.run(t, &run.Plan{}, run.NonPreemptive{}); !trace.TimeCut {
		t.Error("the trace does not say that time was cut")
	}
}
