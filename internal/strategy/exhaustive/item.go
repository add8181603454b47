package exhaustive

import "github.com/everyway-go/everyway/internal/vm"

// An item is a node of the tree that has not been visited: the plan that leads
// to it, and what of the run that follows is new. Items share the memory of
// their parts; nothing changes it.
type item struct {
	input  vm.Input
	prefix []vm.Decision
	// turn, when turns is set, is one more decision after prefix.
	turn  vm.Decision
	turns bool

	// sleep is the sleep set before the step of the last decision.
	sleep []vm.Option
	// The conditions of the path before index path belong to other items, as
	// do the decisions of the plan.
	path int
	// flipped is the condition that the item's input was chosen to flip, nil
	// for an item made to take another decision.
	flipped *flip
}

// A flip is a condition made to go another way.
type flip struct {
	index int // in the path
	site  vm.SiteID
	kind  vm.ConditionKind
	// values holds, for an address, the conditions that name the values had
	// so far, in the text form of package expr.
	values []string
}

func (it *item) decisions() int {
	if it.turns {
		return len(it.prefix) + 1
	}
	return len(it.prefix)
}

func (it *item) plan(v vm.Visible) *vm.Plan {
	p := &vm.Plan{Input: it.input, Prefix: it.prefix, Visible: v}
	if it.turns {
		p.Prefix = append(it.prefix[:len(it.prefix):len(it.prefix)], it.turn)
	}
	return p
}
