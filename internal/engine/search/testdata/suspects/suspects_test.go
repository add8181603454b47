package suspects

import (
	"fmt"
	"sync"
	"testing"
)

type account struct {
	mu    sync.Mutex
	n     int
	owner *int
}

type bank struct{ a, b account }

func (b *bank) forth() {
	b.a.mu.Lock()
	b.b.mu.Lock()
	b.a.n, b.b.n = b.a.n-1, b.b.n+1
	b.b.mu.Unlock()
	b.a.mu.Unlock()
}

func (b *bank) back() {
	b.b.mu.Lock()
	b.a.mu.Lock()
	b.a.n, b.b.n = b.a.n+1, b.b.n-1
	b.a.mu.Unlock()
	b.b.mu.Unlock()
}

// TestBank deadlocks.
func TestBank(t *testing.T) {
	b := new(bank)
	go b.forth()
	b.back()
}

// TestGate has a cycle of locks that a third one keeps from a deadlock.
func TestGate(t *testing.T) {
	b := new(bank)
	var gate sync.Mutex
	go func() {
		gate.Lock()
		b.forth()
		gate.Unlock()
	}()
	gate.Lock()
	b.back()
	gate.Unlock()
}

// TestOnce races only if one goroutine is the first.
func TestOnce(t *testing.T) {
	var mu sync.Mutex
	x, y, z := 0, 0, 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		x++
		if x == 2 {
			y = 1
		}
		mu.Unlock()
		z++
		done <- true
	}()
	mu.Lock()
	x++
	one := x == 1
	mu.Unlock()
	if one {
		_ = y
	}
	<-done
	z++
}

// TestNil follows a pointer that another goroutine sets to nil in between.
func TestNil(t *testing.T) {
	a := &account{owner: new(int)}
	go func() {
		a.mu.Lock()
		a.owner = nil
		a.mu.Unlock()
	}()
	a.mu.Lock()
	has := a.owner != nil
	a.mu.Unlock()
	if has {
		a.mu.Lock()
		defer a.mu.Unlock()
		*a.owner = 1
	}
}

// TestClosed sends on a channel that may be closed, and divides by what is never 0.
func TestClosed(t *testing.T) {
	c := make(chan int, 1)
	go close(c)
	c <- 1
	n := 3
	for i := 1; i < 3; i++ {
		n /= i
	}
}

// TestIndex takes an element of a list that has become shorter.
func TestIndex(t *testing.T) {
	var mu sync.Mutex
	list := []int{1, 2, 3}
	go func() {
		mu.Lock()
		list = list[:1]
		mu.Unlock()
	}()
	mu.Lock()
	last := len(list) - 1
	mu.Unlock()
	mu.Lock()
	list[last] = list[0]
	if len(list) > 3 {
		panic("longer")
	}
	mu.Unlock()
}

// A Stack has exported methods, which reflection could call, and is printed.
type Stack struct{ list []int }

func (s *Stack) Push(n int) { s.list = append(s.list, n) }

func (s *Stack) Len() int { return len(s.list) }

// TestSequential starts no goroutine, but for a subtest for which it waits.
func TestSequential(t *testing.T) {
	s := &Stack{}
	s.Push(1)
	t.Run("push", func(t *testing.T) { s.Push(2) })
	t.Cleanup(func() { s.Push(3) })
	t.Log(fmt.Sprint(s), s.Len())
}
