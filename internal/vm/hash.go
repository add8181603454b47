package vm

import (
	"crypto/sha256"
	"encoding/binary"
	stdhash "hash"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// StateHash returns a hash of the state of the run: the time, the memory that can be
// reached from global variables and from the goroutines, and the positions of the
// goroutines in the code. Runs of the same plan end with the same hash, on any machine
// for the same program.
func (m *Machine) StateHash() [sha256.Size]byte {
	h := stateHash{Hash: sha256.New(), funcs: m.Funcs, seen: make(map[*heap.Object]int)}
	var globals []*heap.Object
	for _, o := range m.Globals {
		globals = append(globals, o)
	}
	slices.SortFunc(globals, func(a, b *heap.Object) int { return int(a.ID.Count - b.ID.Count) })
	for _, o := range globals {
		h.number(uint64(o.ID.Count))
		h.number(uint64(h.index(o)))
	}
	for _, g := range m.Goroutines {
		h.text(m.Names.String(g.ID))
		h.number(uint64(g.Status))
		h.number(uint64(g.WaitsSince))
		for i := range g.Frames {
			f := &g.Frames[i]
			h.text(f.Func.Name)
			h.number(uint64(f.PC))
			end := int(f.Base) + f.Func.Params
			if f.Mode == state.Called && i+1 < len(g.Frames) {
				end = min(end, int(g.Frames[i+1].Base)) // the registers of the next frame begin there
			}
			for _, w := range g.Stack[f.Base:end] {
				h.word(w)
			}
			if f.Closure != nil {
				h.number(uint64(h.index(f.Closure)))
			}
		}
	}
	h.number(uint64(m.Now))
	h.number(uint64(m.Stalled))
	h.number(uint64(len(m.Timers)))
	h.objects()
	return [sha256.Size]byte(h.Sum(nil))
}

// A stateHash numbers objects in the order in which it meets them, so that the hash does
// not depend on objects that the machine has made for its own purposes.
type stateHash struct {
	stdhash.Hash
	buf   []byte
	funcs []*state.Function
	seen  map[*heap.Object]int
	queue []*heap.Object // objects that have been numbered and not hashed yet
}

// flushSize is the size of the buffer at which it is passed to the hash.
const flushSize = 1 << 12

// number adds n to the hash.
func (h *stateHash) number(n uint64) {
	h.buf = binary.LittleEndian.AppendUint64(h.buf, n)
	if len(h.buf) >= flushSize {
		h.flush()
	}
}

// text adds s to the hash.
func (h *stateHash) text(s string) {
	h.number(uint64(len(s)))
	h.buf = append(h.buf, s...)
}

// flush passes the buffer to the hash.
func (h *stateHash) flush() {
	h.Write(h.buf) // never fails
	h.buf = h.buf[:0]
}

// index returns the number of o, and gives it one if it has none.
func (h *stateHash) index(o *heap.Object) int {
	i, ok := h.seen[o]
	if !ok {
		i = len(h.seen) + 1
		h.seen[o] = i
		h.queue = append(h.queue, o)
	}
	return i
}

// word adds a word, with the number of the object that it points to.
func (h *stateHash) word(w heap.Word) {
	h.number(w.N)
	if w.P == nil {
		h.number(0)
	} else {
		h.number(uint64(h.index(w.P)))
	}
}

// objects adds the contents of all numbered objects, and of the objects that can be
// reached from them.
func (h *stateHash) objects() {
	for len(h.queue) > 0 {
		o := h.queue[0]
		h.queue = h.queue[1:]
		h.number(uint64(o.Kind))
		if o.ID.Goroutine >= 0 || o.ID.Goroutine == run.InputObjects {
			h.number(uint64(o.ID.Goroutine))
			h.number(uint64(o.ID.Count))
		}
		if o.Kind == heap.ClosureObject {
			h.text(h.funcs[o.Func].Name)
		}
		if o.Desc != nil {
			h.text(o.Desc.String())
		}
		h.number(uint64(o.Size()))
		h.flush()
		h.Write(o.Bytes)
		for _, w := range o.Cells {
			h.word(w)
		}
	}
	h.flush()
}
