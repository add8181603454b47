package exprtest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
)

// A Tree is an expression before any simplification.
type Tree struct {
	Op    expr.Op
	Width uint8  // of the elements, of an array
	Lo    uint8  // as in expr.Arena.ExtractLo; width of the indexes, of an array; the rounding, of FRound
	Value uint64 // of a Const
	Name  string // of a Var
	Args  []*Tree
}

// Build makes t in the arena, with all simplification.
func (t *Tree) Build(a *expr.Arena) expr.ID {
	args := make([]expr.ID, len(t.Args))
	for i, arg := range t.Args {
		args[i] = arg.Build(a)
	}
	switch t.Op {
	case expr.Const:
		return a.Const(t.Value, t.Width)
	case expr.Var:
		return a.Var(t.Name, t.Width)
	case expr.Not:
		return a.Not(args[0])
	case expr.Neg:
		return a.Neg(args[0])
	case expr.Ite:
		return a.Ite(args[0], args[1], args[2])
	case expr.Extract:
		return a.Extract(args[0], t.Lo, t.Width)
	case expr.ZExt:
		return a.ZExt(args[0], t.Width)
	case expr.SExt:
		return a.SExt(args[0], t.Width)
	case expr.Table:
		last := len(args) - 1
		return a.Table(t.Lo, args[:last], args[last])
	case expr.Store:
		return a.Store(args[0], args[1], args[2])
	case expr.Select:
		return a.Select(args[0], args[1])
	case expr.FSqrt:
		return a.FSqrt(args[0])
	case expr.FConv:
		return a.FConv(args[0], t.Width)
	case expr.FToS:
		return a.FToS(args[0], t.Width)
	case expr.SToF:
		return a.SToF(args[0], t.Width)
	case expr.UToF:
		return a.UToF(args[0], t.Width)
	case expr.FRound:
		return a.FRound(args[0], expr.Rounding(t.Lo))
	}
	return a.Binary(t.Op, args[0], args[1])
}

