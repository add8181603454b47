package search

import "time"

// contextShare is the share of its budget that a search from the middle of a program has. The rest
// is for searches from the start, which try to show what it finds.
const contextShare = 2.0 / 3

// part returns how much of a time the search has, if it has findings to be confirmed afterwards.
func (s *search) part(of time.Duration) time.Duration {
	if s.context == nil || s.confirmsLater {
		return of
	}
	return time.Duration(float64(of) * contextShare)
}

// isConfirmed reports whether a run from the start shows something that was found from the middle of the program.
func (s *search) isConfirmed() bool { return len(s.fromStart) > 0 }

// stands reports whether a finding from the middle of the program rests on what is assumed there:
// no run from the start shows it.
func (s *search) stands() bool {
	for _, c := range s.result.Counterexamples {
		if !c.Confirms && !s.fromStart[c] {
			return true
		}
	}
	return len(s.result.Counterexamples) == 0
}
