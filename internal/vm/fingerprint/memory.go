package fingerprint

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// memory is the part of a Printer that concerns memory. Objects that were made before the first
// checkpoint are known by what has changed in them, so they are not followed. The others are
// members of a marking once they have been reached.
type memory struct {
	mark      uint32                // of those that have been reached
	savedMark uint32                // of those that were made before the first checkpoint and have been saved since
	queue     []named               // objects that have been reached and not been added
	hidden    map[*heap.Object]name // of hidden objects made since the first checkpoint
	oldHidden map[*heap.Object]name // of the others, by a number in the order in which the Printer has seen them
	later     []heap.Location       // changed cells of hidden objects
	pointers  []heap.Location       // changed cells that name what they point to
	entries   []entry               // of sortEntries
	pages     map[*heap.Object][]page
	timers    []*state.Timer // in the order in which they name what they point to
	// If objects do not keep their names, these are their names now: the order in which they have been
	// reached.
	numbers map[run.ObjectID]int32
	objects []run.ObjectID
}

// A name identifies an object.
type name hash

// A named is an object with its name.
type named struct {
	*heap.Object
	name
}

// An entry is the place of an entry of a map, with what stands for its key.
type entry struct {
	place  int
	sketch hash
}

// beginMemory prepares p for a fingerprint.
func (p *Printer) beginMemory() {
	p.savedMark, p.mark = p.Heap.NewMarking(), p.Heap.NewMarking()
	p.queue = p.queue[:0]
	p.beginWords()
	p.later = p.later[:0]
	p.objects = p.objects[:0]
	if p.hidden == nil {
		p.hidden, p.oldHidden = make(map[*heap.Object]name), make(map[*heap.Object]name)
		p.numbers = make(map[run.ObjectID]int32)
	}
	if len(p.numbers) > 0 {
		clear(p.numbers)
	}
	if len(p.hidden) > 0 {
		clear(p.hidden)
	}
	p.Heap.EachSaved(p.begin, func(o *heap.Object) {
		o.Marking = p.savedMark
		if o.ID.Goroutine == run.HiddenObjects {
			p.numberHidden(o)
		}
	})
}

// numberHidden returns the name of a hidden object that was made before the first checkpoint.
func (p *Printer) numberHidden(o *heap.Object) name {
	n, known := p.oldHidden[o]
	if !known {
		n = name{uint64(tagOldHidden), uint64(len(p.oldHidden))}
		p.oldHidden[o] = n
	}
	return n
}

// nameOf returns the name of an object to which cell at of the object with the name from points,
// or something that is named so. The object counts as reached.
func (p *Printer) nameOf(o *heap.Object, from name, at uint64) name {
	switch {
	case o.Kind == heap.ViewObject: // has the identity of its base, and is made when it is needed
		h := begin(tagView)
		h.addInt(int(o.Type.ID))
		h.add(o.Cells[0].N)
		h.addHash(hash(p.nameOf(o.Cells[0].P, from, at)))
		return name(h.sum())
	case p.sketches:
		return p.sketchOf(o)
	case o.ID.Goroutine == run.HiddenObjects:
		return p.nameOfHidden(o, from, at)
	case p.isOld(o):
		return nameOfID(o.ID)
	}
	if p.tracing {
		p.noteEdge(o)
	}
	if o.Marking == p.mark {
		return p.nameByID(o.ID)
	}
	o.Marking = p.mark
	n := nameOfID(o.ID)
	if p.renames && !p.keepsName(o) {
		k := int32(len(p.objects))
		p.objects = append(p.objects, o.ID)
		p.numbers[o.ID] = k
		n = nameOfNumber(k)
	}
	p.queue = append(p.queue, named{o, n})
	return n
}

// isOld reports whether an object was made before the first checkpoint.
func (p *Printer) isOld(o *heap.Object) bool { return o.Before(p.begin) || o.Marking == p.savedMark }

