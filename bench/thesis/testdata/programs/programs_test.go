// Package programs has the programs of the thesis's chapter 6 in Go, after their public descriptions. Most are of IBM's
// collection of concurrent programs with bugs, and each has the bug that it is known for, in a size of which
// all interleavings can be searched. Locks are where the Java programs have synchronized.
package programs

import (
	"sync"
	"testing"
)

// An account locks itself when it is changed. A transfer changes another one, which it has not locked.
type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
}

func (a *account) withdraw(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance -= n
}

func (a *account) transfer(to *account, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance -= n
	to.balance += n
}

func TestAccount(t *testing.T) {
	accounts := []*account{{balance: 100}, {balance: 100}}
	var wg sync.WaitGroup
	for i, a := range accounts {
		wg.Go(func() {
			a.deposit(300)
			a.withdraw(100)
			a.transfer(accounts[(i+1)%len(accounts)], 99)
		})
	}
	total := 0
	for _, a := range accounts {
		total += a.balance // before they have ended
	}
	wg.Wait()
	_ = total
}

// TestAirlineTickets has agents sell seats until one of them sees that all are sold. Nothing is locked.
func TestAirlineTickets(t *testing.T) {
	const seats, agents = 1, 3
	sold, stopped := 0, false
	var wg sync.WaitGroup
	for range agents {
		wg.Go(func() {
			if stopped {
				return
			}
			sold++
			if sold >= seats {
				stopped = true
			}
		})
	}
	wg.Wait()
}

// TestArray has two goroutines change an array under a lock, each only when it is its turn.
func TestArray(t *testing.T) {
	var mu sync.Mutex
	values, full := [2]int{}, false
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range values {
			mu.Lock()
			values[i] = i + 1
			full = i == len(values)-1
			mu.Unlock()
		}
	})
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		if full && values != [2]int{1, 2} {
			t.Error(values)
		}
	})
	wg.Wait()
}

// A boundedBuffer is a monitor, but for its counters.
type boundedBuffer struct {
	mu        sync.Mutex
	changed   *sync.Cond
	slots     [1]int
	in, out   int
	occupied  int
	halted    bool
	puts, got int // not locked
}

func (b *boundedBuffer) put(x int) {
	b.mu.Lock()
	for b.occupied == len(b.slots) {
		b.changed.Wait()
	}
	b.slots[b.in] = x
	b.in = (b.in + 1) % len(b.slots)
	b.occupied++
	b.changed.Broadcast()
	b.mu.Unlock()
	b.puts++
}

func (b *boundedBuffer) get() int {
	b.mu.Lock()
	for b.occupied == 0 && !b.halted {
		b.changed.Wait()
	}
	if b.occupied == 0 {
		b.mu.Unlock()
		return 0
	}
	x := b.slots[b.out]
	b.out = (b.out + 1) % len(b.slots)
	b.occupied--
	b.changed.Broadcast()
	b.mu.Unlock()
	b.got++
	return x
}

func TestBoundedBuffer(t *testing.T) {
	b := &boundedBuffer{}
	b.changed = sync.NewCond(&b.mu)
	sum := 0
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { b.put(i + 1) })
		wg.Go(func() { sum += b.get() })
	}
	if b.puts > 2 {
		t.Error(b.puts)
	}
	b.halted = b.got == 2
	wg.Wait()
}

// A bufWriter has writers that lock themselves and not what they share.
type bufWriter struct {
	mu   sync.Mutex
	text []byte
	end  int
}

func TestBufWriter(t *testing.T) {
	shared := &bufWriter{text: make([]byte, 4)}
	var wg sync.WaitGroup
	for i := range 2 {
		var own sync.Mutex
		wg.Go(func() {
			own.Lock()
			defer own.Unlock()
			if shared.end < len(shared.text) {
				shared.text[shared.end] = byte('a' + i)
				shared.end++
			}
		})
	}
	wg.Go(func() { // the checker
		shared.mu.Lock()
		defer shared.mu.Unlock()
		if shared.end > 0 && shared.text[0] == 0 {
			_ = shared.end
		}
	})
	wg.Wait()
}

