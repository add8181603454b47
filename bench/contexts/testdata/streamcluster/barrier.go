package streamcluster

import "sync"

// The barrier is where the workers wait for one another, again and again: the one of PARSEC's programs, of a lock and a condition.
var (
	barrierMu  sync.Mutex
	all        = sync.Cond{L: &barrierMu}
	waiting    int8
	generation int8
)

// barrier returns when all workers have called it.
func barrier() {
	barrierMu.Lock()
	before := generation
	waiting++
	if waiting == workers {
		waiting = 0
		generation++
		all.Broadcast()
	} else {
		for before == generation {
			all.Wait()
		}
	}
	barrierMu.Unlock()
}
