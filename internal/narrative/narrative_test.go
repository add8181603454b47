package narrative

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// The objects of the runs below.
var (
	lockA    = &schedule.Object{Goroutine: "0", Count: 1}
	lockB    = &schedule.Object{Goroutine: "0", Count: 2}
	channel1 = &schedule.Object{Goroutine: "0", Count: 3}
	counter  = &schedule.Object{Goroutine: "0", Count: 4}
)

// origins are a test and two workers that one statement has started, and a function literal.
var origins = []schedule.Origin{
	{Name: "0", Test: "TestX"},
	{Name: "0.1", Func: "example.com/m/pool.(*Pool).worker", Pos: "pool/pool.go:20:3"},
	{Name: "0.2", Func: "example.com/m/pool.(*Pool).worker", Pos: "pool/pool.go:20:3"},
	{Name: "0.3", Func: "example.com/m/pool.TestX.func1", Literal: true, Pos: "pool/pool_test.go:9:2"},
}

func found(f schedule.Finding, events ...schedule.RunEvent) *schedule.Run {
	return &schedule.Run{Header: schedule.Header{Target: "TestX", Finding: &f}, Goroutines: origins, Events: events}
}

func waits(op schedule.Op, on *schedule.Object, name string) []schedule.Wait {
	return []schedule.Wait{{Op: op, Object: on, Var: name}}
}

