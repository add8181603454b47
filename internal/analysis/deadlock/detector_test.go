package deadlock

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

const three = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
	g0 fork g2 -
	g2 begin
`

func TestDeadlocks(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"two locks", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, []string{"deadlock: g1.1 acq, g1.2 acq, g2.1 acq, g2.2 acq"}},
		{"one order", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 acq o1.2 mutex
			g2 rel o1.2
			g2 rel o1.1`, nil},
		{"three locks", three + `
			g0 acq o1.1 mutex
			g0 acq o1.2 mutex
			g0 rel o1.2
			g0 rel o1.1
			g1 acq o1.2 mutex
			g1 acq o1.3 mutex
			g1 rel o1.3
			g1 rel o1.2
			g2 acq o1.3 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.3`, []string{"deadlock: g0.5 acq, g0.6 acq, g1.1 acq, g1.2 acq, g2.1 acq, g2.2 acq"}},
		{"a gate", three + `
			g1 acq o1.9 mutex
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g1 rel o1.9
			g2 acq o1.9 mutex
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2
			g2 rel o1.9`, nil},
		{"a gate for readers", three + `
			g1 racq o1.9
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g1 rrel o1.9
			g2 racq o1.9
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2
			g2 rrel o1.9`, []string{"deadlock: g1.2 acq, g1.3 acq, g2.2 acq, g2.3 acq"}},
		{"started by the other", `
			g0 new o1 memory 0 - 0 -
			g0 acq o1.1 mutex
			g0 acq o1.2 mutex
			g0 rel o1.2
			g0 rel o1.1
			g0 fork g1 -
			g1 begin
			g1 acq o1.2 mutex
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 rel o1.2`, nil},
		{"after a message", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g1 send o2 - - -
			g2 receive o2 - - -
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, nil},
		{"after a value that was read", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 write o1.8 i64:1 -
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 read o1.8 i64:1 v1
			g2 branch v1 true
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, nil},
		{"after a value that does not matter", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 write o1.8 i64:1 -
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 read o1.8 i64:1 v1
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2
			g2 branch v1 true`, []string{"deadlock: g1.1 acq, g1.2 acq, g2.1 acq, g2.3 acq"}},
		{"readers only", three + `
			g1 racq o1.1
			g1 racq o1.2
			g1 rrel o1.2
			g1 rrel o1.1
			g2 racq o1.2
			g2 racq o1.1
			g2 rrel o1.1
			g2 rrel o1.2`, nil},
		{"a reader who reads again, and a writer", three + `
			g1 racq o1.1
			g1 racq o1.1
			g1 rrel o1.1
			g1 rrel o1.1
			g2 acq o1.1 rwmutex
			g2 rel o1.1`, []string{"deadlock: g1.1 racq, g1.2 racq, g2.1 acq"}},
		{"readers that writers keep apart", three + `
			g0 acq o1.1 rwmutex
			g0 rel o1.1
			g0 acq o1.2 rwmutex
			g0 rel o1.2
			g1 racq o1.1
			g1 racq o1.2
			g1 rrel o1.2
			g1 rrel o1.1
			g2 racq o1.2
			g2 racq o1.1
			g2 rrel o1.1
			g2 rrel o1.2`, nil},
		{"readers that two writers keep apart", three + `
			g0 fork g3 -
			g3 begin
			g0 acq o1.1 rwmutex
			g0 rel o1.1
			g3 acq o1.2 rwmutex
			g3 rel o1.2
			g1 racq o1.1
			g1 racq o1.2
			g1 rrel o1.2
			g1 rrel o1.1
			g2 racq o1.2
			g2 racq o1.1
			g2 rrel o1.1
			g2 rrel o1.2`, []string{"deadlock: g0.6 acq, g1.1 racq, g1.2 racq, g3.1 acq, g2.1 racq, g2.2 racq"}},
		{"a request that is tried", three + `
			g1 acq o1.1 mutex
			@try
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, nil},
		{"a lock that was tried", three + `
			@try
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, []string{"deadlock: g1.1 acq, g1.2 acq, g2.1 acq, g2.2 acq"}},
		{"a lock that another goroutine releases", three + `
			g1 acq o1.1 mutex
			g2 rel o1.1
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, nil},
		{"a lock that is taken twice", three + `
			g1 acq o1.1 reentrant
			g1 acq o1.1 reentrant
			g1 rel o1.1
			g1 rel o1.1
			g2 acq o1.1 reentrant
			g2 acq o1.1 reentrant
			g2 rel o1.1
			g2 rel o1.1`, nil},
		{"the second time", three + `
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g1 write o1.8 i64:1 -
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g2 acq o1.2 mutex
			g2 read o1.8 i64:1 -
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 rel o1.2`, []string{"deadlock: g1.6 acq, g1.7 acq, g2.1 acq, g2.3 acq"}},
		{"a lock, and a receive of what is sent with the lock held", three + `
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 send o2 - - -
			g2 acq o1.1 mutex
			g2 receive o2 - - -
			g2 rel o1.1`, []string{"deadlock: g1.1 acq, g2.1 acq, g2.2 receive"}},
		{"another goroutine sends, too", three + `
			g0 fork g3 -
			g3 begin
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 send o2 - - -
			g2 acq o1.1 mutex
			g2 receive o2 - - -
			g2 rel o1.1
			g3 send o2 - - -`, nil},
		{"a lock, and a channel that is closed with the lock held", three + `
			g1 acq o1.1 mutex
			g1 close o2
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 receiveclosed o2 -
			g2 rel o1.1`, []string{"deadlock: g1.1 acq, g2.1 acq, g2.2 receiveclosed"}},
		{"a send to a full channel", three + `
			g1 send o2 - - -
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 receive o2 - - -
			g1 acq o1.1 mutex
			g1 send o2 - - -
			g1 rel o1.1
			g2 receive o2 - - -`, []string{"deadlock: g2.1 acq, g1.2 acq, g1.3 send"}},
		{"a send with room", three + `
			g1 acq o1.1 mutex
			g1 send o2 - - -
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 rel o1.1
			g2 receive o2 - - -`, nil},
		{"a wait group", three + `
			g0 add o1.7 1
			g1 acq o1.1 mutex
			g1 add o1.7 -1
			g1 rel o1.1
			g2 acq o1.1 mutex
			g2 wait o1.7 true
			g2 rel o1.1`, []string{"deadlock: g1.1 acq, g2.1 acq, g2.2 wait"}},
		{"a wait group, by way of a channel", three + `
			g0 add o1.7 1
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 send o2 - - -
			g0 receive o2 - - -
			g0 add o1.7 -1
			g2 acq o1.1 mutex
			g2 wait o1.7 true
			g2 rel o1.1`, []string{"deadlock: g1.1 acq, g2.1 acq, g2.2 wait, g0.6 receive"}},
		{"a condition", three + `
			g2 acq o1.1 mutex
			g2 rel o1.1
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 condwait o1.3
			g1 rel o1.2
			g2 acq o1.2 mutex
			g2 signal o1.3 g1
			g2 rel o1.2
			g1 condwake o1.3
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1`, []string{"deadlock: g2.1 acq, g1.1 acq, g1.5 condwake"}},
		{"a condition that another goroutine signals, too", three + `
			g2 acq o1.1 mutex
			g2 rel o1.1
			g1 acq o1.1 mutex
			g1 acq o1.2 mutex
			g1 condwait o1.3
			g1 rel o1.2
			g2 acq o1.2 mutex
			g2 signal o1.3 *
			g2 rel o1.2
			g1 condwake o1.3
			g1 acq o1.2 mutex
			g1 rel o1.2
			g1 rel o1.1
			g0 signal o1.3 *`, nil},
		{"a select", three + `
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 send o2 - - -
			g2 acq o1.1 mutex
			g2 receive o2 - - 0
			g2 rel o1.1`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			events := analysistest.Events(t, test.events)
			for _, f := range analysistest.FindAll(t, Info, events, 1000) {
				analysistest.CheckDeadlock(t, events, f, analysistest.Rule{Reads: analysistest.SameBranches, Others: true})
			}
		})
	}
}

