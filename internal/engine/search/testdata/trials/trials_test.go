// Package trials has a place to which many abstract traces lead, few of them as they are.
package trials

import (
	"sync"
	"testing"
)

type register struct {
	mu   sync.Mutex
	a, b int
	n    int
}

func (r *register) add(n int) {
	r.mu.Lock()
	r.n += n
	r.mu.Unlock()
}

func (r *register) first(v int) {
	r.mu.Lock()
	r.a = v
	r.mu.Unlock()
}

func (r *register) second(v int) {
	r.mu.Lock()
	r.b = v
	r.mu.Unlock()
}

func (r *register) swap() {
	r.mu.Lock()
	r.a, r.b = r.b, r.a
	r.mu.Unlock()
}

func (r *register) check() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.meets()
}

func (r *register) meets() bool {
	if r.a == 7 && r.b == 3 {
		if r.n == 6 {
			return true // the place
		}
	}
	return false
}

func TestTrials(t *testing.T) {
	r := new(register)
	for i := range 3 {
		go func() {
			r.add(i + 1)
			r.first(2*i + 1)
			r.check()
		}()
		go func() {
			r.second(2*i + 3)
			r.swap()
			r.check()
		}()
	}
	go r.swap()
	r.second(5)
	r.check()
}
