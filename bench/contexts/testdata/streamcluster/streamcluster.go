// Package streamcluster is after PARSEC's program of that name: goroutines cluster points that come in a stream, each a part
// of them, with barriers between the steps. Costs are integers here. What goroutines share are variables of the package.
package streamcluster

import "sync"

// most is how many points there are, at most, and mostWorkers how many workers.
const (
	most        = 8
	mostWorkers = 4
)

// What the workers share.
var (
	n        int8 // points
	workers  int8
	facility int32 // cost of one more centre

	x, y   [most]int32 // where points are
	weight [most]int32
	assign [most]int8 // the centre of a point
	cost   [most]int32

	centre   [most]bool
	switches [most]bool         // it is nearer to the candidate
	savings  [mostWorkers]int32 // by worker
	opened   bool               // what the first worker has decided
	centres  int32
)

// dist returns the distance of two points.
func dist(i, j int8) int32 {
	dx, dy := x[i]-x[j], y[i]-y[j]
	if dx < 0 {
		dx = -dx
	}
	if dy < 0 {
		dy = -dy
	}
	return dx + dy
}

// speedy opens centres one after the other, where that saves something.
func speedy(id int8) {
	size := n / workers
	begin := size * id
	end := begin + size
	if id == workers-1 {
		end = n
	}
	for i := begin; i < end; i++ {
		cost[i] = dist(i, 0) * weight[i]
		assign[i] = 0
	}
	if id == 0 {
		centre[0] = true
		centres = 1
	}
	for candidate := int8(1); candidate < n; candidate++ {
		barrier() // context: streamcluster, 3 goroutines
		gain(id, begin, end, candidate)
	}
	barrier()
}

// gain finds out what it saves to open a centre, and opens it if it saves more than it costs.
func gain(id, begin, end, candidate int8) {
	saved := int32(0)
	for i := begin; i < end; i++ {
		d := dist(i, candidate) * weight[i]
		switches[i] = d < cost[i]
		if d < cost[i] {
			saved += cost[i] - d
		}
	}
	savings[id] = saved
	barrier()
	if id == 0 {
		total := -facility
		for i := int8(0); i < workers; i++ {
			total += savings[i]
		}
		opened = total > 0
		if opened {
			centre[candidate] = true
			centres++
		}
	}
	barrier()
	if !opened {
		return
	}
	for i := begin; i < end; i++ {
		if switches[i] {
			cost[i] = dist(i, candidate) * weight[i]
			assign[i] = candidate
		}
	}
}

// run clusters the points.
func run() {
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() { speedy(id) })
	}
	wg.Wait()
}
