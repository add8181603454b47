package run_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// TestDependentOnDefault checks which steps the default case of a select over several channels
// depends on.
func TestDependentOnDefault(t *testing.T) {
	channel := func(n int32) run.ObjectID { return run.ObjectID{Goroutine: 0, Count: n} }
	step := func(g int32, op schedule.Op, object run.ObjectID) run.Transition {
		return run.Transition{Decision: run.Decision{Kind: run.Step, Goroutine: g}, Op: op, Object: object, Cells: 1, Partner: -1}
	}
	def := step(0, schedule.SelectDefault, run.NoObject)
	def.Delta = 2
	def.Awaits = []run.Range{{Object: channel(1), Cells: 1}, {Object: channel(2), Cells: 1}}
	for _, c := range []struct {
		op      schedule.Op
		object  run.ObjectID
		partner int32
		want    bool
	}{
		{schedule.Send, channel(1), -1, true},
		{schedule.Recv, channel(2), -1, true},
		{schedule.Close, channel(2), -1, true},
		{schedule.TimerFire, channel(1), -1, true},
		{schedule.Send, channel(1), 2, false},
		{schedule.LenChan, channel(1), -1, false},
		{schedule.Send, channel(3), -1, false},
		{schedule.Recv, channel(3), -1, false},
		{schedule.Close, channel(3), -1, false},
		{schedule.Lock, channel(3), -1, false},
	} {
		other := step(1, c.op, c.object)
		other.Partner = c.partner
		if got := run.Dependent(&def, &other); got != c.want {
			t.Errorf("%v on channel %d: dependent %v, want %v", c.op, c.object.Count, got, c.want)
		}
		if run.Dependent(&other, &def) != run.Dependent(&def, &other) {
			t.Errorf("%v on channel %d: dependence is not symmetric", c.op, c.object.Count)
		}
	}
	spins := def // lists what its loop reads
	spins.Spins = true
	unlisted := def
	unlisted.Awaits = nil
	for _, d := range []run.Transition{spins, unlisted} {
		other := step(1, schedule.Send, channel(3))
		if !run.Dependent(&d, &other) {
			t.Errorf("a default case that does not list its channels is said not to depend on one")
		}
	}
}
