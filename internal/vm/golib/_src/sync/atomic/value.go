package atomic

import "unsafe"

// A Value holds a value of any one type, read and written atomically. The zero
// Value holds nil. A Value must not be copied after first use.
//
// It is one atomic pointer to an interface value that never changes.
type Value struct {
	v unsafe.Pointer // *any, nil before the first Store
	_ uintptr        // keeps the size that the gc compiler's library has
}

// sameType reports whether a and b have the same dynamic type.
func sameType(a, b any) bool

// Load returns the value of the latest Store, or nil.
func (v *Value) Load() (val any) {
	p := (*any)(LoadPointer(&v.v))
	if p == nil {
		return nil
	}
	return *p
}

// Store sets the value. It panics if val is nil or of another type than the
// values before it.
func (v *Value) Store(val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	for {
		p := (*any)(LoadPointer(&v.v))
		if p != nil {
			if !sameType(*p, val) {
				panic("sync/atomic: store of inconsistently typed value into Value")
			}
			StorePointer(&v.v, unsafe.Pointer(&val))
			return
		}
		if CompareAndSwapPointer(&v.v, nil, unsafe.Pointer(&val)) {
			return
		}
	}
}

// Swap sets the value and returns the one before it. It panics as Store does.
func (v *Value) Swap(new any) (old any) {
	if new == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	for {
		p := (*any)(LoadPointer(&v.v))
		if p != nil {
			if !sameType(*p, new) {
				panic("sync/atomic: swap of inconsistently typed value into Value")
			}
			return *(*any)(SwapPointer(&v.v, unsafe.Pointer(&new)))
		}
		if CompareAndSwapPointer(&v.v, nil, unsafe.Pointer(&new)) {
			return nil
		}
	}
}

// CompareAndSwap sets the value to new if it is old. It panics if new is nil, if
// the types of old, new and the value are not one, or if old is not comparable.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && !sameType(old, new) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	p := (*any)(LoadPointer(&v.v))
	if p == nil {
		if old != nil {
			return false
		}
		return CompareAndSwapPointer(&v.v, nil, unsafe.Pointer(&new))
	}
	if !sameType(*p, new) {
		panic("sync/atomic: compare and swap of inconsistently typed value into Value")
	}
	if *p != old {
		return false
	}
	return CompareAndSwapPointer(&v.v, unsafe.Pointer(p), unsafe.Pointer(&new))
}
