//go:build race

package shadow

import (
	"os"
	"strconv"
)

//go:cgo_import_static _ZN6__tsan17ThreadIgnoreBeginEPNS_11ThreadStateEm
//go:cgo_import_static _ZN6__tsan15ThreadIgnoreEndEPNS_11ThreadStateE

// offset is where the runtime has the detector's state of a goroutine, 0 if that is not known, and nothing is hidden.
var offset = func() uintptr {
	n, _ := strconv.Atoi(os.Getenv("EVERYWAY_RACECTX"))
	return uintptr(n)
}()

func begin(offset uintptr)
func end(offset uintptr)

// Begin hides what the goroutine accesses from now on. It reports whether it can.
//
//go:norace
func Begin() bool {
	if offset == 0 {
		return false
	}
	begin(offset)
	return true
}

// End is called once for each time that Begin has returned true.
//
//go:norace
func End() { end(offset) }
