package guided

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A trial is the search along one abstract trace set, which is refined as it goes on. Trials are independent of each
// other.
type trial struct {
	next    attempt           // the run to make
	back    []option          // what other choices lead to, the one to take first last
	length  int               // of its abstract traces at first
	refined int               // number of refinements of them
	states  int               // number of choices of its runs
	spent   int               // of its present turn
	turn    int               // how long that is: see search.endTurn
	branch  strategy.Location // that was to go another way in the last run
	apart   int32             // how far the numbers were apart that it compares

	number int
	system *system                    // shared with others, and not changed
	asked  map[strategy.Location]bool // whose sites its runs have asked for
	rng    *rand.Rand
	at     *search // the instance that makes its runs

	arena  *expr.Arena // of the paths of records; nil if there are none
	copier expr.Copier
	solver *solve.Solver
	stats  solve.Stats
}

// begin gives a trial what it needs to learn from a run.
func (tr *trial) begin(s *search) {
	tr.at = s
	if tr.rng == nil {
		tr.rng = rand.New(rand.NewPCG(s.config.Seed, 0x67756964+uint64(tr.number)))
	}
	if tr.arena == nil {
		tr.setArena()
	}
}

// An attempt is a run to make: the decisions with which it begins, the input, and the abstract trace set along which it
// is led.
type attempt struct {
	set    set // A_α
	prefix []run.Decision
	input  run.Input
	known  int // conditions of its path of which the other outcomes are not options of this run
}

// refine returns the refinements of the set of a run. What they need is added to the system of the trial.
func (tr *trial) refine(sc *scheduler) []refinement {
	tr.system = tr.system.with(tr.system.guide.Redefinitions(sc.outcome.left[0].at))
	return tr.system.refine(sc.set, sc.outcome.trace, sc.outcome.left, sc.gone, tr.rng)
}

// An option is a choice that a run did not make: another decision, the other outcome of a condition
// on the input, or another dynamic type of an interface in the input.
type option struct {
	of        *record
	decisions int32 // of the run before it
	condition int32 // index in the path of the run, -1 for a decision
	decision  run.Decision
	seed      bool // the option is the input of the record
	// choice is the variable that has the condition of its value instead of value: the dynamic type
	// of an interface. It is None for the other outcome of the condition.
	choice expr.ID
	value  uint64
}

// A record is what is kept of a run for its options.
type record struct {
	set       set
	decisions []run.Decision
	input     run.Input
	path      []expr.ID // in the arena of the search; nil if it was dropped
}

// maxOptions bounds the options that a trial keeps: the first ones are dropped.
const maxOptions = 4096

// addOptions adds options, of which the first is to be taken last.
func (tr *trial) addOptions(list []option) {
	tr.back = append(tr.back, list...)
	if over := len(tr.back) - maxOptions; over > 0 {
		tr.back = slices.Delete(tr.back, 0, over)
	}
}

// nears reports whether the branch at which a run has ended is the one at which the last one has,
// and the numbers that it compares have come nearer to each other: then the refinements bring the
// trial on, however many there are.
func (tr *trial) nears(o *outcome) bool {
	if o.kind == ended {
		return false
	}
	nears := tr.branch == o.left[0].at && o.apart < tr.apart
	tr.branch, tr.apart = o.left[0].at, o.apart
	return nears
}

// A refinement is an abstract trace set with a further definition, for a branch that did not go the right way (Fig. 5).
type refinement struct {
	set    set
	inside bool // the definition does not come before everything else
	calls  int
}

// maxWays bounds the traces to a definition that are tried.
const maxWays = 4

// refine returns the refinements of trace i of a set, of which left is what has not been matched
// yet: it begins with the branch. There are some for each definition of what the branch reads, the
// shortest first; those that are equally short are in a random order. They have the definition
// before everything else, as the paper does. After each there is one that has it before the branch,
// or before the lock is taken that keeps it from there: for what has been checked, and does not
// hold any more. No goroutine can begin where those began that are gone.
func (s *system) refine(of set, i int, left trace, gone map[strategy.Location]bool, rng *rand.Rand) []refinement {
	full := of[i]
	at := len(full) - len(left)
	branch, before := left[0].at, full[:at]
	definitions := slices.Clone(s.guide.Redefinitions(branch))
	var list []refinement
	add := func(t trace, inside bool, calls int) {
		r := refinement{of.clone(), inside, calls}
		r.set[i] = t
		list = append(list, r)
	}
	rng.Shuffle(len(definitions), func(i, j int) { definitions[i], definitions[j] = definitions[j], definitions[i] })
	for _, d := range definitions {
		if s.guide.Start(d) == s.guide.Start(branch) && s.guide.Path(branch, d) && s.guide.Path(d, branch) {
			// The goroutine itself comes to the definition, and then to the branch again.
			add(slices.Concat(before, trace{{at: d}}, left), false, 0)
		}
		for _, c := range s.traces([]strategy.Location{d}, maxWays) {
			if gone[c.trace[0].at] {
				continue
			}
			definition, taken := s.releasing(c.trace, before)
			add(slices.Concat(definition, before, left), false, c.calls)
			add(slices.Concat(before[:taken], definition, before[taken:], left), true, c.calls)
		}
	}
	slices.SortStableFunc(list, func(a, b refinement) int {
		return cmp.Or(cmp.Compare(a.calls, b.calls), cmp.Compare(len(a.set[i]), len(b.set[i])), less(a.inside, b.inside))
	})
	return list
}

