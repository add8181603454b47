package strategy

import (
	"go/token"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// An Info describes a strategy to those who choose one. Package registry lists
// those of all strategies.
type Info struct {
	Name string // the name that the -strategy flag takes
	Doc  string // what the strategy does, in a line
	// Proves says what a search has shown when the strategy has no more plans, empty if that
	// is nothing.
	Proves string
	// Exhaustive says that a finished search has shown that the target holds: every input and
	// every interleaving was covered, except for what the GivenUp of the traces and the
	// Status of the strategy say.
	Exhaustive bool
	// New returns a strategy that begins a search.
	New func(Config) (Strategy, error)
}

// A Config is what a strategy may need to begin a search. Not every strategy uses all of it.
type Config struct {
	run.Settings             // of all runs of the search
	Names        *run.Names  // those of the machine that makes the runs
	Visible      run.Visible // plain accesses that are visible from the start, for those that look at every interleaving
	Seeds        []run.Input // the first inputs, besides the empty one
	Seed         uint64      // of everything random
	MaxDegree    int         // highest number of interferences
	Symmetry     bool        // leave out runs that differ only in which of several symmetric goroutines does what
	AddsCommute  bool        // leave out runs that differ only in the order of Adds and Dones of wait groups, and of additions to atomic variables whose results nobody reads
	Rename       bool        // take states for the same that differ only in the names of goroutines and objects
	TellPlaces   bool        // with Rename, tell places in the code apart from which a goroutine continues in the same way
	Alike        bool        // with Rename, try one of the steps that goroutines which are alike in a state can take
	Ahead        bool        // where a run ends at a known state, take into account what has to happen before the steps that come later
	Forget       bool        // and those that differ only in who knows of accesses that cannot race
	Compare      bool        // and those that differ only in who knows of any access: what can come after them is compared instead
	Atomics      bool        // with Compare, take atomic loads for no steps as long as they are ordered with what changes their variables and, with AddsCommute, additions as long as they are ordered with what depends on the sum
	Sites        Sites       // the names of sites in the program of the machine
	Unread       bool        // with Compare, and those that differ only in words of memory that nobody reads any more
	Order        Order       // in which unexplored items are taken
	Length       int         // how many steps a goroutine takes at most, for an exhaustive search that deepens; 0 for no bound
	Solver       solve.Options
	Subjects     Subjects // that the strategy names to the solver
	Guide        Guide    // to the places that the search is to reach; nil if there are none
}

// Sites are names of sites that hold in other machines for the same program, too.
type Sites interface {
	// Site returns the name of the function of a site, and the site's position.
	Site(at run.SiteID) (fn string, pos token.Pos)
	// SiteOf returns the site of an instruction of the function with a name.
	SiteOf(fn string, instr int32) run.SiteID
}

// Subjects returns what a query is about that asks for another outcome of a condition: of the one with an
// index in the path of the last run. If it is nil, nobody asks.
type Subjects func(condition int) solve.Subject

// Of is a call of s.
func (s Subjects) Of(condition int) solve.Subject {
	if s == nil {
		return 0
	}
	return s(condition)
}

// An Order says in which order a strategy takes its unexplored items.
type Order string

// The orders.
const (
	// DepthFirst takes the items that a run has led to before older ones, and of those the
	// one that has the longest prefix in common with the run. It needs little memory, and
	// the machine has to repeat few steps.
	DepthFirst Order = "depth"
	// FewestPreemptions takes items by the number of their preemptions (Musuvathi, Qadeer:
	// Iterative Context Bounding, PLDI 2007): steps of another goroutine than the one before
	// although that was enabled. Most bugs need few. Items with the same number come depth
	// first.
	FewestPreemptions Order = "preemptions"
	// ByLength makes all runs in which no goroutine takes more than some steps, then all in which
	// none takes more than twice as many, and so on, each time depth first (Kalhauge 2015, section
	// 4.3).
	ByLength Order = "length"
	// Nearest takes items by how many instructions it is, by static analysis, from what is new
	// about them to the places that the search is to reach.
	Nearest Order = "distance"
)
