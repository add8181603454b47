package inspect

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/variables"
	"github.com/everyway-go/everyway/schedule"
)

// A Lock is a mutex that is held, or that goroutines wait for.
type Lock struct {
	Name string // such as "addall.Vector.mu of 0.1#3"
	// Writer holds it, and Readers have locked it for reading.
	Writer  *Holder
	Readers []Holder
	Waiting []string // names of goroutines
	place   place
}

// A Holder is a goroutine that holds a lock.
type Holder struct {
	Goroutine string
	Pos       string // where it has locked it, as run files have positions
}

// A Wait says what a goroutine waits for.
type Wait struct {
	For    string // such as "lock", "chan receive", "select", "wait group", "sleep until 1s"
	Object string // names what it waits for, "" if there is no one thing
	// On are the goroutines that it waits for, as far as that is known: who holds the lock.
	On []string
	// Detail says more, such as the counter of a wait group.
	Detail string
}

// String returns the wait in one line.
func (w *Wait) String() string {
	text := w.For
	if w.Object != "" {
		text += " " + w.Object
	}
	if w.Detail != "" {
		text += ", " + w.Detail
	}
	if len(w.On) > 0 {
		text += ", held by " + strings.Join(w.On, ", ")
	}
	return text
}

// A place is a cell of an object.
type place struct {
	object run.ObjectID
	offset int32
}

// A lockTable has the locks at the point at which a session stands.
type lockTable struct {
	list    []*Lock // in the order in which they were first locked
	by      map[place]*Lock
	objects map[run.ObjectID]*heap.Object
	names   map[*heap.Object]string // what variables call objects
}

// lockState returns the locks.
func (s *Session) lockState() *lockTable {
	if s.locks != nil {
		return s.locks
	}
	t := &lockTable{by: make(map[place]*Lock)}
	s.locks = t
	events := s.machine.Trace.Events
	for i := range events {
		e := &events[i]
		switch e.Op {
		case schedule.Lock, schedule.RLock, schedule.Unlock, schedule.RUnlock:
		default:
			continue
		}
		at := place{e.Object, e.Offset}
		l := t.by[at]
		if l == nil {
			l = &Lock{place: at}
			t.by[at] = l
			t.list = append(t.list, l)
		}
		_, pos := s.machine.Site(e.Caller)
		h := Holder{s.worker.Goroutine(e.Goroutine), s.worker.Position(pos)}
		switch e.Op {
		case schedule.Lock:
			l.Writer = &h
		case schedule.Unlock:
			l.Writer = nil
		case schedule.RLock:
			l.Readers = append(l.Readers, h)
		case schedule.RUnlock:
			k := slices.IndexFunc(l.Readers, func(r Holder) bool { return r.Goroutine == h.Goroutine })
			if k < 0 {
				k = len(l.Readers) - 1 // another goroutine may unlock it
			}
			if k >= 0 {
				l.Readers = slices.Delete(l.Readers, k, k+1)
			}
		}
	}
	for _, g := range s.machine.Live {
		at, ok := s.waitsAt(g)
		if !ok || s.machine.CanStep(g) {
			continue
		}
		if l := t.by[at]; l != nil && isLockName(g.Prim.Name) {
			l.Waiting = append(l.Waiting, s.machine.Names.String(g.ID))
		}
	}
	return t
}

// Locks returns the locks that are held, or that goroutines wait for.
func (s *Session) Locks() []Lock {
	t := s.lockState()
	var list []Lock
	for _, l := range t.list {
		if l.Writer == nil && len(l.Readers) == 0 && len(l.Waiting) == 0 {
			continue
		}
		out := *l
		out.Name = s.nameOf(l.place)
		list = append(list, out)
	}
	return list
}

// nameOf names a place in an object for people.
func (s *Session) nameOf(at place) string {
	o := s.find(at.object)
	if o == nil {
		obj := s.worker.Object(at.object)
		return obj.Goroutine + "#" + strconv.Itoa(int(obj.Count))
	}
	return s.describePlace(heap.Word{P: o, N: uint64(at.offset)})
}

// describePlace names what a pointer points to: the field of a struct as Type.field of object, a variable
// by its type.
func (s *Session) describePlace(p heap.Word) string {
	o := p.P
	name := s.objectName(o)
	if o.Kind != heap.Variable && o.Kind != heap.Array || o.Type == nil {
		return name
	}
	path := s.path(p, func(t *code.Type) bool { return t.Shape == code.ShapeStruct && !isPrimitive(t) })
	for _, inner := range []string{".state", ".notify"} { // of the primitive itself
		path = strings.TrimSuffix(path, inner)
	}
	if o.ID.Goroutine == run.GlobalObjects {
		return name + path
	}
	if called := s.called(o); called != "" {
		return called + path + " (" + name + ")"
	}
	t := o.Type.String()
	if o.Kind == heap.Array {
		t = "[]" + t
	}
	if path == "" {
		return t + " " + name
	}
	if o.Kind == heap.Array {
		return path + " of " + t + " " + name
	}
	return t + path + " of " + name
}

