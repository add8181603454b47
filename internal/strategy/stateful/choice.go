package stateful

import (
	"math"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
)

// A choice is a point of the run at which it can go on in several ways.
type choice struct {
	kind     choiceKind
	event    int32 // ofStep: the event that is chosen; otherwise the one in the course of which it is made, -1 before the first
	decision int32 // number of decisions before it
	path     int32 // number of conditions before it
	inputs   int32 // number of inputs drawn before it; not set ofCondition
	options  []option
	full     bool // all options are to be tried
	forced   bool // there was nothing to choose, and there are no options
	// chosen is the index in options of the one that the run takes or, ofValue, the value, of
	// so many.
	chosen, values int32
	// other is, ofCondition, an input with which the condition has its other outcome, nil if
	// there is none that was not tried, and outcome the hash of the condition then.
	other   run.Input
	outcome uint64
	// excluded are, if a value was made concrete, the conditions that say which values it has had,
	// in the text form of package expr.
	excluded []string
	loop     *loop // nil if no cycle leads back to the state
	root     int32 // index of the first choice to which a cycle through the state leads back, noRoot if there is none
	known    bool  // the state has a fingerprint
	id       stateID
	arranged uint64 // of the naming
	// node has the accesses that came after the choice, in all runs so far. It is nil without
	// Options.ForgetKnowledge, and if the state has no fingerprint.
	node    *node
	asleep  sleepers                   // in the state; not set ofCondition
	origins map[int32]accesses.Origins // of the holders whose clocks have changed since the choice with a node before it
	written bitset.Set                 // of the cells that are words of states: those that have been overwritten since then
	flow    int                        // number of steps of the Flow before it
	// below are the labels of what was possible after the choice, in all runs with it so far.
	below   bitset.Set
	circles []circle       // of goroutines that are alike in the state
	turned  *turned        // of the state
	looked  bitset.Set     // labels of below for which it has been looked what they conflict with, as the next steps of their threads
	earlier *run.Knowledge // in the state, with Options.ForgetKnowledge, if it has been asked what is alike
	// Of closeAlike: after how many runs it was called last, with how many circles, and that it returned false.
	closed, closedCircles int
	races                 bool
}

// noRoot is the root of a choice whose state is on no cycle.
const noRoot = math.MaxInt32

// isBefore reports whether the choice was made before a condition, of which it says how many decisions
// and conditions there were before it.
func (c *choice) isBefore(decision, path int32) bool {
	if c.decision == decision {
		return c.path < path || c.path == path && c.forced
	}
	return c.decision < decision
}

// A choiceKind says what is chosen.
type choiceKind uint8

const (
	ofStep      choiceKind = iota // a step
	ofValue                       // a value
	ofCondition                   // the outcome of a condition on inputs
)

// An option is a step that can be chosen.
type option struct {
	run.Decision
	who        who
	partner    int32 // goroutine, -1 if there is none
	todo, done bool
	alike      bool // it is done because it is like another one
	took       *took
}

// takes reports whether w takes part in the step.
func (o *option) takes(w who) bool {
	return o.who == w || w.goroutine >= 0 && o.partner == w.goroutine
}

// tryAll makes all options be tried.
func (c *choice) tryAll() {
	if c.full {
		return
	}
	c.full = true
	for i := range c.options {
		c.options[i].todo = true
	}
}

// try makes the options be tried in which w takes part and, since none of two steps with a common
// thread is possible after the other, those in which threads take part that take part in one of
// them, and so on. It returns false if there are none.
func (c *choice) try(w who) bool {
	found := false
	for i := range c.options {
		o := &c.options[i]
		if !o.takes(w) {
			continue
		}
		found = true
		if o.todo {
			continue
		}
		o.todo = true
		c.try(o.who)
		if o.partner >= 0 {
			c.try(who{goroutine: o.partner})
		}
	}
	return found
}

// tries reports whether all options in which w takes part are to be tried, and whether there are
// any.
func (c *choice) tries(w who) (all, any bool) {
	all = true
	for i := range c.options {
		if o := &c.options[i]; o.takes(w) {
			any = true
			all = all && o.todo
		}
	}
	return all && any, any
}

// next returns the index of an option that is to be tried and was not, -1 if there is none.
func (c *choice) next() int32 {
	for i := range c.options {
		if o := &c.options[i]; o.todo && !o.done {
			return int32(i)
		}
	}
	return -1
}

// tried returns how many options are to be tried, or have been.
func (c *choice) tried() int {
	n := 0
	for i := range c.options {
		if c.options[i].todo {
			n++
		}
	}
	return n
}

// hasTried reports whether an option in which w takes part has been tried before the one that is chosen now.
func (c *choice) hasTried(w who) bool {
	for i := range c.options {
		if o := &c.options[i]; o.done && int32(i) != c.chosen && o.takes(w) {
			return true
		}
	}
	return false
}
