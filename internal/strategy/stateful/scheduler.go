package stateful

import (
	"cmp"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
	"github.com/everyway-go/everyway/schedule"
)

// A scheduler schedules a run: first by the decisions of script, then by default. It keeps the
// choices of the run, in the order in which they were made, and finds out which of their options
// are to be tried.
type scheduler struct {
	execution
	states
	knowledge
	unread
	script    []run.Decision // of the run
	decisions []run.Decision // of the run so far, or of the last one
	choices   []choice
	// open are the states of the choices, and those from which only what comes from the state
	// of a choice is left to be tried, with the index of the choice.
	open       map[openState]int32
	relatives  relatives
	ahead      ahead
	pasts      int32      // number of those that have been found ahead
	present    naming     // of the state that a run has come to, while it is looked for
	scratchSet bitset.Set // of relative
	list       []int32    // of passState
	asleep     sleepers   // in the present state
	steps      int        // number of steps of the run so far
	lateFrom   int        // 1 + that from which on it has been known that the search begins again, 0 if it does not
	trace      *run.Trace // of the last run, after Learn
	// The run has so many steps, with so many decisions, in common with the last one.
	shared, sharedDecisions int
	before                  []run.Transition // what was pending before the last step
	// fingerprint returns the fingerprint of the present state, nil if that is not known yet.
	fingerprint func() (run.Fingerprint, *run.Naming, bool)
	knows       func(func(run.Allocation, run.AccessKind) run.Interest) *run.Knowledge // likewise, SchedulingPoint.Known
	forgets     bool                                                                   // Options.ForgetKnowledge
	alike       bool                                                                   // Options.Alike
	foresees    bool                                                                   // Options.Ahead
	checks      bool                                                                   // Options.checks
	// asks says that it is to be found out in the state before the last decision of script which
	// goroutines are alike there.
	asks   bool
	made   int // number of runs that have begun
	spared int // number of options that were like others
	// cut says that the run has come to a state that is known, wrong that it did not begin as
	// it was to.
	cut, wrong bool
}

// Resume implements run.Resumer.
func (sc *scheduler) Resume(last *run.Trace) int {
	sc.cut, sc.wrong = false, false
	sc.made++
	sc.steps, sc.decisions = 0, sc.decisions[:0]
	if last != nil && last == sc.trace {
		sc.steps, sc.decisions = sc.shared, sc.decisions[:sc.sharedDecisions]
	} else {
		sc.fingerprint, sc.knows, sc.unread.words = nil, nil, nil // they may be another machine's
	}
	sc.trace = nil
	return sc.steps
}

// Choose implements run.Scheduler.
func (sc *scheduler) Choose(p *run.SchedulingPoint) int {
	if len(sc.decisions) < len(sc.script) {
		return sc.follow(p)
	}
	if p.Words != nil {
		sc.unread.words = p.Words
	}
	if p.Kind == run.Value {
		if !sc.arrive(p.Trace, nil, p.Fingerprint, p.Known) {
			return -1
		}
		c := &sc.choices[len(sc.choices)-1]
		c.kind, c.event, c.values, c.asleep = ofValue, int32(sc.steps)-1, int32(p.N), slices.Clone(sc.asleep)
		sc.decide(run.Decision{Kind: run.Value, Goroutine: p.Goroutine})
		return 0
	}
	sc.register(p.Pending)
	sc.fingerprint, sc.knows = p.Fingerprint, p.Known
	if !sc.arrive(p.Trace, p.Pending, p.Fingerprint, p.Known) {
		return -1
	}
	i := sc.byDefault(p)
	c := &sc.choices[len(sc.choices)-1]
	c.options, c.chosen, c.asleep = optionsOf(p.Enabled), int32(i), slices.Clone(sc.asleep)
	c.try(c.options[i].who)
	c.options[i].done = true
	for k := range p.Enabled {
		// Nothing can be moved from after the passing of time to before it, and what ends the
		// run conflicts with all that would come.
		if t := &p.Enabled[k]; t.IsEarly() || isQuiescent(t) || k == i && t.Op == schedule.Fail {
			c.tryAll()
		}
	}
	sc.decide(p.Enabled[i].Decision)
	return i
}