// called returns what a variable of some call calls an object: it is the variable, or what the variable points to.
func (s *Session) called(o *heap.Object) string {
	t := s.lockState()
	if t.names == nil {
		t.names = s.variableNames()
	}
	return t.names[o]
}

// variableNames returns what variables of calls call the objects that they are, or that they point
// to: the first one that does.
func (s *Session) variableNames() map[*heap.Object]string {
	names := make(map[*heap.Object]string)
	note := func(o *heap.Object, name string) {
		if o != nil && names[o] == "" {
			names[o] = name
		}
	}
	for _, g := range s.machine.Live {
		for i := range g.Frames {
			vars, values, _, ok := s.follower.Frame(g, i)
			if !ok {
				continue
			}
			for k := range vars {
				if at := values[k].Address; at.P != nil && at.N == 0 {
					note(at.P, vars[k].Name())
				}
				note(s.pointedTo(vars[k].Type, &values[k]), vars[k].Name())
			}
		}
	}
	return names
}

// pointedTo returns the object to the beginning of which a variable points, nil if there is none.
func (s *Session) pointedTo(t *code.Type, v *variables.Value) *heap.Object {
	if t.Shape != code.ShapePointer && t.Shape != code.ShapeChan || !v.Known {
		return nil
	}
	words := v.Words
	if v.Address.P != nil {
		words = s.load(t, v.Address).words
	}
	if len(words) == 0 || words[0].N != 0 {
		return nil
	}
	return words[0].P
}

// channelName names a channel.
func (s *Session) channelName(ch *heap.Object) string {
	name := s.objectName(ch)
	if called := s.called(ch); called != "" {
		return called + " (" + name + ")"
	}
	return name
}

// maxFound bounds the search for an object.
const maxFound = 1 << 20

// find returns the object with an identity, nil if nothing reaches it.
func (s *Session) find(id run.ObjectID) *heap.Object {
	t := s.lockState()
	if t.objects == nil {
		t.objects = s.reachable()
	}
	return t.objects[id]
}

