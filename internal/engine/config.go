package engine

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// A Config says how to search. The zero value of a field means its default.
type Config struct {
	// Settings are those of the machine. MaxLen is DefaultMaxLen by default or, up to
	// MaxSeedLen, half as much again as the longest of the seeds.
	run.Settings
	Strategy  string        // one of Strategies; default mix
	Order     string        // in which the exhaustive search makes its runs, one of Orders; default preemptions
	MaxDegree int           // highest degree of con2colic; 0 means the default 8, a negative number degree 0
	Budget    time.Duration // for one target; default one minute
	Runs      int           // for one target; default no bound
	Seed      uint64        // of everything random; the same seed gives the same search
	Workers   int           // busy at the same time; default the number of cores
	Resume    bool          // go on with the search on disk, if there is one
	Estimate  bool          // estimate how many runs it will be before the exhaustive search
	OutDir    string        // directory of run files and search files, by package; default .everyway in the module's root
	NoCorpus  bool          // do not write testdata/fuzz
	FromStart bool          // make every run from the start, though it begins as the one before: slower, with the same results
	Solver    solve.Options // how queries are answered
}

// Defaults of Config.
const (
	DefaultStrategy  = "mix"
	DefaultOrder     = "preemptions"
	DefaultMaxDegree = 8
	DefaultBudget    = time.Minute
	DefaultMaxLen    = 8
	MaxSeedLen       = 64
)

// DefaultLimits bound a single run.
var DefaultLimits = run.Limits{
	Instructions: 50_000_000,
	Cells:        64 << 20, // of 16 bytes
	Depth:        250_000,
	Goroutines:   10_000,
	Decisions:    10_000,
}

// Strategies are the names that Config.Strategy takes.
func Strategies() []string {
	return append([]string{"mix", "generational", "con2colic", "hyperconcolic"}, random.Names()...)
}

// Orders are the names that Config.Order takes.
func Orders() []string { return hyperconcolic.Orders() }

func (c Config) withDefaults() (Config, error) {
	if c.Strategy == "" {
		c.Strategy = DefaultStrategy
	}
	if !slices.Contains(Strategies(), c.Strategy) {
		return c, fmt.Errorf("unknown strategy %q (want one of %s)", c.Strategy, strings.Join(Strategies(), ", "))
	}
	if c.Order == "" {
		c.Order = DefaultOrder
	}
	if !slices.Contains(Orders(), c.Order) {
		return c, fmt.Errorf("unknown order %q (want one of %s)", c.Order, strings.Join(Orders(), ", "))
	}
	if c.MaxDegree == 0 {
		c.MaxDegree = DefaultMaxDegree
	}
	c.MaxDegree = max(c.MaxDegree, 0)
	if c.Budget == 0 {
		c.Budget = DefaultBudget
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Limits.Instructions == 0 {
		c.Limits.Instructions = DefaultLimits.Instructions
	}
	if c.Limits.Cells == 0 {
		c.Limits.Cells = DefaultLimits.Cells
	}
	if c.Limits.Depth == 0 {
		c.Limits.Depth = DefaultLimits.Depth
	}
	if c.Limits.Goroutines == 0 {
		c.Limits.Goroutines = DefaultLimits.Goroutines
	}
	if c.Limits.Decisions == 0 {
		c.Limits.Decisions = DefaultLimits.Decisions
	}
	return c, nil
}
