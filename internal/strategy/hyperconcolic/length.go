package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A lengthBound keeps goroutines from taking more than a number of steps (Kalhauge 2015, section
// 4.3). The search is then that of another program, in which a goroutine does nothing any more when
// it has taken so many: whether it may take a step depends on nothing but the steps that it has
// taken, which happened before it. So each class in which no goroutine takes more steps is run, and
// only once. Time does not pass while such a goroutine could go on.
type lengthBound struct {
	*scheduler
	most    int  // steps of a goroutine
	cut     bool // some goroutine might have taken more
	point   run.SchedulingPoint
	enabled []run.Transition
	pending []run.Transition // not nil: a trace without pending steps is another one than one of which none is left
	index   []int            // of enabled, in the point of the machine
}

// excludes reports whether a step is one too many for a goroutine that takes part in it.
func (b *lengthBound) excludes(t *run.Transition) bool {
	return b.spent(t.Goroutine) || t.Op == schedule.Send && b.spent(t.Partner)
}

func (b *lengthBound) spent(g int32) bool {
	if g < 0 {
		return false
	}
	i := b.execution.known(g)
	return i >= 0 && len(b.threads[i].events) >= b.most
}

// within returns the steps of a list that are not excluded, which is the list itself if it has no
// others. It is valid until the next call. A step that is excluded may be possible in another order
// of the others, even if it is not now: so the bound cuts the search.
func (b *lengthBound) within(list []run.Transition) []run.Transition {
	first := slices.IndexFunc(list, func(t run.Transition) bool { return b.excludes(&t) })
	if first < 0 {
		return list
	}
	b.cut = true
	b.pending = append(b.pending[:0], list[:first]...)
	for i := first + 1; i < len(list); i++ {
		if !b.excludes(&list[i]) {
			b.pending = append(b.pending, list[i])
		}
	}
	return b.pending
}

// Choose implements run.Scheduler.
func (b *lengthBound) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return b.scheduler.Choose(p)
	}
	b.enabled, b.index = b.enabled[:0], b.index[:0]
	b.point = *p
	b.point.Overdue = -1
	for i := range p.Enabled {
		if b.excludes(&p.Enabled[i]) {
			b.cut = true
			continue
		}
		if i == p.Overdue {
			b.point.Overdue = len(b.enabled)
		}
		b.enabled, b.index = append(b.enabled, p.Enabled[i]), append(b.index, i)
	}
	if len(b.enabled) == 0 {
		return -1
	}
	b.point.Enabled, b.point.Pending = b.enabled, b.within(p.Pending)
	i := b.scheduler.Choose(&b.point)
	if i < 0 {
		return i
	}
	return b.index[i]
}

// Stepping implements run.Watcher.
func (b *lengthBound) Stepping(t *run.Transition, trace *run.Trace) bool {
	if b.excludes(t) {
		b.cut = true
		return false
	}
	all := trace.Pending
	trace.Pending = b.within(all)
	goesOn := b.scheduler.Stepping(t, trace)
	trace.Pending = all
	return goesOn
}
