package con2colic

import (
	"maps"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// discoveries is the number of runs that look for shared objects before the search begins.
const discoveries = 3

// A discovery finds out which objects are shared: used by more than one goroutine and written
// by one, perhaps in different runs, since in most of them one goroutine runs exclusively.
type discovery struct {
	usages map[run.ObjectID]usage
	shared map[run.ObjectID]bool
}

// A usage sums up the accesses to an object in all runs.
type usage struct {
	goroutine      int32 // the first that used it
	several, wrote bool
}

// learn adds the accesses of a run. It reports whether there are new shared objects.
func (d *discovery) learn(accesses []run.Access) (found bool) {
	for _, a := range accesses {
		u, ok := d.usages[a.Object]
		if !ok {
			u.goroutine = a.Goroutine
		}
		u.several = u.several || u.goroutine != a.Goroutine
		u.wrote = u.wrote || a.Wrote
		d.usages[a.Object] = u
		if u.several && u.wrote && !d.shared[a.Object] {
			if !found {
				// The plans of earlier jobs keep the set they were given.
				d.shared = maps.Clone(d.shared)
				found = true
			}
			d.shared[a.Object] = true
		}
	}
	return found
}

// A sequential scheduler lets each goroutine run as long as it can.
type sequential struct{}

// Choose implements run.Scheduler.
func (sequential) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return 0
	}
	return p.Continue()
}

// discoveryScheduler returns the scheduler of the nth run that looks for shared objects: the
// first is sequential, the others are random walks.
func discoveryScheduler(n int, seed uint64) run.Scheduler {
	if n == 0 {
		return sequential{}
	}
	return run.RandomWalk(rand.New(rand.NewPCG(seed, uint64(n))))
}
