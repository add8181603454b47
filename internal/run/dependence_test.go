package run

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

// TestDependence checks that what Dependence leaves out makes no difference to Dependent.
func TestDependence(t *testing.T) {
	ops := []schedule.Op{
		schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.Lock, schedule.LockIntent, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.TryFail,
		schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake, schedule.CondSignal,
		schedule.SemAcquire, schedule.SemRelease, schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.LenChan,
		schedule.SelectDefault, schedule.Sleep, schedule.TimerSet, schedule.TimerFire, schedule.TimePass, schedule.BubbleIdle, schedule.Yield,
	}
	rng := rand.New(rand.NewPCG(1, 2))
	object := func() ObjectID { return ObjectID{Goroutine: 1, Count: rng.Int32N(3)} }
	maybe := func() bool { return rng.IntN(4) == 0 }
	transition := func() *Transition {
		x := &Transition{
			Decision: Decision{Kind: Step, Goroutine: rng.Int32N(4) - 1, Alt: rng.Int32N(3)}, Op: ops[rng.IntN(len(ops))],
			Object: object(), Offset: rng.Int32N(3), Cells: 1 + rng.Int32N(2), Partner: -1,
			State: rng.Int64N(4) - 1, Delta: rng.Int64N(5) - 2,
			Spins: maybe(), Compares: maybe(), Select: maybe(), Commutes: maybe(), Contingent: maybe(), Enabled: maybe(), Queued: maybe(),
		}
		if maybe() {
			x.Partner = rng.Int32N(3)
		}
		if maybe() {
			x.From = Range{Object: object(), Cells: 1}
		}
		if maybe() {
			x.Queue = object()
		}
		if maybe() {
			x.Bubble = object()
		}
		if maybe() {
			x.Object = GoroutinesObject
		}
		for range rng.IntN(3) {
			x.Awaits = append(x.Awaits, Range{Object: object(), Offset: rng.Int32N(3), Cells: 1})
		}
		return x
	}
	dependent := 0
	for range 300_000 {
		a, b := transition(), transition()
		d := a.Dependence()
		want := Dependent(a, b)
		if want {
			dependent++
		}
		if Dependent(&d, b) != want || Dependent(b, &d) != Dependent(b, a) {
			t.Fatalf("Dependent(%+v, %+v) is %v, and something else without what Dependence leaves out", *a, *b, want)
		}
	}
	if dependent == 0 || dependent == 300_000 {
		t.Errorf("%d pairs are dependent", dependent)
	}
}
