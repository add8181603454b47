package race

import "github.com/everyway-go/everyway/internal/run"

// A Thread is a goroutine as the happens-before relation sees it: its index in vector
// clocks, and its own clock.
type Thread struct {
	Slot  int32 // position in the order of creation in the run
	Clock Clock
	// Held are the locks that the goroutine holds, if somebody notes them. The list is not changed in
	// place.
	Held []Lock
	// Flow is where it is recorded who learns of what, nil if nobody wants that.
	Flow *run.Flow

	own  owner // of the cells to which OwnRead and OwnWrite record accesses, 0 for none; see owner.go
	next epoch // of these accesses
}

// now returns the present time of t.
func (t *Thread) now() epoch { return epochOf(t.Slot, t.Clock.At(t.Slot)) }

// Tick advances the time of t, so that clocks released before do not cover what t does
// from now on.
func (t *Thread) Tick() {
	if c := &t.Clock; int(t.Slot) < len(c.first) {
		c.first[t.Slot]++
	} else {
		c.Set(t.Slot, c.At(t.Slot)+1)
	}
	t.next++ // if it is prepared
}

// Acquire orders everything that c covers before what t does next.
func (t *Thread) Acquire(c *Clock) {
	t.Clock.Join(c)
	t.note(run.Joined, &t.Clock, c)
}

// note records a change of a clock.
func (t *Thread) note(op run.FlowOp, to, from *Clock) {
	if t.Flow != nil {
		t.Flow.Steps = append(t.Flow.Steps, run.FlowStep{Op: op, To: to.Of, From: from.Of})
	}
}

// Release adds to c everything that t has done so far, so that it happens before what
// follows an Acquire of c.
func (t *Thread) Release(c *Clock) {
	c.Join(&t.Clock)
	t.note(run.Joined, c, &t.Clock)
	t.Tick()
}

// ReleaseOnly is like Release, except that c does not keep what it covered before.
func (t *Thread) ReleaseOnly(c *Clock) {
	c.Assign(&t.Clock)
	t.note(run.Replaced, c, &t.Clock)
	t.Tick()
}

// Synchronize orders what t and p have done so far before what either does next.
func (t *Thread) Synchronize(p *Thread) {
	t.Clock.Join(&p.Clock)
	p.Clock.Join(&t.Clock)
	t.note(run.Joined, &t.Clock, &p.Clock)
	t.note(run.Joined, &p.Clock, &t.Clock)
	t.Tick()
	p.Tick()
}
