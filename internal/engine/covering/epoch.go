package covering

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// maxRepeats is how often one branch may be a condition of a precondition before the loop it is of
// is said to need an abstraction.
const maxRepeats = 256

// maxTries is how many runs are made to find one that does not end the process early.
const maxTries = 512

// A result is what was learned of a run: the conditions are expressions of the set's arena.
type result struct {
	by       int  // if it did not: the goroutine that it has ended with, -1 if it is none of the epoch's
	alive    bool // it was kept from ending the process early
	whole    bool // it came to the end of the epoch, or of the program
	nodes    []cover.Node
	end      cover.End
	input    map[string]uint64
	path     []expr.ID // all conditions that a search may negate
	kept     []expr.ID // those in the slice
	races    [][2]string
	outcome  run.Outcome
	message  string
	repeated string // the position of a branch that was a condition very often, "" if none was
	arrival  *arrival
}

// search enumerates the schedules of the epoch (Fig. 3.4).
func (m *machine) search(ctx context.Context) error {
	for {
		n := m.states()
		if err := m.guaranteeAll(ctx); err != nil {
			return err
		}
		if err := m.enumerate(ctx); err != nil {
			return err
		}
		if m.generation != m.generations[m.number] {
			return nil // the epoch begins in states in which what was found does not hold: it is searched anew
		}
		if m.states() > n {
			continue // there are more states since
		}
		if len(m.epoch.Open) > 0 {
			break
		}
		_, ok, err := m.ask(ctx, nil)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		m.open("there are inputs for which no schedule was found")
		break
	}
	for name := range m.given {
		m.open(name)
	}
	m.describe()
	for _, in := range m.epoch.Inputs {
		if strings.HasPrefix(in.Name, "len(") {
			m.open(fmt.Sprintf("%s decides what synchronises: only inputs with at most %d elements are covered", in.Name, maxLen))
		}
	}
	slices.Sort(m.epoch.Open)
	m.ranges[m.number] = m.domain
	m.epoch.Ready = true
	return nil
}

// states returns in how many states the epoch is known to begin.
func (m *machine) states() int {
	if d := m.domains[m.number]; d != nil {
		return len(d.states)
	}
	return 0
}

// enumerate finds schedules, the shortest constraint first, until there are no constraints left.
func (m *machine) enumerate(ctx context.Context) error {
	work := [][]expr.ID{nil}
	for len(work) > 0 {
		// The shortest constraint first.
		at := 0
		for i := range work {
			if len(work[i]) < len(work[at]) {
				at = i
			}
		}
		c := work[at]
		work = slices.Delete(work, at, at+1)
		input, ok, err := m.ask(ctx, c)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if len(m.epoch.Schedules) >= m.cfg.MaxSchedules {
			m.open(fmt.Sprintf("there are more than %d schedules (-schedules)", m.cfg.MaxSchedules))
			break
		}
		known := m.guarded
		r, err := m.explore(ctx, c, input)
		if err != nil {
			return err
		}
		if m.guarded > known {
			work = append(work, c) // the input may have been none: it was not known which there are
		}
		if r == nil {
			continue
		}
		if r.repeated != "" {
			m.open(r.repeated + ": how often a loop goes round decides what synchronises, and nothing bounds it (-abstract has that decided as the program runs)")
			break
		}
		conj := r.kept
		if !r.whole && m.number > 0 {
			m.open("the program ends early in some states, and what else that depends on is not known in the middle of the program") // which states they are differs
			break
		}
		if !r.whole {
			conj, r.end.Kind, r.end.By = r.path, cover.Early, r.by // the schedule is for no other inputs
			whys, err := m.outside(ctx, synchronisation.Options{})
			if err != nil {
				return err
			}
			if len(whys) > 0 {
				m.open(fmt.Sprintf("the program ends early with %s, and whether it does depends on %s, which is no input",
					m.inputText(r), whys[0]))
				break
			}
		}
		if r.arrival != nil {
			for _, why := range m.reasons(m.borderSources()) {
				m.open(why)
			}
			if err := m.guarantee(ctx, r.arrival, r.end.Epoch, conj); err != nil {
				return err
			}
			if m.generation != m.generations[m.number] {
				return nil
			}
			m.endings[m.number] = append(m.endings[m.number], ending{r.arrival, r.end.Epoch, conj})
		}
		m.add(r, conj)
		m.describe()
		if err := m.changed(); err != nil {
			return err
		}
		for i := range conj {
			work = append(work, append(slices.Clone(conj[:i]), m.set.Arena.Not(conj[i])))
		}
	}
	return nil
}