// arrive adds a choice without options, in the state to which the run has come. It returns false if the state
// is known: then the run ends there. If of is not nil, it returns the fingerprint of the state, and knows what is known
// of which access there. There are pending the steps that threads are at, if that is known.
func (sc *scheduler) arrive(trace *run.Trace, pending []run.Transition, of func() (run.Fingerprint, *run.Naming, bool), knows func(func(run.Allocation, run.AccessKind) run.Interest) *run.Knowledge) bool {
	var id stateID
	var names *run.Naming
	known, k := false, (*run.Knowledge)(nil)
	if of != nil {
		id.fingerprint, names, known = of()
	}
	if id.full = id.fingerprint; sc.forgets {
		sc.advance(trace.Flow)
		if known {
			k = knows(sc.wants)
			id.full = k.Hash
			sc.knowledge.note(k)
			id.words = sc.wordsOf(sc.spareWords)
			sc.spareWords = id.words
		}
		if sc.endsLate() {
			sc.cut = true
			return false
		}
	}
	if known && sc.comesToKnown(&id, names, k, pending) {
		sc.cut = true
		return false
	}
	at := openState{id.full, arranged(names)}
	if known {
		if to, ok := sc.open[at]; ok {
			sc.close(to)
			sc.cut = true
			return false
		}
	}
	var spare *naming
	var spareWords []word
	if n := len(sc.choices); n < cap(sc.choices) {
		spare, spareWords = sc.choices[:n+1][n].id.naming, sc.choices[:n+1][n].id.words
	}
	id.naming = copyOf(names, spare)
	c := choice{
		root: noRoot, event: int32(len(sc.events)), decision: int32(len(sc.decisions)), path: int32(len(trace.Path)), inputs: int32(len(trace.Inputs)),
		known: known, arranged: at.arranged,
	}
	if k != nil {
		c.node, c.origins, c.flow = &node{goroutines: slices.Clone(k.Goroutines)}, sc.origins, sc.at
		id.node = c.node
		c.written = sc.unread.written
		sc.restartPart(c.flow)
		id.words = append(spareWords[:0], id.words...)
	}
	c.id = id
	if known {
		sc.open[at] = int32(len(sc.choices))
	}
	sc.choices = append(sc.choices, c)
	return true
}

// When it is known that the search begins again after a run, the run goes on for as many steps as
// it has made, and lateSteps more: there may be more to come for which the search would have to
// begin again.
const lateSteps = 256

// endsLate reports whether a run ends since the search begins again after it.
func (sc *scheduler) endsLate() bool {
	switch {
	case !sc.late && !sc.lost:
		sc.lateFrom = 0
		return false
	case sc.lateFrom == 0:
		sc.lateFrom = sc.steps + 1
	}
	return sc.steps > 2*sc.lateFrom+lateSteps
}

// comesToKnown reports whether a run that has come to a state ends there: everything has been tried from it, and no
// access that can come then races with one that the run has made already.
func (sc *scheduler) comesToKnown(id *stateID, names *run.Naming, k *run.Knowledge, pending []run.Transition) bool {
	found, ok := sc.find(id)
	if !ok {
		return false
	}
	sc.noteEnd(found.words != id.fingerprint)
	var n *naming
	if names != nil {
		n = copyOf(names, &sc.present)
	}
	if k != nil {
		set := sc.named(n, found.ahead)
		if sc.table.Races(set, k) {
			id.contested = true
			if found, ok = sc.known[id.full]; !ok {
				return false
			}
			set = sc.named(n, found.ahead)
		}
		sc.passAhead(set)
		if found.reads == allWords {
			sc.passReads(id, nil, true)
		} else {
			sc.passReads(id, sc.read[found.reads], false)
		}
	}
	sc.passState(sc.lists[found.labels], n, pending)
	return true
}

// named returns a set of accesses with the names of a state, if they are relative ones.
func (sc *scheduler) named(n *naming, set *accesses.Set) *accesses.Set {
	if n == nil {
		return set
	}
	return sc.withNames(n, set)
}

