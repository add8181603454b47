// Package groups has programs with groups of goroutines that have nothing to do with each other.
package groups

import (
	"context"
	"sync"
)

func times(n int, group func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(group)
	}
	wg.Wait()
}

func cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-ctx.Done():
		case c <- 1:
		}
	})
	wg.Go(cancel)
	select {
	case <-ctx.Done():
	case <-c:
	}
	wg.Wait()
}

func locked() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	wg.Go(func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
	mu.Lock()
	n *= 2
	mu.Unlock()
	wg.Wait()
	mu.Lock()
	if n > 2 {
		panic("more than was added")
	}
	mu.Unlock()
}

// OneCancelled has one group, TwoCancelled two, and so on.
func OneCancelled()   { times(1, cancelled) }
func TwoCancelled()   { times(2, cancelled) }
func ThreeCancelled() { times(3, cancelled) }

func OneLocked()   { times(1, locked) }
func TwoLocked()   { times(2, locked) }
func ThreeLocked() { times(3, locked) }

// FirstCloses, SecondCloses and LastCloses have selects that meet if neither knows of the close, which keeps both from it.
func FirstCloses()  { meet(0) }
func SecondCloses() { meet(1) }
func LastCloses()   { meet(2) }

// meet starts two goroutines that may meet, and one that closes a channel at which both wait.
func meet(closes int) {
	done := make(chan bool)
	c := make(chan int)
	met := make(chan bool, 2)
	var wg sync.WaitGroup
	start := []func(){
		func() {
			select {
			case <-done:
			case c <- 1:
				met <- true
			}
		},
		func() {
			select {
			case <-done:
			case <-c:
				met <- true
			}
		},
	}
	for i := range 3 {
		if i == closes {
			wg.Go(func() { close(done) })
		} else {
			wg.Go(start[0])
			start = start[1:]
		}
	}
	wg.Wait()
	if len(met) == 2 {
		panic("met")
	}
}

// Signals has goroutines that signal, where nobody waits, what they have put into a list.
func Signals() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c.Signal()
			c.Broadcast()
		})
	}
	wg.Wait()
}

// Woken has two that signal, and two that wait: each of those that signal may wake each of the others, and one that waits later is woken by nobody.
func Woken() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	var wg sync.WaitGroup
	first := 0
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			c.Wait()
			if first == 0 {
				first = 1 + i
			}
			mu.Unlock()
		})
		wg.Go(c.Signal)
	}
	wg.Wait()
	if first == 2 {
		panic("the second one")
	}
}

// Notified has goroutines that send where nobody receives, unless they cannot, before a section and after it.
func Notified() {
	c := make(chan bool)
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	notify := func() {
		select {
		case c <- true:
		default:
		}
	}
	for range 4 {
		wg.Go(func() {
			notify()
			mu.Lock()
			n++
			mu.Unlock()
			notify()
		})
	}
	wg.Wait()
}

// Polled has two that look whether there is something in a channel into which the second one puts something after that: the first one may find it.
func Polled() {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-c:
			panic("something")
		default:
		}
	})
	wg.Go(func() {
		select {
		case <-c:
		default:
		}
		c <- 1
	})
	wg.Wait()
}

// A flight is what callers wait for that have come while somebody was at it.
type flight struct {
	wg      sync.WaitGroup
	waiting int
}

// fly has n goroutines call a function of which callers share a call, as of golang.org/x/sync/singleflight: the first one adds to a wait group, and is done
// itself.
func fly(n int) {
	var mu sync.Mutex
	var now *flight
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			if f := now; f != nil {
				f.waiting++
				mu.Unlock()
				f.wg.Wait()
				return
			}
			f := new(flight)
			f.wg.Add(1)
			now = f
			mu.Unlock()
			mu.Lock()
			f.wg.Done()
			now = nil
			mu.Unlock()
		})
	}
	wg.Wait()
}

// ThreeFly, FourFly and FiveFly have so many goroutines that share calls.
func ThreeFly() { fly(3) }
func FourFly()  { fly(4) }
func FiveFly()  { fly(5) }
