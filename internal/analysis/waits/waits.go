package waits

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// What goroutines wait for, as the objects are named.
const (
	ChanSend    = "chan send"
	ChanReceive = "chan receive"
	Select      = "select"
	Forever     = "select without cases, or a nil channel"
	Condition   = "condition"
	WaitGroup   = "wait group"
	Mutex       = "mutex"
	RWMutex     = "RWMutex"
	ReadLock    = "RWMutex, for reading"
	Once        = "Once"
)

// Abandoned describes the detector of goroutines that wait for ever.
var Abandoned = analysis.Info{
	Name: "abandoned", Doc: "goroutines that still wait when a trace of the Go runtime ends, and that nobody who goes on may wake",
	Certainty: analysis.Suspected,
	New: func(c analysis.Config) analysis.Detector {
		return &leaks{
			tracker: newTracker(c), partners: make(map[schedule.GoroutineID]map[schedule.GoroutineID]bool),
			starts: make(map[schedule.GoroutineID]analysis.Site),
		}
	},
}

// LongLock describes the detector of long waits for locks.
var LongLock = analysis.Info{
	Name: "longlock", Doc: "waits for a lock of at least 10 ms, in traces of the Go runtime",
	Certainty: analysis.Observed,
	New:       func(c analysis.Config) analysis.Detector { return &longLocks{newTracker(c)} },
}

// A tracker knows what goroutines wait for.
type tracker struct {
	config   analysis.Config
	names    []schedule.NameID // of objects
	blocked  map[schedule.GoroutineID]*waiter
	waiting  map[schedule.GoroutineID]analysis.Site // in the end
	released map[schedule.Cell][]analysis.Site      // since the semaphore was acquired
}

// A waiter is where a goroutine has blocked, if it has done nothing since.
type waiter struct {
	site analysis.Site
	time int64
}

func newTracker(c analysis.Config) *tracker {
	return &tracker{
		config: c, blocked: make(map[schedule.GoroutineID]*waiter), waiting: make(map[schedule.GoroutineID]analysis.Site),
		released: make(map[schedule.Cell][]analysis.Site),
	}
}

// event takes an event into account. If a goroutine acquires a semaphore, it returns who has released it, and where the
// goroutine has blocked before, if that is known.
func (t *tracker) event(e *schedule.Event) (released []analysis.Site, from *waiter) {
	from = t.blocked[e.Goroutine]
	delete(t.blocked, e.Goroutine)
	switch e.Op {
	case schedule.New:
		for len(t.names) <= int(e.Object) {
			t.names = append(t.names, 0)
		}
		t.names[e.Object] = e.Name
	case schedule.Yield:
		t.blocked[e.Goroutine] = &waiter{analysis.SiteOf(e), e.Time}
	case schedule.SemRelease:
		t.released[e.Cell()] = append(t.released[e.Cell()], analysis.SiteOf(e))
	case schedule.SemAcquire:
		released = t.released[e.Cell()]
		delete(t.released, e.Cell())
		return released, from
	case schedule.Pending:
		if len(e.Cases) == 1 && e.Cases[0].Op == schedule.SemAcquire && t.kind(e.Cases[0].Object) != "" {
			site := analysis.SiteOf(e)
			site.Cell = e.Cases[0].Cell()
			site.Note = "waits: " + t.kind(e.Cases[0].Object)
			t.waiting[e.Goroutine] = site
		}
	}
	return nil, nil
}

// kind returns what who waits at an object waits for, empty if that is not known.
func (t *tracker) kind(o schedule.ObjectID) string {
	switch name := t.config.Table.Name(t.names[o]); name {
	case ChanSend, ChanReceive, Select, Forever, Condition, WaitGroup, Mutex, RWMutex, ReadLock, Once:
		return name
	}
	return ""
}

// leaks looks for goroutines that wait for ever.
type leaks struct {
	*tracker
	partners map[schedule.GoroutineID]map[schedule.GoroutineID]bool
	starts   map[schedule.GoroutineID]analysis.Site
}