// inputText returns the input of a run for people to read.
func (m *machine) inputText(r *result) string { return textOf(r.input) }

// textOf returns values of inputs for people to read.
func textOf(input map[string]uint64) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(input)) {
		list = append(list, fmt.Sprintf("%s = %d", name, int64(input[name])))
	}
	if len(list) == 0 {
		return "no input"
	}
	return strings.Join(list, ", ")
}

// open notes why there may be inputs for which no schedule is known.
func (m *machine) open(why string) {
	if !slices.Contains(m.epoch.Open, why) {
		m.epoch.Open = append(m.epoch.Open, why)
	}
}

// describe sets the inputs that the conditions of schedules are about, and leaves others out of examples.
func (m *machine) describe() {
	m.epoch.Inputs = nil
	used := make(map[expr.ID]bool)
	var vars []expr.ID
	for _, sc := range m.epoch.Schedules {
		for _, conj := range sc.When {
			for _, c := range conj {
				for _, v := range m.set.Arena.Vars(nil, c) {
					if !used[v] {
						used[v] = true
						vars = append(vars, v)
					}
				}
			}
		}
	}
	for _, v := range vars {
		m.epoch.Inputs = append(m.epoch.Inputs, m.named(m.inputs[m.set.Arena.VarName(v)]))
	}
	slices.SortFunc(m.epoch.Inputs, func(a, b cover.Input) int { return strings.Compare(a.Name, b.Name) })
	for _, sc := range m.epoch.Schedules {
		for name := range sc.Example {
			if i := slices.IndexFunc(m.epoch.Inputs, func(in cover.Input) bool { return in.Name == name }); i < 0 {
				delete(sc.Example, name)
			}
		}
	}
}

// named returns an input of the epoch, as one that a program finds: if it has no name in the source
// itself, but a number that is equal to it in all states has one, as a variable that counts what a
// loop does, too, it is found by that.
func (m *machine) named(in cover.Input) cover.Input {
	d := m.domains[m.number]
	if in.Root.Kind != cover.Unnamed || d == nil {
		return in
	}
	is := slices.IndexFunc(d.cells, func(c cover.Input) bool { return c.Name == in.Name })
	for i := range d.cells {
		if is >= 0 && d.class[i] == d.class[is] && d.cells[i].Root.Kind != cover.Unnamed {
			in.Root, in.Steps = d.cells[i].Root, d.cells[i].Steps
			break
		}
	}
	return in
}

// ask returns an input for which conditions hold, and no schedule that is known, if there is one.
func (m *machine) ask(ctx context.Context, conds []expr.ID) (run.Input, bool, error) {
	a := m.set.Arena
	query := append(m.bounds(), conds...)
	for _, sc := range m.epoch.Schedules {
		others := m.others[sc]
		for _, conj := range sc.When[len(others):] {
			all := a.Bool(true)
			for _, c := range conj {
				all = a.And(all, c)
			}
			others = append(others, a.Not(all))
		}
		m.others[sc] = others
		query = append(query, others...)
	}
	return m.least(ctx, query, true)
}

// maxAbove is how far from the least one a number may be that is taken as the solver has it.
const maxAbove = 8

