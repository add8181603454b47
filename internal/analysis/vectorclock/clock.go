package vectorclock

import "github.com/everyway-go/everyway/schedule"

// A Clock holds a time of each goroutine, by number. Those beyond its end are 0.
type Clock []uint32

// At returns the time of a goroutine.
func (c Clock) At(g schedule.GoroutineID) uint32 {
	if int(g) < len(c) {
		return c[g]
	}
	return 0
}

// Set sets the time of a goroutine.
func (c *Clock) Set(g schedule.GoroutineID, time uint32) {
	c.grow(int(g) + 1)
	(*c)[g] = time
}

// grow makes the clock hold the times of at least n goroutines.
func (c *Clock) grow(n int) {
	if len(*c) < n {
		*c = append(*c, make(Clock, n-len(*c))...)
	}
}

// Tick advances the time of a goroutine.
func (c *Clock) Tick(g schedule.GoroutineID) { c.Set(g, c.At(g)+1) }

// Join makes c cover what d covers, too.
func (c *Clock) Join(d Clock) {
	c.grow(len(d))
	to := (*c)[:len(d)]
	for g, time := range d {
		if time > to[g] {
			to[g] = time
		}
	}
}

// Assign makes c cover what d covers, and nothing else.
func (c *Clock) Assign(d Clock) { *c = append((*c)[:0], d...) }

// Within reports whether d covers all that c does.
func (c Clock) Within(d Clock) bool {
	for g, time := range c {
		if time > d.At(schedule.GoroutineID(g)) {
			return false
		}
	}
	return true
}

// An Epoch is a time of a goroutine. The zero Epoch is before everything.
type Epoch struct {
	Goroutine schedule.GoroutineID
	Time      uint32
}

// Before reports whether what was done in the epoch happened before what c is the clock of.
func (e Epoch) Before(c Clock) bool { return e.Time <= c.At(e.Goroutine) }
