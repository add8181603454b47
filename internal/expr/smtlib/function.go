package smtlib

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
)

// Function is an operator over floats at widths of its own, as a function of
// SMT-LIB over bit-vectors. The theory of floating point has a sort of its own for
// floats, with one NaN. The standard goes from bits to that sort, but not back: where
// the result is a float, the function is defined as a relation that holds between
// the operands and the bits of the result.
type Function struct {
	op       expr.Op
	from, to uint8         // the widths of the operands and of the result
	rounding expr.Rounding // of FRound
}

// floatOperators are the names of operators over floats in SMT-LIB.
var floatOperators = map[expr.Op]string{
	expr.FAdd: "add", expr.FMul: "mul", expr.FDiv: "div", expr.FSqrt: "sqrt", expr.FEq: "eq", expr.FLt: "lt", expr.FLe: "leq",
}

// roundings are the names of roundings in SMT-LIB.
var roundings = [...]string{expr.ToEven: "RNE", expr.ToAway: "RNA", expr.ToPositive: "RTP", expr.ToNegative: "RTN", expr.ToZero: "RTZ"}

// String returns the name of f, such as f64.add, f32.from_f64, s64.from_f32
// or f64.from_u8.
func (f Function) String() string {
	switch f.op {
	case expr.FConv:
		return fmt.Sprintf("f%d.from_f%d", f.to, f.from)
	case expr.FToS:
		return fmt.Sprintf("s%d.from_f%d", f.to, f.from)
	case expr.SToF:
		return fmt.Sprintf("f%d.from_s%d", f.to, f.from)
	case expr.UToF:
		return fmt.Sprintf("f%d.from_u%d", f.to, f.from)
	}
	name := floatOperators[f.op]
	if f.op == expr.FRound {
		name = f.rounding.String()
	}
	return fmt.Sprintf("f%d.%s", f.from, name)
}

// apply returns what f gives for its operands, one or two.
func (f Function) apply(a *expr.Arena, x, y expr.ID) expr.ID {
	switch {
	case f.op == expr.FRound:
		return a.FRound(x, f.rounding)
	case f.op.NumArgs() == 1:
		return a.FloatUnary(f.op, x, f.to)
	}
	return a.Binary(f.op, x, y)
}

// functionNamed is the inverse of String.
func functionNamed(name string) (Function, bool) {
	var f Function
	result, rest, ok := strings.Cut(name, ".")
	sort, width, okResult := sortOf(result)
	if !ok || !okResult {
		return f, false
	}
	operand, converts := strings.CutPrefix(rest, "from_")
	if !converts {
		f.from, f.to = width, width
		for op, name := range floatOperators {
			if name == rest {
				f.op = op
			}
		}
		for r := range roundings {
			if r := expr.Rounding(r); r.String() == rest {
				f.op, f.rounding = expr.FRound, r
			}
		}
		if f.op >= expr.FEq && f.op <= expr.FLe {
			f.to = 1
		}
		return f, sort == 'f' && f.op != expr.Invalid
	}
	of, from, okOperand := sortOf(operand)
	f.from, f.to = from, width
	switch {
	case sort == 'f' && of == 'f':
		f.op = expr.FConv
		return f, okOperand && from != width
	case sort == 's' && of == 'f':
		f.op = expr.FToS
		return f, okOperand && (width == 32 || width == 64)
	case sort == 'f' && of == 's':
		f.op = expr.SToF
	case sort == 'f' && of == 'u':
		f.op = expr.UToF
	}
	return f, okOperand && f.op != expr.Invalid
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
func givesFloat(op expr.Op) bool {
	switch op {
	case expr.FAdd, expr.FMul, expr.FDiv, expr.FSqrt, expr.FConv, expr.SToF, expr.UToF, expr.FRound:
		return true
	}
	return false
}

// Definition returns the command that defines f, with a newline.
func (f Function) Definition() string {
	var body string
	switch f.op {
	case expr.FAdd, expr.FMul, expr.FDiv:
		body = fmt.Sprintf("(fp.%s RNE %s %s)", floatOperators[f.op], unpack("x", f.from), unpack("y", f.from))
	case expr.FEq, expr.FLt, expr.FLe:
		body = fmt.Sprintf("(ite (fp.%s %s %s) #b1 #b0)", floatOperators[f.op], unpack("x", f.from), unpack("y", f.from))
	case expr.FSqrt:
		body = fmt.Sprintf("(fp.sqrt RNE %s)", unpack("x", f.from))
	case expr.FRound:
		body = fmt.Sprintf("(fp.roundToIntegral %s %s)", roundings[f.rounding], unpack("x", f.from))
	case expr.FConv:
		body = fmt.Sprintf("((_ to_fp %s) RNE %s)", format(f.to), unpack("x", f.from))
	case expr.SToF:
		body = fmt.Sprintf("((_ to_fp %s) RNE x)", format(f.to))
	case expr.UToF:
		body = fmt.Sprintf("((_ to_fp_unsigned %s) RNE x)", format(f.to))
	case expr.FToS:
		x := unpack("x", f.from)
		least := uint64(1) << (f.to - 1) // of the integers, which is the result when x is out of range
		limit := unpack(fmt.Sprintf("#x%0*x", f.from/4, expr.Convert(expr.UToF, 64, f.from, least)), f.from)
		whole := fmt.Sprintf("(fp.roundToIntegral RTZ %s)", x)
		body = fmt.Sprintf("(ite (and (fp.lt %s %s) (fp.leq (fp.neg %s) %s)) ((_ fp.to_sbv %d) RTZ %s) #x%0*x)",
			whole, limit, limit, whole, f.to, whole, f.to/4, least)
	}
	args := fmt.Sprintf("(x (_ BitVec %d))", f.from)
	if f.op.NumArgs() == 2 {
		args += fmt.Sprintf(" (y (_ BitVec %d))", f.from)
	}
	if !givesFloat(f.op) {
		return fmt.Sprintf("(define-fun %s (%s) (_ BitVec %d) %s)\n", f, args, f.to, body)
	}
	return fmt.Sprintf("(define-fun %s (%s (result (_ BitVec %d))) Bool (let ((r %s)) (ite (fp.isNaN r) (= result #x%0*x) (= %s r))))\n",
		f, args, f.to, body, f.to/4, expr.NaN(f.to), unpack("result", f.to))
}

// format returns the indexes of the sort of floats of width bits.
func format(width uint8) string {
	if width == 32 {
		return "8 24"
	}
	return "11 53"
}

// unpack returns the float whose bits are x.
func unpack(x string, width uint8) string {
	return fmt.Sprintf("((_ to_fp %s) %s)", format(width), x)
}

// functionOf returns the function of x, an operator over floats.
func functionOf(a *expr.Arena, x expr.ID) Function {
	f := Function{op: a.Op(x), from: a.Width(a.Arg(x, 0)), to: a.Width(x)}
	if f.op == expr.FRound {
		f.rounding = a.FRounding(x)
	}
	return f
}

// Functions returns the functions that are to be defined for the assertions
// that [WriteAssertion] writes.
func Functions(a *expr.Arena, terms []expr.ID) []Function {
	var list []Function
	for _, x := range terms {
		postorder(a, x, nil, func(y expr.ID) {
			if a.Op(y) >= expr.FAdd {
				list = append(list, functionOf(a, y))
			}
		})
	}
	slices.SortFunc(list, func(f, g Function) int {
		return cmp.Or(cmp.Compare(f.op, g.op), cmp.Compare(f.from, g.from), cmp.Compare(f.to, g.to), cmp.Compare(f.rounding, g.rounding))
	})
	return slices.Compact(list)
}
