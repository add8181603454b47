package stateful

import (
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// unread is the part of a scheduler that finds out which words of memory are read after a state
// before they are overwritten. It does that beside knowledge, for the same parts of a run.
type unread struct {
	words      func() []run.PlainWord // SchedulingPoint.Words, of the present state
	spareWords []word
	blocks     map[run.ObjectID]block
	cells      int32      // number of cells in blocks
	written    bitset.Set // cells that have been overwritten in the present part
	asks       bool       // Options.ForgetUnread
	forgets    bool       // asks, as long as there are not too many cells, and it pays
	// So many runs have ended at a state that is known, spared of them at one that differs in words that are not read.
	ended, spared int
}

// A block is where the cells of an object are among those of all objects.
type block struct{ first, size int32 }

// A word is a run.PlainWord of a state.
type word struct {
	cell int32
	hash run.Fingerprint
}

// maxCells bounds the number of cells.
const maxCells = 1 << 15

// After minEnded runs that end at a known state, all words count from then on if less than one in
// minSpared of these states differs in words that are not read: to know which words are read costs
// more.
const (
	minEnded  = 128
	minSpared = 64
)

// begin makes u empty.
func (u *unread) begin(forgets bool) {
	*u = unread{blocks: map[run.ObjectID]block{}, asks: forgets, forgets: forgets}
}

// wordsOf returns the words of the present state, in the memory of spare. There are none if all of them count.
func (sc *scheduler) wordsOf(spare []word) []word {
	u, list := &sc.unread, spare[:0]
	if !u.forgets || u.words == nil {
		return list
	}
	var last run.ObjectID
	var at block
	for _, w := range u.words() {
		if w.Object != last || at.size == 0 {
			last, at = w.Object, u.blocks[w.Object]
			if at.size != w.Size { // it is new, or that of another run had the same name
				at = block{u.cells, w.Size}
				u.blocks[w.Object] = at
				u.cells += w.Size
			}
		}
		list = append(list, word{at.first + w.Offset, w.Hash})
	}
	if u.cells > maxCells {
		sc.countWords()
		return list[:0]
	}
	return list
}

// noteEnd notes that a run ends at a state that is known, and whether that differs in words that are not read.
func (sc *scheduler) noteEnd(spared bool) {
	u := &sc.unread
	u.ended++
	if spared {
		u.spared++
	}
	if u.forgets && u.ended >= minEnded && u.spared < u.ended/minSpared {
		sc.countWords()
	}
}

// countWords makes all words count from now on.
func (sc *scheduler) countWords() {
	sc.unread.forgets = false
	sc.states.countWords()
}

// eachCell calls do for each of the cells of an object, from off on, that is a word of some state.
func (u *unread) eachCell(object run.ObjectID, off, n int32, do func(cell int)) {
	at, ok := u.blocks[object]
	if !ok {
		return
	}
	for i := off; i < min(off+n, at.size); i++ {
		do(int(at.first + i))
	}
}

// note notes a step of the flow of a run, after the state of to.
func (u *unread) note(to *node, f *run.FlowStep) {
	if !u.forgets {
		return
	}
	if f.Kind == run.PlainWrite && !f.Indexed {
		u.eachCell(f.From.Object, f.From.Index, f.Cells, func(cell int) {
			u.written.Grow(cell + 1)
			u.written.Add(cell)
		})
		return
	}
	u.noteRead(to, f.From.Object, f.From.Index, f.Cells)
}

// noteRead notes that cells are read after the state of to.
func (u *unread) noteRead(to *node, object run.ObjectID, off, n int32) {
	u.eachCell(object, off, n, func(cell int) {
		if !u.written.Has(cell) {
			to.reads.Grow(cell + 1)
			to.reads.Add(cell)
		}
	})
}

// notePending notes that whether steps are possible depends on what is in the cells that they are about.
func (sc *scheduler) notePending(pending []run.Transition) {
	u := &sc.unread
	if !u.forgets || len(u.blocks) == 0 {
		return
	}
	to := sc.aheadOf(len(sc.choices) - 1)
	if to == nil {
		return
	}
	for i := range pending {
		t := &pending[i]
		switch t.Op {
		case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.TimerFire, schedule.TimePass:
			continue // what is in a channel is no word
		}
		u.noteRead(to, t.Object, t.Offset, max(t.Cells, 1))
		u.noteRead(to, t.From.Object, t.From.Offset, t.From.Cells)
		for _, r := range t.Awaits {
			u.noteRead(to, r.Object, r.Offset, max(r.Cells, 1))
		}
	}
}

// passReads adds to what is read after the last choice what is read after the state id, to which
// the run has come: all words, or some of them.
func (sc *scheduler) passReads(id *stateID, reads bitset.Set, all bool) {
	to := sc.aheadOf(len(sc.choices) - 1)
	if to == nil {
		return
	}
	for i, w := range id.words {
		if (all || reads.Has(i)) && !sc.unread.written.Has(int(w.cell)) {
			to.reads.Grow(int(w.cell) + 1)
			to.reads.Add(int(w.cell))
		}
	}
}

// completeReads is called when everything has been tried from choice n, whose state has a node.
// What has been left out since goroutines are alike reads what these read, with each other's
// objects.
func (sc *scheduler) completeReads(n int) {
	c := &sc.choices[n]
	sc.closeReads(c)
	to := sc.aheadOf(n - 1)
	if to == nil {
		return
	}
	to.reads.Grow(64 * len(c.node.reads))
	for i, cells := range c.node.reads {
		if i < len(c.written) {
			cells &^= c.written[i]
		}
		to.reads[i] |= cells
	}
}

// closeReads adds to what is read after the state of c what is read if goroutines that are alike
// have each other's places.
func (sc *scheduler) closeReads(c *choice) {
	if c.id.naming == nil || len(c.id.words) == 0 || !slices.ContainsFunc(c.circles, func(x circle) bool { return x.objects != nil }) {
		return
	}
	reads := &c.node.reads
	for changed := true; changed; {
		changed = false
		for i := range c.circles {
			for k, to := range c.circles[i].objects {
				from, other := sc.unread.blocks[c.id.naming.Objects[k]], sc.unread.blocks[c.id.naming.Objects[to]]
				for off := range min(from.size, other.size) {
					if x := int(other.first + off); reads.Has(int(from.first+off)) && !reads.Has(x) {
						reads.Grow(x + 1)
						reads.Add(x)
						changed = true
					}
				}
			}
		}
	}
}

// readsOf returns which words of a state are read after it. It is false if that is not known, so
// that all of them count.
func (sc *scheduler) readsOf(id *stateID) (bitset.Set, bool) {
	if !sc.unread.forgets || id.node == nil || len(id.words) == 0 {
		return nil, false
	}
	reads, all := bitset.New(len(id.words)), true
	for i, w := range id.words {
		if id.node.reads.Has(int(w.cell)) {
			reads.Add(i)
		} else {
			all = false
		}
	}
	return reads, !all
}

// without returns what identifies the state if only some of its words count, and those that do.
func (id *stateID) without(reads bitset.Set) run.Fingerprint {
	f := id.fingerprint
	for i, w := range id.words {
		if !reads.Has(i) {
			f[0] -= w.hash[0]
			f[1] -= w.hash[1]
		}
	}
	for i, set := range reads { // so that it is no state with other words
		h := (set + uint64(i) + 1) * 0x9e3779b97f4a7c15
		f[0] = (f[0] ^ h ^ h>>31) * 0xbf58476d1ce4e5b9
		f[1] = (f[1] + h ^ h>>29) * 0x94d049bb133111eb
	}
	return f
}

// keyOf returns a key of a set of words, in the memory of bytes.
func keyOf(bytes []byte, reads bitset.Set) []byte {
	for _, set := range reads {
		bytes = binary.LittleEndian.AppendUint64(bytes, set)
	}
	return bytes
}
