package dedup

import "sync"

// size is one more than there can be in a queue.
const size = 3

// The queues are between the stages.
const (
	fragments = iota
	refined
	unique
	packed
	count
)

var queues [count]queue

// A queue is at its end when all who put something into it have said so.
type queue struct {
	mu               sync.Mutex
	data             [size]chunk
	head, tail       int32
	producers, ended int32
}

// Conditions are those of a queue.
var conditions [count]struct{ notEmpty, notFull sync.Cond }

func init() {
	for i := range queues {
		conditions[i].notEmpty.L = &queues[i].mu
		conditions[i].notFull.L = &queues[i].mu
	}
}

func (q *queue) empty() bool { return q.head == q.tail }

func (q *queue) full() bool {
	next := q.head + 1
	if next == size {
		next = 0
	}
	return next == q.tail
}

// enqueue waits for room, and puts c into a queue.
func enqueue(n int, c chunk) {
	q := &queues[n]
	q.mu.Lock()
	for q.full() {
		conditions[n].notFull.Wait()
	}
	q.data[q.head] = c
	q.head++
	if q.head == size {
		q.head = 0
	}
	conditions[n].notEmpty.Signal()
	q.mu.Unlock()
}

// dequeue waits for a chunk, and takes it. It returns false at the end.
func dequeue(n int) (c chunk, ok bool) {
	q := &queues[n]
	q.mu.Lock()
	for q.empty() && q.ended < q.producers {
		conditions[n].notEmpty.Wait()
	}
	if q.empty() {
		conditions[n].notEmpty.Broadcast()
		q.mu.Unlock()
		return chunk{}, false
	}
	c = q.data[q.tail]
	q.tail++
	if q.tail == size {
		q.tail = 0
	}
	conditions[n].notFull.Signal()
	q.mu.Unlock()
	return c, true
}

// end says that one of those who put something into a queue will not do so any more.
func end(n int) {
	q := &queues[n]
	q.mu.Lock()
	q.ended++
	conditions[n].notEmpty.Broadcast()
	q.mu.Unlock()
}
