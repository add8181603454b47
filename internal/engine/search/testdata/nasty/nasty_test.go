// Package nasty has tests that are hard on what a search does between its runs: many like
// events on one object, long chains, large maps, deep expressions and long runs.
package nasty

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// sends has n goroutines send to a channel that has room for all.
func sends(n int) {
	ch := make(chan int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { ch <- i })
	}
	wg.Wait()
}

// receives has n goroutines send what one receives.
func receives(n int) {
	ch := make(chan int, n)
	for i := range n {
		go func() { ch <- i }()
	}
	for range n {
		<-ch
	}
}

// attempts has n goroutines send to a channel that has no room for all of them, or do without.
func attempts(n int) {
	ch := make(chan int, n/4)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			select {
			case ch <- i:
			default:
			}
		})
	}
	wg.Wait()
}

// selects has n goroutines send to one of two channels, from which one receives.
func selects(n int) {
	a, b := make(chan int, n), make(chan int, n)
	for i := range n {
		go func() {
			select {
			case a <- i:
			case b <- i:
			}
		}()
	}
	for range n {
		select {
		case <-a:
		case <-b:
		}
	}
}

func TestSends24(t *testing.T)    { sends(24) }
func TestSends55(t *testing.T)    { sends(55) }
func TestReceives24(t *testing.T) { receives(24) }
func TestReceives55(t *testing.T) { receives(55) }
func TestAttempts24(t *testing.T) { attempts(24) }
func TestAttempts55(t *testing.T) { attempts(55) }
func TestSelects24(t *testing.T)  { selects(24) }
func TestSelects55(t *testing.T)  { selects(55) }

func TestBubbleSends24(t *testing.T)    { synctest.Test(t, func(*testing.T) { sends(24) }) }
func TestBubbleSends55(t *testing.T)    { synctest.Test(t, func(*testing.T) { sends(55) }) }
func TestBubbleReceives24(t *testing.T) { synctest.Test(t, func(*testing.T) { receives(24) }) }
func TestBubbleReceives55(t *testing.T) { synctest.Test(t, func(*testing.T) { receives(55) }) }
func TestBubbleAttempts24(t *testing.T) { synctest.Test(t, func(*testing.T) { attempts(24) }) }
func TestBubbleAttempts55(t *testing.T) { synctest.Test(t, func(*testing.T) { attempts(55) }) }
func TestBubbleSelects55(t *testing.T)  { synctest.Test(t, func(*testing.T) { selects(55) }) }

func TestBubbleIdle24(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		ch := make(chan int, 24)
		for i := range 24 {
			go func() {
				time.Sleep(time.Duration(i%3) * time.Second)
				ch <- i
			}()
		}
		synctest.Wait()
		time.Sleep(5 * time.Second)
	})
}

func TestWaitGroup55(t *testing.T) {
	var wg sync.WaitGroup
	for range 55 {
		wg.Add(2)
		go func() {
			wg.Done()
			wg.Done()
		}()
	}
	wg.Wait()
}

func TestCond55(t *testing.T) {
	var (
		mu    sync.Mutex
		cond  = sync.NewCond(&mu)
		ready int
		wg    sync.WaitGroup
	)
	for range 55 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for ready++; ready < 55; {
				cond.Wait()
			}
			cond.Signal()
			cond.Broadcast()
		})
	}
	wg.Wait()
}

func TestAtomic55(t *testing.T) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 55 {
		wg.Go(func() {
			for v := n.Load(); !n.CompareAndSwap(v, v+1); v = n.Load() {
			}
		})
	}
	wg.Wait()
}

func TestSections(t *testing.T) {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 6000 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// panics panics in a deferred call of a deferred call, n deep.
func panics(n int) {
	defer func() {
		if n > 0 {
			panics(n - 1)
		}
	}()
	panic(n)
}

func TestPanics(t *testing.T) {
	defer func() { recover() }()
	panics(20_000)
}

func TestUnrecovered(t *testing.T) { panics(20_000) }

// wrapped recovers and panics again, n times.
func wrapped(n int) {
	defer func() {
		if err, _ := recover().(error); err != nil {
			panic(fmt.Errorf("level %d: %w", n, err))
		}
	}()
	if n == 0 {
		panic(errors.New("bottom"))
	}
	wrapped(n - 1)
}

func TestRepanics(t *testing.T) {
	defer func() { recover() }()
	wrapped(500)
}

// timers lets a timer start the next one, n times.
func timers(n int, done chan bool) {
	if n == 0 {
		close(done)
		return
	}
	time.AfterFunc(time.Second, func() { timers(n-1, done) })
}

func TestTimers(t *testing.T) {
	done := make(chan bool)
	timers(5000, done)
	<-done
}

func TestBubbleTimers(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		done := make(chan bool)
		timers(5000, done)
		<-done
	})
}

// spawns lets a goroutine start the next one, n times.
func spawns(n int, done chan bool) {
	if n == 0 {
		close(done)
		return
	}
	go spawns(n-1, done)
}

func TestSpawns(t *testing.T) {
	done := make(chan bool)
	spawns(5000, done)
	<-done
}

func TestLargeMap(t *testing.T) {
	m := map[int]int{}
	for i := range 100_000 {
		m[i] = i
	}
	var first []string
	for k := range m {
		if len(first) < 10 {
			first = append(first, fmt.Sprint(k))
		}
	}
	if first[0] == "77" && first[1] == "5" {
		t.Log(first)
	}
}

func depth(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + depth(n-1)
}

func TestDeepRecursion(t *testing.T) {
	if depth(200_000) != 200_000 {
		t.Fatal("wrong")
	}
}

func FuzzDeepExpression(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, a, b uint64) {
		n := 0
		for i := range 20_000 {
			if (a>>(uint(i)%64))&1 != b>>((uint(i)*7)%64)&1 {
				n++
			}
		}
		if n == 12_345 && strings.Contains(s, "abc") {
			t.Fatal("found")
		}
	})
}

func FuzzCubes(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		x, y, z := uint64(a&0xffff), uint64(b&0xffff), uint64(c&0xffff)
		if x > 0 && y > 0 && x*x*x+y*y*y == z*z*z {
			t.Fatal("Fermat was wrong")
		}
	})
}

func FuzzLongString(f *testing.F) {
	f.Fuzz(func(t *testing.T, a string) {
		s := strings.Repeat(a, 1<<16)
		if strings.Contains(s, "ab") && strings.Count(s, "b") > 99_999 && len(s) > 1<<18 {
			t.Fatal("found")
		}
	})
}

func TestEndless(t *testing.T) {
	for x := 0; x >= 0; x++ {
	}
}

func TestEndlessSteps(t *testing.T) {
	var n atomic.Int64
	go func() {
		for {
			n.Add(1)
		}
	}()
	for n.Load() >= 0 {
		n.Add(1)
	}
}

// A run with a finding that can be made smaller for long.
func TestLateFailure(t *testing.T) {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2000 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	x := 0
	for i := range 2_000_000 {
		x ^= i
	}
	t.Fatal(n, x)
}
