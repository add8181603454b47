package con2colic

import "github.com/everyway-go/everyway/internal/strategy"

// Info describes the strategy.
var Info = strategy.Info{
	Name:   "con2colic",
	Doc:    "tries combinations of interferences between goroutines, those with fewer first, up to degree -k",
	Proves: "every branch that -k interferences can reach was covered",
	New: func(c strategy.Config) (strategy.Strategy, error) {
		o := Default(c.MaxDegree)
		o.Seed, o.Solver, o.Subjects = c.Seed, c.Solver, c.Subjects
		return New(o), nil
	},
}
