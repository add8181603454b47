package con2colic

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// A wanderer is the scheduler of the runs that look for shared objects. The
// first of them goes on with each goroutine as long as that is possible, the
// others choose at random.
type wanderer struct {
	random *rand.Rand // nil: go on
}

func newWanderer(seed uint64, run int) *wanderer {
	if run == 0 {
		return &wanderer{}
	}
	return &wanderer{rand.New(rand.NewPCG(seed, uint64(run)))}
}

// Choose implements vm.Scheduler.
func (w *wanderer) Choose(p *run.SchedulingPoint) int {
	switch {
	case w.random == nil && p.Kind == run.Value:
		return 0
	case w.random == nil:
		return runOn(p)
	case p.Kind == run.Value:
		return w.random.IntN(p.N)
	}
	return w.random.IntN(len(p.Enabled))
}
