package input

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "input",
	Doc:       "data races in orders as for huang, with other inputs; the schedule has to say how values are computed",
	Certainty: analysis.Suspected,
	New:       newDetector,
}

// Bounds of the work.
const (
	maxLocals     = 1 << 20 // symbolic values of a schedule
	maxCells      = 1 << 20 // of memory that are written
	maxCandidates = 1000    // of a window
	maxAttempts   = 20      // of the accesses at two places of the program
	maxOrders     = 64      // of a candidate
	maxWork       = 1 << 20 // of the solver, for an order
)

// A detector implements analysis.Detector.
type detector struct {
	*reorder.Window
	report   func(*analysis.Finding)
	table    *schedule.Table
	known    map[analysis.Pair]bool
	attempts map[analysis.Pair]int
	witness  ideal.Places

	arena  *expr.Arena
	solver *solve.Solver
	values []definition // by local
	base   []expr.ID    // by local: in the order of the schedule
	inputs []variable
	number map[expr.ID]int // of inputs, in that list
	full   bool
	first  schedule.Local // of the window

	facts  []fact                        // of the window
	branch map[schedule.GoroutineID]fact // the last event of each goroutine, if that is a branch
	now    map[schedule.Cell]content     // of memory
	begin  map[schedule.Cell]content     // when the window began
	sent   map[int64]expr.ID             // values that have not been received, by the Order of their send
	path   []expr.ID                     // what holds before the window
	states map[expr.ID]bool              // what is in path
	layout layout
}

// A variable is an input.
type variable struct {
	id    expr.ID
	name  schedule.NameID
	value schedule.Value
}

// A content is what a cell holds.
type content struct {
	value expr.ID // expr.None if it is not known
	order int64   // of the write, -1 if there was none
	reads []int   // steps on which it depends
}

// A fact is an event on whose values something depends.
type fact struct {
	order       int64
	op          schedule.Op
	cell        schedule.Cell
	value       schedule.Value
	wrote       uint64
	result      schedule.Local
	left, right schedule.Local
	list        []schedule.Local // what has to be as it was
	from        int64
	seen        expr.ID // by a read that defines no value, or by an update
	truth       bool
	location    schedule.LocationID
	index       schedule.Local // that chooses the cell, 0 if none is known
	pin         int64          // Order of the branch that says so, -1 if that is none
}

func newDetector(c analysis.Config) analysis.Detector {
	d := &detector{
		report: c.Report, table: c.Table, known: make(map[analysis.Pair]bool), attempts: make(map[analysis.Pair]int),
		arena: expr.NewArena(), values: make([]definition, 1), base: make([]expr.ID, 1), number: make(map[expr.ID]int),
		branch: make(map[schedule.GoroutineID]fact), now: make(map[schedule.Cell]content), begin: make(map[schedule.Cell]content),
		sent: make(map[int64]expr.ID), states: make(map[expr.ID]bool),
	}
	d.solver = solve.New(d.arena, solve.Options{Budget: maxWork})
	d.Window = reorder.NewWindow(c, dependence.Blind, reorder.MaxSteps, d.look)
	return d
}

// Event implements analysis.Detector.
func (d *detector) Event(ctx context.Context, e *schedule.Event) error {
	if !d.full {
		d.note(e)
	}
	return d.Window.Event(ctx, e)
}

// look reports the races of the window.
func (d *detector) look(ctx context.Context) error {
	if d.full {
		return nil
	}
	if err := d.search(ctx); err != nil {
		return err
	}
	d.settle()
	return nil
}

// search looks for the races of the window.
func (d *detector) search(ctx context.Context) error {
	var p *reorder.Problem
	left := maxCandidates
	for a, b := range d.candidates() {
		s, t := &d.Steps[a], &d.Steps[b]
		pair, located := analysis.PairOf(&s.Site, &t.Site)
		if left == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		if located && (d.known[pair] || d.attempts[pair] == maxAttempts) {
			continue
		}
		d.attempts[pair]++
		left--
		if p == nil {
			p = d.Problem()
		}
		f, err := d.decide(ctx, p, a, b)
		if err != nil {
			return err
		}
		if f != nil {
			d.known[pair] = located
			d.report(f)
		}
	}
	return nil
}

