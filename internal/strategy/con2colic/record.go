package con2colic

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A recorder adds the events of traces to a forest.
type recorder struct {
	f       *forest
	covered map[outcome]bool // the outcomes of all events that were recorded

	trace      *run.Trace
	kinds      map[int32]run.ConditionKind // of the Branches, by index in trace.Events
	translator translator
}

func newRecorder(f *forest, covered map[outcome]bool) *recorder {
	return &recorder{f: f, covered: covered, kinds: map[int32]run.ConditionKind{}}
}

// start begins with the trace t, whose expressions live in from.
func (r *recorder) start(t *run.Trace, from *expr.Arena) {
	r.trace = t
	clear(r.kinds)
	for i := range t.Path {
		r.kinds[t.Path[i].Event] = t.Path[i].Kind
	}
	r.translator.start(r.f, from)
	for _, in := range t.Inputs {
		r.translator.input(in.Name, in.Sym)
	}
}

// event returns the node of event i of the trace, a child of parent, and adds what the
// event shows. If the event is an opaque read, from is the write of another goroutine that
// it takes its value from, 0 for none.
func (r *recorder) event(parent nodeID, i int32, from nodeID) nodeID {
	f, tr := r.f, &r.translator
	e := &r.trace.Events[i]
	lab := label{goroutine: e.Goroutine, op: e.Op, object: e.Object, offset: e.Offset, site: e.Site}
	if onLocation(e.Op) && e.Object != run.NoObject {
		lab.cells = max(e.Cells, 1)
	}
	switch {
	case e.Select:
		lab.selects, lab.alt = true, e.Alt
	case e.Op == schedule.Choice:
		lab.alt = e.Alt
	case e.Op == schedule.CondSignal && e.Alt == broadcast:
		lab.alt = broadcast
	case e.Op == schedule.WaitGroupAdd && int64(e.Wrote) < 0:
		lab.alt = misuse
	case e.Op == schedule.Spawn:
		lab.child = e.Other
	case e.Op == schedule.Branch || e.Op == schedule.Assume:
		lab.cond = tr.expr(e.Cond)
	}
	part, opaque := firstOpaque(e)
	if opaque {
		lab.from = from
	}
	id := f.child(parent, lab)
	n := f.at(id)
	n.opaque, n.opaquePart = opaque, part
	parts := f.partsOf(id)
	if reads(e.Op) && len(parts) > 0 {
		r.readValues(e, n.index, parts)
	}
	r.covered[f.outcomeOf(id)] = true
	if n.seen && (len(parts) == 0 || parts[0].known) {
		return id
	}
	n.seen = true
	if lab.cond != expr.None {
		n.kind = r.kinds[i]
		n.side = int8(e.Alt)
		r.covered[f.outcomeOf(id)] = true
	}
	if e.Op == schedule.WaitGroupAdd {
		n.delta = int64(e.Wrote - e.Read)
	}
	for k := range parts {
		p := &parts[k]
		p.known = true
		if k == 0 {
			p.wrote, p.wroteSym = e.Wrote, tr.expr(e.WroteSym)
		} else if writes(e.Op) && k <= len(e.Rest) {
			p.wrote, p.wroteSym = e.Rest[k-1].Value, tr.expr(e.Rest[k-1].Sym)
		}
	}
	return id
}

// readValues adds the read symbols of e, event index of its goroutine, and the initial
// values if it reads those.
func (r *recorder) readValues(e *run.Event, index int32, parts []part) {
	f := r.f
	for k := range parts {
		sym, value := e.ReadSym, e.Read
		if k > 0 {
			if k > len(e.Rest) {
				break
			}
			sym, value = e.Rest[k-1].Sym, e.Rest[k-1].Value
		}
		if sym != expr.None {
			parts[k].readSym = r.translator.read(e.Goroutine, index, int32(k), sym)
		}
		if readsCell(e.Op) && e.Other < 0 {
			at := f.locAt(parts[k].loc)
			at.initial, at.initialKnown = value, true
		}
	}
}

// firstOpaque returns the first cell for which the read e has no symbol, if there is one.
// The clock and the like are not memory that goroutines write.
func firstOpaque(e *run.Event) (part int32, ok bool) {
	if !readsCell(e.Op) || e.Object.Goroutine < 0 && e.Object.Count < 0 {
		return 0, false
	}
	if e.ReadSym == expr.None {
		return 0, true
	}
	for i := range e.Rest {
		if e.Rest[i].Sym == expr.None {
			return int32(i) + 1, true
		}
	}
	return 0, false
}
