package leak

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

const three = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 0 - 0 -
	g0 new o3 chan 0 - 0 -
	g0 new o4 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
	g0 fork g2 -
	g2 begin
`

func TestLeaks(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"another channel is closed", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 close o3`, []string{"leak: g0.7 receive, g1.1 send"}},
		{"it is closed by who has sent", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g1 close o3`, nil},
		{"no other case", three + `
			g1 send o2 - - -
			g0 receive o2 - - -
			g2 close o3`, nil},
		{"another sender", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 send o3 - - -
			g0 receive o3 - - -`, []string{"leak: g2.1 send, g0.7 receive, g1.1 send"}},
		{"a loop", three + `
			g1 send o2 - - -
			@location a.go 1 1 f
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 send o3 - - -
			@location a.go 1 1 f
			@cases <receive o2 receive o3>
			g0 receive o3 - - 1
			g2 send o2 - - -
			@location a.go 1 1 f
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0`, nil},
		{"another goroutine receives later", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 close o3
			g1 send o2 - - -
			g2 receive o2 - - -`, nil},
		{"another goroutine would receive", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 close o3
			g2 pending <receive o2>`, nil},
		{"another select could receive", three + `
			g1 send o2 - - -
			@cases <receive o2 receive o4>
			g0 receive o2 - - 0
			g2 send o4 - - -
			@cases <receive o2 receive o4>
			g2 receive o4 - - 1`, nil},
		{"the receiver waits, and the sender goes", three + `
			@cases <send o2 receive o3>
			g1 send o2 - - 0
			g0 receive o2 - - -
			g2 close o3`, []string{"leak: g1.1 send, g0.7 receive"}},
		{"a default case", three + `
			@cases <send o2 default>
			g1 send o2 - - 0
			g0 receive o2 - - -`, []string{"leak: g1.1 send, g0.7 receive"}},
		{"a default case that has room", three + `
			@cases <send o4 default>
			g1 send o4 - - 0
			g0 receive o4 - - -`, nil},
		{"somebody else receives", three + `
			g2 close o3
			@cases <receive o2 receive o3>
			g0 receiveclosed o3 1
			g1 send o2 - - -
			g2 receive o2 - - -`, []string{"leak: g1.1 send, g0.7 receiveclosed, g2.2 receive"}},
		{"the one that is left has another case", three + `
			@cases <send o2 receive o3>
			g1 send o2 - - 0
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 close o3`, nil},
		{"a timer", three + `
			g0 new o5 chan 1 - 0 -
			g0 timerset o5
			g1 send o2 - - -
			@cases <receive o2 receive o5>
			g0 receive o2 - - 0
			timer fire o5 - 10`, []string{"leak: g0.9 receive, g1.1 send"}},
		{"a timer that does not fire", three + `
			g0 new o5 chan 1 - 0 -
			g0 timerset o5
			g1 send o2 - - -
			@cases <receive o2 receive o5>
			g0 receive o2 - - 0`, nil},
		{"a timer may close what is waited for", three + `
			g0 new o5 timer 0 - 0 -
			g0 timerset o5
			@cases <send o2 receive o4>
			g1 send o2 - - 0
			@cases <receive o2 receive o3>
			g0 receive o2 - - 0
			g2 close o3`, nil},
		{"a signal that is too early", three + `
			g1 acq o1.1 mutex
			g1 condwait o1.3
			g1 rel o1.1
			g2 signal o1.3 g1
			g1 condwake o1.3
			g1 acq o1.1 mutex
			g1 rel o1.1`, []string{"leak: g2.1 signal, g1.2 condwait"}},
		{"a signal with the lock", three + `
			g1 acq o1.1 mutex
			g1 read o1.5 i64:0 v1
			g1 branch v1 true
			g1 condwait o1.3
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 write o1.5 i64:1 -
			g2 signal o1.3 *
			g2 rel o1.1
			g1 condwake o1.3
			g1 acq o1.1 mutex
			g1 rel o1.1`, nil},
		{"two signals", three + `
			g1 condwait o1.3
			g2 signal o1.3 g1
			g1 condwake o1.3
			g2 signal o1.3 *`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			events := analysistest.Events(t, test.events)
			for _, f := range analysistest.FindAll(t, Info, events, 1000) {
				if !slices.ContainsFunc(events, func(e schedule.Event) bool { return e.Goroutine < 0 }) {
					analysistest.CheckLeak(t, events, f, analysistest.Rule{Reads: analysistest.SameBranches, Others: true})
				}
			}
		})
	}
}

// TestBruteForce checks on random schedules that what is left waits for ever, as far as the schedule tells.
func TestBruteForce(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 400
	}
	rule := analysistest.Rule{Reads: analysistest.SameBranches, Others: true}
	r := rand.New(rand.NewPCG(19, 20))
	selects, signals := 0, 0
	for range n {
		mix := analysistest.Mix{
			Goroutines: 1 + r.IntN(3), Events: 24, Locks: r.IntN(2) == 0, MoreLocks: r.IntN(2) == 0, Channels: true, Closes: true, Selects: true,
			WaitGroup: r.IntN(3) == 0, Conditions: r.IntN(3) == 0, Semaphores: r.IntN(4) == 0, Branches: r.IntN(2) == 0,
		}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		for _, f := range analysistest.FindAll(t, Info, events, 1000) {
			analysistest.CheckLeak(t, events, f, rule)
			if f.Sites[0].Op == schedule.CondSignal {
				signals++
			} else {
				selects++
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d leaks by selects and %d by signals in %d schedules", selects, signals, n)
	if selects < n/50 || signals < n/100 {
		t.Errorf("the schedules have too few leaks: %d and %d", selects, signals)
	}
}
