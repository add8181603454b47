package runtime

import "unsafe"

// trusted reports whether a call of SetFinalizer, AddCleanup or weak.Make is made by the
// standard library. What it wants to be told of does not matter.
func trusted() bool

// GC collects what nothing can reach.
func GC() {
	if n, may := mayCollect(); may || hasPools() {
		collect(n)
	}
}

// hasPools reports whether there are pools that a collection changes. It is ordered with the
// first use of a pool after a collection.
func hasPools() bool

// mayCollect reports whether there are finalizers, cleanups or weak pointers, and how many
// collections there have been. It is ordered with what sets them, and with collections.
func mayCollect() (collections uint64, may bool)

// collect makes a collection, unless there has been another one since there were so many:
// as in gc, calls of GC that overlap share a collection. It is ordered with everything.
func collect(collections uint64)

// KeepAlive keeps x alive up to here.
func KeepAlive(x any)

// setFinalizer sets the finalizer of obj. Finalizers are called by runFinalizers, which
// the collector starts when it finds some to call.
func setFinalizer(obj, finalizer any, run func())

// nextFinalizer puts the argument of a finalizer to be called into a frame, and returns the
// finalizer with a function that calls it. The function is nil if there is none left.
func nextFinalizer(frame *finalizerFrame) (call func(fn, frame unsafe.Pointer), fn unsafe.Pointer)

// A finalizerFrame has room for the argument of a finalizer and its results.
type finalizerFrame [16]unsafe.Pointer

// SetFinalizer sets the function that is called with obj when nothing else can reach it.
func SetFinalizer(obj any, finalizer any) {
	if !trusted() {
		setFinalizer(obj, finalizer, runFinalizers)
	}
}

// runFinalizers calls one finalizer after the other.
func runFinalizers() {
	for {
		frame := new(finalizerFrame)
		call, fn := nextFinalizer(frame)
		if call == nil {
			return
		}
		call(fn, unsafe.Pointer(frame))
		KeepAlive(frame) // gc lets go of the argument when the finalizer has returned
	}
}

// A Cleanup is a call that AddCleanup attached to an object.
type Cleanup struct {
	id uint64
}

// addCleanup attaches a call of fn to ptr and returns its number.
func addCleanup(ptr unsafe.Pointer, fn func()) uint64

// stopCleanup cancels the call with the given number, if it has not been made.
func stopCleanup(id uint64)

// AddCleanup attaches a call to ptr, which is made when nothing can reach it.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	if p, ok := any(arg).(*T); ok && p == ptr {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	if trusted() {
		return Cleanup{}
	}
	return Cleanup{addCleanup(unsafe.Pointer(ptr), func() { cleanup(arg) })}
}

// Stop cancels the call.
func (c Cleanup) Stop() {
	if c.id != 0 {
		stopCleanup(c.id)
	}
}
