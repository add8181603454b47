package expr

// Rebuild applies the operator of x, an expression of the arena from, to other
// operands, which are expressions of a.
func (a *Arena) Rebuild(from *Arena, x ID, args []ID) ID {
	n := &from.nodes[x]
	switch n.op {
	case Not:
		return a.Not(args[0])
	case Neg:
		return a.Neg(args[0])
	case Ite:
		return a.Ite(args[0], args[1], args[2])
	case Extract:
		return a.Extract(args[0], n.lo, n.width)
	case ZExt:
		return a.ZExt(args[0], n.width)
	case SExt:
		return a.SExt(args[0], n.width)
	case Table:
		last := len(args) - 1
		return a.Table(n.lo, args[:last], args[last])
	case Store:
		return a.Store(args[0], args[1], args[2])
	case Select:
		return a.Select(args[0], args[1])
	case FSqrt, FConv, FToS, SToF, UToF:
		return a.FloatUnary(n.op, args[0], n.width)
	case FRound:
		return a.FRound(args[0], Rounding(n.lo))
	default:
		return a.Binary(n.op, args[0], args[1])
	}
}

// Binary applies the binary operator op.
func (a *Arena) Binary(op Op, x, y ID) ID {
	switch op {
	case And:
		return a.And(x, y)
	case Or:
		return a.Or(x, y)
	case Xor:
		return a.Xor(x, y)
	case Add:
		return a.Add(x, y)
	case Sub:
		return a.Sub(x, y)
	case Mul:
		return a.Mul(x, y)
	case UMulHi:
		return a.UMulHi(x, y)
	case UDiv:
		return a.UDiv(x, y)
	case SDiv:
		return a.SDiv(x, y)
	case URem:
		return a.URem(x, y)
	case SRem:
		return a.SRem(x, y)
	case Shl:
		return a.Shl(x, y)
	case LShr:
		return a.LShr(x, y)
	case AShr:
		return a.AShr(x, y)
	case Eq:
		return a.Eq(x, y)
	case Ult:
		return a.Ult(x, y)
	case Ule:
		return a.Ule(x, y)
	case Slt:
		return a.Slt(x, y)
	case Sle:
		return a.Sle(x, y)
	case Concat:
		return a.Concat(x, y)
	case FAdd:
		return a.FAdd(x, y)
	case FMul:
		return a.FMul(x, y)
	case FDiv:
		return a.FDiv(x, y)
	case FEq:
		return a.FEq(x, y)
	case FLt:
		return a.FLt(x, y)
	case FLe:
		return a.FLe(x, y)
	}
	panic("expr: " + op.String() + " is not a binary operator")
}
