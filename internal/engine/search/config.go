package search

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/everyway-go/everyway/internal/accept"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/clock"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A Config says how to search. The zero value of a field means its default.
type Config struct {
	// Settings are those of the machine. MaxLen is worker.DefaultMaxLen by default or, up
	// to worker.MaxSeedLen, half as much again as the longest of the seeds.
	run.Settings
	Leaks    check.Leaks    // which of the goroutines that remain when a target has returned make it fail; default unreachable
	Strategy string         // the name of one of Strategies; default mix
	Order    strategy.Order // in which the exhaustive search makes its runs; default few preemptions first
	// Reductions are those that the exhaustive search makes; default DefaultReductions.
	Reductions *Reductions
	MaxDegree  int            // highest degree of con2colic; 0 means the default 8, a negative number degree 0
	Budget     time.Duration  // for one target; default one minute
	Total      time.Duration  // for all targets; default no bound
	Clock      *clock.Clock   // that measures both; nil for the time of the world
	Runs       int            // for one target; default no bound
	Seed       uint64         // of everything random; the same seed gives the same search
	Workers    int            // busy at the same time; default the number of cores
	Memory     *memory.Budget // of the process; default no bound. What one run may take is in Settings
	Resume     bool           // resume the search on disk, if there is one
	// Rank says in which order several targets are searched: those of low rank come first.
	// If it is nil all are the same.
	Rank func(*load.Target) int
	// Accepted are the findings that do not make a target fail, by the root of its module.
	Accepted  map[string]*accept.List
	All       bool   // look for all findings, not only those of the first run that has one
	FailFast  bool   // begin no search of a target when one has failed
	Estimate  bool   // estimate how many runs it will be before the exhaustive search
	OutDir    string // directory of run files and search files, by package; default .everyway in the module's root
	NoCorpus  bool   // do not write testdata/fuzz
	FromStart bool   // make every run from the start, though it begins as the one before: slower, with the same results
	Profile   bool   // find out what the search costs where
	Reach     *Reach // places that the searches are to reach; nil if they look for what is wrong
	// PossibleFails says that a target fails that begins in the middle of the program, if something is found there.
	PossibleFails bool
	// LongStall is for how long goroutines may be kept waiting in a few random runs of the mix, if
	// that is more than Settings.Stall.
	LongStall time.Duration
	Solver    solve.Options // how queries are answered
	// Summaries, if it is not nil, has summaries that take the place of code in runs.
	Summaries *summaries.Library
	// Keeper keeps what searches end with, and knows which need not be made; nil for none.
	Keeper *results.Keeper

	everyway string // hash of the executable
	piece    uint64 // instructions after which runs end, and others go on from there; 0 for a search that is not piece by piece
}

// Defaults of Config.
const (
	DefaultOrder     = strategy.FewestPreemptions
	DefaultMaxDegree = 8
	DefaultBudget    = time.Minute
	DefaultStall     = time.Microsecond // of the command; the zero value of Config.Stall is no stall
	DefaultLongStall = 200 * time.Microsecond
)

// Networks are those of Settings.Network, by name.
var Networks = map[string]run.Network{"whole": run.Whole, "pieces": run.Pieces, "breaks": run.Breaks}

// AnyStall is a Settings.Stall without limit.
const AnyStall = run.AnyStall

// Check returns an error when c names a strategy, an order, leaks or a network that there are not.
func (c Config) Check() error {
	_, err := c.withDefaults()
	return err
}

func (c Config) withDefaults() (Config, error) {
	c.Strategy = cmp.Or(c.Strategy, DefaultStrategy)
	if _, err := c.phases(); err != nil {
		return c, err
	}
	c.Order = cmp.Or(c.Order, DefaultOrder)
	switch c.Order {
	case strategy.DepthFirst, strategy.FewestPreemptions, strategy.ByLength:
	case strategy.Nearest:
		if c.Reach == nil {
			return c, errors.New("order distance needs places to which it is near or far: name them with -reach")
		}
	default:
		return c, fmt.Errorf("unknown order %q (want one of %s, %s, %s, %s)",
			c.Order, strategy.FewestPreemptions, strategy.DepthFirst, strategy.ByLength, strategy.Nearest)
	}
	if !c.Leaks.Valid() {
		return c, fmt.Errorf("unknown leaks %q (want one of %s, %s, %s)", c.Leaks, check.LeaksUnreachable, check.LeaksAll, check.LeaksNone)
	}
	c.Leaks = cmp.Or(c.Leaks, check.LeaksUnreachable)
	if !c.Network.Valid() {
		return c, fmt.Errorf("unknown network %q (want one of whole, %s, %s)", c.Network, run.Pieces, run.Breaks)
	}
	c.MaxDegree = max(cmp.Or(c.MaxDegree, DefaultMaxDegree), 0)
	c.Budget = cmp.Or(c.Budget, DefaultBudget)
	c.Workers = cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	c.Limits = c.Limits.Or(worker.DefaultLimits)
	return c, nil
}

// Decisive returns a text that names all of c that makes a difference to the result of a
// search, but for the budget and for how queries are answered.
func (c Config) Decisive() string {
	c.Budget, c.Workers, c.Resume, c.FailFast, c.Estimate, c.OutDir, c.NoCorpus, c.FromStart, c.Profile = 0, 0, false, false, false, "", false, false, false
	c.Total, c.Clock, c.Rank, c.Memory, c.everyway = 0, nil, nil, nil, ""
	c.Reach = nil // of which no results are kept
	c.Summaries = nil
	c.Solver, c.Keeper, c.Accepted = solve.Options{}, nil, nil // what is accepted makes a result one that is not kept
	reductions := c.reductions()
	c.Reductions = nil
	return fmt.Sprintf("%+v reductions %v", c, reductions)
}

// reductions returns those that are made.
func (c *Config) reductions() Reductions {
	if c.Reductions == nil {
		return DefaultReductions
	}
	return *c.Reductions
}

// worker returns the part of c that workers need, whose memory counts to share.
func (c *Config) worker(share *memory.Share, goal *reach.Goal) worker.Config {
	w := worker.Config{
		Memory: share, Settings: c.Settings, Leaks: c.Leaks, FromStart: c.FromStart, Profile: c.Profile,
		Ends: c.piece > 0, Summaries: c.Summaries, OutDir: c.OutDir, NoCorpus: c.NoCorpus,
	}
	if goal != nil {
		w.Reach(goal)
	}
	return w
}

// accepted returns the findings that do not make a target fail.
func (c *Config) accepted(prog *program.Program, target *load.Target) *accept.List {
	return c.Accepted[prog.RootOf(target.Package)]
}
