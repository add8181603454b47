package reflect

import "unsafe"

// MakeMap is make(typ).
func MakeMap(typ Type) Value { return MakeMapWithSize(typ, 0) }

// MakeMapWithSize is make(typ, n).
func MakeMapWithSize(typ Type, n int) Value {
	if typ.Kind() != Map {
		panic("reflect.MakeMapWithSize of non-map type")
	}
	t := typ.common()
	return pointerValue(t, mapMakerOf(t)(n), flag(Map))
}

// MapIndex returns the element of key in the map v, the zero Value when there
// is none.
func (v Value) MapIndex(key Value) Value {
	v.mustBe(Map)
	key = key.assignTo("reflect.Value.MapIndex", typeKey(v.typ_))
	t := typeElem(v.typ_)
	e := newOf(t)
	if !mapGetterOf(v.typ_)(v.pointer(), key.ptr, e) {
		return Value{}
	}
	return Value{t, e, (v.flag | key.flag).ro() | flag(t.Kind())}
}

// SetMapIndex sets the element of key in the map v; the zero Value deletes it.
func (v Value) SetMapIndex(key, elem Value) {
	v.mustBe(Map)
	v.mustBeExported()
	key.mustBeExported()
	key = key.assignTo("reflect.Value.SetMapIndex", typeKey(v.typ_))
	if elem.typ_ == nil {
		mapDeleterOf(v.typ_)(v.pointer(), key.ptr)
		return
	}
	elem.mustBeExported()
	elem = elem.assignTo("reflect.Value.SetMapIndex", typeElem(v.typ_))
	mapSetterOf(v.typ_)(v.pointer(), key.ptr, elem.ptr)
}

// MapKeys returns the keys of the map v, in no particular order.
func (v Value) MapKeys() []Value {
	v.mustBe(Map)
	keys := make([]Value, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		keys = append(keys, it.Key())
	}
	return keys
}

// MapRange returns an iterator over the map v.
func (v Value) MapRange() *MapIter {
	v.mustBe(Map)
	return &MapIter{m: v}
}

// A MapIter iterates over a map, see [Value.MapRange].
type MapIter struct {
	m     Value
	it    unsafe.Pointer                     // the machine's iterator
	next  func(it, k, e unsafe.Pointer) bool // nil before the first Next
	key   unsafe.Pointer                     // of the present entry, nil when exhausted
	value unsafe.Pointer
}

// Next advances to the next entry and reports whether there is one.
func (iter *MapIter) Next() bool {
	if !iter.m.IsValid() {
		panic("MapIter.Next called on an iterator that does not have an associated map Value")
	}
	t := iter.m.typ_
	if iter.next == nil {
		iter.it = mapRangerOf(t)(iter.m.pointer())
		iter.next = mapNexterOf(t)
	} else if iter.key == nil {
		panic("MapIter.Next called on exhausted iterator")
	}
	// Each entry has storage of its own, so that Key and Value need not copy.
	key, value := newOf(typeKey(t)), newOf(typeElem(t))
	if !iter.next(iter.it, key, value) {
		iter.key, iter.value = nil, nil
		return false
	}
	iter.key, iter.value = key, value
	return true
}

// check panics when there is no present entry.
func (iter *MapIter) check(method string) {
	if iter.next == nil {
		panic(method + " called before Next")
	}
	if iter.key == nil {
		panic(method + " called on exhausted iterator")
	}
}

// Key returns the key of the present entry.
func (iter *MapIter) Key() Value {
	iter.check("MapIter.Key")
	t := typeKey(iter.m.typ_)
	return Value{t, iter.key, iter.m.flag.ro() | flag(t.Kind())}
}

// Value returns the element of the present entry.
func (iter *MapIter) Value() Value {
	iter.check("MapIter.Value")
	t := typeElem(iter.m.typ_)
	return Value{t, iter.value, iter.m.flag.ro() | flag(t.Kind())}
}

// Reset makes iter an iterator over the map v, or over none when v is the zero
// Value.
func (iter *MapIter) Reset(v Value) {
	if v.IsValid() {
		v.mustBe(Map)
	}
	*iter = MapIter{m: v}
}

// SetIterKey assigns the key of the present entry to v.
func (v Value) SetIterKey(iter *MapIter) {
	iter.check("reflect: Value.SetIterKey")
	v.mustBeAssignable()
	iter.m.mustBeExported()
	key := iter.Key().assignTo("reflect.MapIter.SetKey", v.typ_)
	move(v.typ_, v.kind(), v.ptr, key.ptr)
}

// SetIterValue assigns the element of the present entry to v.
func (v Value) SetIterValue(iter *MapIter) {
	iter.check("reflect: Value.SetIterValue")
	v.mustBeAssignable()
	iter.m.mustBeExported()
	value := iter.Value().assignTo("reflect.MapIter.SetValue", v.typ_)
	move(v.typ_, v.kind(), v.ptr, value.ptr)
}
