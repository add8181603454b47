package compile

import (
	"fmt"
	"go/token"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// unOp compiles unary operators other than loads and receives.
func (e *emitter) unOp(v *ssa.UnOp) {
	kind := code.KindOf(v.X.Type())
	switch v.Op {
	case token.MUL:
		e.load(v, e.result(v))
		e.leaveLoop(v)
	case token.ARROW:
		in := code.Instr{Op: code.Recv, B: e.reg(v.X), D: e.typeIndex(v.X.Type())}
		if v.CommaOk {
			in.K = 1
		}
		in.A = e.result(v)
		e.emit(in)
	case token.NOT:
		e.emit(code.Instr{Op: code.Not, K: uint16(code.Bool), A: e.result(v), B: e.reg(v.X)})
	case token.XOR:
		e.emit(code.Instr{Op: code.Com, K: uint16(kind), A: e.result(v), B: e.reg(v.X)})
	case token.SUB:
		op := code.Neg
		switch {
		case kind.Float():
			op = code.NegF
		case kind == code.Complex64 || kind == code.Complex128:
			op = code.NegC
		}
		e.emit(code.Instr{Op: op, K: uint16(kind), A: e.result(v), B: e.reg(v.X)})
	default:
		panic(fmt.Sprintf("unary operator %s", v.Op))
	}
}

// binOp compiles v.
func (e *emitter) binOp(v *ssa.BinOp) {
	switch v.Op {
	case token.EQL, token.NEQ:
		e.equality(v)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		e.ordering(v)
	case token.SHL, token.SHR:
		e.shift(v)
	default:
		e.arithmetic(v)
	}
}

// equality compiles x == y and x != y.
func (e *emitter) equality(v *ssa.BinOp) {
	in := code.Instr{A: e.result(v)}
	if ssaform.IsNil(v.X) || ssaform.IsNil(v.Y) {
		// The first word tells: the base of a slice, the type of an interface.
		x := v.X
		if ssaform.IsNil(x) {
			x = v.Y
		}
		in.Op, in.K, in.B = code.EqP, uint16(e.firstKind(x)), e.reg(x)
		in.C = e.regs.Scratch(1)
		e.emit(code.Instr{Op: code.Zero, K: 1, A: in.C})
		if v.Op == token.NEQ {
			in.Op = code.NeP
		}
		e.emit(in)
		return
	}
	in.B, in.C = e.reg(v.X), e.reg(v.Y)
	equal := v.Op == token.EQL
	choose := func(eq, ne code.Op) {
		in.Op = ne
		if equal {
			in.Op = eq
		}
	}
	switch kind := code.KindOf(v.X.Type()); {
	case kind == code.Bool || kind.Integer():
		in.K = uint16(kind)
		choose(code.EqW, code.NeW)
	case kind.Float():
		in.K = uint16(kind)
		choose(code.EqF, code.NeF)
	case kind == code.String:
		choose(code.EqStr, code.NeStr)
	case kind == code.Pointer:
		in.K = uint16(kind)
		choose(code.EqP, code.NeP)
	case kind == code.Complex64 || kind == code.Complex128:
		in.Op, in.K = code.EqC, uint16(kind)
		e.emit(in)
		if !equal {
			e.emit(code.Instr{Op: code.Not, K: uint16(code.Bool), A: in.A, B: in.A})
		}
		return
	default:
		in.D = e.typeIndex(v.X.Type())
		choose(code.Eq, code.Ne)
	}
	e.emit(in)
}

// ordering compiles x < y and the like.
func (e *emitter) ordering(v *ssa.BinOp) {
	x, y, op := v.X, v.Y, v.Op
	if op == token.GTR || op == token.GEQ {
		x, y, op = y, x, mirrored[op]
	}
	in := code.Instr{A: e.result(v), B: e.reg(x), C: e.reg(y)}
	strict := op == token.LSS
	choose := func(lt, le code.Op) {
		in.Op = le
		if strict {
			in.Op = lt
		}
	}
	kind := code.KindOf(x.Type())
	switch {
	case kind == code.String:
		choose(code.LtStr, code.LeStr)
		e.emit(in)
		return
	case kind.Float():
		choose(code.LtF, code.LeF)
	case kind.Signed():
		choose(code.LtS, code.LeS)
	default:
		choose(code.LtU, code.LeU)
	}
	in.K = uint16(kind)
	e.emit(in)
}

// shift compiles x << y and x >> y.
func (e *emitter) shift(v *ssa.BinOp) {
	kind := code.KindOf(v.Type())
	left := v.Op == token.SHL
	in := code.Instr{K: uint16(kind), A: e.result(v), B: e.reg(v.X)}
	if n, ok := constInt(v.Y); ok && (n >= 0 || !code.KindOf(v.Y.Type()).Signed()) {
		if width := int64(kind.Bits()); n >= width || n < 0 {
			if left || !kind.Signed() {
				e.emit(code.Instr{Op: code.Imm, A: in.A})
				return
			}
			n = width - 1 // only the sign is left
		}
		in.Op, in.C = code.ShrI, int32(n)
		if left {
			in.Op = code.ShlI
		}
		e.emit(in)
		return
	}
	in.Op, in.C, in.D = code.Shr, e.reg(v.Y), int32(code.KindOf(v.Y.Type()))
	if left {
		in.Op = code.Shl
	}
	e.emit(in)
}

// arithmetic compiles the other binary operators.
func (e *emitter) arithmetic(v *ssa.BinOp) {
	kind := code.KindOf(v.Type())
	switch {
	case kind == code.String:
		e.emit(code.Instr{Op: code.Concat, A: e.result(v), B: e.reg(v.X), C: e.reg(v.Y)})
		return
	case kind.Float():
		e.emit(code.Instr{Op: floatOps[v.Op], K: uint16(kind), A: e.result(v), B: e.reg(v.X), C: e.reg(v.Y)})
		return
	case kind == code.Complex64 || kind == code.Complex128:
		e.emit(code.Instr{Op: complexOps[v.Op], K: uint16(kind), A: e.result(v), B: e.reg(v.X), C: e.reg(v.Y)})
		return
	}
	x, y := v.X, v.Y
	wide := kind.Bits() == 64
	in := code.Instr{K: uint16(kind), A: e.result(v)}
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
		in.Op = code.AddKI
		if wide {
			in.Op = code.AddI
		}
	case v.Op == token.MUL && wide:
		in.Op = code.MulI
	case v.Op == token.AND:
		in.Op = code.AndI
	case v.Op == token.AND_NOT:
		in.Op, imm = code.AndI, ^imm
	}
	in.B = e.reg(x)
	if in.Op != code.Invalid {
		in.C = imm
		e.emit(in)
		return
	}
	in.C = e.reg(y)
	ops := intOps[v.Op]
	in.Op = ops[1]
	if wide {
		in.Op = ops[0]
	}
	e.emit(in)
}

// intOps gives the opcode for 64-bit kinds and the one for narrower ones.
var intOps = map[token.Token][2]code.Op{
	token.ADD:     {code.Add, code.AddK},
	token.SUB:     {code.Sub, code.SubK},
	token.MUL:     {code.Mul, code.MulK},
	token.QUO:     {code.Div, code.Div},
	token.REM:     {code.Rem, code.Rem},
	token.AND:     {code.And, code.And},
	token.OR:      {code.Or, code.Or},
	token.XOR:     {code.Xor, code.Xor},
	token.AND_NOT: {code.AndNot, code.AndNot},
}

var floatOps = map[token.Token]code.Op{token.ADD: code.AddF, token.SUB: code.SubF, token.MUL: code.MulF, token.QUO: code.DivF}

var complexOps = map[token.Token]code.Op{token.ADD: code.AddC, token.SUB: code.SubC, token.MUL: code.MulC, token.QUO: code.DivC}
