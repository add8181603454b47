package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// Walk returns a scheduler that takes any of the options with equal chance.
func Walk(r *rand.Rand) run.Scheduler { return walk{r} }

type walk struct{ rand *rand.Rand }

// Choose implements vm.Scheduler.
func (w walk) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return w.rand.IntN(pt.N)
	}
	return w.rand.IntN(len(pt.Enabled))
}
