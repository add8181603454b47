package class

import (
	"github.com/everyway-go/everyway/internal/analysis"
)

// A class says which orders of the events of a schedule are looked at.
type class struct {
	locks  locks
	reads  reads
	writes bool // to a cell stay in their order
}

// locks says how critical sections are ordered.
type locks uint8

const (
	anyLocks    locks = iota // not at all
	freeLocks                // sections that exclude each other do not overlap
	strictLocks              // and stay in their order
)

// reads says what a read has to see.
type reads uint8

const (
	anyReads    reads = iota // anything
	branchReads              // the same value, if a branch that is kept can depend on it
	allReads                 // the same value
)

// The detectors, from the narrowest class to the widest.
var (
	Strict = info("strict", "data races in orders that keep the order of writes and of critical sections", analysis.Predicted,
		class{locks: strictLocks, reads: allReads, writes: true})
	Said = info("said", "data races in orders in which every read sees the value that it has seen", analysis.Predicted,
		class{locks: freeLocks, reads: allReads})
	Huang = info("huang", "data races in orders in which every branch is taken as it was", analysis.Predicted,
		class{locks: freeLocks, reads: branchReads})
	Loose = info("loose", "accesses that only locks or values keep from being a data race, if anything does", analysis.Suspected,
		class{})
)

func info(name, doc string, certainty analysis.Certainty, c class) analysis.Info {
	return analysis.Info{Name: name, Doc: doc, Certainty: certainty, New: func(config analysis.Config) analysis.Detector {
		return newDetector(config, c, certainty)
	}}
}
