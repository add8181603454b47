package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/stateful/accesses"
)

// knowledge is the part of a scheduler that finds out which accesses to memory come after a state,
// and from whose clocks in that state those who make them have learned something by then.
//
// A run is divided by the choices whose states have fingerprints. In each part, it starts with everybody knowing
// only what they know themselves, and follows the Flow of the run. What comes after a later choice is
// translated to the earlier one when everything has been tried from the later one.
type knowledge struct {
	table   *accesses.Table
	at      int                        // number of steps of the Flow that have been looked at
	origins map[int32]accesses.Origins // of the holders whose clocks have changed in the present part
	seen    map[seenAccess]struct{}    // in the present part
	// kinds says of cells of objects that have been allocated alike how they have been accessed.
	kinds   map[run.Allocation]kinds
	matters map[accessed]bool // what is known to matter, or not to
	// late says that accesses have been left out that matter: the search begins again.
	late bool
	// lost says that something cannot be represented: the search begins again, with states that say what is known.
	lost bool
}

// A seenAccess is an access in a part of a run.
type seenAccess struct {
	by, object, off, cells int32
	kind                   run.AccessKind
}

// maxAhead bounds the size of the set of a state.
const maxAhead = 1 << 14

// A node is a state with the accesses that can come after it.
type node struct {
	goroutines []run.NamedGoroutine // of the state
	set        accesses.Set
	reads      bitset.Set // the cells that are read after it before they are overwritten
}

// kinds are what is known of accesses to some cells. Of later accesses only those count that would
// race with an earlier one that somebody did not know of in some state that the search has come to.
// As long as there is none, nothing needs to be known of the later ones. When the first one comes,
// and a later one has been left out, the search begins again.
//
// The elements of an array would make the search begin again one by one, as it comes to them. So if
// it has to for two cells of what has been allocated alike, all of these cells count from then on.
type kinds struct {
	race run.AccessKinds // of accesses that would race with earlier ones
	left run.AccessKinds // of the accesses that have been left out
	came run.AccessKinds // of the accesses that have come, left out or not
	out  run.AccessKinds // of accesses that would race with earlier ones of which it is not known who knows of them
	late run.AccessKinds // of an object as a whole: those that had been left out when an access to one of the cells showed that they matter
}

// begin makes k empty. What it knows of the kinds of accesses remains.
func (k *knowledge) begin() {
	was := k.kinds
	*k = knowledge{table: accesses.NewTable(), kinds: map[run.Allocation]kinds{}, matters: map[accessed]bool{}}
	for of, x := range was {
		k.kinds[of] = kinds{race: x.race, late: x.late, came: x.came}
	}
}

// An accessed says how cells are accessed, as far as it decides whether that matters.
type accessed struct {
	of    run.Allocation // of the first cell
	cells int32
	kind  run.AccessKind
}

// doesMatter reports whether an access may race with earlier ones.
func (k *knowledge) doesMatter(f *run.FlowStep) bool {
	a := accessed{f.Of, f.Cells, f.Kind}
	m, ok := k.matters[a]
	if !ok {
		m = k.decide(a)
		k.matters[a] = m
	}
	return m
}

// decide is doesMatter for accesses of which that is not known. It notes those that are left out.
func (k *knowledge) decide(a accessed) bool {
	kind := a.kind.Of()
	first := min(a.of.Cell, distinctCells)
	n := min(a.cells, distinctCells+1-first)
	of, matters := a.of, false
	come := func() {
		x := k.kinds[of]
		matters = matters || x.race&kind != 0
		k.late = k.late || x.out&kind != 0
		if x.came&kind == 0 {
			x.came |= kind
			k.kinds[of] = x
		}
	}
	leave := func() {
		if x := k.kinds[of]; x.left&kind == 0 {
			x.left |= kind
			k.kinds[of] = x
		}
	}
	for i := range n {
		of.Cell = first + i
		come()
	}
	of.Cell = wholeObject
	come()
	if matters {
		return true
	}
	leave()
	for i := range n {
		of.Cell = first + i
		leave()
	}
	return false
}

// wants says what counts of accesses of a kind that a run has made before a state. As long as no
// access has come that would race with one of them, it does not count who knows of which: when the
// first one comes, the search begins again.
func (k *knowledge) wants(of run.Allocation, kind run.AccessKind) run.Interest {
	of.Cell = min(of.Cell, distinctCells)
	x, r := k.kinds[of], kind.Races()
	if x.came&r != 0 {
		return run.Listed
	}
	if x.out&r != r {
		x.out |= r
		k.kinds[of] = x
	}
	if x.race&r == r {
		return run.Ignored
	}
	return run.Once
}

