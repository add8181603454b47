package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// The goroutines at the end of a run are a deadlock, or what could still wake those that
// remain is told, under any schedule and in any run of a machine.
func TestLive(t *testing.T) {
	p := loadFuncs(t, "concurrent/live")
	for _, name := range p.names {
		t.Run(name, func(t *testing.T) {
			m := newRunner(t, p.code, vmtest.Function(p.pkg, name), run.Settings{
				Limits: run.Limits{Instructions: 1e6, Depth: 1000, Decisions: 10000},
			})
			want := strings.Split(p.want[name][0], ", ")
			slices.Sort(want)
			// The first run looks at all package variables, those after it only at what
			// has changed.
			for _, policy := range []run.Scheduler{run.NonPreemptive{}, run.NonPreemptive{}, run.Random(1), new(run.Fair), run.Random(2)} {
				trace, _ := m.run(t, &run.Plan{}, policy)
				if got := stuck(trace); !slices.Equal(got, want) {
					t.Errorf("the run ends with %s, want %s (%v %s)", strings.Join(got, ", "), strings.Join(want, ", "), trace.Outcome, trace.Message)
				}
			}
		})
	}
}

// stuck says of each goroutine at the end of a run why it is there, and in which function
// of the program.
func stuck(trace *run.Trace) []string {
	if trace.Stuck == nil {
		return []string{"none"}
	}
	var list []string
	for _, g := range trace.Stuck.Goroutines {
		what := [...]string{run.NoWaker: "leak ", run.VariableWaker: "background ", run.TimerWaker: "timer ", run.Running: "running "}[g.Waker]
		if !trace.Stuck.Returned {
			what = "deadlock "
		}
		where := "main"
		for _, f := range g.Frames {
			if pkg, name, _ := strings.Cut(f.Func, "/live."); name != "" && !strings.Contains(pkg, " ") {
				where, _, _ = strings.Cut(name, ".")
				break
			}
		}
		if g.Goroutine == 0 {
			where = "main"
		}
		list = append(list, what+where)
	}
	slices.Sort(list)
	return list
}
