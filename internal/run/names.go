package run

import (
	"cmp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Names numbers goroutines by their chains of spawns, so that a number stands for the
// same goroutine in different interleavings. The main goroutine has number 0 and is
// printed "0"; the third goroutine that it starts is printed "0.3". Numbers are assigned
// in the order in which goroutines are first looked up, and never change. Machines in
// several threads may share a Names.
type Names struct {
	mu  sync.Mutex              // held to add a name
	all atomic.Pointer[[]*name] // by number; replaced when one is added
}

// A name is the nth goroutine that parent started.
type name struct {
	parent int32 // -1 for the main goroutine
	nth    int32 // from 1
	depth  int32 // how many spawns lead there
	// jump is an ancestor further up, 0 for the main goroutine itself. They are as in
	// skew-binary numbers: any ancestor is a logarithmic number of jumps and steps away.
	jump int32
	// children are the numbers of the goroutines that it started, in order. The list only
	// grows: a reader may see one that lacks the newest children, but nothing wrong.
	children atomic.Pointer[[]int32]
}

// NewNames returns a Names that contains only the main goroutine.
func NewNames() *Names {
	n := &Names{}
	n.all.Store(&[]*name{{parent: -1}})
	return n
}

// Len returns how many goroutines have been named.
func (n *Names) Len() int { return len(*n.all.Load()) }

func (n *Names) at(i int32) *name { return (*n.all.Load())[i] }

// Child returns the nth goroutine that parent started, counted from 1. Older siblings
// that have no number yet get theirs first.
func (n *Names) Child(parent, nth int32) int32 {
	p := n.at(parent)
	if children := p.children.Load(); children != nil && int(nth) <= len(*children) {
		return (*children)[nth-1]
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	all := *n.all.Load()
	var children []int32
	if list := p.children.Load(); list != nil {
		children = *list
	}
	// Concurrent readers are not disturbed: appending does not change the elements that they see.
	jump := parent
	if q := all[p.jump]; parent != 0 && p.depth-q.depth == q.depth-all[q.jump].depth {
		jump = q.jump
	}
	for len(children) < int(nth) {
		children = append(children, int32(len(all)))
		all = append(all, &name{parent: parent, nth: int32(len(children)), depth: p.depth + 1, jump: jump})
	}
	n.all.Store(&all)
	p.children.Store(&children)
	return children[nth-1]
}

// Parent returns the goroutine that started i, -1 for the main goroutine.
func (n *Names) Parent(i int32) int32 { return n.at(i).parent }

// Place returns which of the goroutines that its parent started i is, counted from 1. It is 0 for the
// main goroutine.
func (n *Names) Place(i int32) int32 { return n.at(i).nth }

// String returns the name of goroutine i, such as "0.1.2".
func (n *Names) String(i int32) string {
	return string(n.Append(nil, i))
}

// Append appends the name of goroutine i to dst and returns the extended buffer.
func (n *Names) Append(dst []byte, i int32) []byte {
	s := n.at(i)
	if s.parent < 0 {
		return append(dst, '0')
	}
	dst = append(n.Append(dst, s.parent), '.')
	return strconv.AppendInt(dst, int64(s.nth), 10)
}

// maxSiblings bounds the numbers in a printed name, since Lookup makes room for as many
// siblings even if the name is wrong.
const maxSiblings = 1 << 20

// Lookup returns the goroutine with a printed name. The result is false if text is not a
// valid name.
func (n *Names) Lookup(text string) (int32, bool) {
	main, rest, more := strings.Cut(text, ".")
	if main != "0" {
		return 0, false
	}
	var i int32
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		nth, err := strconv.ParseInt(part, 10, 32)
		if err != nil || nth < 1 || nth > maxSiblings {
			return 0, false
		}
		i = n.Child(i, int32(nth))
	}
	return i, true
}

// Compare orders goroutines by their names: an ancestor before its descendants,
// an older sibling before a younger one. The result does not depend on the order in
// which the names were first looked up.
func (n *Names) Compare(i, j int32) int {
	if i == j {
		return 0
	}
	all := *n.all.Load()
	depth := cmp.Compare(all[i].depth, all[j].depth)
	i, j = ancestor(all, i, all[j].depth), ancestor(all, j, all[i].depth)
	if i == j {
		return depth
	}
	for all[i].parent != all[j].parent {
		// The jumps of names of one depth lead to one depth.
		if all[i].jump != all[j].jump {
			i, j = all[i].jump, all[j].jump
		} else {
			i, j = all[i].parent, all[j].parent
		}
	}
	return cmp.Compare(all[i].nth, all[j].nth)
}

// ancestor returns the ancestor of i that has the given depth, i itself if that is not deeper.
func ancestor(all []*name, i, depth int32) int32 {
	for all[i].depth > depth {
		if jump := all[i].jump; all[jump].depth >= depth {
			i = jump
		} else {
			i = all[i].parent
		}
	}
	return i
}
