package pprof

import (
	"internal/profilerecord"
	"io"
	"runtime"
	"unsafe"
)

// Nothing is sampled: profiles but that of goroutines are empty, and goroutines keep no
// labels.

// StartCPUProfile does nothing.
func StartCPUProfile(w io.Writer) error { return nil }

// StopCPUProfile does nothing.
func StopCPUProfile() {}

func runtime_setProfLabel(labels unsafe.Pointer) {}

func runtime_getProfLabel() unsafe.Pointer { return nil }

func runtime_goroutineleakcount() int { return 0 }

func runtime_goroutineLeakGC() {}

func runtime_FrameStartLine(f *runtime.Frame) int { return 0 }

func runtime_FrameSymbolName(f *runtime.Frame) string { return f.Function }

func runtime_expandFinalInlineFrame(stk []uintptr) []uintptr { return stk }

func pprof_cyclesPerSecond() int64 { return 1e9 }

func pprof_makeProfStack() []uintptr { return make([]uintptr, 128) }

func pprof_fpunwindExpand(dst, src []uintptr) int { return copy(dst, src) }

// stackRecords returns the stacks of all goroutines.
//
//go:linkname stackRecords runtime.stackRecords
func stackRecords() [][]uintptr

func pprof_goroutineProfileWithLabels(p []profilerecord.StackRecord, labels []unsafe.Pointer) (n int, ok bool) {
	records := stackRecords()
	if len(p) < len(records) {
		return len(records), false
	}
	for i, pcs := range records {
		p[i].Stack = pcs
	}
	return len(records), true
}

func pprof_goroutineLeakProfileWithLabels(p []profilerecord.StackRecord, labels []unsafe.Pointer) (n int, ok bool) {
	return 0, true
}

func pprof_memProfileInternal(p []profilerecord.MemProfileRecord, inuseZero bool) (n int, ok bool) {
	return 0, true
}

func pprof_blockProfileInternal(p []profilerecord.BlockProfileRecord) (n int, ok bool) {
	return 0, true
}

func pprof_mutexProfileInternal(p []profilerecord.BlockProfileRecord) (n int, ok bool) {
	return 0, true
}

func pprof_threadCreateInternal(p []profilerecord.StackRecord) (n int, ok bool) {
	return 0, true
}
