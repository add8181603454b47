package wcp

import (
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// pasts are, by goroutine + 1, what causally precedes its next event, its own events included only if something
// of another goroutine is in between. The steps of timers come first.
type pasts []vectorclock.Clock

// of returns the past of a goroutine. It is valid until it grows.
func (p pasts) of(g schedule.GoroutineID) vectorclock.Clock {
	if int(g)+1 < len(p) {
		return p[g+1]
	}
	return nil
}

// at returns where the past of a goroutine is kept.
func (p *pasts) at(g schedule.GoroutineID) *vectorclock.Clock {
	for len(*p) <= int(g)+1 {
		*p = append(*p, nil)
	}
	return &(*p)[g+1]
}

// join makes all that a clock covers precede what a goroutine does next.
func (p *pasts) join(g schedule.GoroutineID, c vectorclock.Clock) {
	if len(c) > 0 {
		p.at(g).Join(c)
	}
}

// add makes an event, and what happened before it, precede what a goroutine does next.
func (p *pasts) add(g schedule.GoroutineID, s ideal.Stamp) {
	if c := p.at(g); s.Time == 0 || !s.Before(*c) {
		s.AddTo(c)
	}
}
