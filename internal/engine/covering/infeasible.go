package covering

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// What bounds the proof that schedules are infeasible: what the solver is asked, the states of an
// epoch that runs were seen to come to, and the cells of which relations are looked for.
const (
	maxQueries   = 1000
	maxSeen      = 64
	maxRelations = 8
	maxFactor    = 1 << 20
)

// A fact is what may hold of each state in which an epoch begins, whatever inputs are drawn then.
type fact struct {
	holds expr.ID
	of    []*cover.Schedule // of which it says that the state is none of theirs; nil if it is a relation
}

// see keeps states in which a run from the start of the program has begun epochs.
func (s *Search) see(j *journey) {
	if s.seen == nil {
		s.seen = make(map[int][]map[string]uint64)
	}
	for i := range j.visits {
		if v := &j.visits[i]; v.epoch > 0 && len(s.seen[v.epoch]) < maxSeen {
			s.seen[v.epoch] = append(s.seen[v.epoch], v.cells)
		}
	}
}

// exclude finds schedules that no run comes to, of those that none was seen to come to. It takes
// for granted that no epoch begins in a state that such a schedule is for, and that numbers are in
// the relations in which they were in all states that runs have come to; what of that does not hold
// where a schedule ends that begins with all of it is dropped, until what is left follows from
// itself (rely-guarantee, as what is known of states otherwise: Flanagan and Leino, Houdini, 2001).
// The program begins with nothing, so that it holds of all runs, by induction over their epochs.
func (s *Search) exclude(ctx context.Context) error {
	if s.unrealised() == 0 || !s.set.Searched() || !s.knowsEndings() {
		return nil
	}
	facts := make([][]fact, len(s.set.Epochs))
	for i, e := range s.set.Epochs {
		if e.Begin != nil {
			facts[i] = s.candidates(i, e)
		}
	}
	queries := 0
	for changed := true; changed; {
		changed = false
		for i := range s.set.Epochs {
			for k := range s.endings[i] {
				t := &s.endings[i][k]
				for len(facts[t.epoch]) > 0 {
					if queries++; queries > maxQueries {
						return nil
					}
					kept, err := s.keep(ctx, i, facts[i], t, facts[t.epoch])
					if err != nil {
						return err
					}
					if len(kept) == len(facts[t.epoch]) {
						break
					}
					facts[t.epoch], changed = kept, true
				}
			}
		}
	}
	found := false
	for i := range facts {
		for _, f := range facts[i] {
			for _, sc := range f.of {
				sc.Infeasible, sc.Excluded, found = false, true, true
			}
		}
	}
	if !found {
		return nil
	}
	return s.changed()
}

// knowsEndings reports whether it is known of all schedules in which states they end, as it is not
// of those of a set that was resumed.
func (s *Search) knowsEndings() bool {
	for i, e := range s.set.Epochs {
		n := 0
		for _, sc := range e.Schedules {
			if sc.End.Kind == cover.NewEpoch {
				n += len(sc.When)
			}
		}
		if n != len(s.endings[i]) {
			return false
		}
	}
	return true
}

// candidates returns what may hold of the states in which an epoch begins.
func (s *Search) candidates(epoch int, e *cover.Epoch) []fact {
	a, d := s.set.Arena, s.domains[epoch]
	var list []fact
	var all []*cover.Schedule
	for _, sc := range e.Schedules {
		if !sc.Infeasible {
			continue
		}
		all = append(all, sc)
		when := s.when(sc)
		if slices.ContainsFunc(a.Vars(nil, when), func(v expr.ID) bool { // otherwise the state makes no difference
			return slices.ContainsFunc(d.cells, func(c cover.Input) bool { return c.Name == a.VarName(v) })
		}) {
			list = append(list, fact{a.Not(when), []*cover.Schedule{sc}})
		}
	}
	if len(all) == len(e.Schedules) && len(all) > 0 { // it may be that it never begins
		list = append(list, fact{a.Bool(false), all})
	}
	return append(list, s.relations(epoch)...)
}

