package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/schedule"
)

// unknown returns a function that returns the first of the findings of a run of w that counts and
// is not known, nil if there is none.
func (s *search) unknown(w *worker.Worker) func([]check.Finding) *check.Finding {
	return func(found []check.Finding) *check.Finding {
		found = s.counting(w, found)
		for i := range found {
			if !s.isKnown(w, &found[i]) {
				return &found[i]
			}
		}
		return nil
	}
}

// isKnown reports whether a finding of w is known: whether one at the
// same source lines was reported. A race is not if its accesses, of which a line may have
// several, have not become visible.
func (s *search) isKnown(w *worker.Worker, f *check.Finding) bool {
	if len(s.lines)+len(s.acceptedLines) == 0 {
		return false
	}
	recorded := w.RecordFinding(f)
	if s.accepted.Match(recorded) != nil {
		return s.acceptedLines.has(recorded)
	}
	return s.lines.has(recorded) && (f.Kind != check.Race || s.shows(w, f) || s.alarms.has(recorded))
}

// counting removes from the findings of a run of w what a test says of itself after it has failed:
// with what it said first, the output of the run has that, too. What is accepted is no failure. A
// failure that says nothing new counts if all before it are accepted, those of subtests, or of all
// tests if it is an exit, as well.
func (s *search) counting(w *worker.Worker, found []check.Finding) []check.Finding {
	failed := map[string]bool{}
	return slices.DeleteFunc(found, func(f check.Finding) bool {
		if f.Kind != check.TestFailure {
			return false
		}
		again := failed[f.Test] || f.Again && hasFailed(failed, f.Test)
		failed[f.Test] = again || s.accepted.Match(w.RecordFinding(&f)) == nil
		return again
	})
}

// hasFailed reports whether a subtest of a test has failed, or any test if that is not named.
func hasFailed(failed map[string]bool, test string) bool {
	for name, is := range failed {
		if is && (test == "" || strings.HasPrefix(name, test+"/")) {
			return true
		}
	}
	return false
}

// shows reports whether the accesses of a race found by w are visible.
func (s *search) shows(w *worker.Worker, race *check.Finding) bool {
	for f := range race.All() {
		if !slices.Contains(s.state.Visible, w.Place(f.Innermost())) {
			return false
		}
	}
	return true
}

// knownLines are the source lines of findings.
type knownLines map[string]bool

// add adds a finding.
func (k knownLines) add(f *schedule.Finding) {
	for _, name := range lineNames(f) {
		k[name] = true
	}
}

// has reports whether findings that were added have all lines of f.
func (k knownLines) has(f *schedule.Finding) bool {
	for _, name := range lineNames(f) {
		if !k[name] {
			return false
		}
	}
	return true
}

// lineNames names a finding by its kind and source lines. Goroutines that remain have a name
// each: which of them remain together in a run is no other bug.
func lineNames(f *schedule.Finding) []string {
	if !check.Of(check.Kind(f.Kind)).AfterReturn {
		return []string{sourceLines(f)}
	}
	var names []string
	for one := range f.All() {
		names = append(names, sourceLine(one))
	}
	return names
}

// sourceLines names a finding by its kind and source lines. It does not matter which of the
// accesses of a race came first.
func sourceLines(f *schedule.Finding) string {
	var lines []string
	for one := range f.All() {
		lines = append(lines, sourceLine(one))
	}
	if check.Of(check.Kind(f.Kind)).Symmetric {
		slices.Sort(lines)
	}
	return strings.Join(lines, ";")
}

// sourceLine names one place of a finding.
func sourceLine(f *schedule.Finding) string {
	return fmt.Sprintf("%s %s", f.Kind, f.Pos[:max(0, strings.LastIndexByte(f.Pos, ':'))])
}
