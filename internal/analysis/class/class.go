package class

import (
	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/dependence"
)

// The detectors, from the narrowest class to the widest.
var (
	Strict = info("strict", "data races in orders that keep the order of writes and of critical sections",
		analysis.Predicted, dependence.Strict)
	Said  = info("said", "data races in orders in which every read sees the value that it has seen", analysis.Predicted, dependence.Said)
	Huang = info("huang", "data races in orders in which every branch is taken as it was", analysis.Predicted, dependence.Huang)
	Loose = info("loose", "accesses that only locks or values keep from being a data race, if anything does",
		analysis.Suspected, dependence.Loose)
)

func info(name, doc string, certainty analysis.Certainty, c dependence.Class) analysis.Info {
	return analysis.Info{Name: name, Doc: doc, Certainty: certainty, New: func(config analysis.Config) analysis.Detector {
		return newDetector(config, c, certainty)
	}}
}
