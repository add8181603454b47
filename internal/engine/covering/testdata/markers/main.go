// Markers has loops of all kinds.
package main

import "sync"

type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	list  []int
	open  bool
}

// get waits in a loop that is trivial.
func (q *queue) get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 0 && q.open {
		q.ready.Wait()
	}
	if len(q.list) == 0 {
		return 0, false
	}
	v := q.list[0]
	q.list = q.list[1:]
	return v, true
}

func (q *queue) put(v int) {
	q.mu.Lock()
	q.list = append(q.list, v)
	q.mu.Unlock()
	q.ready.Signal()
}

// all has a loop that each call passes.
func (q *queue) all(list []int) {
	for _, v := range list {
		q.put(v)
	}
}

func work(q *queue, sum *int, wg *sync.WaitGroup) {
	defer wg.Done()
	for {
		v, ok := q.get()
		if !ok {
			return
		}
		for i := range v { // does not synchronise
			*sum += i
		}
	}
}

func main() {
	q := &queue{open: true}
	q.ready = sync.NewCond(&q.mu)
	var wg sync.WaitGroup
	var sums [2]int
	for i := range sums { // only starts goroutines
		wg.Add(1)
		go work(q, &sums[i], &wg)
	}
	for round := range 2 { // passes the marker in all
		q.all([]int{round, 1})
	}
	for i := range 2 { // passes that of the inner loop
		for j := range i + 1 {
			if j == 1 {
				q.put(j)
			}
		}
	}
	done := make(chan bool)
	for range 2 { // starts and waits
		go func() { done <- true }()
		<-done
	}
	count(q)
	q.mu.Lock()
	q.open = false
	q.mu.Unlock()
	q.ready.Broadcast()
	wg.Wait()
}

// count has loops without conditions: the blocks of their bodies are those of the loops.
func count(q *queue) {
	for i := 0; ; i++ {
		if i == 3 {
			break
		}
		q.put(i)
	}
	for i := 0; ; i++ { // has an inner loop that does not always synchronise
		for j := range i {
			if j == 1 {
				q.put(j)
			}
		}
		if i == 2 {
			return
		}
	}
}
