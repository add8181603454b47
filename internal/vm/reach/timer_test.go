package reach_test

import (
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
	"github.com/everyway-go/everyway/schedule"
)

// Of many timers, those go that nobody can see fire, and no others.
func TestForgetTimers(t *testing.T) {
	dir, err := filepath.Abs("testdata/timers")
	if err != nil {
		t.Fatal(err)
	}
	r := vmtest.Load(t, load.Config{Dir: dir})
	pkg := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard)
	const most = 256 // that may be left, since they are not many
	for _, test := range []struct {
		name  string
		least int // number of timers that fire
		most  int
	}{
		{"Forgotten", 0, most},
		{"Tickers", 0, most * 60},
		{"Kept", 600, 600},
		{"Awaited", 602, 602 + most},
		{"Reset", 600, 600},
		{"Due", 600, 600},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := vmtest.Boot(t, prog, vmtest.Function(pkg.SSA, test.name), run.Settings{}, nil)
			trace, err := m.Run(t.Context(), &run.Plan{Record: true}, run.NonPreemptive{})
			if err != nil {
				t.Fatal(err)
			}
			if found := check.Judge(trace); len(found) > 0 {
				t.Fatal(found)
			}
			fired := 0
			for _, e := range trace.Events {
				if e.Op == schedule.TimerFire {
					fired++
				}
			}
			if fired < test.least || fired > test.most {
				t.Errorf("%d timers have fired, want %d to %d", fired, test.least, test.most)
			}
		})
	}
}
