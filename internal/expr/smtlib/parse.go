package smtlib

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib/sexpr"
)

// ParseTerm builds in a the expression that a term written by [WriteTerm] stands
// for: a bit-vector or an array, in which variables are symbols |name:width|.
func ParseTerm(a *expr.Arena, text string) (expr.ID, error) { return parse(a, text, false) }

// ParseTermOfRun is ParseTerm for an arena with expressions of several runs, in which a name may
// stand for variables of several widths: see [expr.Arena.VarOfRun].
func ParseTermOfRun(a *expr.Arena, text string) (expr.ID, error) { return parse(a, text, true) }

func parse(a *expr.Arena, text string, several bool) (expr.ID, error) {
	x, err := parseTerm(a, sexpr.NewReader(strings.NewReader(text)), several)
	if err != nil {
		return expr.None, fmt.Errorf("parsing an SMT-LIB term: %w", err)
	}
	return x, nil
}

func parseTerm(a *expr.Arena, in *sexpr.Reader, several bool) (expr.ID, error) {
	e, err := in.Next()
	if errors.Is(err, io.EOF) {
		return expr.None, errors.New("a term expected at the end")
	}
	if err != nil {
		return expr.None, err
	}
	r := newTermReader(a)
	r.free = func(e *sexpr.Expr) (expr.ID, error) { return r.freeVariable(e, several) }
	t, err := r.term(e)
	if err != nil {
		return expr.None, err
	}
	if t.sort.isBool {
		return expr.None, e.Errorf("a bit-vector expected, not %v", t.sort)
	}
	switch rest, err := in.Next(); {
	case errors.Is(err, io.EOF):
		return t.x, nil
	case err != nil:
		return expr.None, err
	default:
		return expr.None, rest.Errorf("%v after the term", rest)
	}
}

// freeVariable reads a symbol |name:width|.
func (r *termReader) freeVariable(e *sexpr.Expr, several bool) (expr.ID, error) {
	name, width, err := variableName(e.Atom)
	if err != nil {
		return expr.None, e.Errorf("bad variable %v: %w", e, err)
	}
	if several {
		return r.a.VarOfRun(name, width), nil
	}
	if x, ok := r.a.VarNamed(name); ok && r.a.Width(x) != width {
		return expr.None, e.Errorf("variable %v has width %d already", e, r.a.Width(x))
	}
	return r.a.Var(name, width), nil
}

// variableName returns the name and the width of the variable that Symbol gave
// this symbol, without its bars.
func variableName(symbol string) (string, uint8, error) {
	colon := strings.LastIndexByte(symbol, ':')
	if colon < 0 {
		return "", 0, errors.New("|name:width| expected")
	}
	width, err := strconv.ParseUint(symbol[colon+1:], 10, 8)
	if err != nil || width < 1 || width > 64 {
		return "", 0, fmt.Errorf("bad width %q", symbol[colon+1:])
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
	return name.String(), uint8(width), nil
}
