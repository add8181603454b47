package worker

import (
	"go/token"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/schedule"
)

// What a run looks like from within is for package inspect, which is given the machine.

// Machine returns the machine of w.
func (w *Worker) Machine() *vm.Machine { return w.machine.Machine }

// Build returns the hash of what the target can reach.
func (w *Worker) Build() string { return w.build }

// Plan turns a recorded run back into a plan for the machine of w.
func (w *Worker) Plan(recorded *schedule.Run) (*run.Plan, error) { return w.plan(recorded) }

// RecordSteps turns the events of the last run into the form that reports show. There are as many.
func (w *Worker) RecordSteps(t *run.Trace) []schedule.RunEvent {
	table := schedule.NewTable()
	r := schedule.NewRun(schedule.Header{}, table, func(to *schedule.Writer) error { return w.writeEvents(to, table, t) })
	steps := r.Events
	for i := len(steps); i < len(t.Events); i++ { // after what cannot be recorded
		steps = append(steps, schedule.RunEvent{
			Goroutine: w.goroutine(t.Events[i].Goroutine), Index: t.Events[i].Index, Op: t.Events[i].Op,
		})
	}
	return steps
}

// Goroutine returns the name of a goroutine, or that of the timers.
func (w *Worker) Goroutine(g int32) string { return w.goroutine(g) }

// Lookup returns the number of the goroutine with a name.
func (w *Worker) Lookup(name string) (int32, error) { return w.lookup(name) }

// Object names an object.
func (w *Worker) Object(id run.ObjectID) schedule.Object { return w.object(id) }

// Position returns a position in the source as run files have it.
func (w *Worker) Position(pos token.Pos) string { return w.program.Position(w.target, pos) }

// SameFinding reports whether a finding of a run is the one that was recorded with it, whose build may have
// been another one.
func (w *Worker) SameFinding(f *check.Finding, recorded *schedule.Run) bool {
	return recorded.Finding != nil && sameFinding(w.RecordFinding(f), recorded.Finding, recorded.Build == w.build)
}
