package worker

import (
	"cmp"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/schedule"
)

// A Config says how a worker makes its runs and where it writes what they show.
type Config struct {
	run.Settings             // MaxLen is DefaultMaxLen by default
	Leaks        check.Leaks // which of the goroutines that remain when a target has returned make it fail
	FromStart    bool        // make every run from the start, though it begins as the one before: slower, with the same results
	OutDir       string      // directory of run files, by package; default .everyway in the module's root
	NoCorpus     bool        // do not write testdata/fuzz
	Profile      bool        // measure what the runs cost, for Stats.Profile
	Ends         bool        // note where runs end at the limit on their instructions, for Stats.Ends
	// Goal are the places at which runs end when different goroutines are at all of them: Settings.Goal is made of it.
	Goal []schedule.GoalSite
	// Guide returns what guides runs there on a machine that has some code, in which siteOf names
	// sites and nameOf the functions that they are in; nil for none.
	Guide func(c *code.Program, siteOf func(fn string, instr int32) run.SiteID, nameOf func(run.SiteID) string) strategy.Guide

	// Prepare, if it is not nil, is called with each machine that is made, before anything runs on it.
	Prepare func(*vm.Machine)

	// Summaries, if it is not nil, has summaries that take the place of code. They make no difference to runs.
	Summaries *summaries.Library

	Corpus []run.CorpusEntry // of testdata/fuzz
	Memory *memory.Share     // to which the memory of the machine counts
}

// DefaultMaxLen is the length of the longest string or slice that is drawn as an input.
const DefaultMaxLen = 8

// DefaultMaxObjects is how many objects of a type are inputs, and DefaultMaxChain how many pointers
// lead to one, one after the other.
const (
	DefaultMaxObjects = 4
	DefaultMaxChain   = 8
)

// DefaultLimits bound a single run.
var DefaultLimits = run.Limits{
	Instructions: 50_000_000,
	Memory:       1 << 30,
	Depth:        250_000,
	Goroutines:   10_000,
	Decisions:    100_000,
}

// RecordedOptions returns what run files and search files hold of the settings of runs.
func RecordedOptions(prog *program.Program, t *load.Target, s run.Settings) schedule.Options {
	return schedule.Options{
		MaxLen:       s.MaxLen,
		MaxObjects:   unless(DefaultMaxObjects, s.MaxObjects),
		MaxChain:     unless(DefaultMaxChain, s.MaxChain),
		Instructions: s.Limits.Instructions,
		Memory:       s.Limits.Memory,
		Stall:        s.Stall,
		Signals:      s.Signals,
		Processors:   unless(run.DefaultProcessors, s.Processors),
		Network:      string(s.Network),
		Short:        s.Short,
		Run:          s.Run,
		Skip:         s.Skip,
		Tags:         prog.Tags,
		Flags:        prog.Flags,
		Globals:      program.GlobalNames(t),
		Args:         prog.Args,
		Generated:    prog.RecordGenerated(t),
	}
}

// unless returns n, or 0 if it is the default.
func unless(usual, n int) int {
	if n == usual {
		return 0
	}
	return n
}

// RecordedSettings returns the settings of runs that were recorded with o.
func RecordedSettings(o schedule.Options) run.Settings {
	return run.Settings{
		MaxLen:     o.MaxLen,
		MaxObjects: cmp.Or(o.MaxObjects, DefaultMaxObjects),
		MaxChain:   cmp.Or(o.MaxChain, DefaultMaxChain),
		Stall:      o.Stall,
		Signals:    o.Signals,
		Processors: o.Processors,
		Network:    run.Network(o.Network),
		Short:      o.Short,
		Run:        o.Run,
		Skip:       o.Skip,
		Limits:     run.Limits{Instructions: o.Instructions, Memory: o.Memory}.Or(DefaultLimits),
	}
}

// Reach makes the runs of workers with configuration c end at a goal, and strategies be guided there.
func (c *Config) Reach(goal *reach.Goal) {
	c.Goal = goal.Sites()
	c.Guide = func(of *code.Program, siteOf func(string, int32) run.SiteID, nameOf func(run.SiteID) string) strategy.Guide {
		return goal.Guide(of, siteOf, nameOf)
	}
}
