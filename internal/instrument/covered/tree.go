package covered

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
)

// none is the number of no schedule in a decision.
const none = -1 << 31

// A decision goes on to another decision of the tree, or is for a schedule, whose number is inverted, or for none.
type decision struct {
	condition expr.ID
	yes, no   int
}

// A tree chooses a schedule of an epoch.
type tree struct {
	decisions []decision
	root      int
}

// maxDecisions bounds a tree: each is a few bytes of the program.
const maxDecisions = 1 << 16

// A literal is a condition, or that it does not hold.
type literal struct {
	condition expr.ID
	holds     bool
}

// A rule is a conjunction for which there is a schedule.
type rule struct {
	literals []literal
	schedule int
}

// newTree makes the tree of an epoch: at each decision it asks for the condition that most of the rules are about that are left. The
// schedules are tried in their order, so that the first one is chosen for which the state is.
func newTree(a *expr.Arena, e *cover.Epoch) (*tree, error) {
	var rules []rule
	for i, sc := range e.Schedules {
		for _, conj := range sc.When {
			if list, ok := literalsOf(a, conj); ok {
				rules = append(rules, rule{literals: list, schedule: i})
			}
		}
	}
	t := &tree{}
	b := &builder{tree: t, made: map[string]int{}}
	t.root = b.build(rules)
	if len(t.decisions) > maxDecisions {
		return nil, refuse("its decision tree has more than %d decisions", maxDecisions)
	}
	return t, nil
}

// literalsOf returns the literals of a conjunction, apart from those that always hold; ok is false
// if one never does.
func literalsOf(a *expr.Arena, conj []expr.ID) (list []literal, ok bool) {
	for _, c := range conj {
		for _, l := range literals(a, c, nil) {
			v, known := a.ConstValue(l.condition)
			switch {
			case !known:
				list = append(list, l)
			case (v == 1) != l.holds:
				return nil, false
			}
		}
	}
	return list, true
}

// literals appends those of which a condition is the conjunction.
func literals(a *expr.Arena, c expr.ID, list []literal) []literal {
	if a.Op(c) == expr.And {
		return literals(a, a.Arg(c, 1), literals(a, a.Arg(c, 0), list))
	}
	l := literal{c, true}
	for a.Op(l.condition) == expr.Not {
		l = literal{a.Arg(l.condition, 0), !l.holds}
	}
	return append(list, l)
}

// A builder makes a tree; what it has made for some rules it does not make again.
type builder struct {
	tree *tree
	made map[string]int
}

func (b *builder) build(rules []rule) int {
	if len(rules) == 0 {
		return none
	}
	if len(rules[0].literals) == 0 {
		return ^rules[0].schedule
	}
	// What comes behind a rule that always holds does not matter.
	if i := slices.IndexFunc(rules, func(r rule) bool { return len(r.literals) == 0 }); i >= 0 {
		rules = rules[:i+1]
	}
	key := keyOf(rules)
	if n, ok := b.made[key]; ok {
		return n
	}
	n := len(b.tree.decisions)
	b.made[key] = n
	if n > maxDecisions {
		return none
	}
	b.tree.decisions = append(b.tree.decisions, decision{})
	c := next(rules)
	d := decision{condition: c, yes: b.build(assume(rules, literal{c, true})), no: b.build(assume(rules, literal{c, false}))}
	b.tree.decisions[n] = d
	return n
}

func keyOf(rules []rule) string {
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprint(&b, r.schedule, r.literals, ";")
	}
	return b.String()
}

// next returns the condition of the first rule that most rules are about. Conditions of the first rule are asked for in their
// order as far as that, since one may be what makes the next one have a value.
func next(rules []rule) expr.ID {
	best, most := rules[0].literals[0].condition, 0
	count := map[expr.ID]int{}
	for _, r := range rules {
		if len(r.literals) > 0 {
			count[r.literals[0].condition]++
		}
	}
	for _, r := range rules {
		if len(r.literals) == 0 {
			continue
		}
		if c := r.literals[0].condition; count[c] > most {
			best, most = c, count[c]
		}
	}
	return best
}

// assume returns the rules that are left where a literal holds.
func assume(rules []rule, known literal) []rule {
	var left []rule
	for _, r := range rules {
		if slices.Contains(r.literals, literal{known.condition, !known.holds}) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(r.literals), func(l literal) bool { return l == known })
		left = append(left, rule{rest, r.schedule})
	}
	return left
}
