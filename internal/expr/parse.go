package expr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseDepth bounds the nesting of terms that Parse accepts, far above what
// SMT writes.
const parseDepth = 10_000

// Parse builds in a the expression that a term written by [Arena.SMT] stands
// for. It reads the subset of SMT-LIB 2 that SMT writes: bit-vector constants,
// variables as |name:width|, let, ite over a comparison or over (= #b1 c), the
// bit-vector operators, the functions over floats and the operators on arrays.
func Parse(a *Arena, text string) (ID, error) {
	p := parser{a: a, text: text, bound: map[string]ID{}}
	p.next()
	x, err := p.term()
	if err == nil && p.token != "" {
		err = p.errorf("%q after the term", p.token)
	}
	if err != nil {
		return None, fmt.Errorf("parsing an SMT-LIB term: %w", err)
	}
	return x, nil
}

var opByName = func() map[string]Op {
	m := make(map[string]Op, len(smtOps))
	for op, name := range smtOps {
		if name != "" {
			m[name] = Op(op)
		}
	}
	return m
}()

type parser struct {
	a     *Arena
	text  string
	start int    // of token in text
	pos   int    // after token
	token string // empty at the end of text
	depth int
	bound map[string]ID // by let
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("offset %d: %w", p.start, fmt.Errorf(format, args...))
}

// next moves to the next token: a parenthesis, a quoted symbol or a word.
func (p *parser) next() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	p.start = p.pos
	if p.pos == len(p.text) {
		p.token = ""
		return
	}
	n := 1
	rest := p.text[p.pos:]
	switch rest[0] {
	case '(', ')':
	case '|':
		if end := strings.IndexByte(rest[1:], '|'); end >= 0 {
			n = end + 2
		}
	default:
		if n = strings.IndexAny(rest, " \t\r\n()|"); n < 0 {
			n = len(rest)
		}
	}
	p.token = rest[:n]
	p.pos += n
}

func (p *parser) expect(token string) error {
	if p.token != token {
		if p.token == "" {
			return p.errorf("%q expected at the end", token)
		}
		return p.errorf("%q expected instead of %q", token, p.token)
	}
	p.next()
	return nil
}

// term reads a term. The body of a let is read in a loop, since SMT writes one
// let inside another for each shared expression.
func (p *parser) term() (ID, error) {
	if p.depth++; p.depth > parseDepth {
		return None, p.errorf("nested more than %d deep", parseDepth)
	}
	defer func() { p.depth-- }()
	lets := 0
	for {
		if p.token != "(" {
			x, err := p.atom()
			return p.closeLets(x, lets, err)
		}
		p.next()
		if p.token != "let" {
			x, err := p.application()
			return p.closeLets(x, lets, err)
		}
		p.next()
		if err := p.binding(); err != nil {
			return None, err
		}
		lets++
	}
}

func (p *parser) closeLets(x ID, lets int, err error) (ID, error) {
	for ; lets > 0 && err == nil; lets-- {
		err = p.expect(")")
	}
	return x, err
}

// bits reads a term that is a bit-vector.
func (p *parser) bits() (ID, error) {
	x, err := p.term()
	if err == nil && p.a.Width(x) == 0 {
		return None, p.errorf("an array in the place of a bit-vector")
	}
	return x, err
}

// binding reads "((name term))". A name holds for the rest of the text: SMT
// binds each name once.
func (p *parser) binding() error {
	if err := p.expectAll("(", "("); err != nil {
		return err
	}
	name := p.token
	if !strings.HasPrefix(name, "?") {
		return p.errorf("let binds %q, which is no name", name)
	}
	if _, ok := p.bound[name]; ok {
		return p.errorf("let binds %s again", name)
	}
	p.next()
	x, err := p.term()
	if err != nil {
		return err
	}
	p.bound[name] = x
	return p.expectAll(")", ")")
}

