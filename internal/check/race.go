package check

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Race is a pair of accesses to a variable, one of them a write, that nothing orders.
const Race Kind = "data race"

func races(t *run.Trace) []Finding {
	var fs []Finding
	for i := range t.Unordered {
		p := &t.Unordered[i]
		earlier := Finding{Kind: Race, Message: access(p.Earlier), StackTrace: p.Earlier.StackTrace}
		fs = append(fs, Finding{
			Kind:       Race,
			Message:    "data race: " + access(p.Later) + " and an earlier " + earlier.Message + " are not ordered",
			StackTrace: p.Later.StackTrace,
			Others:     []Finding{earlier},
		})
	}
	return fs
}

// access names an access as schedules do.
func access(a run.MemoryAccess) string {
	if a.Write {
		return schedule.Write.String()
	}
	return schedule.Read.String()
}
