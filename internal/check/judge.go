package check

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Judgement says which findings make a target fail.
type Judgement struct {
	// Program says that the target is a main function. A program ends with its main
	// goroutine, whatever the others wait for.
	Program bool
	Leaks   Leaks // which of the goroutines that remain when the target has returned
}

// Findings returns the distinct findings of a run, the gravest first.
func (j Judgement) Findings(t *run.Trace) []Finding {
	return detected(t, func(d *Detector) bool {
		return !d.AfterReturn || !j.Program && j.Leaks.fails(d)
	})
}

// Notes returns what remains when the target has returned and is no finding.
func (j Judgement) Notes(t *run.Trace) []Finding {
	return detected(t, func(d *Detector) bool {
		return d.AfterReturn && !j.Program && !j.Leaks.fails(d)
	})
}

// Judge returns the findings of a run of a test, by the zero Judgement.
func Judge(t *run.Trace) []Finding { return Judgement{}.Findings(t) }

// all returns the findings of a run by all detectors.
func all(t *run.Trace) []Finding { return Judgement{Leaks: LeaksAll}.Findings(t) }

// detected returns what the detectors find that are wanted.
func detected(t *run.Trace, wanted func(*Detector) bool) []Finding {
	var found []Finding
	var seen map[Key]bool
	for i := range Detectors {
		d := &Detectors[i]
		if !wanted(d) {
			continue
		}
		for _, f := range d.detect(t) {
			if seen == nil {
				seen = map[Key]bool{}
			}
			if k := KeyOf(&f); !seen[k] {
				seen[k] = true
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(Of(a.Kind).Weight, Of(b.Kind).Weight) })
	return found
}

// Find returns the finding of t that is the one with the given key, nil when there is none.
func Find(t *run.Trace, key Key) *Finding {
	fs := all(t)
	for i := range fs {
		if KeyOf(&fs[i]).Shows(key) {
			return &fs[i]
		}
	}
	return nil
}