// wholeObject is the Cell of an Allocation that stands for an object as a whole. In that of a cell
// it is 1 + the offset.
const wholeObject = 0

// distinctCells is the largest Cell of an Allocation in kinds: the cells after it count as the same.
const distinctCells = run.DistinctCells

// note notes with which later accesses those would race that have been made in a state.
func (k *knowledge) note(known *run.Knowledge) {
	for i := range known.Accesses {
		k.noteEarlier(known.Accesses[i].Of, known.Accesses[i].Kind)
	}
	for i := range known.Once {
		k.noteEarlier(known.Once[i].Of, known.Once[i].Kind)
	}
}

// noteEarlier notes that an access of a kind has been made of which not all know.
func (k *knowledge) noteEarlier(of run.Allocation, kind run.AccessKind) {
	of.Cell = min(of.Cell, distinctCells)
	x := k.kinds[of]
	if r := kind.Races(); x.race&r != r {
		x.race |= r
		k.kinds[of] = x
		clear(k.matters)
		if x.left&r != 0 {
			k.late = true
			k.noteLate(of, x.left&r)
		}
	}
}

// noteLate notes that accesses of some kinds to a cell have been left out that matter.
func (k *knowledge) noteLate(of run.Allocation, left run.AccessKinds) {
	if of.Cell == wholeObject {
		return
	}
	of.Cell = wholeObject
	x := k.kinds[of]
	x.race |= x.late & left
	x.late |= left
	k.kinds[of] = x
}

// restart begins a part of the run, after so many steps of its Flow.
func (k *knowledge) restart(at int) {
	k.at, k.origins = at, map[int32]accesses.Origins{}
	if k.seen == nil {
		k.seen = map[seenAccess]struct{}{}
	}
	clear(k.seen)
}

// restartPart begins a part of the run, after so many steps of its Flow.
func (sc *scheduler) restartPart(at int) {
	sc.knowledge.restart(at)
	sc.unread.written = nil
}

// stateOf returns the index of the last choice, up to n, whose state has a fingerprint, -1 if there is none.
func (sc *scheduler) stateOf(n int) int {
	for n >= 0 && sc.choices[n].node == nil {
		n--
	}
	return n
}

// aheadOf returns where the accesses after choice n are noted, nil if they need not be. If the
// state of the choice has no fingerprint, that is with the last one that has one.
func (sc *scheduler) aheadOf(n int) *node {
	if n = sc.stateOf(n); n < 0 {
		return nil
	}
	return sc.choices[n].node
}

// advance looks at what the run has done since it was called last.
func (sc *scheduler) advance(flow *run.Flow) {
	k := &sc.knowledge
	to := sc.aheadOf(len(sc.choices) - 1)
	if to == nil {
		k.at = len(flow.Steps)
		return
	}
	for ; k.at < len(flow.Steps); k.at++ {
		switch f := &flow.Steps[k.at]; f.Op {
		case run.Joined:
			if from := sc.originsOf(to, f.From); f.To.Kind != run.NoHolder {
				k.origins[k.table.Holder(f.To)] = accesses.Union(sc.originsOf(to, f.To), from)
			}
		case run.Replaced:
			if f.To.Kind != run.NoHolder {
				k.origins[k.table.Holder(f.To)] = sc.originsOf(to, f.From)
			}
		case run.Accessed:
			sc.unread.note(to, f)
			if !sc.existed(to, f.From.Object) {
				continue
			}
			if !k.doesMatter(f) {
				continue
			}
			a := seenAccess{k.table.Holder(f.To), k.table.Object(f.From.Object), f.From.Index, f.Cells, f.Kind}
			if _, ok := k.seen[a]; ok {
				continue // what its goroutine has learned since then does not count
			}
			k.seen[a] = struct{}{}
			k.table.Add(&to.set, sc.originsOf(to, f.To), a.object, a.off, a.cells, a.kind)
		default:
			k.lost = true
		}
	}
	k.lost = k.lost || to.set.Size() > maxAhead
}

// originsOf returns the origins of what a holder knows now, in terms of the state of to.
func (sc *scheduler) originsOf(to *node, h run.Holder) accesses.Origins {
	if h.Kind == run.NoHolder {
		return accesses.Origins{}
	}
	n := sc.table.Holder(h)
	if o, ok := sc.knowledge.origins[n]; ok {
		return o
	}
	return sc.originsBefore(to, n)
}