// least returns an input for which conditions hold, if there is one, with numbers near the least
// ones that package sym may draw, or near zero, unless only those are to be small that it draws
// within a range: numbers often say how long a program computes, and runs have a bound.
func (m *machine) least(ctx context.Context, conds []expr.ID, ranged bool) (run.Input, bool, error) {
	input, ok, err := m.model(ctx, conds)
	if err != nil || !ok {
		return nil, ok, err
	}
	a := m.set.Arena
	vars := make(map[string]expr.ID)
	for _, c := range conds {
		for _, v := range a.Vars(nil, c) {
			vars[a.VarName(v)] = v
		}
	}
	conds = slices.Clone(conds)
	for _, name := range slices.Sorted(maps.Keys(input)) {
		v, known := vars[name]
		if !known || a.Width(v) == 1 {
			continue
		}
		width := a.Width(v)
		in := m.inputs[name]
		if ranged && !in.Ranged || in.Root.Kind == cover.Decided {
			continue
		}
		low := uint64(0)
		if in.Ranged {
			low = in.Low
		}
		// A number is written as its distance above the least one.
		above := a.Sub(v, a.Const(low, width))
		for limit := uint64(0); (input[name]-low)&mask(width) > max(limit, maxAbove); limit = 2*limit + 1 {
			smaller, answer, err := m.satisfy(ctx, append(slices.Clone(conds), a.Ule(above, a.Const(limit, width))))
			if err != nil {
				return nil, false, err
			}
			if answer == solve.Sat {
				input = smaller
				break
			}
		}
		conds = append(conds, a.Ule(above, a.Const((input[name]-low)&mask(width), width)))
	}
	return input, true, nil
}

// model returns an input for which conditions hold, if there is one.
func (m *machine) model(ctx context.Context, query []expr.ID) (run.Input, bool, error) {
	input, answer, err := m.satisfy(ctx, query)
	if answer == solve.Unknown && err == nil {
		m.open("the solver gives no answer about some inputs")
	}
	return input, answer == solve.Sat, err
}

// satisfy asks the solver for an input for which conditions hold.
func (m *machine) satisfy(ctx context.Context, query []expr.ID) (run.Input, solve.Result, error) {
	a := m.set.Arena
	for _, q := range query {
		if v, ok := a.ConstValue(q); ok && v == 0 {
			return nil, solve.Unsat, nil
		}
	}
	answer, model, err := m.solver.Check(ctx, query)
	if err != nil {
		return nil, solve.Unknown, fmt.Errorf("asking for an input: %w", err)
	}
	if answer != solve.Sat {
		return nil, answer, nil
	}
	input := make(run.Input)
	for _, v := range model.Vars() {
		input[a.VarName(v)] = model.Value(v)
	}
	return input, solve.Sat, nil
}

// explore returns a run with inputs for which conditions hold: the first one that comes to the end
// of the epoch, of those that are like one which ends the process or is too long, but for a branch
// (section 3.4.1.1). Without one, it returns that. It returns nil if nothing can be said of such
// inputs.
func (m *machine) explore(ctx context.Context, conds []expr.ID, input run.Input) (*result, error) {
	var first *result
	asked := input
	var work [][]expr.ID
	seen := make(map[string]bool)
	for try := 0; ; try++ {
		r, err := m.run(ctx, input)
		if err != nil {
			return nil, err
		}
		if r.whole || m.cfg.Without.Prefixes && r.outcome != run.Bounded {
			return r, nil
		}
		if r.outcome == run.Unsupported {
			m.open(r.message)
			return nil, nil
		}
		if r.outcome != run.Bounded && len(m.decisions) > 0 {
			// What is decided otherwise than it comes may well lead to a panic.
			if r, err := m.live(ctx, input); err != nil || r != nil {
				return r, err
			}
		}
		if first == nil && r.outcome != run.Bounded {
			first = r
		}
		if try >= maxTries {
			break
		}
		for i := range r.path {
			next := append(slices.Clone(r.path[:i]), m.set.Arena.Not(r.path[i]))
			if key := fmt.Sprint(next); !seen[key] {
				seen[key] = true
				work = append(work, next)
			}
		}
		slices.SortStableFunc(work, func(a, b []expr.ID) int { return len(a) - len(b) })
		found := false
		for len(work) > 0 && !found {
			next := work[0]
			work = work[1:]
			if input, found, err = m.ask(ctx, append(slices.Clone(conds), next...)); err != nil {
				return nil, err
			}
		}
		if !found {
			break
		}
	}
	if first != nil && !m.cfg.Without.Prefixes {
		if r, err := m.live(ctx, asked); err != nil || r != nil {
			return r, err
		}
	}
	if first == nil {
		m.open("a run does not come to the end of its epoch within the bound on instructions (-instructions)")
	}
	return first, nil
}