// Event implements analysis.Detector.
func (l *leaks) Event(_ context.Context, e *schedule.Event) error {
	released, _ := l.event(e)
	for _, r := range released {
		l.pair(r.Goroutine, e.Goroutine)
	}
	if e.Op == schedule.Spawn {
		l.pair(e.Goroutine, e.Child)
		start := analysis.SiteOf(e)
		start.Note = "starts it"
		l.starts[e.Child] = start
	}
	return nil
}

// pair notes that each of two goroutines may end the wait of the other.
func (l *leaks) pair(g, h schedule.GoroutineID) {
	for _, p := range [...][2]schedule.GoroutineID{{g, h}, {h, g}} {
		if l.partners[p[0]] == nil {
			l.partners[p[0]] = make(map[schedule.GoroutineID]bool)
		}
		l.partners[p[0]][p[1]] = true
	}
}

// Finish implements analysis.Detector.
func (l *leaks) Finish(context.Context) error {
	var free []schedule.GoroutineID // who goes on
	suspects := map[schedule.GoroutineID]bool{}
	for g := range schedule.GoroutineID(l.config.State.Goroutines()) {
		_, waits := l.waiting[g]
		switch {
		case l.config.State.Goroutine(g).Ended >= 0:
		case waits:
			suspects[g] = true
		default:
			free = append(free, g)
		}
	}
	for len(free) > 0 {
		g := free[len(free)-1]
		free = free[:len(free)-1]
		for h := range l.partners[g] {
			if suspects[h] {
				delete(suspects, h)
				free = append(free, h)
			}
		}
	}
	for g := range schedule.GoroutineID(l.config.State.Goroutines()) {
		if suspects[g] {
			l.report(l.group(g, suspects))
		}
	}
	return nil
}

// group returns the suspects that may end each other's waits, of which g is one, and takes them out.
func (l *leaks) group(g schedule.GoroutineID, suspects map[schedule.GoroutineID]bool) []schedule.GoroutineID {
	delete(suspects, g)
	list := []schedule.GoroutineID{g}
	for i := 0; i < len(list); i++ {
		for h := range l.partners[list[i]] {
			if suspects[h] {
				delete(suspects, h)
				list = append(list, h)
			}
		}
	}
	slices.Sort(list)
	return list
}

// report reports a group.
func (l *leaks) report(group []schedule.GoroutineID) {
	f := &analysis.Finding{Kind: analysis.Leak, Certainty: analysis.Suspected}
	for _, g := range group[:min(len(group), maxGroup)] {
		if start, ok := l.starts[g]; ok {
			f.Sites = append(f.Sites, start)
		}
		f.Sites = append(f.Sites, l.waiting[g])
	}
	l.config.Report(f)
}

// maxGroup is of how many goroutines of a group a finding says where they wait.
const maxGroup = 16

// longLocks looks for long waits for locks.
type longLocks struct{ *tracker }

// long is how many nanoseconds are long.
const long = 10_000_000

// Event implements analysis.Detector.
func (l *longLocks) Event(_ context.Context, e *schedule.Event) error {
	released, from := l.event(e)
	if e.Op != schedule.SemAcquire || from == nil || from.time == 0 || e.Time-from.time < long {
		return nil
	}
	switch kind := l.kind(e.Object); kind {
	case Mutex, RWMutex, ReadLock:
		site := from.site
		site.Cell, site.Note = e.Cell(), "waits: "+kind
		f := &analysis.Finding{Kind: analysis.LongWait, Certainty: analysis.Observed, Sites: []analysis.Site{site}}
		if len(released) > 0 {
			end := released[len(released)-1]
			end.Note = "ends the wait"
			f.Sites = append(f.Sites, end)
		}
		l.config.Report(f)
	}
	return nil
}

// Finish implements analysis.Detector.
func (l *longLocks) Finish(context.Context) error { return nil }
