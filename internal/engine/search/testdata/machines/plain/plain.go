// Package plain has targets that leave much behind in the machine.
package plain

import (
	"regexp"
	"strings"
	"sync"
)

// Vars that tests change.
var (
	Count  int
	Seen   = map[string]int{"a": 1, "b": 2}
	Lazy   sync.Once
	Table  []int
	Number = regexp.MustCompile(`^[0-9]+$`)
)

// Fill makes the table when it is first needed.
func Fill() []int {
	Lazy.Do(func() {
		for i := range 40 {
			Table = append(Table, i*i)
		}
	})
	return Table
}

// Upper has branches.
func Upper(s string) string {
	switch {
	case s == "":
		return "none"
	case strings.HasPrefix(s, "x"):
		Count++
		return s[1:]
	}
	return strings.ToUpper(s)
}
