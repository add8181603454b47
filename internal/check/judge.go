package check

import (
	"cmp"
	"fmt"
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

// InitError adds to an error of booting a machine what went wrong in the initialisers of
// the program, by the trace that comes with the error. Other errors come without a trace, and
// stay as they are.
func InitError(err error, t *run.Trace) error {
	if err == nil || t == nil || t.Message != "" { // which the error has already
		return err
	}
	if found := Judge(t); len(found) > 0 {
		return fmt.Errorf("%w: %s", err, found[0].Message)
	}
	return err
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
