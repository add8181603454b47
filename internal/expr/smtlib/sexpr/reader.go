package sexpr

import (
	"errors"
	"fmt"
	"io"
)

// A Reader reads expressions from a stream.
type Reader struct {
	// Limit is the number of bytes that an expression may have; 0 means no limit.
	Limit int

	in   io.ByteScanner
	line int
	size int    // bytes of the expression so far
	atom []byte // scratch
}

// NewReader returns a reader of the stream.
func NewReader(in io.ByteScanner) *Reader { return &Reader{in: in, line: 1} }

// Next returns the next expression. At the end of the stream the error is
// io.EOF.
func (r *Reader) Next() (*Expr, error) {
	r.size = 0
	var open []*Expr // lists that are not closed yet
	for {
		c, err := r.space()
		if errors.Is(err, io.EOF) && len(open) > 0 {
			err = open[len(open)-1].Errorf("a parenthesis that is not closed: %w", io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
		var e *Expr
		switch c {
		case '(':
			open = append(open, &Expr{Line: r.line})
			continue
		case ')':
			if len(open) == 0 {
				return nil, fmt.Errorf("line %d: a parenthesis that is not opened", r.line)
			}
			e = open[len(open)-1]
			open = open[:len(open)-1]
		case '|', '"':
			e, err = r.quoted(c)
		default:
			e, err = r.word(c)
		}
		if err != nil {
			return nil, err
		}
		if len(open) == 0 {
			return e, nil
		}
		last := open[len(open)-1]
		last.List = append(last.List, e)
	}
}

// next returns the next byte.
func (r *Reader) next() (byte, error) {
	if r.size++; r.Limit > 0 && r.size > r.Limit {
		return 0, fmt.Errorf("line %d: an expression of more than %d bytes", r.line, r.Limit)
	}
	return r.in.ReadByte()
}

// space skips white space and comments and returns the byte that follows.
func (r *Reader) space() (byte, error) {
	comment := false
	for {
		c, err := r.next()
		switch {
		case err != nil:
			return 0, err
		case c == '\n':
			r.line++
			comment = false
		case comment, c == ' ', c == '\t', c == '\r':
		case c == ';':
			comment = true
		default:
			return c, nil
		}
	}
}

// quoted reads the rest of a symbol or a string, up to the mark that it began with.
func (r *Reader) quoted(mark byte) (*Expr, error) {
	e := &Expr{Line: r.line}
	r.atom = r.atom[:0]
	for {
		c, err := r.next()
		if errors.Is(err, io.EOF) {
			err = e.Errorf("a quotation mark that is not closed: %w", io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
		if c == mark {
			break
		}
		if c == '\n' {
			r.line++
		}
		r.atom = append(r.atom, c)
	}
	switch {
	case mark == '"':
		e.Atom = `"` + string(r.atom) + `"`
	case len(r.atom) == 0:
		return nil, e.Errorf("a symbol without characters")
	default:
		e.Atom, e.Quoted = string(r.atom), true
	}
	return e, nil
}

// word reads the rest of a word after its first byte. The byte that ends it is left
// in the stream.
func (r *Reader) word(first byte) (*Expr, error) {
	r.atom = append(r.atom[:0], first)
	for {
		c, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return &Expr{Atom: string(r.atom), Line: r.line}, nil
		case err != nil:
			return nil, err
		case delimits(c):
			return &Expr{Atom: string(r.atom), Line: r.line}, r.in.UnreadByte()
		}
		r.atom = append(r.atom, c)
	}
}

// delimits reports whether c ends a word.
func delimits(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '(', ')', '|', '"', ';':
		return true
	}
	return false
}