// relations returns how the numbers in the states in which an epoch begins may be related: in all
// states in which a run was seen to begin it, they are. They are within the bounds of inputs, are
// not less than another one, or solve a linear equation.
func (s *Search) relations(epoch int) (list []fact) {
	a, d, seen := s.set.Arena, s.domains[epoch], s.seen[epoch]
	if len(seen) == 0 {
		return nil
	}
	vars := d.variables(a)
	var cells []int
	for i, c := range d.class {
		if c == i && !d.fixed[i] && d.cells[i].Width > 1 && len(cells) < maxRelations {
			cells = append(cells, i)
		}
	}
	in := func(state map[string]uint64, i int) expr.ID { return a.Const(state[d.cells[i].Name], d.cells[i].Width) }
	add := func(relation func(x func(int) expr.ID) expr.ID) {
		for _, state := range seen {
			if v, ok := a.ConstValue(relation(func(i int) expr.ID { return in(state, i) })); !ok || v == 0 {
				return
			}
		}
		list = append(list, fact{holds: relation(func(i int) expr.ID { return vars[i] })})
	}
	bounds := s.inputBounds()
	for n, i := range cells {
		for _, bound := range bounds {
			limit := a.Const(bound&mask(d.cells[i].Width), d.cells[i].Width)
			add(func(x func(int) expr.ID) expr.ID { return a.Sle(x(i), limit) })
			add(func(x func(int) expr.ID) expr.ID { return a.Sle(limit, x(i)) })
		}
		for _, j := range cells[:n] {
			width := d.cells[i].Width
			if d.cells[j].Width != width {
				continue
			}
			add(func(x func(int) expr.ID) expr.ID { return a.Sle(x(i), x(j)) })
			add(func(x func(int) expr.ID) expr.ID { return a.Sle(x(j), x(i)) })
		}
	}
	for _, width := range []uint8{8, 16, 32, 64} {
		var same []int
		for _, i := range cells {
			if d.cells[i].Width == width {
				same = append(same, i)
			}
		}
		rows := make([][]int64, len(seen))
		for n, state := range seen {
			for _, i := range same {
				rows[n] = append(rows[n], d.number(i, state[d.cells[i].Name]))
			}
			rows[n] = append(rows[n], 1)
		}
		for _, factors := range equations(rows, len(same)+1) {
			add(func(x func(int) expr.ID) expr.ID {
				sum := a.Const(uint64(factors[len(same)])&mask(width), width)
				for k, i := range same {
					sum = a.Add(sum, a.Mul(a.Const(uint64(factors[k])&mask(width), width), x(i)))
				}
				return a.Eq(sum, a.Const(0, width))
			})
		}
	}
	return list
}

// equations returns factors of the columns of some rows, of which the sum is zero in each row:
// those that all others follow from (Karr, Affine relationships among variables of a program,
// 1976), if they are small.
func equations(rows [][]int64, columns int) (list [][]int64) {
	// What is left of the rows has one that begins in each of some columns.
	reduced := make([][]*big.Rat, columns)
	for _, r := range rows {
		row := make([]*big.Rat, columns)
		for i, v := range r {
			row[i] = new(big.Rat).SetInt64(v)
		}
		for i := range columns {
			switch {
			case row[i].Sign() == 0:
				continue
			case reduced[i] != nil:
				subtract(row, reduced[i], new(big.Rat).Set(row[i]))
				continue
			}
			for k := range row {
				if k != i {
					row[k].Quo(row[k], row[i])
				}
			}
			row[i].SetInt64(1)
			reduced[i] = row
			break
		}
	}
	for i := range slices.Backward(reduced) { // of the columns in which one begins, there is nothing else
		for k := range i {
			if reduced[i] != nil && reduced[k] != nil {
				subtract(reduced[k], reduced[i], new(big.Rat).Set(reduced[k][i]))
			}
		}
	}
	for free := range columns {
		if reduced[free] != nil {
			continue
		}
		scale := big.NewInt(1)
		for i := range columns {
			if reduced[i] != nil {
				f := reduced[i][free].Denom()
				scale.Mul(scale, new(big.Int).Div(f, new(big.Int).GCD(nil, nil, scale, f)))
			}
		}
		factors := make([]int64, columns)
		small := scale.IsInt64() && scale.Int64() < maxFactor
		for i := range columns {
			if !small {
				break
			}
			if reduced[i] == nil {
				continue
			}
			f := new(big.Rat).Mul(reduced[i][free], new(big.Rat).SetInt(scale)).Num()
			if small = f.IsInt64() && f.Int64() < maxFactor && f.Int64() > -maxFactor; small {
				factors[i] = -f.Int64()
			}
		}
		if small {
			factors[free] = scale.Int64()
			list = append(list, factors)
		}
	}
	return list
}

