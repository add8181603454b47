package leak

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/analysis/wait"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "leak",
	Doc:       "goroutines that wait for ever, as a select takes another case or a signal comes too early, in orders as for huang",
	Certainty: analysis.Predicted,
	New:       newDetector,
}

// maxCandidates is how many candidates of a window are decided, at most.
const maxCandidates = 1000

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	report  func(*analysis.Finding)
	waits   *wait.Finder
	known   map[places]bool
	witness ideal.Places
	history *history
	found   []found

	// Of the window that is looked at.

	problem    *reorder.Problem
	candidates int
	offers     map[schedule.Case][]int // selects, by their cases
	left       map[int][]int           // goroutines that wait, by the steps that alone, or with one other, end their waits
	partners   map[int][]int           // of these
}

// places are where a select and a goroutine that it leaves are.
type places struct {
	turn, left schedule.LocationID
	taken      schedule.Op
}

// A found leak is reported in the end, if nothing in the rest of the schedule speaks against it.
type found struct {
	*analysis.Finding
	on   []schedule.Case // what the goroutine waits for
	mark wait.Mark
}

func newDetector(config analysis.Config) analysis.Detector {
	d := &detector{report: config.Report, waits: wait.NewFinder(config.State), known: make(map[places]bool), history: newHistory()}
	class := dependence.Huang
	d.Window = reorder.NewWindow(config, class, reorder.MaxSteps, d.look)
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(ctx context.Context, e *schedule.Event) error {
	d.history.note(e)
	return d.Window.Event(ctx, e)
}

// Finish implements analysis.Detector.
func (d *detector) Finish(ctx context.Context) error {
	err := d.Window.Finish(ctx)
	for i := range d.found {
		if f := &d.found[i]; !d.history.mayEnd(f) {
			d.report(f.Finding)
		}
	}
	return err
}

// look finds the leaks of the window.
func (d *detector) look(ctx context.Context) error {
	d.problem, d.candidates = nil, maxCandidates
	d.offers, d.left, d.partners = map[schedule.Case][]int{}, map[int][]int{}, map[int][]int{}
	d.waits.Next(d.Steps)
	for i := range d.Steps {
		if c := d.Steps[i].Choice; c != nil {
			for _, o := range c.Cases {
				if o.Object != 0 {
					d.offers[o] = append(d.offers[o], i)
				}
			}
		}
		if w := d.waits.Of(i); w != nil && w.All {
			d.await(i, w)
		}
	}
	if len(d.left) == 0 {
		return nil
	}
	for i := range d.Steps {
		var err error
		switch s := &d.Steps[i]; {
		case s.Choice != nil && s.Site.Goroutine >= 0:
			err = d.turns(ctx, i)
		case s.Site.Op == schedule.CondSignal:
			err = d.lose(ctx, i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// await notes who can end the wait of step i, if one or two steps can.
func (d *detector) await(i int, w *wait.Wait) {
	s := &d.Steps[i]
	var list []int
	for _, p := range w.Partners {
		switch o := &d.Steps[p]; {
		case s.Follows(o):
			return // it has come when the wait begins
		case o.Goroutine == s.Goroutine:
			continue // it comes after the wait
		}
		if len(list) == 2 {
			return
		}
		list = append(list, p)
	}
	for _, p := range list {
		d.left[p] = append(d.left[p], i)
	}
	if len(list) > 0 {
		d.partners[i] = list
	}
}

// A turn is that a select goes another way.
type turn struct {
	at int // the select
	analysis.Turn
	with     int // the step that it meets, which does not go on as in the schedule; -1 if there is none
	literals []order.Lit
	next     []int // steps that are next: the select, and what it meets if that goes on with it
}

// decide finds the goroutines that wait for ever if a select goes another way.
func (d *detector) decide(ctx context.Context, t turn) error {
	candidates := d.left[t.at]
	if t.with >= 0 {
		candidates = append(candidates[:len(candidates):len(candidates)], d.left[t.with]...)
	}
	for _, r := range candidates {
		if err := d.leaves(ctx, t, r); err != nil {
			return err
		}
	}
	return nil
}

// leaves reports a goroutine, at step r, that waits for ever if a select goes another way.
func (d *detector) leaves(ctx context.Context, t turn, r int) error {
	for _, p := range d.partners[r] {
		if p != t.at && p != t.with {
			return nil
		}
	}
	s, w := &d.Steps[t.at], &d.Steps[r]
	if r == t.with || w.Goroutine == s.Goroutine || t.with >= 0 && d.Steps[t.with].Goroutine == w.Goroutine {
		return nil
	}
	for _, b := range t.next {
		if w.Follows(&d.Steps[b]) || d.Steps[b].Follows(w) {
			return nil
		}
	}
	key := places{s.Site.Location, w.Site.Location, t.Op}
	located := key.turn != 0 && key.left != 0
	if located && d.known[key] || d.candidates == 0 || d.isOffered(t.at, r) {
		return nil
	}
	ends := d.waits.Of(r)
	sends := t.with < 0 && (t.Op == schedule.Send || t.Op == schedule.Recv)
	if sends && slices.ContainsFunc(wait.Cases(&d.Steps[r]), func(c schedule.Case) bool { return c.Cell() == t.Cell }) {
		return nil // the value, or the room, is for the one that waits
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.candidates--
	p := d.ask()
	literals := append(t.literals[:len(t.literals):len(t.literals)], p.Next(r))
	for _, b := range t.next {
		literals = append(literals, p.Next(b))
	}
	for _, i := range ends.Done {
		literals = append(literals, p.Kept(i))
	}
	if !p.Possible(literals...) {
		return nil
	}
	d.known[key] = located
	f := &analysis.Finding{Kind: analysis.Leak, Certainty: analysis.Predicted}
	if t.with >= 0 {
		f.Sites = append(f.Sites, d.Steps[t.with].Site)
	}
	turned := s.Site
	turned.Turn = &t.Turn
	f.Sites = append(f.Sites, turned, w.Site)
	d.add(f, r, append(t.next[:len(t.next):len(t.next)], r))
	return nil
}

// add keeps a finding of a goroutine that waits at step r, after an order in the end of which some steps are next, that
// being the last of them.
func (d *detector) add(f *analysis.Finding, r int, next []int) {
	if d.witness.Add(f.Sites...) {
		if f.Witness = d.problem.Witness(next...); f.Witness != nil {
			f.Witness = f.Witness[:len(f.Witness)-1]
		}
	}
	d.keep(f, wait.Cases(&d.Steps[r]))
}

// keep keeps a finding, the last site of which waits for the given cases.
func (d *detector) keep(f *analysis.Finding, on []schedule.Case) {
	d.found = append(d.found, found{f, on, d.history.Mark(on, f.Sites[len(f.Sites)-1].Goroutine)})
}

// ask returns the problem of the window.
func (d *detector) ask() *reorder.Problem {
	if d.problem == nil {
		d.problem = d.Problem()
	}
	return d.problem
}

// isOffered reports whether a select other than the one that turns, and those of its goroutine, may
// end the wait of step r in an order, although it did something else in the schedule.
func (d *detector) isOffered(turn, r int) bool {
	t, w := &d.Steps[turn], &d.Steps[r]
	for _, c := range wait.Cases(&d.Steps[r]) {
		for _, i := range d.offers[wait.Meeting(c)] {
			s := &d.Steps[i]
			if s.Goroutine != w.Goroutine && s.Goroutine != t.Goroutine && !w.Follows(s) && !t.Follows(s) {
				return true
			}
		}
	}
	return false
}
