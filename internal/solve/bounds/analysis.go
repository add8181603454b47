package bounds

import "github.com/everyway-go/everyway/internal/expr"

// Limits of an analysis: passes over a conjunction, expressions in it, and elements of
// a table that are looked at.
const (
	maxRounds = 4
	maxNodes  = 20_000
	maxTable  = 64
)

// An Analysis bounds the values of each expression in a conjunction whose conjuncts
// are all true. Domains are computed from operands to results and back, over and
// over, until nothing changes: they bound the values in every model, so where one
// becomes empty there is no model.
type Analysis struct {
	arena *expr.Arena

	// The expressions of the conjunction, operands first.
	nodes    []node
	operands []int32 // of nodes, one after another
	changed  bool
	empty    bool

	// By ID: the index in nodes of those that have the stamp of the round.
	round  uint32
	stamps []uint32
	index  []int32
	stack  []expr.ID
}

// node is an expression with what is known of its values.
type node struct {
	x           expr.ID
	op          expr.Op
	width, lo   uint8 // lo as in expr.ExtractLo
	first, last int32 // operands
	domain      domain
}

// New returns an analysis of expressions of the arena.
func New(a *expr.Arena) *Analysis { return &Analysis{arena: a} }

// Refute reports whether it has found a contradiction between the conjuncts. If it
// has not, what it has found out stays known until the next call.
func (b *Analysis) Refute(conj []expr.ID) bool {
	if !b.collect(conj) {
		return false
	}
	for _, x := range conj {
		b.narrow(b.index[x], exactly(1, 1))
	}
	for range maxRounds {
		b.changed = false
		for i := range b.nodes {
			b.forward(int32(i))
			if b.empty {
				return true
			}
		}
		for i := len(b.nodes) - 1; i >= 0; i-- {
			b.backward(&b.nodes[i])
			if b.empty {
				return true
			}
		}
		if !b.changed {
			break
		}
	}
	return false
}

// forget discards what is known.
func (b *Analysis) forget() {
	b.nodes, b.operands = b.nodes[:0], b.operands[:0]
	b.empty = false
	if b.round++; b.round == 0 || len(b.stamps) <= b.arena.Len() {
		n := 2*b.arena.Len() + 1
		b.round = 1
		b.stamps = make([]uint32, n)
		b.index = make([]int32, n)
	}
}

// collect lists the expressions in the conjuncts. It reports false if there are too
// many.
func (b *Analysis) collect(conj []expr.ID) bool {
	b.forget()
	for _, p := range conj {
		b.stack = append(b.stack[:0], p)
		for len(b.stack) > 0 {
			x := b.stack[len(b.stack)-1]
			if b.stamps[x] == b.round {
				b.stack = b.stack[:len(b.stack)-1]
				continue
			}
			n, waiting := b.arena.NumArgs(x), false
			for i := range n {
				if arg := b.arena.Arg(x, i); b.stamps[arg] != b.round {
					b.stack = append(b.stack, arg)
					waiting = true
				}
			}
			if waiting {
				continue
			}
			if len(b.nodes) == maxNodes {
				b.forget()
				return false
			}
			b.stack = b.stack[:len(b.stack)-1]
			b.add(x, n)
		}
	}
	return true
}

// add appends an expression whose n operands are there.
func (b *Analysis) add(x expr.ID, n int) {
	a := b.arena
	node := node{x: x, op: a.Op(x), width: a.Width(x), first: int32(len(b.operands))}
	for i := range n {
		b.operands = append(b.operands, b.index[a.Arg(x, i)])
	}
	node.last = int32(len(b.operands))
	switch {
	case node.op == expr.Const:
		v, _ := a.ConstValue(x)
		node.domain = exactly(v, node.width)
	case node.width > 0:
		node.domain = anything(node.width)
	}
	if node.op == expr.Extract {
		node.lo = a.ExtractLo(x)
	}
	b.stamps[x], b.index[x] = b.round, int32(len(b.nodes))
	b.nodes = append(b.nodes, node)
}

// Range returns bounds of x as an unsigned number, if anything is known of it.
func (b *Analysis) Range(x expr.ID) (lo, hi uint64, ok bool) {
	d, ok := b.domain(x)
	return d.lo, d.hi, ok
}

// KnownBits returns the bits of x that are known to be 0 and to be 1, if anything is
// known of it.
func (b *Analysis) KnownBits(x expr.ID) (zeros, ones uint64, ok bool) {
	d, ok := b.domain(x)
	return d.zeros, d.ones, ok
}

// domain returns what is known of x.
func (b *Analysis) domain(x expr.ID) (domain, bool) {
	if int(x) >= len(b.stamps) || b.stamps[x] != b.round {
		return domain{}, false
	}
	return b.nodes[b.index[x]].domain, true
}

// UnknownFactors returns a factor of each product in which none is known, and the
// divisors that are not known.
func (b *Analysis) UnknownFactors() []expr.ID {
	var list []expr.ID
	for i := range b.nodes {
		n := &b.nodes[i]
		switch n.op {
		case expr.Mul, expr.UMulHi, expr.UDiv, expr.URem, expr.SDiv, expr.SRem:
			if _, ok := b.operand(n, 0).value(); ok && n.op <= expr.UMulHi {
				continue
			}
			if _, ok := b.operand(n, 1).value(); !ok {
				list = append(list, b.nodes[b.operands[n.first+1]].x)
			}
		}
	}
	return list
}

// narrow narrows the domain of the node of index i to what is in d, too.
func (b *Analysis) narrow(i int32, d domain) {
	n := &b.nodes[i]
	if n.width == 0 {
		return
	}
	d = n.domain.meet(d)
	if d == n.domain {
		return
	}
	if !d.tighten(n.width) {
		b.empty = true
	} else if d != n.domain {
		n.domain = d
		b.changed = true
	}
}

// operand returns the domain of operand i of n.
func (b *Analysis) operand(n *node, i int32) *domain { return &b.nodes[b.operands[n.first+i]].domain }

// refine is narrow for operand i of n.
func (b *Analysis) refine(n *node, i int32, d domain) { b.narrow(b.operands[n.first+i], d) }

// widthOf returns the width of operand i of n.
func (b *Analysis) widthOf(n *node, i int32) uint8 { return b.nodes[b.operands[n.first+i]].width }
