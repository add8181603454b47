package heap

import "github.com/everyway-go/everyway/internal/expr"

// A Location identifies a cell of an object. The zero Location identifies none.
type Location struct {
	Object *Object
	Offset int
}

// Content returns the word and the symbolic value in the cell; both are zero for the zero
// Location.
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

// Load returns the number in the cell.
func (l Location) Load() uint64 { return l.Object.Cells[l.Offset].N }

// Put stores the number v in a cell and makes it concrete.
func (h *Heap) Put(l Location, v uint64) {
	h.Dirty(l.Object, l.Offset, 1)
	l.Object.Cells[l.Offset].N = v
	if l.Object.Sym != nil {
		l.Object.Sym[l.Offset] = 0
	}
}
