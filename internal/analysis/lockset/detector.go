package lockset

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/cells"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Info describes the detector.
var Info = analysis.Info{
	Name:      "lockset",
	Doc:       "accesses that no common lock protects, whatever else orders them",
	Certainty: analysis.Suspected,
	New:       newDetector,
}

// maxAccesses is how many accesses to a cell are kept.
const maxAccesses = 64

// A detector implements analysis.Detector.
type detector struct {
	report func(*analysis.Finding)
	state  *schedule.State
	sets   [][]held // by number; the first is empty
	number map[string]int32
	cells  cells.Table[[]access]
	key    []byte
	locks  []held
}

// A held is a lock that is held, for reading or writing.
type held struct {
	cell   schedule.Cell
	shared bool
}

// An access is an access to a cell, with the set of locks that are held.
type access struct {
	goroutine schedule.GoroutineID
	locks     int32
	op        schedule.Op
	location  schedule.LocationID
	order     int64
	index     int64
}

func newDetector(c analysis.Config) analysis.Detector {
	return &detector{
		report: c.Report, state: c.State,
		sets: make([][]held, 1), number: map[string]int32{"": 0},
	}
}

// Event implements analysis.Detector.
func (d *detector) Event(_ context.Context, e *schedule.Event) error {
	if !dependence.IsAccess(e.Op) {
		return nil
	}
	now := access{e.Goroutine, d.held(e.Goroutine), e.Op, e.Location, e.Order, e.Index}
	at := d.cells.Use(e.Cell())
	list := *at
	known := false
	for i, a := range list {
		if a.goroutine == now.goroutine {
			known = known || a.locks == now.locks && a.op == now.op && a.location == now.location
			continue
		}
		if conflict(a.op, now.op) && !d.protected(a.locks, now.locks) {
			d.report(&analysis.Finding{
				Kind:      analysis.DataRace,
				Certainty: analysis.Suspected,
				Sites:     []analysis.Site{list[i].site(e.Cell()), analysis.SiteOf(e)},
			})
		}
	}
	if known {
		return nil
	}
	if len(list) == maxAccesses {
		list = slices.Delete(list, 0, 1)
	}
	*at = append(list, now)
	return nil
}

// Finish implements analysis.Detector.
func (d *detector) Finish(context.Context) error { return nil }

func (a *access) site(c schedule.Cell) analysis.Site {
	return analysis.Site{Order: a.order, Op: a.op, Goroutine: a.goroutine, Index: a.index, Cell: c, Location: a.location}
}

// conflict reports whether accesses can race.
func conflict(a, b schedule.Op) bool {
	return (a.IsPlain() || b.IsPlain()) && (dependence.IsWrite(a) || dependence.IsWrite(b))
}

// held returns the number of the set of locks that a goroutine holds.
func (d *detector) held(g schedule.GoroutineID) int32 {
	list := d.state.Goroutine(g).Held
	if len(list) == 0 {
		return 0
	}
	d.locks, d.key = d.locks[:0], d.key[:0]
	for _, h := range list {
		d.locks = append(d.locks, held{h.Cell, h.Shared})
	}
	slices.SortFunc(d.locks, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.cell.Object, b.cell.Object), cmp.Compare(a.cell.Offset, b.cell.Offset))
	})
	for _, h := range d.locks {
		d.key = binary.AppendVarint(binary.AppendVarint(d.key, int64(h.cell.Object)), h.cell.Offset)
		if h.shared {
			d.key = append(d.key, 1)
		} else {
			d.key = append(d.key, 0)
		}
	}
	n, ok := d.number[string(d.key)]
	if !ok {
		n = int32(len(d.sets))
		d.sets = append(d.sets, slices.Clone(d.locks))
		d.number[string(d.key)] = n
	}
	return n
}

// protected reports whether two sets have a lock in common that excludes one from the other.
func (d *detector) protected(a, b int32) bool {
	for _, x := range d.sets[a] {
		for _, y := range d.sets[b] {
			if x.cell == y.cell && !(x.shared && y.shared) {
				return true
			}
		}
	}
	return false
}