// TestBruteForce checks on random schedules that exactly the deadlocks of the class are found, and on those
// with channels, wait groups and locks that others release that every deadlock that is found is one: its goroutines
// do not go on in any order of the other events.
// What goroutines have read before may be another value: that is suspected, and not predicted.
func TestSuspected(t *testing.T) {
	// Both transfer between two accounts, if the balance of the one that they take from suffices.
	const events = three + `
		g0 write o1.3 i64:9 -
		g0 write o1.4 i64:9 -
		g1 acq o1.1 mutex
		g1 read o1.3 i64:%s v1
		g1 unopr not v1 v2
		g1 branch v2 true
		g1 acq o1.2 mutex
		g1 write o1.3 i64:8 -
		g1 write o1.4 i64:10 -
		g1 rel o1.2
		g1 rel o1.1
		g2 acq o1.2 mutex
		g2 read o1.4 i64:10 v3
		g2 unopr not v3 v4
		g2 branch v4 true
		g2 acq o1.1 mutex
		g2 rel o1.1
		g2 rel o1.2`
	text := strings.Replace(events, "%s", "9", 1)
	if got := analysistest.Find(t, Info, text); got != nil {
		t.Errorf("predicted: %v", got)
	}
	if got, want := analysistest.Find(t, Suspected, text), []string{"deadlock: g1.1 acq, g1.5 acq, g2.1 acq, g2.5 acq"}; !slices.Equal(got, want) {
		t.Errorf("suspected: %v, want %v", got, want)
	}
}

