// Package gozero has tests of github.com/zeromicro/go-zero.
package gozero

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/collection"
	"github.com/zeromicro/go-zero/core/executors"
	"github.com/zeromicro/go-zero/core/mr"
	"github.com/zeromicro/go-zero/core/syncx"
)

// TestTimeoutLimit: Borrow tries and then waits to be woken by Return. If Return comes in
// between, Borrow times out, with an element to be borrowed all the time.
func TestTimeoutLimit(t *testing.T) {
	l := syncx.NewTimeoutLimit(1)
	if !l.TryBorrow() {
		t.Fatal("no element")
	}
	go l.Return()
	if err := l.Borrow(time.Second); err != nil {
		t.Errorf("an element was returned at once, and Borrow returned %v", err)
	}
}

// TestLessExecutor: "A LessExecutor is an executor to limit execution once within given time
// interval."
func TestLessExecutor(t *testing.T) {
	e := executors.NewLessExecutor(time.Hour)
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { e.DoOrDiscard(func() { n.Add(1) }) })
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("executed %d times within the interval", n.Load())
	}
}

// TestBulkExecutor: "Wait waits be to done with the task execution." Two calls of Add wait
// for the confirmation that their tasks have been taken, and each may get that of the other.
func TestBulkExecutor(t *testing.T) {
	var done [2]atomic.Bool
	e := executors.NewBulkExecutor(func(tasks []any) {
		for _, task := range tasks {
			done[task.(int)].Store(true)
		}
	}, executors.WithBulkTasks(1))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			e.Add(i)
			e.Wait()
			if !done[i].Load() {
				t.Errorf("Wait returned before task %d was executed", i)
			}
		})
	}
	wg.Wait()
}

// TestMapReduce: a mapper that cancels closes the channel to which the reducer is about to
// write. MapReduce panics, or leaves a goroutine behind.
func TestMapReduce(t *testing.T) {
	down := errors.New("down")
	mr.MapReduce(func(source chan<- int) {
		source <- 1
		source <- 2
	}, func(item int, writer mr.Writer[int], cancel func(error)) {
		if item == 2 {
			cancel(down)
			return
		}
		writer.Write(item)
	}, func(pipe <-chan int, writer mr.Writer[int], cancel func(error)) {
		writer.Write(<-pipe)
	})
}

// TestTimingWheel: a key that was drained cannot be set again; the wheel moves the timer that
// it has no more. It needs no interleaving.
func TestTimingWheel(t *testing.T) {
	fired := make(chan any, 2)
	w, err := collection.NewTimingWheel(time.Second, 4, func(_, value any) { fired <- value })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	w.SetTimer("a", 1, 2*time.Second)
	w.Drain(func(_, value any) { fired <- value })
	<-fired
	w.SetTimer("a", 2, 2*time.Second)
	select {
	case <-fired:
	case <-time.After(10 * time.Second):
		t.Error("a timer of 2s did not fire in 10s")
	}
}

// TestCache: Del deletes an item, and then its timer, which by then may be that of a newer
// item. That one never expires.
func TestCache(t *testing.T) {
	c, err := collection.NewCache(time.Second)
	if err != nil {
		t.Fatal(err)
	}
	c.Set("a", 1)
	var wg sync.WaitGroup
	wg.Go(func() { c.Del("a") })
	wg.Go(func() { c.Set("a", 2) })
	wg.Wait()
	time.Sleep(5 * time.Second)
	if v, ok := c.Get("a"); ok {
		t.Errorf("an item that expires after 1s, %v, is there after 5s", v)
	}
}
