// Package live has functions that end with goroutines which are blocked. The comments say
// which of them are a deadlock, or what can still wake those that remain, by the functions
// that the goroutines run.
package live

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func receive(c chan int) { <-c }

func send(c chan int) { c <- 1 }

func each(c chan int) {
	for range c {
	}
}

func lock(mu *sync.Mutex) { mu.Lock() }

func tick() {
	for range time.Tick(time.Second) {
	}
}

func nap() {
	for {
		time.Sleep(time.Second)
	}
}

// want: leak send
func leak() { go send(make(chan int)) }

// want: leak send, leak lock, timer tick
func leakBesideTicker() {
	go tick()
	mu := new(sync.Mutex)
	mu.Lock()
	go send(make(chan int))
	go lock(mu)
}

// Two that could wake each other, but wait.
//
// want: leak forward, leak forward, timer nap
func ring() {
	go nap()
	a, b := make(chan int), make(chan int)
	go forward(a, b)
	go forward(b, a)
}

func forward(from, to chan int) { to <- <-from }

// What a goroutine needs no more it cannot use to wake another.
//
// want: timer nap, leak send
func forgotten() {
	c := make(chan int)
	go beginsWith(c)
	send(c)
	go send(c)
}

func beginsWith(c chan int) {
	<-c
	nap()
}

// want: timer poll, timer each, timer relay, timer each
func chain() {
	a, b, c := make(chan int), make(chan int), make(chan int)
	go poll(a)
	go each(b)
	go relay(a, b)
	go each(c)
	time.AfterFunc(time.Hour, func() { set(func() { c <- 1 }) })
}

func poll(c chan int) {
	for range time.Tick(time.Second) {
		select {
		case c <- 1:
		default:
		}
	}
}

func relay(from, to chan int) {
	for v := range from {
		to <- v
	}
}

func set(f func()) {
	f()
	time.AfterFunc(time.Hour, func() { set(f) })
}

// A ticker alone wakes nobody who does not wait for it.
//
// want: leak receive
func tickerOnly() {
	c := make(chan int)
	t := time.NewTicker(time.Second)
	go func(c chan int) { receive(c) }(c)
	<-t.C
}

var (
	jobs    = make(chan int)
	pool    = &struct{ queue chan int }{make(chan int)}
	guard   sync.Mutex
	stopped atomic.Bool
	pending map[string]chan int
	group   sync.WaitGroup
	cond    = sync.NewCond(new(sync.Mutex))
)

// want: background each, background each, background lock, background wait, background condWait, background spin
func variables() {
	guard.Lock()
	group.Add(1)
	pending = map[string]chan int{"a": make(chan int)}
	go each(jobs)
	go each(pending["a"])
	go lock(&guard)
	go wait(&group)
	go condWait(cond)
	go spin(&stopped)
}

func wait(wg *sync.WaitGroup) { wg.Wait() }

func condWait(c *sync.Cond) {
	c.L.Lock()
	c.Wait()
}

func spin(b *atomic.Bool) {
	for !b.Load() {
		runtime.Gosched()
	}
}

// What a variable does not hold any more it cannot reach.
//
// want: leak each, background each, leak each
func replaced() {
	go each(pool.queue)
	pool.queue = make(chan int)
	go each(pool.queue)
	pending = map[string]chan int{"a": make(chan int), "b": make(chan int)}
	go each(pending["a"])
	delete(pending, "a")
}

// want: leak spin, leak wait, leak condWait
func unreachable() {
	go spin(new(atomic.Bool))
	wg := new(sync.WaitGroup)
	wg.Add(1)
	go wait(wg)
	go condWait(sync.NewCond(new(sync.Mutex)))
}

// want: leak done
func neverCancelled() {
	ctx, _ := context.WithCancel(context.Background())
	go done(ctx)
}

func done(ctx context.Context) { <-ctx.Done() }

// want: none
func timedOut() {
	ctx, _ := context.WithTimeout(context.Background(), time.Hour)
	go done(ctx)
}

// want: deadlock main
func receives() {
	go tick()
	<-make(chan int)
}

// want: deadlock main
func locksTwice() {
	go nap()
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// want: deadlock main, deadlock send
func waits() {
	go tick()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		send(make(chan int))
	}()
	wg.Wait()
}

// Those that are blocked beside are part of it.
//
// want: deadlock main, deadlock receive
func besides() {
	go tick()
	go receive(make(chan int))
	select {}
}

// A goroutine that is not blocked may live on something else than time.
//
// want: deadlock main
func counts() {
	go func() {
		for n := 0; n >= 0; n++ {
			runtime.Gosched()
		}
	}()
	<-make(chan int)
}

// want: deadlock main, deadlock main, deadlock lock, deadlock lock
func bubble() {
	go tick()
	synctest.Test(new(testing.T), func(*testing.T) {
		var mu sync.Mutex
		mu.Lock()
		go lock(&mu)
		lock(&mu)
	})
}

// A goroutine that takes its time wakes the others in the end.
//
// want: none
func late() {
	c := make(chan int)
	go func() {
		for range 100 {
			time.Sleep(time.Second)
		}
		close(c)
	}()
	go receive(c)
	var wg sync.WaitGroup
	wg.Go(func() { <-c })
	wg.Wait()
}

// Who sleeps until the last time that the clock can represent, or waits for a timer that fires then, lives on
// timers; who waits for nothing else does not.
//
// want: timer lasting, timer receive, leak send
func endless() {
	go lasting()
	c := make(chan int)
	time.AfterFunc(math.MaxInt64, func() { c <- 1 })
	go receive(c)
	go send(make(chan int))
}

func lasting() {
	time.Sleep(math.MaxInt64)
	panic("292 years are over")
}
