package main

import "sync"

// What the lines say is between which numbers the variable or field is that they declare: while nobody holds its lock, and ever.

const size = 2

type queue struct { // related: queue.next + queue.occupied + queue.first = 0 mod 2
	mu       sync.Mutex
	more     sync.Cond
	buf      [size]int
	occupied int  // queue.occupied [0,2], [0,2] with its lock held
	next     int  // queue.next [0,1], [0,2] with its lock held
	first    int  // queue.first [0,1], [0,2] with its lock held
	closed   int8 // queue.closed [0,1], [0,1] with its lock held
	put      int
	limit    int // queue.limit [2,5]
}

func newQueue(limit int) *queue {
	q := &queue{limit: limit}
	q.more.L = &q.mu
	return q
}

func (q *queue) add(x int) bool {
	q.mu.Lock()
	if q.closed == 1 {
		q.mu.Unlock()
		return false
	}
	for q.occupied >= size {
		q.more.Wait()
	}
	q.buf[q.next] = x
	q.next++ // held: q.next
	if q.next == size {
		q.next = 0
	}
	q.occupied++
	q.put++
	q.more.Broadcast()
	q.mu.Unlock() // held: q.occupied
	return true   // free: q.occupied
}

func (q *queue) take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.occupied == 0 {
		q.more.Wait()
	}
	x := q.buf[q.first]
	q.first++
	if q.first >= size {
		q.first = 0
	}
	q.occupied--
	q.more.Broadcast()
	return x
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = 1
	q.mu.Unlock()
}

// A gauge goes over its end before it may panic, and a deferred call unlocks it then.
type gauge struct {
	mu sync.RWMutex
	n  int // gauge.n [0,4], [0,4] with its lock held
	of []int
}

func (g *gauge) up(i int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n < 4 {
		g.n++
	}
	g.of[i] = g.n
	if g.n == 4 {
		g.n = 1
	}
}

func (g *gauge) value() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.n
}

// A leaky number is written without its lock by one.
type leaky struct {
	mu   sync.Mutex
	n    int
	kind int8 // leaky.kind [0,3]
}

func (l *leaky) up() {
	l.mu.Lock()
	if l.n < 3 {
		l.n++
	}
	l.mu.Unlock()
}

func (l *leaky) set(kind int8) {
	l.n = 2 * l.n
	if kind >= 0 && kind < 4 {
		l.kind = kind
	}
}

// A foreign lock is unlocked by those that have not locked it.
type foreign struct {
	mu sync.Mutex
	n  int
}

func (f *foreign) up() {
	f.mu.Lock()
	if f.n < 3 {
		f.n++
	}
	if f.n == 3 {
		f.n = 0
	}
	f.mu.Unlock()
}

func (f *foreign) open() { f.mu.Unlock() }

// A renamed struct has another type, with which it is written.
type renamed struct {
	mu sync.Mutex
	n  int
}

type other renamed

func (r *renamed) set() {
	r.mu.Lock()
	r.n = 1
	r.mu.Unlock()
	(*other)(r).n = 7
}

// A helped number is changed by a function that its caller has locked it for.
type helped struct {
	mu sync.Mutex
	n  int // helped.n [0,5], [0,5] with its lock held
}

func (h *helped) step() {
	if h.n < 5 {
		h.n++
	}
}

func (h *helped) up() {
	h.mu.Lock()
	h.step()
	h.mu.Unlock()
}

var (
	mu      sync.Mutex
	turns   int // turns [0,9], [0,10] with its lock held
	total   int
	mode    int8 // mode [0,2]
	workers = 3  // workers [0,4]
)

func turn() {
	mu.Lock()
	turns++
	if turns > 9 {
		turns = 0
	}
	total += turns
	mu.Unlock()
}

// A tally is put aside while its goroutine goes round a loop: what it is then grows from one iteration to the next.
type tally struct {
	mu sync.Mutex
	n  int // tally.n [0,0], [-9223372036854775808,9223372036854775807] with its lock held
}

func (t *tally) count(k int, noisy bool) {
	t.mu.Lock()
	for range k {
		x := t.n
		t.n = 0
		if noisy {
			println(k)
		}
		t.n = x + 1
	}
	t.n = 0
	t.mu.Unlock()
}

// A moved number is over its end when a pointer to another one turns out to be nil, and a deferred call unlocks it then.
type moved struct {
	n int // moved.n [0,2], [0,2] with its lock held
}

func (m *moved) from(other *moved) {
	mu.Lock()
	defer mu.Unlock()
	m.n = 2
	other.n = 1
	m.n = 1
}

// A ring counts what is in it, too.
type ring struct {
	mu               sync.Mutex
	full             sync.Cond
	of               [3]int
	in, count, out   int // ring.in [0,2], [0,3] with its lock held
	done, gets, puts int // ring.out [0,2], [0,2] with its lock held
	odd              int // ring.count [0,3], [0,3] with its lock held
	// related: ring.in - ring.count - ring.out = 0 mod 3
	// related: ring.done + ring.gets - ring.puts = 0
}

func (r *ring) put(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.count == len(r.of) {
		r.full.Wait()
	}
	r.of[r.in] = x
	r.in++
	if r.in == len(r.of) {
		r.in = 0
	}
	r.count++
	r.counted()
	r.done++
	if x > 0 {
		r.odd++
	}
}

func (r *ring) counted() {
	r.puts++
}

func (r *ring) get() (x int) {
	r.mu.Lock()
	if r.count > 0 {
		x = r.of[r.out]
		r.out = (r.out + 1) % len(r.of)
		r.count--
		r.gets++
		r.done--
	}
	r.mu.Unlock()
	return x
}

// A loose ring takes more out than it says, if there is no more, and lets go of the lock between two steps.
type loose struct {
	mu       sync.Mutex
	of       [3]int
	in, put  int // loose.in [0,2], [0,3] with its lock held
	out, get int // loose.out [0,2], [0,2] with its lock held
}

func (l *loose) add(x int) {
	l.mu.Lock()
	l.of[l.in] = x
	l.in++
	if l.in == len(l.of) {
		l.in = 0
	}
	l.mu.Unlock()
	l.mu.Lock()
	l.put++
	l.mu.Unlock()
}

func (l *loose) take(xs []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.get++
	xs[0] = l.of[l.out]
	l.out = (l.out + 1) % len(l.of)
}

func work(q *queue, g *gauge, l *leaky, f *foreign, h *helped, x int) {
	q.add(x)
	q.take()
	q.close()
	g.up(0)
	l.up()
	l.set(int8(x))
	f.up()
	f.open()
	new(renamed).set()
	h.up()
	new(tally).count(x, true)
	new(moved).from(&moved{})
	new(moved).from(nil)
	r := new(ring)
	r.full.L = &r.mu
	go r.put(x)
	r.get()
	l3 := new(loose)
	go l3.add(x)
	l3.take(nil)
	turn()
	if g.value() > 1 {
		mode = 2
	} else {
		mode = 1
	}
}

func main() {
	workers = 4
	q, g, l, f, h := newQueue(size), &gauge{of: make([]int, 3)}, new(leaky), new(foreign), new(helped)
	go work(newQueue(5), g, l, f, h, 1)
	go work(q, g, l, f, h, 2)
	work(q, g, l, f, h, 3)
}
