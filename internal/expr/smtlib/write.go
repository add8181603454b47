package smtlib

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
)

// operatorNames are the names of operators. Comparisons yield a Bool there and are
// turned into bits by the printer.
var operatorNames = [...]string{
	expr.Not: "bvnot", expr.Neg: "bvneg", expr.And: "bvand", expr.Or: "bvor", expr.Xor: "bvxor",
	expr.Add: "bvadd", expr.Sub: "bvsub", expr.Mul: "bvmul",
	expr.UDiv: "bvudiv", expr.SDiv: "bvsdiv", expr.URem: "bvurem", expr.SRem: "bvsrem",
	expr.Shl: "bvshl", expr.LShr: "bvlshr", expr.AShr: "bvashr",
	expr.Eq: "bvcomp", expr.Ult: "bvult", expr.Ule: "bvule", expr.Slt: "bvslt", expr.Sle: "bvsle",
	expr.Ite: "ite", expr.Concat: "concat",
	expr.Extract: "extract", expr.ZExt: "zero_extend", expr.SExt: "sign_extend",
	expr.UMulHi: "", // is a term of several
	expr.Store:  "store", expr.Select: "select",
}

// maxHeight is how high an expression without let grows in the output of
// WriteTerm; it bounds the nesting of parentheses for readers.
const maxHeight = 100

// WriteTerm writes x as a term over the theory of bit-vectors, booleans included,
// and of arrays. Operators over floats are written as functions that no solver
// knows: assertions for solvers are those of WriteAssertion. Expressions used more
// than once are bound by let. A variable is written as a symbol of its name and
// width, |name:32|; bytes that such a symbol cannot hold are escaped as %xx.
// [ParseTerm] reads the term back.
func WriteTerm(w io.Writer, a *expr.Arena, x expr.ID) error { return writeTerm(w, a, x, nil) }

// writeTerm is WriteTerm with names for some subexpressions, constants of the script.
func writeTerm(w io.Writer, a *expr.Arena, x expr.ID, constants map[expr.ID]string) error {
	uses := map[expr.ID]int{}
	height := map[expr.ID]int{}
	var bound []expr.ID // in the order of their definition
	names := map[expr.ID]string{}
	maps.Copy(names, constants)
	postorder(a, x, constants, func(y expr.ID) {
		h := 0
		for i := range a.NumArgs(y) {
			arg := a.Arg(y, i)
			uses[arg]++
			h = max(h, height[arg]+1)
		}
		height[y] = h % maxHeight
	})
	postorder(a, x, constants, func(y expr.ID) {
		if constants[y] != "" {
			return
		}
		if a.NumArgs(y) > 0 && y != x && (uses[y] > 1 || height[y] == maxHeight-1 || a.Op(y) == expr.Table) {
			names[y] = "?" + strconv.Itoa(len(bound))
			bound = append(bound, y)
		}
	})
	p := printer{Writer: bufio.NewWriter(w), a: a, names: names}
	lets := 0
	for _, y := range bound {
		if a.Op(y) == expr.Table {
			lets += p.bindTable(y, names[y])
			continue
		}
		p.WriteString("(let ((" + names[y] + " ")
		p.operator(y)
		p.WriteString(")) ")
		lets++
	}
	p.term(x)
	p.WriteString(strings.Repeat(")", lets))
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing an SMT-LIB term: %w", err)
	}
	return nil
}

// postorder calls visit once for each subexpression of x, operands before the
// expressions that use them, in an order that depends on structure alone. It goes
// no further down than to the leaves, which may be nil.
func postorder(a *expr.Arena, x expr.ID, leaves map[expr.ID]string, visit func(expr.ID)) {
	type frame struct {
		x    expr.ID
		next int
	}
	seen := map[expr.ID]bool{x: true}
	stack := []frame{{x: x}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next < a.NumArgs(f.x) && leaves[f.x] == "" {
			arg := a.Arg(f.x, f.next)
			f.next++
			if !seen[arg] {
				seen[arg] = true
				stack = append(stack, frame{x: arg})
			}
			continue
		}
		visit(f.x)
		stack = stack[:len(stack)-1]
	}
}

// WriteDeclarations writes the declarations of variables, as for the terms that
// WriteTerm writes, one a line.
func WriteDeclarations(w io.Writer, a *expr.Arena, vars []expr.ID) error {
	for _, v := range vars {
		if _, err := fmt.Fprintf(w, "(declare-fun %s () (_ BitVec %d))\n", Symbol(a, v), a.Width(v)); err != nil {
			return fmt.Errorf("writing an SMT-LIB declaration: %w", err)
		}
	}
	return nil
}

// WriteScript writes a script that queries whether the conjuncts can all be true.
func WriteScript(w io.Writer, a *expr.Arena, conj []expr.ID) error {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	if _, err := fmt.Fprintf(w, "(set-logic %s)\n", Logic(a, conj)); err != nil {
		return fmt.Errorf("writing an SMT-LIB script: %w", err)
	}
	for _, f := range Functions(a, conj) {
		if _, err := io.WriteString(w, f.Definition()); err != nil {
			return fmt.Errorf("writing an SMT-LIB script: %w", err)
		}
	}
	if err := WriteDeclarations(w, a, slices.Compact(vars)); err != nil {
		return err
	}
	for i, x := range conj {
		if err := WriteAssertion(w, a, x, fmt.Sprintf("r%d!", i)); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, "(check-sat)\n"); err != nil {
		return fmt.Errorf("writing an SMT-LIB script: %w", err)
	}
	return nil
}

