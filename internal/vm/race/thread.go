package race

// A Thread is what happens-before knows of a goroutine: its place in vector clocks, and
// what has happened before its present step.
type Thread struct {
	Slot  int32 // order of creation in the run
	Clock Clock
}

// Tick advances the time of t: what t does from now on is not what others have seen.
func (t *Thread) Tick() {
	if c := &t.Clock; int(t.Slot) < len(c.first) {
		c.first[t.Slot]++
	} else {
		c.Set(t.Slot, c.At(t.Slot)+1)
	}
}

// Acquire makes everything that c has seen happen before what t does next.
func (t *Thread) Acquire(c *Clock) { t.Clock.Join(c) }

// Release makes everything that t has done so far happen before what follows an
// Acquire of c, beside what c has seen already.
func (t *Thread) Release(c *Clock) {
	c.Join(&t.Clock)
	t.Tick()
}

// ReleaseOnly is Release, except that c forgets what it has seen before.
func (t *Thread) ReleaseOnly(c *Clock) {
	c.Assign(&t.Clock)
	t.Tick()
}

// Meet makes what t and p have done so far happen before what either does next.
func (t *Thread) Meet(p *Thread) {
	t.Clock.Join(&p.Clock)
	p.Clock.Join(&t.Clock)
	t.Tick()
	p.Tick()
}
