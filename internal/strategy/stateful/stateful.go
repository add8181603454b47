package stateful

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Options are the settings of a search.
type Options struct {
	// Names are those of the machine that carries the runs out.
	Names *run.Names
	// Solver says how queries are answered. Its Stats are not used.
	Solver solve.Options
	// Subjects are those of the queries.
	Subjects strategy.Subjects
	// Visible names plain accesses that are visible from the start.
	Visible run.Visible
	// Merge says of which small branches both sides are merged.
	Merge run.Merging
	// AddsCommute, ForgetUses and ForgetAccesses are as in run.Plan, until a run shows that what they
	// leave out matters.
	AddsCommute, ForgetUses, ForgetAccesses bool
	// ForgetKnowledge is as in run.Plan, unless there is too much to be compared instead. Then ForgetAccesses
	// makes no difference.
	ForgetKnowledge bool
	// ForgetUnread, with ForgetKnowledge, leaves out words that nobody reads any more (unread.go),
	// until plain accesses have to be visible.
	ForgetUnread bool
	// Rename is as in run.Plan, until a run shows that names matter.
	Rename bool
	// TellPlaces says, with Rename, that run.Plan.MergePlaces is not set.
	TellPlaces bool
	// Alike, which includes Rename, says that of steps that goroutines which are alike can take in
	// a state only one is tried.
	Alike bool
	// Ahead says that where a run ends at a known state it counts what has to happen before the
	// steps that come later, and that what lets a thread go on is not reversed with what the thread
	// does then (ahead.go, wakes).
	Ahead bool
	// HideAtomics, with ForgetKnowledge, says that atomic loads and, with AddsCommute, additions
	// are no steps as long as they do not race with what they depend on, or what depends on them
	// (atomics.go).
	HideAtomics bool
	// Sites are the names of sites for a search that is saved. Without them it can only be restored
	// for the same machine.
	Sites strategy.Sites
	// Patience is the number of runs after which the search ends if fewer than one in ten of them have come
	// to a state that was known, 0 if it never does.
	Patience int
	// checks says that each comparison that is left out since it was made before is made as well,
	// however few they are, and that one that makes a difference is a panic. It is for tests.
	checks bool
}

// New returns a search.
func New(o Options) strategy.Resumable {
	o.Rename = o.Rename || o.Alike
	s := &search{
		options: o, places: o.Rename && !o.TellPlaces, visible: o.Visible,
		unprotected: map[run.Allocation]bool{}, open: map[string]bool{},
	}
	s.options.Solver.Stats = &s.stats
	s.scheduler.names, s.scheduler.checks = o.Names, o.checks
	s.watchAtomics()
	s.restart()
	return s
}

// A search is the state of the search. It implements strategy.Strategy.
type search struct {
	options     Options
	visible     run.Visible
	places      bool                    // run.Plan.MergePlaces, until a run shows that they matter
	unprotected map[run.Allocation]bool // Plan.Unprotected
	scheduler   scheduler
	input       run.Input // of the next run, or of the last one
	path        []uint64  // hashes of the conditions with which it begins
	plan        run.Plan
	job         strategy.Job
	finished    bool

	arena  *expr.Arena // of solver
	solver *solve.Solver
	stats  solve.Stats

	runs, learned, cut int  // jobs, those of them that have been learned from, and those that have come to known states
	incomplete         bool // something was given up in a trace
	open               map[string]bool

	refined bool        // plain accesses have become visible
	short   atomic.Bool // states are to be forgotten before the next job
	saved   []byte      // that from which the search has been restored, nil if it has not been
	// begun says what there was before the next run, or the last one if the search has not learned from it.
	begun struct{ choices, path int }
}