// nameOfID returns the name of an object that keeps its name.
func nameOfID(id run.ObjectID) name {
	return name{uint64(uint32(id.Goroutine))<<32 | uint64(uint32(id.Count)), 0}
}

// nameOfNumber returns the name of the object that has been reached as number k.
func nameOfNumber(k int32) name { return name{uint64(k), uint64(tagNumber)} }

// nameByID returns the name of an object that has been named, or keeps its name.
func (p *Printer) nameByID(id run.ObjectID) name {
	if p.renames {
		if k, ok := p.numbers[id]; ok {
			return nameOfNumber(k)
		}
	}
	return nameOfID(id)
}

// isUnnamed reports whether an object will be named when nameOf is called for it.
func (p *Printer) isUnnamed(o *heap.Object) bool {
	if o.Kind == heap.ViewObject {
		o = o.Cells[0].P
	}
	return o.Marking != p.mark && !p.isOld(o)
}

// nameOfHidden is nameOf for a hidden object.
func (p *Printer) nameOfHidden(o *heap.Object, from name, at uint64) name {
	if p.isOld(o) {
		return p.numberHidden(o)
	}
	if p.tracing {
		p.noteEdge(o)
	}
	if n, known := p.hidden[o]; known {
		return n
	}
	h := begin(tagHidden)
	h.addHash(hash(from))
	h.add(at)
	n := name(h.sum())
	o.Marking = p.mark
	p.hidden[o] = n
	p.queue = append(p.queue, named{o, n})
	return n
}

// addWord appends to h a word with its symbolic value, which is in cell at of what has the name
// from.
func (p *Printer) addWord(h *hash, w heap.Word, sym expr.ID, from name, at uint64) {
	if sym != expr.None {
		p.addExpr(h, sym)
		if w.P == nil {
			return
		}
		p.fixed = true // the expression has the addresses of objects in it
	}
	if w.P != nil {
		p.addPointer(h, w.P, from, at)
	}
	h.add(w.N)
}

// addPointer appends to h a pointer to o, which may be nil.
func (p *Printer) addPointer(h *hash, o *heap.Object, from name, at uint64) {
	if o == nil {
		h.add(0)
		return
	}
	h.add(uint64(tagPointer))
	h.addHash(hash(p.nameOf(o, from, at)))
}

// addObjects adds the objects that have been reached, and those that they reach.
func (p *Printer) addObjects() {
	for n := len(p.queue); n > 0; n = len(p.queue) {
		o := p.queue[n-1]
		p.queue = p.queue[:n-1]
		if p.tracing {
			p.source = p.nodeOf(o.Object)
		}
		p.addObject(o)
	}
}

// addObject adds an object that was made since the first checkpoint.
func (p *Printer) addObject(o named) {
	h := begin(tagObject)
	h.addHash(hash(o.name))
	h.addInt(int(o.Kind))
	if o.Type != nil {
		h.addInt(int(o.Type.ID))
	} else {
		h.addInt(-1)
	}
	h.addInt(int(o.Func))
	h.addInt(o.Size())
	switch {
	case o.Kind == heap.MapObject && isSet(o.Object):
		p.addMap(&h, o)
	case o.Kind == heap.IteratorObject && p.addIterator(&h, o):
	case p.keepsApart(o.Object):
		p.addApart(&h, o)
	case o.Sym != nil:
		for i := range o.Size() {
			if !p.isQueueNumber(o.Object, i) {
				p.addWord(&h, o.Word(i), o.Sym[i], o.name, uint64(i))
			}
		}
	case o.Bytes != nil:
		h.addBytes(o.Bytes)
	case o.Size() > heap.PageSize && o.Kind != heap.ChanObject:
		p.addPages(&h, o)
	default:
		for i := range o.Cells {
			if !p.isQueueNumber(o.Object, i) {
				p.addWord(&h, o.Cells[i], expr.None, o.name, uint64(i))
			}
		}
	}
	p.all.add(h)
}

// isSet reports whether the entries of a map count as a set. The order in which they were made shows where a
// key is compared with symbolic ones.
func isSet(o *heap.Object) bool { return o.Cells[maptable.Symbolic].N == 0 }

