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

// BenchmarkDetector measures what looking for data races costs: share-% is the share in the time of
// a run of all that is recorded of accesses, by comparison with runs of the same machine that
// record nothing. For computations that one goroutine makes, x-alone is the time as a multiple of
// that in a run without other goroutines, where some operations are no steps either.
func BenchmarkDetector(b *testing.B) {
	p := loadFuncs(b, "concurrent/detector")
	for _, bench := range []struct{ name, alone string }{
		{"sumsAmong", "sumsAlone"}, {"sortAmong", "sortAlone"}, {"wordsAmong", "wordsAlone"}, {"jsonAmong", "jsonAlone"},
		{"matrix", ""}, {"bank", ""}, {"pipeline", ""}, {"counters", ""},
	} {
		b.Run(bench.name, func(b *testing.B) {
			one := func(r *runner) float64 {
				start := time.Now()
				if trace, err := r.Run(b.Context(), &run.Plan{}, run.NonPreemptive{}); err != nil || trace.Outcome != run.Finished {
					b.Fatal(err, trace)
				}
				return float64(time.Since(start))
			}
			runners := []*runner{p.runner(b, bench.name), p.runner(b, bench.name)}
			runners[1].Unwatched = true
			if bench.alone != "" {
				runners = append(runners, p.runner(b, bench.alone))
			}
			least := make([]float64, len(runners))
			for i, r := range runners {
				r.Output = nil
				least[i] = math.Inf(1)
			}
			measure := func() {
				for i, r := range runners {
					least[i] = min(least[i], one(r))
				}
			}
			for range 100 {
				measure()
			}
			for b.Loop() {
				measure()
			}
			b.ReportMetric(100*(least[0]-least[1])/least[0], "share-%")
			if bench.alone != "" {
				b.ReportMetric(least[0]/least[2], "x-alone")
			}
			b.ReportMetric(least[0], "least-ns")
		})
	}
}