// run makes a run.
func (m *machine) run(ctx context.Context, input run.Input) (*result, error) {
	m.runs++
	return m.make(ctx, input, m.newPolicy())
}

// make makes a run under a policy.
func (m *machine) make(ctx context.Context, input run.Input, p *policy) (*result, error) {
	trace, found, err := m.execute(ctx, input, p)
	if err != nil {
		return nil, err
	}
	return m.learn(trace, p, found)
}

// execute carries out a run of the epoch, after those that lead there. It returns in which state it
// ends the epoch, nil if it does not.
func (m *machine) execute(ctx context.Context, input run.Input, p *policy) (*run.Trace, *arrival, error) {
	var found *arrival
	p.border = m.crosses(p, input, p.alive, &found)
	all := m.prefix()
	maps.Copy(all, input)
	m.vm.Concrete, m.foreign, m.err = len(m.path) > 1, false, nil
	p.outcomes = input
	if len(m.path) > 1 {
		p.outcomes = m.set.Epochs[m.path[1]].Begin.Via
	}
	p.draws = len(m.path) == 1
	if len(m.path) > 1 {
		p.alive = m.set.Epochs[m.path[1]].Begin.Alive
	}
	d := &m.vm.Decisions
	d.Decide, d.Pass, d.Free = m.decides(p), m.passes(p), m.free()
	defer func() { d.Decide, d.Pass, d.Free = nil, nil, nil }()
	trace, err := m.vm.Run(ctx, &run.Plan{Input: all, Record: true, RecordAllocations: true, Visible: run.Visible{Stops: m.stops}}, p)
	m.vm.Concrete = false
	if err == nil {
		err = m.err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("making a run: %w", err)
	}
	return trace, found, nil
}

// learn returns what is to be known of a run.
func (m *machine) learn(trace *run.Trace, p *policy, found *arrival) (*result, error) {
	m.copier.Restart()
	r := &result{alive: p.alive, outcome: trace.Outcome, message: trace.Message, input: make(map[string]uint64)}
	for _, g := range trace.GivenUp {
		given := m.given
		if g.Races() {
			given = m.unraced // schedules are those of a program without races
		}
		given[fmt.Sprintf("%s: %s", m.position(g.Site), g.What)] = true
	}
	for _, b := range trace.PlacedBounds {
		if b.Site == run.NoSite { // of inputs; what bounds instructions is a source where it matters
			m.given["within: "+b.Name] = true
		}
	}
	for _, v := range trace.Inputs[p.first.input:] {
		r.input[v.Name] = v.Value
		in := cover.Input{Name: v.Name, Width: v.Width, Type: v.Type, Ranged: v.Ranged, Low: v.Low, Size: v.Size}
		if old, ok := m.inputs[v.Name]; ok {
			if old.Ranged && (!in.Ranged || in.Low != old.Low || in.Size != old.Size) {
				old.Ranged, old.Low, old.Size = false, 0, 0 // it is drawn within other bounds on another path
				m.inputs[v.Name] = old
			}
			continue
		}
		if root, ok := p.roots[v.Name]; ok {
			in.Root = root
		} else if m.number == 0 { // the name of one that is drawn later is not that which the program gives it in another run
			in.Root = cover.Root{Kind: cover.Sym, Name: v.Name}
		}
		m.inputs[v.Name] = in
	}
	for _, c := range trace.Path {
		x := m.copier.Copy(c.Cond)
		if c.Kind == run.Assumed {
			m.assume(r.path, x)
		} else if _, constant := m.set.Arena.ConstValue(x); !constant {
			r.path = appendNew(r.path, x)
		}
	}
	m.keep(r, trace, m.slice)
	for _, u := range trace.Unordered[p.first.races:] {
		r.races = append(r.races, [2]string{m.position(u.Earlier.Site), m.position(u.Later.Site)})
	}
	if why := m.misused(trace); why != "" {
		return nil, &UnsupportedError{[]string{why}}
	}
	if trace.Outcome == run.Bounded || trace.Outcome == run.Unsupported {
		if trace.Message == state.TooManyGoroutines {
			return nil, m.tooMany(trace)
		}
		return r, nil
	}
	x := m.extract(trace, p)
	if x.err != nil {
		return nil, x.err
	}
	r.nodes = x.nodes
	r.end, r.whole = m.end(trace, p, x.of)
	r.by = m.endsBy(trace, p, x.of)
	if r.whole && r.end.Kind == cover.NewEpoch {
		m.keep(r, trace, m.border) // where it leads is part of what the schedule says
		if found == nil {
			return nil, errors.New("a run ends an epoch, and it is not known in which state")
		}
		for i, sym := range found.of {
			found.of[i] = m.copier.Copy(sym)
		}
		r.arrival = found
		r.end.Epoch, r.end.Next = m.reach(found, r.input, p.alive), found.next
	}
	return r, nil
}

