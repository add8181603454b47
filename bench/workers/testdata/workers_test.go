// Package workers has tests whose goroutines do the same.
package workers

import (
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"
)

// count: n goroutines add to a variable under a lock.
func count(t *testing.T, n int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			sum++
			mu.Unlock()
		}()
	}
	wg.Wait()
	if sum != n {
		t.Error(sum)
	}
}

// queue: n workers take the jobs from a channel, which has n of them and is closed.
func queue(t *testing.T, n int) {
	jobs := make(chan int, n)
	for i := range n {
		jobs <- i
	}
	close(jobs)
	work(t, n, jobs, func() {})
}

// feed: n workers take n jobs from a channel without a buffer.
func feed(t *testing.T, n int) {
	jobs := make(chan int)
	work(t, n, jobs, func() {
		for i := range n {
			jobs <- i
		}
		close(jobs)
	})
}

// work starts n workers, then calls feed, and checks the sum of the n jobs.
func work(t *testing.T, n int, jobs chan int, feed func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				mu.Lock()
				sum += j
				mu.Unlock()
			}
		}()
	}
	feed()
	wg.Wait()
	if sum != n*(n-1)/2 {
		t.Error(sum)
	}
}

// semaphore: n goroutines, of which two at a time have a place in a channel.
func semaphore(t *testing.T, n int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	places := make(chan struct{}, 2)
	busy := 0
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			places <- struct{}{}
			mu.Lock()
			busy++
			if busy > 2 {
				t.Error(busy)
			}
			mu.Unlock()
			mu.Lock()
			busy--
			mu.Unlock()
			<-places
		}()
	}
	wg.Wait()
}

// group: n functions of an errgroup, of which two run at a time.
func group(t *testing.T, n int) {
	var g errgroup.Group
	var mu sync.Mutex
	g.SetLimit(2)
	sum := 0
	for range n {
		g.Go(func() error {
			mu.Lock()
			sum++
			mu.Unlock()
			return nil
		})
	}
	if err := g.Wait(); err != nil || sum != n {
		t.Error(err, sum)
	}
}

func TestCount4(t *testing.T)  { count(t, 4) }
func TestCount6(t *testing.T)  { count(t, 6) }
func TestCount8(t *testing.T)  { count(t, 8) }
func TestCount12(t *testing.T) { count(t, 12) }
func TestCount16(t *testing.T) { count(t, 16) }

func TestQueue4(t *testing.T) { queue(t, 4) }
func TestQueue6(t *testing.T) { queue(t, 6) }
func TestQueue8(t *testing.T) { queue(t, 8) }

func TestFeed4(t *testing.T) { feed(t, 4) }
func TestFeed6(t *testing.T) { feed(t, 6) }
func TestFeed8(t *testing.T) { feed(t, 8) }

func TestSemaphore4(t *testing.T) { semaphore(t, 4) }
func TestSemaphore6(t *testing.T) { semaphore(t, 6) }
func TestSemaphore8(t *testing.T) { semaphore(t, 8) }

func TestGroup4(t *testing.T) { group(t, 4) }
func TestGroup6(t *testing.T) { group(t, 6) }
func TestGroup8(t *testing.T) { group(t, 8) }
