package expr

import "fmt"

// Arrays in SMT-LIB. A Table is written as stores into an array that is the same
// everywhere, as many to a term as smtHeight allows.

// stored returns the operands of the Table x that are written as stores at their
// indexes, and the one that is written as the rest. A rest that stands for one
// index only is stored, too: not all solvers take arrays that are symbolic
// everywhere.
func (a *Arena) stored(x ID) (elems []ID, rest ID) {
	n := &a.nodes[x]
	args := a.operands(n)
	last := len(args) - 1
	if n.lo < 64 && uint64(len(args)) == 1<<n.lo {
		return args, a.Const(0, a.nodes[args[last]].width)
	}
	return args[:last], args[last]
}

// bindTable binds the Table x to name by let, after arrays with more and more of its
// elements. It returns how many it has bound.
func (p *smtPrinter) bindTable(x ID, name string) int {
	elems, _ := p.a.stored(x)
	below, from := "", 0
	for bound := 1; ; bound++ {
		to, next := from+smtHeight, fmt.Sprintf("%s.%d", name, bound)
		if to >= len(elems) {
			to, next = len(elems), name
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
func (p *smtPrinter) table(x ID, below string, from, to int) {
	elems, rest := p.a.stored(x)
	for i := from; i < to; i++ {
		if elems[i] != rest {
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
		if elems[i] != rest {
			p.WriteString(" ")
			p.constant(uint64(i), index)
			p.WriteString(" ")
			p.term(elems[i])
			p.WriteString(")")
		}
	}
}

// array reads the rest of "((as const (Array (_ BitVec i) (_ BitVec w))) x)", from "as" on.
func (p *parser) array() (ID, error) {
	for _, token := range []string{"as", "const", "("} {
		if err := p.expect(token); err != nil {
			return None, err
		}
	}
	if err := p.expect("Array"); err != nil {
		return None, err
	}
	index, err := p.sort()
	if err != nil {
		return None, err
	}
	elem, err := p.sort()
	if err != nil {
		return None, err
	}
	for range 2 {
		if err := p.expect(")"); err != nil {
			return None, err
		}
	}
	x, err := p.bits()
	if err != nil {
		return None, err
	}
	if w := p.a.Width(x); w != elem {
		return None, p.errorf("array with elements of width %d made of width %d", elem, w)
	}
	return p.a.Table(index, nil, x), p.expect(")")
}

// sort reads "(_ BitVec n)".
func (p *parser) sort() (uint8, error) {
	for _, token := range []string{"(", "_", "BitVec"} {
		if err := p.expect(token); err != nil {
			return 0, err
		}
	}
	width, err := parseWidth(p.token)
	if err != nil {
		return 0, p.errorf("%w", err)
	}
	p.next()
	return width, p.expect(")")
}

// selection reads "array index)".
func (p *parser) selection() (ID, error) {
	array, err := p.term()
	if err != nil {
		return None, err
	}
	index, err := p.index(array)
	if err != nil {
		return None, err
	}
	return p.a.Select(array, index), p.expect(")")
}

// index reads an index of the array.
func (p *parser) index(array ID) (ID, error) {
	width, _ := p.a.ArrayWidths(array)
	if width == 0 {
		return None, p.errorf("an array expected")
	}
	x, err := p.bits()
	if err != nil {
		return None, err
	}
	if w := p.a.Width(x); w != width {
		return None, p.errorf("index of width %d into an array with indexes of width %d", w, width)
	}
	return x, nil
}

// store reads "array index value)". Where the array is a store, too, it goes on
// in a loop; constant indexes of a Table are collected, so that it is copied once.
func (p *parser) store() (ID, error) {
	depth := 1
	var array ID
	var err error
	for {
		if p.token != "(" {
			array, err = p.atom()
			break
		}
		p.next()
		if p.token != "store" {
			array, err = p.application()
			break
		}
		p.next()
		depth++
	}
	var table tableBuilder
	for ; depth > 0 && err == nil; depth-- {
		array, err = p.storeInto(array, &table)
	}
	if err != nil {
		return None, err
	}
	return table.finish(p.a, array), nil
}

// storeInto reads "index value)" and stores it into the array or, if it is a Table,
// the table that is to become of it.
func (p *parser) storeInto(array ID, table *tableBuilder) (ID, error) {
	index, err := p.index(array)
	if err != nil {
		return None, err
	}
	value, err := p.bits()
	if err != nil {
		return None, err
	}
	if _, w := p.a.ArrayWidths(array); p.a.Width(value) != w {
		return None, p.errorf("width %d stored among elements of width %d", p.a.Width(value), w)
	}
	if err := p.expect(")"); err != nil {
		return None, err
	}
	if i, ok := p.a.ConstValue(index); ok && i < MaxTable && p.a.Op(array) == Table {
		table.store(p.a, array, i, value)
		return array, nil
	}
	return p.a.Store(table.finish(p.a, array), index, value), nil
}

// A tableBuilder collects stores into a Table.
type tableBuilder struct {
	elems []ID
	rest  ID // None: there were no stores
}

func (t *tableBuilder) store(a *Arena, table ID, i uint64, value ID) {
	if t.rest == None {
		args := a.operands(&a.nodes[table])
		last := len(args) - 1
		t.elems, t.rest = append(t.elems[:0], args[:last]...), args[last]
	}
	for uint64(len(t.elems)) <= i {
		t.elems = append(t.elems, t.rest)
	}
	t.elems[i] = value
}

// finish returns the Table with the stores so far, and array itself if there
// were none.
func (t *tableBuilder) finish(a *Arena, array ID) ID {
	if t.rest == None {
		return array
	}
	index, _ := a.ArrayWidths(array)
	x := a.Table(index, t.elems, t.rest)
	*t = tableBuilder{}
	return x
}
