// Package streamcluster is after PARSEC's program of that name: goroutines cluster points that come in a stream, each a part
// of them, with barriers between the steps. Costs are integers here.
package streamcluster

import (
	"sync"

	"github.com/everyway-go/everyway/bench/contexts/testdata/barrier"
)

// A point has a place, a weight, and the centre that it is assigned to.
type point struct {
	x, y   int
	weight int
	assign int
	cost   int
}

// A clustering is the state of the program.
type clustering struct {
	points   []point
	workers  int
	facility int // cost of one more centre

	barrier  *barrier.Barrier
	centre   []bool // by point
	switches []bool // by point: it is nearer to the candidate
	savings  []int  // by goroutine
	opened   bool   // what the first goroutine has decided
	centres  int
}

// dist returns the square of the distance of two points.
func dist(p, q *point) int {
	dx, dy := p.x-q.x, p.y-q.y
	return dx*dx + dy*dy
}

// part returns which points the goroutine with a number has.
func (c *clustering) part(id int) (begin, end int) {
	n := len(c.points)
	return n * id / c.workers, n * (id + 1) / c.workers
}

// speedy opens centres one after the other, where that saves something.
func (c *clustering) speedy(id int) {
	begin, end := c.part(id)
	for i := begin; i < end; i++ {
		p := &c.points[i]
		p.cost = dist(p, &c.points[0]) * p.weight
		p.assign = 0
	}
	if id == 0 {
		c.centre[0] = true
		c.centres = 1
	}
	for candidate := 1; candidate < len(c.points); candidate++ {
		c.barrier.Wait() // context: streamcluster, 3 goroutines
		c.gain(id, candidate)
	}
	c.barrier.Wait()
}

// gain finds out what it saves to open a centre, and opens it if it saves more than it costs.
func (c *clustering) gain(id, candidate int) {
	begin, end := c.part(id)
	saved := 0
	for i := begin; i < end; i++ {
		p := &c.points[i]
		d := dist(p, &c.points[candidate]) * p.weight
		c.switches[i] = d < p.cost
		if d < p.cost {
			saved += p.cost - d
		}
	}
	c.savings[id] = saved
	c.barrier.Wait()
	if id == 0 {
		total := -c.facility
		for _, s := range c.savings {
			total += s
		}
		c.opened = total > 0
		if c.opened {
			c.centre[candidate] = true
			c.centres++
		}
	}
	c.barrier.Wait()
	if !c.opened {
		return
	}
	for i := begin; i < end; i++ {
		if c.switches[i] {
			p := &c.points[i]
			p.cost = dist(p, &c.points[candidate]) * p.weight
			p.assign = candidate
		}
	}
}

// run clusters the points.
func (c *clustering) run() {
	c.barrier = barrier.New(c.workers)
	c.centre = make([]bool, len(c.points))
	c.switches = make([]bool, len(c.points))
	c.savings = make([]int, c.workers)
	var wg sync.WaitGroup
	for id := range c.workers {
		wg.Go(func() { c.speedy(id) })
	}
	wg.Wait()
}
