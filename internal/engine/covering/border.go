package covering

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/border"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// maxShapes bounds the epochs whose goroutines are at the same places.
const maxShapes = 64

// maxArrivals bounds the states of one run's end that are looked at one by one.
const maxArrivals = 256

// An arrival is the state in which a run ends its epoch: where the next one begins.
type arrival struct {
	starts []cover.Start // in the order of the next epoch
	next   []int         // by the goroutines of the epoch that ends, their numbers in the next one, -1 of those that have ended
	shape  string
	cells  []cover.Input
	of     []expr.ID // the values of cells, expressions over the inputs of the epoch that ends
	values []uint64  // those of the run
	// problem says why the state cannot be described.
	problem string
}

// An ending is how a schedule ends that leads to another epoch, for the inputs for which some conditions hold.
type ending struct {
	arrival *arrival
	epoch   int
	conds   []expr.ID
}

// guaranteeAll sees to it, when the epoch begins in more states than before, that others begin in
// all states in which its schedules end.
func (m *machine) guaranteeAll(ctx context.Context) error {
	for i := 0; i < len(m.endings[m.number]); i++ {
		e := m.endings[m.number][i]
		if err := m.guarantee(ctx, e.arrival, e.epoch, e.conds); err != nil {
			return err
		}
	}
	return nil
}

// chain returns the epochs through which an epoch was reached first, from the start of the program to itself.
func (s *Search) chain(epoch int) []int {
	var list []int
	for i := epoch; ; i = s.set.Epochs[i].Begin.From {
		list = append(list, i)
		if s.set.Epochs[i].Begin == nil {
			break
		}
	}
	slices.Reverse(list)
	return list
}

// prefix returns the inputs with which runs come to the beginning of the epoch, those of package sym.
func (m *machine) prefix() run.Input {
	in := make(run.Input)
	for _, at := range m.path[1:] {
		b := m.set.Epochs[at].Begin
		maps.Copy(in, b.Via)
	}
	return in
}

// crosses returns what is called at the ends of the epochs of a run, which leads through those of
// the path to the one that is searched, and ends at its end.
func (m *machine) crosses(p *policy, input run.Input, alive bool, found **arrival) func(*run.Trace) bool {
	number := 0
	return func(trace *run.Trace) bool {
		number++
		x := m.extract(trace, p)
		s, order, starts := m.read(x.of)
		if m.err == nil {
			m.err = x.err
		}
		if number == len(m.path) {
			*found = m.arrive(s, starts, order, x.of)
			return false
		}
		target := m.set.Epochs[m.path[number]]
		if s.Shape() != target.Begin.Shape || epochName(starts) != epochName(target.Goroutines) {
			m.fail(fmt.Errorf("a run that came to epoch %d does not come there again", m.path[number]))
			return false
		}
		p.epoch = m.path[number]
		if number+1 < len(m.path) {
			via := m.set.Epochs[m.path[number+1]].Begin.Via
			for i := range s.Cells {
				s.Set(m.vm, i, via[s.Cells[i].Input.Name], expr.None)
			}
			m.next(p, trace, order, x)
			p.outcomes, p.alive = via, m.set.Epochs[m.path[number+1]].Begin.Alive
			return true
		}
		m.vm.Concrete = false
		p.outcomes, p.draws, p.alive = input, true, alive
		m.next(p, trace, order, x)
		m.begin(s)
		return true
	}
}

// next has the events from now on be those of the next epoch.
func (m *machine) next(p *policy, trace *run.Trace, order []*state.Goroutine, x *extraction) {
	p.first = segment{
		event: len(trace.Events), input: len(trace.Inputs), races: len(trace.Unordered),
		of: make(map[int32]int), spawn: x.spawn, wakes: x.wakes, opens: x.opens,
	}
	for id, w := range p.first.wakes {
		w.Other = -1 // what woke it is no node of this epoch
		p.first.wakes[id] = w
	}
	for i, g := range order {
		p.first.of[g.ID] = i
	}
}

