package state

import (
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

// A LateStep is a step in a part of the run, up to the next quiescent point, in which timers
// have fired early or the clock has been read.
type LateStep struct {
	run.Transition
	Time     int64          // the earliest time at which it can have happened, -1 as long as it is not known
	Readings *race.Readings // of the clock that happened before, once Time is known
}

// A LateIndex finds among the first of the late steps those that may be dependent with a
// transition. Of those that are dependent with the same transitions, it has the last one, with the
// readings that all of them know: goroutines that poll take the same steps again and again. The
// zero value has none.
type LateIndex struct {
	indexed  int // the number of steps
	lists    []*LateList
	byObject map[run.ObjectID]*LateList // of transitions that are not wide
	wide     *LateList
	same     map[lateKey]lateStep
}

// A LateList has the late steps that may be dependent with the same transitions.
type LateList struct {
	Steps    []LateStep
	Latest   int64          // of their times
	Readings *race.Readings // of the clock that some of them know
}

// A lateStep is the place of a step in a list.
type lateStep struct {
	list *LateList
	i    int
}

// A lateKey is a transition without what it awaits.
type lateKey struct {
	run.Decision
	op                        schedule.Op
	cells, from               run.Range
	bubble, queue             run.ObjectID
	state, delta              int64
	partner                   int32
	spins, compares, commutes bool
	contingent, queued        bool
}

// Reset makes x the index of no steps.
func (x *LateIndex) Reset() { *x = LateIndex{} }

// Add indexes those of the first n steps that are not indexed. Their times are known.
func (x *LateIndex) Add(steps []LateStep, n int) {
	if x.same == nil {
		x.same, x.byObject = map[lateKey]lateStep{}, map[run.ObjectID]*LateList{}
		x.wide = x.newList()
	}
	for ; x.indexed < n; x.indexed++ {
		s := &steps[x.indexed]
		dependence := s.Dependence()
		key := keyOf(&dependence)
		at, ok := x.same[key]
		if ok && slices.Equal(at.list.Steps[at.i].Awaits, s.Awaits) {
			was := &at.list.Steps[at.i]
			readings := was.Readings.Join(s.Readings)
			if s.Time >= was.Time {
				*was = *s
			}
			was.Readings = readings
		} else {
			at = lateStep{list: x.listOf(&s.Transition)}
			at.i = len(at.list.Steps)
			at.list.Steps, x.same[key] = append(at.list.Steps, *s), at
		}
		at.list.Latest = max(at.list.Latest, s.Time)
		at.list.Readings = at.list.Readings.Join(s.Readings)
	}
}

func (x *LateIndex) newList() *LateList {
	list := new(LateList)
	x.lists = append(x.lists, list)
	return list
}

// listOf returns the list in which t belongs.
func (x *LateIndex) listOf(t *run.Transition) *LateList {
	if t.IsWide() {
		return x.wide
	}
	list := x.byObject[t.Object]
	if list == nil {
		list = x.newList()
		x.byObject[t.Object] = list
	}
	return list
}

// Lists returns a sequence of the lists of the steps that may be dependent with t, apart from those of its
// goroutine and its partner.
func (x *LateIndex) Lists(t *run.Transition) iter.Seq[*LateList] {
	if t.IsWide() {
		return slices.Values(x.lists)
	}
	return func(yield func(*LateList) bool) {
		if list := x.byObject[t.Object]; list == nil || yield(list) {
			yield(x.wide)
		}
	}
}

func keyOf(t *run.Transition) lateKey {
	return lateKey{
		Decision: t.Decision, op: t.Op, cells: run.Range{Object: t.Object, Offset: t.Offset, Cells: t.Cells}, from: t.From,
		partner: t.Partner, bubble: t.Bubble, queue: t.Queue, state: t.State, delta: t.Delta,
		spins: t.Spins, compares: t.Compares, commutes: t.Commutes, contingent: t.Contingent, queued: t.Queued,
	}
}
