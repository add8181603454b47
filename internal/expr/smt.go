package expr

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// smtOps are the names of operators in SMT-LIB. Comparisons yield a Bool
// there and are turned into bits by the printer.
var smtOps = [...]string{
	Not: "bvnot", Neg: "bvneg", And: "bvand", Or: "bvor", Xor: "bvxor",
	Add: "bvadd", Sub: "bvsub", Mul: "bvmul",
	UDiv: "bvudiv", SDiv: "bvsdiv", URem: "bvurem", SRem: "bvsrem",
	Shl: "bvshl", LShr: "bvlshr", AShr: "bvashr",
	Eq: "bvcomp", Ult: "bvult", Ule: "bvule", Slt: "bvslt", Sle: "bvsle",
	Ite: "ite", Concat: "concat",
	Extract: "extract", ZExt: "zero_extend", SExt: "sign_extend",
	UMulHi: "", // is a term of several
	Store:  "store", Select: "select",
}

// smtHeight is how high an expression without let grows in the output of SMT;
// it bounds the nesting of parentheses for readers.
const smtHeight = 100

// SMT writes x as a term of SMT-LIB 2 over the theory of bit-vectors, booleans
// included, and of arrays. Operators over floats are written as functions that no
// solver knows: it is told assertions as SMTAssert writes them. Expressions used more than once are bound by let. A variable
// writes as a symbol of its name and width, |name:32|; bytes that such a
// symbol cannot hold are escaped as %xx. See [Parse] for the way back.
func (a *Arena) SMT(w io.Writer, x ID) error { return a.smt(w, x, nil) }

