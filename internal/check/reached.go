package check

import "github.com/everyway-go/everyway/internal/run"

// Reached is a state in which goroutines are at the places that the search was to reach.
const Reached Kind = "reached"

func reached(t *run.Trace) []Finding {
	if t.Reached == nil {
		return nil
	}
	f := Finding{Kind: Reached, Message: "reached"}
	for i, at := range t.Reached.Goroutines {
		if i == 0 {
			f.StackTrace = at
			continue
		}
		f.Others = append(f.Others, Finding{Kind: Reached, Message: "reached", StackTrace: at})
	}
	return []Finding{f}
}
