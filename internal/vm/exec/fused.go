package exec

import (
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// numberAt returns the number in the cell at p+c. The result ok is false if the simple case does
// not apply and the instruction has to be carried out in full, as it has while accesses are
// watched: to ask for the owner here makes all runs slower.
func (m *Interpreter) numberAt(p heap.Word, c int32) (n uint64, ok bool) {
	off := int(p.N) + int(c)
	if p.P == nil || uint(off) >= uint(len(p.P.Cells)) || p.P.Sym != nil || m.Watching {
		return 0, false
	}
	w := &p.P.Cells[off]
	return w.N, w.P == nil
}

// elementAt is numberAt for element i of the slice at base with n elements, which the instruction
// before pc reads. It asks for the owner.
func (m *Interpreter) elementAt(g *state.Goroutine, f *state.Frame, base heap.Word, n, i uint64, pc int) (v uint64, ok bool) {
	off := base.N + i
	if i >= n || base.P.Sym != nil || m.Watching && !m.Races.OwnRead(&g.Thread, base.P.Race, int(off), f.Chain, int32(pc)-1) {
		return 0, false
	}
	if off < uint64(len(base.P.Cells)) {
		w := &base.P.Cells[off]
		return w.N, w.P == nil
	}
	if off < uint64(len(base.P.Bytes)) {
		return uint64(base.P.Bytes[off]), true
	}
	return 0, false
}
