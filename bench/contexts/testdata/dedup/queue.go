package dedup

import "sync"

// A queue is between two stages. It has room for some chunks, and is at its end when all who put something into it have
// said so.
type queue struct {
	mu               sync.Mutex
	notEmpty         sync.Cond
	notFull          sync.Cond
	data             []*chunk
	head, tail       int
	producers, ended int
}

func newQueue(size, producers int) *queue {
	q := &queue{data: make([]*chunk, size), producers: producers}
	q.notEmpty.L, q.notFull.L = &q.mu, &q.mu
	return q
}

func (q *queue) empty() bool { return q.head == q.tail }

func (q *queue) full() bool { return (q.head+1)%len(q.data) == q.tail }

// enqueue waits for room, and puts c into the queue.
func (q *queue) enqueue(c *chunk) {
	q.mu.Lock()
	for q.full() {
		q.notFull.Wait()
	}
	q.data[q.head] = c
	q.head++
	if q.head == len(q.data) {
		q.head = 0
	}
	q.notEmpty.Signal()
	q.mu.Unlock()
}

// dequeue waits for a chunk, and takes it. It returns nil at the end.
func (q *queue) dequeue() *chunk {
	q.mu.Lock()
	for q.empty() && q.ended < q.producers {
		q.notEmpty.Wait()
	}
	if q.empty() {
		q.notEmpty.Broadcast()
		q.mu.Unlock()
		return nil
	}
	c := q.data[q.tail]
	q.tail++
	if q.tail == len(q.data) {
		q.tail = 0
	}
	q.notFull.Signal()
	q.mu.Unlock()
	return c
}

// end says that one of those who put something into the queue will not do so any more.
func (q *queue) end() {
	q.mu.Lock()
	q.ended++
	q.notEmpty.Broadcast()
	q.mu.Unlock()
}