// Eval computes t over big integers, straight from the definitions in SMT-LIB.
func (t *Tree) Eval(env map[string]uint64) uint64 {
	modulus := func(width uint8) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(width)) }
	unsigned := func(t *Tree) *big.Int { return new(big.Int).SetUint64(t.Eval(env)) }
	signed := func(t *Tree) *big.Int {
		v := unsigned(t)
		if v.Bit(int(t.Width)-1) == 1 {
			v.Sub(v, modulus(t.Width))
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
			return new(big.Int).Sub(modulus(t.Width), big.NewInt(1))
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
	switch t.Op {
	case expr.Const:
		r.SetUint64(t.Value)
	case expr.Var:
		r.SetUint64(env[t.Name])
	case expr.Not:
		r.Not(unsigned(t.Args[0]))
	case expr.Neg:
		r.Neg(unsigned(t.Args[0]))
	case expr.And:
		r.And(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.Or:
		r.Or(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.Xor:
		r.Xor(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.Add:
		r.Add(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.Sub:
		r.Sub(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.Mul:
		r.Mul(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.UMulHi:
		r.Mul(unsigned(t.Args[0]), unsigned(t.Args[1]))
		r.Rsh(r, uint(t.Width))
	case expr.UDiv:
		r = udiv(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.URem:
		r = urem(unsigned(t.Args[0]), unsigned(t.Args[1]))
	case expr.SDiv: // on magnitudes, then the sign
		x, y := signed(t.Args[0]), signed(t.Args[1])
		negate := (x.Sign() < 0) != (y.Sign() < 0)
		if r = udiv(x.Abs(x), y.Abs(y)); negate {
			r.Neg(r)
		}
	case expr.SRem: // on magnitudes, then the sign of x
		x, y := signed(t.Args[0]), signed(t.Args[1])
		negate := x.Sign() < 0
		if r = urem(x.Abs(x), y.Abs(y)); negate {
			r.Neg(r)
		}
	case expr.Shl:
		for r, n := unsigned(t.Args[0]), unsigned(t.Args[1]); ; n.Sub(n, big.NewInt(1)) {
			if n.Sign() == 0 || r.Sign() == 0 {
				return r.Uint64()
			}
			r.Lsh(r, 1).Mod(r, modulus(t.Width))
		}
	case expr.LShr:
		if n := unsigned(t.Args[1]); n.Cmp(big.NewInt(int64(t.Width))) < 0 {
			r.Rsh(unsigned(t.Args[0]), uint(n.Uint64()))
		}
	case expr.AShr:
		n := min(t.Args[1].Eval(env), uint64(t.Width))
		r.Rsh(signed(t.Args[0]), uint(n))
	case expr.Eq:
		r = truth(unsigned(t.Args[0]).Cmp(unsigned(t.Args[1])) == 0)
	case expr.Ult:
		r = truth(unsigned(t.Args[0]).Cmp(unsigned(t.Args[1])) < 0)
	case expr.Ule:
		r = truth(unsigned(t.Args[0]).Cmp(unsigned(t.Args[1])) <= 0)
	case expr.Slt:
		r = truth(signed(t.Args[0]).Cmp(signed(t.Args[1])) < 0)
	case expr.Sle:
		r = truth(signed(t.Args[0]).Cmp(signed(t.Args[1])) <= 0)
	case expr.Ite:
		if t.Args[0].Eval(env) == 1 {
			return t.Args[1].Eval(env)
		}
		return t.Args[2].Eval(env)
	case expr.Extract:
		r.Rsh(unsigned(t.Args[0]), uint(t.Lo))
	case expr.Concat:
		r.Lsh(unsigned(t.Args[0]), uint(t.Args[1].Width))
		r.Or(r, unsigned(t.Args[1]))
	case expr.ZExt:
		r = unsigned(t.Args[0])
	case expr.SExt:
		r = signed(t.Args[0])
	case expr.Select:
		return t.Args[0].element(env, t.Args[1].Eval(env))
	case expr.SToF:
		return roundBig(new(big.Float).SetInt(signed(t.Args[0])), t.Width)
	case expr.UToF:
		return roundBig(new(big.Float).SetInt(unsigned(t.Args[0])), t.Width)
	default:
		return t.evalFloat(env)
	}
	return r.Mod(r, modulus(t.Width)).Uint64()
}

// element computes the element of the array t at index i.
func (t *Tree) element(env map[string]uint64, i uint64) uint64 {
	last := len(t.Args) - 1
	switch {
	case t.Op == expr.Store && t.Args[1].Eval(env) == i:
		return t.Args[2].Eval(env)
	case t.Op == expr.Store:
		return t.Args[0].element(env, i)
	case i < uint64(last):
		return t.Args[i].Eval(env)
	}
	return t.Args[last].Eval(env)
}

// Vars collects the widths of the variables of t.
func (t *Tree) Vars(widths map[string]uint8) {
	if t.Op == expr.Var {
		widths[t.Name] = t.Width
	}
	for _, arg := range t.Args {
		arg.Vars(widths)
	}
}

// Assignments calls f with every assignment to the variables of t; of a variable
// too wide for that it takes some values, among them those that floats turn on.
func (t *Tree) Assignments(f func(env map[string]uint64)) {
	widths := map[string]uint8{}
	t.Vars(widths)
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
			try(BoundaryFloat(r, width))
		}
	}
	assign(0)
}

var treeOps = map[string]expr.Op{
	"not": expr.Not, "neg": expr.Neg, "and": expr.And, "or": expr.Or, "xor": expr.Xor, "add": expr.Add, "sub": expr.Sub, "mul": expr.Mul, "mulhi": expr.UMulHi,
	"udiv": expr.UDiv, "sdiv": expr.SDiv, "urem": expr.URem, "srem": expr.SRem, "shl": expr.Shl, "lshr": expr.LShr, "ashr": expr.AShr,
	"=": expr.Eq, "<": expr.Ult, "<=": expr.Ule, "<s": expr.Slt, "<=s": expr.Sle, "ite": expr.Ite, "concat": expr.Concat,
	"table": expr.Table, "store": expr.Store, "select": expr.Select,
	"extract": expr.Extract, "zext": expr.ZExt, "sext": expr.SExt,
	"f+": expr.FAdd, "f*": expr.FMul, "f/": expr.FDiv, "fsqrt": expr.FSqrt, "f=": expr.FEq, "f<": expr.FLt, "f<=": expr.FLe,
	"fconv": expr.FConv, "ftos": expr.FToS, "stof": expr.SToF, "utof": expr.UToF, "fround": expr.FRound,
}

// Parse reads the notation of the tests: (add x 3), (zext 4 x),
// (extract lo width x), (table indexwidth elem elem rest). A name is a variable
// and a number, which can be negative, a constant; both have the width given unless
// :n follows them.
func Parse(text string, width uint8) *Tree {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var parse func() *Tree
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
	parse = func() *Tree {
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
				return &Tree{Op: expr.Const, Width: w, Value: uint64(v) & (^uint64(0) >> (64 - w))}
			}
			return &Tree{Op: expr.Var, Width: w, Name: fmt.Sprintf("%s%d", token, w)}
		}
		op, ok := treeOps[next()]
		if !ok {
			panic("unknown operator in " + text)
		}
		t := &Tree{Op: op}
		switch op {
		case expr.Extract:
			t.Lo = number()
			t.Width = number()
		case expr.FRound:
			t.Lo = number()
		case expr.ZExt, expr.SExt, expr.FConv, expr.FToS, expr.SToF, expr.UToF:
			t.Width = number()
		case expr.Table:
			t.Lo = number()
		}
		for tokens[0] != ")" {
			t.Args = append(t.Args, parse())
		}
		next()
		switch op {
		case expr.Extract, expr.ZExt, expr.SExt, expr.FConv, expr.FToS, expr.SToF, expr.UToF:
		case expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle, expr.FEq, expr.FLt, expr.FLe:
			t.Width = 1
		case expr.Concat:
			t.Width = t.Args[0].Width + t.Args[1].Width
		case expr.Store, expr.Select:
			t.Width, t.Lo = t.Args[0].Width, t.Args[0].Lo
		default:
			t.Width = t.Args[len(t.Args)-1].Width
		}
		return t
	}
	return parse()
}
