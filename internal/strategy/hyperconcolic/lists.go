package hyperconcolic

import "github.com/everyway-go/everyway/schedule"

// Lists are lists of events that grow with the run, and through which it is looked for those that
// have not happened before a step. Where goroutines do things one after another, as one that is
// alone does, or two that meet again and again, all of them have but the latest. So that a step
// need not be compared with all events of a long run, an event knows whether all earlier ones of a
// list happened before it: what it happened before, they happened before too.
type lists uint8

const (
	ofAll            lists = 1 << iota // execution.events
	ofObject                           // the events on its object
	ofWide                             // execution.wide
	ofCommunications                   // execution.communications, of which execution.waited is a part
	ofNodes                            // execution.listed
)

// maxUnordered is how many events of a list it is looked at to find out whether all of them
// happened before the next one.
const maxUnordered = 16

// appendTo appends event i to a list of those that are given.
func (x *execution) appendTo(list []int32, i int32, of lists) []int32 {
	e := &x.events[i]
	for k, n := len(list)-1, 0; ; k, n = k-1, n+1 {
		if k < 0 || n < maxUnordered && x.isLast(list[k], of, e.clock) {
			e.last |= of
			break
		}
		if n == maxUnordered || !x.has(e.clock, list[k]) {
			break
		}
	}
	return append(list, i)
}

// noteLastOfAll is appendTo for e, event i, and all events.
func (x *execution) noteLastOfAll(e *event, i int32) {
	for k := i - 1; ; k-- {
		if k < 0 || e.transition.Op == schedule.TimePass || x.isLast(k, ofAll, e.clock) {
			e.last |= ofAll
			return
		}
		if k < i-maxUnordered || !x.has(e.clock, k) {
			return
		}
	}
}

// isLast reports whether event i is in c, and all earlier ones of the given lists that it is on are known to be.
func (x *execution) isLast(i int32, of lists, c clock) bool {
	return x.events[i].last&of == of && x.has(c, i)
}

// beside returns the end of a list of events, without what is known to be in c.
func (x *execution) beside(list []int32, of lists, c clock) []int32 {
	for k := len(list); k > 0; k-- {
		if x.isLast(list[k-1], of, c) {
			return list[k:]
		}
	}
	return list
}

// isSettled reports whether nothing before which the events of before happen can come first at a
// node of choiceNodes, wideNodes or meetingNodes, nor at the earlier ones.
func (x *execution) isSettled(nd *node, before clock) bool {
	return x.isBeforePass(nd) || int(nd.position) < len(x.events) && x.isLast(nd.position, ofNodes, before)
}

// isBeforePass reports whether time has passed since a node. Nothing moves to before that, since
// nothing else was enabled then.
func (x *execution) isBeforePass(nd *node) bool {
	n := len(x.passes)
	return n > 0 && nd.position <= x.passes[n-1]
}
