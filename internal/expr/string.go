package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of String: beyond them it writes an ellipsis.
const (
	stringDepth = 24
	stringNodes = 200
)

// String returns x in Go-like infix form, for people to read:
//
//	u.cnt + 7 <s size
//
// Signed operators carry an s and those over floats an f. Conversions look like
// Go's: uint8(x) keeps the low 8 bits, uint64(x) widens with zeros and int64(x)
// with the sign. Other bits are written x[hi:lo], and concatenations x ++ y. An array
// is written [1, 2, ...0], and a{i: x} after a store. A big expression is cut
// short.
func (a *Arena) String(x ID) string {
	if x == None {
		return "none"
	}
	p := printer{a: a, left: stringNodes}
	p.expr(x, 0, stringDepth, false)
	return p.String()
}

type printer struct {
	strings.Builder
	a    *Arena
	left int // nodes that may still be written
}

// Binding strengths, those of Go.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precAdd
	precMul
	precUnary
)

// expr writes x, in parentheses if it binds weaker than prec. A constant is
// read as a signed number if asSigned.
func (p *printer) expr(x ID, prec, depth int, asSigned bool) {
	a := p.a
	n := &a.nodes[x]
	switch n.op {
	case Const:
		p.constant(n, asSigned)
		return
	case Var:
		p.WriteString(a.names[n.args[0]])
		return
	}
	if p.left--; depth == 0 || p.left < 0 {
		p.WriteString("…")
		return
	}
	if n.op == Table {
		p.table(a.operands(n), depth)
		return
	}
	arg := func(i, prec int) { p.expr(n.args[i], prec, depth-1, false) }
	infix := func(own int, op string, asSigned bool) {
		p.open(own, prec)
		p.expr(n.args[0], own, depth-1, asSigned)
		p.WriteString(" " + op + " ")
		p.expr(n.args[1], own+1, depth-1, asSigned)
		p.close(own, prec)
	}
	call := func(name string, args ...ID) {
		p.WriteString(name + "(")
		for i, x := range args {
			if i > 0 {
				p.WriteString(", ")
			}
			p.expr(x, 0, depth-1, false)
		}
		p.WriteString(")")
	}
	inner := &a.nodes[n.args[0]]
	switch n.op {
	case Not:
		switch {
		case inner.op == Eq:
			p.open(precCompare, prec)
			p.expr(inner.args[0], precCompare, depth-1, false)
			p.WriteString(" != ")
			p.expr(inner.args[1], precCompare+1, depth-1, a.nodes[inner.args[0]].width >= 32)
			p.close(precCompare, prec)
			return
		case n.width == 1:
			p.WriteString("!")
		default:
			p.WriteString("^")
		}
		arg(0, precUnary)
	case Neg:
		p.WriteString("-")
		arg(0, precUnary)
	case And:
		if n.width == 1 {
			infix(precAnd, "&&", false)
		} else {
			infix(precMul, "&", false)
		}
	case Or:
		if n.width == 1 {
			infix(precOr, "||", false)
		} else {
			infix(precAdd, "|", false)
		}
	case Xor:
		infix(precAdd, "^", false)
	case Add:
		if c := &a.nodes[n.args[1]]; c.op == Const && c.value() > signBit(c.width) {
			p.open(precAdd, prec)
			arg(0, precAdd)
			fmt.Fprintf(p, " - %d", -signed(c.value(), c.width))
			p.close(precAdd, prec)
			return
		}
		infix(precAdd, "+", false)
	case Sub:
		infix(precAdd, "-", false)
	case Mul:
		infix(precMul, "*", true)
	case UDiv:
		infix(precMul, "/", false)
	case UMulHi:
		call("mulhi", n.args[0], n.args[1])
	case SDiv:
		infix(precMul, "/s", true)
	case URem:
		infix(precMul, "%", false)
	case SRem:
		infix(precMul, "%s", true)
	case Shl:
		infix(precMul, "<<", false)
	case LShr:
		infix(precMul, ">>", false)
	case AShr:
		infix(precMul, ">>s", false)
	case Eq:
		infix(precCompare, "==", inner.width >= 32)
	case Ult:
		infix(precCompare, "<", false)
	case Ule:
		infix(precCompare, "<=", false)
	case Slt:
		infix(precCompare, "<s", true)
	case Sle:
		infix(precCompare, "<=s", true)
	case Ite:
		call("ite", n.args[0], n.args[1], n.args[2])
	case Extract:
		if n.lo == 0 && goWidth(n.width) {
			call("uint"+strconv.Itoa(int(n.width)), n.args[0])
			return
		}
		arg(0, precUnary+1)
		fmt.Fprintf(p, "[%d:%d]", n.lo+n.width-1, n.lo)
	case Concat:
		low := &a.nodes[n.args[1]]
		if low.op == Const && low.value() == 0 && inner.op == Extract && inner.lo == 0 && a.nodes[inner.args[0]].width == n.width {
			p.open(precMul, prec)
			p.expr(inner.args[0], precMul, depth-1, false)
			fmt.Fprintf(p, " << %d", low.width)
			p.close(precMul, prec)
			return
		}
		infix(precAdd, "++", false)
	case ZExt, SExt:
		p.extension(n, inner, prec, depth, call)
	case Store:
		arg(0, precUnary+1)
		p.WriteString("{")
		arg(1, 0)
		p.WriteString(": ")
		arg(2, 0)
		p.WriteString("}")
	case Select:
		arg(0, precUnary+1)
		p.WriteString("[")
		arg(1, 0)
		p.WriteString("]")
	case FAdd:
		p.float(n, precAdd, "+f", prec, depth)
	case FMul:
		p.float(n, precMul, "*f", prec, depth)
	case FDiv:
		p.float(n, precMul, "/f", prec, depth)
	case FEq:
		p.float(n, precCompare, "==f", prec, depth)
	case FLt:
		p.float(n, precCompare, "<f", prec, depth)
	case FLe:
		p.float(n, precCompare, "<=f", prec, depth)
	case FSqrt:
		call("sqrt", n.args[0])
	case FRound:
		call(Rounding(n.lo).String(), n.args[0])
	case FConv, UToF:
		call("float"+strconv.Itoa(int(n.width)), n.args[0])
	case SToF:
		call("sfloat"+strconv.Itoa(int(n.width)), n.args[0])
	case FToS:
		call("trunc"+strconv.Itoa(int(n.width)), n.args[0])
	}
}

