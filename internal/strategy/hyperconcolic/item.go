package hyperconcolic

import (
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// An item is a run that has not been made: its input and its first decisions.
type item struct {
	kind kind
	// The input is input, which is the one that inputOf says, with the values that changed has for some variables.
	input   run.Input
	inputOf inputOf
	changed run.Input
	// The decisions are those of head, which are the first of run, and then those of tail.
	// Of them, steps are steps.
	head, tail []decision
	run        *runDecisions // nil if no other item has head
	steps      int
	// edges are the nodes that are left by another edge than the default, and flips the conditions
	// that were negated, in order, in events that were taken by default. The first ofRun of each
	// are the first of run; before the item's run begins, edge and flip are one more, which the
	// item may have.
	edges []edge
	flips []flip
	ofRun struct{ edges, flips int }
	edge  edge
	flip  *flip
	// hasEdge says that there is edge, and ownsEdges that no other item has the memory of edges.
	hasEdge, ownsEdges bool
	// begins is the beginning of the path of the run, up to the condition of the last flip if
	// that is what is new.
	begins prefix
	// path is the number of conditions that belong to other items, if that does not follow
	// from the kind.
	path int
	// rank is the number of steps of another goroutine than the one before although
	// that was enabled, and of steps that are early, as far as the run that led to the item
	// shows; in the order of distances, how far it is from what is new about the item to what is to be reached.
	rank int32
	// site is where what is new about the item is: its last step or its condition.
	site run.SiteID
	// late are goroutines whose next step ends the run, and so comes last.
	late []int32
}

// A kind says what is new about an item.
type kind uint8

const (
	root      kind = iota
	revisited      // the last step comes first at the node of the last edge
	valued         // the last decision is a value other than the default
	flipped        // the input negates the condition of the last flip
	delayed        // the last of late comes last, from the end of the decisions on
)

// An edge says that at the node at position, where the default is a step of a goroutine or
// timer, the events from position to winner come instead.
type edge struct {
	position, winner int32
	goroutine        int32
	timer            timer // if goroutine is -1
}

// postpones reports whether t is a step of what the edge postpones.
func (g *edge) postpones(t *run.Transition) bool {
	return t.Goroutine == g.goroutine && (g.goroutine >= 0 || timerOf(t) == g.timer)
}

// A flip is a condition of the path that does not have its first outcome.
type flip struct {
	event int32 // that the condition belongs to, -1 before the first
	index int   // in the path
	kind  run.ConditionKind
	// outcome is that of the condition in the runs of the item.
	outcome outcome
	// values are, if a value was concretized, the conditions that say which values it had
	// before, in the text form of package expr.
	values []string
}

func (it *item) decisions() int { return len(it.head) + len(it.tail) }

func (it *item) decision(i int) decision {
	if i < len(it.head) {
		return it.head[i]
	}
	return it.tail[i-len(it.head)]
}

// An inputOf says which input items have in common.
type inputOf uint8

const (
	own   inputOf = iota // none
	given                // that of the item of run
	drawn                // what the run has drawn
)

// begin makes an item ready for its run, before which it is as small as it can be.
func (it *item) begin(p *pool) {
	if it.hasEdge {
		it.edges = append(append(p.noEdges(), it.edges...), it.edge)
		it.hasEdge, it.ownsEdges = false, true
	}
	if it.flip != nil {
		it.flips = append(slices.Clip(it.flips), *it.flip)
		it.flip = nil
	}
	if len(it.changed) > 0 {
		it.input = maps.Clone(it.input)
		if it.input == nil {
			it.input = run.Input{}
		}
		maps.Copy(it.input, it.changed)
		it.inputOf, it.changed = own, nil
	}
}
