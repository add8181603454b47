package forest

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An Outcome is what a statement can do: take a side of a branch, a case of a select.
type Outcome struct {
	site run.SiteID
	op   schedule.Op
	alt  int32
}

// Outcome returns the outcome that n shows.
func (f *Forest) Outcome(n NodeID) Outcome {
	e := f.At(n)
	o := Outcome{e.Site, e.Op, e.Alt}
	if e.Op == schedule.Branch {
		o.alt = int32(e.Side)
	}
	return o
}