// WriteAssertion writes the commands that assert that x, which has width 1, is 1.
// Where an operator gives a float, its bits are a constant of the script, which
// is declared with a name that begins with the prefix: see [Function].
func WriteAssertion(w io.Writer, a *expr.Arena, x expr.ID, prefix string) error {
	var b strings.Builder
	constants := map[expr.ID]string{}
	postorder(a, x, nil, func(y expr.ID) {
		if !givesFloat(a.Op(y)) {
			return
		}
		name := prefix + strconv.Itoa(len(constants))
		fmt.Fprintf(&b, "(declare-const %s (_ BitVec %d))\n(assert (%s", name, a.Width(y), functionOf(a, y))
		for i := range a.NumArgs(y) {
			b.WriteByte(' ')
			writeTerm(&b, a, a.Arg(y, i), constants) // a Builder never fails
		}
		fmt.Fprintf(&b, " %s))\n", name)
		constants[y] = name
	})
	b.WriteString("(assert (= #b1 ")
	writeTerm(&b, a, x, constants)
	b.WriteString("))\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing an SMT-LIB assertion: %w", err)
	}
	return nil
}

// Symbol returns the symbol of the variable v.
func Symbol(a *expr.Arena, v expr.ID) string {
	var b strings.Builder
	b.WriteByte('|')
	name := a.VarName(v)
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '|' || c == '\\' || c == '%' {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	fmt.Fprintf(&b, ":%d|", a.Width(v))
	return b.String()
}

// Logic returns the logic that the terms are in: QF_BV, QF_BVFP or, where there
// are arrays, ALL, since Z3 knows arrays that are the same everywhere in no other.
// Each includes those before.
func Logic(a *expr.Arena, terms []expr.ID) string {
	switch {
	case hasArrays(a, terms):
		return "ALL"
	case len(Functions(a, terms)) > 0:
		return "QF_BVFP"
	}
	return "QF_BV"
}

// A printer writes a term.
type printer struct {
	*bufio.Writer // keeps the first error until Flush
	a             *expr.Arena
	names         map[expr.ID]string // of those bound by let
}

// term writes x, by its name if it has one.
func (p *printer) term(x expr.ID) {
	if name, ok := p.names[x]; ok {
		p.WriteString(name)
		return
	}
	if v, ok := p.a.ConstValue(x); ok {
		p.constant(v, p.a.Width(x))
	} else if p.a.Op(x) == expr.Var {
		p.WriteString(Symbol(p.a, x))
	} else {
		p.operator(x)
	}
}

func (p *printer) constant(v uint64, width uint8) {
	if width%4 == 0 {
		fmt.Fprintf(p, "#x%0*x", width/4, v)
	} else {
		fmt.Fprintf(p, "#b%0*b", width, v)
	}
}

// operator writes x, an operator with its operands.
func (p *printer) operator(x expr.ID) {
	a, op, width := p.a, p.a.Op(x), p.a.Width(x)
	var name string
	if op >= expr.FAdd {
		name = functionOf(a, x).String()
	} else {
		name = operatorNames[op]
	}
	switch op {
	case expr.UMulHi: // there are no words so wide but in here
		fmt.Fprintf(p, "((_ extract %d %d) (bvmul ((_ zero_extend %d) ", 2*width-1, width, width)
		p.term(a.Arg(x, 0))
		fmt.Fprintf(p, ") ((_ zero_extend %d) ", width)
		p.term(a.Arg(x, 1))
		p.WriteString(")))")
	case expr.Ult, expr.Ule, expr.Slt, expr.Sle:
		p.WriteString("(ite (" + name)
		p.args(x)
		p.WriteString(") #b1 #b0)")
	case expr.Ite:
		p.WriteString("(ite (= #b1 ")
		p.term(a.Arg(x, 0))
		p.WriteString(") ")
		p.term(a.Arg(x, 1))
		p.WriteString(" ")
		p.term(a.Arg(x, 2))
		p.WriteString(")")
	case expr.Table: // a term of its own
		p.table(x, "", 0, p.stored(x))
	case expr.Extract:
		lo := a.ExtractLo(x)
		fmt.Fprintf(p, "((_ %s %d %d)", name, lo+width-1, lo)
		p.args(x)
		p.WriteString(")")
	case expr.ZExt, expr.SExt:
		fmt.Fprintf(p, "((_ %s %d)", name, width-a.Width(a.Arg(x, 0)))
		p.args(x)
		p.WriteString(")")
	default:
		p.WriteString("(" + name)
		p.args(x)
		p.WriteString(")")
	}
}

func (p *printer) args(x expr.ID) {
	for i := range p.a.NumArgs(x) {
		p.WriteByte(' ')
		p.term(p.a.Arg(x, i))
	}
}