// releasing returns a trace to a definition with the release of a lock that it takes and that the
// trace after it takes, too: the goroutine would keep that one from coming to the branch. It
// returns at which of its locations the trace after it first takes such a lock, its length if it
// takes none.
func (s *system) releasing(definition, after trace) (releasing trace, taken int) {
	taken = len(after)
	for _, b := range definition {
		releases := s.guide.Releases(b.at)
		at := slices.IndexFunc(after, func(a step) bool { return s.guide.SameLock(a.at, b.at) })
		if len(releases) == 0 || at < 0 {
			continue
		}
		taken = min(taken, at)
		for _, r := range releases {
			if s.in[r] && len(releasing) == 0 {
				releasing = append(slices.Clone(definition), step{at: r})
			}
		}
	}
	if releasing == nil {
		releasing = definition
	}
	return releasing, taken
}

// record returns what is kept of a run.
func (tr *trial) record(of set, t *run.Trace, from *expr.Arena) *record {
	if tr.arena.Len() > maxExpressions {
		tr.forget()
		tr.setArena()
	}
	tr.copier.From = from
	tr.copier.Restart()
	r := &record{set: of, decisions: slices.Clone(t.Decisions), input: run.Input{}, path: make([]expr.ID, len(t.Path))}
	for _, v := range t.Inputs {
		r.input[v.Name] = v.Value
	}
	for i := range t.Path {
		r.path[i] = tr.copier.Copy(t.Path[i].Cond)
	}
	return r
}

// forget drops the paths of runs that are kept, and the arena that they are in.
func (tr *trial) forget() {
	for _, o := range tr.back {
		o.of.path = nil
	}
	tr.arena, tr.solver = nil, nil
}

// setArena makes a new arena for the paths of records.
func (tr *trial) setArena() {
	tr.arena = expr.NewArena()
	tr.copier = expr.Copier{To: tr.arena}
	options := tr.at.config.Solver
	options.Stats = &tr.stats
	if options.Timed != nil {
		options.Timed = func(about solve.Subject, queries int64, took time.Duration) {
			tr.at.config.Solver.Timed(about, queries, took)
		}
	}
	tr.solver = solve.New(tr.arena, options)
}

// backtrack takes the last option of a trial of which there is a run, nil if there is none.
func (tr *trial) backtrack(ctx context.Context, s *search) (*attempt, error) {
	for len(tr.back) > 0 {
		o := tr.back[len(tr.back)-1]
		tr.back = tr.back[:len(tr.back)-1]
		a := &attempt{set: o.of.set, input: o.of.input}
		switch {
		case o.seed:
		case o.condition < 0:
			a.prefix = append(slices.Clone(o.of.decisions[:o.decisions]), o.decision)
		case o.of.path == nil:
			continue
		default:
			input, err := tr.flip(ctx, s, o.of, int(o.condition), o.not(tr.arena))
			if err != nil {
				tr.back = append(tr.back, o)
				return nil, err
			}
			if input == nil {
				continue
			}
			a.prefix, a.input, a.known = o.of.decisions[:o.decisions], input, int(o.condition)+1
		}
		tr.states++
		return a, nil
	}
	return nil, nil
}

// not returns what holds of the input with which an option is taken, instead of its condition.
func (o *option) not(a *expr.Arena) expr.ID {
	if o.choice != expr.None {
		return a.Eq(o.choice, a.Const(o.value, a.Width(o.choice)))
	}
	return a.Not(o.of.path[o.condition])
}

// flip returns an input with which a run takes a path as the one that is recorded up to a
// condition, instead of which another one holds. It is nil if there is none, or none is found.
func (tr *trial) flip(ctx context.Context, s *search, rec *record, condition int, instead expr.ID) (run.Input, error) {
	query := append(slices.Clone(rec.path[:condition]), instead)
	tr.solver.About(s.config.Subjects.Of(condition))
	result, model, err := tr.solver.CheckNear(ctx, query, func(v expr.ID) uint64 { return rec.input[tr.arena.VarName(v)] })
	if err != nil || result != solve.Sat {
		return nil, err
	}
	input := maps.Clone(rec.input)
	for _, v := range model.Vars() {
		input[tr.arena.VarName(v)] = model.Value(v)
	}
	return input, nil
}
