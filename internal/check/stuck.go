package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// How messages begin that say of a goroutine that it never ends.
const (
	runsForEver  = "runs for ever"
	spinsForEver = "spins for ever"
)

// stuckHow says what a goroutine does that gets no further.
func stuckHow(s *run.Stuck, g *run.StuckGoroutine) string {
	switch {
	case s.InStep:
		return runsForEver + ": its state repeats"
	case s.Period > 0:
		return fmt.Sprintf(runsForEver+": the state repeats every %d steps under this schedule", s.Period)
	case !g.Spins:
		return "blocked for ever: " + g.For
	case g.For != "":
		return spinsForEver + " waiting for a change of " + g.For
	}
	return spinsForEver
}

// Runs reports whether the message of a finding of a stuck goroutine says that it runs.
// Otherwise it is blocked.
func Runs(message string) bool {
	_, how, _ := strings.Cut(message, "goroutine ")
	return strings.HasPrefix(how, runsForEver) || strings.HasPrefix(how, spinsForEver)
}

// getsNowhere reports whether some goroutine runs for ever.
func getsNowhere(s *run.Stuck) bool {
	return s.Repeats() || slices.ContainsFunc(s.Goroutines, func(g run.StuckGoroutine) bool { return g.Spins })
}
