package initial

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// orderOf returns the order in which the goroutines of a context are prepared, nil if it is theirs.
// While a goroutine is prepared, memory is read: by loads that are made again, to know what is in
// captured variables, and where locks, wait groups and conditions are. So a variable that another
// goroutine makes has to have its content by then. If two goroutines may each read what the other
// one makes, what the second one makes is unmade.
func orderOf(c *fragment.Context) (order []int, unmade map[*ssa.Alloc]bool) {
	n := len(c.Stacks)
	if n == 1 {
		return nil, nil
	}
	made, used := make([][]*ssa.Alloc, n), make([][]ssa.Value, n)
	for i, stack := range c.Stacks {
		made[i] = madeAt(stack)
		used[i] = usedBy(c, i)
	}
	// Reads has the variables that goroutine i makes and goroutine j may read.
	reads := func(j, i int) (list []*ssa.Alloc) {
		for _, alloc := range made[i] {
			if slices.ContainsFunc(used[j], func(x ssa.Value) bool { return mayLead(c, x, alloc) }) {
				list = append(list, alloc)
			}
		}
		return list
	}
	unmade = make(map[*ssa.Alloc]bool)
	var left []int
	for i := range n {
		left = append(left, i)
	}
	for len(left) > 0 {
		// Next is one that reads nothing of the others that are left, the first one if there is none.
		next := slices.IndexFunc(left, func(j int) bool {
			return !slices.ContainsFunc(left, func(i int) bool { return i != j && len(reads(j, i)) > 0 })
		})
		next = max(next, 0)
		for _, i := range left {
			if i == left[next] {
				continue
			}
			for _, alloc := range reads(left[next], i) {
				unmade[alloc] = true
			}
		}
		order = append(order, left[next])
		left = slices.Delete(left, next, next+1)
	}
	if slices.IsSorted(order) {
		order = nil
	}
	return order, unmade
}

// madeAt returns the variables that every path to the instructions of a stack makes, and of which others may know.
func madeAt(stack []ssa.Instruction) (list []*ssa.Alloc) {
	for _, at := range stack {
		anyOf(at.Parent(), func(instr ssa.Instruction) bool {
			if alloc, ok := instr.(*ssa.Alloc); ok && alloc.Heap && ssaform.Dominates(alloc, at) {
				list = append(list, alloc)
			}
			return false
		})
	}
	return list
}

// usedBy returns the pointers through which the preparation of a goroutine may read.
func usedBy(c *fragment.Context, goroutine int) (list []ssa.Value) {
	note := func(addr ssa.Value) {
		switch root := reaching.Root(addr).(type) {
		case *ssa.Alloc, *ssa.Global:
		default:
			if !slices.Contains(list, root) {
				list = append(list, root)
			}
		}
	}
	if c.Memory != nil {
		for _, known := range c.Memory[goroutine] {
			for instr := range known.Holds {
				if load, ok := instr.(*ssa.UnOp); ok {
					note(load.X)
				}
			}
			for captured := range known.Contents {
				note(captured)
			}
		}
	}
	if goroutine < len(c.Locks) {
		for _, l := range c.Locks[goroutine] {
			if l.Root != nil {
				note(l.Root)
			}
		}
	}
	if goroutine < len(c.Debts) {
		for _, d := range c.Debts[goroutine] {
			note(d.Root)
		}
	}
	if goroutine < len(c.Open) {
		for _, o := range c.Open[goroutine] {
			note(o.Root)
		}
	}
	if fragment.Waits(c.Stacks[goroutine]) {
		note(c.Stacks[goroutine][0].(*ssa.Call).Call.Args[0])
	}
	return list
}

// mayLead reports whether a pointer may lead to a variable, or to a part of it.
func mayLead(c *fragment.Context, x ssa.Value, alloc *ssa.Alloc) bool {
	from, to := c.Pointers.Of[x], c.Pointers.Of[alloc]
	if len(from) == 0 || len(to) == 0 {
		return true
	}
	return c.Pointers.May(from[0], to[0], false)
}
