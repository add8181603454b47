package smtlib

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
)

// maxAnswer bounds the answer of a solver, in bytes.
const maxAnswer = 64 << 20

// readSExpr reads a word or an expression in parentheses, with white space
// before it dropped.
func readSExpr(r *bufio.Reader) (string, error) {
	var b strings.Builder
	depth := 0
	var quote byte // the quotation mark inside which the reader is, or 0
	for b.Len() < maxAnswer {
		c, err := r.ReadByte()
		if err != nil {
			return "", err
		}
		space := c == ' ' || c == '\t' || c == '\r' || c == '\n'
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '|' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case space && depth == 0 && b.Len() == 0:
			continue
		case space && depth == 0:
			return b.String(), nil
		}
		b.WriteByte(c)
		if depth <= 0 && c == ')' {
			return b.String(), nil
		}
	}
	return "", fmt.Errorf("an answer of more than %d bytes", maxAnswer)
}

// parseValues reads the answer to get-value: a list of pairs of a symbol and a
// bit-vector, as #x2a, #b101010 or (_ bv42 8), in the order of vars.
func parseValues(a *expr.Arena, vars []expr.ID, answer string) ([]uint64, error) {
	words := tokens(answer)
	next := func() string {
		if len(words) == 0 {
			return ""
		}
		w := words[0]
		words = words[1:]
		return w
	}
	expect := func(want ...string) error {
		for _, w := range want {
			if got := next(); got != w {
				return fmt.Errorf("%q where %q is expected", got, w)
			}
		}
		return nil
	}
	if err := expect("("); err != nil {
		return nil, err
	}
	values := make([]uint64, len(vars))
	for i, v := range vars {
		symbol := a.SMTSymbol(v)
		if err := expect("("); err != nil {
			return nil, err
		}
		// Bars are needed only around symbols that are no words otherwise.
		if got := next(); got != symbol && got != strings.Trim(symbol, "|") {
			return nil, fmt.Errorf("%q where %q is expected", got, symbol)
		}
		value, err := parseValue(next, expect)
		if err != nil {
			return nil, fmt.Errorf("the value of %s: %w", symbol, err)
		}
		if width := a.Width(v); width < 64 && value>>width != 0 {
			return nil, fmt.Errorf("the value %d of %s is wider than it", value, symbol)
		}
		values[i] = value
		if err := expect(")"); err != nil {
			return nil, err
		}
	}
	return values, expect(")")
}

func parseValue(next func() string, expect func(...string) error) (uint64, error) {
	digits, base := next(), 0
	switch {
	case strings.HasPrefix(digits, "#x"):
		digits, base = digits[2:], 16
	case strings.HasPrefix(digits, "#b"):
		digits, base = digits[2:], 2
	case digits == "(":
		if err := expect("_"); err != nil {
			return 0, err
		}
		decimal, found := strings.CutPrefix(next(), "bv")
		if !found {
			return 0, fmt.Errorf("not a bit-vector")
		}
		next() // the width
		if err := expect(")"); err != nil {
			return 0, err
		}
		digits, base = decimal, 10
	default:
		return 0, fmt.Errorf("%q is not a bit-vector", digits)
	}
	return strconv.ParseUint(digits, base, 64)
}

// tokens splits text at parentheses and white space, outside of bars.
func tokens(text string) []string {
	var words []string
	for text != "" {
		n := 1
		switch text[0] {
		case ' ', '\t', '\r', '\n':
			text = text[1:]
			continue
		case '(', ')':
		case '|':
			if end := strings.IndexByte(text[1:], '|'); end >= 0 {
				n = end + 2
			}
		default:
			if n = strings.IndexAny(text, " \t\r\n()"); n < 0 {
				n = len(text)
			}
		}
		words = append(words, text[:n])
		text = text[n:]
	}
	return words
}