// longForced is the number of steps without a choice after which a run is looked at all the same: it may
// have come to a state that is known.
const longForced = 32

// arriveForced is arrive for a state in which there is nothing to choose, now and then.
func (sc *scheduler) arriveForced(trace *run.Trace) bool {
	last := 0
	if n := len(sc.choices); n > 0 {
		last = int(sc.choices[n-1].event)
	}
	if sc.fingerprint == nil || len(sc.events)-last < longForced {
		return true
	}
	if !sc.arrive(trace, trace.Pending, sc.fingerprint, sc.knows) {
		return false
	}
	c := &sc.choices[len(sc.choices)-1]
	c.forced, c.full = true, true
	return true
}

// follow takes the next decision of the script.
func (sc *scheduler) follow(p *run.SchedulingPoint) int {
	if sc.asks && len(sc.decisions) == len(sc.script)-1 {
		if sc.asks = false; sc.askAlike(p) {
			sc.cut = true
			return -1
		}
	}
	d := sc.script[len(sc.decisions)]
	sc.decide(d)
	if p.Kind == run.Value {
		if d.Kind == run.Value && d.Goroutine == p.Goroutine && int(d.Alt) < p.N {
			return int(d.Alt)
		}
		sc.wrong = true
		return -1
	}
	for i := range p.Enabled {
		if p.Enabled[i].Decision == d {
			return i
		}
	}
	sc.wrong = true
	return -1
}

func (sc *scheduler) decide(d run.Decision) { sc.decisions = append(sc.decisions, d) }

// optionsOf returns the options of a choice between steps.
func optionsOf(enabled []run.Transition) []option {
	list := make([]option, len(enabled))
	for i := range enabled {
		t := &enabled[i]
		list[i] = option{Decision: t.Decision, who: whoTakes(t), partner: t.Partner}
	}
	return list
}

