package check

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

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
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(Of(a.Kind).Weight, Of(b.Kind).Weight) })
	return found
}

// JudgeProgram is Judge for a run of a main function. A program ends with its main
// goroutine, whatever the others wait for.
func JudgeProgram(t *run.Trace) []Finding {
	return slices.DeleteFunc(Judge(t), func(f Finding) bool { return Of(f.Kind).AfterReturn })
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
