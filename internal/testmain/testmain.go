// Package testmain runs the tests of packages that make a lot of garbage.
package testmain

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/everyway-go/everyway/internal/memory"
)

// Run runs the tests of a package with huge pages, and collects garbage less often than is usual: a third of
// what tests of the machine take would be spent on that. It is for TestMain. The environment
// variable GOGC goes before.
func Run(m *testing.M) {
	memory.AdviseHugePages(1 << 30)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(2 << 30) // from there on as often as need be
	}
	m.Run()
}
