package forest

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An Outcome is something that a place in the code can do: a side of a branch, a
// case of a select.
type Outcome struct {
	site run.SiteID
	op   schedule.Op
	alt  int32
}

// outcomeOf returns the outcome that n is.
func (f *Forest) Outcome(n NodeID) Outcome {
	e := f.At(n)
	o := Outcome{e.Site, e.Op, e.Alt}
	if e.Op == schedule.Branch {
		o.alt = int32(e.Side)
	}
	return o
}
