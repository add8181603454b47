package forest

import (
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// A Cause is a reason for which a scenario is not realizable and that an extension may
// remove: a read that takes its value from its own goroutine, or an operation that is
// blocked.
type Cause struct {
	Node NodeID
	Part int32 // of the read, or OwnSend, or OtherCases
}

const (
	// OwnSend as the Part of a Cause says that a receive takes the first element that its
	// own goroutine has sent, which another receive takes too: it has to take another.
	OwnSend = -1
	// OtherCases as the Part of a Cause says that another case of the select is ready, so
	// that the select does not wait for a partner in this one.
	OtherCases = -2
)

// LocationsOf returns the locations of the events that may remove c.
func (f *Forest) LocationsOf(c Cause) []LocID {
	e := f.At(c.Node)
	if e.Op != schedule.SelectDefault && c.Part != OtherCases {
		if e.Cells == 0 {
			return nil
		}
		return []LocID{f.Parts(c.Node)[max(c.Part, 0)].Loc}
	}
	var locs []LocID
	for n := f.At(e.Parent).FirstChild; n != 0; n = f.At(n).NextSibling {
		if l := f.At(n).Loc; l != 0 && f.At(n).Select && !slices.Contains(locs, l) {
			locs = append(locs, l)
		}
	}
	return locs
}
