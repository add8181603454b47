// Package field writes fields of structs as texts, and reads them.
package field

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Field is a field of a struct that one text says, or one each for several texts.
type Field struct {
	Name string
	To   any // a pointer
}

// Of returns the field that a pointer is to.
func Of(name string, to any) Field { return Field{Name: name, To: to} }

// Texts returns what is said of a field, nothing if it has its zero value.
func (f Field) Texts() []string {
	text := ""
	switch to := f.To.(type) {
	case *[]string:
		return *to
	case *string:
		text = *to
	case *time.Duration:
		text = strings.ReplaceAll(to.String(), "µ", "u") // ASCII
	case *int:
		text = strconv.Itoa(*to)
	case *int64:
		text = strconv.FormatInt(*to, 10)
	case *uint64:
		text = strconv.FormatUint(*to, 10)
	case *bool:
		text = strconv.FormatBool(*to)
	}
	if _, ok := f.To.(*string); text == "" || !ok && (text == "0" || text == "0s" || text == "false") {
		return nil
	}
	return []string{text}
}

// set sets a field to what a property or option says.
func (f Field) set(text string) (err error) {
	switch to := f.To.(type) {
	case *[]string:
		*to = append(*to, text)
	case *string:
		*to = text
	case *time.Duration:
		*to, err = time.ParseDuration(text)
	case *int:
		*to, err = strconv.Atoi(text)
	case *int64:
		*to, err = strconv.ParseInt(text, 10, 64)
	case *uint64:
		*to, err = strconv.ParseUint(text, 10, 64)
	case *bool:
		*to, err = strconv.ParseBool(text)
	}
	return err
}

// Set sets the field with a name. It reports whether there is one.
func Set(fields []Field, name, text string) (ok bool, err error) {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return false, nil
	}
	return true, fields[i].set(text)
}