// table writes the first elements of a Table, and the last one after three dots.
func (p *printer) table(elems []ID, depth int) {
	const shown = 16
	last := len(elems) - 1
	p.WriteString("[")
	for _, x := range elems[:min(last, shown)] {
		p.expr(x, 0, depth-1, false)
		p.WriteString(", ")
	}
	if last > shown {
		p.WriteString("…, ")
	}
	p.WriteString("...")
	p.expr(elems[last], 0, depth-1, false)
	p.WriteString("]")
}

// float writes a binary operator over floats.
func (p *printer) float(n *node, own int, op string, prec, depth int) {
	operand := func(x ID, prec int) {
		if v, ok := p.a.ConstValue(x); ok {
			width := p.a.nodes[x].width
			p.WriteString(strconv.FormatFloat(floatValue(v, width), 'g', -1, int(width)))
			return
		}
		p.expr(x, prec, depth-1, false)
	}
	p.open(own, prec)
	operand(n.args[0], own)
	p.WriteString(" " + op + " ")
	operand(n.args[1], own+1)
	p.close(own, prec)
}

// extension writes a ZExt or SExt n of inner: as a shift or mask if that is
// what it does, otherwise as a conversion.
func (p *printer) extension(n, inner *node, prec, depth int, call func(string, ...ID)) {
	if inner.op == Extract {
		switch whole := p.a.nodes[inner.args[0]].width; {
		case whole == n.width && inner.lo+inner.width == whole && n.op == ZExt:
			p.shift(inner, ">>", prec, depth)
			return
		case whole == n.width && inner.lo+inner.width == whole:
			p.shift(inner, ">>s", prec, depth)
			return
		case whole == n.width && inner.lo == 0 && n.op == ZExt:
			p.open(precMul, prec)
			p.expr(inner.args[0], precMul, depth-1, false)
			fmt.Fprintf(p, " & %#x", mask(inner.width))
			p.close(precMul, prec)
			return
		}
	}
	name := "zext"
	switch exact := goWidth(n.width); {
	case n.op == ZExt && exact:
		name = "uint"
	case n.op == SExt && exact:
		name = "int"
	case n.op == SExt:
		name = "sext"
	}
	name += strconv.Itoa(int(n.width))
	call(name, n.args[0])
}

func (p *printer) shift(extract *node, op string, prec, depth int) {
	p.open(precMul, prec)
	p.expr(extract.args[0], precMul, depth-1, false)
	fmt.Fprintf(p, " %s %d", op, extract.lo)
	p.close(precMul, prec)
}

func (p *printer) open(own, prec int) {
	if own < prec {
		p.WriteString("(")
	}
}

func (p *printer) close(own, prec int) {
	if own < prec {
		p.WriteString(")")
	}
}

func (p *printer) constant(n *node, asSigned bool) {
	switch {
	case n.width == 1:
		p.WriteString(strconv.FormatBool(n.value() == 1))
	case asSigned:
		p.WriteString(strconv.FormatInt(signed(n.value(), n.width), 10))
	default:
		p.WriteString(strconv.FormatUint(n.value(), 10))
	}
}

// goWidth reports whether Go has integers of the width.
func goWidth(width uint8) bool {
	return width == 8 || width == 16 || width == 32 || width == 64
}
