package misuse

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// unlock reports a release of a lock, which is the given step, that can come before the acquisition
// by another goroutine that it releases.
func (d *detector) unlock(ctx context.Context, at int) error {
	u := &d.Steps[at]
	taking := schedule.Lock
	if u.Site.Op == schedule.RUnlock {
		taking = schedule.RLock
	}
	taken := d.takenByOther(at, taking)
	if taken < 0 || d.WasHeld(u.Site.Cell) {
		return nil
	}
	balance := 0 // of what the goroutine needs to be at the release
	var late []int
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.Site.Cell != u.Site.Cell || i == at {
			continue
		}
		switch needed := u.Follows(s); {
		case s.Site.Op == taking && !needed:
			late = append(late, i)
		case s.Site.Op == taking:
			balance++
		case s.Site.Op == u.Site.Op && needed:
			balance--
		}
	}
	if balance != 0 {
		return nil
	}
	return d.decide(ctx, analysis.UnlockOfUnlocked, taken, at, []int{at}, func(p *reorder.Problem) []order.Lit {
		return append(without(p, late), p.Next(at))
	})
}

// takenByOther returns the step at which another goroutine has taken the lock that step at releases, -1 if its own has.
func (d *detector) takenByOther(at int, taking schedule.Op) int {
	u := &d.Steps[at]
	released, other := 0, -1
	for i := at - 1; i >= 0; i-- {
		s := &d.Steps[i]
		switch {
		case s.Site.Cell != u.Site.Cell:
		case s.Site.Op == taking && s.Goroutine != u.Goroutine:
			if taking == schedule.Lock {
				return i
			}
			other = max(other, i)
		case s.Goroutine != u.Goroutine:
		case s.Site.Op == taking && released == 0:
			return -1
		case s.Site.Op == taking:
			released--
		case s.Site.Op == u.Site.Op:
			released++
		}
	}
	return other
}
