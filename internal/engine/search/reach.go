package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
)

// errSought says why a search from places, or one that confirms what such a search has found, is not saved.
var errSought = errors.New("searches with -at are not saved")

// A Reach says what the searches of some targets are to reach.
type Reach struct {
	Kind  reach.Kind             // look for that where static analysis warns of it; empty if there are places
	Fail  bool                   // a target in which the places are reached fails
	Given []string               // what was given to say so, under which a search is saved; empty for one that is not
	goals map[string]*reach.Goal // by targetID

	mu       sync.Mutex // of analyses: they take much memory, and begin when a search does
	binaries map[string]*analysed
}

// An analysed is a test binary whose targets are analysed together.
type analysed struct {
	targets []*load.Target
	left    int // number of these that have no goal yet: then the analysis is not needed any more
	of      *reach.Analysis
	err     error
	late    string // why they are not analysed: it took too long
}

// share says which targets are to be searched: those of one test binary are analysed together.
func (r *Reach) share(targets []load.Target) {
	if r == nil || r.Kind == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.binaries = make(map[string]*analysed)
	for i := range targets {
		name := targets[i].Package.Binary()
		b := r.binaries[name]
		if b == nil {
			b = &analysed{}
			r.binaries[name] = b
		}
		b.targets = append(b.targets, &targets[i])
		b.left++
	}
}

// saved returns what a search of a target is saved under: what is to be reached and, if suspects
// are looked for, the targets that are analysed together.
func (r *Reach) saved(target *load.Target) []string {
	if r == nil || len(r.Given) == 0 {
		return nil
	}
	list := slices.Clone(r.Given)
	if r.Kind == "" {
		return list
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if b := r.binaries[target.Package.Binary()]; b != nil {
		for _, t := range b.targets {
			list = append(list, targetID(t))
		}
	}
	return list
}

// setSuspects makes the goal of a search that looks for a kind of findings, if it has just begun.
// The analysis of the target, and of those that are analysed with it, has as much time as the
// searches of these have, which is none of theirs: after that, nothing is suspected.
func (s *search) setSuspects(ctx context.Context, prog *program.Program, target *load.Target) error {
	r := s.cfg.Reach
	if r == nil || r.Kind == "" || s.goal != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.binaries[target.Package.Binary()]
	if b == nil {
		b = &analysed{targets: []*load.Target{target}, left: 1}
	}
	within := s.cfg.Budget
	if n := time.Duration(len(b.targets)); within < math.MaxInt64/n {
		within *= n
	}
	limited, cancel := s.cfg.Clock.WithTimeout(ctx, within)
	defer cancel()
	late := func(err error) string {
		if err == nil || limited.Err() == nil || ctx.Err() != nil {
			return ""
		}
		return fmt.Sprintf("the static analysis was not done within %v", within)
	}
	if b.of == nil && b.err == nil {
		b.of, b.err = reach.Analyse(limited, prog, b.targets...)
		b.late = late(b.err)
	}
	why, err := b.late, b.err
	if err == nil {
		s.goal, err = b.of.Goal(limited, target, r.Kind)
		why = late(err)
	}
	if why != "" {
		s.goal, err = reach.WithoutSuspects(prog, target, r.Kind, why), nil
	}
	if b.left--; b.left == 0 {
		b.of = nil
	}
	if err == nil {
		for _, found := range s.result.Counterexamples { // by the search that is resumed
			s.goal.Found(found.Run.Finding)
		}
	}
	return err
}

// Add sets the goal of the search of a target.
func (r *Reach) Add(target *load.Target, goal *reach.Goal) {
	if r.goals == nil {
		r.goals = make(map[string]*reach.Goal)
	}
	r.goals[targetID(target)] = goal
}

// of returns the goal of a target, nil if there is none.
func (r *Reach) of(target *load.Target) *reach.Goal {
	if r == nil {
		return nil
	}
	return r.goals[targetID(target)]
}

// targetID names a target in the program, which may have two of one name.
func targetID(t *load.Target) string { return t.Package.Path + "." + t.Name }

// The mix begins with a few runs of the exhaustive search: where there are few runs, they show at
// once that there is no way, which the guided search cannot. That has at most half of the budget
// then, and the exhaustive search has the rest.
const (
	mixReachRuns   = 256
	mixReachShare  = 0.1
	mixGuidedShare = 0.5
)

// reachPhases returns the phases of a search for a place by the mix.
func reachPhases() []phase {
	return []phase{
		{strategy: hyperconcolic.Info, runs: mixReachRuns, until: mixReachShare},
		{strategy: guided.Info, until: mixGuidedShare},
		{strategy: hyperconcolic.Info, until: 1},
	}
}

// isDecided reports whether the static analysis has decided that the target cannot reach what the
// search is to reach, and notes why.
func (s *search) isDecided() bool {
	if s.goal == nil || s.goal.Unreachable == "" {
		return false
	}
	s.state.Finite = true
	for _, missed := range s.goal.Missed {
		s.state.Stats.GiveUp(s.goal.Unreachable + ", as far as the static analysis knows: " + missed)
	}
	if len(s.goal.Missed) == 0 {
		s.state.Stats.Note(s.goal.Unreachable)
	}
	return true
}

// found is the verdict of a search that has found what it looks for, and nothingFound of one that
// has shown that there is no such run.
func (s *search) found() verdict.Verdict {
	switch {
	case s.context != nil && s.goal == nil && !s.stands() && !s.isConfirmed():
		return verdict.Reached // where the goroutines of a dump are
	case s.context != nil && !s.cfg.PossibleFails && !s.isConfirmed():
		return verdict.Possible
	case s.goal != nil && s.goal.Kind == "" && !s.cfg.Reach.Fail:
		return verdict.Reached
	}
	return verdict.Fails
}

func (s *search) nothingFound() verdict.Verdict {
	switch {
	case s.context != nil:
		return verdict.Open // what is assumed is not shown
	case s.goal != nil:
		return verdict.Unreachable
	}
	return verdict.Holds
}

// sought removes from the findings of a run, if the search is to reach a place, what is wrong with
// it otherwise. That is a note of the result.
func (s *search) sought(found []check.Finding) []check.Finding {
	if s.goal == nil {
		return found
	}
	var rest []check.Finding
	for i := range found {
		if check.Of(found[i].Kind).Sought ||
			s.goal.Kind != "" && s.goal.Kind.Finds(found[i].Kind) && s.goal.Seeks(s.worker.RecordFinding(&found[i])) {
			rest = append(rest, found[i])
			continue
		}
		key := check.KeyOf(&found[i])
		if s.keys[key] {
			continue
		}
		s.keys[key] = true
		recorded := s.worker.RecordFinding(&found[i])
		if !s.lines.has(recorded) {
			s.lines.add(recorded)
			s.state.Stats.Note("on the way: " + lineOf(recorded))
		}
	}
	return rest
}

// foundAll reports whether a search that is to reach something is done with that: with the first
// run that comes to its places, or when all suspects have led to findings.
func (s *search) foundAll() bool { return s.goal.Kind == "" || s.goal.AllFound() }

// summarise notes what has become of the suspects.
func (s *search) summarise() {
	if s.goal == nil || s.goal.Kind == "" {
		return
	}
	excluded := s.result.Verdict == verdict.Unreachable || s.result.Verdict == verdict.Fails && s.state.Finite && len(s.result.Open) == 0
	s.result.Suspects = s.goal.Summary(s.state.Met, excluded)
}
