package guided

import (
	"cmp"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// A scheduler guides a run along an abstract trace set (Fig. 4). It takes the best of the next steps, and notes the
// others.
type scheduler struct {
	guide  strategy.Guide
	places map[strategy.Location]bool // of the goal
	from   attempt
	set    set // of which left is what has not been matched
	left   set

	at      []where                    // where goroutines are, or were last, by goroutine
	ways    map[way]int                // distances that have been asked for
	able    int                        // index of one who could come to a location when that was asked last
	gone    map[strategy.Location]bool // that were left out of traces, since no goroutine can come to them
	holders map[lock]int32             // of locks
	steps   int
	options []choice // of which the runs are not known yet; not the first ones if there are too many
	ranks   []rank   // of the steps of a choice, and their order
	order   []int
	states  int
	awaited awaited
	outcome outcome

	suspect *strategy.Suspect // what is looked for at the places; nil if they are to be reached only
	met     bool              // there were goroutines at all of the places of the suspect
}

// A choice is a decision that a run did not make.
type choice struct {
	decisions int32 // of the run before it
	decision  run.Decision
}

// A position is before a location, or after it.
type position struct {
	at     strategy.Location
	passed bool
}

// A where says what is known of where a goroutine is.
type where struct {
	position
	known bool
	stop  run.SiteID // at which it stands, if it stands at one
}

// A way leads from a position to a location.
type way struct {
	from position
	to   strategy.Location
}

// A lock is where a lock is in memory.
type lock struct {
	object run.ObjectID
	offset int32
}

// An awaited branch is the head of a trace, and its goroutine has just gone on from it to the wrong side.
type awaited struct {
	on        bool
	trace     int // its index in the set
	goroutine int32
	at        strategy.Location
	path      int // number of conditions before
	apart     int32
	site      run.SiteID // of a check at a place of a suspect, which has just succeeded if the run goes on
	check     bool
}

// An outcome says why a scheduler has ended its run.
type outcome struct {
	kind  outcomeKind
	trace int // that begins with the branch
	left  trace
	path  int   // of flip: index of the condition
	apart int32 // how far the numbers are apart that the branch compares
}

type outcomeKind uint8

const (
	ended  outcomeKind = iota // the run came to its end, or to a bound
	refine                    // a branch goes the wrong way with the values that there are
	flip                      // likewise, and that depends on the input
)

// maxSteps bounds the steps of a run (the depth bound of the paper).
const maxSteps = 50_000

func newScheduler(guide strategy.Guide, a attempt, suspect *strategy.Suspect) *scheduler {
	sc := &scheduler{
		suspect: suspect,
		guide:   guide, from: a, set: a.set, left: slices.Clone(a.set),
		places: make(map[strategy.Location]bool), ways: make(map[way]int), holders: make(map[lock]int32), gone: make(map[strategy.Location]bool),
	}
	for _, place := range guide.Places() {
		for _, l := range place {
			sc.places[l] = true
		}
	}
	return sc
}

// Choose implements run.Scheduler.
func (sc *scheduler) Choose(p *run.SchedulingPoint) int {
	if sc.settle(p.Trace) {
		return -1
	}
	sc.states++
	decisions := int32(len(p.Trace.Decisions))
	if p.Kind == run.Value {
		for v := min(p.N, maxValues) - 1; v > 0; v-- {
			d := run.Decision{Kind: run.Value, Goroutine: p.Goroutine, Alt: int32(v)}
			sc.addOption(choice{decisions, d})
		}
		return 0
	}
	sc.look(p.Pending)
	ranks, order := sc.ranks[:0], sc.order[:0]
	wanted, length := sc.wanted(p), sc.left.length()
	for i := range p.Enabled {
		ranks, order = append(ranks, sc.rank(p, &p.Enabled[i], wanted, length)), append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return ranks[i].compare(&ranks[j]) })
	for _, i := range slices.Backward(order[1:]) {
		sc.addOption(choice{decisions, p.Enabled[i].Decision})
	}
	sc.ranks, sc.order = ranks, order
	return order[0]
}

// addOption notes a decision that is not made. A trial keeps no more of them than maxOptions.
func (sc *scheduler) addOption(c choice) {
	if len(sc.options) == 2*maxOptions {
		sc.options = append(sc.options[:0], sc.options[maxOptions:]...)
	}
	sc.options = append(sc.options, c)
}

// maxValues bounds the values that are tried where the run needs one.
const maxValues = 4

// A rank says how good a next step is: one that is less in the first part in which they differ is better.
type rank struct {
	early    bool // it needs time to pass
	leaves   bool // a goroutine leaves a place of the goal
	length   int  // first tier: of what has not been matched afterwards
	wrong    bool // the match is a branch, and the outcome is the wrong one
	distance int  // second tier: to the next location of a trace
	other    bool // the goroutine is not the one that took the last step
}

