package exhaustive

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/schedule"
)

// A watcher schedules a run from the end of its plan's prefix on. Where an
// operation is private it takes that and nothing else needs to be tried.
// Otherwise it takes the first operation that is not asleep, of the goroutine
// that ran last if it can, and notes what else was possible.
type watcher struct {
	sharing *sharing
	prefix  int         // decisions that the plan takes
	sleep   []vm.Option // the sleep set
	points  []point
	// redundant is set when everything that was possible was asleep.
	redundant bool
}

// A point is a decision of the watcher.
type point struct {
	decision int // index among the decisions of the run
	kind     vm.DecisionKind
	taken    vm.Option   // Step
	others   []vm.Option // Step: what else could have been taken, in order
	n        int         // Value: the bound; value 0 was taken
	who      int32       // Value: the goroutine
	sleep    []vm.Option // the sleep set at the point
}

func newWatcher(it *item, s *sharing) *watcher {
	return &watcher{sharing: s, prefix: it.decisions(), sleep: it.sleep}
}

// Choose implements vm.Scheduler.
func (w *watcher) Choose(p *vm.Point) int {
	pt := point{decision: len(p.Trace.Decisions), kind: p.Kind, sleep: w.sleep}
	if p.Kind == vm.Value {
		pt.n, pt.who = p.N, p.Goroutine
		w.points = append(w.points, pt)
		return 0
	}
	if i := w.sharing.private(p.Options); i >= 0 {
		pt.taken = p.Options[i]
		w.points = append(w.points, pt)
		return i
	}
	chosen := -1
	for i := range p.Options {
		o := &p.Options[i]
		if asleep(w.sleep, o) {
			continue
		}
		if chosen < 0 || o.Goroutine == p.Last && p.Options[chosen].Goroutine != p.Last {
			chosen = i
		}
	}
	if chosen < 0 {
		w.redundant = true
		return -1
	}
	for i := range p.Options {
		if i != chosen && !asleep(w.sleep, &p.Options[i]) {
			pt.others = append(pt.others, p.Options[i])
		}
	}
	pt.taken = p.Options[chosen]
	w.points = append(w.points, pt)
	return chosen
}

// Stepping implements vm.Watcher.
func (w *watcher) Stepping(o *vm.Option, t *vm.Trace) bool {
	w.sharing.note(o)
	if o.Op == schedule.Fail {
		w.sharing.notePending(t) // the run ends here
	}
	if len(t.Decisions) < w.prefix {
		return true
	}
	if asleep(w.sleep, o) {
		w.redundant = true
		return false
	}
	w.sleep = awake(w.sleep, o)
	return true
}

// sleepAt returns the sleep set before the step of decision i, which is the
// last one of the prefix or a later one.
func (w *watcher) sleepAt(it *item, i int) []vm.Option {
	k, found := slices.BinarySearchFunc(w.points, i, func(p point, i int) int { return p.decision - i })
	if found {
		return w.points[k].sleep
	}
	return it.sleep
}

// asleep reports whether o is in the sleep set. A goroutine whose operation
// sleeps has not moved since, but what is offered may have another meaning: a
// timer, a partner.
func asleep(sleep []vm.Option, o *vm.Option) bool {
	for i := range sleep {
		s := &sleep[i]
		if s.Decision == o.Decision && s.Op == o.Op && s.Object == o.Object && s.Offset == o.Offset && s.Partner == o.Partner {
			return true
		}
	}
	return false
}

// awake returns what is left of the sleep set after step o: the operations
// independent of it. The result may share memory with sleep, which is not changed.
func awake(sleep []vm.Option, o *vm.Option) []vm.Option {
	for i := range sleep {
		if vm.Dependent(&sleep[i], o) {
			rest := slices.Clone(sleep[:i])
			for _, s := range sleep[i+1:] {
				if !vm.Dependent(&s, o) {
					rest = append(rest, s)
				}
			}
			return rest
		}
	}
	return sleep
}
