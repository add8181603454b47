// Package programs lists the sets of programs with bugs in which benchmarks look for findings.
package programs

import (
	"path/filepath"
	"time"

	"github.com/everyway-go/everyway/internal/goroot"
)

// A Set is a module with programs.
type Set struct {
	Name     string
	Patterns []string      // of packages
	Stall    time.Duration // for which goroutines that could run can be kept waiting, 0 for the default
	Run      string        // regular expression of targets

	dir   string // relative to the root of this module; empty if the programs have to be written
	write func(dir string) error
}

// Dir returns the directory of the module. Programs that are not of this module are written into the directory work.
func (s *Set) Dir(work string) (string, error) {
	if s.write == nil {
		return filepath.Abs(s.dir)
	}
	return work, s.write(work)
}

// Sets returns the sets: examples and found, the examples of this module and those of
// examples/found; race, the tests of Go's race detector that have a race; and leaks, the kernels of
// the test of Go's goroutine leak profile.
func Sets() []Set {
	return []Set{
		{Name: "examples", dir: ".", Patterns: []string{"./examples/addall", "./examples/art", "./examples/bluetooth", "./examples/quota"}},
		{Name: "found", dir: "examples/found", Patterns: []string{"./..."}, Stall: 5 * time.Millisecond},
		{Name: "race", write: goroot.RaceTests, Patterns: []string{"."}, Run: "^TestRace"},
		{Name: "leaks", write: goroot.LeakTests, Patterns: []string{"./..."}, Stall: 5 * time.Millisecond},
	}
}
