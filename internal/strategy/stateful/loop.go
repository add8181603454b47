package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
)

// A loop is what is known of the cycles through the state of a choice: sequences of steps that lead
// back to it.
type loop struct {
	states []stateID    // on these cycles, from which everything has been tried but what comes from the choice
	moved  map[who]bool // threads that have taken a step in one of the cycles
	could  map[who]bool // threads that could take one
}

// merge adds m to l.
func (l *loop) merge(m *loop) {
	l.states = append(l.states, m.states...)
	for w := range m.moved {
		l.moved[w] = true
	}
	for w := range m.could {
		l.could[w] = true
	}
}

// isFair reports whether all threads that could take a step in one of the cycles have taken one in
// some of them. Then the program may go round forever although nobody is kept waiting.
func (l *loop) isFair() bool {
	for w := range l.could {
		if !l.moved[w] {
			return false
		}
	}
	return true
}

// close is called when the run has come back to the state of choice n, or to one from which only
// that is left to be tried. What is possible from there will be tried at the choice. The reduction
// by conflicts does not apply to steps that go round: they would not conflict with what comes after
// n in runs that are still to be made. So everything is tried at the choices in between. Nor are the accesses known
// that come after the states in between: then the search begins again with states that say what is known.
func (sc *scheduler) close(n int32) {
	sc.knowledge.lost = sc.knowledge.lost || sc.forgets
	own := sc.choices[n].loop
	if own == nil {
		own = &loop{moved: map[who]bool{}, could: map[who]bool{}}
		sc.choices[n].loop = own
	}
	for k := n; int(k) < len(sc.choices); k++ {
		c := &sc.choices[k]
		c.tryAll()
		c.tellApart()
		c.root = min(c.root, n)
		for i := range c.options {
			own.could[c.options[i].who] = true
		}
	}
	for i := sc.choices[n].event; int(i) < len(sc.events); i++ {
		e := &sc.events[i]
		own.moved[sc.threads[e.thread].who] = true
		if e.partner >= 0 {
			own.moved[sc.threads[e.partner].who] = true
		}
	}
}

// complete removes choice n, the last one, of which everything has been tried. It returns false if
// the program may go round forever.
func (sc *scheduler) complete(n int) bool {
	c := &sc.choices[n]
	fair := false
	root := int(c.root)
	sc.completeAhead(n)
	switch {
	case root < n: // what comes from there is still to be tried
		to := &sc.choices[root]
		if c.loop != nil {
			to.loop.merge(c.loop)
		}
		if c.known {
			to.loop.states = append(to.loop.states, c.id)
			sc.open[c.openState()] = int32(root)
			c.id.naming = nil // which is the loop's now
		}
		if c.loop != nil {
			for _, id := range c.loop.states {
				sc.open[id.open()] = int32(root)
			}
		}
	case c.known:
		delete(sc.open, c.openState())
		sc.remember(c.id, c.below)
		if c.loop != nil {
			for _, id := range c.loop.states {
				delete(sc.open, id.open())
				sc.remember(id, c.below)
			}
		}
	}
	if root >= n && c.loop != nil {
		fair = c.loop.isFair() // also if the states have been forgotten
	}
	if n > 0 && (root < n || !sc.passesBetween(&sc.choices[n-1], c)) {
		sc.choices[n-1].below.AddAll(c.below)
	}
	sc.choices = sc.choices[:n]
	return !fair
}

// passesBetween reports whether time passes between two choices of the last run, one after the
// other. What can come after that is not moved to before it. But the states of a cycle are
// remembered with what can come after any of them.
func (sc *scheduler) passesBetween(c, next *choice) bool {
	return slices.ContainsFunc(sc.passes, func(i int32) bool { return c.event <= i && i < next.event })
}

// hasPassed reports whether time has passed since the last choice.
func (sc *scheduler) hasPassed() bool {
	n := len(sc.choices)
	return n > 0 && sc.passed > 0 && sc.choices[n-1].event < sc.passed
}

// An openState identifies a state from which not everything has been tried. A state that is the same but for names
// is another one: who goes round with other goroutines in its place has not kept them waiting.
type openState struct {
	run.Fingerprint
	arranged uint64
}

// open returns the openState of a state.
func (id stateID) open() openState {
	if id.naming == nil {
		return openState{id.full, 0}
	}
	return openState{id.full, arranged(&id.naming.Naming)}
}

// openState returns the openState of the state of c.
func (c *choice) openState() openState { return openState{c.id.full, c.arranged} }

// remember notes that everything has been tried from a state on.
func (sc *scheduler) remember(id stateID, below bitset.Set) {
	var ahead *accesses.Set
	if id.node != nil {
		ahead = &id.node.set
	}
	if id.naming != nil {
		below = sc.relative(id.naming, below)
		if ahead != nil {
			ahead = sc.withoutNames(id.naming, ahead)
		}
	}
	sc.makeRoom()
	f, set := id.fingerprint, int32(allWords)
	if reads, ok := sc.readsOf(&id); ok {
		if set = sc.states.setOf(id.without(nil), reads); set != allWords {
			f = id.without(reads)
		}
	}
	sc.states.complete(f, &id, below, ahead, set)
	if id.contested {
		sc.states.complete(id.full, &id, below, ahead, set)
	}
}
