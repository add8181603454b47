package expr

// memo holds the values of subexpressions during one evaluation.
type memo struct {
	stamp []uint32 // stamp[x] == round: value[x] is of this evaluation
	value []uint64
	round uint32
}

// Eval computes x with value giving the value of each variable; bits of it
// above the width of the variable are ignored. A shared subexpression is
// computed once.
func (a *Arena) Eval(x ID, value func(v ID) uint64) uint64 {
	m := a.memo
	if m == nil {
		m = &memo{}
	}
	a.memo = nil // value may call Eval
	m.round++
	if m.round == 0 { // stamps of 2^32 evaluations ago would look new
		clear(m.stamp)
		m.round = 1
	}
	if len(m.stamp) <= int(x) {
		m.stamp = make([]uint32, cap(a.nodes))
		m.value = make([]uint64, cap(a.nodes))
	}
	r := a.eval(m, x, value)
	a.memo = m
	return r
}

func (a *Arena) eval(m *memo, x ID, value func(v ID) uint64) uint64 {
	n := &a.nodes[x]
	if n.op == Const {
		return n.value()
	}
	if m.stamp[x] == m.round {
		return m.value[x]
	}
	var r uint64
	switch n.op {
	case Var:
		r = value(x) & mask(n.width)
	case Not:
		r = ^a.eval(m, n.args[0], value) & mask(n.width)
	case Neg:
		r = -a.eval(m, n.args[0], value) & mask(n.width)
	case ZExt:
		r = a.eval(m, n.args[0], value)
	case SExt:
		r = uint64(signed(a.eval(m, n.args[0], value), a.nodes[n.args[0]].width)) & mask(n.width)
	case Extract:
		r = a.eval(m, n.args[0], value) >> n.lo & mask(n.width)
	case Concat:
		r = a.eval(m, n.args[0], value)<<a.nodes[n.args[1]].width | a.eval(m, n.args[1], value)
	case Ite:
		if a.eval(m, n.args[0], value) == 1 {
			r = a.eval(m, n.args[1], value)
		} else {
			r = a.eval(m, n.args[2], value)
		}
	default:
		r = apply(n.op, a.nodes[n.args[0]].width, a.eval(m, n.args[0], value), a.eval(m, n.args[1], value))
	}
	m.stamp[x], m.value[x] = m.round, r
	return r
}
