package search

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/generational"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/racing"
	"github.com/everyway-go/everyway/internal/strategy/random"
	"github.com/everyway-go/everyway/internal/strategy/registry"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

// A phase is a strategy's part in a search.
type phase struct {
	strategy strategy.Info
	seed     uint64  // added to that of the search
	runs     int     // after which the next phase begins; 0 for no bound
	until    float64 // share of the budget at which it begins in any case
	length   int     // how many steps a goroutine takes at most; 0 for no bound
	pointers bool    // it is left out if inputs have no pointers
	measured bool    // at its end it is estimated how many runs it would make in all
	longer   bool    // it may be prolonged
	patient  bool    // its runs keep goroutines waiting for up to Config.LongStall; it is left out if no timer has had to wait
}

// Strategies describes what Config.Strategy takes: the mix, and each strategy alone.
func Strategies() []strategy.Info {
	return append([]strategy.Info{mixInfo}, registry.Strategies()...)
}

// DefaultStrategy is the name of the mix.
const DefaultStrategy = "mix"

// mixInfo describes the mix. It has no New, as it is several strategies.
var mixInfo = strategy.Info{
	Name:       DefaultStrategy,
	Doc:        "random runs and the exhaustive search in turns, then stateful, generational, con2colic and the exhaustive search again",
	Proves:     hyperconcolic.Info.Proves,
	Exhaustive: true,
}

// phases returns the phases of a search.
func (c *Config) phases() ([]phase, error) {
	name := c.Strategy
	switch {
	case name == mixInfo.Name && c.Reach != nil:
		return c.deepened(reachPhases()), nil
	case name == mixInfo.Name:
		return c.deepened(mix(c.reductions())), nil
	case name == guided.Info.Name && c.Reach == nil:
		return nil, errors.New("strategy guided needs places to lead to: name them with -reach")
	}
	var names []string
	for _, info := range Strategies() {
		if info.Name == name {
			return c.deepened([]phase{{strategy: info, until: 1}}), nil
		}
		names = append(names, info.Name)
	}
	return nil, fmt.Errorf("unknown strategy %q (want one of %s)", name, strings.Join(names, ", "))
}

// The first number of steps to which a goroutine is bound when the search deepens, and the last
// one, after which there is no bound.
const (
	firstLength = 4
	lastLength  = 1 << 20
)

// deepened returns phases of which the last one, if it is the exhaustive search and its order is by
// length, is several, each with twice the length of the one before.
func (c *Config) deepened(list []phase) []phase {
	last := list[len(list)-1]
	if c.Order != strategy.ByLength || last.strategy.Name != hyperconcolic.Info.Name {
		return list
	}
	list = list[:len(list)-1]
	for length := firstLength; length <= lastLength; length *= 2 {
		ph := last
		ph.length = length
		list = append(list, ph)
	}
	return append(list, last)
}

// Random runs find some bugs first and the exhaustive search, which begins with few preemptions,
// others: in the mix the two take turns for some hundred runs, each turn twice as long as the one
// before and those of the exhaustive search four times as long as the others, so that neither waits
// long for the other. Where inputs have pointers, goroutines are tried alone after the first turn:
// most races in containers need a certain shape. Where timers have had to wait, a few random runs
// let them come earlier than others do. What is not decided then has many interleavings: most of
// them may lead to few states. Then con2colic has its time: it finds what needs few interferences,
// however many interleavings there are. The rest goes to the exhaustive search, which is what can
// end in holds. It comes second if nothing in the first run could have been otherwise
// (strategy.Forced), and after the search of states if it may come to its end then.
const (
	mixTurns             = 3
	mixFirstTurn         = 16 // random runs
	mixTurnsShare        = 0.2
	mixPatientRuns       = 8
	mixPatientShare      = 0.3
	mixRacingShare       = 0.5
	mixStatefulShare     = 0.45
	mixStatefulRuns      = 1 << 20
	mixGenerationalShare = 0.52
	mixCon2colicShare    = 0.65
	mixProlongedShare    = 0.8
	mixLongRunsShare     = 0.95 // where runs are long: those after it would make hardly any
)

// mix returns the phases of the mix.
func mix(r Reductions) []phase {
	var list []phase
	for turn := range mixTurns {
		runs := mixFirstTurn << turn
		until := mixTurnsShare * float64(turn+1) / mixTurns
		untilRandom := until
		if turn == 0 {
			untilRandom = mixTurnsShare // where a run takes long, the exhaustive search may not end its first one
		}
		list = append(list,
			phase{strategy: random.Uniform.Info(), seed: uint64(turn), runs: runs, until: untilRandom},
			phase{strategy: hyperconcolic.Info, runs: 4 * runs, until: until, measured: r.States && turn == mixTurns-1})
		if turn == 0 {
			list = append(list, phase{strategy: racing.WithGoroutines, until: mixRacingShare, pointers: true},
				phase{strategy: random.Uniform.Info(), seed: mixTurns, runs: mixPatientRuns, until: mixPatientShare, patient: true})
		}
	}
	if r.States {
		list = append(list, phase{strategy: stateful.Tentative, runs: mixStatefulRuns, until: mixStatefulShare, longer: true})
	}
	return append(list,
		phase{strategy: generational.Info, until: mixGenerationalShare},
		phase{strategy: con2colic.Info, until: mixCon2colicShare},
		phase{strategy: hyperconcolic.Info, until: 1})
}

