package generational

import "github.com/everyway-go/everyway/internal/strategy"

// Info describes the strategy.
var Info = strategy.Info{
	Name:   "generational",
	Doc:    "varies inputs only, from the seeds on, under a single schedule; for parsers and other code that is about its input",
	Proves: "every path under that schedule was taken",
	New: func(c strategy.Config) (strategy.Strategy, error) {
		return New(Options{Seeds: c.Seeds, MaxLen: c.MaxLen, Solver: c.Solver, Subjects: c.Subjects}), nil
	},
}