// keep sets which conditions of a run are those of its schedule: those in a slice.
func (m *machine) keep(r *result, trace *run.Trace, slice *synchronisation.Slice) {
	r.kept, r.repeated = nil, ""
	times := make(map[run.SiteID]int)
	for i := range trace.Path {
		c := &trace.Path[i]
		if c.Kind == run.Assumed || !m.matters(c, slice) {
			continue
		}
		x := m.copier.Copy(c.Cond)
		if _, constant := m.set.Arena.ConstValue(x); constant {
			continue
		}
		r.kept = appendNew(r.kept, x)
		if times[c.Site]++; times[c.Site] > maxRepeats {
			r.repeated = m.position(c.Site)
		}
	}
}

// assume adds to the domain of inputs what a run knows of an input that it draws after it has taken
// a path. On other paths, the input may be drawn within other bounds, or not at all.
func (m *machine) assume(path []expr.ID, x expr.ID) {
	a := m.set.Arena
	for _, c := range path {
		x = a.Or(x, a.Not(c))
	}
	if _, constant := a.ConstValue(x); constant || m.bounded[x] {
		return
	}
	m.bounded[x] = true
	m.domain = append(m.domain, x)
	if len(path) > 0 {
		m.guarded++
	}
}

// appendNew appends a condition that is not in a list.
func appendNew(list []expr.ID, x expr.ID) []expr.ID {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// tooMany returns the error that a run has more goroutines than are allowed: it names the go
// statement, or the call of the standard library, that has started most of them.
func (m *machine) tooMany(trace *run.Trace) error {
	alive := make(map[int32]bool)
	for _, g := range m.vm.Goroutines {
		alive[g.ID] = g.Status != state.Ended
	}
	live := make(map[string]int) // by where they were started
	place := ""
	for _, e := range trace.Events {
		if e.Op != schedule.Spawn || !alive[e.Other] {
			continue
		}
		at := m.position(e.Caller)
		if live[at]++; live[at] > live[place] {
			place = at
		}
	}
	why := fmt.Sprintf("goroutines without a bound are not covered: more than %d are alive at the same time (-goroutines)",
		m.cfg.MaxGoroutines)
	if place != "" {
		why = fmt.Sprintf("%s: %s, of which %d were started here", place, why, live[place])
	}
	return &UnsupportedError{[]string{why}}
}

// flagErrors is what messages of package flag begin with about flags that a program does not take.
var flagErrors = []string{"flag provided but not defined: ", "invalid value ", "invalid boolean ", "bad flag syntax: ", "flag needs an argument: "}

// misused returns what is wrong with the flags that the program is said to be started with, if
// function flag.Parse has ended the run: the set would be of nothing but that.
func (m *machine) misused(trace *run.Trace) string {
	if !m.slice.FlagsKnown() || trace.Exit == nil && !m.exits(trace) {
		return ""
	}
	for _, g := range m.vm.Goroutines {
		parses, exits := false, false
		for _, f := range g.Frames {
			parses = parses || f.Func.Func.Name == "flag.Parse"
			exits = exits || parses && f.Func.Func.Name == "os.Exit"
		}
		if !exits {
			continue
		}
		for line := range strings.Lines(string(m.vm.Printed)) {
			if slices.ContainsFunc(flagErrors, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
				return fmt.Sprintf("the program does not start with the flags %v: %s", m.cfg.Flags, strings.TrimSpace(line))
			}
		}
		return fmt.Sprintf("the program does not start with the flags %v: flag.Parse ends it", m.cfg.Flags)
	}
	return ""
}

// matters reports whether a condition is one of the precondition of a schedule, by a slice.
func (m *machine) matters(c *run.Condition, slice *synchronisation.Slice) bool {
	if c.Kind == run.Check {
		return m.cfg.Without.Prefixes
	}
	if m.decide[c.Site] != nil {
		return true
	}
	f := m.vm.Funcs[c.Site.Func]
	if f == nil || strings.HasPrefix(f.Name, "sync.") || strings.HasPrefix(f.Name, "sync/atomic.") {
		return true
	}
	instr := m.instr(c.Site)
	return instr == nil || decides(slice, instr) || c.Kind == run.Concretized && hides(slice, instr)
}

// hides reports whether what is in the slice may be computed from a value that an instruction which
// is not in it has made concrete: from then on, no condition says that it depends on inputs.
func hides(slice *synchronisation.Slice, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.MakeSlice, *ssa.FieldAddr, *ssa.TypeAssert, *ssa.Store:
	case *ssa.UnOp:
		if instr.Op != token.MUL {
			return true
		}
	default:
		return true // a call, or an access to memory that is not taken apart here
	}
	for _, op := range instr.Operands(nil) {
		switch x := (*op).(type) {
		case nil:
		case *ssa.IndexAddr, *ssa.FieldAddr:
			// It may be computed where memory is accessed, each time, unless something else needs it.
			if onlyAccessed(x) && hides(slice, x.(ssa.Instruction)) {
				return true
			}
		default:
			// A pointer in the slice depends on no input: there are none that are pointers, and
			// those of package sym are refused.
			if _, pointer := x.Type().Underlying().(*types.Pointer); !pointer && sharesRegister(slice, x, make(map[ssa.Value]bool)) {
				return true
			}
		}
	}
	return false
}

