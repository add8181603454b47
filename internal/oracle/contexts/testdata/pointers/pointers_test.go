// Package pointers has programs in the middle of which memory is known, or seems to be.
package pointers

import (
	"sync"
	"testing"
)

type node struct {
	next  *node
	value int
	pair  [2]int
}

type list struct {
	head, tail *node
	size       int
}

func (l *list) push(v int) {
	n := &node{value: v}
	if l.tail == nil {
		l.head = n
	} else {
		l.tail.next = n
	}
	l.tail = n
	l.size++
}

func (l *list) pop() (v int, ok bool) {
	n := l.head
	if n == nil {
		return 0, false
	}
	l.head = n.next
	if l.head == nil {
		l.tail = nil
	}
	l.size--
	return n.value, true
}

func TestList(t *testing.T) {
	l := new(list)
	for i := range 3 {
		l.push(i * i)
	}
	sum := 0
	for {
		v, ok := l.pop()
		if !ok {
			break
		}
		sum += v
	}
	if sum != 5 || l.size != 0 {
		t.Error("sum")
	}
}

// Two pointers to one variable: what was stored through one is not what is there after a store through the other.
func twoWays(p, q *int) int {
	*p = 1
	*q = 2
	r := *p
	*p = r + 1
	return r + *q
}

func TestTwoWays(t *testing.T) {
	var x, y int
	got := twoWays(&x, &y)
	got += twoWays(&x, &x)
	if got != 3+5 {
		t.Error(got)
	}
}

// What was read before a store is not what is there after it.
func changes(n *node) int {
	before := n.value
	n.value = before + 1
	touch(n)
	after := n.value
	n.pair[0] = after
	n.pair[before&1] = 7
	return before + after + n.pair[0]
}

func touch(n *node) {
	if n.next != nil {
		n.next.value++
	}
}

func TestChanges(t *testing.T) {
	n := &node{value: 3}
	n.next = n
	changes(n)
	m := &node{value: 4, next: &node{}}
	changes(m)
}

// A variable that a closure and a goroutine write.
func TestCaptured(t *testing.T) {
	x, y, z := 1, 2, 3
	add := func(n int) { x += n }
	add(4)
	y = x
	done := make(chan bool)
	go func() {
		z = 4
		done <- true
	}()
	y++
	w := z
	<-done
	if y+z+w < 0 {
		t.Error("negative")
	}
	z = 5
	y = z
	_ = y
}

// What is set before it is shared is what all goroutines see.
type config struct {
	limit int
	name  string
	mu    sync.Mutex
	used  int
	nodes []*node
}

func newConfig(limit int) *config {
	c := &config{limit: limit, name: "c"}
	c.limit++
	c.nodes = append(c.nodes, &node{value: limit})
	return c
}

func (c *config) use() bool {
	limit := c.limit
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used >= limit {
		return false
	}
	used := c.used
	c.used = used + 1
	return c.used <= c.limit
}

func TestConfig(t *testing.T) {
	c := newConfig(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.use()
		}()
	}
	c.use()
	wg.Wait()
}

// In a loop, a definition is that of the last time.
func TestLoop(t *testing.T) {
	var last *node
	total := 0
	for i := range 4 {
		n := &node{value: i, next: last}
		if i%2 == 0 {
			n.pair[1] = i
		}
		last = n
		total += n.value
		if n.next != nil {
			n.next.value = total
		}
	}
	for n := last; n != nil; n = n.next {
		total += n.value
	}
	if total < 0 {
		t.Error("negative")
	}
}

// Arrays and structs in registers, which are stored to in parts.
func TestParts(t *testing.T) {
	var a [3]int
	b := node{value: 2}
	a[1] = b.value
	c := b
	b.value++
	c.pair[1] = b.value
	d := a
	a[0], a[1] = a[1], a[0]
	b.next = &c
	e := *b.next
	c.value = 9
	if a[0]+d[1]+e.value != 6 {
		t.Error(a, d, e)
	}
}

// Package variables.
var (
	current *node
	count   int
	fixed   = 7
	calls   [3]int
)

func TestVariables(t *testing.T) {
	count = fixed
	for range 2 {
		count++
		step(count)
	}
	if current.value+count+calls[1] == 0 {
		t.Error("zero")
	}
}

func step(n int) {
	was := count
	current = &node{next: current, value: n}
	calls[n%3] += was
	if current.next != nil {
		current.next.value++
		count += fixed
	}
}

// Calls that are given, and those that panic.
func TestRecovers(t *testing.T) {
	x := 1
	p := &x
	func() {
		defer func() {
			recover()
			*p = 5
		}()
		*p = 3
		fails(p)
		*p = 4
	}()
	x++
	if x == 0 {
		t.Error("zero")
	}
}

func fails(p *int) {
	if *p == 3 {
		*p = 7
		panic("three")
	}
	*p = 8
}

func outer(l *list, v int) int {
	l.size = v
	n := &node{value: v}
	inner(l, n)
	return l.size + n.value
}

func inner(l *list, n *node) {
	l.head = n
	size := l.size
	n.value += size
	l.size = n.value
}

func TestNested(t *testing.T) {
	var l list
	outer(&l, 2)
	outer(&l, 3)
}
