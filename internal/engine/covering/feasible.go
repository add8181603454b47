package covering

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/border"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// What bounds the search for runs that come to schedules: how many runs are made without one that
// comes to a schedule for the first time, and how many epochs a run passes.
const (
	maxIdleRuns = 60
	maxPassed   = 64
)

// A visit is a part of a run from the start of the program: how it has carried out an epoch.
type visit struct {
	epoch int
	nodes []cover.Node
	end   cover.End
	whole bool
	cells map[string]uint64 // the values of the cells, and of the inputs that were drawn so far
	path  int               // conditions of the run before its end
	races [][2]string
}

// A journey is a run from the start of the program through its epochs.
type journey struct {
	visits []visit
	input  map[string]uint64
	conds  []expr.ID // in the slice, and the bounds of inputs
	bound  []bool    // of each condition, whether it is a bound
	at     []int     // likewise, the visit
	path   []expr.ID // all conditions that a search may negate
	hangs  string    // where what is deferred waits for ever in the course of a panic, "" if that is not how it ends
	short  bool      // it was ended, since it had passed very many epochs, or had come to a state of which the set does not know an epoch
	trace  *run.Trace
}

// travel makes a run from the start of the program that goes on from epoch to epoch, at most
// through so many. If it is to be whole, what is deferred is carried out when the program panics.
func (m *machine) travel(ctx context.Context, input run.Input, epochs int, whole bool) (*journey, error) {
	s := m.Search
	j := &journey{input: make(map[string]uint64)}
	p := m.newPolicy()
	p.whole = whole
	at, seen := 0, 0
	cells := make(map[string]uint64)
	p.noted = func(name string, holds bool) {
		if cells[name] = 0; holds {
			cells[name] = 1
		}
	}
	m.foreign, m.err, m.vm.Concrete = false, nil, false
	m.vm.Decisions.Decide = m.decides(p)
	defer func() { m.vm.Decisions.Decide = nil }()
	var failed error
	// leave notes how an epoch was carried out.
	draw := func(trace *run.Trace) {
		for _, v := range trace.Inputs { // one from before may have been drawn again
			cells[v.Name] = v.Value
		}
	}
	leave := func(trace *run.Trace, x *extraction, end cover.End, whole bool) {
		draw(trace)
		v := visit{epoch: at, nodes: x.nodes, end: end, whole: whole, cells: cells, path: len(trace.Path)}
		for _, u := range trace.Unordered[seen:] {
			v.races = append(v.races, [2]string{m.position(u.Earlier.Site), m.position(u.Later.Site)})
		}
		seen = len(trace.Unordered)
		j.visits = append(j.visits, v)
	}
	p.border = func(trace *run.Trace) bool {
		x := m.extract(trace, p)
		if failed = x.err; failed != nil {
			return false
		}
		draw(trace)
		m.reader.Concrete = true
		begins, order, starts := m.read(x.of)
		if by := s.follow(at, cells, order, x.of); by != nil {
			order, begins = by, m.reader.Read(by)
		}
		m.reader.Concrete = false
		end := m.places(x.of)
		end.Next = numbers(order, x.of)
		next, known := s.names[epochName(starts)+begins.Shape()]
		if begins.Problem != "" {
			next, known = s.names[epochName(starts)+begins.Problem]
		}
		if !known && !s.set.Searched() {
			j.short = true
			return false
		}
		if !known {
			failed = fmt.Errorf("a run with %s comes to a state in which no epoch of the set begins",
				m.inputText(&result{input: valuesOf(trace)}))
			return false
		}
		end.Epoch = next
		leave(trace, x, end, true)
		if j.short = len(j.visits) >= epochs; j.short {
			return false
		}
		m.next(p, trace, order, x)
		at, cells = next, cellsOf(begins)
		p.epoch = at
		return true
	}
	trace, err := m.vm.Run(ctx, &run.Plan{Input: input, Record: true, RecordAllocations: true, Visible: run.Visible{Stops: m.stops}}, p)
	if err = cmp.Or(err, failed, m.err); err != nil {
		return nil, fmt.Errorf("making a run: %w", err)
	}
	m.copier.Restart()
	j.trace, j.input = trace, valuesOf(trace)
	if !j.short && trace.Outcome != run.Bounded && trace.Outcome != run.Unsupported {
		x := m.extract(trace, p)
		if x.err != nil {
			return nil, x.err
		}
		end, whole := m.end(trace, p, x.of)
		for _, g := range m.vm.Goroutines {
			if stack := m.stack(g); trace.Stuck != nil && len(g.Panics) > 0 && len(stack) > 0 {
				j.hangs = stack[0]
			}
		}
		leave(trace, x, end, whole)
	}
	visited := 0
	for i, c := range trace.Path {
		for visited < len(j.visits)-1 && i >= j.visits[visited].path {
			visited++
		}
		x := m.copier.Copy(c.Cond)
		if _, constant := s.set.Arena.ConstValue(x); constant {
			continue
		}
		if c.Kind == run.Assumed {
			m.assume(j.path, x)
		} else {
			j.path = appendNew(j.path, x)
		}
		if c.Kind == run.Assumed || m.matters(&c, m.border) {
			j.conds, j.bound, j.at = append(j.conds, x), append(j.bound, c.Kind == run.Assumed), append(j.at, visited)
		}
	}
	return j, nil
}