func TestBruteForce(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 300
	}
	bruteForce(t, Info, analysistest.SameBranches, n)
	bruteForce(t, Suspected, analysistest.AnyValue, n/4)
}

func bruteForce(t *testing.T, info analysis.Info, reads analysistest.Reads, n int) {
	rule := analysistest.Rule{Reads: reads, Others: true}
	r := rand.New(rand.NewPCG(13, 14))
	total, longer, waits := 0, 0, 0
	for range n {
		mix := analysistest.Mix{
			Goroutines: 1 + r.IntN(3), Events: 24, Closes: r.IntN(2) == 0, Locks: true, MoreLocks: true, Tries: r.IntN(2) == 0,
			Channels: r.IntN(3) == 0, WaitGroup: r.IntN(3) == 0, Conditions: r.IntN(6) == 0, Semaphores: r.IntN(6) == 0, Selects: r.IntN(2) == 0, Handoffs: r.IntN(6) == 0, Branches: r.IntN(2) == 0,
		}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		found := map[string]bool{}
		for _, f := range analysistest.FindAll(t, info, events, 1000) {
			d := analysistest.CheckDeadlock(t, events, f, rule)
			if found[d] && !mix.Handoffs {
				t.Errorf("%s is found twice", d)
			}
			found[d] = true
			total++
			if len(f.Sites) > 4 {
				longer++
			}
			if slices.ContainsFunc(f.Sites, func(s analysis.Site) bool { return s.Op != schedule.Lock && s.Op != schedule.RLock }) {
				waits++
			}
		}
		if !mix.Channels && !mix.WaitGroup && !mix.Conditions && !mix.Handoffs {
			for d := range analysistest.Deadlocks(t, events, rule) {
				if !found[d] {
					t.Errorf("%s is not found", d)
				}
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d deadlocks in %d schedules, %d of them of more than two goroutines, %d with channels or wait groups", total, n, longer, waits)
	if total < n/20 || waits < n/100 || longer == 0 && !testing.Short() {
		t.Errorf("the schedules have too few deadlocks")
	}
}

// TestWindows checks on random schedules that what is found in narrow windows is a deadlock, and
// that most of those that keep what is read and the order of the locks are found although their
// requests are not in one window.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	n := 400
	if testing.Short() {
		n = 100
	}
	found, missed := 0, 0
	for range n {
		mix := analysistest.Mix{Goroutines: 2, Events: 24, Locks: true, MoreLocks: true, Branches: r.IntN(2) == 0, Channels: r.IntN(4) == 0, Semaphores: r.IntN(4) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		known := map[string]bool{}
		for _, f := range analysistest.FindAll(t, Info, events, 5) {
			known[analysistest.CheckDeadlock(t, events, f, analysistest.Rule{Reads: analysistest.SameBranches, Others: true})] = true
		}
		found += len(known)
		for d := range analysistest.Deadlocks(t, events, analysistest.Rule{Locks: true, Others: true}) {
			if !known[d] {
				missed++
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d deadlocks in %d schedules, and %d that keep the order of locks are not found", found, n, missed)
	if found < n/50 || missed > found/4 {
		t.Errorf("%d deadlocks are found, and %d are not", found, missed)
	}
}

// TestFar has a deadlock whose requests are further apart than a window is wide.
func TestFar(t *testing.T) {
	first := `
		g1 acq o1.1 mutex
		g1 acq o1.2 mutex
		g1 rel o1.2
		g1 rel o1.1
	`
	second := `
		g2 acq o1.2 mutex
		g2 acq o1.1 mutex
		g2 rel o1.1
		g2 rel o1.2
	`
	between := strings.Repeat("g0 acq o1.5 mutex\ng0 rel o1.5\ng0 write o1.6 - -\n", 1000)
	want := []string{"deadlock: g1.1 acq, g1.2 acq, g2.1 acq, g2.2 acq"}
	if got := analysistest.Find(t, Info, three+first+between+second); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	ordered := "g1 send o2 - - -\n" + between + "g2 receive o2 - - -\n"
	if got := analysistest.Find(t, Info, three+first+ordered+second); len(got) != 0 {
		t.Errorf("with a message between them: %q", got)
	}
}
