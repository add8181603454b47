package exhaustive

import (
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/schedule"
)

// sharing knows which objects more than one goroutine uses, and not all only
// read. An operation on any other object is independent of all that other
// goroutines can do, now and later: once enabled it can be carried out at once,
// and no other order needs to be tried. (It is a persistent set of its own.)
//
// Which objects are private is not known in advance. They are taken to be so
// until a run shows another user; then the search begins anew. That is enough:
// an execution in which a second goroutine comes to use an object is, up to
// there, one that the search covers while it takes the object to be private, so
// some run of the search shows that use.
type sharing struct {
	uses  map[vm.ObjectID]*usage
	fresh bool // something was found to be shared, and take has not told yet
	// all is set when every object has to be taken to be shared: an operation
	// ended a run with a fatal error, and so is not independent of what others
	// would have done after it.
	all bool
}

// usage is how an object is used.
type usage struct {
	by      int32 // a goroutine
	many    bool  // there are others
	changed bool  // some do more than read it
}

// private returns the index of an option that can be taken at once, or -1.
func (s *sharing) private(options []vm.Option) int {
	for i := range options {
		o := &options[i]
		if !o.Select && o.Partner < 0 && s.isPrivate(o) && alone(options, i) {
			return i
		}
	}
	return -1
}

// alone reports whether option i is the only one of its goroutine.
func alone(options []vm.Option, i int) bool {
	g := options[i].Goroutine
	return (i == 0 || options[i-1].Goroutine != g) && (i+1 == len(options) || options[i+1].Goroutine != g)
}

func (s *sharing) isPrivate(o *vm.Option) bool {
	switch o.Op {
	case schedule.Yield:
		return true
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.Lock, schedule.Unlock, schedule.RLock, schedule.RUnlock, schedule.TryFail,
		schedule.WaitGroupAdd, schedule.WaitGroupWait, schedule.SemAcquire, schedule.SemRelease:
		return !s.all && o.Object != vm.NoObject && o.Object != vm.GoroutinesObject && o.Object != vm.ClockObject &&
			!s.shared(o.Object) &&
			(o.From.Cells == 0 || !s.shared(o.From.Object))
	}
	return false
}

func (s *sharing) shared(object vm.ObjectID) bool {
	u := s.uses[object]
	return u != nil && u.many && u.changed
}

// note takes in a step.
func (s *sharing) note(o *vm.Option) {
	s.use(o.Object, o.Goroutine, o.Op != schedule.Read && o.Op != schedule.AtomicRead)
	if o.From.Cells > 0 {
		s.use(o.From.Object, o.Goroutine, false)
	}
}

func (s *sharing) use(object vm.ObjectID, g int32, change bool) {
	if object == vm.NoObject {
		return
	}
	u := s.uses[object]
	if u == nil {
		if s.uses == nil {
			s.uses = map[vm.ObjectID]*usage{}
		}
		s.uses[object] = &usage{by: g, changed: change}
		return
	}
	was := u.many && u.changed
	u.many = u.many || u.by != g
	u.changed = u.changed || change
	s.fresh = s.fresh || u.many && u.changed && !was
}

// noteEnd takes in how a run ended.
func (s *sharing) noteEnd(t *vm.Trace) {
	s.notePending(t)
	for i := range t.Findings {
		if t.Findings[i].Kind == vm.FatalError && !s.all {
			s.all, s.fresh = true, true
		}
	}
}

// notePending takes in what goroutines are about to do, or wait for in vain.
func (s *sharing) notePending(t *vm.Trace) {
	for i := range t.Pending {
		s.note(&t.Pending[i])
	}
}

// take reports whether more has become shared since it was last called.
func (s *sharing) take() bool {
	was := s.fresh
	s.fresh = false
	return was
}