// byDefault returns the choice of a step: of the goroutine that took the last one or, in a long
// run, has waited for too long; else of the first of those that are closest to it in the tree in
// which goroutines start others. After that come those that are asleep, then what needs time to
// pass while something else is possible, and what ends the run comes last.
//
// So goroutines that have to do with each other come to an end together, and a state that is the
// same whatever they have done comes before others have begun.
func (sc *scheduler) byDefault(p *run.SchedulingPoint) int {
	overdue := sc.overdue(p)
	best, rank := 0, -1
	for i := range p.Enabled {
		t := &p.Enabled[i]
		const others = 3 // and more, by how close they are
		r := others
		switch {
		case t.Op == schedule.Fail:
			r = 0
		case t.IsEarly():
			r = 1
		case isQuiescent(t):
			r = 2
		case overdue >= 0 && t.Goroutine == p.Enabled[overdue].Goroutine, overdue < 0 && t.Goroutine == p.Last:
			r = math.MaxInt
		case overdue < 0 && p.Last >= 0 && t.Goroutine >= 0:
			r += 2 * sc.depth(sc.commonAncestor(t.Goroutine, p.Last))
			if !sc.asleep.takePart(t) {
				r++
			}
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// sleep makes sc.asleep the sleep set after the last event, which is the option of own that has
// been chosen; own is nil if there was nothing to choose. There are pending the steps before it.
func (sc *scheduler) sleep(own *choice, pending []run.Transition) {
	if own != nil {
		sc.asleep = append(sc.asleep[:0], own.asleep...)
		for i := range pending {
			t := &pending[i]
			if l, ok := labelOf(t); ok && t.Enabled && own.hasTried(whoTakes(t)) {
				sc.asleep = append(sc.asleep, sleeper{whoTakes(t), int32(sc.number(&l))})
			}
		}
	}
	last := int32(len(sc.events) - 1)
	e := &sc.events[last]
	sc.asleep = sc.asleep.without(func(s sleeper) bool {
		w := sc.thread(s.who)
		return w == e.thread || w == e.partner || sc.conflicts(last, &sc.all[s.label])
	})
}

// maxWait is for how many steps a goroutine that could take one waits in a long run, at most, if
// there is nothing else that keeps it waiting than the default. With fewer, goroutines take turns,
// and runs come to states in the midst of what each of them does, which no other run comes to.
const maxWait = 64

// overdue returns p.Overdue if the goroutine has waited for maxWait steps, -1 otherwise.
func (sc *scheduler) overdue(p *run.SchedulingPoint) int {
	if p.Overdue < 0 {
		return -1
	}
	th := &sc.threads[sc.thread(whoTakes(&p.Enabled[p.Overdue]))]
	last := th.born
	if n := len(th.events); n > 0 {
		last = th.events[n-1]
	}
	if len(sc.events)-int(last) < maxWait {
		return -1
	}
	return p.Overdue
}

// commonAncestor returns the last goroutine that is, or has led to, both of two.
func (sc *scheduler) commonAncestor(a, b int32) int32 {
	for x, y := sc.depth(a), sc.depth(b); a != b; {
		if x >= y {
			a = sc.names.Parent(a)
			x--
		} else {
			b = sc.names.Parent(b)
			y--
		}
	}
	return a
}

// depth returns by how many goroutines, one started by the other, a goroutine has been started.
func (sc *scheduler) depth(g int32) int {
	n := 0
	for g = sc.names.Parent(g); g >= 0; g = sc.names.Parent(g) {
		n++
	}
	return n
}

// Stepping implements run.Watcher.
func (sc *scheduler) Stepping(t *run.Transition, trace *run.Trace) bool {
	sc.steps++
	sc.before = append(sc.before[:0], trace.Pending...)
	if sc.steps <= len(sc.events) {
		// What is new comes after this step, in the course of it, or is the step itself.
		if e := &sc.events[sc.steps-1]; e.transition.Goroutine != t.Goroutine || e.transition.Op != t.Op ||
			e.transition.Object != t.Object {
			sc.wrong = true
			return false
		}
		return true
	}
	sc.register(trace.Pending)
	if sc.isSaved(int32(len(sc.events))) {
		sc.addSaved(t, trace)
		return true
	}
	var own *choice
	at := len(sc.decisions)
	if n := len(sc.choices); n > 0 {
		if c := &sc.choices[n-1]; c.kind == ofStep && !c.forced && int(c.event) == len(sc.events) {
			own = c
			at--
		}
	}
	if own == nil && !sc.arriveForced(trace) {
		return false
	}
	sc.notePending(trace.Pending)
	if t.Op == schedule.TimePass {
		sc.lookPending(trace.Pending) // nothing that comes later is moved to before it
	} else {
		sc.lookAll(t, trace.Pending)
	}
	sc.add(t, trace, at)
	sc.sleep(own, trace.Pending)
	if own != nil {
		sc.events[len(sc.events)-1].choice = int32(len(sc.choices) - 1)
		sc.tryTimers(own, trace.Pending)
	}
	if n := len(sc.choices); n > 0 && !sc.hasPassed() {
		below := &sc.choices[n-1].below
		below.Grow(len(sc.all))
		for _, o := range sc.labelsOf(int32(len(sc.events) - 1)) {
			below.Add(int(o.label))
		}
	}
	return true
}

// isSaved reports whether event i comes before the last choice although it is not known: the search has been
// restored. All that follows from it has been looked for already.
func (sc *scheduler) isSaved(i int32) bool {
	n := len(sc.choices)
	if n == 0 {
		return false
	}
	c := &sc.choices[n-1]
	return i < c.event || i == c.event && c.kind != ofStep
}

// addSaved adds an event for which isSaved is true.
func (sc *scheduler) addSaved(t *run.Transition, trace *run.Trace) {
	i, at := int32(len(sc.events)), len(sc.decisions)
	k, _ := slices.BinarySearchFunc(sc.choices, i, func(c choice, i int32) int { return cmp.Compare(c.event, i) })
	for ; k < len(sc.choices) && sc.choices[k].event == i; k++ {
		if c := &sc.choices[k]; c.kind == ofStep && !c.forced {
			c.asleep = slices.Clone(sc.asleep)
			sc.add(t, trace, at-1)
			sc.sleep(c, trace.Pending)
			sc.events[i].choice = int32(k)
			return
		}
	}
	sc.add(t, trace, at)
	sc.sleep(nil, nil)
}

// insert inserts a choice at index i.
func (sc *scheduler) insert(i int, c choice) {
	sc.choices = slices.Insert(sc.choices, i, c)
	for k := i + 1; k < len(sc.choices); k++ {
		c := &sc.choices[k]
		if c.kind == ofStep && !c.forced && int(c.event) < len(sc.events) {
			sc.events[c.event].choice = int32(k)
		}
		if c.root != noRoot && int(c.root) >= i {
			c.root++
		}
	}
	for f, k := range sc.open {
		if int(k) >= i {
			sc.open[f] = k + 1
		}
	}
}

// tryTimers makes the timers be tried at c that conflict with the last event, which has been chosen
// there: it may have stopped them. A goroutine, other than a timer, has the same step before
// it after the event, so that the conflict is found then.
func (sc *scheduler) tryTimers(c *choice, pending []run.Transition) {
	for i := range pending {
		t := &pending[i]
		if t.Goroutine >= 0 || !t.Enabled {
			continue
		}
		if l, ok := labelOf(t); ok && sc.conflicts(int32(len(sc.events)-1), &l) {
			c.try(whoTakes(t))
		}
	}
}

// lookAll looks for the steps that the threads that take part in t may take earlier.
func (sc *scheduler) lookAll(t *run.Transition, pending []run.Transition) {
	sc.eachLabel(t, pending, func(thread int32, l *label) {
		sc.look(sc.threads[thread].who, sc.number(l), true)
	})
}

// end is called at the end of a run, in which these steps remain. Those of threads that are
// blocked may have been possible earlier. If the run was ended by a step, others come before it.
func (sc *scheduler) end(pending []run.Transition) {
	if sc.cut {
		return
	}
	if n := len(sc.events); n > 0 && len(pending) == 0 {
		last := &sc.events[n-1].transition
		for i := range sc.before {
			t := &sc.before[i]
			if t.Goroutine >= 0 && (t.Goroutine == last.Goroutine || t.Goroutine == last.Partner) {
				continue
			}
			pending = append(pending, *t)
			if c := sc.events[n-1].choice; t.Enabled && c >= 0 {
				sc.choices[c].tryAll()
			}
		}
	}
	sc.notePending(pending)
	sc.lookPending(pending)
}

// lookPending looks for the steps that are pending in the present state, also those that are not
// possible there: they may be taken earlier.
func (sc *scheduler) lookPending(pending []run.Transition) {
	sc.register(pending)
	for i := range pending {
		l, ok := labelOf(&pending[i])
		if !ok {
			continue
		}
		number := sc.number(&l)
		if n := len(sc.choices); n > 0 && !sc.hasPassed() {
			below := &sc.choices[n-1].below
			below.Grow(number + 1)
			below.Add(number)
		}
		sc.look(whoTakes(&pending[i]), number, true)
	}
}

// passState does what the rest of the run would have done, if it had not come to a state that is
// known: below are the labels of what is possible from there on, relative ones if there are names.
func (sc *scheduler) passState(below []int32, n *naming, pending []run.Transition) {
	if n == nil {
		sc.pass(below, pending)
		return
	}
	list := sc.list[:0]
	for _, k := range below {
		l := sc.relatives.labelOf(n, sc.names, sc.relatives.all[k])
		list = append(list, int32(sc.number(&l)))
	}
	sc.pass(list, pending)
	sc.list = list
}

// pass is passState for labels.
func (sc *scheduler) pass(below []int32, pending []run.Transition) {
	sc.foresee(below, pending)
	for _, n := range below {
		sc.look(whoTakes(&sc.all[n]), int(n), sc.isAt(n))
	}
	sc.ahead.known = false
	if n := len(sc.choices); n > 0 && !sc.hasPassed() {
		set := &sc.choices[n-1].below
		set.Grow(len(sc.all))
		for _, i := range below {
			set.Add(int(i))
		}
	}
}
