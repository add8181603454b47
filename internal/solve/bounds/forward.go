package bounds

import "github.com/everyway-go/everyway/internal/expr"

// forward bounds node i by its operands.
func (b *Analysis) forward(i int32) {
	n := &b.nodes[i]
	switch n.op {
	case expr.Const, expr.Var, expr.Table, expr.Store:
		return
	case expr.Not:
		b.narrow(i, b.operand(n, 0).complement(n.width))
	case expr.Neg:
		b.narrow(i, subDomains(exactly(0, n.width), *b.operand(n, 0), n.width))
	case expr.ZExt:
		b.narrow(i, zextDomain(*b.operand(n, 0), n.width))
	case expr.SExt:
		b.narrow(i, sextDomain(*b.operand(n, 0), b.widthOf(n, 0), n.width))
	case expr.Extract:
		b.narrow(i, extractDomain(*b.operand(n, 0), n.lo, n.width))
	case expr.Concat:
		b.narrow(i, concatDomains(*b.operand(n, 0), *b.operand(n, 1), b.widthOf(n, 1), n.width))
	case expr.Ite:
		switch c := b.operand(n, 0); {
		case c.is(1):
			b.narrow(i, *b.operand(n, 1))
		case c.is(0):
			b.narrow(i, *b.operand(n, 2))
		default:
			b.narrow(i, b.operand(n, 1).join(*b.operand(n, 2)))
		}
	case expr.Select:
		b.narrow(i, b.element(n))
	default:
		if n.last-n.first == 2 {
			if d, ok := binaryDomain(n.op, *b.operand(n, 0), *b.operand(n, 1), b.widthOf(n, 0)); ok {
				b.narrow(i, d)
			}
		}
	}
}

// element bounds the Select n by the elements of a table that it can be.
func (b *Analysis) element(n *node) domain {
	table, index := &b.nodes[b.operands[n.first]], b.operand(n, 1)
	if table.op != expr.Table || index.hi-index.lo >= maxTable {
		return anything(n.width)
	}
	rest := table.last - table.first - 1
	at := func(i uint64) domain { return *b.operand(table, int32(min(i, uint64(rest)))) }
	d := at(index.lo)
	for i := index.lo; i < index.hi; i++ {
		d = d.join(at(i + 1))
	}
	return d
}