func (r *rank) compare(q *rank) int {
	return cmp.Or(
		less(r.early, q.early), less(r.leaves, q.leaves), cmp.Compare(r.length, q.length), less(r.wrong, q.wrong),
		cmp.Compare(r.distance, q.distance), less(r.other, q.other),
	)
}

func less(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// rank ranks a step. A goroutine that keeps others from taking the locks for which they wait, who are wanted
// goroutines, is as far as they are.
func (sc *scheduler) rank(p *run.SchedulingPoint, t *run.Transition, wanted map[int32]int, length int) rank {
	r := rank{early: t.AwaitsTime(), leaves: t.Object == run.GoalObject && t.Delta == run.Leaves, other: t.Goroutine != p.Last}
	r.length = length
	if t.IsStop() {
		if i := sc.match(sc.guide.At(t.Site)); i >= 0 {
			r.length--
			r.wrong = sc.isWrong(sc.left[i][0], t)
			if sc.suspect != nil && sc.isAtPlace(i) {
				r.leaves = !sc.met // the goroutine stays there until others are at the other places
			}
		}
	}
	r.distance = sc.distance(t.Goroutine)
	if d, ok := wanted[t.Goroutine]; ok {
		r.distance = min(r.distance, d)
	}
	return r
}

// far is the distance of what cannot be reached, and unknown that of goroutines of which nothing is known.
const (
	far     = math.MaxInt32
	unknown = 1 << 24
)

// distance returns how far a goroutine is from the next location of a trace.
func (sc *scheduler) distance(g int32) int {
	from := sc.where(g)
	if !from.known {
		return unknown
	}
	least := far
	for _, t := range sc.left {
		if len(t) > 0 {
			if d := sc.way(from.position, t[0].at); d >= 0 {
				least = min(least, d)
			}
		}
	}
	return least
}

// where returns what is known of where a goroutine is; of a timer, nothing.
func (sc *scheduler) where(g int32) *where {
	if g < 0 {
		return &where{}
	}
	for int(g) >= len(sc.at) {
		sc.at = append(sc.at, where{stop: run.NoSite})
	}
	return &sc.at[g]
}

// way returns the distance from a position to a location.
func (sc *scheduler) way(from position, to strategy.Location) int {
	w := way{from, to}
	d, known := sc.ways[w]
	if !known {
		d = sc.guide.Distance(from.at, from.passed, to)
		sc.ways[w] = d
	}
	return d
}

// wanted returns the goroutines that hold locks for which others wait, with the distances of these.
func (sc *scheduler) wanted(p *run.SchedulingPoint) map[int32]int {
	var list map[int32]int
	for i := range p.Pending {
		t := &p.Pending[i]
		if t.Enabled || t.Goroutine < 0 {
			continue
		}
		holder, ok := sc.holders[lock{t.Object, t.Offset}]
		if !ok || holder == t.Goroutine {
			continue
		}
		if list == nil {
			list = make(map[int32]int)
		}
		d := sc.distance(t.Goroutine)
		if was, ok := list[holder]; !ok || d < was {
			list[holder] = d
		}
	}
	return list
}

// match returns the trace whose head is one of some locations, -1 if there is none.
func (sc *scheduler) match(at []strategy.Location) int {
	return slices.IndexFunc(sc.left, func(t trace) bool { return len(t) > 0 && slices.Contains(at, t[0].at) })
}

// isWrong reports whether a goroutine at a branch will take another side than a trace wants.
func (sc *scheduler) isWrong(head step, t *run.Transition) bool {
	if head.side == strategy.AnySide || t.State == run.NoJump {
		return false
	}
	holds := (t.State == run.JumpTo) != sc.guide.Inverted(head.at)
	return holds != (head.side == strategy.Then)
}

// isAtPlace reports whether nothing is left of a trace but the place to which it leads.
func (sc *scheduler) isAtPlace(i int) bool {
	return len(sc.left[i]) == 1 && sc.places[sc.left[i][0].at]
}

// meet notes whether different goroutines are at all places of the suspect: i is the first that is not known of.
func (sc *scheduler) meet(pending []run.Transition, i int, taken []int32) bool {
	if i == len(sc.left) {
		return true
	}
	if !sc.isAtPlace(i) {
		return false
	}
	for k := range pending {
		t := &pending[k]
		if t.Goroutine >= 0 && t.IsStop() && !slices.Contains(taken, t.Goroutine) &&
			slices.Contains(sc.guide.At(t.Site), sc.left[i][0].at) &&
			sc.meet(pending, i+1, append(taken, t.Goroutine)) {
			return true
		}
	}
	return false
}

// look notes where goroutines are, and leaves out the heads of traces that none of them can come to any more.
func (sc *scheduler) look(pending []run.Transition) {
	for i := range pending {
		if t := &pending[i]; t.IsStop() {
			is := sc.where(t.Goroutine)
			if is.stop == t.Site {
				continue
			}
			if at := sc.guide.At(t.Site); len(at) > 0 {
				*is = where{position{at: at[0]}, true, t.Site}
			}
		}
	}
	for i, t := range sc.left {
		for len(t) > 1 && !sc.canAnyReach(pending, t[0].at) {
			sc.gone[t[0].at] = true
			t = t[1:]
		}
		sc.left[i] = t
	}
	if sc.suspect != nil && !sc.met {
		sc.met = sc.meet(pending, 0, nil)
	}
}

// canAnyReach reports whether one of the goroutines that are there may come to a location, as far as is known.
func (sc *scheduler) canAnyReach(pending []run.Transition, to strategy.Location) bool {
	if sc.able < len(pending) && pending[sc.able].Goroutine >= 0 && sc.canReach(pending[sc.able].Goroutine, to) {
		return true
	}
	for i := range pending {
		if g := pending[i].Goroutine; g >= 0 && sc.canReach(g, to) {
			sc.able = i
			return true
		}
	}
	return false
}

// canReach reports whether a goroutine may come to a location, as far as is known.
func (sc *scheduler) canReach(g int32, to strategy.Location) bool {
	from := sc.where(g)
	return !from.known || sc.way(from.position, to) >= 0
}

// Stepping implements run.Watcher.
func (sc *scheduler) Stepping(t *run.Transition, trace *run.Trace) bool {
	if sc.steps++; sc.steps > maxSteps || sc.settle(trace) {
		return false
	}
	sc.look(trace.Pending)
	switch t.Op {
	case schedule.Lock:
		sc.holders[lock{t.Object, t.Offset}] = t.Goroutine
	case schedule.Unlock:
		delete(sc.holders, lock{t.Object, t.Offset})
	}
	if !t.IsStop() {
		return true
	}
	at := sc.guide.At(t.Site)
	if len(at) == 0 || t.Object == run.GoalObject && t.Delta == run.Arrives {
		return true
	}
	*sc.where(t.Goroutine) = where{position{at[0], true}, true, run.NoSite}
	for range at { // the start of a function may be a branch, too
		i := sc.match(at)
		if i < 0 {
			break
		}
		head := sc.left[i][0]
		if sc.isWrong(head, t) {
			sc.awaited = awaited{on: true, trace: i, goroutine: t.Goroutine, at: head.at, path: len(trace.Path), apart: t.Offset}
			break
		}
		if sc.isAtPlace(i) && sc.met && sc.suspect.Checks {
			sc.awaited = awaited{on: true, check: true, trace: i, goroutine: t.Goroutine, at: head.at, path: len(trace.Path), site: t.Site}
			break
		}
		if sc.isAtPlace(i) && !sc.met {
			break // the goal: the goroutine stays there as long as it can
		}
		sc.left[i] = sc.left[i][1:]
	}
	return true
}

// succeeds notes that the check at the place of a suspect has succeeded. The run goes on: another
// time it may not. How it can fail is asked after the run, of the first time that depends on the
// input, or of the first.
func (sc *scheduler) succeeds(t *run.Trace) {
	a := &sc.awaited
	o := outcome{kind: refine, trace: a.trace, left: sc.left[a.trace]}
	for i := a.path; i < len(t.Path); i++ {
		if c := &t.Path[i]; c.Goroutine == a.goroutine && c.Kind == run.Check && c.Site.Func == a.site.Func {
			o.kind, o.path = flip, i
			break
		}
	}
	if sc.outcome.kind == ended || sc.outcome.kind == refine && o.kind == flip {
		sc.outcome = o
	}
}

// settle ends the run if a branch has been taken to the wrong side.
func (sc *scheduler) settle(t *run.Trace) bool {
	a := &sc.awaited
	if !a.on {
		return false
	}
	a.on = false
	if a.check {
		sc.succeeds(t)
		return false
	}
	sc.outcome = outcome{kind: refine, trace: a.trace, left: sc.left[a.trace], apart: a.apart}
	for i := a.path; i < len(t.Path); i++ {
		c := &t.Path[i]
		if c.Goroutine == a.goroutine && c.Kind != run.Assumed && slices.Contains(sc.guide.At(c.Site), a.at) {
			sc.outcome.kind, sc.outcome.path = flip, i
			break
		}
	}
	return true
}
