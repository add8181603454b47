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
