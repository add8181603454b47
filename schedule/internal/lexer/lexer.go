package lexer

import (
	"fmt"
	"strconv"
)

// A Lexer divides a line of the text into tokens: words, quoted names, < and >. The last token
// is empty.
type Lexer struct {
	Line []byte
	Pos  int // of what has not been divided yet
}

// New returns a Lexer for a line.
func New(line []byte) Lexer { return Lexer{Line: line} }

// A Token is a part of a line.
type Token struct {
	Text   []byte
	Quoted bool
}

// Next returns the next token of the line.
func (x *Lexer) Next() (Token, error) {
	for x.Pos < len(x.Line) && (x.Line[x.Pos] == ' ' || x.Line[x.Pos] == '\t') {
		x.Pos++
	}
	rest := x.Line[x.Pos:]
	if len(rest) == 0 {
		return Token{}, nil
	}
	switch rest[0] {
	case '<', '>':
		x.Pos++
		return Token{Text: rest[:1]}, nil
	case '"':
		quoted, err := strconv.QuotedPrefix(string(rest))
		if err != nil {
			return Token{}, fmt.Errorf("a quote without an end")
		}
		x.Pos += len(quoted)
		text, err := strconv.Unquote(quoted)
		return Token{[]byte(text), true}, err
	}
	n := 0
	for n < len(rest) {
		if c := rest[n]; c == ' ' || c == '\t' || c == '<' || c == '>' || c == '"' {
			break
		}
		n++
	}
	x.Pos += n
	return Token{Text: rest[:n]}, nil
}

// Is reports whether t is a certain word.
func (t Token) Is(word string) bool { return !t.Quoted && string(t.Text) == word }

// Want returns the next token, which has to be a word.
func (x *Lexer) Want(what string) ([]byte, error) {
	t, err := x.Next()
	if err != nil {
		return nil, err
	}
	if len(t.Text) == 0 && !t.Quoted {
		return nil, fmt.Errorf("the line ends where %s is expected", what)
	}
	if t.Quoted || t.Text[0] == '<' || t.Text[0] == '>' {
		return nil, fmt.Errorf("%q in the place of %s", t.Text, what)
	}
	return t.Text, nil
}

// Number returns the next token, which has to be a number of so many bits.
func (x *Lexer) Number(what string, bits int) (int64, error) {
	text, err := x.Want(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(text), 10, bits)
	if err != nil {
		return 0, fmt.Errorf("%q in the place of %s", text, what)
	}
	return n, nil
}

// End checks that the line ends.
func (x *Lexer) End() error {
	t, err := x.Next()
	if err == nil && (len(t.Text) > 0 || t.Quoted) {
		err = fmt.Errorf("%q after the end of what the line says", t.Text)
	}
	return err
}

// Names divides a line that consists of names, of which one that is empty is the given word.
func Names(line, none string) ([]string, error) {
	var list []string
	x := New([]byte(line))
	for {
		t, err := x.Next()
		switch {
		case err != nil:
			return nil, err
		case t.Quoted:
			list = append(list, string(t.Text))
		case len(t.Text) == 0:
			return list, nil
		case t.Is(none):
			list = append(list, "")
		default:
			list = append(list, string(t.Text))
		}
	}
}

// Numbered returns the number in a word that consists of a letter and a number, such as v12.
func Numbered(word []byte, letter byte, most int64) (int64, bool) {
	if len(word) < 2 || word[0] != letter || word[1] < '0' || word[1] > '9' {
		return 0, false
	}
	n := int64(0)
	for _, c := range word[1:] {
		if c < '0' || c > '9' || n > most {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, n <= most
}
