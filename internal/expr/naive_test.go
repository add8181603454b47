package expr_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	. "github.com/everyway-go/everyway/internal/expr"
)

// tree is an expression as it was asked for, before any simplification.
type tree struct {
	op    Op
	width uint8 // of the elements, of an array
	lo    uint8 // width of the indexes, of an array
	value uint64
	name  string
	args  []*tree
}

// build makes t in the arena, with all simplification.
func (t *tree) build(a *Arena) ID {
	args := make([]ID, len(t.args))
	for i, arg := range t.args {
		args[i] = arg.build(a)
	}
	switch t.op {
	case Const:
		return a.Const(t.value, t.width)
	case Var:
		return a.Var(t.name, t.width)
	case Not:
		return a.Not(args[0])
	case Neg:
		return a.Neg(args[0])
	case Ite:
		return a.Ite(args[0], args[1], args[2])
	case Extract:
		return a.Extract(args[0], t.lo, t.width)
	case ZExt:
		return a.ZExt(args[0], t.width)
	case SExt:
		return a.SExt(args[0], t.width)
	case Table:
		last := len(args) - 1
		return a.Table(t.lo, args[:last], args[last])
	case Store:
		return a.Store(args[0], args[1], args[2])
	case Select:
		return a.Select(args[0], args[1])
	case FSqrt:
		return a.FSqrt(args[0])
	case FConv:
		return a.FConv(args[0], t.width)
	case FToS:
		return a.FToS(args[0], t.width)
	case SToF:
		return a.SToF(args[0], t.width)
	case UToF:
		return a.UToF(args[0], t.width)
	case FRound:
		return a.FRound(args[0], Rounding(t.lo))
	}
	return a.Binary(t.op, args[0], args[1])
}

// eval computes t over big integers, straight from the definitions in SMT-LIB.
func (t *tree) eval(env map[string]uint64) uint64 {
	modulus := func(width uint8) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(width)) }
	unsigned := func(t *tree) *big.Int { return new(big.Int).SetUint64(t.eval(env)) }
	signed := func(t *tree) *big.Int {
		v := unsigned(t)
		if v.Bit(int(t.width)-1) == 1 {
			v.Sub(v, modulus(t.width))
		}
		return v
	}
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	udiv := func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return new(big.Int).Sub(modulus(t.width), big.NewInt(1))
		}
		return new(big.Int).Div(x, y)
	}
	urem := func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return x
		}
		return new(big.Int).Mod(x, y)
	}
	r := new(big.Int)
	switch t.op {
	case Const:
		r.SetUint64(t.value)
	case Var:
		r.SetUint64(env[t.name])
	case Not:
		r.Not(unsigned(t.args[0]))
	case Neg:
		r.Neg(unsigned(t.args[0]))
	case And:
		r.And(unsigned(t.args[0]), unsigned(t.args[1]))
	case Or:
		r.Or(unsigned(t.args[0]), unsigned(t.args[1]))
	case Xor:
		r.Xor(unsigned(t.args[0]), unsigned(t.args[1]))
	case Add:
		r.Add(unsigned(t.args[0]), unsigned(t.args[1]))
	case Sub:
		r.Sub(unsigned(t.args[0]), unsigned(t.args[1]))
	case Mul:
		r.Mul(unsigned(t.args[0]), unsigned(t.args[1]))
	case UMulHi:
		r.Mul(unsigned(t.args[0]), unsigned(t.args[1]))
		r.Rsh(r, uint(t.width))
	case UDiv:
		r = udiv(unsigned(t.args[0]), unsigned(t.args[1]))
	case URem:
		r = urem(unsigned(t.args[0]), unsigned(t.args[1]))
	case SDiv: // on magnitudes, then the sign
		x, y := signed(t.args[0]), signed(t.args[1])
		negate := (x.Sign() < 0) != (y.Sign() < 0)
		if r = udiv(x.Abs(x), y.Abs(y)); negate {
			r.Neg(r)
		}
	case SRem: // on magnitudes, then the sign of x
		x, y := signed(t.args[0]), signed(t.args[1])
		negate := x.Sign() < 0
		if r = urem(x.Abs(x), y.Abs(y)); negate {
			r.Neg(r)
		}
	case Shl:
		for r, n := unsigned(t.args[0]), unsigned(t.args[1]); ; n.Sub(n, big.NewInt(1)) {
			if n.Sign() == 0 || r.Sign() == 0 {
				return r.Uint64()
			}
			r.Lsh(r, 1).Mod(r, modulus(t.width))
		}
	case LShr:
		if n := unsigned(t.args[1]); n.Cmp(big.NewInt(int64(t.width))) < 0 {
			r.Rsh(unsigned(t.args[0]), uint(n.Uint64()))
		}
	case AShr:
		n := min(t.args[1].eval(env), uint64(t.width))
		r.Rsh(signed(t.args[0]), uint(n))
	case Eq:
		r = truth(unsigned(t.args[0]).Cmp(unsigned(t.args[1])) == 0)
	case Ult:
		r = truth(unsigned(t.args[0]).Cmp(unsigned(t.args[1])) < 0)
	case Ule:
		r = truth(unsigned(t.args[0]).Cmp(unsigned(t.args[1])) <= 0)
	case Slt:
		r = truth(signed(t.args[0]).Cmp(signed(t.args[1])) < 0)
	case Sle:
		r = truth(signed(t.args[0]).Cmp(signed(t.args[1])) <= 0)
	case Ite:
		if t.args[0].eval(env) == 1 {
			return t.args[1].eval(env)
		}
		return t.args[2].eval(env)
	case Extract:
		r.Rsh(unsigned(t.args[0]), uint(t.lo))
	case Concat:
		r.Lsh(unsigned(t.args[0]), uint(t.args[1].width))
		r.Or(r, unsigned(t.args[1]))
	case ZExt:
		r = unsigned(t.args[0])
	case SExt:
		r = signed(t.args[0])
	case Select:
		return t.args[0].element(env, t.args[1].eval(env))
	case SToF:
		return roundBig(new(big.Float).SetInt(signed(t.args[0])), t.width)
	case UToF:
		return roundBig(new(big.Float).SetInt(unsigned(t.args[0])), t.width)
	default:
		return t.evalFloat(env)
	}
	return r.Mod(r, modulus(t.width)).Uint64()
}

