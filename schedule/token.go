package schedule

import (
	"fmt"
	"strconv"
)

// A lexer divides a line of the text into tokens: words, quoted names, < and >. The last token
// is empty.
type lexer struct {
	line []byte
	pos  int
}

// A token is a part of a line.
type token struct {
	text   []byte
	quoted bool
}

// next returns the next token of the line.
func (x *lexer) next() (token, error) {
	for x.pos < len(x.line) && (x.line[x.pos] == ' ' || x.line[x.pos] == '\t') {
		x.pos++
	}
	rest := x.line[x.pos:]
	if len(rest) == 0 {
		return token{}, nil
	}
	switch rest[0] {
	case '<', '>':
		x.pos++
		return token{text: rest[:1]}, nil
	case '"':
		quoted, err := strconv.QuotedPrefix(string(rest))
		if err != nil {
			return token{}, fmt.Errorf("a quote without an end")
		}
		x.pos += len(quoted)
		text, err := strconv.Unquote(quoted)
		return token{[]byte(text), true}, err
	}
	n := 0
	for n < len(rest) {
		if c := rest[n]; c == ' ' || c == '\t' || c == '<' || c == '>' || c == '"' {
			break
		}
		n++
	}
	x.pos += n
	return token{text: rest[:n]}, nil
}

// splitNames divides a line that consists of names, of which one that is empty is -.
func splitNames(line string) ([]string, error) {
	var list []string
	x := lexer{line: []byte(line)}
	for {
		t, err := x.next()
		switch {
		case err != nil:
			return nil, err
		case t.quoted:
			list = append(list, string(t.text))
		case len(t.text) == 0:
			return list, nil
		case t.is(noneWord):
			list = append(list, "")
		default:
			list = append(list, string(t.text))
		}
	}
}

// is reports whether t is a certain word.
func (t token) is(word string) bool { return !t.quoted && string(t.text) == word }

// want returns the next token, which has to be a word.
func (x *lexer) want(what string) ([]byte, error) {
	t, err := x.next()
	if err != nil {
		return nil, err
	}
	if len(t.text) == 0 && !t.quoted {
		return nil, fmt.Errorf("the line ends where %s is expected", what)
	}
	if t.quoted || t.text[0] == '<' || t.text[0] == '>' {
		return nil, fmt.Errorf("%q in the place of %s", t.text, what)
	}
	return t.text, nil
}

// number returns the next token, which has to be a number of so many bits.
func (x *lexer) number(what string, bits int) (int64, error) {
	text, err := x.want(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(text), 10, bits)
	if err != nil {
		return 0, fmt.Errorf("%q in the place of %s", text, what)
	}
	return n, nil
}

// end checks that the line ends.
func (x *lexer) end() error {
	t, err := x.next()
	if err == nil && (len(t.text) > 0 || t.quoted) {
		err = fmt.Errorf("%q after the end of what the line says", t.text)
	}
	return err
}

// numbered returns the number in a word that consists of a letter and a number, such as v12.
func numbered(word []byte, letter byte, most int64) (int64, bool) {
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
