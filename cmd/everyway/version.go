package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version says which build this is.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("everyway %s %s/%s %s", v, runtime.GOOS, runtime.GOARCH, runtime.Version())
}
