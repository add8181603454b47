// Package race tells the recorder what it would tell the race detector.
package race

import (
	"internal/abi"
	"unsafe"
)

const Enabled = true

//go:noescape
//go:linkname everywayRecord runtime.everywayRecord
func everywayRecord(kind uint64, addr unsafe.Pointer, arg int64)

//go:noescape
//go:linkname everywayTouch runtime.everywayTouch
func everywayTouch(kind uint64, addr unsafe.Pointer, size, pc uintptr)

//go:linkname Disable runtime.everywayEnter
func Disable()

//go:linkname Enable runtime.everywayLeave
func Enable()

func Acquire(addr unsafe.Pointer)      { everywayRecord(everywayAcquire, addr, 0) }
func Release(addr unsafe.Pointer)      { everywayRecord(everywayRelease, addr, 0) }
func ReleaseMerge(addr unsafe.Pointer) { everywayRecord(everywayMerge, addr, 0) }

// Without a place, an access is at that of its caller's caller.
func Read(addr unsafe.Pointer)              { everywayTouch(everywayRead, addr, 1, 0) }
func Write(addr unsafe.Pointer)             { everywayTouch(everywayWrite, addr, 1, 0) }
func ReadRange(addr unsafe.Pointer, n int)  { everywayTouch(everywayRead, addr, uintptr(n), 0) }
func WriteRange(addr unsafe.Pointer, n int) { everywayTouch(everywayWrite, addr, uintptr(n), 0) }
func ReadPC(addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayTouch(everywayRead, addr, 1, callerpc)
}
func WritePC(addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayTouch(everywayWrite, addr, 1, callerpc)
}
func ReadObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayTouch(everywayRead, addr, t.Size_, callerpc)
}
func WriteObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	everywayTouch(everywayWrite, addr, t.Size_, callerpc)
}

func Errors() int { return 0 }