// element computes the element of the array t at index i.
func (t *tree) element(env map[string]uint64, i uint64) uint64 {
	last := len(t.args) - 1
	switch {
	case t.op == Store && t.args[1].eval(env) == i:
		return t.args[2].eval(env)
	case t.op == Store:
		return t.args[0].element(env, i)
	case i < uint64(last):
		return t.args[i].eval(env)
	}
	return t.args[last].eval(env)
}

// vars collects the widths of the variables of t.
func (t *tree) vars(widths map[string]uint8) {
	if t.op == Var {
		widths[t.name] = t.width
	}
	for _, arg := range t.args {
		arg.vars(widths)
	}
}

// assignments calls f with every assignment to the variables of t; of a variable
// too wide for that it takes some values, among them those that floats turn on.
func (t *tree) assignments(f func(env map[string]uint64)) {
	widths := map[string]uint8{}
	t.vars(widths)
	var names []string
	for name := range widths {
		names = append(names, name)
	}
	env := map[string]uint64{}
	var assign func(i int)
	assign = func(i int) {
		if i == len(names) {
			f(env)
			return
		}
		width := widths[names[i]]
		try := func(v uint64) {
			env[names[i]] = v
			assign(i + 1)
		}
		if width < 32 {
			for v := range uint64(1) << width {
				try(v)
			}
			return
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range 60 {
			try(boundaryFloat(r, width))
		}
	}
	assign(0)
}

var treeOps = map[string]Op{
	"not": Not, "neg": Neg, "and": And, "or": Or, "xor": Xor, "add": Add, "sub": Sub, "mul": Mul, "mulhi": UMulHi,
	"udiv": UDiv, "sdiv": SDiv, "urem": URem, "srem": SRem, "shl": Shl, "lshr": LShr, "ashr": AShr,
	"=": Eq, "<": Ult, "<=": Ule, "<s": Slt, "<=s": Sle, "ite": Ite, "concat": Concat,
	"table": Table, "store": Store, "select": Select,
	"extract": Extract, "zext": ZExt, "sext": SExt,
	"f+": FAdd, "f*": FMul, "f/": FDiv, "fsqrt": FSqrt, "f=": FEq, "f<": FLt, "f<=": FLe,
	"fconv": FConv, "ftos": FToS, "stof": SToF, "utof": UToF, "fround": FRound,
}

// parseTree reads the notation of the tests: (add x 3), (zext 4 x),
// (extract lo width x), (table indexwidth elem elem rest). A name is a variable and a number, perhaps negative, a
// constant; both have the width given unless :n follows them.
func parseTree(text string, width uint8) *tree {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var parse func() *tree
	next := func() string {
		t := tokens[0]
		tokens = tokens[1:]
		return t
	}
	number := func() uint8 {
		n, err := strconv.Atoi(next())
		if err != nil {
			panic(err)
		}
		return uint8(n)
	}
	parse = func() *tree {
		token := next()
		if token != "(" {
			w := width
			if name, n, ok := strings.Cut(token, ":"); ok {
				v, err := strconv.Atoi(n)
				if err != nil {
					panic(err)
				}
				token, w = name, uint8(v)
			}
			if v, err := strconv.ParseInt(token, 0, 64); err == nil {
				return &tree{op: Const, width: w, value: uint64(v) & (^uint64(0) >> (64 - w))}
			}
			return &tree{op: Var, width: w, name: fmt.Sprintf("%s%d", token, w)}
		}
		op, ok := treeOps[next()]
		if !ok {
			panic("unknown operator in " + text)
		}
		t := &tree{op: op}
		switch op {
		case Extract:
			t.lo = number()
			t.width = number()
		case FRound:
			t.lo = number()
		case ZExt, SExt, FConv, FToS, SToF, UToF:
			t.width = number()
		case Table:
			t.lo = number()
		}
		for tokens[0] != ")" {
			t.args = append(t.args, parse())
		}
		next()
		switch op {
		case Extract, ZExt, SExt, FConv, FToS, SToF, UToF:
		case Eq, Ult, Ule, Slt, Sle, FEq, FLt, FLe:
			t.width = 1
		case Concat:
			t.width = t.args[0].width + t.args[1].width
		case Store, Select:
			t.width, t.lo = t.args[0].width, t.args[0].lo
		default:
			t.width = t.args[len(t.args)-1].width
		}
		return t
	}
	return parse()
}
