package search

import (
	"fmt"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// finish computes the verdict from what was found and given up, and saves it.
func (s *search) finish() {
	r := s.result
	if !s.paused {
		s.totals()
	}
	t := s.state.total()
	switch {
	case s.failed():
		r.Verdict, r.Open = s.found(), nil
		r.Estimate = 0 // nothing more is to be done
		if r.Verdict == verdict.Possible {
			r.Bounds = t.Bounds(s.state.MaxLen, s.cfg.Stall)
		}
	case len(r.Counterexamples) > 0:
		r.Verdict = s.found()
	case t.Skipped > 0 && t.Skipped == t.Runs && (s.context == nil || s.state.Finite && len(r.Open) == 0):
		r.Verdict = verdict.Skipped
		r.Contradicting = slices.Sorted(maps.Keys(t.Refused))
	case s.state.Finite && len(r.Open) == 0:
		r.Verdict = s.nothingFound()
		r.Bounds = t.Bounds(s.state.MaxLen, s.cfg.Stall)
		if len(s.state.Visible) > 0 {
			r.Bounds = append(r.Bounds, "accesses of accepted data races that are single steps, seen by all goroutines at once")
		}
		if s.cfg.Leaks != check.LeaksNone && s.acceptsFailure() {
			r.Bounds = append(r.Bounds, "goroutines that remain after an accepted test failure, which are not looked at")
		}
	default:
		r.Verdict = verdict.Open
	}
	if r.Alone != nil && !s.paused {
		r.Alone.Settle(s.state.Finite && len(t.Open) == 0, s.racesFound())
	}
	if s.context != nil {
		if s.stands() {
			r.Assumes = s.context.Assumes
		}
		r.Notes = append(r.Notes, s.unconfirmed...)
	}
	if s.state.Ended == "" && !s.paused {
		if s.state.Finite || s.failed() {
			s.state.Ended = r.Verdict
			s.state.Frontier, s.state.Tasks, s.state.Left, s.state.Suspended = nil, nil, nil, nil // nothing is left to do
			s.restart = nil
		}
		s.save(true)
	}
	if r.Verdict == verdict.Open || len(r.Counterexamples) > 0 && !s.failed() {
		r.Open = append(r.Open, s.unfinished()...)
		if s.goal != nil && s.state.Farthest != "" {
			r.Open = append(r.Open, s.state.Farthest)
		}
		slices.Sort(r.Open)
	}
	s.summarise()
}

// acceptsFailure reports whether what a test has said of itself is accepted. The other findings of
// such a run count, but [check] does not look for leaks there.
func (s *search) acceptsFailure() bool {
	return slices.ContainsFunc(s.state.Accepted, func(f *schedule.Finding) bool { return f.Kind == string(check.TestFailure) })
}

// isFinal reports whether another search would end with the same result, whatever the time
// that it has. Failures are not kept, since a run file shows them as fast.
func (s *search) isFinal() bool {
	if len(s.result.Accepted) > 0 {
		return false // which follows from the list
	}
	switch s.result.Verdict {
	case verdict.Holds:
		return true
	case verdict.Open, verdict.Skipped:
		// Another solver may answer in time what it has not answered now.
		return s.unsupported && s.stopped == "" || s.state.Finite && s.cfg.Solver.Backend == nil
	}
	return false
}

// Why a search is open that could have gone on.
const (
	budgetSpent  = "the budget of %v is spent"
	boundReached = "the bound of %d runs is reached"
)

// unfinished says why a search that found nothing is not finite, and whether it can be
// resumed.
func (s *search) unfinished() []string {
	r := s.result
	why, spent := s.stopped, s.late
	switch {
	case s.goal != nil && why == "" && s.cfg.Strategy == guided.Info.Name:
		return nil
	case why != "" && r.Runs == 0:
		why += " before the first run ended"
	case why != "":
	case s.state.Finite && s.context != nil && len(r.Open) == 0:
		if s.goal != nil && s.goal.Kind == "" {
			return []string{"no run from there comes to the places of -reach, if what is assumed is true"}
		}
		return []string{"no run from there fails, if what is assumed is true"}
	case s.state.Finite:
		return nil
	case s.spent():
		why, spent = fmt.Sprintf(boundReached, s.cfg.Runs), true
	case len(r.Open) > 0:
		return nil
	case !slices.ContainsFunc(s.mix, func(p phase) bool { return p.strategy.Exhaustive }):
		return []string{fmt.Sprintf("strategy %s alone cannot show that a target holds", s.cfg.Strategy)}
	default:
		return []string{"the search did not come to its end"}
	}
	if s.state.Length > 0 {
		why += fmt.Sprintf(", after all runs in which no goroutine takes more than %d steps", s.state.Length)
	}
	if s.state.Divided || s.state.Suspended != nil || s.goal != nil {
		if r.Estimate > 0 && s.goal == nil {
			why += fmt.Sprintf(", after %s", r.Share())
		}
		if s.file.err != nil {
			why += fmt.Sprintf(" (and cannot be resumed: %v)", s.file.err)
		} else {
			why += "; -resume goes on"
		}
	}
	if spent {
		r.Spent = why
	}
	return []string{why}
}

// racesFound returns the positions of the data races that were found.
func (s *search) racesFound() map[[2]string]bool {
	found := make(map[[2]string]bool)
	for _, c := range s.result.Counterexamples {
		if f := c.Run.Finding; f.Kind == string(check.Race) && len(f.Others) == 1 {
			found[[2]string{f.Pos, f.Others[0].Pos}] = true
		}
	}
	return found
}
