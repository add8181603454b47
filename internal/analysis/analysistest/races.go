package analysistest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// A Rule says which orders of the events of a schedule are allowed, besides that each has to be a
// valid schedule in which goroutines, and wait groups, behave.
type Rule struct {
	Reads  Reads
	Locks  bool // acquisitions of a lock that exclude each other stay in their order
	Writes bool // writes to a cell stay in their order
	// Others is set if operations other than accesses and those of locks that depend on each other
	// stay in their order, object by object.
	Others bool
}

// Reads says what a read has to see.
type Reads uint8

// What reads have to see.
const (
	SameWrite Reads = iota // the write that they have seen
	SameValue              // the value that they have seen
	// SameBranches lets reads that define symbolic values see anything. A goroutine that has
	// seen something else only accesses memory and takes and releases locks from then on, and
	// what it writes is not known.
	SameBranches
	AnyValue
)

// Events returns the events of a schedule in the form that Find takes.
func Events(t testing.TB, events string) []schedule.Event {
	t.Helper()
	r, err := schedule.NewReader(strings.NewReader(Text(events)), "test.schedule")
	if err != nil {
		t.Fatal(err)
	}
	state := schedule.NewState(r.Table())
	var list []schedule.Event
	for e, err := range r.Events() {
		if err == nil {
			err = state.Next(e)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, events)
		}
		list = append(list, e.Clone())
	}
	return list
}

// Races returns the pairs of events, each by its Order and the lesser one first, that are a data
// race in some order of some of the events: both can be next, and they conflict. Objects and
// goroutines have to be introduced by goroutine 0.
func Races(t testing.TB, events []schedule.Event, rule Rule) map[[2]int64]bool {
	races := map[[2]int64]bool{}
	s := newSearch(events, rule)
	s.visit = func() {
		for g := range s.at {
			for h := range g {
				if a, b, ok := s.race(g, h); ok {
					races[[2]int64{min(a.Order, b.Order), max(a.Order, b.Order)}] = true
				}
			}
		}
	}
	s.explore()
	return races
}

// newSearch returns a search that has not begun.
func newSearch(events []schedule.Event, rule Rule) *search {
	s := &search{events: events, rule: rule, seen: map[string]bool{}}
	for i := range events {
		g := int(events[i].Goroutine)
		for len(s.byGoroutine) <= g {
			s.byGoroutine = append(s.byGoroutine, nil)
		}
		s.byGoroutine[g] = append(s.byGoroutine[g], i)
	}
	s.at = make([]int, len(s.byGoroutine))
	return s
}

// A search goes through the orders of the events of a schedule.
type search struct {
	events      []schedule.Event
	rule        Rule
	byGoroutine [][]int // indices of events
	at          []int   // by goroutine: how many of its events are in path
	path        []int
	seen        map[string]bool
	visit       func() // is called after each path
}

// explore goes on from path.
func (s *search) explore() {
	key, ok := s.check()
	if !ok || s.seen[key] {
		return
	}
	s.seen[key] = true
	s.visit()
	for g := range s.at {
		if s.at[g] == len(s.byGoroutine[g]) {
			continue
		}
		s.path = append(s.path, s.byGoroutine[g][s.at[g]])
		s.at[g]++
		s.explore()
		s.at[g]--
		s.path = s.path[:len(s.path)-1]
	}
}

// next returns the next event of a goroutine, nil if there is none.
func (s *search) next(g int) *schedule.Event {
	if s.at[g] == len(s.byGoroutine[g]) {
		return nil
	}
	return &s.events[s.byGoroutine[g][s.at[g]]]
}

// race returns the next events of two goroutines, if they race.
func (s *search) race(g, h int) (a, b *schedule.Event, ok bool) {
	a, b = s.next(g), s.next(h)
	if a == nil || b == nil || a.Cell() != b.Cell() || !access.Conflict(access.KindOf(a.Op), access.KindOf(b.Op)) {
		return nil, nil, false
	}
	return a, b, s.possible(*a) && s.possible(*b)
}

// possible reports whether the goroutine of an access can take a step: that it does not wait for
// its value to be received.
func (s *search) possible(e schedule.Event) bool {
	state := s.state()
	if state == nil {
		return false
	}
	bare := bareOf(&e)
	return state.Next(&bare) == nil
}

// state returns the state after path, nil if that is not possible.
func (s *search) state() *schedule.State {
	state := schedule.NewState(schedule.NewTable())
	for _, i := range s.path {
		bare := bareOf(&s.events[i])
		if state.Next(&bare) != nil {
			return nil
		}
	}
	return state
}

