package con2colic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An outcome is something that a place in the code can do: a side of a branch, a
// case of a select.
type outcome struct {
	site run.SiteID
	op   schedule.Op
	alt  int32
}

// outcomeOf returns the outcome that n is.
func (f *forest) outcomeOf(n nodeID) outcome {
	e := f.at(n)
	o := outcome{e.site, e.op, e.alt}
	if e.op == schedule.Branch {
		o.alt = int32(e.side)
	}
	return o
}
