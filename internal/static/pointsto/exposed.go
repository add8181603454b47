package pointsto

import (
	"go/types"
	"slices"
)

// exposed is what is known of memory that code may access which the analysis does not see through.
type exposed struct {
	all        int32 // points to all that is exposed
	buckets    map[bucketKey]*bucket
	interfaces map[int32]*interfaceBucket // by the number of the type
	ordered    []*interfaceBucket
	boxed      []int32      // what is exposed of kind Box
	boxes      bool         // values of any type may get into interfaces
	asserted   []types.Type // that code asserts, until then
}

// A bucketKey is a kind of object and the number of a type: of what a pointer points to, of a map, of the elements of a
// channel, or of a function.
type bucketKey struct {
	kind Kind
	typ  int32
}

// A bucket has those exposed slots that a pointer of a type may point to.
type bucket struct {
	node  int32
	asked bool // it has what the machine may have made
}

// An interfaceBucket has the exposed values whose types have the methods of an interface.
type interfaceBucket struct {
	typ  *types.Interface
	node int32
}

// bucket returns the bucket with a key.
func (s *solver) bucket(key bucketKey) *bucket {
	b := s.exposed.buckets[key]
	if b == nil {
		b = &bucket{node: s.nodes(1)}
		s.exposed.buckets[key] = b
		s.copy(b.node, s.exposed.all)
	}
	return b
}

// expose makes a value exposed: what it points to.
func (s *solver) expose(n int32, l *layout) {
	if n == 0 || !l.points {
		return
	}
	for i, t := range l.slots {
		if holdsPointer(t) {
			s.copy(n+int32(i), s.exposed.all)
		}
	}
}

// fill makes a value point to whatever is exposed and has the right types.
func (s *solver) fill(n int32, l *layout) {
	if n == 0 || !l.points {
		return
	}
	for i, t := range l.slots {
		if holdsPointer(t) {
			s.copy(s.bucketOf(t), n+int32(i))
		}
	}
}

// bucketOf returns the node that points to what a value of type t may point to if it comes from code that is
// not seen through.
func (s *solver) bucketOf(t types.Type) int32 {
	key := bucketKey{}
	typ := content(t) // of what the machine has made, or an object that has been made as another type
	kind := Unknown
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return s.exposed.all // unsafe.Pointer
	case *types.Interface:
		return s.interfaceBucket(u)
	case *types.Pointer, *types.Slice:
		key.typ = s.layouts.number(typ)
	case *types.Map:
		key = bucketKey{Map, s.layouts.number(t)}
		kind, typ = Map, t
	case *types.Chan:
		key = bucketKey{Chan, s.layouts.number(u.Elem())}
		kind, typ = Chan, t
	case *types.Signature:
		b := s.bucket(bucketKey{Func, s.layouts.number(t)})
		if s.unknownFunc != nil {
			s.add(b.node, s.unknownFunc.base)
		}
		return b.node
	}
	b := s.bucket(key)
	if !b.asked {
		b.asked = true
		o := s.newObject(&Object{Kind: kind, Type: typ, Exposed: true}, content(t))
		s.add(b.node, o.base)
		s.add(s.exposed.all, o.base)
		s.open(o)
	}
	return b.node
}

// interfaceBucket returns the node that points to the exposed values with the methods of an interface.
func (s *solver) interfaceBucket(t *types.Interface) int32 {
	n := s.layouts.number(t)
	b := s.exposed.interfaces[n]
	if b == nil {
		b = &interfaceBucket{t, s.nodes(1)}
		s.copy(b.node, s.exposed.all)
		s.exposed.interfaces[n] = b
		s.exposed.ordered = append(s.exposed.ordered, b)
		for _, slot := range s.exposed.boxed {
			if s.implement.has(s.object(slot).typ, t) {
				s.add(b.node, slot)
			}
		}
	}
	return b.node
}

// begins reports whether a part of type t, which has a number, begins at a slot.
func (s *solver) begins(slot int32, t int32) bool {
	o := s.object(slot)
	switch o.Kind {
	case Func, Box, Map, Chan:
		return false
	}
	return slices.Contains(o.layout.starts[slot-o.base], t)
}

// An exposure is the constraint on the node of all that is exposed.
type exposure struct{}

func (exposure) apply(s *solver, added set) {
	for slot := range added.all() {
		o := s.object(slot)
		if !o.Exposed {
			o.Exposed = true
			s.open(o)
		}
		s.sort(o, slot)
	}
}

// sort adds a slot that has been exposed to the buckets to which it belongs.
func (s *solver) sort(o *Object, slot int32) {
	switch o.Kind {
	case Func:
		s.add(s.bucket(bucketKey{Func, s.layouts.number(o.Type)}).node, slot)
	case Map:
		s.add(s.bucket(bucketKey{Map, s.layouts.number(o.Type)}).node, slot)
	case Chan:
		s.add(s.bucket(bucketKey{Chan, s.layouts.number(elem(o.Type))}).node, slot)
	case Box:
		s.exposed.boxed = append(s.exposed.boxed, slot)
		for i := 0; i < len(s.exposed.ordered); i++ {
			if b := s.exposed.ordered[i]; s.implement.has(o.typ, b.typ) {
				s.add(b.node, slot)
			}
		}
	default:
		if o.Type == nil {
			for key, b := range s.exposed.buckets { // adding to sets is in no order
				if key.kind == Func {
					s.add(b.node, slot)
				}
			}
			return
		}
		for _, t := range o.layout.starts[slot-o.base] {
			s.add(s.bucket(bucketKey{Variable, t}).node, slot)
		}
	}
}

// open exposes what is in an object that has been exposed, and what it may be made to point to.
func (s *solver) open(o *Object) {
	if o.layout.points && o.Kind != Func {
		for i, t := range o.layout.slots {
			if holdsPointer(t) {
				// What the slot points to is exposed, and has its type. So it is in the bucket of the type,
				// and what else is there may be put into the slot.
				if slot, b := s.find(o.base+int32(i)), s.find(s.bucketOf(t)); slot != b {
					s.merge(slot, b)
				}
			}
		}
	}
	switch o.Kind {
	case Func:
		if o.Func != nil && s.graph.ByMachine(o.Func) {
			s.callUnknown(o.Func)
		}
	case Box:
		for _, m := range s.methodsOf(o.Type) {
			if s.graph.ByMachine(m) {
				s.callUnknown(m)
				if params := s.function(m).params; len(params) > 0 {
					s.copyBlock(o.base, params[0], o.layout)
				}
			}
		}
	}
}

// A cast makes dst, a pointer, point to what a node does. What has no part there of the type to which dst
// points is exposed: dst points to whatever is.
type cast struct {
	dst    int32
	to     types.Type // of the pointer
	number int32      // of what it points to
}

func (c *cast) apply(s *solver, added set) {
	var kept, others set
	for slot := range added.all() {
		if s.begins(slot, c.number) {
			kept.add(slot)
		} else {
			others.add(slot)
		}
	}
	s.addSet(c.dst, kept)
	if len(others) > 0 {
		s.addSet(s.exposed.all, others)
		s.copy(s.bucketOf(c.to), c.dst)
	}
}