// The stateful search goes on for longer if it is likelier to come to its end than the exhaustive
// search, which has what remains: if so many of its runs, which are so many at least, have come to
// states that are known, and if the exhaustive search would take so many times what would be left for it. Many
// states take long until most of them are known, and then it ends soon.
const (
	prolongAfter   = 100 // runs
	prolongKnown   = 2   // one in so many
	prolongBeyond  = 4
	prolongHalfway = 0.5 // of the time of the phase
)

// givesWayMargin is how much longer than estimated the exhaustive search may take: what is left
// after the stateful one has to be enough for that.
const givesWayMargin = 1.25

// mayProlong reports whether it is to be looked whether a phase that has begun then goes on for
// longer, or ends: between two of its runs, when a part of its time is over.
func (s *search) mayProlong(ph phase, began time.Time) bool {
	if !ph.longer || s.state.ProlongedTo > 0 {
		return false
	}
	return s.runsAreLong() || s.cfg.Clock.Since(began) >= time.Duration(prolongHalfway*float64(s.endOf(ph).Sub(began)))
}

// runsAreLong reports whether so few runs have been made before the present phase that the runs of
// those after it would be few, too. Those of the search of states are not: each begins where it
// differs from the one before, and ends at the next state that is known.
func (s *search) runsAreLong() bool { return s.state.Since < prolongAfter }

// prolong lets a phase go on for longer if that is better than to end it. It has made so many runs.
func (s *search) prolong(ph phase, done run.Counts) bool {
	few := done.Candidates < prolongAfter
	if few && !s.runsAreLong() || !few && done.Redundant*prolongKnown < done.Candidates || !s.isHopeless(ph) {
		return false
	}
	s.state.ProlongedTo = mixProlongedShare
	if s.runsAreLong() {
		s.state.ProlongedTo = mixLongRunsShare
	}
	return true
}

// givesWay reports whether a phase that may be prolonged ends before its time, since the exhaustive
// search, of which some turns have been made, is estimated to need more than what would be left
// after it, with a margin, and no more than what is left now.
func (s *search) givesWay(ph phase) bool {
	n := s.state.Size.runs()
	if n == 0 {
		return false
	}
	needs := float64(n-s.state.Since) * s.secondsPerRun()
	left, after := s.part(s.share)-s.cfg.Clock.Since(s.start), s.part(s.share)-s.endOf(ph).Sub(s.start)
	return needs <= left.Seconds() && givesWayMargin*needs > after.Seconds()
}

// isHopeless reports whether the exhaustive search, of which some turns have been made, would not
// come to its end by far in what is left of the budget after a phase. A turn that has not come to
// its own end leaves no estimate.
func (s *search) isHopeless(ph phase) bool {
	n := s.state.Size.runs()
	if s.state.Divided && s.state.unexplored() == 0 {
		return true // it has come to its end, and has left out runs
	}
	if n == 0 {
		return true
	}
	left := s.part(s.share) - s.endOf(ph).Sub(s.start)
	return float64(n-s.state.Stats.Runs)*s.secondsPerRun() > prolongBeyond*left.Seconds()
}

// promisingBeyond is how much longer than what is left of the budget an estimate may say that the
// exhaustive search takes, so that it comes next.
const promisingBeyond = 2

// isPromising reports whether the exhaustive search, of which some turns have been made, may come
// to its end in what is left of the budget, or near it. When the search of states has not come to
// its own, it comes next then: others would take the time from it that it needs, and it makes about
// half of all runs at least, so that they would find little that it does not.
func (s *search) isPromising() bool {
	n := s.state.Size.runs()
	left := s.part(s.share) - s.cfg.Clock.Since(s.start)
	return n > 0 && float64(n)*s.secondsPerRun() <= promisingBeyond*left.Seconds()
}

// secondsPerRun returns how long a run has taken so far, with all that belongs to it.
func (s *search) secondsPerRun() float64 {
	return s.cfg.Clock.Since(s.start).Seconds() / float64(max(s.state.Stats.Runs, 1))
}

// lastPhase returns the index of the phase in which the exhaustive search has the rest of the
// budget, or the first of several.
func (s *search) lastPhase() int {
	i := len(s.mix) - 1
	for i > 0 && s.mix[i-1].strategy.Name == s.mix[i].strategy.Name {
		i--
	}
	return i
}

// until returns the share of the budget at whose end the next phase begins in any case. When a phase has been
// prolonged, those after it share what is left as they would have shared the rest.
func (s *search) until(ph phase) float64 {
	to := s.state.ProlongedTo
	if to == 0 || ph.until < mixStatefulShare {
		return ph.until
	}
	return to + (ph.until-mixStatefulShare)*(1-to)/(1-mixStatefulShare)
}

// endOf returns when the next phase begins in any case.
func (s *search) endOf(ph phase) time.Time {
	return s.start.Add(time.Duration(float64(s.part(s.share)) * s.until(ph)))
}
