package search

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/fault"
)

// cores are shared by the searches of several targets: a search holds one for each worker
// that is busy.
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

// A pool holds the workers of one search. The first is there from the beginning; the
// others are started beside the search, once it has lasted longer than starting one takes.
type pool struct {
	workers []*worker.Worker
	cores   cores
	start   func() (*worker.Worker, error) // starts another worker

	since    time.Time     // when the first worker was ready
	delay    time.Duration // from then on, before another is started
	starting chan started  // result of the start that is under way, nil for none
	err      error         // of a start: there will be no more
}

// A started is the result of starting a worker.
type started struct {
	worker *worker.Worker
	err    error
}

// watchEvery is how often the work of a pool is looked at.
const watchEvery = 100 * time.Millisecond

// each calls do for 0 to n-1, each call with a worker that does nothing else meanwhile, and
// returns the first error, a panic too, when no worker is busy any more. Meanwhile it calls
// watch now and then, unless that is nil. The search holds a core for its first worker; more
// work when cores are idle.
func (p *pool) each(n int, do func(w *worker.Worker, i int) error, watch func()) error {
	p.grow(n)
	if fault.Is(p.err) {
		return p.err
	}
	if n == 1 && watch == nil {
		return do(p.workers[0], 0)
	}
	var next atomic.Int64
	next.Store(int64(n))
	work := func(w *worker.Worker) (err error) {
		defer fault.Catch(&err)
		// The last first: what is at the front of a frontier is small, and the large
		// ones are not to be what everyone waits for in the end.
		for {
			i := int(next.Add(-1))
			if i < 0 {
				return nil
			}
			if err := do(w, i); err != nil {
				return err
			}
		}
	}
	var group errgroup.Group
	for i := 1; i < min(n, len(p.workers)) && p.cores.tryTake(); i++ {
		group.Go(func() error {
			defer p.cores.release()
			return work(p.workers[i])
		})
	}
	group.Go(func() error { return work(p.workers[0]) })
	done := make(chan error, 1)
	go func() { done <- group.Wait() }()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var failed error
	for {
		select {
		case err := <-done:
			return cmp.Or(failed, err)
		case <-tick.C:
			if watch != nil && failed == nil {
				failed = fault.Do(func() error { watch(); return nil })
			}
		}
	}
}

// grow adds the worker that has been started, and starts another when there is work for it
// and a core.
func (p *pool) grow(work int) {
	if p.starting != nil {
		select {
		case s := <-p.starting:
			p.add(s)
		default:
			return
		}
	}
	if len(p.workers) >= min(work, cap(p.cores)) || p.err != nil || time.Since(p.since) < p.delay || !p.cores.tryTake() {
		return
	}
	p.starting = make(chan started, 1)
	go func() {
		defer p.cores.release()
		var s started
		s.err = fault.Do(func() (err error) { s.worker, err = p.start(); return err })
		p.starting <- s
	}()
}

func (p *pool) add(s started) {
	p.starting = nil
	if s.err != nil {
		p.err = s.err // the search goes on with the workers it has
		return
	}
	p.workers = append(p.workers, s.worker)
}

// wait waits for the worker that is being started, if any.
func (p *pool) wait() {
	if p.starting != nil {
		p.add(<-p.starting)
	}
}

// close gives up the workers, because the search has ended with an error or without one. After
// a fault nobody knows what state their machines are in.
func (p *pool) close(err error) {
	p.wait()
	for _, w := range p.workers {
		if !fault.Is(err) {
			w.Close()
		}
	}
	p.workers = nil
}
