package con2colic

import (
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// A cause is something on which it depends that a scenario is not realizable, and that an
// extension may change: a read that takes its value from its own goroutine, or an operation
// that is blocked.
type cause struct {
	node nodeID
	part int32 // of the read, or ownSend, or otherCases
}

const (
	// ownSend as the part of a cause says that a receive takes the first of what its own
	// goroutine has sent, which another receive takes too: it has to take another.
	ownSend = -1
	// otherCases as the part of a cause says that another case of the select is ready, so
	// that it does not wait for a partner in this one.
	otherCases = -2
)

// locsOf returns the locations of the events that may change c.
func (f *forest) locsOf(c cause) []locID {
	e := f.at(c.node)
	if e.op != schedule.SelectDefault && c.part != otherCases {
		if e.cells == 0 {
			return nil
		}
		return []locID{f.partsOf(c.node)[max(c.part, 0)].loc}
	}
	var locs []locID
	for n := f.at(e.parent).first; n != 0; n = f.at(n).sibling {
		if l := f.at(n).loc; l != 0 && f.at(n).selects && !slices.Contains(locs, l) {
			locs = append(locs, l)
		}
	}
	return locs
}