// subtract subtracts a row, times a factor, from another one.
func subtract(row, other []*big.Rat, factor *big.Rat) {
	for k := range row {
		row[k].Sub(row[k], new(big.Rat).Mul(other[k], factor))
	}
}

// inputBounds returns zero and the bounds of the inputs that are drawn within a range.
func (s *Search) inputBounds() []uint64 {
	list := []uint64{0}
	for _, e := range s.set.Epochs {
		for _, in := range e.Inputs {
			for _, bound := range []uint64{in.Low, in.Low + in.Size} {
				if in.Ranged && !slices.Contains(list, bound) && len(list) < maxRelations {
					list = append(list, bound)
				}
			}
		}
	}
	return list
}

// when returns for which states, and which inputs, a schedule is.
func (s *Search) when(sc *cover.Schedule) expr.ID {
	a := s.set.Arena
	any := a.Bool(false)
	for _, conj := range sc.When {
		all := a.Bool(true)
		for _, c := range conj {
			all = a.And(all, c)
		}
		any = a.Or(any, all)
	}
	return any
}

// keep returns which facts may hold where a schedule ends that an epoch begins with, if its own hold.
func (s *Search) keep(ctx context.Context, epoch int, own []fact, t *ending, next []fact) ([]fact, error) {
	a := s.set.Arena
	query := append(append([]expr.ID(nil), s.ranges[epoch]...), t.conds...)
	if d := s.domains[epoch]; d != nil {
		query = append(query, d.constraints(a, d.variables(a))...)
	}
	for _, f := range own {
		query = append(query, f.holds)
	}
	after := make([]expr.ID, len(next))
	broken := a.Bool(false)
	for i, f := range next {
		after[i] = s.after(t, f.holds)
		broken = a.Or(broken, a.Not(after[i]))
	}
	query = append(query, broken)
	for _, q := range query {
		if v, constant := a.ConstValue(q); constant && v == 0 {
			return next, nil
		}
	}
	answer, model, err := s.solver.Check(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("asking in which states an epoch begins: %w", err)
	}
	switch answer {
	case solve.Unsat:
		return next, nil
	case solve.Unknown:
		return nil, nil
	}
	var kept []fact
	for i, f := range next {
		if a.Eval(after[i], model.Value) != 0 {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// after returns what an expression about the state in which an epoch begins is where a schedule
// ends that leads to it. The inputs that are drawn in that epoch are others than those of the
// schedule.
func (s *Search) after(t *ending, x expr.ID) expr.ID {
	a := s.set.Arena
	of := make(map[string]expr.ID)
	for i, c := range s.domains[t.epoch].cells {
		if of[c.Name] = t.arrival.of[i]; of[c.Name] == expr.None {
			of[c.Name] = a.Const(t.arrival.values[i], c.Width)
		}
	}
	return a.Replace(x, func(x expr.ID) (expr.ID, bool) {
		if a.Op(x) != expr.Var {
			return expr.None, false
		}
		name := a.VarName(x)
		if v, ok := of[name]; ok {
			return v, true
		}
		return a.VarOfRun("then "+name, a.Width(x)), true
	})
}
