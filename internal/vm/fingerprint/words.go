package fingerprint

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// words is the part of a Printer that keeps the words apart that whoever asks may leave out of a fingerprint: see Words in doc.go.
type words struct {
	plain  []run.PlainWord
	layout hash // of the objects that have them, in order
}

// beginWords prepares p for a fingerprint.
func (p *Printer) beginWords() { p.plain, p.layout = p.plain[:0], begin(tagWord) }

// endWords puts the words in an order, and adds it.
func (p *Printer) endWords() {
	if len(p.plain) == 0 {
		return
	}
	if p.renames { // the order is that in which objects are named
		p.all.add(p.layout)
		return
	}
	slices.SortFunc(p.plain, func(a, b run.PlainWord) int {
		return cmp.Or(cmp.Compare(a.Object.Goroutine, b.Object.Goroutine), cmp.Compare(a.Object.Count, b.Object.Count), cmp.Compare(a.Offset, b.Offset))
	})
}

// Words implements run.SchedulingPoint.Words for the state of the last fingerprint.
func (p *Printer) Words() []run.PlainWord { return p.plain }

// keepsApart reports whether an object that was made since the first checkpoint may have words that are kept apart: it is a variable or an array to which goroutines have
// written. What an interface holds has never been written to, and is read without an access. Large objects are left alone.
func (p *Printer) keepsApart(o *heap.Object) bool {
	return p.Plan.ForgetUnread && (o.Kind == heap.Variable || o.Kind == heap.Array) && o.Bytes == nil && o.Type != nil && o.Size() <= heap.PageSize &&
		o.ID.Goroutine != run.HiddenObjects && p.Races.Knows(o.Race) && !o.Race.Writers.Empty()
}

// addApart appends to h the words of an object that are not kept apart, and says which others are.
func (p *Printer) addApart(h *hash, o named) {
	before := len(p.plain)
	for i := range o.Cells {
		w, sym := &o.Cells[i], expr.None
		if o.Sym != nil {
			sym = o.Sym[i]
		}
		if k := o.CellKind(i); sym != expr.None || w.P != nil || k == code.NoKind || k >= code.Pointer || p.isSynchronised(o.Object, i) {
			p.addWord(h, *w, sym, o.name, uint64(i))
			continue
		}
		h.add(uint64(tagWord))
		one := begin(tagWord)
		one.addHash(hash(o.name))
		one.addInt(i)
		one.add(w.N)
		p.all.add(one)
		one = one.sum()
		p.plain = append(p.plain, run.PlainWord{Object: o.ID, Offset: int32(i), Size: int32(o.Size()), Hash: run.Fingerprint{one.a, one.b}})
	}
	if n := len(p.plain) - before; n > 0 {
		p.layout.addHash(hash(o.name))
		p.layout.addInt(n)
	}
}

// isSynchronised reports whether locks or other primitives, or atomic operations, have used a cell of an object that has a shadow.
func (p *Printer) isSynchronised(o *heap.Object, off int) bool {
	c := o.Race.Seen(off)
	return c != nil && c.Synchronised()
}
