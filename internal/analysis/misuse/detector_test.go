package misuse

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

const three = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 0 - 0 -
	g0 new o3 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
	g0 fork g2 -
	g2 begin
`

func TestMisuses(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"a send and a close", three + `
			g1 send o3 - - -
			g2 close o3`, []string{"send on closed channel: g1.1 send, g2.1 close"}},
		{"a close after what was sent was received", three + `
			g1 send o2 - - -
			g2 receive o2 - - -
			g2 close o2`, nil},
		{"a send in a select, after a close", three + `
			g1 send o3 - - 1
			g2 close o3`, []string{"send on closed channel: g1.1 send, g2.1 close"}},
		{"a close after a wait group", three + `
			g0 add o1.7 1
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 send o3 - - -
			g1 add o1.7 -1
			g0 wait o1.7 true
			g0 close o3`, nil},
		{"a close after a wait group that does not count the sender", three + `
			g0 add o1.7 1
			g1 send o3 - - -
			g0 add o1.7 -1
			g0 wait o1.7 true
			g0 close o3`, []string{"send on closed channel: g1.1 send, g0.9 close"}},
		{"a flag under a lock", three + `
			g1 acq o1.1 mutex
			g1 read o1.0 i64:0 v1
			g1 branch v1 false
			g1 send o3 - - -
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 write o1.0 i64:1 -
			g2 close o3
			g2 rel o1.1`, nil},
		{"a lock without a flag", three + `
			g1 acq o1.1 mutex
			g1 send o3 - - -
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 close o3
			g2 rel o1.1`, []string{"send on closed channel: g1.2 send, g2.2 close"}},
		{"an add in the goroutine that is waited for", three + `
			g0 add o1.7 1
			g1 add o1.7 -1`, []string{"negative wait group counter: g0.6 add, g1.1 add"}},
		{"an add before the go statement", `
			g0 new o1 memory 0 - 0 -
			g0 add o1.7 1
			g0 fork g1 -
			g1 begin
			g1 add o1.7 -1`, nil},
		{"an add in the goroutine that is counted", three + `
			g1 add o1.7 1
			g1 add o1.7 -1
			g0 wait o1.7 false`, []string{"data race: g1.1 add, g0.6 wait"}},
		{"an add while the counter is not zero", three + `
			g0 add o1.7 1
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 add o1.7 1
			g1 add o1.7 -1
			g1 add o1.7 -1
			g0 wait o1.7 false`, nil},
		{"the next round of a wait group", three + `
			g0 add o1.7 1
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 add o1.7 -1
			g0 wait o1.7 true
			g0 add o1.7 1
			g0 add o1.7 -1
			g0 wait o1.7 false`, nil},
		{"an unlock by another goroutine", three + `
			g1 acq o1.8 mutex
			g2 rel o1.8`, []string{"unlock of unlocked lock: g1.1 acq, g2.1 rel"}},
		{"an unlock by another goroutine, which waits for the lock to be taken", three + `
			g1 acq o1.8 mutex
			g1 send o3 - - -
			g2 receive o3 - - -
			g2 rel o1.8`, nil},
		{"an unlock by the goroutine that has taken the lock", three + `
			g1 acq o1.8 mutex
			g1 rel o1.8
			g2 acq o1.8 mutex
			g2 rel o1.8`, nil},
		{"an unlock for reading", three + `
			g1 racq o1.8
			g2 racq o1.8
			g2 rrel o1.8
			g2 rrel o1.8`, []string{"unlock of unlocked lock: g1.1 racq, g2.3 rrel"}},
		{"a select that finds a channel closed", three + `
			@location a.go 1 1 f
			@cases <receive o2 default>
			g1 default o2
			@location a.go 2 1 f
			g1 close o2
			@location a.go 1 1 f
			@cases <receive o2 default>
			g2 receiveclosed o2 0`, []string{"close of closed channel: g1.2 close, g2.1 receiveclosed"}},
		{"a select with a lock", three + `
			g1 acq o1.8 mutex
			@location a.go 1 1 f
			@cases <receive o2 default>
			g1 default o2
			@location a.go 2 1 f
			g1 close o2
			g1 rel o1.8
			g2 acq o1.8 mutex
			@location a.go 1 1 f
			@cases <receive o2 default>
			g2 receiveclosed o2 0
			g2 rel o1.8`, nil},
		{"a select elsewhere", three + `
			@location a.go 1 1 f
			@cases <receive o2 default>
			g1 default o2
			@location a.go 2 1 f
			g1 close o2
			@location a.go 3 1 f
			@cases <receive o2 default>
			g2 receiveclosed o2 0`, nil},
		{"a value that is read before a close and written after it", three + `
			@location a.go 1 1 f
			g1 atomicread o1.1 i64:0 -
			@location a.go 2 1 f
			g1 close o2
			@location a.go 3 1 f
			g1 atomicwrite o1.1 i64:1 -
			@location a.go 1 1 f
			g2 atomicread o1.1 i64:1 -`, []string{"close of closed channel: g1.2 close, g2.1 atomicread"}},
		{"a value that was written to begin with", three + `
			g0 atomicwrite o1.1 i64:0 -
			@location a.go 1 1 f
			g1 atomicread o1.1 i64:0 -
			@location a.go 2 1 f
			g1 close o2
			@location a.go 3 1 f
			g1 atomicwrite o1.1 i64:1 -
			@location a.go 1 1 f
			g2 atomicread o1.1 i64:1 -`, []string{"close of closed channel: g1.2 close, g2.1 atomicread"}},
		{"a value that others write, too", three + `
			@location a.go 1 1 f
			g1 atomicread o1.1 i64:0 -
			@location a.go 2 1 f
			g1 close o2
			@location a.go 3 1 f
			g1 atomicwrite o1.1 i64:1 -
			@location a.go 1 1 f
			g2 atomicread o1.1 i64:1 -
			@location a.go 3 1 f
			g2 atomicwrite o1.1 i64:2 -`, nil},
		{"a value that is read and written in one step", three + `
			@location a.go 1 1 f
			g1 atomicupdate o1.1 i64:0 - i64:1 -
			@location a.go 2 1 f
			g1 close o2
			@location a.go 1 1 f
			g2 atomicread o1.1 i64:1 -`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBruteForce checks on random schedules that what is found is a misuse, and that not much is missed: package
// ideal asks for more than the brute force does, such as that a send comes after as many receives as in the schedule.
func TestBruteForce(t *testing.T) {
	n := 800
	if testing.Short() {
		n = 300
	}
	rule := analysistest.Rule{Reads: analysistest.SameBranches, Others: true}
	r := rand.New(rand.NewPCG(17, 18))
	total, missed := 0, 0
	for range n {
		mix := analysistest.Mix{
			Goroutines: 1 + r.IntN(2), Events: 22, Locks: r.IntN(2) == 0, Handoffs: r.IntN(2) == 0, Channels: true, Closes: true, Selects: r.IntN(2) == 0, WaitGroup: r.IntN(2) == 0, Conditions: r.IntN(3) == 0, Semaphores: r.IntN(3) == 0,
			Branches: r.IntN(2) == 0,
		}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		found := map[int64]bool{}
		for _, f := range analysistest.FindAll(t, Info, events, 1000) {
			analysistest.CheckMisuse(t, events, f, rule)
			found[f.Witness[len(f.Witness)-1]] = true
			total++
		}
		for order := range analysistest.Misuses(t, events, rule) {
			if !found[order] {
				missed++
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d misuses in %d schedules, and %d that are not found", total, n, missed)
	if total < n/20 || missed > total/10 {
		t.Errorf("%d misuses in %d schedules are found, and %d are not", total, n, missed)
	}
}