// smt is SMT with names for some subexpressions, constants of the script.
func (a *Arena) smt(w io.Writer, x ID, constants map[ID]string) error {
	uses := map[ID]int{}
	height := map[ID]int{}
	var bound []ID // in the order of their definition
	names := map[ID]string{}
	maps.Copy(names, constants)
	a.postorderAbove(constants, x, func(y ID) {
		n := &a.nodes[y]
		h := 0
		for _, arg := range a.operands(n) {
			uses[arg]++
			h = max(h, height[arg]+1)
		}
		height[y] = h % smtHeight
	})
	a.postorderAbove(constants, x, func(y ID) {
		if constants[y] != "" {
			return
		}
		if a.NumArgs(y) > 0 && y != x && (uses[y] > 1 || height[y] == smtHeight-1 || a.nodes[y].op == Table) {
			names[y] = "?" + strconv.Itoa(len(bound))
			bound = append(bound, y)
		}
	})
	p := smtPrinter{Writer: bufio.NewWriter(w), a: a, names: names}
	lets := 0
	for _, y := range bound {
		if a.nodes[y].op == Table {
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

// SMTDeclare writes the declarations of variables, as for the terms that SMT
// writes, one a line.
func (a *Arena) SMTDeclare(w io.Writer, vars []ID) error {
	for _, v := range vars {
		if _, err := fmt.Fprintf(w, "(declare-fun %s () (_ BitVec %d))\n", a.SMTSymbol(v), a.nodes[v].width); err != nil {
			return fmt.Errorf("writing an SMT-LIB declaration: %w", err)
		}
	}
	return nil
}

// SMTScript writes a script that asks whether the conjuncts can all be true.
func (a *Arena) SMTScript(w io.Writer, conj []ID) error {
	var vars []ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	if _, err := fmt.Fprintf(w, "(set-logic %s)\n", a.SMTLogic(conj)); err != nil {
		return fmt.Errorf("writing an SMT-LIB script: %w", err)
	}
	for _, f := range a.SMTFunctions(conj) {
		if _, err := io.WriteString(w, f.Definition()); err != nil {
			return fmt.Errorf("writing an SMT-LIB script: %w", err)
		}
	}
	if err := a.SMTDeclare(w, slices.Compact(vars)); err != nil {
		return err
	}
	for i, x := range conj {
		if err := a.SMTAssert(w, x, fmt.Sprintf("r%d!", i)); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, "(check-sat)\n"); err != nil {
		return fmt.Errorf("writing an SMT-LIB script: %w", err)
	}
	return nil
}

// SMTAssert writes the commands that assert that x, which has width 1, is 1.
// Where an operator gives a float, its bits are a constant of the script, which
// is declared with a name that begins with the prefix: see SMTFunction.
func (a *Arena) SMTAssert(w io.Writer, x ID, prefix string) error {
	var b strings.Builder
	constants := map[ID]string{}
	a.postorder(x, func(y ID) {
		n := &a.nodes[y]
		if !n.op.givesFloat() {
			return
		}
		name := prefix + strconv.Itoa(len(constants))
		fmt.Fprintf(&b, "(declare-const %s (_ BitVec %d))\n(assert (%s", name, n.width, a.smtFunction(n))
		for _, arg := range a.operands(n) {
			b.WriteByte(' ')
			a.smt(&b, arg, constants) // a Builder never fails
		}
		fmt.Fprintf(&b, " %s))\n", name)
		constants[y] = name
	})
	b.WriteString("(assert (= #b1 ")
	a.smt(&b, x, constants)
	b.WriteString("))\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing an SMT-LIB assertion: %w", err)
	}
	return nil
}

// SMTSymbol returns the SMT-LIB symbol of the variable v.
func (a *Arena) SMTSymbol(v ID) string {
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
	fmt.Fprintf(&b, ":%d|", a.nodes[v].width)
	return b.String()
}

type smtPrinter struct {
	*bufio.Writer // keeps the first error until Flush
	a             *Arena
	names         map[ID]string // of those bound by let
}

// term writes x, by its name if it has one.
func (p *smtPrinter) term(x ID) {
	if name, ok := p.names[x]; ok {
		p.WriteString(name)
		return
	}
	switch n := &p.a.nodes[x]; n.op {
	case Const:
		p.constant(n.value(), n.width)
	case Var:
		p.WriteString(p.a.SMTSymbol(x))
	default:
		p.operator(x)
	}
}

func (p *smtPrinter) constant(v uint64, width uint8) {
	if width%4 == 0 {
		fmt.Fprintf(p, "#x%0*x", width/4, v)
	} else {
		fmt.Fprintf(p, "#b%0*b", width, v)
	}
}

// operator writes x, an operator with its operands.
func (p *smtPrinter) operator(x ID) {
	n := &p.a.nodes[x]
	var name string
	if n.op >= FAdd {
		name = p.a.smtFunction(n).String()
	} else {
		name = smtOps[n.op]
	}
	switch n.op {
	case UMulHi: // there are no words so wide but in here
		w := n.width
		fmt.Fprintf(p, "((_ extract %d %d) (bvmul ((_ zero_extend %d) ", 2*w-1, w, w)
		p.term(n.args[0])
		fmt.Fprintf(p, ") ((_ zero_extend %d) ", w)
		p.term(n.args[1])
		p.WriteString(")))")
	case Ult, Ule, Slt, Sle:
		p.WriteString("(ite (" + name)
		p.args(n)
		p.WriteString(") #b1 #b0)")
	case Ite:
		p.WriteString("(ite (= #b1 ")
		p.term(n.args[0])
		p.WriteString(") ")
		p.term(n.args[1])
		p.WriteString(" ")
		p.term(n.args[2])
		p.WriteString(")")
	case Table: // a term of its own
		elems, _ := p.a.stored(x)
		p.table(x, "", 0, len(elems))
	case Extract:
		fmt.Fprintf(p, "((_ %s %d %d)", name, n.lo+n.width-1, n.lo)
		p.args(n)
		p.WriteString(")")
	case ZExt, SExt:
		fmt.Fprintf(p, "((_ %s %d)", name, n.width-p.a.nodes[n.args[0]].width)
		p.args(n)
		p.WriteString(")")
	default:
		p.WriteString("(" + name)
		p.args(n)
		p.WriteString(")")
	}
}

func (p *smtPrinter) args(n *node) {
	for _, arg := range p.a.operands(n) {
		p.WriteByte(' ')
		p.term(arg)
	}
}
