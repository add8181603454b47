package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// isMirrored reports whether in all runs of a revisit of nd, in which s comes first after the
// events of moved, a symmetric goroutine begins before one that was started earlier: see the
// package documentation.
func (x *execution) isMirrored(nd *node, s *step, moved clock) bool {
	for _, p := range x.symmetric {
		later, earlier := x.known(p.Goroutine), x.known(p.Earlier)
		if later < 0 || earlier < 0 {
			continue
		}
		t := x.firstOf(later, nd, s, moved)
		if t == nil || x.hasBegun(earlier, nd, s, moved) {
			continue
		}
		if x.meetsStarter(t, p.Goroutine) || x.excludes(t, earlier) {
			return true
		}
	}
	return false
}

// isOpening reports whether t is a Done that commutes with others, or an addition to an atomic
// variable that does. Goroutines are as symmetric after it as before.
func isOpening(t *run.Transition) bool {
	return t.Commutes && (t.Op == schedule.AtomicUpdate || t.Op == schedule.WaitGroupAdd && t.Delta < 0)
}

// beginning returns the event with which a thread begins, -1 if it has not.
func (x *execution) beginning(th *thread) int32 {
	for _, i := range th.events {
		if !isOpening(&x.events[i].transition) {
			return i
		}
	}
	return -1
}

// firstOf returns the step with which thread t begins if that is moved to nd, or is s; nil
// otherwise.
func (x *execution) firstOf(t int32, nd *node, s *step, moved clock) *run.Transition {
	if i := x.beginning(&x.threads[t]); i >= 0 {
		switch {
		case i < nd.position:
			return nil
		case x.has(moved, i):
			return &x.events[i].transition
		}
	}
	if s.of(t) && !isOpening(&s.transition) {
		return &s.transition
	}
	return nil
}

// hasBegun reports whether thread t has begun when s has come first at nd, after the events of
// moved.
func (x *execution) hasBegun(t int32, nd *node, s *step, moved clock) bool {
	i := x.beginning(&x.threads[t])
	return i >= 0 && (i < nd.position || x.has(moved, i)) || s.of(t)
}

// meetsStarter reports whether in t a goroutine meets the one that has started it.
func (x *execution) meetsStarter(t *run.Transition, goroutine int32) bool {
	starter := x.names.Parent(goroutine)
	return t.Op == schedule.Send && (t.Goroutine == goroutine && t.Partner == starter || t.Goroutine == starter && t.Partner == goroutine)
}

// excludes reports whether the first step of thread other, symmetric to the one whose first step
// is t, is dependent with t whatever it will be.
func (x *execution) excludes(t *run.Transition, other int32) bool {
	switch t.Op {
	case schedule.Lock, schedule.LockIntent, schedule.Send, schedule.Recv, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.SemAcquire, schedule.WaitGroupAdd:
	default:
		return false
	}
	th := &x.threads[other]
	if t.Partner >= 0 || t.Select || !th.known || th.first != cellOf(t) || th.site != t.Site {
		return false
	}
	same := *t
	same.Goroutine = th.goroutine
	return run.Dependent(t, &same)
}

// cellOf returns the cell that t is on.
func cellOf(t *run.Transition) cell { return cell{t.Object, t.Offset} }
