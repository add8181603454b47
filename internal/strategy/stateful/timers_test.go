package stateful

import (
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// TestTimers tests what is found, and in how many runs, where goroutines have timers and closed
// channels of their own, and where the clock is read.
func TestTimers(t *testing.T) {
	r := vmtest.Load(t, load.Config{Dir: "testdata/timers", Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	const finished = "[finishedfalse false false 0] [] true"
	for _, test := range []struct {
		name  string
		finds string
		most  int // runs, with all that is left out
	}{
		{"Tickers", "[finishedfalse false true 0] [] true", 4},
		{"Polling", "[failedtrue false false 0 finishedfalse false false 0] [] true", 6},
		{"Closed", finished, 3},
		{"ClosedTwice", "[failedtrue false false 0 finishedfalse false false 0] [] true", 6},
		{"Count", finished, 10},
		{"Clocks", finished, 20},
		{"Sleepers", finished, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, o := range []Options{
				{},
				{Rename: true},
				{Rename: true, Alike: true, Ahead: true, ForgetKnowledge: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
			} {
				m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{Stall: time.Microsecond})
				if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, test.name)); err != nil {
					t.Fatal(err)
				}
				got, runs := findings(t, m, o)
				t.Logf("%d runs", runs)
				if got != test.finds {
					t.Errorf("%+v: found\n%s\nwant\n%s", o, got, test.finds)
				}
				if o.Alike && runs > test.most {
					t.Errorf("%+v: %d runs, want at most %d", o, runs, test.most)
				}
			}
		})
	}
}
