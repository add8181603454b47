package bitblast

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// A Blaster turns expressions over bit-vectors into a circuit.
type Blaster struct {
	circuit
	arena  *expr.Arena
	budget int64
	facts  KnownBits

	abandoned bool // the answer is not wanted: not all words are right

	words   wordMap
	divided map[division]quotient
	reads   []read // of arrays, but those that are circuits
}

// KnownBits returns the bits of an expression that are known to be 0 and to be 1, if
// anything is known of it.
type KnownBits func(x expr.ID) (zeros, ones uint64, ok bool)

// word is the bits of an expression, the lowest first. It is never changed.
type word []sat.Lit

// division is a pair of operands; quotient and remainder come together.
type division struct {
	x, y   expr.ID
	signed bool
}

type quotient struct{ quo, rem word }

// New returns a blaster of expressions of the arena. It needs a Reset before it is
// used.
func New(a *expr.Arena) *Blaster {
	b := &Blaster{arena: a, divided: map[division]quotient{}}
	b.circuit.sat = sat.New(nil)
	return b
}

// Reset starts a new formula, on which the given units of work may be spent. All
// the clauses together have to imply the facts, if those are not nil. The proof, if
// it is not nil, is given every clause.
func (b *Blaster) Reset(budget int64, facts KnownBits, proof sat.Proof) {
	b.circuit.reset(proof)
	b.sat.SetBudget(budget)
	b.budget = budget
	b.abandoned = false
	b.facts = facts
	b.words.reset(b.arena.Len())
	clear(b.divided)
	b.reads = b.reads[:0]
}

// SAT returns the solver that has the clauses of the circuit, to which others can be
// added. It is solved by Solve.
func (b *Blaster) SAT() *sat.Solver { return b.sat }

// Literal returns the literal that stands for x, which has width 1.
func (b *Blaster) Literal(x expr.ID) sat.Lit { return b.word(x)[0] }

// word returns the bits of x. Once the budget is spent, the bits of what is new are left
// free: then an answer of unsat still holds, and the solver does not answer sat. Once the
// answer is not wanted any more, they are anything, and there is none.
func (b *Blaster) word(x expr.ID) word {
	if w, ok := b.words.get(x); ok {
		return w
	}
	b.buildOperands(x)
	var w word
	switch width := int(b.arena.Width(x)); {
	case b.abandoned || b.sat.Done():
		b.abandoned = true
		w = b.constWord(0, width)
	case b.sat.Work() > b.budget:
		w = b.free(width)
	default:
		w = b.build(x)
		b.imply(x, w)
	}
	b.words.set(x, w)
	return w
}

// buildOperands makes the words of the operands of x, in the order in which build asks for
// them. So what they have cost is known before x is built, also if x is the top of a deep
// expression.
func (b *Blaster) buildOperands(x expr.ID) {
	a := b.arena
	n := a.NumArgs(x)
	switch a.Op(x) {
	case expr.Select: // an array has no word
	case expr.Ule, expr.Sle, expr.Concat:
		for i := n - 1; i >= 0; i-- {
			b.word(a.Arg(x, i))
		}
	default:
		for i := range n {
			b.word(a.Arg(x, i))
		}
	}
}

// imply fixes those bits of x that are known. That saves no clauses of x itself, but
// what is built on constants is smaller.
func (b *Blaster) imply(x expr.ID, w word) {
	if b.facts == nil {
		return
	}
	zeros, ones, ok := b.facts(x)
	if !ok {
		return
	}
	for i, l := range w {
		switch {
		case zeros>>i&1 == 1:
			b.sat.Add(l.Not())
		case ones>>i&1 == 1:
			b.sat.Add(l)
		}
	}
}

func (b *Blaster) build(x expr.ID) word {
	a := b.arena
	width := int(a.Width(x))
	arg := func(i int) word { return b.word(a.Arg(x, i)) }
	switch op := a.Op(x); op {
	case expr.Const:
		v, _ := a.ConstValue(x)
		return b.constWord(v, width)
	case expr.Var:
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
		return b.choose(b.Literal(a.Arg(x, 0)), arg(1), arg(2))
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
		panic("bitblast: no circuit for " + op.String())
	}
}

// Value returns the value of x in the model found, 0 if its word has not been built:
// then nothing depends on it.
func (b *Blaster) Value(x expr.ID) uint64 {
	w, _ := b.words.get(x)
	return b.wordValue(w)
}

// wordValue returns the value of a word in the model found.
func (b *Blaster) wordValue(w word) uint64 {
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
func (b *Blaster) free(width int) word {
	w := make(word, width)
	for i := range w {
		w[width-1-i] = b.newVar()
	}
	return w
}

func (b *Blaster) constWord(v uint64, width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = b.constant(v>>i&1 == 1)
	}
	return w
}

// known returns the value of a word all of whose bits are constant.
func (b *Blaster) known(w word) (v uint64, ok bool) {
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