// atom reads a constant, a variable or a name bound by let.
func (p *parser) atom() (ID, error) {
	t := p.token
	var x ID
	switch {
	case strings.HasPrefix(t, "#x"), strings.HasPrefix(t, "#b"):
		base, per := 16, 4
		if t[1] == 'b' {
			base, per = 2, 1
		}
		digits := t[2:]
		v, err := strconv.ParseUint(digits, base, 64)
		if err != nil || len(digits)*per > 64 {
			return None, p.errorf("bad constant %q", t)
		}
		x = p.a.Const(v, uint8(len(digits)*per))
	case strings.HasPrefix(t, "|"):
		var err error
		if x, err = p.variable(t); err != nil {
			return None, err
		}
	default:
		var ok bool
		if x, ok = p.bound[t]; !ok {
			if t == "" {
				return None, p.errorf("a term expected at the end")
			}
			return None, p.errorf("%q is not a term", t)
		}
	}
	p.next()
	return x, nil
}

// variable reads a symbol |name:width|.
func (p *parser) variable(t string) (ID, error) {
	if len(t) < 2 || t[len(t)-1] != '|' {
		return None, p.errorf("bad variable %q: |name:width| expected", t)
	}
	name, width, err := variableName(t[1 : len(t)-1])
	if err != nil {
		return None, p.errorf("bad variable %q: %w", t, err)
	}
	if x, ok := p.a.byName[name]; ok && p.a.nodes[x].width != width {
		return None, p.errorf("variable %q has width %d already", t, p.a.nodes[x].width)
	}
	return p.a.Var(name, width), nil
}

// variableName returns the name and the width of the variable that SMTSymbol gave
// this symbol, without its bars.
func variableName(symbol string) (string, uint8, error) {
	colon := strings.LastIndexByte(symbol, ':')
	if colon < 0 {
		return "", 0, errors.New("|name:width| expected")
	}
	width, err := parseWidth(symbol[colon+1:])
	if err != nil {
		return "", 0, err
	}
	var name strings.Builder
	for quoted := symbol[:colon]; quoted != ""; quoted = quoted[1:] {
		c := quoted[0]
		if c == '%' {
			if len(quoted) < 3 {
				return "", 0, errors.New("bad escape")
			}
			v, err := strconv.ParseUint(quoted[1:3], 16, 8)
			if err != nil {
				return "", 0, errors.New("bad escape")
			}
			c, quoted = byte(v), quoted[2:]
		}
		name.WriteByte(c)
	}
	return name.String(), width, nil
}

// parseWidth reads the width of a bit-vector.
func parseWidth(digits string) (uint8, error) {
	width, err := strconv.ParseUint(digits, 10, 8)
	if err != nil || width < 1 || width > 64 {
		return 0, fmt.Errorf("bad width %q", digits)
	}
	return uint8(width), nil
}

// application reads an operator with its operands and the closing parenthesis.
func (p *parser) application() (ID, error) {
	if p.token == "(" {
		return p.indexed()
	}
	name := p.token
	if f, ok := smtFunctionNamed(name); ok {
		return p.function(f)
	}
	op, ok := opByName[name]
	if !ok || op == Extract || op == ZExt || op == SExt {
		return None, p.errorf("unknown operator %q", name)
	}
	p.next()
	switch op {
	case Ite:
		return p.ite()
	case Select:
		return p.selection()
	case Store:
		return p.store()
	case Ult, Ule, Slt, Sle:
		return None, p.errorf("%s outside of ite", name)
	}
	x, err := p.operator(op)
	if err != nil {
		return None, err
	}
	return x, p.expect(")")
}

// function reads "f x y)" for an operator f over floats.
func (p *parser) function(f SMTFunction) (ID, error) {
	name := p.token
	p.next()
	var args [2]ID
	for i := range f.op.NumArgs() {
		x, err := p.term()
		if err != nil {
			return None, err
		}
		if w := p.a.Width(x); w != f.from {
			return None, p.errorf("%s of width %d", name, w)
		}
		args[i] = x
	}
	if err := p.expect(")"); err != nil {
		return None, err
	}
	return f.apply(p.a, args[0], args[1]), nil
}

// operator reads the operands of op and applies it.
func (p *parser) operator(op Op) (ID, error) {
	start := p.start
	var args [2]ID
	for i := range op.NumArgs() {
		x, err := p.bits()
		if err != nil {
			return None, err
		}
		args[i] = x
	}
	wx, wy := p.a.Width(args[0]), p.a.Width(args[1])
	switch {
	case op == Not:
		return p.a.Not(args[0]), nil
	case op == Neg:
		return p.a.Neg(args[0]), nil
	case op == Concat && int(wx)+int(wy) > 64:
		return None, fmt.Errorf("offset %d: concat to more than 64 bits", start)
	case op != Concat && wx != wy:
		return None, fmt.Errorf("offset %d: %s of widths %d and %d", start, smtOps[op], wx, wy)
	}
	return p.a.Binary(op, args[0], args[1]), nil
}

