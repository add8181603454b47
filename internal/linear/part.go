package linear

import (
	"fmt"
	"slices"
	"strings"
)

// A Part is the histories of a bound in which goroutines call the methods of one of some sets, all
// of them and no others. So each history is in one part.
type Part struct {
	Target string     // the name of the fuzz target
	Sets   [][]string // in alphabetical order; nil if goroutines call any methods
}

// maxParts is the most parts of a bound: each is searched by itself, and a search takes a moment to begin.
const maxParts = 8

// Parts returns the parts of a bound, those with the fewest methods first.
func (s *Subject) Parts(b Bound) []Part {
	if b.Methods == 0 {
		return []Part{{Target: b.Target()}}
	}
	var names []string
	for i := range s.Calls {
		names = append(names, s.Calls[i].Method)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var sets [][]string
	for n := 1; n <= min(b.Methods, len(names)); n++ {
		sets = append(sets, subsets(names, n)...)
	}
	var parts []Part
	for group := range slices.Chunk(sets, (len(sets)+maxParts-1)/maxParts) {
		parts = append(parts, Part{fmt.Sprintf("%spart%d", b.Target(), len(parts)+1), group})
	}
	return parts
}

// subsets returns the sets of n of some names, in alphabetical order.
func subsets(names []string, n int) [][]string {
	if n == 0 {
		return [][]string{nil}
	}
	var list [][]string
	for i, first := range names {
		for _, rest := range subsets(names[i+1:], n-1) {
			list = append(list, append([]string{first}, rest...))
		}
	}
	return list
}

// literal writes the sets as Go does.
func (p *Part) literal() string {
	var sets []string
	for _, set := range p.Sets {
		sets = append(sets, fmt.Sprintf("{%s}", strings.Join(quoted(set), ", ")))
	}
	return fmt.Sprintf("[][]string{%s}", strings.Join(sets, ", "))
}

func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = fmt.Sprintf("%q", name)
	}
	return list
}