// follow returns goroutines in the order that the schedule says which an epoch has for the values
// of its inputs, nil if it says none.
func (s *Search) follow(epoch int, cells map[string]uint64, goroutines []*state.Goroutine, of map[int32]int) []*state.Goroutine {
	for _, sc := range s.set.Epochs[epoch].Schedules {
		if sc.End.Kind != cover.NewEpoch || len(sc.End.Next) != len(of) ||
			!s.set.Holds(sc, func(name string) uint64 { return cells[name] }) {
			continue
		}
		order := make([]*state.Goroutine, len(goroutines))
		for _, g := range goroutines {
			if at := sc.End.Next[of[g.ID]]; at >= 0 && at < len(order) {
				order[at] = g
			}
		}
		if slices.Contains(order, nil) {
			return nil
		}
		return order
	}
	return nil
}

// valuesOf returns the inputs of a run.
func valuesOf(trace *run.Trace) map[string]uint64 {
	values := make(map[string]uint64)
	for _, v := range trace.Inputs {
		values[v.Name] = v.Value
	}
	return values
}

// cellsOf returns the values of the cells of a state.
func cellsOf(s *border.State) map[string]uint64 {
	values := make(map[string]uint64)
	for i := range s.Cells {
		values[s.Cells[i].Input.Name] = s.Cells[i].Value
	}
	return values
}

// Realise looks for runs from the start of the program that come to the schedules of which it is
// not known whether any does. Runs are chosen by conditions in the slice: one is negated that was
// met in an epoch from which the fewest epochs lead to such a schedule.
func (s *Search) Realise(ctx context.Context) error {
	if s.unrealised() == 0 {
		return nil
	}
	if err := s.vary(ctx); err != nil {
		return err
	}
	if err := s.varyArguments(ctx); err != nil {
		return err
	}
	return s.exclude(ctx)
}

// vary is Realise with the arguments of the search.
func (s *Search) vary(ctx context.Context) error {
	m, err := s.machine(ctx, s.set.Epochs[0])
	if err != nil {
		return err
	}
	open := m.epoch.Open
	defer func() { m.epoch.Open = open }()
	type item struct {
		conds    []expr.ID
		distance int
	}
	work := []item{{}}
	seen := make(map[string]bool)
	distance := s.distances()
	for idle := 0; len(work) > 0 && idle < maxIdleRuns && s.unrealised() > 0; idle++ {
		at := 0
		for i := range work {
			if c := cmp.Or(cmp.Compare(work[i].distance, work[at].distance), cmp.Compare(len(work[i].conds), len(work[at].conds))); c < 0 {
				at = i
			}
		}
		next := work[at]
		work = slices.Delete(work, at, at+1)
		input, ok, err := m.least(ctx, next.conds, false)
		if err != nil {
			return err
		}
		if !ok {
			idle--
			continue
		}
		j, err := m.travel(ctx, input, maxPassed, false)
		if err != nil {
			return err
		}
		if err := s.verify(j); err != nil {
			return err
		}
		if s.realise(j, nil) {
			idle = -1
			if err := s.changed(); err != nil {
				return err
			}
			distance = s.distances()
		}
		for i, c := range j.conds {
			if j.bound[i] {
				continue
			}
			list := append(slices.Clone(j.conds[:i]), s.set.Arena.Not(c))
			if key := fmt.Sprint(list); !seen[key] {
				seen[key] = true
				epoch := 0
				if last := len(j.visits) - 1; last >= 0 {
					epoch = j.visits[min(j.at[i], last)].epoch
				}
				work = append(work, item{list, distance[epoch]})
			}
		}
	}
	return nil
}

