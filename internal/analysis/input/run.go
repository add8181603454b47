package input

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// A run is what is computed in an order of steps of a window.
type run struct {
	*detector
	values     map[schedule.Local]expr.ID // that are others than in the schedule may be, and what was computed from them
	feeds      map[schedule.Local][]int   // by value: the reads on which it depends
	memory     map[schedule.Cell]content
	sent       map[int64]content
	conditions []expr.ID // what has to hold
	reads      []int     // on which that depends
	possible   bool
	unchanged  map[schedule.Local]bool // the values whose inputs have to be what they were
}

// follow computes the values in an order, after which steps a and b are next.
func (d *detector) follow(order []int, a, b int) *run {
	r := &run{
		detector: d, values: map[schedule.Local]expr.ID{}, feeds: map[schedule.Local][]int{}, memory: map[schedule.Cell]content{},
		sent: map[int64]content{}, possible: true,
	}
	fa, fb := d.fact(a), d.fact(b)
	other := fa.cell != fb.cell
	for _, i := range order {
		f := d.fact(i)
		if f.op == schedule.NoOp || other && (f.order == fa.pin || f.order == fb.pin) {
			continue
		}
		r.step(i, f)
		if !r.possible {
			return r
		}
	}
	if !other {
		r.requireUnchanged(fa)
		r.requireUnchanged(fb)
		return r
	}
	x, y := r.offset(fa), r.offset(fb)
	if x == expr.None || y == expr.None {
		r.possible = false
		return r
	}
	r.conditions = append(r.conditions, d.arena.Eq(x, y))
	for _, l := range []schedule.Local{fa.index, fb.index} {
		r.blame(l)
	}
	return r
}

// offset returns the offset of the cell of an access, as a value chooses it.
func (r *run) offset(f *fact) expr.ID {
	a := r.arena
	if f.index == 0 {
		r.requireUnchanged(f)
		return a.Const(uint64(f.cell.Offset), 64)
	}
	x := r.value(f.index)
	k, ok := r.original(f.index)
	if x == expr.None || !ok || a.Width(x) > 64 || a.Width(x) == 0 {
		return expr.None
	}
	if w := a.Width(x); w < 64 {
		// It is not known whether it has a sign: it is looked for where that makes no difference.
		if isNegative(k, w) {
			return expr.None
		}
		r.require(a.Eq(a.Extract(x, w-1, 1), a.Const(0, 1)))
	}
	scale := r.layout.scale(f.cell.Object)
	wide := a.ZExt(x, 64)
	return a.Add(a.Mul(wide, a.Const(uint64(scale), 64)), a.Const(uint64(f.cell.Offset)-k*uint64(scale), 64))
}

// isNegative reports whether a value of so many bits, fewer than 64, is negative if it has a sign.
func isNegative(k uint64, width uint8) bool { return width < 64 && k>>(width-1)&1 != 0 }

// value returns a symbolic value.
func (r *run) value(l schedule.Local) expr.ID {
	if l == 0 {
		return expr.None
	}
	if x, ok := r.values[l]; ok {
		return x
	}
	v := &r.detector.values[l]
	x := r.base[l]
	if l < r.first {
		return x
	}
	switch v.op {
	case schedule.Read, schedule.AtomicRead, schedule.Recv:
		r.possible = false // what it was defined by is left out
	}
	if v.op == schedule.Binary || v.op == schedule.Unary || v.op == schedule.Call {
		args := make([]expr.ID, len(v.args))
		same := true
		for i, arg := range v.args {
			args[i] = r.value(arg)
			same = same && args[i] == r.base[arg]
			r.feeds[l] = union(r.feeds[l], r.feeds[arg])
		}
		if !same {
			x = r.apply(r.table.Name(v.name), args)
		}
	}
	r.values[l] = x
	return x
}

// union returns the numbers in either list.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}

// blame notes that it depends on a value whether the run is possible.
func (r *run) blame(l schedule.Local) { r.reads = union(r.reads, r.feeds[l]) }

// requireEqual states that two values are the same.
func (r *run) requireEqual(x, y expr.ID) {
	switch {
	case x == expr.None || y == expr.None || r.arena.Width(x) != r.arena.Width(y):
		r.possible = false
	case x != y:
		r.require(r.arena.Eq(x, y))
	}
}

// require states what has to hold.
func (r *run) require(x expr.ID) {
	if c, ok := r.arena.ConstValue(x); ok {
		r.possible = r.possible && c == 1
		return
	}
	r.conditions = append(r.conditions, x)
}

// requireUnchanged states that what an event depends on is what it was.
func (r *run) requireUnchanged(f *fact) {
	for _, l := range f.list {
		x := r.value(l)
		k, ok := r.original(l)
		r.blame(l)
		switch {
		case x == r.base[l] && x == expr.None: // nothing that is known has changed it
			r.possible = r.possible && len(r.feeds[l]) == 0
		case !ok:
			r.possible = false
		case x != expr.None:
			r.requireEqual(x, r.arena.Const(k, r.arena.Width(x)))
		default:
			r.possible = false
		}
	}
}

