package narrative

import (
	"path"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// historyFunc is the function with which the generated tests of everyway linear start the
// goroutines whose calls make a history.
const historyFunc = ".linearGoroutine"

// isOfHistory reports whether the calls of a goroutine make a history.
func isOfHistory(g *schedule.Origin) bool { return strings.HasSuffix(g.Func, historyFunc) }

// historyOf returns the goroutines whose calls make a history, if the finding of a run is about
// one: it is not about one of them.
func historyOf(r *schedule.Run) map[string]bool {
	f := r.Finding
	if f == nil || len(r.Options.Generated) == 0 || len(f.Others) > 0 {
		return nil
	}
	found := make(map[string]bool)
	for i := range r.Goroutines {
		if g := &r.Goroutines[i]; isOfHistory(g) {
			found[g.Name] = true
		}
	}
	if found[f.Goroutine] {
		return nil
	}
	return found
}

// untilHistory returns a run up to the last event of the goroutines of its history. What comes
// after it are the same calls, each made alone, with which the history is compared.
func untilHistory(r *schedule.Run, goroutines map[string]bool) *schedule.Run {
	for i := len(r.Events) - 1; i >= 0; i-- {
		if goroutines[r.Events[i].Goroutine] {
			until := *r
			until.Events = r.Events[:i+1]
			return &until
		}
	}
	return r
}

// withoutDriver returns a run in which events of code that only drives what is tested are about nothing.
func withoutDriver(r *schedule.Run) *schedule.Run {
	drivers := driverFiles(r)
	if len(drivers) == 0 {
		return r
	}
	without := *r
	without.Events = slices.Clone(r.Events)
	for i := range without.Events {
		e := &without.Events[i]
		if drivers[fileOf(e.Pos)] {
			e.Object, e.From = nil, nil
		}
	}
	return &without
}

// driverFiles returns the base names of the files of a run that only drive what is tested.
func driverFiles(r *schedule.Run) map[string]bool {
	drivers := make(map[string]bool)
	for _, f := range r.Options.Generated {
		if f.Driver {
			drivers[path.Base(f.Name)] = true
		}
	}
	return drivers
}

// fileOf returns the base name of the file of a position.
func fileOf(pos string) string {
	file, _, _ := strings.Cut(path.Base(pos), ":")
	return file
}
