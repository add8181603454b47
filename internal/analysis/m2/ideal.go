package m2

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/schedule"
)

// A window is what has to be known of the steps of a reorder.Window.
type window struct {
	*reorder.Window
	needs    *reorder.Needs
	threads  [][]int // the steps of each goroutine
	thread   []int   // by step: the goroutine's index in threads
	place    []int   // by step: how many steps of its goroutine are before it
	source   []int   // by step: the one that has written what it reads, or unwritten
	sections [][]section
}

// unwritten stands for a write that is not in the window.
const unwritten = -1

// A section is a critical section of a lock.
type section struct {
	*reorder.Section
	thread int // that has taken the lock, -1 if it has no steps
}

func newWindow(w *reorder.Window) *window {
	n := len(w.Steps)
	x := &window{Window: w, needs: w.Needs(), thread: make([]int, n), place: make([]int, n), source: make([]int, n)}
	threads := map[schedule.GoroutineID]int{}
	byOrder := map[int64]int{} // writes
	for i := range w.Steps {
		s := &w.Steps[i]
		t, ok := threads[s.Goroutine]
		if !ok {
			t = len(x.threads)
			threads[s.Goroutine] = t
			x.threads = append(x.threads, nil)
		}
		x.thread[i], x.place[i] = t, len(x.threads[t])
		x.threads[t] = append(x.threads[t], i)
		x.source[i] = unwritten
		if s.Reads() {
			if from, ok := byOrder[s.From()]; ok {
				x.source[i] = from
			}
		}
		if s.Writes() {
			byOrder[s.Site.Order] = i
		}
	}
	for _, list := range w.Sections() {
		if len(list) < 2 {
			continue
		}
		sections := make([]section, len(list))
		for i, s := range list {
			sections[i] = section{s, -1}
			if t, ok := threads[s.Goroutine]; ok {
				sections[i].thread = t
			}
		}
		x.sections = append(x.sections, sections)
	}
	return x
}

// A prefix is an ideal: it says how many steps of each goroutine are kept.
type prefix []int

func (x *window) has(in prefix, i int) bool { return x.place[i] < in[x.thread[i]] }

// A closure is an ideal that grows, and must not have either of two accesses.
type closure struct {
	*window
	a, b int
	in   prefix
	todo []int
}

// want adds step i and what is before it.
func (c *closure) want(i int) {
	t := c.thread[i]
	for n := c.in[t]; n <= c.place[i]; n++ {
		c.todo = append(c.todo, c.threads[t][n])
	}
	c.in[t] = max(c.in[t], c.place[i]+1)
}

// close adds what the steps need and have read. It reports whether the accesses are still left out.
func (c *closure) close() bool {
	for len(c.todo) > 0 {
		if c.has(c.in, c.a) || c.has(c.in, c.b) {
			return false
		}
		i := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		for _, j := range c.needs.Others[i] {
			c.want(j)
		}
		if c.source[i] != unwritten {
			c.want(c.source[i])
		}
	}
	return !c.has(c.in, c.a) && !c.has(c.in, c.b)
}

// ideal returns the least feasible ideal after which steps a and b are next. A critical section that has begun is also
// ended in it, if there is another of its lock, unless that needs a or b.
func (x *window) ideal(a, b int) (in prefix, ok bool) {
	c := closure{window: x, a: a, b: b, in: make(prefix, len(x.threads))}
	for _, i := range [...]int{a, b} {
		if p := x.needs.Previous[i]; p >= 0 {
			c.want(p)
		}
		for _, j := range x.needs.Ready[i] {
			c.want(j)
		}
	}
	if !c.close() {
		return nil, false
	}
	stuck := map[*reorder.Section]bool{} // that cannot be ended
	for added := true; added; {
		added = false
		for _, list := range x.sections {
			added = c.release(list, stuck) || added
		}
	}
	return c.in, true
}

// release ends the critical sections of a lock. It reports whether the ideal has grown.
func (c *closure) release(list []section, stuck map[*reorder.Section]bool) (added bool) {
	kept := 0
	for _, s := range list {
		if s.Acquire < 0 || c.has(c.in, s.Acquire) {
			kept++
		}
	}
	if kept < 2 {
		return false
	}
	for _, s := range list {
		if s.Acquire >= 0 && !c.has(c.in, s.Acquire) || s.Release < 0 || c.has(c.in, s.Release) || stuck[s.Section] {
			continue
		}
		before := slices.Clone(c.in)
		if c.want(s.Release); c.close() {
			added = true
			continue
		}
		c.in, c.todo = before, c.todo[:0]
		stuck[s.Section] = true
	}
	return added
}