// candidates returns pairs of steps that can be a race.
func (d *detector) candidates() func(yield func(a, b int) bool) {
	return func(yield func(a, b int) bool) {
		for a, b := range d.Conflicts() {
			if !yield(a, b) {
				return
			}
		}
		byObject := map[schedule.ObjectID][]int{}
		for i := range d.Steps {
			if s := &d.Steps[i]; s.Kind != access.None {
				byObject[s.Site.Cell.Object] = append(byObject[s.Site.Cell.Object], i)
			}
		}
		for i := range d.Steps {
			// Each object, when it comes first.
			list := byObject[d.Steps[i].Site.Cell.Object]
			if d.Steps[i].Kind == access.None || list[0] != i || d.layout.scale(d.Steps[i].Site.Cell.Object) == 0 {
				continue
			}
			for n, b := range list {
				for _, a := range list[:n] {
					s, t := &d.Steps[a], &d.Steps[b]
					if s.Site.Cell == t.Site.Cell || !access.Conflict(s.Kind, t.Kind) || s.Before(t) ||
						d.Exclude(s.Held, t.Held) || d.fact(a).index+d.fact(b).index == 0 {
						continue
					}
					if !yield(a, b) {
						return
					}
				}
			}
		}
	}
}

// fact returns what is known of a step of the window, an empty fact if nothing is.
func (d *detector) fact(i int) *fact {
	order := d.Steps[i].Site.Order
	n, ok := slices.BinarySearchFunc(d.facts, order, func(f fact, order int64) int { return int(f.order - order) })
	if !ok {
		return new(fact)
	}
	return &d.facts[n]
}

// decide returns the race of two steps, nil if none is found.
func (d *detector) decide(ctx context.Context, p *reorder.Problem, a, b int) (*analysis.Finding, error) {
	next := []int{a, b}
	only := p.Selector() // what is learned of this candidate
	for range maxOrders {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.Possible(p.Next(a), p.Next(b), only) {
			return nil, nil
		}
		order := p.Order()
		r := d.follow(order, a, b)
		if r.possible {
			model, err := d.solve(ctx, r)
			if err != nil {
				return nil, err
			}
			if model != nil {
				s, t := &d.Steps[a], &d.Steps[b]
				f := &analysis.Finding{
					Kind: analysis.DataRace, Certainty: analysis.Suspected,
					Sites: []analysis.Site{s.Site, t.Site}, Inputs: d.changed(model),
				}
				if d.witness.Add(f.Sites...) {
					f.Witness = p.Witness(next...)
				}
				return f, nil
			}
		}
		if !p.Otherwise(only, r.reads) {
			return nil, nil
		}
	}
	return nil, nil
}

// solve returns an input with which a run is possible, nil if none is found.
func (d *detector) solve(ctx context.Context, r *run) (*solve.Model, error) {
	conj := slices.Concat(d.path, r.conditions)
	result, model, err := d.solver.CheckNear(ctx, conj, func(v expr.ID) uint64 {
		return d.inputs[d.number[v]].value.Bits
	})
	if err != nil || result != solve.Sat {
		return nil, err
	}
	return model, nil
}

// changed returns the inputs that are others than in the schedule.
func (d *detector) changed(m *solve.Model) []analysis.Input {
	var list []analysis.Input
	for _, id := range m.Vars() {
		v := &d.inputs[d.number[id]]
		if bits := m.Value(id); bits != v.value.Bits {
			list = append(list, analysis.Input{
				Name: d.table.Name(v.name), Value: schedule.Value{Kind: v.value.Kind, Bits: bits},
				Was: v.value,
			})
		}
	}
	return list
}
