package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// A Collectable is what happens when an object is collected: its finalizer or a cleanup
// runs, or a weak pointer becomes nil.
type Collectable struct {
	Kind   CollectableKind
	Object *heap.Object
	// Func is the function value to call: the finalizer, or the cleanup with its argument
	// bound to it.
	Func *heap.Object
	// Caller is a func(fn, frame unsafe.Pointer) that calls finalizers of this type, and
	// Args are the words of the argument. Runner is a func() that runs all finalizers.
	Caller, Runner *heap.Object
	Args           []heap.Word
	// Handle holds the pointer for the weak pointers.
	Handle *heap.Object
	Offset int // of the weak pointer
	// ID identifies a cleanup.
	ID uint64
	// Clock is what happened before the finalizer or cleanup was set, which is all that
	// its call is ordered after.
	Clock race.Clock
	// Kept says that an earlier collection did not collect the object, although nothing
	// could reach it.
	Kept bool
}

// A CollectableKind says what happens when an object is collected.
type CollectableKind uint8

// The kinds of collectables.
const (
	Finalizer CollectableKind = iota
	Cleanup
	WeakPointer
)

// The cells of the store of a sync.Pool, as its model in package golib declares it.
const (
	PoolItems   = 0 // a slice: what was put since the last collection
	PoolVictims = 3 // a slice: what was put before it
	PoolInUse   = 6 // whether the store is one of Pools
)

// collection is the part of a snapshot that concerns garbage collection.
type collection struct {
	// Collectables are in the order in which they were set.
	Collectables []Collectable
	// Finalizing are finalizers of collected objects, which have not been called yet. The
	// goroutine in slot FinalizerSlot-1 calls them one after the other.
	Finalizing    []Collectable
	FinalizerSlot int32
	// Finalized is what happened before the end of the last finalizer.
	Finalized race.Clock
	// Cleanups counts the cleanups that have been set.
	Cleanups uint64
	// Collections counts the collections that were made because nothing else could happen.
	Collections int
	// Called counts the collections that calls of runtime.GC have made.
	Called uint64
	// Pools are the stores of the pools that have been used since the last collection, and
	// OldPools those that had been before it. The lists do not change in place.
	Pools, OldPools []heap.Word
}

// Tiny reports whether o has no pointers and is so small that gc puts it into one block of
// memory with others, which may keep it from being collected.
func Tiny(o *heap.Object) bool {
	const blockSize = 16
	if o.Type == nil || o.Bytes == nil && len(o.Cells)*8 > blockSize || len(o.Bytes) >= blockSize {
		return false
	}
	for i := range o.Cells {
		if o.CellKind(i) >= code.Pointer {
			return false
		}
	}
	return o.Kind == heap.Variable && o.Type.Size < blockSize
}