// begin makes the cells of the state in which the epoch begins inputs, as far as they are no constants.
func (m *machine) begin(s *border.State) {
	d := m.domains[m.number]
	vars := make(map[int]*run.InputVar)
	for i := range s.Cells {
		c := d.class[i]
		if d.fixed[c] {
			s.Set(m.vm, i, d.states[0][c], expr.None)
			continue
		}
		if vars[c] == nil {
			in := &s.Cells[c].Input
			v := *m.vm.AddInput(in.Name, in.Width, mask(in.Width), d.states[0][c])
			vars[c] = &v
		}
		s.Set(m.vm, i, vars[c].Value, vars[c].Sym)
	}
}

// read returns the state in which a run is, the goroutines in the order of the epoch that they
// begin, and where they are. Those at the same place are in the order of the numbers that they
// have, so that it is one state which of them has come there first.
func (m *machine) read(of map[int32]int) (*border.State, []*state.Goroutine, []cover.Start) {
	order, starts := m.order(of)
	s := m.reader.Read(order)
	if m.cfg.Without.Symbolic {
		return s, order, starts
	}
	sorted := slices.Clone(order)
	for i := 0; i < len(starts); {
		j := i + 1
		for j < len(starts) && starts[j].String() == starts[i].String() {
			j++
		}
		slices.SortStableFunc(sorted[i:j], s.Compare)
		i = j
	}
	if !slices.Equal(sorted, order) {
		s = m.reader.Read(sorted)
	}
	return s, sorted, starts
}

// order returns the goroutines that have not ended, in the order of the epoch that they begin, and where they are.
func (m *machine) order(of map[int32]int) ([]*state.Goroutine, []cover.Start) {
	end := m.places(of)
	type one struct {
		g     *state.Goroutine
		start cover.Start
	}
	list := make([]one, len(end.Goroutines))
	for _, g := range m.vm.Goroutines {
		if at, ok := of[g.ID]; ok {
			list[at] = one{g, end.Goroutines[at]}
		} else if g.Status != state.Ended {
			m.foreign = true
		}
	}
	list = slices.DeleteFunc(list, func(o one) bool { return o.start.Kind == cover.Ended })
	if !m.cfg.Without.Symbolic {
		slices.SortStableFunc(list, func(a, b one) int { return strings.Compare(a.start.String(), b.start.String()) })
	}
	var order []*state.Goroutine
	var starts []cover.Start
	for _, o := range list {
		order, starts = append(order, o.g), append(starts, o.start)
	}
	return order, starts
}

// arrive returns what is to be known of a state in which a run ends its epoch. Expressions are of the machine's arena.
func (m *machine) arrive(s *border.State, starts []cover.Start, order []*state.Goroutine, of map[int32]int) *arrival {
	a := &arrival{starts: starts, next: numbers(order, of), shape: s.Shape(), problem: s.Problem}
	if m.foreign {
		a.problem = "a goroutine of the standard library goes on at the end of an epoch"
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		a.cells = append(a.cells, c.Input)
		a.of = append(a.of, c.Sym)
		a.values = append(a.values, c.Value)
	}
	return a
}

// numbers returns the numbers of goroutines in an order, by the numbers that they have had, -1 of
// those that are not in it.
func numbers(order []*state.Goroutine, of map[int32]int) []int {
	list := make([]int, len(of))
	for i := range list {
		list[i] = -1
	}
	for i, g := range order {
		list[of[g.ID]] = i
	}
	return list
}

func (m *machine) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// reach returns the number of the epoch that begins in the state in which a run ends.
func (m *machine) reach(a *arrival, input map[string]uint64, alive bool) int {
	name := epochName(a.starts)
	key := name + a.shape
	if _, known := m.names[key]; a.problem == "" && !known && len(m.set.Epochs) >= m.cfg.MaxEpochs {
		a.problem = fmt.Sprintf("there are more than %d epochs (-epochs)", m.cfg.MaxEpochs)
	}
	if a.problem != "" {
		key = name + a.problem
	}
	if i, ok := m.names[key]; ok {
		return i
	}
	e := &cover.Epoch{Goroutines: a.starts, Begin: &cover.Beginning{
		Shape: a.shape, From: m.number, Via: m.whole(input), Alive: alive, Cells: a.cells,
	}}
	i := m.addEpochAs(key, e)
	m.shapes[name]++
	switch {
	case a.problem != "":
		e.Open, e.Ready = []string{a.problem}, true
		e.Begin.Cells = nil
	case m.shapes[name] > maxShapes:
		e.Open, e.Ready = []string{fmt.Sprintf("there are more than %d shapes of states in which it begins", maxShapes)}, true
	default:
		m.domains[i].add(a.values)
		m.remember(i)
	}
	return i
}