// bareOf returns an event without values.
func bareOf(e *schedule.Event) schedule.Event {
	bare := e.Clone()
	bare.Result, bare.Left, bare.Right, bare.List, bare.Depends = 0, 0, 0, nil, nil
	switch e.Op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate:
		bare.Value = schedule.Value{}
	}
	return bare
}

// check follows path. It reports whether it is allowed, and what goes on from it depends on.
func (s *search) check() (key string, ok bool) {
	state := schedule.NewState(schedule.NewTable())
	last := map[schedule.Cell]int{} // 1 + the event that wrote last
	dirty := map[int]bool{}         // writes of unknown values
	tainted := map[schedule.GoroutineID]bool{}
	done := map[int]bool{}
	counter := map[schedule.Cell]int64{}
	queue := map[schedule.ObjectID][]int{}
	for _, i := range s.path {
		e := &s.events[i]
		bare := bareOf(e)
		if state.Next(&bare) != nil || !s.inOrder(i, done) {
			return "", false
		}
		if tainted[e.Goroutine] && !loose(e) {
			return "", false
		}
		switch kind := access.KindOf(e.Op); {
		case e.Op == schedule.SemAcquire:
			// Which of the releases it takes is not known.
			for j := range s.events[:i] {
				if f := &s.events[j]; f.Op == schedule.SemRelease && f.Cell() == e.Cell() && !done[j] {
					return "", false
				}
			}
		case e.Op == schedule.WaitGroupAdd:
			if counter[e.Cell()] += e.Number; counter[e.Cell()] < 0 {
				return "", false
			}
		case e.Op == schedule.Send:
			queue[e.Object] = append(queue[e.Object], i)
		case e.Op == schedule.Recv:
			if s.events[queue[e.Object][0]].Order != e.From {
				return "", false
			}
			queue[e.Object] = queue[e.Object][1:]
		case kind != access.None:
			if !kind.IsWrite() || e.Op == schedule.AtomicUpdate {
				from := last[e.Cell()] - 1
				if same := s.sees(e, from) && !dirty[from]; !same && s.rule.Reads != AnyValue {
					if s.rule.Reads != SameBranches || e.Result == 0 || e.Op == schedule.AtomicUpdate {
						return "", false
					}
					tainted[e.Goroutine] = true
				}
			}
			if kind.IsWrite() {
				last[e.Cell()] = i + 1
				if tainted[e.Goroutine] {
					dirty[i] = true
				}
			}
		}
		done[i] = true
	}
	return fmt.Sprint(s.at, last, dirty, tainted, queue), true
}

// loose reports whether a goroutine that may have seen another value does what it did before.
func loose(e *schedule.Event) bool {
	if len(e.Depends) > 0 {
		return false
	}
	switch e.Op {
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite,
		schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock:
		return true
	}
	return false
}

// sees reports whether a read may see the write with index from, or, if that is negative, what was
// there at first.
func (s *search) sees(e *schedule.Event, from int) bool {
	was := e.From
	if from < 0 && was < 0 || from >= 0 && s.events[from].Order == was {
		return true
	}
	if s.rule.Reads == SameWrite {
		return false
	}
	var now schedule.Value
	if from >= 0 {
		now = s.events[from].Value
	} else {
		// What was there at first is known if an event has seen it.
		for i := range s.events {
			if f := &s.events[i]; f.Cell() == e.Cell() && f.From < 0 && (f.Op == schedule.Read || f.Op == schedule.AtomicRead) {
				now = f.Value
			}
		}
	}
	return now == e.Value && now.Kind != schedule.NoValue
}

// inOrder reports whether event i may come after those that are done, as far as the rule keeps
// events in their order.
func (s *search) inOrder(i int, done map[int]bool) bool {
	e := &s.events[i]
	for j := range done {
		f := &s.events[j]
		if j < i || e.Object != f.Object || e.Object == 0 {
			continue
		}
		a, b := access.KindOf(e.Op), access.KindOf(f.Op)
		switch {
		case a != access.None || b != access.None:
			if s.rule.Writes && a.IsWrite() && b.IsWrite() && e.Cell() == f.Cell() {
				return false
			}
		case e.Op.IsLock() || f.Op.IsLock():
			if s.rule.Locks && e.Cell() == f.Cell() && acquires(e.Op) && acquires(f.Op) &&
				(e.Op == schedule.Lock || f.Op == schedule.Lock) {
				return false
			}
		case s.rule.Others && e.Cell() == f.Cell() && e.Op != schedule.New && f.Op != schedule.New:
			if dependence.Dependent(dependence.OperationOf(e), dependence.OperationOf(f)) {
				return false
			}
		}
	}
	return true
}

func acquires(op schedule.Op) bool { return op == schedule.Lock || op == schedule.RLock }
