package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// A sexpr is an atom or a list.
type sexpr struct {
	atom string // a quoted symbol is without its bars, a string with its quotes
	list []*sexpr
	line int
}

func (e *sexpr) isList() bool { return e.atom == "" }

// head returns the atom that a list begins with, or "".
func (e *sexpr) head() string {
	if len(e.list) == 0 {
		return ""
	}
	return e.list[0].atom
}

func (e *sexpr) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", e.line, fmt.Errorf(format, args...))
}

// number returns the value of a numeral.
func (e *sexpr) number() (int, error) {
	n, err := strconv.ParseUint(e.atom, 10, 31)
	if err != nil {
		return 0, e.errorf("a number expected instead of %q", e.atom)
	}
	return int(n), nil
}

// A sexprReader takes a script apart.
type sexprReader struct {
	text string
	pos  int
	line int
}

// next returns the next expression, nil at the end.
func (r *sexprReader) next() (*sexpr, error) {
	var open []*sexpr // lists that are not closed yet
	for {
		r.space()
		if r.pos == len(r.text) {
			if len(open) > 0 {
				return nil, open[len(open)-1].errorf("a parenthesis that is not closed")
			}
			return nil, nil
		}
		e := &sexpr{line: r.line}
		switch r.text[r.pos] {
		case '(':
			r.pos++
			open = append(open, e)
			continue
		case ')':
			if len(open) == 0 {
				return nil, e.errorf("a parenthesis that is not opened")
			}
			r.pos++
			e = open[len(open)-1]
			open = open[:len(open)-1]
		default:
			var err error
			if e.atom, err = r.atom(); err != nil {
				return nil, err
			}
		}
		if len(open) == 0 {
			return e, nil
		}
		last := open[len(open)-1]
		last.list = append(last.list, e)
	}
}

// space skips white space and comments.
func (r *sexprReader) space() {
	for ; r.pos < len(r.text); r.pos++ {
		switch r.text[r.pos] {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		case ';':
			for r.pos+1 < len(r.text) && r.text[r.pos+1] != '\n' {
				r.pos++
			}
		default:
			return
		}
	}
}

// atom reads a word, a quoted symbol or a string.
func (r *sexprReader) atom() (string, error) {
	rest := r.text[r.pos:]
	switch quote := rest[0]; quote {
	case '|', '"':
		n := strings.IndexByte(rest[1:], quote) + 2
		if n == 1 {
			return "", fmt.Errorf("line %d: a quotation mark that is not closed", r.line)
		}
		r.pos += n
		r.line += strings.Count(rest[:n], "\n")
		if quote == '|' {
			if n == 2 {
				return "", fmt.Errorf("line %d: a symbol without characters", r.line)
			}
			return rest[1 : n-1], nil
		}
		return rest[:n], nil
	}
	n := strings.IndexAny(rest, " \t\r\n()|\";")
	if n < 0 {
		n = len(rest)
	}
	r.pos += n
	return rest[:n], nil
}
