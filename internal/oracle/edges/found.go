package edges

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// errTooMany is returned for a search that takes too many runs, or makes one that is too long.
var errTooMany = errors.New("too many runs, or too long")

// timeCut is why searches may differ: which of the timers fire that are set when the target has returned.
const timeCut = "time ends soon after the target has returned"

// A found is what a search has found.
type found struct {
	outcomes map[string]bool
	races    map[[2]run.SiteID]bool
	branches []uint64
	status   []string // why the search does not say that it has tried everything
	runs     int
	cut      bool // timers that were set after the target had returned did not all fire
}

// note adds what a run shows.
func (f *found) note(trace *run.Trace) {
	for i := range trace.Unordered {
		a, b := trace.Unordered[i].Earlier.Innermost(), trace.Unordered[i].Later.Innermost()
		if less(b, a) {
			a, b = b, a
		}
		f.races[[2]run.SiteID{a, b}] = true
	}
	for len(f.branches) < len(trace.Covered) {
		f.branches = append(f.branches, 0)
	}
	for i, w := range trace.Covered {
		f.branches[i] |= w
	}
	f.cut = f.cut || trace.TimeCut
	// A run in which the order of additions matters leaves out sends that a close could come
	// before: the search begins again.
	if trace.Outcome != run.Stopped && !trace.AddsMatter {
		f.outcomes[outcome(trace)] = true
	}
}

func less(a, b run.SiteID) bool {
	return a.Func < b.Func || a.Func == b.Func && a.Instr < b.Instr
}

// outcome describes how a run has ended.
func outcome(trace *run.Trace) string {
	var parts []string
	add := func(what string, message string, at ...run.StackTrace) {
		var sites []string
		for i := range at {
			sites = append(sites, fmt.Sprint(at[i].Site))
		}
		slices.Sort(sites)
		message, _, _ = strings.Cut(message, "\n")
		parts = append(parts, fmt.Sprint(what, message, sites))
	}
	if t := trace.Panic; t != nil {
		add("panic", t.Message, t.StackTrace)
	}
	if t := trace.FatalError; t != nil {
		add("fatal error", t.Message, t.StackTrace)
	}
	if t := trace.Stuck; t != nil {
		var at []run.StackTrace
		for i := range t.Goroutines {
			at = append(at, t.Goroutines[i].StackTrace)
		}
		add(fmt.Sprint("stuck", t.Returned, t.Repeats(), t.Partial), "", at...)
	}
	for i := range trace.ClosedSends {
		add("closed send", "", trace.ClosedSends[i].Earlier.StackTrace, trace.ClosedSends[i].Later.StackTrace)
	}
	return fmt.Sprint(trace.Outcome, parts)
}

// difference says how two searches differ, "" if they do not.
func (f *found) difference(m *vm.Machine, g *found) string {
	if a, b := slices.Sorted(maps.Keys(f.outcomes)), slices.Sorted(maps.Keys(g.outcomes)); !slices.Equal(a, b) {
		return fmt.Sprintf("outcomes\n\t%s\nand\n\t%s", strings.Join(a, "\n\t"), strings.Join(b, "\n\t"))
	}
	if !maps.Equal(f.races, g.races) {
		return fmt.Sprintf("races %s and %s", f.describeRaces(m), g.describeRaces(m))
	}
	if !slices.Equal(f.branches, g.branches) {
		return fmt.Sprintf("branches %x and %x", f.branches, g.branches)
	}
	return ""
}

// isWithin reports whether g has found all that f has found.
func (f *found) isWithin(g *found) bool {
	for o := range f.outcomes {
		if !g.outcomes[o] {
			return false
		}
	}
	for pair := range f.races {
		if !g.races[pair] {
			return false
		}
	}
	return true
}

// describeRaces lists the races by their places.
func (f *found) describeRaces(m *vm.Machine) []string {
	var list []string
	for pair := range f.races {
		var at []string
		for _, s := range pair {
			fn, pos := m.Site(s)
			at = append(at, fmt.Sprint(fn, " ", pos))
		}
		list = append(list, strings.Join(at, " with "))
	}
	slices.Sort(list)
	return list
}

// search lets a strategy search the program.
func search(ctx context.Context, m *vm.Machine, st strategy.Strategy) (*found, error) {
	f := &found{outcomes: map[string]bool{}, races: map[[2]run.SiteID]bool{}}
	for {
		job, err := st.Next(ctx)
		if err != nil {
			return nil, err
		}
		if job == nil {
			if s := st.Status(); !s.Exhausted {
				f.status = append(s.Open, "the search has given something up")
			} else if f.cut {
				f.status = []string{timeCut}
			}
			return f, nil
		}
		if f.runs++; f.runs > maxRuns {
			return nil, errTooMany
		}
		trace, err := m.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return nil, err
		}
		f.note(trace)
		if trace.Outcome == run.Bounded {
			return nil, errTooMany // it has gone round too often
		}
		if err := st.Learn(ctx, job, trace, m.Arena); err != nil {
			return nil, err
		}
	}
}
