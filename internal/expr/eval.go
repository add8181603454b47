package expr

// Evaluator computes expressions of an arena under one assignment after
// another. Between calls of Start it computes each subexpression once.
type Evaluator struct {
	arena  *Arena
	value  func(v ID) uint64
	stamps []uint32 // stamps[x] == round: values[x] is of this assignment
	values []uint64
	round  uint32
	steps  int
}

// NewEvaluator returns an evaluator of expressions of a. Before the first Eval
// it needs a Start.
func NewEvaluator(a *Arena) *Evaluator { return &Evaluator{arena: a} }

// Start makes value give the values of variables from now on; bits above the
// width of a variable are ignored. Start is also called when the assignment
// behind value has changed or the arena was released.
func (e *Evaluator) Start(value func(v ID) uint64) {
	e.value = value
	if e.round++; e.round == 0 { // stamps of 2^32 assignments ago would look new
		clear(e.stamps)
		e.round = 1
	}
}

// Steps returns how many variables and operators have been computed so far.
func (e *Evaluator) Steps() int { return e.steps }

// Eval computes x, which is no array.
func (e *Evaluator) Eval(x ID) uint64 {
	if len(e.stamps) <= int(x) {
		n := cap(e.arena.nodes)
		e.stamps = append(e.stamps, make([]uint32, n-len(e.stamps))...)
		e.values = append(e.values, make([]uint64, n-len(e.values))...)
	}
	return e.eval(x)
}

func (e *Evaluator) eval(x ID) uint64 {
	a := e.arena
	n := &a.nodes[x]
	if n.op == Const {
		return n.value()
	}
	if e.stamps[x] == e.round {
		return e.values[x]
	}
	e.steps++
	var r uint64
	switch n.op {
	case Var:
		r = e.value(x) & mask(n.width)
	case Not:
		r = ^e.eval(n.args[0]) & mask(n.width)
	case Neg:
		r = -e.eval(n.args[0]) & mask(n.width)
	case ZExt:
		r = e.eval(n.args[0])
	case SExt:
		r = uint64(signed(e.eval(n.args[0]), a.nodes[n.args[0]].width)) & mask(n.width)
	case Extract:
		r = e.eval(n.args[0]) >> n.lo & mask(n.width)
	case Concat:
		r = e.eval(n.args[0])<<a.nodes[n.args[1]].width | e.eval(n.args[1])
	case Ite:
		if e.eval(n.args[0]) == 1 {
			r = e.eval(n.args[1])
		} else {
			r = e.eval(n.args[2])
		}
	case Select:
		r = e.Element(n.args[0], e.eval(n.args[1]))
	case FRound:
		r = round(Rounding(n.lo), n.width, e.eval(n.args[0]))
	case FSqrt, FConv, FToS, SToF, UToF:
		r = convertFloat(n.op, a.nodes[n.args[0]].width, n.width, e.eval(n.args[0]))
	default:
		r = apply(n.op, a.nodes[n.args[0]].width, e.eval(n.args[0]), e.eval(n.args[1]))
	}
	e.stamps[x], e.values[x] = e.round, r
	return r
}

// Element computes the element of an array at the index i.
func (e *Evaluator) Element(array ID, i uint64) uint64 {
	for {
		e.steps++
		n := &e.arena.nodes[array]
		if n.op == Table {
			args := e.arena.operands(n)
			return e.eval(args[min(i, uint64(len(args)-1))])
		}
		if e.eval(n.args[1]) == i {
			return e.eval(n.args[2])
		}
		array = n.args[0]
	}
}

// Eval computes x with value giving the value of each variable; bits above the
// width of a variable are ignored. A shared subexpression is computed once.
func (a *Arena) Eval(x ID, value func(v ID) uint64) uint64 {
	e := a.evaluator
	if e == nil {
		e = NewEvaluator(a)
	}
	a.evaluator = nil // value may call Eval
	e.Start(value)
	r := e.Eval(x)
	a.evaluator = e
	return r
}
