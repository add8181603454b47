package search

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/everyway-go/everyway/internal/engine/worker"
)

// TestPool has pools with fewer and more cores do pieces of work: each piece is
// done once, no worker does two at a time, and idle cores are used. Pieces take time of a
// bubble, which passes when all workers that have started are busy.
func TestPool(t *testing.T) { synctest.Test(t, testPool) }

func testPool(t *testing.T) {
	for _, size := range []int{1, 2, 3} {
		cores := newCores(size)
		if err := cores.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		p := pool{workers: []*worker.Worker{{}}, cores: cores, start: func() (*worker.Worker, error) { return &worker.Worker{}, nil }}
		var (
			mu   sync.Mutex
			busy = map[*worker.Worker]bool{}
			did  = map[*worker.Worker]int{}
			now  atomic.Int32
		)
		enter := func(w *worker.Worker, in bool) {
			mu.Lock()
			defer mu.Unlock()
			if busy[w] == in {
				t.Error("a worker does two things at a time")
			}
			busy[w] = in
			did[w]++
		}
		for range 20 {
			const n = 40
			var times [n]int32
			err := p.each(n, func(w *worker.Worker, i int) error {
				enter(w, true)
				if int(now.Add(1)) > size {
					t.Errorf("more than %d workers are busy", size)
				}
				atomic.AddInt32(&times[i], 1)
				time.Sleep(50 * time.Microsecond)
				now.Add(-1)
				enter(w, false)
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range times {
				if k != 1 {
					t.Fatalf("piece %d was done %d times", i, k)
				}
			}
		}
		p.wait()
		if len(did) != size || len(p.workers) != size {
			t.Errorf("%d cores: %d of %d workers did something", size, len(did), len(p.workers))
		}
		cores.release()
		if len(cores) != 0 {
			t.Errorf("%d cores are still taken", len(cores))
		}
	}
}
