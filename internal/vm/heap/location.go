package heap

import "github.com/everyway-go/everyway/internal/expr"

// A Location is a cell of an object; without an object it is none.
type Location struct {
	Object *Object
	Offset int
}

// Content returns what is in a cell: nothing when l is none.
func (l Location) Content() (Word, expr.ID) {
	if l.Object == nil {
		return Word{}, expr.None
	}
	sym := expr.None
	if l.Object.Sym != nil {
		sym = l.Object.Sym[l.Offset]
	}
	return l.Object.Word(l.Offset), sym
}

// Load returns the number in a cell.
func (l Location) Load() uint64 { return l.Object.Cells[l.Offset].N }

// Put stores the number v in a cell, with no symbolic value.
func (h *Heap) Put(l Location, v uint64) {
	h.Dirty(l.Object, l.Offset, 1)
	l.Object.Cells[l.Offset].N = v
	if l.Object.Sym != nil {
		l.Object.Sym[l.Offset] = 0
	}
}
