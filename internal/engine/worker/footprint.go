package worker

import (
	"context"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Footprint is what a test, or what goes on beside it, uses of what was there before the
// test: variables, locks, channels and so on. It says of each whether it was changed.
type Footprint map[run.ObjectID]bool

// meets reports whether what two footprints belong to can notice each other: whether one
// changes what the other uses.
func (f Footprint) meets(other Footprint) bool {
	if f.seesGoroutines() || other.seesGoroutines() {
		return true
	}
	for object, wrote := range f {
		if otherWrote, ok := other[object]; ok && (wrote || otherWrote) {
			return true
		}
	}
	return false
}

// seesGoroutines reports whether f is of what looks at the goroutines of the process, of which
// every test is one.
func (f Footprint) seesGoroutines() bool {
	_, ok := f[run.GoroutinesObject]
	return ok
}

// add adds the use of an object.
func (f Footprint) add(object run.ObjectID, wrote bool) { f[object] = f[object] || wrote }

// Footprints are those of one of several tests when it runs without the others.
type Footprints struct {
	Parallel   bool      // it calls T.Parallel
	Test       Footprint // of the test, with the goroutines that it starts
	Background Footprint // of the goroutines that were there before it
	Runs       int
}

// The runs of a test whose footprints are taken: the first switches between goroutines only
// when it must. If there was something to be decided, others decide at random, as long as
// they have executed few instructions.
const (
	footprintRuns         = 9
	footprintInstructions = 1_000_000
)

// Footprints runs one of the tests of a target that is several, without the others, and
// returns what it uses. The worker is of no other use afterwards.
func (w *Worker) Footprints(ctx context.Context, index int) (*Footprints, error) {
	entry, err := w.program.EntryOfOne(w.target, index)
	if err != nil {
		return nil, err
	}
	name := w.target.Tests[index].Name
	if err := w.machine.Retarget(entry); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	f := &Footprints{Test: Footprint{}, Background: Footprint{}}
	private := w.machine.Reachable(w.program.Private)
	instructions := uint64(0)
	for f.Runs < footprintRuns {
		var sched run.Scheduler = run.NonPreemptive{}
		if f.Runs > 0 {
			sched = run.Random(uint64(f.Runs))
		}
		trace, err := w.Run(ctx, &run.Plan{Record: true}, sched)
		if err != nil {
			return nil, fmt.Errorf("running %s: %w", name, err)
		}
		f.Runs++
		f.Parallel = f.Parallel || trace.Parallel
		accesses := make(map[run.Access]bool)
		for _, a := range trace.Accesses {
			accesses[a] = true
		}
		for i := range trace.Events {
			e := &trace.Events[i]
			accesses[run.Access{Object: e.Object, Goroutine: e.Goroutine, Wrote: !onlyReads(e.Op)}] = true
		}
		// Variables that were used for the first time had not been seen before the run.
		privateNow, settable := w.machine.Variables(w.program.Private), w.machine.Variables(w.program.Settable)
		for a := range accesses {
			if o := a.Object; settable[o] || !private[o] && !privateNow[o] {
				w.addUse(f, trace, a)
			}
		}
		instructions += trace.Instructions
		if len(trace.Decisions) == 0 || instructions > footprintInstructions {
			break
		}
	}
	return f, nil
}

// addUse adds to f what a goroutine has used in a run.
func (w *Worker) addUse(f *Footprints, t *run.Trace, a run.Access) {
	switch {
	case a.Object.Goroutine < 0 && a.Object.Goroutine != run.GlobalObjects:
		return // not written, or part of another object
	case a.Object == run.NoObject || a.Object == run.ClockObject:
		return // time passes for all
	case w.ofTest(t, a.Object.Goroutine):
		return // made by the test
	case w.ofTest(t, a.Goroutine):
		f.Test.add(a.Object, a.Wrote)
	case a.Goroutine != 0: // what runs the tests has to wait for them
		f.Background.add(a.Object, a.Wrote)
	}
}

// ofTest reports whether a goroutine is that of a test of the run, or one that it started.
func (w *Worker) ofTest(t *run.Trace, g int32) bool {
	for ; g > 0; g = w.machine.Names.Parent(g) {
		for _, test := range t.Tests {
			if g == test {
				return true
			}
		}
	}
	return false
}

// onlyReads reports whether an operation leaves its object as others find it.
func onlyReads(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.AtomicRead, schedule.RLock, schedule.RUnlock, schedule.TryFail,
		schedule.RecvClosed, schedule.SelectDefault, schedule.LenChan, schedule.WaitGroupWait:
		return true
	}
	return false
}

// Meeting returns the sets of at least two of the tests with footprints list that meet,
// directly, through other tests or through goroutines in the background, as indices in
// ascending order.
func Meeting(list []*Footprints) [][]int {
	background := Footprint{}
	for _, f := range list {
		for object, wrote := range f.Background {
			background.add(object, wrote)
		}
	}
	nodes := []Footprint{background}
	for _, f := range list {
		nodes = append(nodes, f.Test)
	}
	component := make([]int, len(nodes)) // by node, the first node of its set
	for i := range nodes {
		component[i] = i
		for j := range i {
			if from, to := component[i], component[j]; from != to && nodes[i].meets(nodes[j]) {
				for k := range component[:i+1] {
					if component[k] == max(from, to) {
						component[k] = min(from, to)
					}
				}
			}
		}
	}
	var sets [][]int
	at := make(map[int]int) // by component, the place of its set
	for i, c := range component[1:] {
		k, ok := at[c]
		if !ok {
			k = len(sets)
			at[c] = k
			sets = append(sets, nil)
		}
		sets[k] = append(sets[k], i)
	}
	return slices.DeleteFunc(sets, func(set []int) bool { return len(set) < 2 })
}