// onlyAccessed reports whether all that is done with an address is to load from it and to store to it.
func onlyAccessed(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(instr ssa.Instruction) bool {
		switch instr.(type) {
		case *ssa.UnOp, *ssa.Store:
			return false
		}
		return true
	})
}

// sharesRegister reports whether a value is in the slice, or one that may have the same register.
func sharesRegister(slice *synchronisation.Slice, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if slice.HasValue(v) {
		return true
	}
	same := func(v ssa.Value) bool {
		switch v.(type) {
		case *ssa.Phi, *ssa.Convert, *ssa.ChangeType, *ssa.Extract:
			return true
		}
		return false
	}
	if instr, ok := v.(ssa.Instruction); ok && same(v) {
		for _, op := range instr.Operands(nil) {
			if *op != nil && sharesRegister(slice, *op, seen) {
				return true
			}
		}
	}
	if refs := v.Referrers(); refs != nil {
		for _, ref := range *refs {
			if w, ok := ref.(ssa.Value); ok && same(w) && sharesRegister(slice, w, seen) {
				return true
			}
		}
	}
	return false
}

// decides reports whether a slice has an instruction, or the branch that it is compared for.
func decides(slice *synchronisation.Slice, instr ssa.Instruction) bool {
	if slice.Has(instr) {
		return true
	}
	v, ok := instr.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		if br, ok := ref.(*ssa.If); ok && slice.Has(br) {
			return true
		}
	}
	return false
}