// whole returns an input of the epoch with the values of all cells, also of those that are no inputs.
func (m *machine) whole(input map[string]uint64) map[string]uint64 {
	all := maps.Clone(input)
	d := m.domains[m.number]
	if d == nil {
		return all
	}
	for i, in := range d.cells {
		c := d.class[i]
		if v, ok := input[d.cells[c].Name]; ok && !d.fixed[c] {
			all[in.Name] = v
		} else {
			all[in.Name] = d.states[0][c]
		}
	}
	return all
}

// guarantee sees to it that an epoch begins in all states in which runs end that are like one:
// those with inputs for which conditions hold (rely-guarantee: what holds when this epoch begins is
// relied on).
func (m *machine) guarantee(ctx context.Context, a *arrival, epoch int, conds []expr.ID) error {
	e := m.set.Epochs[epoch]
	if a.problem != "" || len(e.Open) > 0 && e.Ready {
		return nil
	}
	arena := m.set.Arena
	of := make([]expr.ID, len(a.of))
	for i, x := range a.of {
		if of[i] = x; x == expr.None {
			of[i] = arena.Const(a.values[i], a.cells[i].Width)
		}
	}
	d := m.domains[epoch]
	for range maxArrivals {
		outside := arena.Bool(false)
		for _, c := range d.constraints(arena, of) {
			outside = arena.Or(outside, arena.Not(c))
		}
		if v, constant := arena.ConstValue(outside); constant && v == 0 {
			return nil
		}
		query := append(m.bounds(), conds...)
		query = append(query, outside)
		if slices.ContainsFunc(query, func(q expr.ID) bool { v, ok := arena.ConstValue(q); return ok && v == 0 }) {
			return nil
		}
		answer, model, err := m.solver.Check(ctx, query)
		if err != nil {
			return fmt.Errorf("asking in which states an epoch begins: %w", err)
		}
		switch answer {
		case solve.Unsat:
			return nil
		case solve.Unknown:
			m.open("the solver gives no answer about the states in which the next epoch begins")
			return nil
		}
		values := make([]uint64, len(of))
		for i, x := range of {
			values[i] = arena.Eval(x, model.Value)
		}
		if d.add(values) || len(m.endings[epoch]) == 0 && len(e.Schedules) > 0 && epoch != m.number {
			// What was found does not hold of all of the states, or how it ends is known no longer.
			e.Schedules, m.endings[epoch] = nil, nil
			m.generations[epoch]++
		}
		e.Ready, e.Open = false, nil
		m.remember(epoch)
	}
	m.open(fmt.Sprintf("what is known of the states in which epoch %d begins does not hold of all of them, after %d were looked at", epoch, maxArrivals))
	return nil
}

// remember keeps what is known of the states in which an epoch begins in the set.
func (s *Search) remember(epoch int) {
	d, b := s.domains[epoch], s.set.Epochs[epoch].Begin
	b.States = d.states
	b.Where = d.constraints(s.set.Arena, d.variables(s.set.Arena))
}

// bounds returns what is known of the inputs of the epoch.
func (m *machine) bounds() []expr.ID {
	list := slices.Clone(m.domain)
	if d := m.domains[m.number]; d != nil {
		list = append(list, d.constraints(m.set.Arena, d.variables(m.set.Arena))...)
	}
	return list
}

// sourcePosition returns a position as sets have it.
func (s *Search) sourcePosition(pos token.Pos) string { return s.program.Position(s.target, pos) }
