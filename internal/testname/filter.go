package testname

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A Filter selects tests and subtests. The zero value selects all.
type Filter struct {
	run, skip pattern
}

// NewFilter returns a filter for what -run and -skip of go test select; an empty string is
// that of a flag that is not given.
func NewFilter(run, skip string) (Filter, error) {
	var f Filter
	var err error
	if f.run, err = parse(run); err != nil {
		return f, fmt.Errorf("-run %s: %w", run, err)
	}
	if f.skip, err = parse(skip); err != nil {
		return f, fmt.Errorf("-skip %s: %w", skip, err)
	}
	return f, nil
}

// Match reports whether the test called name is run. It is partial if it is run only because
// one of its subtests may be selected.
func (f Filter) Match(name string) (ok, partial bool) {
	elems := strings.Split(name, "/")
	ok, partial = true, false
	if f.run != nil {
		ok, partial = f.run.matches(elems)
	}
	if skip, below := f.skip.matches(elems); skip && !below {
		ok = false
	}
	return ok, ok && partial
}

// OfSubtests reports whether there may be subtests of tests that are run that are not.
func (f Filter) OfSubtests() bool {
	for _, p := range []pattern{f.run, f.skip} {
		for _, alternative := range p {
			if len(alternative) > 1 {
				return true
			}
		}
	}
	return false
}

// A pattern is the value of -run or -skip: alternatives, each with an expression for every
// element of a name. It is nil for an empty value.
type pattern [][]*regexp.Regexp

// parse splits a value as package testing does: at the bars and slashes that are in no
// brackets.
func parse(text string) (pattern, error) {
	if text == "" {
		return nil, nil
	}
	var p pattern
	var elems []*regexp.Regexp
	start, brackets, parentheses := 0, 0, 0
	end := func(i int) error {
		re, err := regexp.Compile(rewrite(text[start:i]))
		elems, start = append(elems, re), i+1
		return err
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1) // one that is unmatched is allowed
		case c == '\\':
			i++
		case brackets > 0:
		case c == '(':
			parentheses++
		case c == ')':
			parentheses--
		case (c == '/' || c == '|') && parentheses == 0:
			if err := end(i); err != nil {
				return nil, err
			}
			if c == '|' {
				p, elems = append(p, elems), nil
			}
		}
	}
	if err := end(len(text)); err != nil {
		return nil, err
	}
	return append(p, elems), nil
}

// matches reports whether an alternative of p matches the elements of a name, and whether it
// has more than these.
func (p pattern) matches(name []string) (ok, partial bool) {
	for _, alternative := range p {
		if matchesAll(alternative, name) {
			return true, len(name) < len(alternative)
		}
	}
	return false, false
}

// matchesAll reports whether the elements of a name match expressions, as far as there are
// both.
func matchesAll(list []*regexp.Regexp, name []string) bool {
	for i := range min(len(list), len(name)) {
		if !list[i].MatchString(name[i]) {
			return false
		}
	}
	return true
}

// rewrite changes an expression as t.Run changes names, in which there are no spaces.
func rewrite(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
