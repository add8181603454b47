package leak

import (
	"context"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// turns decides the other cases of the select at a step.
func (d *detector) turns(ctx context.Context, at int) error {
	s := &d.Steps[at]
	for n, c := range s.Choice.Cases {
		if n == s.Choice.Taken || c.Object == 0 || d.history.comesBack(s.Site.Location, int32(n)) {
			continue
		}
		t := turn{at: at, with: -1, next: []int{at}, Turn: analysis.Turn{Op: c.Op, Cell: c.Cell(), Case: int32(n)}}
		possible := d.receives
		if c.Op == schedule.Send {
			possible = d.sends
		}
		if err := possible(ctx, t, c.Object); err != nil {
			return err
		}
	}
	if s.Choice.Default && s.Choice.Taken < len(s.Choice.Cases) && !d.history.comesBack(s.Site.Location, schedule.NoCase) {
		return d.takesDefault(ctx, at)
	}
	return nil
}

// receives decides a turn that receives from a channel.
func (d *detector) receives(ctx context.Context, t turn, o schedule.ObjectID) error {
	if len(d.left[t.at]) > 0 {
		closed := t
		closed.Op = schedule.RecvClosed
		for _, c := range d.waits.Closes(o) {
			closed.literals = []order.Lit{d.ask().Kept(c)}
			if err := d.decide(ctx, closed); err != nil {
				return err
			}
		}
		if d.waits.WasClosed(o) {
			if err := d.decide(ctx, closed); err != nil {
				return err
			}
		}
		for _, f := range d.fires(o) {
			fired := t
			fired.literals = []order.Lit{d.ask().Kept(f)}
			if err := d.decide(ctx, fired); err != nil {
				return err
			}
		}
	}
	if d.waits.IsTimer(o) {
		return nil
	}
	received := d.waits.Receives(o)
	for k, q := range d.waits.Sends(o) {
		s := &d.Steps[q]
		if len(d.left[t.at])+len(d.left[q]) == 0 || s.Goroutine == d.Steps[t.at].Goroutine || s.Follows(&d.Steps[t.at]) {
			continue
		}
		with := t
		with.with = q
		if d.waits.Capacity(o) == 0 {
			if d.Steps[t.at].Follows(s) {
				continue
			}
			with.next = []int{q, t.at}
		} else {
			if !d.waits.IsFresh(o) || k > len(received) {
				continue // which value is the oldest is not known
			}
			p := d.ask()
			with.literals = append(with.literals, p.Kept(q))
			if k > 0 {
				with.literals = append(with.literals, p.Kept(received[k-1]))
			}
			if k < len(received) {
				with.literals = append(with.literals, p.Kept(received[k]).Not())
			}
		}
		if err := d.decide(ctx, with); err != nil {
			return err
		}
	}
	return nil
}

// fires returns the steps at which a timer fires that sends on a channel.
func (d *detector) fires(o schedule.ObjectID) []int {
	if !d.waits.IsTimer(o) {
		return nil
	}
	var list []int
	for i := range d.Steps {
		if s := &d.Steps[i]; s.Site.Op == schedule.TimerFire && s.Site.Cell.Object == o {
			list = append(list, i)
		}
	}
	return list
}

// sends decides a turn that sends on a channel.
func (d *detector) sends(ctx context.Context, t turn, o schedule.ObjectID) error {
	if d.waits.IsTimer(o) || d.waits.WasClosed(o) {
		return nil
	}
	var open []order.Lit
	for _, c := range d.waits.Closes(o) {
		open = append(open, d.ask().Kept(c).Not())
	}
	if n := d.waits.Capacity(o); n > 0 {
		// There is room after the sends that come before it in the schedule, and some receives.
		if len(d.left[t.at]) == 0 || !d.waits.IsFresh(o) {
			return nil
		}
		p := d.ask()
		sends, receives := d.waits.Sends(o), d.waits.Receives(o)
		before := 0
		for before < len(sends) && sends[before] < t.at {
			before++
		}
		for _, q := range sends[before:] {
			open = append(open, p.Kept(q).Not())
		}
		if needed := before - int(n) + 1; needed > len(receives) {
			return nil
		} else if needed > 0 {
			open = append(open, p.Kept(receives[needed-1]))
		}
		t.literals = open
		return d.decide(ctx, t)
	}
	for _, q := range d.waits.Receives(o) {
		s := &d.Steps[q]
		if len(d.left[t.at])+len(d.left[q]) == 0 || s.Goroutine == d.Steps[t.at].Goroutine ||
			s.Follows(&d.Steps[t.at]) || d.Steps[t.at].Follows(s) {
			continue
		}
		with := t
		with.with, with.next, with.literals = q, []int{t.at, q}, open
		if err := d.decide(ctx, with); err != nil {
			return err
		}
	}
	return nil
}

// takesDefault decides that a select takes its default case: nobody has come yet to wait for one of the others.
func (d *detector) takesDefault(ctx context.Context, at int) error {
	if len(d.left[at]) == 0 {
		return nil
	}
	t := turn{at: at, with: -1, next: []int{at}, Turn: analysis.Turn{Op: schedule.SelectDefault, Case: schedule.NoCase}}
	p := d.ask()
	for _, c := range d.Steps[at].Choice.Cases {
		if c.Object == 0 {
			continue
		}
		w := d.waits.Receive(at, c.Object)
		if c.Op == schedule.Send {
			w = d.waits.Send(at, c.Object)
		}
		if w == nil {
			return nil
		}
		for _, i := range w.Partners {
			t.literals = append(t.literals, p.Kept(i).Not())
		}
		for _, i := range w.Done {
			t.literals = append(t.literals, p.Kept(i))
		}
	}
	if cases := d.Steps[at].Choice.Cases; len(cases) == 1 {
		t.Cell = cases[0].Cell()
	}
	return d.decide(ctx, t)
}

// lose reports the goroutines for which the signal at a step is too early: it comes before they begin to wait.
func (d *detector) lose(ctx context.Context, at int) error {
	s := &d.Steps[at]
	signals := d.waits.Signals(s.Site.Cell)
	if signals[len(signals)-1] != at {
		return nil // a later one may wake them
	}
	for began := range d.Steps[:at] {
		b := &d.Steps[began]
		if b.Site.Op != schedule.CondWait || b.Site.Cell != s.Site.Cell || b.Goroutine == s.Goroutine || b.Follows(s) || s.Follows(b) {
			continue
		}
		key := places{s.Site.Location, b.Site.Location, schedule.CondWake}
		located := key.turn != 0 && key.left != 0
		if located && d.known[key] || d.candidates == 0 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d.candidates--
		p := d.ask()
		literals := []order.Lit{p.Next(at), p.Next(began)}
		for _, other := range signals[:len(signals)-1] {
			literals = append(literals, p.Kept(other))
		}
		if !p.Possible(literals...) {
			continue
		}
		d.known[key] = located
		f := &analysis.Finding{Kind: analysis.Leak, Certainty: analysis.Predicted, Sites: []analysis.Site{s.Site, b.Site}}
		if d.witness.Add(f.Sites...) {
			f.Witness = p.Witness(at, began)
		}
		d.keep(f, []schedule.Case{{Op: schedule.CondWake, Object: s.Site.Cell.Object, Offset: s.Site.Cell.Offset}})
	}
	return nil
}
