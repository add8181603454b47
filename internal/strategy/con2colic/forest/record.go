package forest

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Recorder adds the events of traces to a forest.
type Recorder struct {
	f       *Forest
	covered map[Outcome]bool

	trace      *run.Trace
	kinds      map[int32]run.ConditionKind // of the Branches, by index in trace.Events
	translator translator
}

// NewRecorder returns a recorder for f. It adds to covered the outcomes of all events that
// it records.
func NewRecorder(f *Forest, covered map[Outcome]bool) *Recorder {
	return &Recorder{f: f, covered: covered, kinds: map[int32]run.ConditionKind{}}
}

// Start begins with the trace t, whose expressions live in from.
func (r *Recorder) Start(trace *run.Trace, from *expr.Arena) {
	r.trace = trace
	clear(r.kinds)
	for i := range trace.Path {
		r.kinds[trace.Path[i].Event] = trace.Path[i].Kind
	}
	r.translator.start(r.f, from)
	for _, in := range trace.Inputs {
		r.translator.input(in.Name, in.Sym)
	}
}

// Event returns the node of event i of the trace, a child of parent, and adds what the
// event shows. If the event is an opaque read, from is the write of another goroutine that
// it takes its value from, 0 for none.
func (r *Recorder) Event(parent NodeID, i int32, from NodeID) NodeID {
	f, tr := r.f, &r.translator
	e := &r.trace.Events[i]
	l := Label{Goroutine: e.Goroutine, Op: e.Op, Object: e.Object, Offset: e.Offset, Site: e.Site}
	if onLocation(e.Op) && e.Object != run.NoObject {
		l.Cells = max(e.Cells, 1)
	}
	switch {
	case e.Select:
		l.Select, l.Alt = true, e.Alt
	case e.Op == schedule.Choice:
		l.Alt = e.Alt
	case e.Op == schedule.CondSignal && e.Alt == Broadcast:
		l.Alt = Broadcast
	case e.Op == schedule.WaitGroupAdd && int64(e.Wrote) < 0:
		l.Alt = Misuse
	case e.Op == schedule.Spawn:
		l.Child = e.Other
	case e.Op == schedule.Branch || e.Op == schedule.Assume:
		l.Cond = tr.expr(e.Cond)
	}
	part, opaque := firstOpaque(e)
	if opaque {
		l.From = from
	}
	id := f.Child(parent, l)
	n := f.At(id)
	n.Opaque, n.OpaquePart = opaque, part
	parts := f.Parts(id)
	if Reads(e.Op) && len(parts) > 0 {
		r.readValues(e, n.Index, parts)
	}
	r.covered[f.Outcome(id)] = true
	if n.Seen && (len(parts) == 0 || parts[0].Known) {
		return id
	}
	n.Seen = true
	if l.Cond != expr.None {
		n.Kind = r.kinds[i]
		n.Side = int8(e.Alt)
		r.covered[f.Outcome(id)] = true
	}
	if e.Op == schedule.WaitGroupAdd {
		n.Delta = int64(e.Wrote - e.Read)
	}
	for k := range parts {
		p := &parts[k]
		p.Known = true
		if k == 0 {
			p.Wrote, p.WroteSym = e.Wrote, tr.expr(e.WroteSym)
		} else if dependence.IsWrite(e.Op) && k <= len(e.Rest) {
			p.Wrote, p.WroteSym = e.Rest[k-1].Value, tr.expr(e.Rest[k-1].Sym)
		}
	}
	return id
}

// readValues adds the read symbols of e, event index of its goroutine, and the initial
// values if it reads those.
func (r *Recorder) readValues(e *run.Event, index int32, parts []Part) {
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
			parts[k].ReadSym = r.translator.read(e.Goroutine, index, int32(k), sym)
		}
		if dependence.IsRead(e.Op) && e.Other < 0 {
			at := f.Location(parts[k].Loc)
			at.Initial, at.InitialKnown = value, true
		}
	}
}

// firstOpaque returns the first part of the read e that has no symbol, if there is one. The
// clock and the like do not count: goroutines do not write them.
func firstOpaque(e *run.Event) (part int32, ok bool) {
	if !dependence.IsRead(e.Op) || e.Object.Goroutine < 0 && e.Object.Count < 0 {
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