// addMap appends to h the entries of a map that was made since the first checkpoint. Iterations for which it
// counts in which order they were made refer to the table themselves.
func (p *Printer) addMap(h *hash, o named) {
	h.add(o.Cells[maptable.Count].N)
	h.add(o.Cells[maptable.Cleared].N)
	table, w := o.Cells[maptable.Entries].P, maptable.Stride(o.Type)
	at := uint64(0)
	for _, place := range p.sortEntries(o.Object) {
		for i := place*w + 1; i < (place+1)*w; i++ {
			sym := expr.None
			if table.Sym != nil {
				sym = table.Sym[i]
			}
			p.addWord(h, table.Cells[i], sym, o.name, at)
			at++
		}
	}
}

// addIterator appends to h an iteration over a map. It returns false if the iteration counts as it is.
func (p *Printer) addIterator(h *hash, o named) bool {
	m := maptable.MapOf(o.Object)
	of, added, ok := maptable.Standings(o.Object)
	if !ok || p.isOld(m) || !isSet(m) {
		return false
	}
	p.addPointer(h, m, o.name, 0)
	h.add(added)
	for _, place := range p.sortEntries(m) {
		h.addInt(int(of(place)))
	}
	return true
}

// sortEntries returns the places of the entries of a map in an order that only depends on their keys, as far as
// these can be told apart while objects have no names.
func (p *Printer) sortEntries(o *heap.Object) []int {
	p.entries = p.entries[:0]
	maptable.EachPlace(o, func(place int) {
		p.entries = append(p.entries, entry{place, p.sketchOfKey(o, place)})
	})
	slices.SortStableFunc(p.entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.sketch.a, y.sketch.a), cmp.Compare(x.sketch.b, y.sketch.b))
	})
	places := make([]int, len(p.entries))
	for i := range p.entries {
		places[i] = p.entries[i].place
	}
	return places
}

// sketchOfKey returns what stands for the key of an entry of a map while objects have no names.
func (p *Printer) sketchOfKey(o *heap.Object, place int) hash {
	table, at := o.Cells[maptable.Entries].P, place*maptable.Stride(o.Type)
	key := table.Cells[at+1 : at+1+o.Type.Key.Words]
	h := begin(tagCell)
	if hasTextOnly(o.Type.Key, key) {
		h.add(table.Cells[at].N) // the hash of what it consists of
		return h.sum()
	}
	for _, w := range key {
		if w.P != nil {
			h.addHash(hash(p.sketchOf(w.P)))
		}
		h.add(w.N)
	}
	return h.sum()
}

// hasTextOnly reports whether a key of type t consists of numbers and strings, so that its hash names no object.
func hasTextOnly(t *code.Type, key []heap.Word) bool {
	if t.Shape == code.ShapeInterface {
		return key[0].P != nil && isText(key[0].P.Desc)
	}
	return isText(t)
}

// isText reports whether all values of type t consist of numbers and strings.
func isText(t *code.Type) bool {
	switch t.Shape {
	case code.ShapeString:
		return true
	case code.ShapeArray:
		return isText(t.Elem)
	case code.ShapeStruct:
		return !slices.ContainsFunc(t.Fields, func(f code.Field) bool { return !isText(f.Type) })
	}
	return t.Words == 1 && t.Kinds[0] != code.Pointer
}

// addChanges adds the changes of objects that were made before the first checkpoint. Where objects
// are named after what has reached them first, the order of changes must make no difference for that:
// cells that name what they point to come last, sorted, and after them those of hidden objects.
func (p *Printer) addChanges() {
	p.pointers = p.pointers[:0]
	p.Heap.EachChanged(p.begin, func(o *heap.Object, off int) {
		l := heap.Location{Object: o, Offset: off}
		switch {
		case p.isQueueNumber(o, off):
		case o.ID.Goroutine == run.HiddenObjects:
			p.later = append(p.later, l)
		case p.renames && p.names(l):
			p.pointers = append(p.pointers, l)
		default:
			p.addCell(l)
		}
	})
	slices.SortFunc(p.pointers, func(a, b heap.Location) int {
		x, y := a.Object.ID, b.Object.ID
		return cmp.Or(cmp.Compare(x.Goroutine, y.Goroutine), cmp.Compare(x.Count, y.Count), cmp.Compare(a.Offset, b.Offset))
	})
	p.addCells(p.pointers)
	p.addObjects()
	if p.renames {
		p.sortHidden()
	}
	p.addCells(p.later)
	p.addObjects()
}

