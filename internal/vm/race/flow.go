package race

import (
	"math"

	"github.com/everyway-go/everyway/internal/run"
)

// A noted says which accesses of a goroutine to a cell have been added to the Flow.
type noted struct {
	turn  uint32
	slot  int16
	kinds run.AccessKinds
}

// NextTurn begins a new part of the run. Accesses are added to the Flow again, as those of the part.
func (d *Detector) NextTurn() {
	if d.turn < math.MaxUint32 {
		d.turn++
	}
}

// note reports whether an access of t to a cell is the first one of its kind in the present part of the run.
func (d *Detector) note(t *Thread, c *Cell, k run.AccessKind) bool {
	is := &c.noted
	if is.turn != d.turn || is.slot != int16(t.Slot) || d.turn == math.MaxUint32 {
		*is = noted{d.turn, int16(t.Slot), k.Of()}
		return true
	}
	if is.kinds&k.Of() != 0 {
		return false
	}
	is.kinds |= k.Of()
	return true
}

// flowed returns the number of steps of the Flow.
func (d *Detector) flowed() int {
	if d.Flow == nil {
		return 0
	}
	return len(d.Flow.Steps)
}

// NoteReplaced adds to the Flow that a clock has been assigned to another one, by other means than a Thread.
func (d *Detector) NoteReplaced(to, from *Clock) {
	if d.Flow != nil {
		d.Flow.Steps = append(d.Flow.Steps, run.FlowStep{Op: run.Replaced, To: to.Of, From: from.Of})
	}
}

// NoteAccess adds to the Flow that t accesses cells of an object.
func (d *Detector) NoteAccess(t *Thread, object run.ObjectID, off, cells int, k run.AccessKind, of run.Allocation) {
	if d.Flow != nil {
		d.Flow.Steps = append(d.Flow.Steps, run.FlowStep{
			Op: run.Accessed, Kind: k, Cells: int32(cells), Of: of, To: t.Clock.Of, From: run.Holder{Object: object, Index: int32(off)},
		})
	}
}

// NoteIndexed says of the last step of the Flow, if there is one, that it is an access to one of
// its cells, at an index that depends on inputs.
func (d *Detector) NoteIndexed() {
	if n := d.flowed(); n > 0 {
		d.Flow.Steps[n-1].Indexed = true
	}
}

// NoteLost adds to the Flow an access to memory that has no name.
func (d *Detector) NoteLost() {
	if d.Flow != nil {
		d.Flow.Steps = append(d.Flow.Steps, run.FlowStep{Op: run.Lost})
	}
}
