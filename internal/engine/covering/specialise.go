package covering

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
)

// What bounds a check: the paths that are taken, and the epochs of each.
const (
	maxPaths       = 100_000
	maxPathsEpochs = 256
)

// A Failure is a path on which the program fails.
type Failure struct {
	Epoch    int // in which it fails
	Schedule int // its number in the epoch, -1 if the run is none of the set's
	Input    map[string]uint64
	Message  string
	Position string
}

// A Check is what was found by searching the program under the schedules of a set (section 3.1:
// schedule specialisation).
type Check struct {
	Paths    int       // that were taken
	Failures []Failure // panics, fatal errors and races, one for each place
	Open     []string  // why there may be paths that were not taken, a line each
	// Within lists what the program gets from outside and is no input: all paths were taken with
	// what that was in these runs.
	Within []string
	// Ordered says that the standard library has ordered goroutines by synchronisation of its own,
	// which is in no schedule: another order of that may leave accesses unordered that were
	// ordered.
	Ordered bool
}

// Check carries out the program under the schedules of a set that is whole, one after the other as
// they come: it is sequential then, and all paths are taken that inputs take. It returns an error
// if a path is not what the set says, which would be a fault of the set.
func (s *Search) Check(ctx context.Context) (*Check, error) {
	c := &Check{}
	if !s.set.Complete() {
		c.Open = append(c.Open, "the set does not cover the whole program: its schedules were not searched")
		return c, nil
	}
	var err error
	if c.Within, err = s.outside(ctx, synchronisation.Options{Everything: true}); err != nil {
		return nil, err
	}
	m, err := s.machine(ctx, s.set.Epochs[0])
	if err != nil {
		return nil, err
	}
	reasons := m.epoch.Open
	defer func() { m.epoch.Open = reasons }()
	// An item has a beginning of paths, and what the next condition is not: a number that decides
	// which memory there is can have many values.
	type item struct{ begin, not []expr.ID }
	work := []item{{}}
	rest := m.set.Arena.Bool(true) // no path has been taken for these inputs
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		input, ok, err := m.least(ctx, slices.Concat(m.domain, it.begin, it.not), true)
		if err != nil {
			return c, err
		}
		if !ok {
			continue
		}
		if c.Paths == maxPaths {
			c.open(fmt.Sprintf("there are more than %d paths", maxPaths))
			return c, nil
		}
		known := m.guarded
		path, err := m.check(ctx, c, input)
		if err != nil {
			return c, err
		}
		if m.guarded > known {
			work = append(work, it) // the input may have been none, and have taken another path
			continue
		}
		taken := m.set.Arena.Bool(true)
		for _, cond := range path {
			taken = m.set.Arena.And(taken, cond)
		}
		rest = m.set.Arena.And(rest, m.set.Arena.Not(taken))
		at := len(it.begin)
		if len(path) < at || !slices.Equal(path[:at], it.begin) {
			return c, fmt.Errorf("a run that begins as another one does not go on as it: %v", input)
		}
		for i := at; i < len(path); i++ {
			not := []expr.ID{m.set.Arena.Not(path[i])}
			if i == at {
				not = append(slices.Clone(it.not), not...)
			}
			work = append(work, item{path[:i:i], not})
		}
	}
	input, ok, err := m.model(ctx, append(slices.Clone(m.domain), rest))
	switch {
	case err != nil:
		return c, err
	case ok:
		return c, fmt.Errorf("no path was taken for %v", input)
	}
	for _, why := range m.epoch.Open { // the solver had no answer
		if !slices.Contains(reasons, why) {
			c.open(why)
		}
	}
	return c, nil
}

// Holds reports whether all paths were taken, and none fails.
func (c *Check) Holds() bool { return len(c.Failures) == 0 && len(c.Open) == 0 }

func (c *Check) open(why string) {
	if !slices.Contains(c.Open, why) {
		c.Open = append(c.Open, why)
		slices.Sort(c.Open)
	}
}

// check makes a run, and returns its path.
func (m *machine) check(ctx context.Context, c *Check, input run.Input) ([]expr.ID, error) {
	c.Paths++
	j, err := m.travel(ctx, input, maxPathsEpochs, true)
	if err != nil {
		return nil, err
	}
	trace := j.trace
	for _, name := range trace.Bounds.Names() {
		c.open("within: " + name)
	}
	for _, b := range trace.PlacedBounds {
		c.open("within: " + b.Name)
	}
	for _, g := range trace.GivenUp {
		c.open(fmt.Sprintf("%s: %s", m.position(g.Site), g.What))
	}
	if trace.Outcome == run.Bounded || trace.Outcome == run.Unsupported {
		c.open(firstLine(trace.Message))
		return j.path, nil
	}
	for _, v := range trace.Inputs {
		if strings.HasPrefix(v.Name, "len(") {
			c.open(fmt.Sprintf("within: %s is at most %d", v.Name, maxLen))
		}
	}
	if slices.ContainsFunc(trace.Decisions, func(d run.Decision) bool { return d.Kind == run.Value }) {
		c.open("choices that are no inputs, such as the order of a map, were made in one way")
	}
	if j.short {
		c.open(fmt.Sprintf("a path of more than %d epochs was taken no further", maxPathsEpochs))
	}
	if !c.Ordered {
		c.Ordered = m.libraryOrders(trace)
	}
	if j.hangs == "" { // else it has gone on as no schedule says
		if err := m.verify(j); err != nil {
			return nil, err
		}
	}
	fail := func(at int, pos, message string) {
		if slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Position == pos && f.Message == message }) {
			return
		}
		v := &j.visits[min(at, len(j.visits)-1)]
		c.Failures = append(c.Failures, Failure{v.epoch, m.scheduleOf(v), j.input, message, pos})
	}
	if j.hangs != "" {
		fail(len(j.visits), j.hangs, "what is deferred waits for ever in the course of a panic")
	}
	if f := trace.Panic; f != nil {
		fail(len(j.visits), m.position(f.Site), firstLine(f.Message))
	}
	if f := trace.FatalError; f != nil {
		fail(len(j.visits), m.position(f.Site), firstLine(f.Message))
	}
	for _, f := range trace.TestFailures {
		fail(len(j.visits), m.position(f.Site), firstLine(f.Message))
	}
	for at, v := range j.visits {
		for _, race := range v.races {
			fail(at, race[0], "not ordered with the access at "+race[1])
		}
	}
	return j.path, nil
}

// scheduleOf returns the number of the schedule that a part of a run carries out, -1 if there is none.
func (s *Search) scheduleOf(v *visit) int {
	return slices.IndexFunc(s.set.Epochs[v.epoch].Schedules, func(sc *cover.Schedule) bool {
		return s.set.Holds(sc, func(name string) uint64 { return v.cells[name] })
	})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
