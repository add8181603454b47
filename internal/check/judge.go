package check

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Detector finds what is wrong with a run in one way.
type Detector struct {
	Kind   Kind
	Weight int    // findings of lower weight come first
	Doc    string // what the kind means, in a line

	detect func(*run.Trace) []Finding
}

// Detectors has a row for each kind of finding. The weights have what ends a program
// before what merely could, and causes before consequences.
var Detectors = [...]Detector{
	{Panic, 0, "a panic that nothing recovered", panics},
	{FatalError, 1, "misuse of a primitive that Go does not let a program recover from: unlock of an unlocked mutex", fatalErrors},
	{TestFailure, 2, "`t.Error`, `t.Fatal` and their kin", testFailures},
	{Deadlock, 3, "every goroutine is blocked for ever, and the target has not returned", deadlocks},
	{Livelock, 3, "the target has not returned, and goroutines run for ever and get nowhere: one spins, waiting for a change that no other can make any more, or the state of the whole program repeats under a schedule that gives every goroutine its turn", livelocks},
	{Race, 4, "two accesses to a variable, one of them a write, that nothing orders", races},
	{Leak, 5, "the target returned and a goroutine is blocked, or spins, for ever", leaks},
}

// Judge returns the distinct findings of a run, the gravest first.
func Judge(t *run.Trace) []Finding {
	var found []Finding
	var seen map[Key]bool
	for i := range Detectors {
		for _, f := range Detectors[i].detect(t) {
			if seen == nil {
				seen = map[Key]bool{}
			}
			if k := KeyOf(&f); !seen[k] {
				seen[k] = true
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(weight(a.Kind), weight(b.Kind)) })
	return found
}

// weight returns the weight of the findings of a kind.
func weight(k Kind) int {
	return Detectors[slices.IndexFunc(Detectors[:], func(d Detector) bool { return d.Kind == k })].Weight
}

// Find returns the finding of t with the given key, nil when there is none.
func Find(t *run.Trace, key Key) *Finding {
	fs := Judge(t)
	for i := range fs {
		if KeyOf(&fs[i]) == key {
			return &fs[i]
		}
	}
	return nil
}
