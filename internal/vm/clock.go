package vm

// A vclock is a vector clock: for each goroutine of the run, by slot, up to
// which of its stretches everything has happened before. Missing entries are 0.
// A goroutine's own entry is the number of its present stretch; a new stretch
// begins after each operation that others can synchronise with.
type vclock []uint32

// join makes c the later of c and d, entry by entry.
func (c *vclock) join(d vclock) {
	for len(*c) < len(d) {
		*c = append(*c, 0)
	}
	for i, t := range d {
		if t > (*c)[i] {
			(*c)[i] = t
		}
	}
}

// at returns the entry of a slot.
func (c vclock) at(slot int32) uint32 {
	if int(slot) < len(c) {
		return c[slot]
	}
	return 0
}

// tick begins a new stretch of g.
func (m *Machine) tick(g *goroutine) { g.clock[g.slot]++ }

// acquire makes everything that c has seen happen before what g does next.
func (m *Machine) acquire(g *goroutine, c vclock) { g.clock.join(c) }

// release makes everything that g has done so far happen before what follows an
// acquire of c, beside what c has seen already.
func (m *Machine) release(g *goroutine, c *vclock) {
	c.join(g.clock)
	m.tick(g)
}

// releaseOnly is release, but c forgets what it has seen before.
func (m *Machine) releaseOnly(g *goroutine, c *vclock) {
	*c = append((*c)[:0], g.clock...)
	m.tick(g)
}

// meet makes what g and p have done so far happen before what either does next.
func (m *Machine) meet(g, p *goroutine) {
	g.clock.join(p.clock)
	p.clock.join(g.clock)
	m.tick(g)
	m.tick(p)
}