// requireBranch states that a branch is taken as it was.
func (r *run) requireBranch(f *fact, x expr.ID) {
	if f.left == 0 {
		return
	}
	if x == expr.None || r.arena.Width(x) != 1 {
		r.unknown(f.left)
		return
	}
	truth := uint64(0)
	if f.truth {
		truth = 1
	}
	r.requireEqual(x, r.arena.Const(truth, 1))
}

// unknown states that a value of which it is not known how it is computed is what it was, since what it depends on is.
func (r *run) unknown(l schedule.Local) {
	r.possible = r.possible && len(r.feeds[l]) == 0
	r.inputsOf(l)
}

// writes states that what an event writes or sends, of which the symbolic value is x, is what it
// was, if it is not known how that is computed. So what is read later is a constant.
func (r *run) writes(f *fact, x expr.ID) {
	if f.left != 0 && r.written(f, x) == expr.None {
		r.blame(f.left)
		r.unknown(f.left)
	}
}

// inputsOf states that the inputs on which a value depends are what they were.
func (r *run) inputsOf(l schedule.Local) {
	if l == 0 || r.unchanged[l] {
		return
	}
	if r.unchanged == nil {
		r.unchanged = make(map[schedule.Local]bool)
	}
	r.unchanged[l] = true
	v := &r.detector.values[l]
	for _, arg := range v.args {
		r.inputsOf(arg)
	}
	if x := r.base[l]; x != expr.None && len(v.args) == 0 {
		for _, id := range r.arena.Vars(nil, x) {
			if i, ok := r.number[id]; ok {
				r.require(r.arena.Eq(id, r.constant(r.inputs[i].value)))
			}
		}
	}
}

// step computes what a step does.
func (r *run) step(i int, f *fact) {
	r.requireUnchanged(f)
	switch f.op {
	case schedule.Read, schedule.AtomicRead, schedule.AtomicUpdate:
		r.read(i, f)
	case schedule.Write, schedule.AtomicWrite:
		x := r.value(f.left)
		r.writes(f, x)
		r.memory[f.cell] = content{r.written(f, x), f.order, r.feeds[f.left]}
	case schedule.Branch, schedule.Assume:
		x := r.value(f.left)
		r.blame(f.left)
		r.requireBranch(f, x)
	case schedule.Send:
		x := r.value(f.left)
		r.writes(f, x)
		r.sent[f.order] = content{r.written(f, x), f.order, r.feeds[f.left]}
	case schedule.Recv:
		if f.result == 0 {
			return
		}
		if c, ok := r.sent[f.from]; ok {
			r.values[f.result], r.feeds[f.result] = c.value, c.reads
		}
	}
}

// read computes what a read sees.
func (r *run) read(i int, f *fact) {
	c, ok := r.memory[f.cell]
	if !ok {
		if c, ok = r.begin[f.cell]; !ok {
			c = content{value: expr.None, order: -1}
		}
	}
	on := union(c.reads, []int{i})
	was := r.constant(f.value)
	x := c.value
	if x == expr.None && c.order == f.from {
		// The same write, or none: what it has written is known by what was read, if nothing has changed it.
		if x = was; len(c.reads) > 0 {
			x = expr.None
		}
	}
	if c.order < 0 && f.from >= 0 {
		x = r.initial(f.cell)
	}
	if x != expr.None && was != expr.None && r.arena.Width(x) != r.arena.Width(was) {
		x = expr.None
	}
	if f.result == 0 && f.op != schedule.AtomicUpdate && c.order == f.from {
		return // what is computed from it is computed from what was written
	}
	if f.op == schedule.AtomicUpdate || f.result == 0 {
		r.reads = union(r.reads, on)
		if _, known := r.arena.ConstValue(f.seen); !known && f.seen != expr.None && f.op != schedule.AtomicUpdate {
			r.possible = false
		}
		if x == expr.None || was == expr.None {
			r.possible = r.possible && c.order == f.from && len(c.reads) == 0
		} else {
			r.requireEqual(x, was)
		}
		if f.op == schedule.AtomicUpdate {
			r.memory[f.cell] = content{r.updated(f, r.value(f.left)), f.order, r.feeds[f.left]}
		}
		return
	}
	r.values[f.result], r.feeds[f.result] = x, on
}

// initial returns what a cell held before the first write, expr.None if that is not known.
func (r *run) initial(c schedule.Cell) expr.ID {
	for i := range r.facts {
		f := &r.facts[i]
		if f.cell == c && f.from < 0 && (f.op == schedule.Read || f.op == schedule.AtomicRead || f.op == schedule.AtomicUpdate) {
			return r.constant(f.value)
		}
	}
	return expr.None
}
