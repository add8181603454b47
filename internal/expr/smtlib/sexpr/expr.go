package sexpr

import (
	"fmt"
	"strconv"
	"strings"
)

// An Expr is an atom or a list.
type Expr struct {
	Atom   string // of a string with its quotation marks; empty for a list
	Quoted bool   // the atom is a symbol that was written between bars
	List   []*Expr
	Line   int // where it begins
}

// IsList reports whether e is a list.
func (e *Expr) IsList() bool { return e.Atom == "" }

// Head returns the atom that a list begins with, or "".
func (e *Expr) Head() string {
	if len(e.List) == 0 {
		return ""
	}
	return e.List[0].Atom
}

// Number returns the value of a numeral.
func (e *Expr) Number() (int, error) {
	n, err := strconv.ParseUint(e.Atom, 10, 31)
	if err != nil {
		return 0, e.Errorf("a number expected instead of %q", e.Atom)
	}
	return int(n), nil
}

// Errorf returns an error about e, with its line.
func (e *Expr) Errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", e.Line, fmt.Errorf(format, args...))
}

// String returns e as it is written, on one line.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *Expr) write(b *strings.Builder) {
	switch {
	case e.Quoted:
		b.WriteString("|" + e.Atom + "|")
	case !e.IsList():
		b.WriteString(e.Atom)
	default:
		b.WriteByte('(')
		for i, x := range e.List {
			if i > 0 {
				b.WriteByte(' ')
			}
			x.write(b)
		}
		b.WriteByte(')')
	}
}
