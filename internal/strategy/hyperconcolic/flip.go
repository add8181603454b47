package hyperconcolic

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A flipper finds out, by the solver, which conditions of a run can have another outcome.
type flipper struct {
	*expansion
	conditions []expr.ID // the first conditions of the path
	known      map[expr.ID]bool
	values     map[string]uint64 // of the run's inputs
}

// flipAll adds the items in which a condition of the run has another outcome.
func (f *flipper) flipAll(ctx context.Context) error {
	event := int32(-1)
	for i := f.scheduler.firstFlip; i < len(f.trace.Path); i++ {
		for int(event)+1 < len(f.events) && int(f.events[event+1].path) <= i {
			event++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.flip(ctx, i, event); err != nil {
			return err
		}
	}
	return nil
}

// conditionsTo returns the conditions before index i.
func (f *flipper) conditionsTo(i int) []expr.ID {
	for n := len(f.conditions); n < i; n++ {
		x := f.trace.Path[n].Cond
		if f.known == nil {
			f.known = map[expr.ID]bool{}
		}
		f.known[x] = true
		f.conditions = append(f.conditions, x)
	}
	return f.conditions[:i:i]
}

// flip adds the item with an input that satisfies the conditions before index i and not condition
// i, which belongs to event, if there is such an input.
func (f *flipper) flip(ctx context.Context, i int, event int32) error {
	c := &f.trace.Path[i]
	query := f.conditionsTo(i)
	if c.Kind == run.Assumed || f.known[c.Cond] {
		return nil
	}
	opposite := *c
	opposite.Cond = f.arena.Not(c.Cond)
	next := flip{event: event, index: i, kind: c.Kind, outcome: f.outcome(&opposite)}
	query = append(query, opposite.Cond)
	again := false // the run is of an item with the same flip
	if c.Kind == run.Concretized {
		if n := len(f.item.flips); n > 0 && f.item.flips[n-1].index == i {
			again = true
			next.values = f.item.flips[n-1].values
			others, err := f.parse(next.values)
			if err != nil {
				return err
			}
			for _, x := range others {
				query = append(query, f.arena.Not(x))
			}
		}
	}
	f.solver.About(f.options.Subjects.Of(i))
	result, model, err := f.solver.CheckNear(ctx, query, f.hint)
	if err != nil {
		return err
	}
	switch result {
	case solve.Unsat:
		return nil
	case solve.Unknown:
		f.giveUp(unanswered)
		return nil
	}
	decisions, events := len(f.decisions), int(event)+1
	if events < len(f.events) {
		decisions = int(f.events[events].start)
	}
	for _, t := range f.valueChoices {
		if t.path > i {
			decisions = min(decisions, t.decision) // made after the condition
		}
	}
	it := f.add(flipped, f.prefix(i), decisions, events)
	f.inherit(it, event+1)
	if f.run.drawn == nil {
		f.run.drawn = f.input()
	}
	it.input, it.inputOf, it.changed = f.run.drawn, drawn, f.changed(model)
	it.site = c.Site
	it.path = i + 1
	if c.Kind == run.Concretized {
		it.path = i
		var b strings.Builder
		if err := smtlib.WriteTerm(&b, f.arena, c.Cond); err != nil {
			return fmt.Errorf("writing a condition: %w", err)
		}
		next.values = append(slices.Clone(next.values), b.String())
	}
	if n := len(it.flips); again {
		it.flips, it.ofRun.flips = it.flips[:n-1:n-1], min(it.ofRun.flips, n-1)
	}
	it.flip = &next
	return nil
}

// unanswered is what is open if the solver gave up on a query.
const unanswered = "the solver gave up on a condition"

// parse reads conditions in text form.
func (f *flipper) parse(texts []string) ([]expr.ID, error) {
	var list []expr.ID
	for _, text := range texts {
		x, err := smtlib.ParseTerm(f.arena, text)
		if err != nil {
			return nil, fmt.Errorf("reading back a condition: %w", err)
		}
		list = append(list, x)
	}
	return list, nil
}

// hint returns the value of a variable in the run.
func (f *flipper) hint(v expr.ID) uint64 {
	if f.values == nil {
		f.values = make(map[string]uint64, len(f.trace.Inputs))
		for i := range f.trace.Inputs {
			f.values[f.trace.Inputs[i].Name] = f.trace.Inputs[i].Value
		}
	}
	return f.values[f.arena.VarName(v)]
}

// input returns what the run has drawn.
func (f *flipper) input() run.Input {
	in := make(run.Input, len(f.trace.Inputs))
	for _, v := range f.trace.Inputs {
		in[v.Name] = v.Value
	}
	return in
}

// changed returns the values of the model that are others than the run's.
func (f *flipper) changed(m *solve.Model) run.Input {
	in := run.Input{}
	for _, v := range m.Vars() {
		name, value := f.arena.VarName(v), m.Value(v)
		if was, ok := f.run.drawn[name]; !ok || was != value {
			in[name] = value
		}
	}
	return in
}

// foundUnflipped reports whether a revisit is also found in a run in which the conditions of the
// events from position on that are not moved have their first outcome.
func (f *flipper) foundUnflipped(ctx context.Context, r *revisit, position int32) (bool, error) {
	for i := range f.item.flips {
		fl := &f.item.flips[i]
		if fl.event < position || f.has(r.moved, fl.event) {
			continue
		}
		var rest []expr.ID // conditions of the events after it that are moved
		f.moved = f.eventsFrom(f.moved[:0], r.moved, fl.event+1)
		for _, k := range f.moved {
			for _, c := range f.trace.Path[f.conditionsBefore(k):f.conditionsBefore(k+1)] {
				rest = append(rest, c.Cond)
			}
		}
		if len(rest) == 0 {
			return true, nil
		}
		f.solver.About(f.options.Subjects.Of(fl.index))
		outcomes := []expr.ID{f.arena.Not(f.trace.Path[fl.index].Cond)}
		if fl.kind == run.Concretized {
			var err error
			if outcomes, err = f.parse(fl.values); err != nil {
				return false, err
			}
		}
		for _, outcome := range outcomes {
			query := append(append(f.conditionsTo(fl.index), outcome), rest...)
			result, err := f.solver.Satisfiable(ctx, query)
			switch {
			case err != nil || result == solve.Sat:
				return err == nil, err
			case result == solve.Unknown: // the revisit may be found twice
				f.giveUp(unanswered)
			}
		}
	}
	return false, nil
}
