package racing

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/racing/integrate"
	"github.com/everyway-go/everyway/schedule"
)

// An origin is what is kept of a run: its path condition, whose expressions are in the arena of the
// search, and its input.
type origin struct {
	conditions []condition
	input      run.Input
	pointers   map[string]bool  // names of the inputs that are pointers
	types      map[int32]string // of the objects to which they lead, by their numbers
	shape      uint64
}

// A condition is one of a path.
type condition struct {
	holds, value expr.ID // value is what was made concrete, if kind is run.Concretized
	site         run.SiteID
	goroutine    int32
	event        int32
	kind         run.ConditionKind
	negated      bool
}

// A path is what a goroutine has done while it ran alone: the record of the path in a summary (section 5.1).
type path struct {
	of        *origin
	goroutine int32
	// The conditions of the origin before first come before the path. Those of the goroutine from
	// there up to last are its own.
	first, last int
	accesses    []access
	steps       []step
	spawned     []int32                 // the goroutines that it has started
	got         map[run.ObjectID][]lock // that were held when the goroutine first read a pointer to the object of another one
	// after says that the path did not begin where the goroutines begin to run concurrently, but
	// after that of another goroutine.
	after *path
}

// An access is one to memory. Of those that are alike the first one is kept.
type access struct {
	site       run.SiteID
	object     run.ObjectID
	offset     int32
	cells      int32
	write      bool
	atomic     bool
	locks      []lock // that are held, in order
	guard      []lock // that the goroutine has held since it has shared the object, which it has allocated
	steps      int    // of the goroutine, that come before
	spawned    int    // goroutines that were started before
	conditions int    // end of those that come before, in the origin
}

// A lock is a lock, and how it is held.
type lock struct {
	object run.ObjectID
	offset int32
	shared bool // for reading
}