// originsBefore returns the origins of a holder whose clock has not changed since the state of to.
func (sc *scheduler) originsBefore(to *node, holder int32) accesses.Origins {
	switch h := sc.table.HolderOf(holder); {
	case !h.HasGoroutine() && !sc.existed(to, h.Object), h.HasGoroutine() && !sc.hadStarted(to, h.Object.Goroutine):
		return accesses.Origins{}
	case h.Kind == run.TimerHolder:
		if i := indexOf(to.goroutines, h.Object.Goroutine); i >= 0 && h.Index >= to.goroutines[i].Timers {
			return accesses.Origins{}
		}
	}
	return accesses.One(holder)
}

// indexOf returns the index of a goroutine in a list, -1 if it is not in there.
func indexOf(list []run.NamedGoroutine, g int32) int {
	return slices.IndexFunc(list, func(x run.NamedGoroutine) bool { return x.Number == g })
}

// existed reports whether an object may have been made before the state of to.
func (sc *scheduler) existed(to *node, id run.ObjectID) bool {
	if id.Goroutine < 0 {
		return true
	}
	if i := indexOf(to.goroutines, id.Goroutine); i >= 0 {
		return id.Count <= to.goroutines[i].Allocs
	}
	return sc.hadStarted(to, id.Goroutine)
}

// hadStarted reports whether a goroutine may have been started before the state of to.
func (sc *scheduler) hadStarted(to *node, g int32) bool {
	for {
		if indexOf(to.goroutines, g) >= 0 {
			return true
		}
		parent := sc.names.Parent(g)
		if parent < 0 {
			return true
		}
		if i := indexOf(to.goroutines, parent); i >= 0 {
			return sc.names.Place(g) <= to.goroutines[i].Spawns
		}
		g = parent
	}
}

// through adds to the accesses after one state those after a later one.
func (sc *scheduler) through(to *node, set *accesses.Set, origins map[int32]accesses.Origins) {
	sc.table.Through(&to.set, set, func(h int32) accesses.Origins {
		if o, ok := origins[h]; ok {
			return o
		}
		return sc.originsBefore(to, h)
	}, func(object int32) bool { return sc.existed(to, sc.table.ObjectOf(object)) })
	sc.lost = sc.lost || to.set.Size() > maxAhead
}

// passAhead adds the accesses after the state to which the run has come to those after the last choice.
func (sc *scheduler) passAhead(set *accesses.Set) {
	if to := sc.aheadOf(len(sc.choices) - 1); to != nil {
		sc.through(to, set, sc.knowledge.origins)
	}
}

// completeAhead is called when everything has been tried from choice n.
func (sc *scheduler) completeAhead(n int) {
	c := &sc.choices[n]
	if c.node == nil {
		return // its accesses are with an earlier choice already
	}
	sc.completeReads(n)
	if to := sc.aheadOf(n - 1); to != nil {
		sc.through(to, &c.node.set, c.origins)
	}
}

// withoutNames returns a set of accesses after a state with relative names.
func (sc *scheduler) withoutNames(n *naming, set *accesses.Set) *accesses.Set {
	return sc.renamed(set, func(g int32) int32 { return sc.relatives.relativeOf(n, sc.names, g) }, func(id run.ObjectID) run.ObjectID {
		return sc.relatives.relativeObjectOf(n, sc.names, id)
	})
}

// withNames is the inverse of withoutNames.
func (sc *scheduler) withNames(n *naming, set *accesses.Set) *accesses.Set {
	return sc.renamed(set, func(g int32) int32 { return sc.relatives.goroutineOf(n, sc.names, g) }, func(id run.ObjectID) run.ObjectID {
		return sc.relatives.objectOf(n, sc.names, id)
	})
}

// renamed returns a set with other names of goroutines and objects.
func (sc *scheduler) renamed(set *accesses.Set, goroutine func(int32) int32, object func(run.ObjectID) run.ObjectID) *accesses.Set {
	t := sc.table
	return t.Rename(set, func(holder int32) int32 {
		h := t.HolderOf(holder)
		if h.HasGoroutine() {
			h.Object.Goroutine = goroutine(h.Object.Goroutine)
		} else {
			h.Object = object(h.Object)
		}
		return t.Holder(h)
	}, func(o int32) int32 { return t.Object(object(t.ObjectOf(o))) })
}
