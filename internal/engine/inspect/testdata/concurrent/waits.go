package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type queue struct {
	mu    sync.RWMutex
	cond  *sync.Cond
	items []any
	done  atomic.Bool
}

func main() {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	stop := make(chan struct{})
	var once sync.Once
	go func() {
		q.mu.RLock()
		n := len(q.items)
		q.mu.RUnlock()
		_ = n
		q.mu.Lock()
		for len(q.items) == 0 {
			q.cond.Wait()
		}
		var item any = q.items[0]
		q.mu.Unlock()
		if s, ok := item.(string); ok {
			q.done.Store(s != "")
		}
		once.Do(func() { close(stop) })
	}()
	time.Sleep(time.Second)
	q.mu.Lock()
	q.items = append(q.items, "x")
	q.cond.Signal()
	q.mu.Unlock()
	select {
	case <-stop:
	case <-time.After(time.Minute):
		panic("late")
	}
	println(q.done.Load())
}
