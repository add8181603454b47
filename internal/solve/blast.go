package solve

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// blaster turns expressions over bit-vectors into a circuit.
type blaster struct {
	circuit
	arena  *expr.Arena
	budget int64
	facts  *bounder // bounds of values that all the clauses together imply, or nil

	words   wordMap
	divided map[division]quotient
	vars    []expr.ID // those met, in order
	reads   []read    // of arrays, but those that are circuits
}

// word is the bits of an expression, the lowest first. It is never changed.
type word []sat.Lit

// division is a pair of operands; quotient and remainder come together.
type division struct {
	x, y   expr.ID
	signed bool
}

type quotient struct{ quo, rem word }

func newBlaster(a *expr.Arena) *blaster {
	b := &blaster{arena: a, divided: map[division]quotient{}}
	b.circuit.sat = sat.New(nil)
	return b
}

// reset starts a new formula, on which the given units of work may be spent.
// proof is told of all that is said about it, if it is not nil.
func (b *blaster) reset(budget int64, proof sat.Proof) {
	b.circuit.reset(proof)
	b.sat.SetBudget(budget)
	b.budget = budget
	b.facts = nil
	b.words.reset(b.arena.Len())
	clear(b.divided)
	b.vars = b.vars[:0]
	b.reads = b.reads[:0]
}

// literal returns the literal that stands for x, which has width 1.
func (b *blaster) literal(x expr.ID) sat.Lit { return b.word(x)[0] }

// word returns the bits of x. Once the budget is spent, the bits of what is
// new are left free: then an answer of unsat still holds, and the solver does
// not answer sat.
func (b *blaster) word(x expr.ID) word {
	if w, ok := b.words.get(x); ok {
		return w
	}
	var w word
	if b.sat.Work() > b.budget {
		w = b.free(int(b.arena.Width(x)))
	} else {
		w = b.build(x)
		b.imply(x, w)
	}
	b.words.set(x, w)
	return w
}

// imply fixes those bits of x that are known. The clauses are not fewer for that,
// but what is built on constants is smaller.
func (b *blaster) imply(x expr.ID, w word) {
	if b.facts == nil {
		return
	}
	d, ok := b.facts.domain(x)
	if !ok {
		return
	}
	for i, l := range w {
		switch {
		case d.zeros>>i&1 == 1:
			b.sat.Add(l.Not())
		case d.ones>>i&1 == 1:
			b.sat.Add(l)
		}
	}
}

func (b *blaster) build(x expr.ID) word {
	a := b.arena
	width := int(a.Width(x))
	arg := func(i int) word { return b.word(a.Arg(x, i)) }
	switch op := a.Op(x); op {
	case expr.Const:
		v, _ := a.ConstValue(x)
		return b.constWord(v, width)
	case expr.Var:
		b.vars = append(b.vars, x)
		return b.free(width)
	case expr.Not:
		return not(arg(0))
	case expr.Neg:
		return b.add(b.constWord(0, width), not(arg(0)), b.truth)
	case expr.And:
		return bitwise(arg(0), arg(1), b.and)
	case expr.Or:
		return bitwise(arg(0), arg(1), b.or)
	case expr.Xor:
		return bitwise(arg(0), arg(1), b.xor)
	case expr.Add:
		return b.add(arg(0), arg(1), b.truth.Not())
	case expr.Sub:
		return b.add(arg(0), not(arg(1)), b.truth)
	case expr.Mul:
		return b.product(arg(0), arg(1))
	case expr.UMulHi: // of the product whose low half Mul has
		zero := b.truth.Not()
		return b.product(extend(arg(0), 2*width, zero), extend(arg(1), 2*width, zero))[width:]
	case expr.UDiv, expr.SDiv:
		return b.division(x).quo
	case expr.URem, expr.SRem:
		return b.division(x).rem
	case expr.Shl: // the other way round, shifted right
		return reverse(b.shiftRight(reverse(arg(0)), arg(1), b.truth.Not()))
	case expr.LShr:
		return b.shiftRight(arg(0), arg(1), b.truth.Not())
	case expr.AShr:
		p := arg(0)
		return b.shiftRight(p, arg(1), p[len(p)-1])
	case expr.Eq:
		return word{b.equal(arg(0), arg(1))}
	case expr.Ult:
		return word{b.less(arg(0), arg(1))}
	case expr.Ule:
		return word{b.less(arg(1), arg(0)).Not()}
	case expr.Slt:
		return word{b.less(flipSign(arg(0)), flipSign(arg(1)))}
	case expr.Sle:
		return word{b.less(flipSign(arg(1)), flipSign(arg(0))).Not()}
	case expr.Ite:
		return b.choose(b.literal(a.Arg(x, 0)), arg(1), arg(2))
	case expr.Select:
		return b.element(x)
	case expr.Extract:
		lo := int(a.ExtractLo(x))
		return arg(0)[lo : lo+width : lo+width]
	case expr.Concat:
		return append(append(make(word, 0, width), arg(1)...), arg(0)...)
	case expr.ZExt:
		return extend(arg(0), width, b.truth.Not())
	case expr.SExt:
		p := arg(0)
		return extend(p, width, p[len(p)-1])
	case expr.FAdd:
		return b.addFloat(formatOf(uint8(width)), arg(0), arg(1))
	case expr.FMul:
		return b.mulFloat(formatOf(uint8(width)), arg(0), arg(1))
	case expr.FDiv:
		return b.divFloat(formatOf(uint8(width)), arg(0), arg(1))
	case expr.FSqrt:
		return b.sqrtFloat(formatOf(uint8(width)), arg(0))
	case expr.FRound:
		return b.roundToWhole(formatOf(uint8(width)), a.FRounding(x), arg(0))
	case expr.FEq, expr.FLt, expr.FLe:
		return b.compareFloat(op, formatOf(a.Width(a.Arg(x, 0))), arg(0), arg(1))
	case expr.FConv:
		return b.convFloat(formatOf(a.Width(a.Arg(x, 0))), formatOf(uint8(width)), arg(0))
	case expr.FToS:
		return b.toInteger(formatOf(a.Width(a.Arg(x, 0))), arg(0), width)
	case expr.SToF, expr.UToF:
		return b.fromInteger(formatOf(uint8(width)), arg(0), op == expr.SToF)
	default:
		panic("solve: no circuit for " + op.String())
	}
}

// value returns the value of x in the model found, 0 if its word has not been built:
// then nothing depends on it.
func (b *blaster) value(x expr.ID) uint64 {
	w, _ := b.words.get(x)
	return b.wordValue(w)
}

// wordValue returns the value of a word in the model found.
func (b *blaster) wordValue(w word) uint64 {
	var v uint64
	for i, l := range w {
		if b.sat.Value(l) {
			v |= 1 << i
		}
	}
	return v
}

// free returns a word of new variables. The highest bits come first, so that
// they are decided first.
func (b *blaster) free(width int) word {
	w := make(word, width)
	for i := range w {
		w[width-1-i] = b.newVar()
	}
	return w
}

func (b *blaster) constWord(v uint64, width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = b.constant(v>>i&1 == 1)
	}
	return w
}

// known returns the value of a word all of whose bits are constant.
func (b *blaster) known(w word) (v uint64, ok bool) {
	for i, l := range w {
		switch b.fold(l) {
		case b.truth:
			v |= 1 << i
		case b.truth.Not():
		default:
			return 0, false
		}
	}
	return v, true
}
