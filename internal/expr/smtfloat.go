package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SMTFunction is an operator over floats at widths of its own, as a function of
// SMT-LIB over bit-vectors. The theory of floating point has a sort of its own for
// floats, with one NaN. The standard goes from bits to that sort, but not back: where
// the result is a float, the function is defined as a relation that holds between
// the operands and the bits of the result.
type SMTFunction struct {
	op       Op
	from, to uint8    // the widths of the operands and of the result
	rounding Rounding // of FRound
}

// smtFloatOps are the names of operators over floats in SMT-LIB.
var smtFloatOps = map[Op]string{
	FAdd: "add", FMul: "mul", FDiv: "div", FSqrt: "sqrt", FEq: "eq", FLt: "lt", FLe: "leq",
}

// smtRoundings are the names of roundings in SMT-LIB.
var smtRoundings = [...]string{ToEven: "RNE", ToAway: "RNA", ToPositive: "RTP", ToNegative: "RTN", ToZero: "RTZ"}

// String returns the name of f, such as f64.add, f32.from_f64, s64.from_f32
// or f64.from_u8.
func (f SMTFunction) String() string {
	switch f.op {
	case FConv:
		return fmt.Sprintf("f%d.from_f%d", f.to, f.from)
	case FToS:
		return fmt.Sprintf("s%d.from_f%d", f.to, f.from)
	case SToF:
		return fmt.Sprintf("f%d.from_s%d", f.to, f.from)
	case UToF:
		return fmt.Sprintf("f%d.from_u%d", f.to, f.from)
	}
	name := smtFloatOps[f.op]
	if f.op == FRound {
		name = roundingNames[f.rounding]
	}
	return fmt.Sprintf("f%d.%s", f.from, name)
}

// apply returns what f gives for its operands, one or two.
func (f SMTFunction) apply(a *Arena, x, y ID) ID {
	switch {
	case f.op == FRound:
		return a.FRound(x, f.rounding)
	case f.op.NumArgs() == 1:
		return a.floatUnary(f.op, x, f.to)
	}
	return a.Binary(f.op, x, y)
}

// smtFunctionNamed is the inverse of String.
func smtFunctionNamed(name string) (SMTFunction, bool) {
	var f SMTFunction
	result, rest, ok := strings.Cut(name, ".")
	sort, width, okResult := sortOf(result)
	if !ok || !okResult {
		return f, false
	}
	operand, converts := strings.CutPrefix(rest, "from_")
	if !converts {
		f.from, f.to = width, width
		for op, name := range smtFloatOps {
			if name == rest {
				f.op = op
			}
		}
		if r := slices.Index(roundingNames[:], rest); r >= 0 {
			f.op, f.rounding = FRound, Rounding(r)
		}
		if f.op >= FEq && f.op <= FLe {
			f.to = 1
		}
		return f, sort == 'f' && f.op != Invalid
	}
	of, from, okOperand := sortOf(operand)
	f.from, f.to = from, width
	switch {
	case sort == 'f' && of == 'f':
		f.op = FConv
		return f, okOperand && from != width
	case sort == 's' && of == 'f':
		f.op = FToS
		return f, okOperand && (width == 32 || width == 64)
	case sort == 'f' && of == 's':
		f.op = SToF
	case sort == 'f' && of == 'u':
		f.op = UToF
	}
	return f, okOperand && f.op != Invalid
}

// sortOf reads a sort in the name of a function: f for floats, s and u for
// integers, and the width.
func sortOf(name string) (sort byte, width uint8, ok bool) {
	if name == "" {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 8)
	if err != nil || n < 1 || n > 64 || name[1] == '0' || name[0] == 'f' && n != 32 && n != 64 {
		return 0, 0, false
	}
	return name[0], uint8(n), true
}

// givesFloat reports whether the result of op is a float.
func (op Op) givesFloat() bool {
	switch op {
	case FAdd, FMul, FDiv, FSqrt, FConv, SToF, UToF, FRound:
		return true
	}
	return false
}

