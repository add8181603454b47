package input

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// note takes the next event into account, in the order of the schedule.
func (d *detector) note(e *schedule.Event) {
	if len(d.values) > maxLocals || len(d.now) > maxCells {
		d.full = true
		d.values, d.base, d.facts, d.now, d.begin, d.sent, d.path, d.states, d.layout = nil, nil, nil, nil, nil, nil, nil, nil, layout{}
		return
	}
	f := fact{
		order: e.Order, op: e.Op, cell: e.Cell(), value: e.Value, wrote: e.Wrote, result: e.Result, left: e.Left, right: e.Right,
		list: slices.Clone(e.Depends), from: e.From, truth: e.Number != 0, location: e.Location, pin: -1,
	}
	if e.Result != 0 {
		d.values = append(d.values, definition{op: e.Op, name: e.Name, args: arguments(e), value: e.Value, order: e.Order})
		d.base = append(d.base, expr.None)
	}
	define := func(x expr.ID) {
		if e.Result != 0 {
			d.base[e.Result] = x
		}
	}
	relevant := len(f.list) > 0
	switch e.Op {
	case schedule.Let:
		define(d.constant(e.Value))
	case schedule.Symbol:
		if w := width(e.Value.Kind); w > 0 {
			id := d.arena.Var(fmt.Sprintf("%d %s", len(d.inputs), d.table.Name(e.Name)), w)
			d.number[id] = len(d.inputs)
			d.inputs = append(d.inputs, variable{id, e.Name, e.Value})
			define(id)
		}
	case schedule.Binary, schedule.Unary, schedule.Call, schedule.VoidCall:
		if e.Op == schedule.Call || e.Op == schedule.VoidCall {
			f.list, relevant = append(f.list, e.List...), true
		}
		if e.Result != 0 {
			define(d.compute(&d.values[e.Result]))
		}
	case schedule.Read, schedule.AtomicRead, schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate:
		relevant = true
		d.choose(&f, e)
		if access.KindOf(e.Op) != access.None {
			d.access(&f, define)
		}
	case schedule.Send:
		relevant = true
		d.sent[e.Order] = d.written(&f, d.base[e.Left])
	case schedule.Recv:
		relevant = true
		x, ok := d.sent[e.From]
		delete(d.sent, e.From)
		if !ok || x == expr.None {
			x = d.constant(e.Value)
		}
		define(x)
	case schedule.Branch, schedule.Assume:
		relevant = true
	default:
		define(d.constant(e.Value))
	}
	if relevant {
		d.facts = append(d.facts, f)
	}
	// What computes a value does not come between a branch and what depends on it.
	switch e.Op {
	case schedule.Branch, schedule.Assume:
		d.branch[e.Goroutine] = f
	case schedule.Let, schedule.Binary, schedule.Unary, schedule.New:
	default:
		delete(d.branch, e.Goroutine)
	}
}

// arguments returns what an event computes a value from.
func arguments(e *schedule.Event) []schedule.Local {
	switch e.Op {
	case schedule.Binary:
		return []schedule.Local{e.Left, e.Right}
	case schedule.Unary:
		return []schedule.Local{e.Left}
	case schedule.Call:
		return slices.Clone(e.List)
	}
	return nil
}

// access takes an access to memory into account.
func (d *detector) access(f *fact, define func(expr.ID)) {
	c, ok := d.now[f.cell]
	switch {
	case f.op == schedule.Read || f.op == schedule.AtomicRead:
		x := d.constant(f.value)
		if ok && c.order == f.from && c.value != expr.None && d.arena.Width(c.value) == d.arena.Width(x) {
			x = c.value
		}
		define(x)
		f.seen = x
	case f.op == schedule.AtomicUpdate:
		if f.right != 0 { // a symbol that stands for what is read
			d.noInput(f.right, f)
		}
		f.seen = expr.None
		if ok && c.order == f.from {
			f.seen = c.value
		}
		d.now[f.cell] = content{value: d.updated(f, d.base[f.left]), order: f.order}
	default:
		d.now[f.cell] = content{value: d.written(f, d.base[f.left]), order: f.order}
	}
}

// noInput takes it back that a symbol is an input: it stands for what an update reads.
func (d *detector) noInput(l schedule.Local, f *fact) {
	delete(d.number, d.base[l])
	d.values[l] = definition{op: f.op, value: f.value, order: f.order}
	d.base[l] = d.constant(f.value)
	for ; int(l) < len(d.values); l++ {
		if v := &d.values[l]; v.op == schedule.Binary || v.op == schedule.Unary || v.op == schedule.Call {
			d.base[l] = d.compute(v)
		}
	}
}

// compute returns what a definition is in the order of the schedule.
func (d *detector) compute(v *definition) expr.ID {
	args := make([]expr.ID, len(v.args))
	for i, l := range v.args {
		args[i] = d.base[l]
	}
	return d.apply(d.table.Name(v.name), args)
}