// isQueueNumber reports whether a cell has the number of a queue, which depends on the order of
// goroutines: what counts of it where names do not is with the queues.
func (p *Printer) isQueueNumber(o *heap.Object, off int) bool {
	return p.renames && o.Kind == heap.ChanObject && off == state.ChanQueue
}

// names reports whether a cell points to an object that has no name yet.
func (p *Printer) names(l heap.Location) bool {
	w, _ := l.Content()
	return w.P != nil && p.isUnnamed(w.P)
}

// sortHidden sorts the changed cells of hidden objects that name what they point to, after the others.
func (p *Printer) sortHidden() {
	p.pointers = p.pointers[:0]
	rest := p.later[:0]
	for _, l := range p.later {
		if p.names(l) {
			p.pointers = append(p.pointers, l)
		} else {
			rest = append(rest, l)
		}
	}
	slices.SortFunc(p.pointers, func(a, b heap.Location) int {
		return cmp.Or(cmp.Compare(p.numberHidden(a.Object).b, p.numberHidden(b.Object).b), cmp.Compare(a.Offset, b.Offset))
	})
	p.later = append(rest, p.pointers...)
}

// addCells adds cells that have changed.
func (p *Printer) addCells(list []heap.Location) {
	for _, l := range list {
		p.addCell(l)
	}
}

// addCell adds a cell that has changed.
func (p *Printer) addCell(l heap.Location) {
	p.source = p.everybody()
	h := begin(tagCell)
	n := p.nameOf(l.Object, name{}, 0)
	h.addHash(hash(n))
	h.addInt(l.Offset)
	word, sym := l.Content()
	p.addWord(&h, word, sym, n, uint64(l.Offset))
	p.all.add(h)
}

// addPools adds the pools that a collection would change, when all else has been added. Of one that only the collector
// still knows it counts that there is one, and not what is in it, if nothing there can be reached in another way: no
// goroutine will come to it again, and nothing in it will ever have a finalizer, a cleanup or a weak pointer, since
// a state that has one has no fingerprint. So whether a collection keeps it makes no difference.
func (p *Printer) addPools() {
	from := name{uint64(tagRun), 0}
	for _, pools := range [...]struct {
		list []heap.Word
		at   uint64
	}{{p.Pools, atPools}, {p.OldPools, atOldPools}} {
		h := begin(tagPools)
		h.add(pools.at)
		h.addInt(len(pools.list))
		p.all.add(h)
		counted := make([]bool, len(pools.list))
		for i := p.nextPool(pools.list, counted); i >= 0; i = p.nextPool(pools.list, counted) {
			counted[i] = true
			at := pools.at + uint64(i)
			p.source = p.everybody()
			h := begin(tagPools)
			h.add(at)
			p.addWord(&h, pools.list[i], expr.None, from, at)
			p.all.add(h)
			p.addObjects() // which may reach what is in others
		}
	}
}

// nextPool returns the index of the first pool in a list that counts and is not counted yet, and -1 if there is none.
func (p *Printer) nextPool(list []heap.Word, counted []bool) int {
	for i := range list {
		if !counted[i] && !p.isSeparate(list[i].P) {
			return i
		}
	}
	return -1
}

