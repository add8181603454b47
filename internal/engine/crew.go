package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// cores are what the searches of several targets share: a search holds one for
// each worker that is busy.
type cores chan struct{}

func newCores(n int) cores { return make(cores, n) }

// take waits for a core.
func (c cores) take(ctx context.Context) error {
	select {
	case c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tryTake takes a core when one is idle.
func (c cores) tryTake() bool {
	select {
	case c <- struct{}{}:
		return true
	default:
		return false
	}
}

func (c cores) release() { <-c }

// A crew is the workers of one search. The first is there from the beginning;
// the others start beside the search, once it has lasted longer than starting
// one takes.
type crew struct {
	workers []*worker
	cores   cores
	hire    func() (*worker, error) // starts a worker

	began    time.Time // when the first was ready
	patience time.Duration
	hired    chan hiring // results of the hire that is under way, nil for none
	fault    error       // of a hire
}

type hiring struct {
	worker *worker
	err    error
}

// each calls do for 0 to n-1, each call with a worker that does nothing else
// meanwhile, and watch now and then until they have returned. The search holds
// a core for its first worker; more work when cores are idle.
func (c *crew) each(n int, do func(w *worker, i int), watch func()) {
	c.grow(n)
	if n == 1 && watch == nil {
		do(c.workers[0], 0)
		return
	}
	var next atomic.Int64
	next.Store(int64(n))
	work := func(w *worker) {
		// The last first: what is at the front of a frontier is small, and the large
		// ones are not to be what everyone waits for in the end.
		for {
			i := int(next.Add(-1))
			if i < 0 {
				return
			}
			do(w, i)
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < min(n, len(c.workers)) && c.cores.tryTake(); i++ {
		wg.Go(func() {
			defer c.cores.release()
			work(c.workers[i])
		})
	}
	done := make(chan struct{})
	wg.Go(func() { work(c.workers[0]) })
	go func() {
		wg.Wait()
		close(done)
	}()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if watch != nil {
				watch()
			}
		}
	}
}

// watchEvery is how often the work under way is looked at.
const watchEvery = 100 * time.Millisecond

// grow takes in the worker that has been started, and starts another when there
// is work for it and a core.
func (c *crew) grow(work int) {
	if c.hired != nil {
		select {
		case h := <-c.hired:
			c.take(h)
		default:
			return
		}
	}
	if len(c.workers) >= min(work, cap(c.cores)) || c.fault != nil || time.Since(c.began) < c.patience || !c.cores.tryTake() {
		return
	}
	c.hired = make(chan hiring, 1)
	go func() {
		defer c.cores.release()
		w, err := c.hire()
		c.hired <- hiring{w, err}
	}()
}

func (c *crew) take(h hiring) {
	c.hired = nil
	if h.err != nil {
		c.fault = h.err // the search goes on with those it has
		return
	}
	c.workers = append(c.workers, h.worker)
}

// dismiss waits for the worker that is being started, if any.
func (c *crew) dismiss() {
	if c.hired != nil {
		c.take(<-c.hired)
	}
}