// TestCritical has two goroutines take turns by a variable, each a bounded number of times.
func TestCritical(t *testing.T) {
	turn, inside := 0, 0
	var wg sync.WaitGroup
	for me := range 2 {
		wg.Go(func() {
			for range 2 {
				if turn == me {
					inside++
					turn = 1 - me
				}
			}
		})
	}
	wg.Wait()
}

// A sorter counts its goroutines, and reads that count without its lock.
type sorter struct {
	mu      sync.Mutex
	running int
}

func (s *sorter) sort(values []int) {
	if len(values) < 2 {
		return
	}
	left, right := values[:len(values)/2], values[len(values)/2:]
	var wg sync.WaitGroup
	if s.running < 2 {
		s.mu.Lock()
		s.running++
		s.mu.Unlock()
		wg.Go(func() {
			s.sort(left)
			s.mu.Lock()
			s.running--
			s.mu.Unlock()
		})
	} else {
		s.sort(left)
	}
	s.sort(right)
	wg.Wait()
	merged := make([]int, 0, len(values))
	for len(left) > 0 && len(right) > 0 {
		from := &left
		if right[0] < left[0] {
			from = &right
		}
		merged = append(merged, (*from)[0])
		*from = (*from)[1:]
	}
	merged = append(append(merged, left...), right...)
	copy(values, merged)
}

func TestMergeSort(t *testing.T) {
	values := []int{3, 1, 4, 2}
	new(sorter).sort(values)
	for i, v := range values {
		if v != i+1 {
			t.Fatal(values)
		}
	}
}

// A ball is passed by setting the variable in which it is to nil for a while.
type ball struct{ hits int }

func TestPingPong(t *testing.T) {
	current := &ball{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mine := current
			current = nil
			if mine != nil {
				mine.hits++
				current = mine
			}
		})
	}
	wg.Wait()
}

// A tour is the best one so far of a travelling salesman. It is looked at without the lock first.
type tour struct {
	mu     sync.Mutex
	length int
	cities []int
}

func (b *tour) visit(distance [][]int, visited []int, length int) {
	if length >= b.length { // not locked
		return
	}
	last := visited[len(visited)-1]
	if len(visited) == len(distance) {
		length += distance[last][visited[0]]
		if length < b.length { // not locked
			b.mu.Lock()
			if length < b.length {
				b.length, b.cities = length, append([]int(nil), visited...)
			}
			b.mu.Unlock()
		}
		return
	}
next:
	for city := range distance {
		for _, v := range visited {
			if v == city {
				continue next
			}
		}
		b.visit(distance, append(visited[:len(visited):len(visited)], city), length+distance[last][city])
	}
}

func TestTSP(t *testing.T) {
	distance := [][]int{{0, 2, 9}, {1, 0, 6}, {15, 7, 0}}
	best := &tour{length: 1000}
	var wg sync.WaitGroup
	for first := 1; first < len(distance); first++ {
		wg.Go(func() { best.visit(distance, []int{0, first}, distance[0][first]) })
	}
	wg.Wait()
	if best.length != 17 {
		t.Error(best.length, best.cities)
	}
}

// FuzzListing has the program of listing 6.1. Its third race, at out, needs an input, and one order of three events.
func FuzzListing(f *testing.F) {
	f.Add(7)
	f.Fuzz(func(t *testing.T, y int) {
		if y < 0 || y > 10 {
			return
		}
		x, out := 0, "-"
		var wg sync.WaitGroup
		wg.Go(func() {
			x = 6
			if y < 4 {
				out = "a"
			}
		})
		wg.Go(func() {
			x = 2
			if y*y+5 < x*x {
				out = "b"
			}
		})
		wg.Wait()
		_ = out
	})
}