// restart begins the search anew.
func (s *search) restart() {
	sc := &s.scheduler
	sc.states.clear()
	sc.execution.begin()
	sc.script, sc.choices, sc.trace, sc.asleep = nil, nil, nil, nil
	sc.open = map[openState]int32{}
	sc.knowledge.begin()
	sc.unread.begin(s.options.ForgetUnread && s.options.ForgetKnowledge && !s.refined)
	sc.forgets, sc.alike, sc.foresees, sc.asks = s.options.ForgetKnowledge, s.options.Alike, s.options.Ahead, false
	sc.relatives = relatives{labels: labels{numbers: map[labelKey]int{}}, names: run.NewNames()}
	s.input, s.path = nil, nil
	s.finished, s.incomplete = false, false
	clear(s.open)
	s.begin()
}

// begin notes that the next run is to be made.
func (s *search) begin() {
	s.learned = s.runs
	s.begun.choices, s.begun.path = len(s.scheduler.choices), len(s.path)
}

// Next implements strategy.Strategy.
func (s *search) Next(ctx context.Context) (*strategy.Job, error) {
	if s.finished || s.isVain() {
		return nil, nil
	}
	s.runs++
	sc := &s.scheduler
	if s.short.Swap(false) {
		sc.states.clear()
	}
	s.visible.HideAdds = s.visible.HideAtomics && s.options.AddsCommute
	s.plan = run.Plan{
		Input: s.input, Visible: s.visible, Merge: s.options.Merge, AddsCommute: s.options.AddsCommute,
		ForgetUses: s.options.ForgetUses, ForgetAccesses: s.options.ForgetAccesses && !sc.forgets,
		ForgetKnowledge: sc.forgets, ForgetUnread: sc.unread.asks, Unprotected: s.unprotected,
		Rename: s.options.Rename, MergePlaces: s.places,
	}
	s.job = strategy.Job{Plan: &s.plan, Scheduler: &s.scheduler}
	return &s.job, ctx.Err()
}

// Held implements strategy.Remembering.
func (s *search) Held() int64 { return s.scheduler.states.bytesHeld() }

// Forget implements strategy.Remembering.
func (s *search) Forget() { s.short.Store(true) }

// isVain reports whether the search is to end because too few runs have come to known states, with
// those that it has not had to make for that.
func (s *search) isVain() bool {
	sc := &s.scheduler
	return s.options.Patience > 0 && s.runs >= s.options.Patience && s.cut+sc.spared < (s.runs+sc.spared)/10
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, _ *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	sc := &s.scheduler
	again := strategy.Refine(&s.visible, trace)
	s.refined = s.refined || again
	again = strategy.RefineAtomics(&s.visible, trace) || again
	if s.visible.Pauses() {
		s.showAtomics()
	}
	if s.plan.AddsCommute && trace.AddsMatter {
		s.options.AddsCommute, again = false, true
	}
	if s.plan.ForgetUses && trace.UsesMatter {
		s.options.ForgetUses, again = false, true
	}
	if s.plan.ForgetAccesses && trace.LocksMatter {
		s.options.ForgetAccesses, again = false, true
	}
	if len(trace.Unprotected) > 0 {
		again = true
		s.unprotected = maps.Clone(s.unprotected)
		for _, a := range trace.Unprotected {
			s.unprotected[a] = true
		}
	}
	if sc.forgets {
		if !sc.cut {
			sc.advance(trace.Flow)
		}
		if sc.lost {
			s.options.ForgetKnowledge, again = false, true
			s.showAtomics()
		}
		if s.arena != nil && s.arena != from { // functions have other numbers in another machine
			sc.late, sc.kinds, s.arena = true, nil, nil
			if s.visible.HideAtomics { // likewise
				s.showAtomics()
				s.watchAtomics()
				again = true
			}
		}
	}
	if s.plan.Rename && trace.NamesMatter {
		s.options.Rename, again = false, true
	}
	if s.plan.MergePlaces && trace.PlacesMatter {
		s.places, again = false, true
	}
	switch {
	case again:
		s.saved = nil // what it leaves out matters
		s.restart()
		return nil
	case sc.forgets && sc.late:
		s.restart()
		if s.saved != nil {
			return s.Restore(s.saved)
		}
		return nil
	}
	if s.arena != from {
		if s.arena != nil { // another machine, in which other states have the same fingerprints
			s.forget()
		}
		s.arena, s.solver = from, solve.New(from, s.options.Solver)
	}
	s.solver.Reset()
	switch {
	case sc.cut:
		s.cut++
	case trace.Outcome != run.Finished && trace.Outcome != run.Failed:
		s.incomplete = true
	}
	s.incomplete = s.incomplete || len(trace.GivenUp) > 0
	if sc.wrong || !s.follows(trace) {
		s.open[strategy.Elsewhere] = true
	}
	sc.end(trace.Pending)
	if err := s.flipAll(ctx, trace); err != nil {
		return err
	}
	sc.trace = trace
	s.backtrack(trace)
	if s.hideAtomics(trace) {
		s.saved = nil
		s.restart()
		return nil
	}
	s.begin()
	return nil
}

