package class

import (
	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
)

// The detectors, from the narrowest class to the widest.
var (
	Strict = info("strict", "data races in orders that keep the order of writes and of critical sections", analysis.Predicted,
		reorder.Class{Locks: reorder.StrictLocks, Reads: reorder.AllReads, Writes: true})
	Said = info("said", "data races in orders in which every read sees the value that it has seen", analysis.Predicted,
		reorder.Class{Locks: reorder.FreeLocks, Reads: reorder.AllReads})
	Huang = info("huang", "data races in orders in which every branch is taken as it was", analysis.Predicted,
		reorder.Class{Locks: reorder.FreeLocks, Reads: reorder.BranchReads})
	Loose = info("loose", "accesses that only locks or values keep from being a data race, if anything does", analysis.Suspected,
		reorder.Class{})
)

func info(name, doc string, certainty analysis.Certainty, c reorder.Class) analysis.Info {
	return analysis.Info{Name: name, Doc: doc, Certainty: certainty, New: func(config analysis.Config) analysis.Detector {
		return newDetector(config, c, certainty)
	}}
}
