package expr

// products returns how many products and remainders of variables the sums and
// differences at the top of the new node n hold, at most 255.
func (a *Arena) products(n *node) uint8 {
	of := func(i int) int { return int(a.nodes[n.args[i]].products) }
	count := 0
	switch n.op {
	case Neg, Not:
		count = of(0)
	case Add, Sub:
		count = of(0) + of(1)
	case Mul:
		count = of(0) + of(1)
		if !a.isConst(n.args[1]) {
			count++
		}
	case URem, SRem:
		count = 1
	case Concat:
		if x, _, ok := a.shifted(n); ok {
			count = int(a.nodes[x].products)
		}
	}
	return uint8(min(count, 255))
}

// shifted returns x and k if the Concat n stands for x << k.
func (a *Arena) shifted(n *node) (x ID, k uint8, ok bool) {
	hi, low := &a.nodes[n.args[0]], n.args[1]
	if hi.op != Extract || hi.lo != 0 || a.nodes[hi.args[0]].width != n.width || !a.is(low, 0) {
		return None, 0, false
	}
	return hi.args[0], a.nodes[low].width, true
}