// forget forgets all states.
func (s *search) forget() {
	sc := &s.scheduler
	sc.states.clear()
	clear(sc.open)
	for i := range sc.choices {
		c := &sc.choices[i]
		if c.known = false; c.loop != nil {
			c.loop.states = nil
		}
	}
}

// backtrack prepares the next run: it returns to the last choice of which something is to be tried
// that was not.
func (s *search) backtrack(trace *run.Trace) {
	sc := &s.scheduler
	for n := len(sc.choices) - 1; n >= 0; n-- {
		c := &sc.choices[n]
		event := max(c.event, 0) // the first one that is not the same in the next run
		decision := run.Decision{Kind: run.Value}
		switch c.kind {
		case ofStep:
			i := sc.nextOf(n)
			if i < 0 {
				s.complete(n)
				continue
			}
			c.chosen = i
			c.options[i].done = true
			decision = c.options[i].Decision
		case ofValue:
			if c.chosen+1 == c.values {
				s.complete(n)
				continue
			}
			c.chosen++
			decision.Goroutine, decision.Alt = sc.decisions[c.decision].Goroutine, c.chosen
		case ofCondition:
			if c.other == nil {
				s.complete(n)
				continue
			}
			shared := s.input.Shared(c.other, trace.Inputs)
			for event > 0 && (int(event) >= len(sc.events) || int(sc.events[event].inputs) > shared) {
				event--
			}
			s.input, c.other = c.other, nil
		}
		if c.kind != ofCondition {
			s.input = drawn(s.input, trace.Inputs[:c.inputs])
		}
		s.path = s.path[:c.path]
		sc.script = append(sc.script[:0], sc.decisions[:c.decision]...)
		if c.kind == ofCondition && c.excluded == nil {
			s.path = append(s.path, c.outcome)
		} else if c.kind != ofCondition {
			sc.script = append(sc.script, decision)
		}
		sc.choices = sc.choices[:n+1]
		sc.shared, sc.sharedDecisions = int(event), int(c.decision)
		if int(event) < len(sc.events) {
			sc.sharedDecisions = int(sc.events[event].decisions)
		}
		if sc.forgets {
			if k := sc.stateOf(n); k >= 0 {
				sc.restartPart(sc.choices[k].flow)
			}
		}
		if c.kind == ofStep {
			sc.execution.backtrack(c.event)
			sc.asks = sc.mayAsk(n)
		} else {
			sc.asks = false
			sc.asleep = append(sc.asleep[:0], c.asleep...)
			sc.execution.backtrack(c.event + 1)
		}
		return
	}
	s.finished = true
}

// complete removes choice n, the last one, of which everything has been tried.
func (s *search) complete(n int) {
	if !s.scheduler.complete(n) {
		s.open[goesRound] = true
	}
}

// drawn returns the values in an input of some variables. The others may have to have other values in
// another run.
func drawn(in run.Input, variables []run.InputVar) run.Input {
	some := run.Input{}
	for i := range variables {
		if v, ok := in[variables[i].Name]; ok {
			some[variables[i].Name] = v
		}
	}
	return some
}

// Status implements strategy.Strategy.
func (s *search) Status() strategy.Status {
	return strategy.Status{
		Exhausted: s.finished && len(s.open) == 0 && !s.incomplete,
		Finished:  s.finished,
		Counts:    run.Counts{Candidates: s.runs, Redundant: s.cut},
		Degree:    -1,
		Solver:    s.stats,
		Open:      slices.Sorted(maps.Keys(s.open)),
	}
}