// reachable returns the objects that goroutines and package variables reach, by their identities.
func (s *Session) reachable() map[run.ObjectID]*heap.Object {
	found := make(map[run.ObjectID]*heap.Object)
	seen := make(map[*heap.Object]bool)
	var work []*heap.Object
	add := func(o *heap.Object) {
		if o == nil || seen[o] || len(seen) > maxFound {
			return
		}
		seen[o] = true
		if o.ID.Goroutine >= run.GlobalObjects {
			found[o.ID] = o
		}
		work = append(work, o)
	}
	for _, o := range s.machine.State.Variables {
		add(o)
	}
	for _, g := range s.machine.Live {
		for i := range g.Frames {
			f := &g.Frames[i]
			add(f.Closure)
			for _, w := range g.Stack[f.Base : int(f.Base)+f.Func.Regs] {
				add(w.P)
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range o.Cells {
			add(w.P)
		}
	}
	return found
}

// waitsAt returns the cell that the primitive is about at which a goroutine is parked.
func (s *Session) waitsAt(g *state.Goroutine) (at place, ok bool) {
	p, ok := s.primitiveAt(g)
	if !ok {
		return place{}, false
	}
	return place{p.P.ID, int32(p.N)}, true
}

// primitiveAt returns the pointer that is the first argument of the primitive at which a goroutine is parked.
func (s *Session) primitiveAt(g *state.Goroutine) (heap.Word, bool) {
	if g.Status != state.Parked || g.At != state.AtPrimitive || g.Prim.Params == 0 || g.PrimBase >= len(g.Stack) {
		return heap.Word{}, false
	}
	p := g.Stack[g.PrimBase]
	return p, p.P != nil
}

func isLockName(name string) bool {
	switch strings.TrimPrefix(name, "sync.") {
	case "mutexLock", "rwLock", "rwRLock":
		return true
	}
	return false
}

// waitOf says what a goroutine waits for.
func (s *Session) waitOf(g *state.Goroutine) *Wait {
	switch g.At {
	case state.AtCommunication:
		w := &Wait{For: sched.CommunicationReason(g)}
		var names []string
		for i := range g.Comms {
			c := &g.Comms[i]
			name := "nil"
			if c.Chan != nil {
				name = s.channelName(c.Chan)
			}
			if g.Selects {
				if c.Send {
					name = "send " + name
				} else {
					name = "receive " + name
				}
			}
			names = append(names, name)
		}
		if len(g.Comms) > 0 && !(len(g.Comms) == 1 && g.Comms[0].Chan == nil) {
			w.Object = strings.Join(names, " or ")
		}
		return w
	case state.AtPrimitive:
		if g.Sleeps() {
			return &Wait{For: "sleep until " + time.Duration(g.When).String()}
		}
		w := &Wait{For: primitiveName(g.Prim.Name)}
		p, ok := s.primitiveAt(g)
		if !ok {
			return w
		}
		w.Object = s.describePlace(p)
		switch {
		case isLockName(g.Prim.Name):
			if l := s.lockState().by[place{p.P.ID, int32(p.N)}]; l != nil {
				if l.Writer != nil {
					w.On = append(w.On, l.Writer.Goroutine)
				}
				for _, r := range l.Readers {
					w.On = append(w.On, r.Goroutine)
				}
			}
		case g.Prim.Name == state.GroupWaitName:
			w.Detail = fmt.Sprintf("counter %d", int64(p.P.Word(int(p.N)).N))
		}
		return w
	}
	if g.Spins() {
		return &Wait{For: "change of " + g.Awaited()}
	}
	return &Wait{For: g.Pending.Op.String()}
}

// primitiveName names a primitive for people.
func primitiveName(name string) string {
	switch name {
	case "sync.mutexLock", "sync.rwLock":
		return "lock"
	case "sync.rwRLock":
		return "read lock"
	case state.GroupWaitName:
		return "wait group"
	case "sync.condWait":
		return "cond"
	case sched.IdleName, sched.BubbleWaitName:
		return "bubble to be idle"
	}
	return name
}

// isPrimitive reports whether t is a type of package sync or sync/atomic.
func isPrimitive(t *code.Type) bool {
	named, ok := types.Unalias(t.Go).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}

// noteOn describes a value of which more is to be said than what its fields are, or less: a lock, a wait group, an
// atomic variable, a test. It is "" for other values.
func (s *Session) noteOn(v Value) string {
	if !v.Type.Named || v.Type.Shape != code.ShapeStruct || len(v.words) == 0 {
		return ""
	}
	field := func(name string) (Value, bool) {
		i := slices.IndexFunc(v.Type.Fields, func(f code.Field) bool { return f.Name == name })
		if i < 0 {
			return Value{}, false
		}
		return v.Field(i), true
	}
	switch name := v.Type.String(); name {
	case "sync.Mutex", "sync.RWMutex":
		return s.lockNote(v)
	case "sync.WaitGroup":
		if counter, ok := field("state"); ok {
			return "counter " + counter.scalar()
		}
	case "time.Time":
		wall, ok1 := field("wall")
		ext, ok2 := field("ext")
		if ok1 && ok2 {
			return instant(wall.words[0].N, int64(ext.words[0].N))
		}
	case "testing.T", "testing.F", "testing.B":
		if common, ok := field("common"); ok {
			if i := slices.IndexFunc(common.Type.Fields, func(f code.Field) bool { return f.Name == "name" }); i >= 0 {
				return "name: " + common.Field(i).short() + ", …"
			}
		}
	default:
		if isPrimitive(v.Type) && strings.HasPrefix(name, "atomic.") {
			if inner, ok := field("v"); ok {
				if name == "atomic.Bool" {
					return strconv.FormatBool(inner.words[0].N != 0)
				}
				return inner.short()
			}
		}
	}
	return ""
}

// instant returns a time in UTC from the fields of a time.Time.
func instant(wall uint64, ext int64) string {
	const (
		monotonic    = 1 << 63
		nanoseconds  = 1<<30 - 1
		toUnix       = -(1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400 // seconds from year 1
		wallInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400  // seconds from year 1 to 1885
	)
	seconds := ext
	if wall&monotonic != 0 {
		seconds = wallInternal + int64(wall<<1>>31)
	}
	return time.Unix(seconds+toUnix, int64(wall&nanoseconds)).UTC().Format(time.RFC3339Nano)
}

// lockNote says who holds a mutex.
func (s *Session) lockNote(v Value) string {
	l := s.lockState().by[place{idOf(v.at.P), int32(v.at.N)}]
	switch {
	case v.at.P != nil && l != nil && l.Writer != nil:
		return "locked by " + l.Writer.Goroutine
	case v.at.P != nil && l != nil && len(l.Readers) > 0:
		var names []string
		for _, r := range l.Readers {
			names = append(names, r.Goroutine)
		}
		return "read-locked by " + strings.Join(names, ", ")
	case v.words[0].N == 0:
		return "unlocked"
	}
	return "locked"
}

// idOf returns the identity of an object, which may be nil.
func idOf(o *heap.Object) run.ObjectID {
	if o == nil {
		return run.NoObject
	}
	return o.ID
}

// OnLock returns a function that reports of a Step whether it is an operation on the mutex that v is, or points to. The
// result ok is false if v is no mutex.
func (s *Session) OnLock(v Value) (on func(Point) bool, ok bool) {
	if v.Type.Shape == code.ShapePointer {
		if v, ok = v.Elem(); !ok {
			return nil, false
		}
	}
	if name := v.Type.String(); name != "sync.Mutex" && name != "sync.RWMutex" || v.at.P == nil {
		return nil, false
	}
	at := place{v.at.P.ID, int32(v.at.N)}
	return func(p Point) bool {
		if p.Kind != Step || int(p.Events) >= len(s.events) {
			return false
		}
		e := &s.events[p.Events] // the first thing that happens in a step is its operation
		return place{e.Object, e.Offset} == at
	}, true
}
