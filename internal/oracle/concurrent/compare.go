package concurrent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/interrupted"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

// Bounds of what is compared: the states of a program, and the runs of a search of it.
const (
	maxStates = 100_000
	maxRuns   = 20_000
)

// Bounds for programs with Config.Closes or Config.Family, of which some have very many orders.
const (
	maxClosingStates = 10_000
	maxClosingRuns   = 3_000
)

// A Search is an exhaustive search.
type Search struct {
	// Begin begins a search of a program by a machine with these names.
	Begin func(p *oracle.Program, names *run.Names) strategy.Strategy
	// Merges says that the search does not go on from a state that it knows, whatever the
	// program has shown before.
	Merges bool
}

// The searches that are compared.
var (
	// Reduced makes no runs that differ only by symmetry or in the order of Adds.
	Reduced = Search{Begin: func(_ *oracle.Program, names *run.Names) strategy.Strategy {
		return hyperconcolic.New(hyperconcolic.Options{Names: names, Symmetry: true, AddsCommute: true, Visible: run.Visible{HideLogs: true}})
	}}
)

// Stateful returns a search that goes on from each state once.
func Stateful(o stateful.Options) Search {
	return Search{Merges: true, Begin: func(_ *oracle.Program, names *run.Names) strategy.Strategy {
		o := o
		o.Names = names
		return stateful.New(o)
	}}
}

// Interrupted returns a search that goes on from each state once, and is broken off and resumed again and again.
func Interrupted(o stateful.Options) Search {
	return Search{Merges: true, Begin: func(_ *oracle.Program, names *run.Names) strategy.Strategy {
		o := o
		o.Names = names
		return interrupted.New(func() strategy.Resumable { return stateful.New(o) }, 1, 8)
	}}
}

// Words are the words of ParseOptions.
var Words = []string{"adds", "uses", "accesses", "knowledge", "unread", "names", "alike", "ahead", "logs"}

// ParseOptions returns the options of a stateful search that leaves out what a list of words names: adds, uses,
// accesses, knowledge, unread, which includes knowledge, names, alike, which includes names, ahead and logs, separated by commas.
func ParseOptions(list string) (stateful.Options, error) {
	var o stateful.Options
	for word := range strings.SplitSeq(list, ",") {
		switch word {
		case "":
		case "adds":
			o.AddsCommute = true
		case "uses":
			o.ForgetUses = true
		case "accesses":
			o.ForgetAccesses = true
		case "knowledge":
			o.ForgetKnowledge = true
		case "unread":
			o.ForgetKnowledge, o.ForgetUnread = true, true
		case "names":
			o.Rename = true
		case "alike":
			o.Alike = true
		case "ahead":
			o.Ahead = true
		case "logs":
			o.Visible.HideLogs = true
		default:
			return o, fmt.Errorf("%q: want some of %s", word, strings.Join(Words, ","))
		}
	}
	return o, nil
}

// Drawn returns a search of which the seed of a program says what it leaves out: often one of what it can, or two, or all. With stateful, the search goes on from each
// state once.
func Drawn(stateful bool) Search {
	return Search{Merges: stateful, Begin: func(p *oracle.Program, names *run.Names) strategy.Strategy {
		words := slices.Clone(Words)
		if !stateful {
			words = []string{"adds", "symmetry", "logs"}
		}
		r := rand.New(rand.NewPCG(p.Seed, uint64(len(words))))
		r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
		switch k := r.IntN(8); {
		case k <= 3:
			words = words[:1+k/2]
		case k <= 6:
			words = words[:r.IntN(len(words)+1)]
		}
		if !stateful {
			has := func(word string) bool { return slices.Contains(words, word) }
			return hyperconcolic.New(hyperconcolic.Options{Names: names, Symmetry: has("symmetry"), AddsCommute: has("adds"), Visible: run.Visible{HideLogs: has("logs")}})
		}
		o, err := ParseOptions(strings.Join(words, ","))
		if err != nil {
			panic(err) // not of Words
		}
		return Stateful(o).Begin(p, names)
	}}
}

// bounds bound what is compared.
type bounds struct{ states, runs int }

// Compare compares what a search finds in the programs of some seeds with what the enumerator
// says. A program that is different is reduced if shrink is set.
func Compare(ctx context.Context, seeds []uint64, cfg kinds.Config, search Search, shrink bool) (*suite.Results, error) {
	r, b := &suite.Results{Programs: len(seeds)}, bounds{maxStates, maxRuns}
	if cfg.Closes || cfg.Family != kinds.NoFamily {
		b = bounds{maxClosingStates, maxClosingRuns}
	}
	var programs []*oracle.Program
	for _, seed := range seeds {
		cfg.Mode = oracle.Mode(seed % 2)
		programs = append(programs, kinds.Generate(seed, cfg))
	}
	different, err := compare(ctx, programs, search, b, r)
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		what := different[i]
		for what != "" && shrink {
			less := p.Smaller()
			different, err := compare(ctx, less, search, b, &suite.Results{})
			if err != nil {
				return nil, err
			}
			at := slices.IndexFunc(different, func(what string) bool { return what != "" })
			if at < 0 {
				break
			}
			p, what = less[at], different[at]
		}
		if what != "" {
			r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what, Source: oracle.Describe(p)})
		}
	}
	return r, nil
}

// compare says how each of some programs is different, "" if it is not.
func compare(ctx context.Context, programs []*oracle.Program, search Search, b bounds, r *suite.Results) (different []string, err error) {
	different = make([]string, len(programs))
	var small []*oracle.Program
	var results []*oracle.Result
	var index []int
	for i, p := range programs {
		want, err := oracle.Enumerate(p, b.states)
		if errors.Is(err, oracle.ErrTooLarge) {
			r.Leave(err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		small, results, index = append(small, p), append(results, want), append(index, i)
	}
	if len(small) == 0 {
		return different, nil
	}
	dir, err := os.MkdirTemp("", "concurrent")
	if err != nil {
		return nil, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	s, err := Load(ctx, dir, small)
	if err != nil {
		return nil, err
	}
	for i, want := range results {
		p, err := s.Player(ctx, i)
		if err != nil {
			return nil, err
		}
		f, err := p.Search(ctx, search.Begin(small[i], p.Machine.Names), b.runs)
		if errors.Is(err, ErrTooManyRuns) {
			r.Leave(ErrTooManyRuns.Error())
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, oracle.Describe(small[i]))
		}
		r.Runs += f.Runs
		if !f.Status.Exhausted && (small[i].Waits() || small[i].Elements) { // it may go round for ever, and symbolic elements may be given up
			r.Leave("the search is not exhausted")
			continue
		}
		if different[index[i]] = f.difference(small[i], want, search.Merges); different[index[i]] == "" {
			r.Compared++
		}
	}
	return different, nil
}

// difference is Difference, and says which branches were not taken that can be.
func (f *Found) difference(p *oracle.Program, want *oracle.Result, merges bool) string {
	what := f.Difference(want, merges)
	if p.Copies > 0 {
		return what // copies have statements in common
	}
	p.Each(func(_ int, s *oracle.Stmt) {
		if what != "" || s.Op != oracle.If {
			return
		}
		for _, then := range []bool{true, false} {
			b := oracle.Branch{Stmt: s.ID, Then: then}
			side := s.Then
			if !then {
				side = s.Else
			}
			if _, ok := want.Degree[b]; ok && !f.Covered[b] && len(side) > 0 {
				what = fmt.Sprintf("branch %v was not taken", b)
			}
		}
	})
	return what
}
