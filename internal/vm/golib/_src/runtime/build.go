package runtime

import (
	"internal/goarch"
	"internal/goos"
)

// Compiler is the compiler whose semantics the machine follows.
const Compiler = "gc"

// GOOS is the operating system the program is built for.
const GOOS string = goos.GOOS

// GOARCH is the architecture the program is built for.
const GOARCH string = goarch.GOARCH

// version returns the version of the toolchain whose library is run.
func version() string

// Version returns the version of the toolchain.
func Version() string { return version() }

// GOROOT returns $GOROOT, which is not set: the program sees no toolchain.
func GOROOT() string { return "" }
