package shape

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// canonical returns a number for the shape of the heap, as far as it has been chosen. The numbers
// of objects depend on the order in which the code has used them, and do not count: objects are
// numbered in a breadth-first search from the inputs that are no parts of objects, in the order of
// their names. The lengths of slices and the dynamic types of interfaces belong to the shape.
func (h *Heap) canonical() uint64 {
	type part struct {
		name string // without that of the object
		*variable
	}
	parts := make(map[int32][]part) // of objects; those of no object at 0
	for i := range h.vars {
		v := &h.vars[i]
		number, name := owner(strings.TrimPrefix(v.name, h.m.InputPrefix))
		parts[number] = append(parts[number], part{name, v})
	}
	numbers := make(map[*heap.Object]int32)
	opened := map[int32]int{} // those that the program has made differ in what they have
	for _, o := range h.objects {
		numbers[o.Object] = o.number
		if o.opened {
			opened[o.number] = len(opened) + 1
		}
	}
	canonical := map[int32]int{}
	queue := []int32{0}
	sum := fnv.New64a()
	for len(queue) > 0 {
		list := parts[queue[0]]
		queue = queue[1:]
		slices.SortFunc(list, func(a, b part) int { return cmp.Compare(a.name, b.name) })
		fmt.Fprintf(sum, "%d", len(list))
		for _, v := range list {
			switch {
			case v.elem == nil && v.chosen:
				fmt.Fprintf(sum, " %s %d", v.name, h.m.Trace.Inputs[v.input].Value)
			case v.elem != nil && numbers[v.target.P] > 0 && (v.chosen || h.knownSame(v.variable)):
				n := numbers[v.target.P]
				if canonical[n] == 0 {
					canonical[n] = len(canonical) + 1
					queue = append(queue, n)
				}
				fmt.Fprintf(sum, " %s &%d+%d", v.name, canonical[n], v.target.N)
				if opened[n] > 0 {
					fmt.Fprintf(sum, "=%d", opened[n])
				}
			case v.elem != nil && v.isFunc() && v.chosen && v.target.P != nil && v.object == nil:
				fmt.Fprintf(sum, " %s func %d", v.name, h.valueOf(v.target))
			case v.elem != nil && v.target.P == nil && (v.chosen || h.knownNil(v.variable)):
				fmt.Fprintf(sum, " %s nil", v.name)
			default:
				fmt.Fprintf(sum, " %s ?", v.name)
			}
		}
		sum.Write([]byte{0})
	}
	return max(1, sum.Sum64())
}

// knownSame reports whether it is a condition of the path that a pointer is equal to one that has
// been chosen, or to what leads to an object that has been opened.
func (h *Heap) knownSame(v *variable) bool {
	if v.sym == expr.None {
		return false
	}
	a := h.m.Arena
	known := func(x, y expr.ID) bool {
		return h.m.Events.Known[state.KnownCondition{Slot: 0, Cond: a.Eq(x, y)}]
	}
	return h.isOpened(v.target.P) &&
		known(h.word(v), a.Const(v.target.PointerCode(), 64)) || slices.ContainsFunc(h.vars, func(w variable) bool {
		return w.chosen && w.elem != nil && w.target == v.target && (known(v.sym, w.sym) || known(h.word(v), h.word(&w)))
	})
}

// owner returns the number of the object of which an input is a part, 0 if it is of none, and the rest of the name.
func owner(name string) (number int32, rest string) {
	before, after, found := strings.Cut(name, "&")
	if !found || before != "" && before != "len(" {
		return 0, name
	}
	digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
	n, err := strconv.ParseInt(after[:digits], 10, 32)
	if err != nil {
		return 0, name
	}
	return int32(n), before + after[digits:]
}
