// Command warnings has what static analysis warns of, and what looks like it and is safe.
package main

import "sync"

type table struct {
	mu      sync.Mutex
	entries map[string]int
	last    *int
}

var (
	a, b  = newTable(), newTable()
	count int
)

func newTable() *table { return &table{entries: map[string]int{}} }

// put is safe: both hold the lock.
func (t *table) put(key string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries[key] = n
	t.last = &n
}

// size reads without the lock.
func (t *table) size() int { return len(t.entries) }

var first, second sync.Mutex

func forth() {
	first.Lock()
	second.Lock()
	count++
	second.Unlock()
	first.Unlock()
}

func back() {
	second.Lock()
	first.Lock()
	count--
	first.Unlock()
	second.Unlock()
}

// share divides and indexes.
func share(list []int, n int) int {
	if n == 3 {
		panic("three")
	}
	total := 0
	for i := range list {
		total += list[i]
	}
	return total/n + list[n]
}

// A list does not know the lock under which its owner uses it.
type list struct{ n int }

func (l *list) add()     { l.n++ }
func (l *list) get() int { return l.n }

type owner struct {
	mu   sync.Mutex
	list *list
}

func (o *owner) add() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list.add()
}

func (o *owner) get() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.list.get()
}

// early gives the lock back before it uses the list, and has it again afterwards.
type early struct {
	mu   sync.Mutex
	list *list
}

func (e *early) add() {
	e.mu.Lock()
	e.with()
	e.mu.Unlock()
}

func (e *early) with() {
	e.mu.Unlock()
	e.list.inc()
	e.mu.Lock()
}

func (l *list) inc() { l.n += 2 }

func deliver(c chan int, of any) {
	c <- of.(int)
}

func main() {
	c := make(chan int, 2)
	count = 1
	o := &owner{list: &list{}}
	go o.add()
	o.get()
	e := &early{list: &list{}}
	go e.add()
	e.add()
	go a.put("x", 1)
	go forth()
	go deliver(c, 1)
	b.put("y", a.size())
	back()
	close(c)
	println(share([]int{1, 2}, <-c), *a.last)
}
