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

// causes returns everything that an extension of the scenario may change: all local reads,
// and all operations that others can enable.
func (v *view) causes() []cause {
	var causes []cause
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			e := v.f.at(n)
			for k := range e.cells {
				if reads(e.op) && v.s.source(n, k) == 0 {
					causes = append(causes, cause{n, k})
					if e.op == schedule.Recv {
						causes = append(causes, cause{n, ownSend})
					}
				}
			}
			if waits(e.op) {
				causes = append(causes, cause{node: n})
			}
		}
	}
	return causes
}