func TestSentence(t *testing.T) {
	locked := func(g string, on *schedule.Object, pos string) schedule.RunEvent {
		return schedule.RunEvent{Goroutine: g, Op: schedule.Lock, Object: on, Pos: pos}
	}
	const stuck = "fatal error: all goroutines are asleep - deadlock!"
	for _, test := range []struct {
		name string
		run  *schedule.Run
		want string
	}{
		{"race", found(schedule.Finding{
			Kind: "data race", Message: "data race: write and an earlier read are not ordered", Goroutine: "0.1", Pos: "pool/pool.go:30:2",
			Others: []schedule.Finding{{Kind: "data race", Message: "read", Goroutine: "0", Pos: "pool/pool_test.go:12:5"}},
		},
			schedule.RunEvent{Goroutine: "0", Op: schedule.Read, Object: counter, Var: "Pool.n", Pos: "pool/pool_test.go:12:5"},
			schedule.RunEvent{Goroutine: "0.1", Op: schedule.Read, Object: counter, Var: "Pool.n", Pos: "pool/pool.go:30:2"},
			schedule.RunEvent{Goroutine: "0.1", Op: schedule.Write, Object: counter, Var: "Pool.n", Pos: "pool/pool.go:30:2"},
		), "data race: Pool.n is read by TestX (pool/pool_test.go:12) and written by Pool.worker #1 (pool/pool.go:30), and nothing orders the two"},
		{"race of events that are not known", found(schedule.Finding{
			Kind: "data race", Message: "data race: write and an earlier read are not ordered", Goroutine: "0.1",
			Others: []schedule.Finding{{Message: "read", Goroutine: "0"}},
		}), "data race: write and an earlier read are not ordered"},
		{"send beside close", found(schedule.Finding{
			Kind: "data race", Message: "data race: send and an earlier close are not ordered", Goroutine: "0.1", Pos: "pool/pool.go:30:2",
			Others: []schedule.Finding{{Kind: "data race", Message: "close", Goroutine: "0", Pos: "pool/pool_test.go:12:5"}},
		},
			schedule.RunEvent{Goroutine: "0", Op: schedule.Close, Object: channel1, Var: "Pool.tasks", Pos: "pool/pool_test.go:12:5"},
			schedule.RunEvent{Goroutine: "0.1", Op: schedule.Fail, Object: channel1, Pos: "pool/pool.go:30:2"},
		), "data race: Pool.tasks is closed by TestX (pool/pool_test.go:12) and sent on by Pool.worker #1 (pool/pool.go:30), and nothing orders the two"},
		{"wait group", found(schedule.Finding{
			Kind: "data race", Message: "data race: read and an earlier write are not ordered", Goroutine: "0.1", Pos: "pool/pool.go:30:2",
			Stack:  []schedule.Frame{{Func: "sync.(*WaitGroup).Add"}},
			Others: []schedule.Finding{{Message: "write", Goroutine: "0", Pos: "pool/pool_test.go:12:5", Stack: []schedule.Frame{{Func: "sync.(*WaitGroup).Wait"}}}},
		},
			schedule.RunEvent{Goroutine: "0", Op: schedule.WaitGroupWait, Object: counter, Var: "Pool.wg", Pos: "pool/pool_test.go:12:5"},
		), "data race: Pool.wg is waited for by TestX (pool/pool_test.go:12) and added to by Pool.worker #1 (pool/pool.go:30), and nothing orders the two"},
		{"leak of a circle", found(schedule.Finding{
			Kind: "leak", Goroutine: "0.3", Pos: "pool/pool_test.go:15:2", Waits: waits(schedule.WaitGroupWait, counter, "wg"),
			Others: []schedule.Finding{
				{Goroutine: "0.1", Pos: "pool/pool.go:32:2", Waits: waits(schedule.Lock, lockB, "b.mu")},
				{Goroutine: "0.2", Pos: "pool/pool.go:42:2", Waits: waits(schedule.Lock, lockA, "a.mu")},
			},
		}, locked("0.1", lockA, "pool/pool.go:31:2"), locked("0.2", lockB, "pool/pool.go:41:2")),
			"leak: TestX has returned, and Pool.worker #1 holds a.mu and waits for ever for b.mu (pool/pool.go:32) and Pool.worker #2 holds b.mu and waits for ever for a.mu (pool/pool.go:42); 1 more goroutine waits for ever"},
		{"full channel", found(schedule.Finding{
			Kind: "leak", Goroutine: "0.1", Pos: "pool/pool.go:32:2", Waits: waits(schedule.Send, channel1, "c"),
		}, schedule.RunEvent{Goroutine: "0.1", Op: schedule.Send, Object: channel1, Buffered: 2, Capacity: 2}),
			"leak: TestX has returned, and Pool.worker #1 waits for ever to send on c (full: 2 of 2) (pool/pool.go:32)"},
		{"leak behind a lock", found(schedule.Finding{
			Kind: "leak", Goroutine: "0.1", Pos: "pool/pool.go:32:2", Waits: waits(schedule.Lock, lockA, "a.mu"),
			Others: []schedule.Finding{{Goroutine: "0.2", Pos: "pool/pool.go:42:2", Waits: waits(schedule.Send, channel1, "reset")}},
		}, locked("0.2", lockA, "pool/pool.go:41:2")),
			"leak: TestX has returned, and Pool.worker #1 waits for ever for a.mu (pool/pool.go:32), which Pool.worker #2 holds while it waits for ever to send on reset (pool/pool.go:42)"},
		{"locks in a circle", found(schedule.Finding{
			Kind: "deadlock", Message: stuck, Goroutine: "0", Pos: "pool/pool_test.go:15:2", Waits: waits(schedule.WaitGroupWait, counter, "wg"),
			Others: []schedule.Finding{
				{Goroutine: "0.1", Pos: "pool/pool.go:32:2", Waits: waits(schedule.Lock, lockB, "b.mu")},
				{Goroutine: "0.2", Pos: "pool/pool.go:42:2", Waits: waits(schedule.Lock, lockA, "a.mu")},
			},
		}, locked("0.1", lockA, "pool/pool.go:31:2"), locked("0.2", lockB, "pool/pool.go:41:2")),
			"deadlock: Pool.worker #1 holds a.mu and waits for b.mu (pool/pool.go:32) and Pool.worker #2 holds b.mu and waits for a.mu (pool/pool.go:42); TestX waits for them"},
		{"a lock twice", found(schedule.Finding{
			Kind: "deadlock", Message: stuck, Goroutine: "0", Pos: "m.go:3:2", Waits: waits(schedule.Lock, lockA, "mu"),
		}, locked("0", lockA, "m.go:2:2")),
			"deadlock: TestX waits for mu (m.go:3), which it has locked itself (m.go:2)"},
		{"a read lock twice", found(schedule.Finding{
			Kind: "deadlock", Message: stuck, Goroutine: "0", Pos: "m.go:3:2", Waits: waits(schedule.RLock, lockA, "mu"),
			Others: []schedule.Finding{{Goroutine: "0.3", Pos: "m.go:9:2", Waits: waits(schedule.Lock, lockA, "mu")}},
		}, schedule.RunEvent{Goroutine: "0", Op: schedule.RLock, Object: lockA, Pos: "m.go:2:2"}),
			"deadlock: TestX waits for mu (m.go:3), which it has locked itself (m.go:2) to read: func at pool_test.go:9 waits to write (m.go:9), and a writer that waits keeps new readers out"},
		{"a lock that was given back", found(schedule.Finding{
			Kind: "deadlock", Message: stuck, Goroutine: "0", Pos: "m.go:3:2", Waits: waits(schedule.Recv, channel1, "done"),
			Others: []schedule.Finding{{Goroutine: "0.1", Pos: "m.go:9:2", Waits: waits(schedule.Send, counter, "results")}},
		}, locked("0", lockA, "m.go:2:2"), schedule.RunEvent{Goroutine: "0", Op: schedule.Unlock, Object: lockA}),
			"deadlock: TestX waits to receive from done (m.go:3) and Pool.worker #1 waits to send on results (m.go:9)"},
		{"a nil channel", found(schedule.Finding{
			Kind: "deadlock", Message: stuck, Goroutine: "0", Pos: "m.go:3:2", Waits: []schedule.Wait{{Op: schedule.Recv}},
		}), "deadlock: TestX waits to receive from a nil channel (m.go:3), and nobody else is left"},
		{"others live on", found(schedule.Finding{
			Kind: "deadlock", Message: "deadlock: goroutine blocked for ever: chan receive", Goroutine: "0", Pos: "m.go:3:2", Waits: waits(schedule.Recv, channel1, "done"),
		}), "deadlock: TestX waits to receive from done (m.go:3), and nothing that goes on can wake it"},
		{"leak", found(schedule.Finding{
			Kind: "leak", Message: "goroutine blocked for ever: chan send", Goroutine: "0.3", Pos: "pool/pool.go:50:2", Waits: waits(schedule.Send, channel1, "results"),
			Others: []schedule.Finding{{Kind: "leak", Goroutine: "0.1", Pos: "pool/pool.go:50:2", Waits: waits(schedule.Send, channel1, "results")}},
		}, schedule.RunEvent{Goroutine: "0", Op: schedule.Recv, Object: channel1, Pos: "pool/pool_test.go:12:4"}),
			"leak: TestX has returned, and func at pool_test.go:9 waits for ever to send on results (pool/pool.go:50), and so does Pool.worker #1 (pool/pool.go:50); the last that received from it was TestX (pool/pool_test.go:12)"},
		{"livelock", found(schedule.Finding{
			Kind: "livelock", Message: "livelock: goroutine spins for ever waiting for a change of a variable", Goroutine: "0.1", Waits: waits(schedule.AtomicRead, counter, "n"),
		}), "livelock: Pool.worker #1 spins for ever waiting for a change of a variable"},
		{"send on closed channel", found(schedule.Finding{
			Kind: "panic", Message: "panic: send on closed channel", Goroutine: "0.1", Pos: "pool/pool.go:30:2",
		},
			schedule.RunEvent{Goroutine: "0", Op: schedule.Close, Object: channel1, Var: "Pool.jobs", Pos: "pool/pool.go:60:2"},
			schedule.RunEvent{Goroutine: "0.1", Op: schedule.Fail, Object: channel1, Pos: "pool/pool.go:30:2"},
			schedule.RunEvent{Goroutine: "0.1", Op: schedule.Fail, Pos: "pool/pool.go:30:2"},
		), "panic: send on closed channel: Pool.jobs was closed by TestX (pool/pool.go:60)"},
		{"test failure", found(schedule.Finding{Kind: "test failure", Message: "no room\nat all", Goroutine: "0"}), "no room\nat all"},
	} {
		if got := New(test.run, nil).Sentence(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestGoroutine(t *testing.T) {
	run := found(schedule.Finding{})
	run.Initialisers = 1
	n := New(run, nil)
	for name, want := range map[string]string{
		"0": "TestX", "0.1": "Pool.worker (init)", "0.2": "Pool.worker", "0.3": "func at pool_test.go:9", "0.4": "goroutine 0.4", schedule.Timer: "timer",
	} {
		if got := n.Goroutine(name); got != want {
			t.Errorf("goroutine %s is called %q, want %q", name, got, want)
		}
	}
}

// A check that is made under a lock, and is out of date when it is acted on: what the others did before
// they were started, what they did to other variables, and what happens after the failure does not matter.
func checkThenAct() *schedule.Run {
	other := &schedule.Object{Goroutine: "0", Count: 9}
	one := 11
	event := func(g string, op schedule.Op, on *schedule.Object, name, pos string) schedule.RunEvent {
		return schedule.RunEvent{Goroutine: g, Op: op, Object: on, Var: name, Pos: pos}
	}
	events := []schedule.RunEvent{
		event("0", schedule.Write, counter, "n", "x.go:1:1"),
		{Goroutine: "0", Op: schedule.Spawn, Child: "0.1"},
		{Goroutine: "0", Op: schedule.Spawn, Child: "0.2"},
		event("0.1", schedule.Lock, lockA, "mu", "x.go:10:1"),
		event("0.1", schedule.Read, counter, "n", "x.go:11:1"),
		event("0.1", schedule.Unlock, lockA, "mu", "x.go:12:1"),
		event("0.2", schedule.Lock, lockB, "log.mu", "x.go:20:1"),
		event("0.2", schedule.Write, other, "log", "x.go:21:1"),
		event("0.2", schedule.Unlock, lockB, "log.mu", "x.go:22:1"),
		event("0.2", schedule.Lock, lockA, "mu", "x.go:23:1"),
		event("0.2", schedule.Read, counter, "n", "x.go:24:1"),
		event("0.2", schedule.Write, counter, "n", "x.go:24:1"),
		event("0.2", schedule.Unlock, lockA, "mu", "x.go:25:1"),
		event("0.1", schedule.Lock, lockA, "mu", "x.go:13:1"),
		event("0.1", schedule.Read, counter, "n", "x.go:14:1"),
		event("0.1", schedule.Unlock, lockA, "mu", "x.go:15:1"),
		event("0.1", schedule.Read, counter, "n", "x.go:17:1"),
	}
	events[10].Read, events[11].Wrote = "0", "1"
	events[14].From, events[14].Read = &one, "1"
	return found(schedule.Finding{Kind: "test failure", Message: "n = 1", Goroutine: "0.1", Pos: "x.go:16:1", Events: 16}, events...)
}

func TestRelevant(t *testing.T) {
	if got, want := Relevant(checkThenAct()), []int{3, 4, 5, 9, 10, 11, 12, 13, 14, 15}; !slices.Equal(got, want) {
		t.Errorf("relevant are %v, want %v", got, want)
	}
}

// A goroutine that fails has read a flag that another one has set then: both matter, though nobody has read what was
// written.
func TestRelevantMissed(t *testing.T) {
	stopping := &schedule.Object{Goroutine: "0", Count: 5}
	one := 1
	run := found(schedule.Finding{Kind: "test failure", Message: "stopped", Goroutine: "0.1", Events: 4},
		schedule.RunEvent{Goroutine: "0.1", Op: schedule.AtomicRead, Object: stopping, Pos: "x.go:3:2"},
		schedule.RunEvent{Goroutine: "0.2", Op: schedule.AtomicWrite, Object: counter, Pos: "x.go:13:2"},
		schedule.RunEvent{Goroutine: "0.1", Op: schedule.AtomicRead, Object: counter, Pos: "x.go:5:2", From: &one},
		schedule.RunEvent{Goroutine: "0.1", Op: schedule.Fail, Pos: "x.go:9:2"},
	)
	if got, want := Relevant(run), []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("relevant are %v, want %v", got, want)
	}
	set := schedule.RunEvent{Goroutine: "0.2", Op: schedule.AtomicWrite, Object: stopping, Pos: "x.go:12:2"}
	run.Events = slices.Insert(run.Events, 1, set)
	two := 2
	run.Events[3].From, run.Finding.Events = &two, 5
	if got, want := Relevant(run), []int{0, 1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("relevant with the other write are %v, want %v", got, want)
	}
}

func TestSteps(t *testing.T) {
	var got []string
	for _, s := range New(checkThenAct(), nil).Steps(false, 0) {
		var effects []string
		for _, e := range s.Effects {
			effects = append(effects, e.Text)
		}
		got = append(got, s.Goroutine+" "+s.Pos+" "+strings.Join(effects, "; "))
	}
	want := []string{
		"0.1 x.go:10:1 locks mu", "0.1 x.go:11:1 reads n", "0.1 x.go:12:1 unlocks mu",
		"0.2 x.go:23:1 locks mu", "0.2 x.go:24:1 changes n from 0 to 1", "0.2 x.go:25:1 unlocks mu",
		"0.1 x.go:13:1 locks mu", "0.1 x.go:14:1 reads n = 1", "0.1 x.go:15:1 unlocks mu",
		"0.1 x.go:16:1 fails",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A loop in one line makes one step, which is told with its first effects and how it ends.
func TestStepsOfLoop(t *testing.T) {
	var events []schedule.RunEvent
	for i := range 1000 {
		events = append(events, schedule.RunEvent{Goroutine: "0.1", Op: schedule.Write, Object: counter, Var: "n", Pos: "x.go:10:1", Wrote: strconv.Itoa(i)})
	}
	r := found(schedule.Finding{Kind: "livelock", Message: "livelock: goroutine runs for ever: its state repeats", Goroutine: "0.1", Pos: "x.go:10:1", Events: 1000}, events...)
	steps := New(r, nil).Steps(true, 0)
	if len(steps) != 1 {
		t.Fatalf("%d steps, want 1", len(steps))
	}
	effects := steps[0].Effects
	if n := len(effects); n > maxEffects+2 || effects[0].Text != "writes n = 0" || effects[maxEffects].Text != "… and more" || effects[n-1].Text != "goes on for ever" {
		t.Errorf("%d effects, from %q to %q", n, effects[0].Text, effects[n-1].Text)
	}
}

// Steps below a call of another module follow the call, and what happens inside the standard library is
// told by the line.
func TestStepsOfModules(t *testing.T) {
	zero := 0
	run := found(schedule.Finding{Kind: "panic", Message: "panic: x", Goroutine: "0"},
		schedule.RunEvent{Goroutine: "0.1", Op: schedule.AtomicWrite, Object: counter, Pos: "/mod/ctx.go:5:2", Own: "x.go:3:2", Call: "context.(*cancelCtx).cancel"},
		schedule.RunEvent{Goroutine: "0", Op: schedule.AtomicRead, Object: counter, Pos: "x.go:8:2", Call: "context.(*cancelCtx).Err", From: &zero},
		schedule.RunEvent{Goroutine: "0", Op: schedule.Fail, Pos: "x.go:9:2"},
	)
	steps := New(run, nil).Steps(false, 0)
	if len(steps) != 4 || !steps[0].Calls || steps[0].Pos != "x.go:3:2" || !steps[1].Inside || steps[1].Effects[0].Text != "" || steps[2].Effects[0].Text != "" {
		t.Errorf("steps are %+v", steps)
	}
	if all := New(run, nil).Steps(true, 0); all[1].Effects[0].Text == "" {
		t.Errorf("all steps are %+v", all)
	}
}

// Communications say how full the buffer of the channel is then, if it has one.
func TestBuffered(t *testing.T) {
	for _, test := range []struct {
		event schedule.RunEvent
		want  string
	}{
		{schedule.RunEvent{Op: schedule.Send, Wrote: "1", Buffered: 1, Capacity: 2}, "sends 1 on c (1 of 2)"},
		{schedule.RunEvent{Op: schedule.Send, Wrote: "1"}, "sends 1 on c"},
		{schedule.RunEvent{Op: schedule.Recv, Read: "1", Capacity: 2}, "receives 1 from c (0 of 2)"},
		{schedule.RunEvent{Op: schedule.SelectDefault, Buffered: 2, Capacity: 2}, "takes the default: c is full (2 of 2)"},
		{schedule.RunEvent{Op: schedule.SelectDefault, Capacity: 2}, "takes the default: c is empty"},
		{schedule.RunEvent{Op: schedule.SelectDefault}, "takes the default: nobody waits at c"},
	} {
		e := test.event
		e.Goroutine, e.Object, e.Var = "0", channel1, "c"
		if got := New(found(schedule.Finding{Goroutine: "0"}, e), nil).effect(&e).Text; got != test.want {
			t.Errorf("%+v: %q, want %q", test.event, got, test.want)
		}
	}
}
