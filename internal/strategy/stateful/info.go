package stateful

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Info describes the strategy.
var Info = strategy.Info{
	Name:       "stateful",
	Doc:        "an exhaustive search that remembers states, and goes on from each only once",
	Proves:     "the target holds, if nothing was given up",
	Exhaustive: true,
	New: func(c strategy.Config) (strategy.Strategy, error) {
		return New(Options{Names: c.Names, Merge: run.MergeLibrary, Visible: c.Visible, AddsCommute: c.AddsCommute, ForgetUses: true, Solver: c.Solver}), nil
	},
}
