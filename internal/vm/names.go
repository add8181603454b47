package vm

import (
	"cmp"
	"strconv"
	"strings"
)

// Names numbers goroutines by their chain of spawns, so that a goroutine means
// the same thing in different interleavings: the main goroutine is 0, printed
// "0"; the third that it starts, counted from 1, is printed "0.3". Numbers are
// given in the order in which names are first asked for, and kept.
type Names struct {
	chain []spawn // by number; chain[0] is the main goroutine
	depth []int32 // by number: how many spawns lead there
	byKey map[spawn]int32
}

// A spawn is the nth go statement that a goroutine carried out.
type spawn struct {
	parent int32
	nth    int32 // from 1
}

// NewNames returns names with the main goroutine only.
func NewNames() *Names {
	return &Names{
		chain: []spawn{{parent: -1}},
		depth: []int32{0},
		byKey: make(map[spawn]int32),
	}
}

// Len returns how many goroutines have been named.
func (n *Names) Len() int { return len(n.chain) }

// Child returns the goroutine that parent started as its nth, counted from 1.
func (n *Names) Child(parent, nth int32) int32 {
	key := spawn{parent, nth}
	i, ok := n.byKey[key]
	if !ok {
		i = int32(len(n.chain))
		n.chain = append(n.chain, key)
		n.depth = append(n.depth, n.depth[parent]+1)
		n.byKey[key] = i
	}
	return i
}

// Parent returns the goroutine that started i, -1 for the main goroutine.
func (n *Names) Parent(i int32) int32 { return n.chain[i].parent }

// String returns the name of goroutine i, such as "0.1.2".
func (n *Names) String(i int32) string {
	return string(n.append(nil, i))
}

func (n *Names) append(dst []byte, i int32) []byte {
	s := n.chain[i]
	if s.parent < 0 {
		return append(dst, '0')
	}
	dst = append(n.append(dst, s.parent), '.')
	return strconv.AppendInt(dst, int64(s.nth), 10)
}

// Lookup returns the goroutine of a printed name. It is false when name is not
// one.
func (n *Names) Lookup(name string) (int32, bool) {
	main, rest, more := strings.Cut(name, ".")
	if main != "0" {
		return 0, false
	}
	var i int32
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		nth, err := strconv.ParseInt(part, 10, 32)
		if err != nil || nth < 1 {
			return 0, false
		}
		i = n.Child(i, int32(nth))
	}
	return i, true
}

// Compare orders goroutines by their names: an ancestor before its descendants,
// an older sibling before a younger one. The order does not depend on the order
// in which the names were first asked for.
func (n *Names) Compare(i, j int32) int {
	if i == j {
		return 0
	}
	depth := cmp.Compare(n.depth[i], n.depth[j])
	for n.depth[i] > n.depth[j] {
		i = n.chain[i].parent
	}
	for n.depth[j] > n.depth[i] {
		j = n.chain[j].parent
	}
	if i == j {
		return depth
	}
	for n.chain[i].parent != n.chain[j].parent {
		i, j = n.chain[i].parent, n.chain[j].parent
	}
	return cmp.Compare(n.chain[i].nth, n.chain[j].nth)
}