// isSeparate reports whether neither an object nor anything that it reaches has been reached, or may be. Types and
// functions without variables do not count: they have no finalizers, and all who use them share them.
func (p *Printer) isSeparate(o *heap.Object) bool {
	queue, queued := []*heap.Object{o}, map[*heap.Object]bool{o: true}
	for i := 0; i < len(queue); i++ {
		o := queue[i]
		switch {
		case o.Kind == heap.TypeObject, o.Kind == heap.ClosureObject && len(o.Cells) == 0:
			continue
		case o.Kind == heap.HostObject, o.Kind == heap.WeakObject, o.Sym != nil, p.isReached(o):
			return false
		}
		for k := range o.Cells {
			if next := o.Cells[k].P; next != nil && !queued[next] {
				queued[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true
}

// A page is what is known of a page of a large object without pointers in it: its hash, while it has the version.
type page struct {
	version uint32
	known   bool
	hash    hash
}

// maxPaged bounds the number of objects whose pages are known.
const maxPaged = 1 << 12

// addPages appends to h the words of a large object, page by page. Those that have not changed are
// not gone through again.
func (p *Printer) addPages(h *hash, o named) {
	pages := p.pages[o.Object]
	if n := (o.Size() + heap.PageSize - 1) / heap.PageSize; len(pages) != n {
		if p.pages == nil || len(p.pages) >= maxPaged {
			p.pages = map[*heap.Object][]page{}
		}
		pages = make([]page, n)
		p.pages[o.Object] = pages
	}
	for i := range pages {
		x := &pages[i]
		version, settled := p.Heap.Version(o.Object, i)
		if !settled || !x.known || x.version != version {
			*x = page{version: version}
			x.hash, x.known = p.hashPage(o, i)
			x.known = x.known && settled
		}
		h.addHash(x.hash)
	}
}

// hashPage returns the hash of the words in page i of an object, and whether there is no pointer among them.
func (p *Printer) hashPage(o named, i int) (hash, bool) {
	one := begin(tagObject)
	plain := true
	for k := i * heap.PageSize; k < min((i+1)*heap.PageSize, len(o.Cells)); k++ {
		plain = plain && o.Cells[k].P == nil
		p.addWord(&one, o.Cells[k], expr.None, o.name, uint64(k))
	}
	return one.sum(), plain
}

// words is the part of a Printer that keeps the words apart that whoever asks may leave out of a
// fingerprint: see Words in doc.go.
type words struct {
	plain   []run.PlainWord
	layout  hash // of the objects that have them, in order
	ordered bool // plain is in order
}

// beginWords prepares p for a fingerprint.
func (p *Printer) beginWords() { p.plain, p.layout, p.ordered = p.plain[:0], begin(tagWord), false }

// endWords adds the order of the words, if it is that in which objects are named.
func (p *Printer) endWords() {
	if p.renames && len(p.plain) > 0 {
		p.all.add(p.layout)
		p.ordered = true
	}
}

// Words implements run.SchedulingPoint.Words for the state of the last fingerprint.
func (p *Printer) Words() []run.PlainWord {
	if !p.ordered {
		slices.SortFunc(p.plain, func(a, b run.PlainWord) int {
			return cmp.Or(cmp.Compare(a.Object.Goroutine, b.Object.Goroutine), cmp.Compare(a.Object.Count, b.Object.Count),
				cmp.Compare(a.Offset, b.Offset))
		})
		p.ordered = true
	}
	return p.plain
}

// keepsApart reports whether an object that was made since the first checkpoint may have words that
// are kept apart: it is a variable or an array to which goroutines have written. What an interface
// holds has never been written to, and is read without an access. Large objects are left alone.
func (p *Printer) keepsApart(o *heap.Object) bool {
	return p.Plan.ForgetUnread && (o.Kind == heap.Variable || o.Kind == heap.Array) && o.Bytes == nil &&
		o.Type != nil && o.Size() <= heap.PageSize &&
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

// isSynchronised reports whether locks or other primitives, or atomic operations, have used a cell
// of an object that has a shadow.
func (p *Printer) isSynchronised(o *heap.Object, off int) bool {
	c := o.Race.Seen(off)
	return c != nil && c.Synchronised()
}
