package guided

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
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
}

// An attempt is a run to make: the decisions with which it begins, the input, and the abstract trace set along which it
// is led.
type attempt struct {
	set    set // A_α
	prefix []run.Decision
	input  run.Input
	known  int // conditions of its path of which the other outcomes are not options of this run
}

// An option is a choice that a run did not make: another decision, the other outcome of a condition on the input, or another dynamic type of an interface
// in the input.
type option struct {
	of        *record
	set       set
	decisions int // of the run before it
	decision  run.Decision
	condition int  // index in the path of the run, -1 for a decision
	seed      bool // the option is the input of the record
	// choice is the variable that has the condition of its value instead of value: the dynamic type of an interface. It is None for the other
	// outcome of the condition.
	choice expr.ID
	value  uint64
}

// A record is what is kept of a run for its options.
type record struct {
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

// nears reports whether the branch at which a run has ended is the one at which the last one has, and the numbers that it
// compares have come nearer to each other: then the refinements bring the trial on, however many there are.
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

// refine returns the refinements of trace i of a set, of which left is what has not been matched yet: it begins with the
// branch. There are some for each definition of what the branch reads, the shortest first; those that are equally
// short are in a random order. They have the definition before everything else, as the paper does. After each there is one
// that has it before the branch, or before the lock is taken that keeps it from there: for what
// has been checked, and does not hold any more. No goroutine can begin where those began that are gone.
func (s *system) refine(of set, i int, left trace, gone map[strategy.Location]bool, rng *rand.Rand) []refinement {
	full := of[i]
	at := len(full) - len(left)
	branch, before := left[0].at, full[:at]
	definitions := slices.Clone(s.guide.Redefinitions(branch))
	s.add(definitions...)
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

// releasing returns a trace to a definition with the release of a lock that it takes and that the trace after it takes, too:
// the goroutine would keep that one from coming to the branch. It returns at which of its locations the trace after it first takes such a
// lock, its length if it takes none.
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
