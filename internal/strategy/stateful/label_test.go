package stateful

import (
	"testing"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// TestConflict says of pairs of steps on one object whether the second, had it come first, could have
// made a difference.
func TestConflict(t *testing.T) {
	on := run.ObjectID{Goroutine: 0, Count: 1}
	step := func(g int32, op schedule.Op, change func(*run.Transition)) *run.Transition {
		s := &run.Transition{Decision: run.Decision{Goroutine: g}, Op: op, Object: on, Cells: 1, Partner: -1}
		if change != nil {
			change(s)
		}
		return s
	}
	selects := func(s *run.Transition) { s.Select = true }
	polls := func(s *run.Transition) { s.Select, s.Default = true, true }
	adds := func(n, state int64) func(*run.Transition) {
		return func(s *run.Transition) { s.Delta, s.State = n, state }
	}
	for _, c := range []struct {
		name   string
		first  *run.Transition
		second *run.Transition
		want   bool
	}{
		{"two locks", step(1, schedule.Lock, nil), step(2, schedule.Lock, nil), true},
		{"a lock after an unlock", step(1, schedule.Unlock, nil), step(2, schedule.Lock, nil), false},
		{"a failed TryLock after an unlock", step(1, schedule.Unlock, nil), step(2, schedule.TryFail, nil), true},
		{"two readers", step(1, schedule.RLock, nil), step(2, schedule.RLock, nil), false},
		{"a comparison that failed", step(1, schedule.AtomicRead, nil), step(2, schedule.AtomicRead, func(s *run.Transition) { s.Compares = true }), true},
		{"send and receive", step(1, schedule.Send, adds(1, 0)), step(2, schedule.Recv, adds(1, 1)), false},
		{"send and a case of a select", step(1, schedule.Send, adds(1, 0)), step(2, schedule.Recv, selects), true},
		{"the end of a channel", step(1, schedule.Close, nil), step(2, schedule.RecvClosed, nil), false},
		{"the end of a channel in a select", step(1, schedule.Close, nil), step(2, schedule.RecvClosed, selects), true},
		{"the end of a channel in a select with a default case", step(1, schedule.Close, nil), step(2, schedule.RecvClosed, polls), true},
		{"two receives from a closed channel, in selects", step(1, schedule.RecvClosed, polls), step(2, schedule.RecvClosed, selects), false},
		{"a timer and a select", step(-1, schedule.TimerFire, nil), step(2, schedule.Recv, selects), true},
		{"a timer and a select with a default case", step(-1, schedule.TimerFire, nil), step(2, schedule.Recv, polls), true},
		{"a select and a timer", step(1, schedule.Recv, selects), step(-1, schedule.TimerFire, nil), true},
		{"two Dones of many", step(1, schedule.WaitGroupAdd, adds(-1, 9)), step(2, schedule.WaitGroupAdd, adds(-1, 8)), false},
		{"two Dones for one Add", step(1, schedule.WaitGroupAdd, adds(-1, 1)), step(2, schedule.WaitGroupAdd, adds(-1, 0)), true},
		{"Wait after the last Done", step(1, schedule.WaitGroupAdd, adds(-1, 1)), step(2, schedule.WaitGroupWait, nil), false},
		{"Wait beside a Done too many", step(1, schedule.WaitGroupAdd, adds(-1, 0)), step(2, schedule.WaitGroupWait, nil), true},
		{"the passing of time", step(-1, schedule.TimePass, nil), step(2, schedule.Lock, nil), false},
	} {
		a, ok := labelOf(c.first)
		b, also := labelOf(c.second)
		if !ok || !also {
			t.Errorf("%s: no label", c.name)
			continue
		}
		if got := conflict(&a, &b); got != c.want {
			t.Errorf("%s: conflict is %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTry tries one of the steps of two senders and two receivers that can meet each other: then all
// have to be tried, but not that of a bystander.
func TestTry(t *testing.T) {
	meet := func(g, partner int32) option {
		return option{who: who{goroutine: g}, partner: partner}
	}
	c := choice{options: []option{meet(1, 3), meet(1, 4), meet(2, 4), meet(5, -1)}}
	if c.try(who{goroutine: 7}) {
		t.Error("a thread without a step was tried")
	}
	if !c.try(who{goroutine: 3}) {
		t.Error("nothing was tried")
	}
	for i, want := range []bool{true, true, true, false} {
		if c.options[i].todo != want {
			t.Errorf("step %d is to be tried: %v, want %v", i, c.options[i].todo, want)
		}
	}
	for range 3 {
		i := c.next()
		if i < 0 {
			t.Fatal("too few steps")
		}
		c.options[i].done = true
	}
	if i := c.next(); i >= 0 {
		t.Errorf("step %d is tried, too", i)
	}
}

// TestStates remembers states with what is possible from there on.
func TestStates(t *testing.T) {
	var s states
	s.clear()
	s.complete(run.Fingerprint{1}, &stateID{}, []uint64{5, 0}, nil, allWords)
	s.complete(run.Fingerprint{2}, &stateID{}, []uint64{5}, nil, allWords)
	if len(s.lists) != 1 {
		t.Errorf("%d lists, want one", len(s.lists))
	}
	found, ok := s.find(&stateID{fingerprint: run.Fingerprint{2}})
	if below := s.lists[found.labels]; !ok || len(below) != 2 || below[0] != 0 || below[1] != 2 {
		t.Errorf("possible are %v, %v", below, ok)
	}
	if _, ok := s.find(&stateID{fingerprint: run.Fingerprint{3}}); ok {
		t.Error("an unknown state is known")
	}
	s.size = maxListed // too much
	s.makeRoom()
	s.complete(run.Fingerprint{3}, &stateID{}, []uint64{1}, nil, allWords)
	if _, ok := s.find(&stateID{fingerprint: run.Fingerprint{2}}); ok || len(s.known) != 1 {
		t.Error("the states were not forgotten")
	}
}

// TestRememberFull remembers a state of which some words are read when there are too many states to
// keep: what is noted of it must not be in what is forgotten.
func TestRememberFull(t *testing.T) {
	var sc scheduler
	sc.states.clear()
	sc.unread.begin(true)
	remember := func(f uint64, cell int) stateID {
		n := &node{reads: bitset.New(8)}
		n.reads.Add(cell)
		id := stateID{
			fingerprint: run.Fingerprint{f, 1}, full: run.Fingerprint{f, 2}, node: n, contested: true,
			words: []word{{3, run.Fingerprint{5, 6}}, {4, run.Fingerprint{7, 8}}},
		}
		sc.remember(id, nil)
		return id
	}
	remember(10, 3)
	sc.size = maxListed // too much
	id := remember(20, 4)
	found, ok := sc.find(&id)
	if !ok || len(sc.known) != 2 {
		t.Fatalf("the state is among those that are known: %v; there are %d", ok, len(sc.known))
	}
	for _, found := range []possible{found, sc.known[id.full]} {
		if i := int(found.reads); i < 0 || i >= len(sc.read) {
			t.Fatalf("its set of words is number %d of %d", i, len(sc.read))
		}
		if reads := sc.read[found.reads]; reads.Has(0) || !reads.Has(1) {
			t.Errorf("the words that are read are %v, want the second one", reads)
		}
	}
}
