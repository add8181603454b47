package check

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Key identifies a finding across the runs of a search: two findings with
// equal keys are the same bug. Messages are not part of it, as they hold values
// that differ from input to input.
type Key struct {
	Kind        run.FindingKind
	Site, Other run.SiteID
}

// KeyOf returns the key of a finding. The two accesses of a race are ordered,
// so that it does not matter which of them came first.
func KeyOf(f *run.Finding) Key {
	k := Key{Kind: f.Kind, Site: f.Site}
	if f.Other == nil {
		return k
	}
	k.Other = f.Other.Site
	if f.Kind == run.Race && compareSites(k.Other, k.Site) < 0 {
		k.Site, k.Other = k.Other, k.Site
	}
	return k
}

func compareSites(a, b run.SiteID) int {
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Instr, b.Instr))
}

// weight orders kinds of findings: what ends a program before what merely
// could, causes before consequences.
var weight = map[run.FindingKind]int{
	run.Panic:       0,
	run.FatalError:  1,
	run.TestFailure: 2,
	run.Deadlock:    3,
	run.Race:        4,
	run.Livelock:    3,
	run.Leak:        5,
}

// Findings returns the distinct findings of a trace, the gravest first. The
// goroutines that leak are one finding, each behind the other. A leak is not
// reported beside a failure that ended the target early, since the failure
// explains it.
func Findings(t *run.Trace) []*run.Finding {
	var fs, leaks []*run.Finding
	seen := map[Key]bool{}
	graver := false
	for i := range t.Findings {
		f := &t.Findings[i]
		graver = graver || f.Kind == run.Panic || f.Kind == run.FatalError || f.Kind == run.TestFailure
		switch k := KeyOf(f); {
		case f.Kind == run.Leak:
			leak := *f
			leaks = append(leaks, &leak)
		case !seen[k]:
			seen[k] = true
			fs = append(fs, f)
		}
	}
	if len(leaks) > 0 && !graver {
		for i := range leaks[1:] {
			leaks[i].Other = leaks[i+1]
		}
		fs = append(fs, leaks[0])
	}
	slices.SortStableFunc(fs, func(a, b *run.Finding) int { return cmp.Compare(weight[a.Kind], weight[b.Kind]) })
	return fs
}

// Find returns the finding of t with the given key, nil when there is none.
func Find(t *run.Trace, key Key) *run.Finding {
	for _, f := range Findings(t) {
		if KeyOf(f) == key {
			return f
		}
	}
	return nil
}
