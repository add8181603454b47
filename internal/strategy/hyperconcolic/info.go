package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Info describes the strategy.
var Info = strategy.Info{
	Name:       "hyperconcolic",
	Doc:        "the exhaustive search: runs every class of inputs under every class of interleavings, once",
	Proves:     "the target holds, if nothing was given up",
	Exhaustive: true,
	New: func(c strategy.Config) (strategy.Strategy, error) {
		o := Options{
			Names: c.Names, Merge: run.MergeLibrary, Visible: c.Visible, Symmetry: c.Symmetry,
			AddsCommute: c.AddsCommute, Order: c.Order, Solver: c.Solver, Subjects: c.Subjects,
			Length: c.Length,
		}
		if c.Guide != nil {
			o.Near = c.Guide.Near
		}
		return New(o), nil
	},
}
