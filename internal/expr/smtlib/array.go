package smtlib

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// Arrays. A Table is written as stores into an array that is the same everywhere,
// as many to a term as maxHeight allows. When terms are read, stores at constant
// indexes of a Table are collected, so that it is copied once.

// stored returns how many operands of the Table x are written as stores, from the
// first on.
func (p *printer) stored(x expr.ID) int {
	n := p.a.NumArgs(x)
	if p.full(x) {
		return n
	}
	return n - 1
}

// full reports whether the Table x lists an element for each index, so that its
// last operand stands for one index only. That is stored, too: not all solvers take
// arrays that are symbolic everywhere.
func (p *printer) full(x expr.ID) bool {
	index, _ := p.a.ArrayWidths(x)
	return index < 64 && uint64(p.a.NumArgs(x)) == 1<<index
}

// rest returns the expression that the Table x is made of before the stores.
func (p *printer) rest(x expr.ID) expr.ID {
	if p.full(x) {
		_, elem := p.a.ArrayWidths(x)
		return p.a.Const(0, elem)
	}
	return p.a.Arg(x, p.a.NumArgs(x)-1)
}

// bindTable binds the Table x to name by let, after arrays with more and more of its
// elements. It returns how many it has bound.
func (p *printer) bindTable(x expr.ID, name string) int {
	n := p.stored(x)
	below, from := "", 0
	for bound := 1; ; bound++ {
		to, next := from+maxHeight, fmt.Sprintf("%s.%d", name, bound)
		if to >= n {
			to, next = n, name
		}
		p.WriteString("(let ((" + next + " ")
		p.table(x, below, from, to)
		p.WriteString(")) ")
		if next == name {
			return bound
		}
		below, from = next, to
	}
}

// table writes the Table x up to index to, what is before from by the name below if it
// has one.
func (p *printer) table(x expr.ID, below string, from, to int) {
	rest := p.rest(x)
	for i := from; i < to; i++ {
		if p.a.Arg(x, i) != rest {
			p.WriteString("(store ")
		}
	}
	index, elem := p.a.ArrayWidths(x)
	if below != "" {
		p.WriteString(below)
	} else {
		fmt.Fprintf(p, "((as const (Array (_ BitVec %d) (_ BitVec %d))) ", index, elem)
		p.term(rest)
		p.WriteString(")")
	}
	for i := from; i < to; i++ {
		if elem := p.a.Arg(x, i); elem != rest {
			p.WriteString(" ")
			p.constant(uint64(i), index)
			p.WriteString(" ")
			p.term(elem)
			p.WriteString(")")
		}
	}
}

// hasArrays reports whether there are arrays in the terms.
func hasArrays(a *expr.Arena, terms []expr.ID) bool {
	found := false
	for _, x := range terms {
		postorder(a, x, nil, func(y expr.ID) { found = found || a.Op(y) == expr.Select })
	}
	return found
}

// constantArray reads "((as const sort) x)".
func (r *termReader) constantArray(e *sexpr.Expr, name, args []*sexpr.Expr) (sorted, error) {
	if len(name) != 2 || name[0].Atom != "const" || len(args) != 1 {
		return sorted{}, e.Errorf("a term that is not supported")
	}
	of, err := parseSort(name[1])
	if err != nil {
		return sorted{}, err
	}
	x, err := r.bits(args[0])
	if err != nil {
		return sorted{}, err
	}
	if of.index == 0 || r.a.Width(x) != of.width {
		return sorted{}, e.Errorf("%v made of width %d", of, r.a.Width(x))
	}
	return sorted{r.a.Table(of.index, nil, x), of}, nil
}

// store reads "(store array index value)". Where the array is a store, too, it goes
// on in a loop.
func (r *termReader) store(e *sexpr.Expr) (sorted, error) {
	var stores []*sexpr.Expr // the latest first
	for ; e.Head() == "store"; e = e.List[1] {
		if len(e.List) != 4 {
			return sorted{}, e.Errorf("store with %d operands", len(e.List)-1)
		}
		stores = append(stores, e)
	}
	array, err := r.term(e)
	if err != nil {
		return sorted{}, err
	}
	var table tableBuilder
	for i := len(stores) - 1; i >= 0; i-- {
		if array.x, err = r.storeInto(array, stores[i].List[2], stores[i].List[3], &table); err != nil {
			return sorted{}, err
		}
	}
	array.x = table.finish(r.a, array.x)
	return array, nil
}

// storeInto reads an index and a value and stores it into the array or, if that is a
// Table, the table that is to become of it.
func (r *termReader) storeInto(array sorted, index, value *sexpr.Expr, table *tableBuilder) (expr.ID, error) {
	operands := [3]sorted{array}
	for i, e := range [...]*sexpr.Expr{index, value} {
		t, err := r.term(e)
		if err != nil {
			return expr.None, err
		}
		operands[1+i] = t
		if err := isAccess(e, operands[:], 1+i); err != nil {
			return expr.None, err
		}
	}
	at, x := operands[1].x, operands[2].x
	if i, ok := r.a.ConstValue(at); ok && i < expr.MaxTable && r.a.Op(array.x) == expr.Table {
		table.store(r.a, array.x, i, x)
		return array.x, nil
	}
	return r.a.Store(table.finish(r.a, array.x), at, x), nil
}

// A tableBuilder collects stores into a Table.
type tableBuilder struct {
	elems []expr.ID
	rest  expr.ID // None: there were no stores
}

func (t *tableBuilder) store(a *expr.Arena, table expr.ID, i uint64, value expr.ID) {
	if t.rest == expr.None {
		last := a.NumArgs(table) - 1
		t.elems = t.elems[:0]
		for k := range last {
			t.elems = append(t.elems, a.Arg(table, k))
		}
		t.rest = a.Arg(table, last)
	}
	for uint64(len(t.elems)) <= i {
		t.elems = append(t.elems, t.rest)
	}
	t.elems[i] = value
}

// finish returns the Table with the stores so far, and array itself if there
// were none.
func (t *tableBuilder) finish(a *expr.Arena, array expr.ID) expr.ID {
	if t.rest == expr.None {
		return array
	}
	index, _ := a.ArrayWidths(array)
	x := a.Table(index, t.elems, t.rest)
	*t = tableBuilder{}
	return x
}