// written returns what a write or send writes, of which the symbolic value is x.
func (d *detector) written(f *fact, x expr.ID) expr.ID {
	c := d.constant(f.value)
	switch {
	case f.left == 0:
		return c
	case x == expr.None || c != expr.None && d.arena.Width(c) != d.arena.Width(x):
		return expr.None
	}
	return x
}

// updated returns what an update writes.
func (d *detector) updated(f *fact, x expr.ID) expr.ID {
	w := *f
	w.value = schedule.Value{Kind: f.value.Kind, Bits: f.wrote}
	return d.written(&w, x)
}

// choose finds out which value has chosen the cell of an access.
func (d *detector) choose(f *fact, e *schedule.Event) {
	if len(f.list) == 1 {
		f.index = f.list[0]
	} else if b, ok := d.branch[e.Goroutine]; ok && len(f.list) == 0 && b.truth && b.location == e.Location &&
		b.location != 0 && b.left != 0 {
		// An assumption that a value is a constant.
		if v := &d.values[b.left]; v.op == schedule.Binary && d.table.Name(v.name) == "eq" {
			for i, l := range v.args {
				if c := &d.values[v.args[1-i]]; c.op == schedule.Let && c.value.Kind != schedule.Reference &&
					d.values[l].op != schedule.Let {
					f.index, f.pin = l, b.order
				}
			}
		}
	}
	if f.index != 0 {
		if k, ok := d.original(f.index); ok && !isNegative(k, d.arena.Width(d.base[f.index])) {
			d.layout.add(e.Location, e.Cell(), k)
		}
	}
}

// original returns the value that a symbolic value had in the schedule.
func (d *detector) original(l schedule.Local) (uint64, bool) {
	x := d.base[l]
	if x == expr.None {
		return 0, false
	}
	return d.arena.Eval(x, func(v expr.ID) uint64 {
		if i, ok := d.number[v]; ok {
			return d.inputs[i].value.Bits
		}
		return 0 // it is in nothing that is used
	}), true
}

// settle begins a new window: what holds of the present one is kept.
func (d *detector) settle() {
	r := run{detector: d, values: map[schedule.Local]expr.ID{}, feeds: map[schedule.Local][]int{}}
	for i := range d.facts {
		f := &d.facts[i]
		r.requireUnchanged(f)
		switch f.op {
		case schedule.Branch, schedule.Assume:
			r.requireBranch(f, d.base[f.left])
		case schedule.Send:
			r.writes(f, d.base[f.left])
		case schedule.Write, schedule.AtomicWrite:
			r.writes(f, d.base[f.left])
			d.begin[f.cell] = content{value: d.written(f, d.base[f.left]), order: f.order}
		case schedule.AtomicUpdate:
			if f.seen != expr.None {
				r.requireEqual(f.seen, d.constant(f.value))
			}
			d.begin[f.cell] = content{value: d.updated(f, d.base[f.left]), order: f.order}
		}
	}
	for _, x := range r.conditions {
		if _, known := d.arena.ConstValue(x); !known && !d.states[x] {
			d.states[x] = true
			d.path = append(d.path, x)
		}
	}
	d.facts = d.facts[:0]
	d.first = schedule.Local(len(d.values))
}

// A layout knows how far apart the cells of an object are that values choose.
type layout struct {
	points  map[place]point
	scales  map[schedule.ObjectID]int64 // -1 if the accesses do not agree
	guesses map[schedule.ObjectID]int64 // from accesses at different places, of which each may add something to the value
}

// A place is an access in the program to an object.
type place struct {
	location schedule.LocationID
	object   schedule.ObjectID
}

// A point is the first cell that was accessed at a place, and the value that chose it.
type point struct{ offset, index int64 }

// add takes an access into account.
func (l *layout) add(location schedule.LocationID, c schedule.Cell, index uint64) {
	if l.points == nil {
		l.points, l.scales, l.guesses = make(map[place]point), make(map[schedule.ObjectID]int64), make(map[schedule.ObjectID]int64)
	}
	for _, at := range [...]place{{location, c.Object}, {0, c.Object}} {
		p, ok := l.points[at]
		if !ok {
			l.points[at] = point{c.Offset, int64(index)}
			continue
		}
		values, cells := int64(index)-p.index, c.Offset-p.offset
		fits := values != 0 && cells%values == 0 && cells/values > 0
		switch scale := l.scales[c.Object]; {
		case values == 0:
		case at.location == 0:
			if fits && l.guesses[c.Object] == 0 {
				l.guesses[c.Object] = cells / values
			}
		case !fits || scale != 0 && scale != cells/values:
			l.scales[c.Object] = -1
		case scale == 0:
			l.scales[c.Object] = cells / values
		}
	}
}

// scale returns how many cells there are from one value to the next, 0 if that is not known.
func (l *layout) scale(o schedule.ObjectID) int64 {
	if scale := l.scales[o]; scale != 0 {
		return max(scale, 0)
	}
	return l.guesses[o]
}