// Definition returns the command that defines f, with a newline.
func (f SMTFunction) Definition() string {
	var body string
	switch f.op {
	case FAdd, FMul, FDiv:
		body = fmt.Sprintf("(fp.%s RNE %s %s)", smtFloatOps[f.op], smtUnpack("x", f.from), smtUnpack("y", f.from))
	case FEq, FLt, FLe:
		body = fmt.Sprintf("(ite (fp.%s %s %s) #b1 #b0)", smtFloatOps[f.op], smtUnpack("x", f.from), smtUnpack("y", f.from))
	case FSqrt:
		body = fmt.Sprintf("(fp.sqrt RNE %s)", smtUnpack("x", f.from))
	case FRound:
		body = fmt.Sprintf("(fp.roundToIntegral %s %s)", smtRoundings[f.rounding], smtUnpack("x", f.from))
	case FConv:
		body = fmt.Sprintf("((_ to_fp %s) RNE %s)", smtFormat(f.to), smtUnpack("x", f.from))
	case SToF:
		body = fmt.Sprintf("((_ to_fp %s) RNE x)", smtFormat(f.to))
	case UToF:
		body = fmt.Sprintf("((_ to_fp_unsigned %s) RNE x)", smtFormat(f.to))
	case FToS:
		x := smtUnpack("x", f.from)
		limit := smtUnpack(fmt.Sprintf("#x%0*x", f.from/4, floatBits(float64(signBit(f.to)), f.from)), f.from)
		whole := fmt.Sprintf("(fp.roundToIntegral RTZ %s)", x)
		body = fmt.Sprintf("(ite (and (fp.lt %s %s) (fp.leq (fp.neg %s) %s)) ((_ fp.to_sbv %d) RTZ %s) #x%0*x)",
			whole, limit, limit, whole, f.to, whole, f.to/4, signBit(f.to))
	}
	args := fmt.Sprintf("(x (_ BitVec %d))", f.from)
	if f.op.NumArgs() == 2 {
		args += fmt.Sprintf(" (y (_ BitVec %d))", f.from)
	}
	if !f.op.givesFloat() {
		return fmt.Sprintf("(define-fun %s (%s) (_ BitVec %d) %s)\n", f, args, f.to, body)
	}
	return fmt.Sprintf("(define-fun %s (%s (result (_ BitVec %d))) Bool (let ((r %s)) (ite (fp.isNaN r) (= result #x%0*x) (= %s r))))\n",
		f, args, f.to, body, f.to/4, NaN(f.to), smtUnpack("result", f.to))
}

// smtFormat returns the indexes of the sort of floats of width bits.
func smtFormat(width uint8) string {
	if width == 32 {
		return "8 24"
	}
	return "11 53"
}

// smtUnpack returns the float whose bits are x.
func smtUnpack(x string, width uint8) string {
	return fmt.Sprintf("((_ to_fp %s) %s)", smtFormat(width), x)
}

func (a *Arena) smtFunction(n *node) SMTFunction {
	f := SMTFunction{op: n.op, from: a.nodes[n.args[0]].width, to: n.width}
	if n.op == FRound {
		f.rounding = Rounding(n.lo)
	}
	return f
}

// SMTFunctions returns the functions that are to be defined for the assertions
// that SMTAssert writes.
func (a *Arena) SMTFunctions(terms []ID) []SMTFunction {
	var list []SMTFunction
	for _, x := range terms {
		a.postorder(x, func(y ID) {
			if n := &a.nodes[y]; n.op >= FAdd {
				list = append(list, a.smtFunction(n))
			}
		})
	}
	slices.SortFunc(list, func(f, g SMTFunction) int {
		return cmp.Or(cmp.Compare(f.op, g.op), cmp.Compare(f.from, g.from), cmp.Compare(f.to, g.to), cmp.Compare(f.rounding, g.rounding))
	})
	return slices.Compact(list)
}

// SMTLogic returns the logic of SMT-LIB that the terms are in: QF_BV, QF_BVFP or,
// where there are arrays, ALL, since Z3 knows arrays that are the same everywhere in
// no other. Each includes those before.
func (a *Arena) SMTLogic(terms []ID) string {
	switch {
	case a.hasArrays(terms):
		return "ALL"
	case len(a.SMTFunctions(terms)) > 0:
		return "QF_BVFP"
	}
	return "QF_BV"
}
