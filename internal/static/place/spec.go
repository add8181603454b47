package place

import (
	"fmt"
	"strconv"
	"strings"
)

// A Spec is a place as the user names it: file.go:120, file.go:120:5, or a function. An instance of
// a generic function can be named by its type arguments: file.go:120[int].
type Spec struct {
	Text         string
	File         string // as given; empty for a function
	Line, Column int    // the column is 0 if there is none
	Func         string // F, T.M, (*T).M, or with the name or the path of its package
	Instance     string // type arguments, separated by commas; empty for none
}

// Split returns the places of a list, which commas separate. Those between type arguments do not.
func Split(text string) []string {
	var list []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, text[from:i])
				from = i + 1
			}
		}
	}
	return append(list, text[from:])
}

// Parse reads a place.
func Parse(text string) (Spec, error) {
	s := Spec{Text: text}
	rest := text
	if i := strings.IndexByte(rest, '['); i > 0 && strings.HasSuffix(rest, "]") {
		rest, s.Instance = rest[:i], strings.ReplaceAll(rest[i+1:len(rest)-1], " ", "")
	}
	name, after, ok := strings.Cut(rest, ".go:")
	if !ok {
		if rest == "" || strings.HasSuffix(rest, ".go") || strings.ContainsAny(rest, " \t:") {
			return s, fmt.Errorf("want file.go:LINE or the name of a function")
		}
		s.Func = rest
		return s, nil
	}
	s.File = name + ".go"
	line, column, ok := strings.Cut(after, ":")
	var err error
	if s.Line, err = strconv.Atoi(line); err != nil || s.Line < 1 {
		return s, fmt.Errorf("%q is no line: want file.go:LINE", line)
	}
	if ok {
		if s.Column, err = strconv.Atoi(column); err != nil || s.Column < 1 {
			return s, fmt.Errorf("%q is no column: want file.go:LINE:COLUMN", column)
		}
	}
	return s, nil
}
