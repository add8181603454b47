package check

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Race is a pair of accesses to a variable, one of them a write, that nothing orders, or a send on
// a channel and its close.
const Race Kind = "data race"

func races(t *run.Trace) []Finding {
	var fs []Finding
	for i := range t.Unordered {
		fs = append(fs, race(&t.Unordered[i], schedule.Write, schedule.Read))
	}
	if t.Panic == nil { // which says more; the others the program has recovered from
		for i := range t.ClosedSends {
			fs = append(fs, race(&t.ClosedSends[i], schedule.Close, schedule.Send))
		}
	}
	return fs
}

// race returns the finding of two accesses, which are named as schedules do: what a write is, and what another one is.
func race(p *run.AccessPair, write, other schedule.Op) Finding {
	name := func(a *run.MemoryAccess) string {
		if a.Write {
			return write.String()
		}
		return other.String()
	}
	earlier := Finding{Kind: Race, Message: name(&p.Earlier), StackTrace: p.Earlier.StackTrace}
	return Finding{
		Kind:       Race,
		Message:    "data race: " + name(&p.Later) + " and an earlier " + earlier.Message + " are not ordered",
		StackTrace: p.Later.StackTrace,
		Others:     []Finding{earlier},
	}
}
