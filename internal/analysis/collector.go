package analysis

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// A Collector collects the findings of detectors. Those of one detector and kind, at the same
// places in the program, are one finding.
type Collector struct {
	byPlace map[string]*Finding
	list    []*Finding
	dropped int64
}

// maxFindings is how many different findings a Collector keeps.
const maxFindings = 1 << 12

// Add adds a finding.
func (c *Collector) Add(f *Finding) {
	key := placeOf(f)
	if first := c.byPlace[key]; first != nil {
		times := first.Times + 1
		if f.Certainty > first.Certainty {
			*first = *f // with its witness
		}
		first.Times = times
		return
	}
	if len(c.list) == maxFindings {
		c.dropped++
		return
	}
	if c.byPlace == nil {
		c.byPlace = make(map[string]*Finding)
	}
	f.Times = 1
	c.byPlace[key] = f
	c.list = append(c.list, f)
}

// placeOf returns a text that findings at the same places have in common. Where the place in
// the program is not known, it is the cell and the goroutine.
func placeOf(f *Finding) string {
	parts := make([]place, len(f.Sites))
	for i, s := range f.Sites {
		if parts[i] = (place{location: s.Location, op: s.Op}); s.Location == 0 {
			parts[i].cell, parts[i].goroutine = s.Cell, s.Goroutine
		}
	}
	slices.SortFunc(parts, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.location, b.location), cmp.Compare(a.op, b.op), cmp.Compare(a.cell.Object, b.cell.Object), cmp.Compare(a.cell.Offset, b.cell.Offset),
			cmp.Compare(a.goroutine, b.goroutine))
	})
	key := []byte(f.Detector + "\x00" + f.Kind)
	for _, p := range parts {
		for _, n := range [...]int64{int64(p.location), int64(p.op), int64(p.cell.Object), p.cell.Offset, int64(p.goroutine)} {
			for range 8 {
				key = append(key, byte(n))
				n >>= 8
			}
		}
	}
	return string(key)
}

type place struct {
	location schedule.LocationID
	op       schedule.Op

	// Of those without a location.

	cell      schedule.Cell
	goroutine schedule.GoroutineID
}

// Findings returns the findings in the order of the schedule, and how many were not kept
// because there were too many.
func (c *Collector) Findings() (list []*Finding, dropped int64) {
	slices.SortStableFunc(c.list, func(a, b *Finding) int {
		return cmp.Compare(a.Sites[len(a.Sites)-1].Order, b.Sites[len(b.Sites)-1].Order)
	})
	return c.list, c.dropped
}
