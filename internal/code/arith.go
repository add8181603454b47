package code

import (
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"
)

// binOp compiles v.
func (c *compiler) binOp(v *ssa.BinOp) {
	switch v.Op {
	case token.EQL, token.NEQ:
		c.equality(v)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		c.ordering(v)
	case token.SHL, token.SHR:
		c.shift(v)
	default:
		c.arithmetic(v)
	}
}

// equality compiles x == y and x != y.
func (c *compiler) equality(v *ssa.BinOp) {
	in := Instr{A: c.result(v)}
	if isNil(v.X) || isNil(v.Y) {
		// The first word tells: the base of a slice, the type of an interface.
		x := v.X
		if isNil(x) {
			x = v.Y
		}
		in.Op, in.K, in.B = EqP, uint16(c.firstKind(x)), c.reg(x)
		in.C = c.scratch(1)
		c.emitOp(Instr{Op: Zero, K: 1, A: in.C})
		if v.Op == token.NEQ {
			in.Op = NeP
		}
		c.emitOp(in)
		return
	}
	in.B, in.C = c.reg(v.X), c.reg(v.Y)
	equal := v.Op == token.EQL
	choose := func(eq, ne Op) {
		in.Op = ne
		if equal {
			in.Op = eq
		}
	}
	switch kind := kindOf(v.X.Type()); {
	case kind == Bool || kind.Integer():
		in.K = uint16(kind)
		choose(EqW, NeW)
	case kind.Float():
		in.K = uint16(kind)
		choose(EqF, NeF)
	case kind == String:
		choose(EqStr, NeStr)
	case kind == Pointer:
		in.K = uint16(kind)
		choose(EqP, NeP)
	case kind == Complex64 || kind == Complex128:
		in.Op, in.K = EqC, uint16(kind)
		c.emitOp(in)
		if !equal {
			c.emitOp(Instr{Op: Not, K: uint16(Bool), A: in.A, B: in.A})
		}
		return
	default:
		in.D = c.typeIndex(v.X.Type())
		choose(Eq, Ne)
	}
	c.emitOp(in)
}

// firstKind returns the kind of the first word of v, which can be nil.
func (c *compiler) firstKind(v ssa.Value) Kind {
	if kind := kindOf(v.Type()); kind != NoKind {
		return kind // the predeclared nil has a type without a layout
	}
	return c.p.Type(v.Type()).Kinds[0]
}

// ordering compiles x < y and the like.
func (c *compiler) ordering(v *ssa.BinOp) {
	x, y, op := v.X, v.Y, v.Op
	if op == token.GTR || op == token.GEQ {
		x, y, op = y, x, mirrored[op]
	}
	in := Instr{A: c.result(v), B: c.reg(x), C: c.reg(y)}
	strict := op == token.LSS
	choose := func(lt, le Op) {
		in.Op = le
		if strict {
			in.Op = lt
		}
	}
	kind := kindOf(x.Type())
	switch {
	case kind == String:
		choose(LtStr, LeStr)
		c.emitOp(in)
		return
	case kind.Float():
		choose(LtF, LeF)
	case kind.Signed():
		choose(LtS, LeS)
	default:
		choose(LtU, LeU)
	}
	in.K = uint16(kind)
	c.emitOp(in)
}

// shift compiles x << y and x >> y.
func (c *compiler) shift(v *ssa.BinOp) {
	kind := kindOf(v.Type())
	left := v.Op == token.SHL
	in := Instr{K: uint16(kind), A: c.result(v), B: c.reg(v.X)}
	if n, ok := constInt(v.Y); ok && (n >= 0 || !kindOf(v.Y.Type()).Signed()) {
		if width := int64(kind.Bits()); n >= width || n < 0 {
			if left || !kind.Signed() {
				c.emitOp(Instr{Op: Imm, A: in.A})
				return
			}
			n = width - 1 // only the sign is left
		}
		in.Op, in.C = ShrI, int32(n)
		if left {
			in.Op = ShlI
		}
		c.emitOp(in)
		return
	}
	in.Op, in.C, in.D = Shr, c.reg(v.Y), int32(kindOf(v.Y.Type()))
	if left {
		in.Op = Shl
	}
	c.emitOp(in)
}

// arithmetic compiles the other binary operators.
func (c *compiler) arithmetic(v *ssa.BinOp) {
	kind := kindOf(v.Type())
	switch {
	case kind == String:
		c.emitOp(Instr{Op: Concat, A: c.result(v), B: c.reg(v.X), C: c.reg(v.Y)})
		return
	case kind.Float():
		c.emitOp(Instr{Op: floatOps[v.Op], K: uint16(kind), A: c.result(v), B: c.reg(v.X), C: c.reg(v.Y)})
		return
	case kind == Complex64 || kind == Complex128:
		c.emitOp(Instr{Op: complexOps[v.Op], K: uint16(kind), A: c.result(v), B: c.reg(v.X), C: c.reg(v.Y)})
		return
	}
	x, y := v.X, v.Y
	wide := kind.Bits() == 64
	in := Instr{K: uint16(kind), A: c.result(v)}
	switch v.Op {
	case token.ADD, token.MUL, token.AND:
		if isConst(x) {
			x, y = y, x
		}
	}
	imm, ok := immediate(y)
	switch {
	case !ok:
	case v.Op == token.SUB && imm != math.MinInt32:
		imm = -imm
		fallthrough
	case v.Op == token.ADD:
		in.Op = AddKI
		if wide {
			in.Op = AddI
		}
	case v.Op == token.MUL && wide:
		in.Op = MulI
	case v.Op == token.AND:
		in.Op = AndI
	case v.Op == token.AND_NOT:
		in.Op, imm = AndI, ^imm
	}
	in.B = c.reg(x)
	if in.Op != Invalid {
		in.C = imm
		c.emitOp(in)
		return
	}
	in.C = c.reg(y)
	ops := intOps[v.Op]
	in.Op = ops[1]
	if wide {
		in.Op = ops[0]
	}
	c.emitOp(in)
}

// intOps gives the opcode for 64-bit kinds and the one for narrower ones.
var intOps = map[token.Token][2]Op{
	token.ADD:     {Add, AddK},
	token.SUB:     {Sub, SubK},
	token.MUL:     {Mul, MulK},
	token.QUO:     {Div, Div},
	token.REM:     {Rem, Rem},
	token.AND:     {And, And},
	token.OR:      {Or, Or},
	token.XOR:     {Xor, Xor},
	token.AND_NOT: {AndNot, AndNot},
}

var floatOps = map[token.Token]Op{token.ADD: AddF, token.SUB: SubF, token.MUL: MulF, token.QUO: DivF}

var complexOps = map[token.Token]Op{token.ADD: AddC, token.SUB: SubC, token.MUL: MulC, token.QUO: DivC}
