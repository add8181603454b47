package reach

import (
	"sync"
	"sync/atomic"
	"testing"
)

type account struct {
	mu     sync.Mutex
	amount int
	closed bool
}

func (a *account) deposit(n int) {
	a.mu.Lock()   // TestAccount
	a.amount += n // TestAccount
	if a.closed { // TestAccount
		a.amount = 0 // TestAccount
	}
	a.mu.Unlock() // TestAccount
}

func (a *account) close() {
	a.mu.Lock()       // TestAccount
	if a.amount > 1 { // TestAccount
		a.closed = true // TestAccount
	}
	a.mu.Unlock() // TestAccount
}

func TestAccount(t *testing.T) {
	a := new(account)
	go a.deposit(2)
	a.close()
}

// TestWorkers has two symmetric goroutines.
func TestWorkers(t *testing.T) {
	var mu sync.Mutex
	n := 0
	for range 2 {
		go func() {
			mu.Lock() // TestWorkers
			n++       // TestWorkers
			first := n == 1
			mu.Unlock() // TestWorkers
			if !first {
				n := 0
				sink.Store(int32(n)) // TestWorkers
			}
		}()
	}
	if n < 0 {
		n++ // TestWorkers
	}
}

var sink atomic.Int32

// TestStarts has symmetric goroutines, of which there may be one or two at each of its lines.
func TestStarts(t *testing.T) {
	var n atomic.Int32
	for range 2 {
		go func() { // TestStarts
			if n.Add(1) == 2 { // TestStarts
				sink.Store(1) // TestStarts
			}
		}()
	}
	if n.Load() > 2 { // TestStarts
		sink.Store(2) // TestStarts
	}
}

// TestJobs has symmetric goroutines that meet the one that has started them.
func TestJobs(t *testing.T) {
	jobs := make(chan int)
	for range 2 {
		go func() {
			if n := <-jobs; n == 2 { // TestJobs
				sink.Store(1) // TestJobs
			}
		}()
	}
	jobs <- 1 // TestJobs
	jobs <- 2 // TestJobs
	if sink.Load() > 1 {
		sink.Store(2) // TestJobs
	}
}

// A slot has a value, or somebody waits for it.
type slot struct {
	mu   sync.RWMutex
	cond *sync.Cond
	full bool
}

func (s *slot) take() {
	s.mu.Lock() // TestWaiting
	for !s.full {
		s.cond.Wait() // TestWaiting
	}
	s.full = false // TestWaiting
	s.mu.Unlock()
}

func TestWaiting(t *testing.T) {
	s := new(slot)
	s.cond = sync.NewCond(&s.mu)
	go s.take()
	s.mu.Lock()
	s.full = true   // TestWaiting
	s.cond.Signal() // TestWaiting
	s.mu.Unlock()   // TestWaiting
}
