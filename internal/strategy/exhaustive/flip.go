package exhaustive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/vm"
)

// A flipper finds inputs that lead a run another way at its conditions, which
// it is given in the order of the path.
type flipper struct {
	*search
	trace     *vm.Trace
	decisions []vm.Decision
	conj      []expr.ID // the conditions before index len(conj), and then the flipped one
	known     map[expr.ID]bool
}

// flip adds the item of an input that meets the conditions before index i and
// not condition i, if there is one.
func (f *flipper) flip(i int) error {
	c := &f.trace.Path[i]
	if f.known == nil {
		f.known = map[expr.ID]bool{}
	}
	for len(f.conj) < i {
		x := f.trace.Path[len(f.conj)].Cond
		f.known[x] = true
		f.conj = append(f.conj, x)
	}
	if c.Kind == vm.Assumed || f.known[c.Cond] {
		return nil
	}
	next := &flip{index: i, site: c.Site, kind: c.Kind}
	query := append(f.conj, f.arena.Not(c.Cond))
	f.conj = query[:i]
	path := i + 1
	if c.Kind == vm.Address {
		// The other values are found one by one: the item's run has the next
		// value and flips the condition again.
		path = i
		if was := f.current.flipped; was != nil && was.index == i {
			next.values = was.values
			for _, text := range was.values {
				x, err := expr.Parse(f.arena, text)
				if err != nil {
					return fmt.Errorf("reading back a condition: %w", err)
				}
				query = append(query, f.arena.Not(x))
			}
		}
	}
	result, model := f.solver.CheckNear(query, f.hint)
	switch result {
	case solve.Unsat:
		return nil
	case solve.Unknown:
		f.giveUp("the solver gave up on a condition")
		return nil
	}
	if c.Kind == vm.Address {
		var b strings.Builder
		if err := f.arena.SMT(&b, c.Cond); err != nil {
			return fmt.Errorf("writing a condition: %w", err)
		}
		next.values = append(slices.Clone(next.values), b.String())
	}
	f.stack = append(f.stack, &item{
		input:   f.input(model),
		prefix:  f.decisions[:c.Decision],
		sleep:   f.watch.sleepAt(f.current, int(c.Decision)-1),
		path:    path,
		flipped: next,
	})
	return nil
}

// hint gives a variable the value it had in the run.
func (f *flipper) hint(v expr.ID) uint64 {
	name := f.arena.VarName(v)
	for i := range f.trace.Inputs {
		if f.trace.Inputs[i].Name == name {
			return f.trace.Inputs[i].Value
		}
	}
	return 0
}

// input returns the run's input, changed as the model says.
func (f *flipper) input(m *solve.Model) vm.Input {
	in := make(vm.Input, len(f.trace.Inputs))
	for _, v := range f.trace.Inputs {
		in[v.Name] = v.Value
	}
	for _, v := range m.Vars() {
		in[f.arena.VarName(v)] = m.Value(v)
	}
	return in
}