// follows reports whether the path of a run begins as that for which its input was made.
func (s *search) follows(trace *run.Trace) bool {
	if len(trace.Path) < len(s.path) {
		return false
	}
	for i, hash := range s.path {
		if s.hash(&trace.Path[i], trace.Path[i].Cond) != hash {
			return false
		}
	}
	return true
}

// hash returns a hash of c if its condition is x.
func (s *search) hash(c *run.Condition, x expr.ID) uint64 { return s.arena.Hash(x)<<8 ^ uint64(c.Kind) }

// flipAll adds the choices of the conditions of a run that can have another outcome.
func (s *search) flipAll(ctx context.Context, trace *run.Trace) error {
	sc := &s.scheduler
	known := map[expr.ID]bool{}
	var query []expr.ID
	at := 0 // index in choices
	event := int32(-1)
	for i := range trace.Path {
		c := &trace.Path[i]
		fresh := i >= len(s.path)
		if fresh {
			s.path = append(s.path, s.hash(c, c.Cond))
		}
		again := known[c.Cond]
		known[c.Cond] = true
		query = append(query, c.Cond)
		if !fresh || again || c.Kind == run.Assumed {
			continue
		}
		other := s.arena.Not(c.Cond)
		others := append(query[:i:i], other)
		var same *choice // of another value that was made concrete
		if c.Kind == run.Concretized {
			if same = sc.choiceAt(i); same != nil {
				for _, text := range same.excluded {
					x, err := smtlib.ParseTerm(s.arena, text)
					if err != nil {
						return fmt.Errorf("reading back a condition: %w", err)
					}
					others = append(others, s.arena.Not(x))
				}
			}
		}
		s.solver.About(s.options.Subjects.Of(i))
		input, err := s.solve(ctx, others, trace)
		if err != nil {
			return err
		}
		if same != nil {
			same.other = input
		}
		if input == nil {
			continue
		}
		var values []string
		if c.Kind == run.Concretized {
			var b strings.Builder
			if err := smtlib.WriteTerm(&b, s.arena, c.Cond); err != nil {
				return fmt.Errorf("writing a condition: %w", err)
			}
			values = []string{b.String()}
		}
		if same != nil {
			same.excluded = append(same.excluded, values...)
			continue
		}
		for int(event)+1 < len(sc.events) && int(sc.events[event+1].path) <= i {
			event++
		}
		for at < len(sc.choices) && sc.choices[at].isBefore(c.Decision, int32(i)) {
			at++
		}
		sc.insert(at, choice{
			kind: ofCondition, root: noRoot, event: event, decision: c.Decision, path: int32(i), other: input, outcome: s.hash(c, other), excluded: values,
		})
	}
	return nil
}

// choiceAt returns the choice of the outcome of condition i, nil if there is none.
func (sc *scheduler) choiceAt(i int) *choice {
	for k := range sc.choices {
		if c := &sc.choices[k]; c.kind == ofCondition && int(c.path) == i {
			return c
		}
	}
	return nil
}

// What is open if the search cannot say what it means to.
const (
	unanswered = "the solver gave up on a condition"
	goesRound  = "goroutines may go round forever"
)

// solve returns the input of a run with values that satisfy the conditions of query, nil if there
// are none.
func (s *search) solve(ctx context.Context, query []expr.ID, trace *run.Trace) (run.Input, error) {
	values := make(run.Input, len(trace.Inputs))
	for i := range trace.Inputs {
		values[trace.Inputs[i].Name] = trace.Inputs[i].Value
	}
	result, model, err := s.solver.CheckNear(ctx, query, func(v expr.ID) uint64 { return values[s.arena.VarName(v)] })
	switch {
	case err != nil || result == solve.Unsat:
		return nil, err
	case result == solve.Unknown:
		s.open[unanswered] = true
		return nil, nil
	}
	for _, v := range model.Vars() {
		values[s.arena.VarName(v)] = model.Value(v)
	}
	return values, nil
}