// verify compares a run with the set. It returns an error, which would be a fault of the set, if an
// epoch that nothing was left open of begins in a state that is none of its states, has no schedule
// for that, or is carried out otherwise than its schedule says.
func (s *Search) verify(j *journey) error {
	for i := range j.visits {
		v := &j.visits[i]
		e := s.set.Epochs[v.epoch]
		if len(e.Open) > 0 {
			return nil // its schedules may lead elsewhere
		}
		fault := func(format string, args ...any) error {
			return fmt.Errorf("a run with %s begins epoch %d with %s: %s",
				textOf(j.input), v.epoch, textOf(v.cells), fmt.Sprintf(format, args...))
		}
		value := func(name string) uint64 { return v.cells[name] }
		if e.Begin != nil {
			for _, c := range e.Begin.Where {
				if s.set.Arena.Eval(c, func(x expr.ID) uint64 { return value(s.set.Arena.VarName(x)) }) == 0 {
					return fault("that is none of its states")
				}
			}
		}
		found, known := false, true
		for k, sc := range e.Schedules {
			if !s.set.Holds(sc, value) {
				continue
			}
			if found = true; sc.Excluded {
				return fault("that schedule %d is for, to which no run was to come", k)
			}
			end := sc.End
			if len(s.set.Epochs[end.Epoch].Open) > 0 {
				known = false // the state in which it ends may be one that cannot be described, of which this run knows more
				end.Epoch, end.Next = v.end.Epoch, v.end.Next
			}
			if why := v.differs(sc, end); why != "" {
				return fault("it does not carry out schedule %d: %s", k, why)
			}
		}
		if !found {
			return fault("there is no schedule for it")
		}
		if !known {
			return nil
		}
	}
	return nil
}

// differs returns how a part of a run is not what a schedule says, nor, if it ends the process
// early, a beginning of that; "" if it is.
func (v *visit) differs(sc *cover.Schedule, end cover.End) string {
	if why := sc.Differs(v.nodes); why != "" {
		return why
	}
	if v.whole && (len(v.nodes) < len(sc.Nodes) || fmt.Sprint(v.end) != fmt.Sprint(end)) {
		return fmt.Sprintf("it ends with %v after %d nodes, and not with %v after %d", v.end, len(v.nodes), end, len(sc.Nodes))
	}
	return ""
}

// unrealised returns how many schedules there are of which it is not known whether a run comes to them.
func (s *Search) unrealised() int {
	n := 0
	for _, e := range s.set.Epochs {
		for _, sc := range e.Schedules {
			if sc.Infeasible {
				n++
			}
		}
	}
	return n
}

// distances returns of each epoch how many epochs come before one with schedules of which it is not
// known whether a run comes to them.
func (s *Search) distances() []int {
	n := len(s.set.Epochs)
	list, before := make([]int, n), make([][]int, n)
	var next []int
	for i, e := range s.set.Epochs {
		list[i] = n
		if slices.ContainsFunc(e.Schedules, func(sc *cover.Schedule) bool { return sc.Infeasible }) {
			list[i] = 0
			next = append(next, i)
		}
		for _, sc := range e.Schedules {
			if sc.End.Kind == cover.NewEpoch {
				before[sc.End.Epoch] = append(before[sc.End.Epoch], i)
			}
		}
	}
	for ; len(next) > 0; next = next[1:] { // nearest first
		for _, i := range before[next[0]] {
			if list[i] == n {
				list[i] = list[next[0]] + 1
				next = append(next, i)
			}
		}
	}
	return list
}

// realise notes which schedules a run has come to, with arguments, nil if they are those of the
// search. It reports whether that was not known of one.
func (s *Search) realise(j *journey, args []string) bool {
	s.see(j)
	found := false
	for i := range j.visits {
		v := &j.visits[i]
		for _, sc := range s.set.Epochs[v.epoch].Schedules {
			if sc.Infeasible && v.carriesOut(sc) {
				sc.Infeasible, found = false, true
				sc.Reached, sc.Arguments = maps.Clone(j.input), args
			}
		}
	}
	return found
}

// carriesOut reports whether a part of a run is what a schedule says, with all of its races.
func (v *visit) carriesOut(sc *cover.Schedule) bool {
	if slices.ContainsFunc(sc.Races, func(r [2]string) bool { return !slices.Contains(v.races, r) }) {
		return false
	}
	if !v.whole || len(v.nodes) != len(sc.Nodes) || v.end.Kind != sc.End.Kind || v.end.Epoch != sc.End.Epoch {
		return false
	}
	return sc.Differs(v.nodes) == ""
}
