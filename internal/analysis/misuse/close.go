package misuse

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// maxChecks is how many of the steps of a goroutine before a close may be what the close depends on.
const maxChecks = 64

// closes reports the goroutines that can close a channel, too, which the given step closes. They
// have found it closed, where the goroutine of the step has found it open: by the default case of a
// select, or by a value that they have read.
func (d *detector) closes(ctx context.Context, closing int) error {
	c := &d.Steps[closing]
	left := maxChecks
	for check := closing - 1; check >= 0 && left > 0; check-- {
		s := &d.Steps[check]
		if s.Goroutine != c.Goroutine {
			continue
		}
		left--
		if s.Site.Location == 0 {
			continue
		}
		var err error
		switch {
		case s.Site.Op == schedule.SelectDefault && s.Site.Cell == c.Site.Cell:
			err = d.closesAfterSelect(ctx, check, closing)
		case s.Site.Op == schedule.Read || s.Site.Op == schedule.AtomicRead:
			err = d.closesAfterRead(ctx, check, closing)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// closesAfterSelect reports the selects that have found a channel closed at the place where step
// check has taken the default case, before the channel was closed.
func (d *detector) closesAfterSelect(ctx context.Context, check, closing int) error {
	first, c := &d.Steps[check], &d.Steps[closing]
	for at := range d.Steps {
		s := &d.Steps[at]
		if s.Site.Op != schedule.RecvClosed || s.Site.Cell != c.Site.Cell ||
			s.Site.Location != first.Site.Location || s.Goroutine == c.Goroutine ||
			s.Choice == nil || !s.Choice.Default || len(s.Choice.Cases) != 1 {
			continue
		}
		turned := s.Site
		turned.Turn = &analysis.Turn{Op: schedule.SelectDefault, Cell: c.Site.Cell, Case: schedule.NoCase}
		err := d.decideSites(ctx, analysis.CloseOfClosed, c.Site, turned, []int{at, closing}, func(p *reorder.Problem) []order.Lit {
			literals := []order.Lit{p.Next(at), p.Next(closing)}
			for i := range d.Steps {
				if d.Steps[i].Site.Op == schedule.Send && d.Steps[i].Site.Cell == c.Site.Cell {
					literals = append(literals, p.Kept(i).Not())
				}
			}
			return literals
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// closesAfterRead reports the reads that have seen something else than step check has, at the same
// place, but can see the same before a channel is closed. What they read is a mark that the channel
// is closed: it is not taken for one unless the goroutine that closes the channel is the only one
// that changes it.
func (d *detector) closesAfterRead(ctx context.Context, check, closing int) error {
	first, c := &d.Steps[check], &d.Steps[closing]
	if !d.marks(check, c.Goroutine) {
		return nil
	}
	for at := range d.Steps {
		s := &d.Steps[at]
		if s.Site.Op != first.Site.Op || s.Site.Cell != first.Site.Cell ||
			s.Site.Location != first.Site.Location || s.Goroutine == c.Goroutine || !s.SeesOther(first) {
			continue
		}
		err := d.decideSites(ctx, analysis.CloseOfClosed, c.Site, s.Site, []int{at, closing}, func(p *reorder.Problem) []order.Lit {
			literals := []order.Lit{p.Next(at), p.Next(closing)}
			for i := check + 1; i < len(d.Steps); i++ {
				// What was written since then is not there yet.
				if w := &d.Steps[i]; w.Kind.IsWrite() && w.Site.Cell == s.Site.Cell && i != at {
					literals = append(literals, p.Kept(i).Not())
				}
			}
			return literals
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// marks reports whether what was read in step check is written once before that, to begin with, and
// once after it, by a goroutine.
func (d *detector) marks(check int, g schedule.GoroutineID) bool {
	cell, before, after := d.Steps[check].Site.Cell, 0, 0
	for i := range d.Steps {
		switch w := &d.Steps[i]; {
		case !w.Kind.IsWrite() || w.Site.Cell != cell:
		case i < check:
			before++
		case w.Goroutine != g:
			return false
		default:
			after++
		}
	}
	return before <= 1 && after == 1
}