// ite reads "(comparison) x y)".
func (p *parser) ite() (ID, error) {
	if err := p.expect("("); err != nil {
		return None, err
	}
	name := p.token
	p.next()
	var c ID
	var err error
	switch op := opByName[name]; {
	case name == "=":
		if err := p.expect("#b1"); err != nil {
			return None, err
		}
		c, err = p.bits()
	case op == Ult || op == Ule || op == Slt || op == Sle:
		c, err = p.operator(op)
	default:
		return None, p.errorf("%q is not a condition", name)
	}
	if err != nil {
		return None, err
	}
	if p.a.Width(c) != 1 {
		return None, p.errorf("condition of width %d", p.a.Width(c))
	}
	if err := p.expect(")"); err != nil {
		return None, err
	}
	x, err := p.bits()
	if err != nil {
		return None, err
	}
	y, err := p.bits()
	if err != nil {
		return None, err
	}
	if wx, wy := p.a.Width(x), p.a.Width(y); wx != wy {
		return None, p.errorf("ite of widths %d and %d", wx, wy)
	}
	return p.a.Ite(c, x, y), p.expect(")")
}

// indexed reads "(_ extract hi lo) x)" and the like, and arrays that are the same
// everywhere.
func (p *parser) indexed() (ID, error) {
	p.next()
	if p.token == "as" {
		return p.array()
	}
	if err := p.expect("_"); err != nil {
		return None, err
	}
	name := p.token
	op := opByName[name]
	var count int
	switch op {
	case Extract:
		count = 2
	case ZExt, SExt:
		count = 1
	default:
		return None, p.errorf("unknown indexed operator %q", name)
	}
	p.next()
	var index [2]int
	for i := range count {
		v, err := strconv.ParseUint(p.token, 10, 8)
		if err != nil || v > 127 {
			return None, p.errorf("bad index %q of %s", p.token, name)
		}
		index[i] = int(v)
		p.next()
	}
	if err := p.expect(")"); err != nil {
		return None, err
	}
	if op == Extract && index[0] >= 64 {
		return p.highProduct(index[0], index[1])
	}
	x, err := p.bits()
	if err != nil {
		return None, err
	}
	w := int(p.a.Width(x))
	switch {
	case op == Extract && (index[0] >= w || index[1] > index[0]):
		return None, p.errorf("extract of bits %d to %d from width %d", index[1], index[0], w)
	case op == Extract:
		x = p.a.Extract(x, uint8(index[1]), uint8(index[0]-index[1]+1))
	case w+index[0] > 64:
		return None, p.errorf("%s to width %d", name, w+index[0])
	case op == ZExt:
		x = p.a.ZExt(x, uint8(w+index[0]))
	default:
		x = p.a.SExt(x, uint8(w+index[0]))
	}
	return x, p.expect(")")
}

// highProduct reads "(bvmul ((_ zero_extend w) x) ((_ zero_extend w) y)))", of
// which bits hi to lo are to be taken: the upper half.
func (p *parser) highProduct(hi, lo int) (ID, error) {
	if hi != 2*lo-1 || lo > 64 {
		return None, p.errorf("extract of bits %d to %d of a product", lo, hi)
	}
	start := p.start
	if err := p.expectAll("(", "bvmul"); err != nil {
		return None, err
	}
	var args [2]ID
	for i := range args {
		if err := p.expectAll("(", "(", "_", "zero_extend", strconv.Itoa(lo), ")"); err != nil {
			return None, err
		}
		x, err := p.bits()
		if err != nil {
			return None, err
		}
		if w := p.a.Width(x); int(w) != lo {
			return None, fmt.Errorf("offset %d: product of %d and not %d bits", start, w, lo)
		}
		if err := p.expect(")"); err != nil {
			return None, err
		}
		args[i] = x
	}
	return p.a.UMulHi(args[0], args[1]), p.expectAll(")", ")")
}

// expectAll expects one token after the other.
func (p *parser) expectAll(tokens ...string) error {
	for _, token := range tokens {
		if err := p.expect(token); err != nil {
			return err
		}
	}
	return nil
}
