package covering

import (
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
)

// What bounds the states of an epoch that are told apart one by one: how many values a cell may
// have, and how many combinations there may be. A cell with more is one of which only bounds are
// known, and how it compares with others.
const (
	maxValues = 3
	maxTuples = 24
	// maxCompared bounds the cells that are compared with each other.
	maxCompared = 24
)

// A domain is what is known of the values of the cells in the states with which an epoch begins. It
// follows from a list of states: what is said is what holds of all of these, as far as it has one
// of the forms
//
//   - a cell is a constant, or two cells are equal,
//   - cells with few values have one of the combinations of the list,
//   - a cell is not less or not more than the values of the list were when there came to be too many,
//   - a cell is less than another one, or not more.
//
// Whatever state is found of which that does not hold is added to the list (Flanagan and Leino,
// Houdini, 2001, and the widening of Cousot and Cousot, 1977), so that the domain only grows, and
// not for ever.
type domain struct {
	cells  []cover.Input
	states [][]uint64
	class  []int  // of a cell, the first one that is equal to it in all states
	fixed  []bool // of the first cell of a class: it is a constant
	wide   []bool // likewise: it has too many values
	lower  []*int64
	upper  []*int64
}

func newDomain(cells []cover.Input) *domain {
	n := len(cells)
	return &domain{
		cells: cells, class: make([]int, n), fixed: make([]bool, n), wide: make([]bool, n),
		lower: make([]*int64, n), upper: make([]*int64, n),
	}
}

// add adds a state. It reports whether cells that were constants or equal are not any more, so that
// what is known of runs from there holds no longer.
func (d *domain) add(values []uint64) (anew bool) {
	before, fixed := slices.Clone(d.class), slices.Clone(d.fixed)
	first := len(d.states) == 0
	d.states = append(d.states, values)
	for i := range d.cells {
		d.class[i] = i
		for j := range i {
			if d.class[j] == j && d.cells[j].Width == d.cells[i].Width && d.signed(i) == d.signed(j) && d.equal(i, j) {
				d.class[i] = j
				break
			}
		}
		d.fixed[i] = len(d.values(i)) == 1
	}
	for i, c := range d.class {
		if c == i && (d.wide[i] || d.wide[before[i]]) && !first {
			// It was wide together with others.
			if !d.wide[i] {
				d.wide[i], d.lower[i], d.upper[i] = true, d.lower[before[i]], d.upper[before[i]]
			}
			d.narrow(i, values[i])
		}
	}
	for {
		widest, most := -1, 0
		for i, c := range d.class {
			if n := len(d.values(i)); c == i && !d.wide[i] && n > most {
				widest, most = i, n
			}
		}
		if widest < 0 || most <= 1 || most <= maxValues && len(d.tuples()) <= maxTuples {
			break
		}
		d.widen(widest)
	}
	return !first && (!slices.Equal(before, d.class) || !slices.Equal(fixed, d.fixed))
}

func (d *domain) signed(i int) bool {
	t := d.cells[i].Type
	return len(t) > 0 && t[0] != 'u'
}

// number returns the value of a cell as a signed number.
func (d *domain) number(i int, v uint64) int64 {
	w := d.cells[i].Width
	return int64(v<<(64-w)) >> (64 - w)
}

func (d *domain) equal(i, j int) bool {
	return !slices.ContainsFunc(d.states, func(s []uint64) bool { return s[i] != s[j] })
}

// values returns those that a cell has, in the order of states.
func (d *domain) values(i int) []uint64 {
	var list []uint64
	for _, s := range d.states {
		if !slices.Contains(list, s[i]) {
			list = append(list, s[i])
			if len(list) > maxValues+1 {
				break
			}
		}
	}
	return list
}

// widen has a cell have any values, within the bounds of those that are known.
func (d *domain) widen(i int) {
	d.wide[i] = true
	lower, upper := d.number(i, d.states[0][i]), d.number(i, d.states[0][i])
	for _, s := range d.states {
		lower, upper = min(lower, d.number(i, s[i])), max(upper, d.number(i, s[i]))
	}
	d.lower[i], d.upper[i] = &lower, &upper
}

// narrow drops the bounds of a cell that a value is outside of.
func (d *domain) narrow(i int, v uint64) {
	n := d.number(i, v)
	if d.lower[i] != nil && n < *d.lower[i] {
		d.lower[i] = nil
	}
	if d.upper[i] != nil && n > *d.upper[i] {
		d.upper[i] = nil
	}
}

// tuples returns the combinations of the values of the cells that are not wide and no constants,
// and which cells these are.
func (d *domain) tuples() [][]uint64 {
	var list [][]uint64
	for _, s := range d.states {
		var t []uint64
		for i, c := range d.class {
			if c == i && !d.wide[i] && !d.fixed[i] {
				t = append(t, s[i])
			}
		}
		if !slices.ContainsFunc(list, func(o []uint64) bool { return slices.Equal(o, t) }) {
			list = append(list, t)
		}
	}
	return list
}

// constraints returns what holds of the values of cells, given as expressions. That of the
// variables of the domain leaves out what is so because of which variables there are.
func (d *domain) constraints(a *expr.Arena, of []expr.ID) []expr.ID {
	var list []expr.ID
	add := func(x expr.ID) {
		if v, ok := a.ConstValue(x); !ok || v == 0 {
			list = append(list, x)
		}
	}
	constant := func(i int, v uint64) expr.ID { return a.Const(v, d.cells[i].Width) }
	var few, reps []int
	for i, c := range d.class {
		switch {
		case c != i:
			add(a.Eq(of[i], of[c]))
			continue
		case d.fixed[i]:
			add(a.Eq(of[i], constant(i, d.states[0][i])))
		case !d.wide[i]:
			few = append(few, i)
		default:
			if d.lower[i] != nil {
				add(a.Sle(constant(i, uint64(*d.lower[i])&mask(d.cells[i].Width)), of[i]))
			}
			if d.upper[i] != nil {
				add(a.Sle(of[i], constant(i, uint64(*d.upper[i])&mask(d.cells[i].Width))))
			}
		}
		if d.cells[i].Width > 1 {
			reps = append(reps, i)
		}
	}
	if len(few) > 0 {
		any := a.Bool(false)
		for _, t := range d.tuples() {
			all := a.Bool(true)
			for k, i := range few {
				all = a.And(all, a.Eq(of[i], constant(i, t[k])))
			}
			any = a.Or(any, all)
		}
		add(any)
	}
	if len(reps) > maxCompared {
		return list
	}
	for _, i := range reps {
		for _, j := range reps {
			if i == j || !d.wide[i] && !d.wide[j] || d.cells[i].Width != d.cells[j].Width || !d.signed(i) || !d.signed(j) {
				continue
			}
			less, atMost := true, true
			for _, s := range d.states {
				x, y := d.number(i, s[i]), d.number(j, s[j])
				less, atMost = less && x < y, atMost && x <= y
			}
			switch {
			case less:
				add(a.Slt(of[i], of[j]))
			case atMost:
				add(a.Sle(of[i], of[j]))
			}
		}
	}
	return list
}

func mask(width uint8) uint64 { return 1<<width - 1 }

// variables returns the expressions of the cells in the states of the domain: variables named after
// the first cells of classes, and constants.
func (d *domain) variables(a *expr.Arena) []expr.ID {
	list := make([]expr.ID, len(d.cells))
	for i, c := range d.class {
		if d.fixed[c] {
			list[i] = a.Const(d.states[0][c], d.cells[c].Width)
		} else {
			list[i] = a.VarOfRun(d.cells[c].Name, d.cells[c].Width)
		}
	}
	return list
}
