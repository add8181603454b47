package vm_test

import (
	"math"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
)

// A run of a small concurrent program: what it costs to rewind, schedule, and
// follow the accesses, in steps of a random schedule.
func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct{ dir, fn string }{
		{"small", "locked"}, {"mixed", "manyLocks"}, {"mixed", "pipeline"}, {"channels", "selectSendReceive"}, {"time", "timeout"},
	} {
		b.Run(bench.fn, func(b *testing.B) {
			r := loadFuncs(b, "concurrent/"+bench.dir).runner(b, bench.fn)
			runs, steps, least := r.repeat(b, run.Random(1))
			b.ReportMetric(least, "least-ns/op")
			b.ReportMetric(float64(steps)/float64(runs), "steps/op")
		})
	}
}

// BenchmarkSwitch takes steps of two goroutines in turns.
func BenchmarkSwitch(b *testing.B) {
	r := loadFuncs(b, "concurrent/small").runner(b, "switching")
	runs, steps, least := r.repeat(b, turns{})
	b.ReportMetric(least*float64(runs)/float64(steps), "least-ns/step")
}

// repeat makes runs for a benchmark. It returns how many, the number of their steps,
// and the least time that a run took, as the mean of a batch: on a machine that does
// other things too, that is the time of a batch that nothing came between.
func (r *runner) repeat(b *testing.B, sched run.Scheduler) (runs, steps int, least float64) {
	const batch = 20
	counter := &stepCounter{Scheduler: sched}
	plan := &run.Plan{}
	r.Output = nil
	least = math.Inf(1)
	b.ReportAllocs()
	start := time.Now()
	for b.Loop() {
		if _, err := r.Run(b.Context(), plan, counter); err != nil {
			b.Fatal(err)
		}
		if runs++; runs%batch == 0 {
			now := time.Now()
			least = min(least, float64(now.Sub(start).Nanoseconds())/batch)
			start = now
		}
	}
	return runs, counter.steps, least
}

// A stepCounter counts the steps that another scheduler chooses.
type stepCounter struct {
	run.Scheduler
	steps int
}

func (c *stepCounter) Stepping(*run.Transition, *run.Trace) bool {
	c.steps++
	return true
}

// turns is the scheduler that never lets a goroutine go on when another can.
type turns struct{}

func (turns) Choose(p *run.SchedulingPoint) int {
	for i := range p.Enabled {
		if p.Enabled[i].Goroutine != p.Last {
			return i
		}
	}
	return 0
}

// BenchmarkDetector compares runs in which data races are looked for with those of the same
// computation in the only goroutine of a run, where they are not: x-alone is the ratio of the times.
func BenchmarkDetector(b *testing.B) {
	p := loadFuncs(b, "concurrent/detector")
	for _, name := range []string{"sums", "sort", "words", "json"} {
		b.Run(name, func(b *testing.B) {
			var least [2]float64 // alone, among others
			for i, with := range []string{"Alone", "Among"} {
				r := p.runner(b, name+with)
				r.Output = nil
				least[i] = math.Inf(1)
				for range 15 {
					start := time.Now()
					if trace, err := r.Run(b.Context(), &run.Plan{}, run.NonPreemptive{}); err != nil || trace.Outcome != run.Finished {
						b.Fatal(err, trace)
					}
					least[i] = min(least[i], float64(time.Since(start)))
				}
			}
			r := p.runner(b, name+"Among")
			r.Output = nil
			for b.Loop() {
				if _, err := r.Run(b.Context(), &run.Plan{}, run.NonPreemptive{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(least[1]/least[0], "x-alone")
			b.ReportMetric(least[1], "least-ns")
		})
	}
}
