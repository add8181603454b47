package vm_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

// A run of a small concurrent program: what it costs to rewind, schedule, and
// follow the accesses, in steps of a random schedule.
func BenchmarkRun(b *testing.B) {
	for _, bench := range []struct{ dir, fn string }{
		{"mixed", "manyLocks"}, {"mixed", "pipeline"}, {"channels", "selectSendReceive"}, {"time", "timeout"},
	} {
		b.Run(bench.fn, func(b *testing.B) {
			r := loadFuncs(b, "concurrent/"+bench.dir).runner(b, bench.fn)
			sched := vm.Random(1)
			b.ReportAllocs()
			for b.Loop() {
				r.run(b, &vm.Plan{}, sched)
			}
		})
	}
}
