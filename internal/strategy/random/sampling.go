package random

import "github.com/everyway-go/everyway/internal/strategy"

// A Sampling is a distribution of schedules. Each is a strategy of its own.
type Sampling uint8

// The samplings.
const (
	Walks         Sampling = iota // run.RandomWalk
	Priorities                    // PCT, for bugs of depth 1, 2 and 3 in turn
	PartialOrders                 // POS
	Uniform                       // SURW
)

// samplings holds the names and descriptions of the samplings.
var samplings = [...]struct{ name, doc string }{
	Walks:         {"random", "draws schedules: takes any of the enabled operations at each step"},
	Priorities:    {"pct", "draws schedules: gives goroutines priorities, which it lowers at a few random steps"},
	PartialOrders: {"pos", "draws schedules: gives operations priorities, and a new one to each that has lost a race"},
	Uniform:       {"surw", "draws schedules: makes all orders of some operations, or of all, equally likely"},
}

// String returns the name that the -strategy flag takes.
func (s Sampling) String() string { return samplings[s].name }

// Info describes the strategy.
func (s Sampling) Info() strategy.Info {
	return strategy.Info{
		Name: samplings[s].name,
		Doc:  samplings[s].doc,
		New: func(c strategy.Config) (strategy.Strategy, error) {
			return New(Options{Sampling: s, Seed: c.Seed, Seeds: c.Seeds, MaxLen: c.MaxLen}), nil
		},
	}
}
