package vm_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

// A run of a small concurrent program: what it costs to rewind, schedule, and
// follow the accesses, in steps of a random schedule.
func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct{ dir, fn string }{
		{"small", "locked"}, {"mixed", "manyLocks"}, {"mixed", "pipeline"}, {"channels", "selectSendReceive"}, {"time", "timeout"},
	} {
		b.Run(bench.fn, func(b *testing.B) {
			r := loadFuncs(b, "concurrent/"+bench.dir).runner(b, bench.fn)
			sched := &stepCounter{Scheduler: vm.Random(1)}
			plan := &vm.Plan{}
			r.Output = nil
			b.ReportAllocs()
			start := cpuTime(b)
			for b.Loop() {
				if _, err := r.Run(b.Context(), plan, sched); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(sched.steps)/float64(b.N), "steps/op")
		})
	}
}

// BenchmarkSwitch takes steps of two goroutines in turns.
func BenchmarkSwitch(b *testing.B) {
	r := loadFuncs(b, "concurrent/small").runner(b, "switching")
	sched := &stepCounter{Scheduler: turns{}}
	plan := &vm.Plan{}
	r.Output = nil
	start := cpuTime(b)
	for b.Loop() {
		if _, err := r.Run(b.Context(), plan, sched); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpuTime(b)-start)/float64(sched.steps), "cpu-ns/step")
}

// A stepCounter counts the steps that another scheduler chooses.
type stepCounter struct {
	vm.Scheduler
	steps int
}

func (c *stepCounter) Stepping(*vm.Option, *vm.Trace) bool {
	c.steps++
	return true
}

// turns is the scheduler that never lets a goroutine go on when another can.
type turns struct{}

func (turns) Choose(p *vm.Point) int {
	for i := range p.Options {
		if p.Options[i].Goroutine != p.Last {
			return i
		}
	}
	return 0
}
