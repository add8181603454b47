package parsers

import (
	"errors"
	"strconv"
	"strings"
)

var errSyntax = errors.New("syntax error")

// pair parses "key = value".
func pair(s string) (key, value string, err error) {
	key, value, ok := strings.Cut(s, "=")
	if !ok {
		return "", "", errSyntax
	}
	return strings.TrimSpace(key), strings.TrimSpace(value), nil
}

// A version is a semantic version.
type version struct {
	major, minor, patch int
	pre                 string
}

// semver parses "v1.2.3" and "v1.2.3-pre".
func semver(s string) (v version, err error) {
	s, ok := strings.CutPrefix(s, "v")
	if !ok {
		return v, errSyntax
	}
	s, v.pre, ok = strings.Cut(s, "-")
	if ok && v.pre == "" {
		return v, errSyntax
	}
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return v, errSyntax
	}
	for i, n := range []*int{&v.major, &v.minor, &v.patch} {
		if *n, err = strconv.Atoi(parts[i]); err != nil || *n < 0 || len(parts[i]) > 1 && parts[i][0] == '0' {
			return v, errSyntax
		}
	}
	return v, nil
}

// A colour has a byte for each of red, green and blue.
type colour [3]byte

// hexColour parses "#rrggbb" and "#rgb".
func hexColour(s string) (c colour, err error) {
	if len(s) != 4 && len(s) != 7 || s[0] != '#' {
		return c, errSyntax
	}
	digits := (len(s) - 1) / 3
	for i := range c {
		for k := range digits {
			d := hexDigit(s[1+i*digits+k])
			if d < 0 {
				return c, errSyntax
			}
			c[i] = c[i]<<4 | byte(d)
		}
		if digits == 1 {
			c[i] *= 0x11
		}
	}
	return c, nil
}

// hexDigit returns the value of a hexadecimal digit, -1 of another byte.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// romanDigits are the values of Roman digits.
var romanDigits = map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}

// roman parses a Roman number, also one that is not in the shortest form.
func roman(s string) (int, error) {
	n, last := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		d, ok := romanDigits[s[i]]
		if !ok {
			return 0, errSyntax
		}
		if d < last {
			n -= d
		} else {
			n, last = n+d, d
		}
	}
	return n, nil
}

// calculate evaluates an expression of numbers with + - * and brackets.
func calculate(s string) (int, error) {
	c := calculator{rest: s}
	v := c.sum()
	if c.bad || c.rest != "" {
		return 0, errSyntax
	}
	return v, nil
}

type calculator struct {
	rest string
	bad  bool
}

// next takes the next byte if it is one of those in set.
func (c *calculator) next(set string) byte {
	if c.rest == "" || strings.IndexByte(set, c.rest[0]) < 0 {
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}

func (c *calculator) sum() int {
	v := c.product()
	for {
		switch c.next("+-") {
		case '+':
			v += c.product()
		case '-':
			v -= c.product()
		default:
			return v
		}
	}
}

func (c *calculator) product() int {
	v := c.factor()
	for c.next("*") != 0 {
		v *= c.factor()
	}
	return v
}

func (c *calculator) factor() int {
	if c.next("(") != 0 {
		v := c.sum()
		if c.next(")") == 0 {
			c.bad = true
		}
		return v
	}
	v, digits := 0, 0
	for ; ; digits++ {
		d := c.next("0123456789")
		if d == 0 {
			break
		}
		v = 10*v + int(d-'0')
	}
	if digits == 0 {
		c.bad = true
	}
	return v
}

// uuid parses the form with four hyphens.
func uuid(s string) (id [16]byte, err error) {
	if len(s) != 36 {
		return id, errSyntax
	}
	n := 0
	for i := 0; i < len(s); i++ {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return id, errSyntax
			}
			continue
		}
		d := hexDigit(s[i])
		if d < 0 {
			return id, errSyntax
		}
		id[n/2] = id[n/2]<<4 | byte(d)
		n++
	}
	return id, nil
}

// A setting is what a line of a configuration says.
type setting struct {
	verb  string
	count int
}

// verbs are the words that a line may begin with, and the least count of each.
var verbs = map[string]int{"allow": 1, "deny": 1, "limit": 10, "burst": 100}

// configLine parses "verb count", and comments from # on.
func configLine(s string) (c setting, err error) {
	s, _, _ = strings.Cut(s, "#")
	fields := strings.Fields(s)
	if len(fields) != 2 {
		return c, errSyntax
	}
	least, ok := verbs[fields[0]]
	if !ok {
		return c, errSyntax
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil || n < least {
		return c, errSyntax
	}
	return setting{fields[0], n}, nil
}

// byteRange parses the header "bytes=first-last".
func byteRange(s string) (first, last int, err error) {
	s, ok := strings.CutPrefix(s, "bytes=")
	if !ok {
		return 0, 0, errSyntax
	}
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		return 0, 0, errSyntax
	}
	if first, err = strconv.Atoi(from); err != nil {
		return 0, 0, errSyntax
	}
	if last, err = strconv.Atoi(to); err != nil || last < first {
		return 0, 0, errSyntax
	}
	return first, last, nil
}

// luhn reports whether s is a number of digits whose check digit is right.
func luhn(s string) bool {
	sum := 0
	for i := range s {
		c := s[len(s)-1-i]
		if c < '0' || c > '9' {
			return false
		}
		d := int(c - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return s != "" && sum%10 == 0
}

// A record is a type and a value.
type record struct {
	typ   byte
	value []byte
}

// records parses a list of records: type, length, value.
func records(b []byte) (list []record, err error) {
	for len(b) > 0 {
		if len(b) < 2 || int(b[1]) > len(b)-2 {
			return nil, errSyntax
		}
		n := 2 + int(b[1])
		list = append(list, record{b[0], b[2:n]})
		b = b[n:]
	}
	return list, nil
}
