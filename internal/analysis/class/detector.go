package class

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// A detector implements analysis.Detector.
type detector struct {
	class
	certainty   analysis.Certainty
	report      func(*analysis.Finding)
	state       *schedule.State
	relation    *ideal.Relation
	environment map[schedule.ObjectID]bool
	window      int
	steps       []step
	start       int64             // Order of the first event of the window
	base        vectorclock.Clock // what is before the window
	open        []schedule.Held   // locks that were held when it began
	holders     []vectorclock.Epoch
	known       map[[2]place]bool
	witness     ideal.Places
}

// A place is where in the program an access is.
type place struct {
	location schedule.LocationID
	op       schedule.Op
}

func newDetector(config analysis.Config, c class, certainty analysis.Certainty) *detector {
	return &detector{
		class: c, certainty: certainty, report: config.Report, state: config.State, relation: ideal.New(0),
		environment: make(map[schedule.ObjectID]bool), window: min(max(config.Window, 1), maxWindow), known: make(map[[2]place]bool),
	}
}

// maxWindow is how many steps are looked at together, at most.
const maxWindow = 1000

// Event implements analysis.Detector.
func (d *detector) Event(ctx context.Context, e *schedule.Event) error {
	if e.Op == schedule.New && e.Kind == schedule.Environment {
		d.environment[e.Object] = true
	}
	if e.Op == schedule.BubbleIdle {
		// What is before it is needed, and what is after it can be there because of it.
		if err := d.solve(ctx, e.Order); err != nil {
			return err
		}
	}
	d.relation.Event(e)
	if e.Op == schedule.BubbleIdle {
		d.begin(e.Order + 1)
		return nil
	}
	r, ok := roleOf(e, d.environment[e.Object])
	if !ok {
		return nil
	}
	var held []schedule.Held
	if r == accesses {
		held = slices.Clone(d.state.Goroutine(e.Goroutine).Held)
	}
	d.steps = append(d.steps, newStep(e, r, d.relation.Share(e.Goroutine), held))
	if len(d.steps) >= d.window {
		return d.solve(ctx, e.Order+1)
	}
	return nil
}

// Finish implements analysis.Detector.
func (d *detector) Finish(ctx context.Context) error { return d.solve(ctx, d.state.Events()) }

// begin begins a window at the event with the given Order.
func (d *detector) begin(start int64) {
	d.steps = d.steps[:0]
	d.start = start
	d.open, d.holders = d.open[:0], d.holders[:0]
	for g := range schedule.GoroutineID(d.state.Goroutines()) {
		d.relation.Share(g).AddTo(&d.base)
		for _, h := range d.state.Goroutine(g).Held {
			d.open = append(d.open, h)
			d.holders = append(d.holders, d.relation.Epoch(g))
		}
	}
	d.relation.Share(schedule.Timers).AddTo(&d.base)
}

// solve reports the races of the window, and begins a new one.
func (d *detector) solve(ctx context.Context, next int64) error {
	var p *problem
	for _, list := range byCell(d.steps) {
		for i, b := range list {
			for _, a := range list[:i] {
				s, t := &d.steps[a], &d.steps[b]
				if !access.Conflict(s.kind, t.kind) || s.before(t) {
					continue
				}
				places := [2]place{{s.site.Location, s.site.Op}, {t.site.Location, t.site.Op}}
				located := s.site.Location != 0 && t.site.Location != 0
				if located && d.known[places] {
					continue
				}
				if d.locks != anyLocks {
					if d.relation.Exclude(s.held, t.held) {
						continue
					}
					if p == nil {
						p = newProblem(d)
					}
					if ctx.Err() != nil {
						return ctx.Err()
					}
					if !p.race(a, b) {
						continue
					}
				}
				d.known[places] = located
				f := &analysis.Finding{Kind: analysis.DataRace, Certainty: d.certainty, Sites: []analysis.Site{s.site, t.site}}
				if p != nil && d.witness.Add(s.site.Location, t.site.Location) {
					f.Witness = p.witness(a, b)
				}
				d.report(f)
			}
		}
	}
	d.begin(next)
	return nil
}

// byCell returns the accesses to each cell that more than one goroutine accesses, one of which
// writes.
func byCell(steps []step) [][]int {
	index := map[schedule.Cell]int{}
	var lists [][]int
	for i := range steps {
		if steps[i].role != accesses {
			continue
		}
		n, ok := index[steps[i].site.Cell]
		if !ok {
			n = len(lists)
			index[steps[i].site.Cell] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], i)
	}
	return slices.DeleteFunc(lists, func(list []int) bool {
		write, first := false, steps[list[0]].Goroutine
		several := false
		for _, i := range list {
			write = write || steps[i].writes()
			several = several || steps[i].Goroutine != first
		}
		return !write || !several
	})
}
