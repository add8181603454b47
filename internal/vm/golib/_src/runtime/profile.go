package runtime

import "unsafe"

// Nothing is sampled: every profile is empty.

// MemProfileRate is the sampling rate of the memory profile.
var MemProfileRate int = 512 * 1024

// A MemProfileRecord is an allocation site in the memory profile.
type MemProfileRecord struct {
	AllocBytes, FreeBytes     int64
	AllocObjects, FreeObjects int64
	Stack0                    [32]uintptr
}

// InUseBytes returns the bytes in use.
func (r *MemProfileRecord) InUseBytes() int64 { return r.AllocBytes - r.FreeBytes }

// InUseObjects returns the objects in use.
func (r *MemProfileRecord) InUseObjects() int64 { return r.AllocObjects - r.FreeObjects }

// Stack returns the program counters of the record.
func (r *MemProfileRecord) Stack() []uintptr {
	return (&StackRecord{Stack0: r.Stack0}).Stack()
}

// A BlockProfileRecord is a site at which goroutines blocked.
type BlockProfileRecord struct {
	Count  int64
	Cycles int64
	StackRecord
}

// MemProfile returns no records.
func MemProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool) { return 0, true }

// BlockProfile returns no records.
func BlockProfile(p []BlockProfileRecord) (n int, ok bool) { return 0, true }

// MutexProfile returns no records.
func MutexProfile(p []BlockProfileRecord) (n int, ok bool) { return 0, true }

// ThreadCreateProfile returns no records.
func ThreadCreateProfile(p []StackRecord) (n int, ok bool) { return 0, true }

// GoroutineProfile fills p with the stacks of all goroutines, if it has room for them.
func GoroutineProfile(p []StackRecord) (n int, ok bool) {
	records := stackRecords()
	if len(p) < len(records) {
		return len(records), false
	}
	for i, pcs := range records {
		p[i] = StackRecord{}
		copy(p[i].Stack0[:], pcs)
	}
	return len(records), true
}

// SetBlockProfileRate does nothing.
func SetBlockProfileRate(rate int) {}

// SetMutexProfileFraction returns the fraction 0, which cannot be changed.
func SetMutexProfileFraction(rate int) int { return 0 }

// SetCPUProfileRate does nothing.
func SetCPUProfileRate(hz int) {}

// CPUProfile panics, as in Go.
func CPUProfile() []byte { panic("CPUProfile no longer available") }

// SetCgoTraceback does nothing: there is no cgo.
func SetCgoTraceback(version int, traceback, context, symbolizer unsafe.Pointer) {}

// StartTrace fails.
func StartTrace() error { return plainError("tracing is not available") }

// StopTrace does nothing.
func StopTrace() {}

// ReadTrace returns the end of the trace.
func ReadTrace() []byte { return nil }
