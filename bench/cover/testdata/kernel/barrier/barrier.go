// Package barrier is the barrier of SPLASH-2's programs and of PARSEC's, of a lock and a condition variable.
package barrier

import "sync"

// A Barrier is where a number of goroutines wait for one another, again and again.
type Barrier struct {
	mu         sync.Mutex
	all        sync.Cond
	parties    int
	waiting    int
	generation int
}

// New returns a barrier for a number of goroutines.
func New(parties int) *Barrier {
	b := &Barrier{parties: parties}
	b.all.L = &b.mu
	return b
}

// Wait returns when all goroutines have called it.
func (b *Barrier) Wait() {
	b.mu.Lock()
	generation := b.generation
	b.waiting++
	if b.waiting == b.parties {
		b.waiting = 0
		b.generation++
		b.all.Broadcast()
	} else {
		for generation == b.generation {
			b.all.Wait()
		}
	}
	b.mu.Unlock()
}
