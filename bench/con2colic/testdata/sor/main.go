// Sor is the successive over-relaxation of the Java Grande benchmarks in two
// threads, with integers for numbers: each thread has half of the rows, and
// relaxes the red cells and then the black ones. A barrier is between the two
// colours, but there is none between the black cells of one sweep and the red
// ones of the next: a thread can find a row of its neighbour too new.
package main

import "sync"

const (
	size    = 6 // rows and columns, the fixed border included
	sweeps  = 1
	workers = 2
)

// A barrier lets parties goroutines wait for each other, again and again.
type barrier struct {
	mu      sync.Mutex
	turn    sync.Cond
	parties int
	arrived int
}

func newBarrier(parties int) *barrier {
	b := &barrier{parties: parties}
	b.turn.L = &b.mu
	return b
}

// wait waits until all parties have called it.
func (b *barrier) wait() {
	b.mu.Lock()
	b.arrived++
	if b.arrived == b.parties {
		b.arrived = 0
		b.turn.Broadcast()
	} else {
		b.turn.Wait()
	}
	b.mu.Unlock()
}

// A row is a row of the grid.
type row struct {
	mu    sync.Mutex
	age   int // half sweeps that it has been through
	cells [size]int
}

// A grid is what is relaxed.
type grid struct {
	rows    [size]row
	barrier *barrier
}

// colour is the colour of the cells that a half sweep relaxes.
type colour int

const (
	red colour = iota
	black
)

func newGrid() *grid {
	g := &grid{barrier: newBarrier(workers)}
	for i := range g.rows {
		for j := range g.rows[i].cells {
			switch {
			case i == 0 || i == size-1:
				g.rows[i].cells[j] = 100 // the border
			case j == 0 || j == size-1:
				g.rows[i].cells[j] = -100
			case i == j:
				g.rows[i].cells[j] = 10 // inside, to begin with
			default:
				g.rows[i].cells[j] = -10
			}
		}
	}
	return g
}

// relax gives the inner cells of row i that have the colour the mean of
// themselves, twice, and of their neighbours in the rows that the thread has.
func (g *grid) relax(i, first, last int, c colour) {
	r := &g.rows[i]
	for j := 1; j < size-1; j++ {
		if (i+j)%2 != int(c) {
			continue
		}
		sum, n := 2*r.cells[j], 2
		if j > 1 {
			sum, n = sum+r.cells[j-1], n+1
		}
		if j < size-2 {
			sum, n = sum+r.cells[j+1], n+1
		}
		if i > first {
			sum, n = sum+g.rows[i-1].cells[j], n+1
		}
		if i < last {
			sum, n = sum+g.rows[i+1].cells[j], n+1
		}
		if sum < 0 {
			sum -= n / 2 // round away from zero
		} else {
			sum += n / 2
		}
		r.cells[j] = sum / n
	}
}

// borrow takes note of row i, which the other thread has. It must have been
// through as many half sweeps as age says.
func (g *grid) borrow(i, age int) {
	r := &g.rows[i]
	r.mu.Lock()
	now := r.age
	r.mu.Unlock()
	if now > age {
		panic("sor: the row of the neighbour is too new")
	}
}

// done counts a half sweep for row i.
func (g *grid) done(i int) {
	r := &g.rows[i]
	r.mu.Lock()
	r.age++
	r.mu.Unlock()
}

// run relaxes the rows from first to last, next to the row neighbour.
func (g *grid) run(first, last, neighbour int) {
	edge := first
	if neighbour > last {
		edge = last
	}
	for s := range sweeps {
		for i := first; i <= last; i++ {
			g.relax(i, first, last, red)
		}
		g.done(edge)
		g.barrier.wait()
		g.borrow(neighbour, 2*s+1)
		for i := first; i <= last; i++ {
			g.relax(i, first, last, black)
		}
		g.done(edge)
	}
}

func main() {
	g := newGrid()
	var wg sync.WaitGroup
	for w := range workers {
		half := (size - 2) / workers
		first := 1 + w*half
		neighbour := first - 1
		if w == 0 {
			neighbour = first + half
		}
		wg.Go(func() { g.run(first, first+half-1, neighbour) })
	}
	wg.Wait()
}