func (l lock) compare(m lock) int {
	return cmp.Or(cmp.Compare(l.object.Goroutine, m.object.Goroutine), cmp.Compare(l.object.Count, m.object.Count),
		cmp.Compare(l.offset, m.offset), compareBool(l.shared, m.shared))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// excludes reports whether two goroutines cannot hold the locks at the same time.
func (l lock) excludes(m lock) bool {
	return l.object == m.object && l.offset == m.offset && !(l.shared && m.shared)
}

// exclusive reports whether one goroutine cannot hold one list of locks while another one holds the other.
func exclusive(list, other []lock) bool {
	return slices.ContainsFunc(list, func(l lock) bool { return slices.ContainsFunc(other, l.excludes) })
}

// A step is the taking or the release of a lock, with the locks held afterwards.
type step struct{ held []lock }

// newOrigin returns what is kept of a run.
func newOrigin(t *run.Trace, c *expr.Copier) *origin {
	o := &origin{conditions: make([]condition, len(t.Path)), input: make(run.Input, len(t.Inputs))}
	for i := range t.Path {
		p := &t.Path[i]
		o.conditions[i] = condition{
			holds: c.Copy(p.Cond), site: p.Site, goroutine: p.Goroutine, event: p.Event, kind: p.Kind,
			negated: p.Negated,
		}
		if p.Kind == run.Concretized {
			o.conditions[i].value = c.Copy(p.Value)
		}
	}
	for _, v := range t.Inputs {
		o.input[v.Name] = v.Value
		if to, ok := strings.CutPrefix(v.Type, "*"); ok {
			if o.pointers == nil {
				o.pointers, o.types = make(map[string]bool), make(map[int32]string)
			}
			o.pointers[v.Name] = true
			if object, offset := integrate.Target(v.Value); offset == 0 {
				o.types[object] = to
			}
		}
	}
	// Objects have the same numbers in the same shape, which they need not have in that of run.Trace.Shape.
	sum := newChain()
	for _, name := range slices.Sorted(maps.Keys(o.pointers)) {
		sum = sum.text(name).and(o.input[name])
	}
	o.shape = uint64(sum)
	return o
}

// newPath returns the path of a goroutine between two marks of a trace.
func newPath(o *origin, g int32, t *run.Trace, from, to mark) *path {
	p := &path{of: o, goroutine: g, first: from.conditions, last: to.conditions}
	var held []lock
	seen := map[accessKey][][]lock{}
	next := from.conditions
	own := unshared{of: g}
	for i := range t.Events[:to.events] {
		e := &t.Events[i]
		if e.Goroutine != g {
			continue
		}
		own.note(e, held)
		if e.Op == schedule.Spawn {
			p.spawned = append(p.spawned, e.Other)
		}
		if changed, ok := holds(held, e); ok {
			held = changed
			p.steps = append(p.steps, step{held})
			own.guardedBy(held)
			continue
		}
		if i < from.events {
			continue
		}
		write, atomic, ok := accessOf(e.Op)
		if ok && !write {
			p.gets(e.Read, held)
			for k := range e.Rest {
				p.gets(e.Rest[k].Value, held)
			}
		}
		if !ok || own.has(e.Object) {
			continue
		}
		for next < to.conditions && int(o.conditions[next].event) <= i {
			next++
		}
		key := accessKey{e.Site, e.Object, e.Offset, e.Cells, write}
		if slices.ContainsFunc(seen[key], func(locks []lock) bool { return slices.Equal(locks, held) }) {
			continue
		}
		seen[key] = append(seen[key], held)
		p.accesses = append(p.accesses, access{
			site: e.Site, object: e.Object, offset: e.Offset, cells: max(e.Cells, 1), write: write, atomic: atomic,
			locks: held, guard: own.guards[e.Object], steps: len(p.steps), spawned: len(p.spawned), conditions: next,
		})
	}
	return p
}

// gets notes that the goroutine has read a value, which may be a pointer to what another one has allocated.
func (p *path) gets(value uint64, held []lock) {
	o, _ := run.Pointee(value)
	if o.Goroutine < 0 || o.Goroutine == p.goroutine {
		return
	}
	if _, known := p.got[o]; !known {
		if p.got == nil {
			p.got = make(map[run.ObjectID][]lock)
		}
		p.got[o] = held
	}
}

// An unshared knows which of the objects that a goroutine has allocated it has not shared with others.
type unshared struct {
	of     int32
	shared map[run.ObjectID]bool
	inside map[run.ObjectID][]run.ObjectID // objects to which there are pointers in one that is not shared
	held   []lock                          // now
	guards map[run.ObjectID][]lock         // that have been held since an object was shared
}

// has reports whether an object is one of them.
func (u *unshared) has(o run.ObjectID) bool { return o.Goroutine == u.of && !u.shared[o] }

// note notes what an event shares: what it writes to memory that is shared, sends or passes on
// otherwise. Who starts a goroutine may share all that it has allocated.
func (u *unshared) note(e *run.Event, held []lock) {
	u.held = held
	if e.Op == schedule.Spawn {
		for o := range u.inside {
			u.share(o)
		}
		u.inside = nil
	}
	into := e.Object
	u.passed(e.Wrote, into)
	for i := range e.Rest {
		u.passed(e.Rest[i].Value, into)
	}
}

// passed notes that a value, which may be a pointer, is in an object.
func (u *unshared) passed(value uint64, into run.ObjectID) {
	o, _ := run.Pointee(value)
	switch {
	case o.Goroutine != u.of || u.shared[o]:
	case u.has(into):
		if u.inside == nil {
			u.inside = make(map[run.ObjectID][]run.ObjectID)
		}
		u.inside[into] = append(u.inside[into], o)
	default:
		u.share(o)
	}
}

func (u *unshared) share(o run.ObjectID) {
	if u.shared[o] {
		return
	}
	if u.shared == nil {
		u.shared = make(map[run.ObjectID]bool)
	}
	u.shared[o] = true
	if len(u.held) > 0 {
		if u.guards == nil {
			u.guards = make(map[run.ObjectID][]lock)
		}
		u.guards[o] = u.held
	}
	for _, in := range u.inside[o] {
		u.share(in)
	}
}

// guardedBy notes which locks are held now.
func (u *unshared) guardedBy(held []lock) {
	for o, guard := range u.guards {
		guard = slices.DeleteFunc(slices.Clone(guard), func(l lock) bool { return !slices.Contains(held, l) })
		if u.guards[o] = guard; len(guard) == 0 {
			delete(u.guards, o)
		}
	}
}

// An accessKey is what accesses that are alike have in common, but for the locks.
type accessKey struct {
	site          run.SiteID
	object        run.ObjectID
	offset, cells int32
	write         bool
}

// accessOf says what kind of an access an operation is.
func accessOf(op schedule.Op) (write, atomic, ok bool) {
	switch op {
	case schedule.Read:
		return false, false, true
	case schedule.Write:
		return true, false, true
	case schedule.AtomicRead:
		return false, true, true
	case schedule.AtomicWrite, schedule.AtomicUpdate:
		return true, true, true
	}
	return false, false, false
}

// holds returns the locks that a goroutine holds after an event, false if that is not about locks.
func holds(held []lock, e *run.Event) ([]lock, bool) {
	l := lock{object: e.Object, offset: e.Offset, shared: e.Op == schedule.RLock || e.Op == schedule.RUnlock}
	switch e.Op {
	case schedule.Lock, schedule.RLock:
		i, _ := slices.BinarySearchFunc(held, l, lock.compare)
		return slices.Insert(slices.Clone(held), i, l), true
	case schedule.Unlock, schedule.RUnlock:
		if i, found := slices.BinarySearchFunc(held, l, lock.compare); found {
			return slices.Delete(slices.Clone(held), i, i+1), true
		}
		return held, true
	}
	return nil, false
}

// races reports whether two accesses of different goroutines may race: they meet, one of them
// writes, not both are atomic, and no lock keeps them apart.
func (a *access) races(b *access) bool {
	return a.object == b.object && a.offset < b.offset+b.cells && b.offset < a.offset+a.cells &&
		(a.write || b.write) && !(a.atomic && b.atomic) && !exclusive(a.locks, b.locks)
}
