package covering

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// A Failure is a path of a schedule on which the program fails.
type Failure struct {
	Schedule int // its number in the epoch
	Input    map[string]uint64
	Message  string
	Position string
}

// A Check is what was found by searching the schedules of a set one by one (section 3.1: schedule specialisation).
type Check struct {
	Paths    int       // that were taken
	Failures []Failure // panics, fatal errors and races, one for each place
	Open     []string  // why there may be paths that were not taken, a line each
	// Ordered says that the standard library has ordered goroutines by synchronisation of its own, which is in no schedule: another order of that may
	// leave accesses unordered that were ordered.
	Ordered bool
}

// Check carries out each schedule of a set of one epoch that is whole as a sequential program: all paths that inputs take under it. It returns an error if a path
// is not what its schedule says, which would be a fault of the set.
func (s *Search) Check(ctx context.Context) (*Check, error) {
	c := &Check{}
	switch {
	case len(s.decisions) > 0:
		c.Open = append(c.Open, fmt.Sprintf("%s: %s decides what synchronises: paths that depend on what is no input were not searched", s.set.Decisions[0].Position, s.decisions[0].Why))
		return c, nil
	case len(s.set.Epochs) != 1:
		c.Open = append(c.Open, "the set has several epochs, and only a set of one is searched: -unroll may make them one")
		return c, nil
	case !s.set.Complete():
		c.Open = append(c.Open, "the set does not cover the whole program: its schedules were not searched")
		return c, nil
	}
	m, err := s.machine(ctx, s.set.Epochs[0])
	if err != nil {
		return nil, err
	}
	// An item has a beginning of paths, and what the next condition is not: a number that decides which memory there is can have many
	// values.
	type item struct{ begin, not []expr.ID }
	work := []item{{}}
	rest := m.set.Arena.Bool(true) // no path has been taken for these inputs
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		input, ok, err := m.model(ctx, slices.Concat(m.domain, it.begin, it.not))
		if err != nil {
			return c, err
		}
		if !ok {
			continue
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
		c.open(why)
	}
	m.epoch.Open = nil
	return c, nil
}

func (c *Check) open(why string) {
	if !slices.Contains(c.Open, why) {
		c.Open = append(c.Open, why)
		slices.Sort(c.Open)
	}
}

// check makes a run, and returns its path.
func (m *machine) check(ctx context.Context, c *Check, input run.Input) ([]expr.ID, error) {
	c.Paths++
	p := newPolicy(m.vm, &m.cfg)
	p.whole = true
	trace, found, err := m.execute(ctx, input, p)
	if err != nil {
		return nil, err
	}
	for _, name := range trace.Bounds.Names() {
		c.open("within: " + name)
	}
	for _, b := range trace.PlacedBounds {
		c.open("within: " + b.Name)
	}
	r, err := m.learn(trace, p, found)
	if err != nil {
		return nil, err
	}
	for _, given := range []map[string]bool{m.given, m.unraced} {
		for why := range given {
			c.open(why)
		}
	}
	if trace.Outcome == run.Bounded || trace.Outcome == run.Unsupported {
		c.open(firstLine(trace.Message))
		return r.path, nil
	}
	for _, v := range trace.Inputs {
		if strings.HasPrefix(v.Name, "len(") {
			c.open(fmt.Sprintf("within: %s is at most %d", v.Name, maxLen))
		}
	}
	if slices.ContainsFunc(trace.Decisions, func(d run.Decision) bool { return d.Kind == run.Value }) {
		c.open("choices that are no inputs, such as the order of a map, were made in one way")
	}
	if !c.Ordered {
		c.Ordered = m.libraryOrders(trace)
	}
	at, err := m.follows(r)
	if err != nil {
		return nil, err
	}
	fail := func(pos, message string) {
		if !slices.ContainsFunc(c.Failures, func(f Failure) bool { return f.Position == pos && f.Message == message }) {
			c.Failures = append(c.Failures, Failure{at, r.input, message, pos})
		}
	}
	if f := trace.Panic; f != nil {
		fail(m.position(f.Site), firstLine(f.Message))
	}
	if f := trace.FatalError; f != nil {
		fail(m.position(f.Site), firstLine(f.Message))
	}
	for _, race := range r.races {
		fail(race[0], "not ordered with the access at "+race[1])
	}
	return r.path, nil
}

// follows returns the number of the schedule that is for the input of a run. The run does what it says, or it ends early, after a beginning of it.
func (m *machine) follows(r *result) (int, error) {
	found := -1
	for i, sc := range m.epoch.Schedules {
		if !m.set.Holds(sc, func(name string) uint64 { return r.input[name] }) {
			continue
		}
		found = i
		same := len(r.nodes) <= len(sc.Nodes)
		for k := 0; same && k < len(r.nodes); k++ {
			if did, says := r.nodes[k].String(), sc.Nodes[k].String(); did != says {
				return 0, fmt.Errorf("a run with %s is not what schedule %d says: node %d is %s, and not %s", m.inputText(r), i, k, did, says)
			}
		}
		if r.whole {
			same = same && len(r.nodes) == len(sc.Nodes) && r.end.Kind == sc.End.Kind && r.end.Epoch == sc.End.Epoch
		}
		if !same {
			return 0, fmt.Errorf("a run with %s is not what schedule %d says: it has %d nodes and not %d, or ends otherwise", m.inputText(r), i, len(r.nodes), len(sc.Nodes))
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("there is no schedule for a run with %s", m.inputText(r))
	}
	return found, nil
}
