package vm_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm/testdata/concurrent/random"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// The exhaustive search finds each number that random.Draws report natively, and no other.
// All numbers have a probability of 1/100 or more, so that 10,000 calls give each of them.
func TestRandomDraws(t *testing.T) {
	p := loadFuncs(t, "concurrent/random")
	for _, name := range slices.Sorted(maps.Keys(random.Draws)) {
		t.Run(name, func(t *testing.T) {
			want := map[string]bool{}
			random.Report = func(x int) { want[strconv.Itoa(x)] = true }
			for range 10_000 {
				random.Draw(name)
			}
			entry := vmtest.Function(p.pkg, "Draw")
			entry.Args = []any{name}
			r := newRunner(t, p.code, entry, settings)
			got, runs := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names}))
			if !maps.Equal(got, want) {
				t.Errorf("in %d runs\ngot  %s\nwant %s", runs, list(got), list(want))
			}
			t.Log(runs, "runs")
		})
	}
}

// list returns the elements of a set.
func list(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " ") }
