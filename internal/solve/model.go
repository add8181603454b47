package solve

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
)

// Model gives values to variables. It stays valid until the arena is released
// below them.
type Model struct {
	arena    *expr.Arena
	bindings []binding // in the order of the IDs
}

type binding struct {
	v     expr.ID
	value uint64
}

func (m *Model) add(a answer) {
	for i, v := range a.vars {
		m.bindings = append(m.bindings, binding{v, a.values[i]})
	}
}

func (m *Model) sort() {
	slices.SortFunc(m.bindings, func(x, y binding) int { return cmp.Compare(x.v, y.v) })
}

// Value returns the value of the variable v: 0 if it was not in the
// query.
func (m *Model) Value(v expr.ID) uint64 {
	i, ok := slices.BinarySearchFunc(m.bindings, v, func(b binding, v expr.ID) int { return cmp.Compare(b.v, v) })
	if !ok {
		return 0
	}
	return m.bindings[i].value
}

// Vars returns the variables that were in the query.
func (m *Model) Vars() []expr.ID {
	vars := make([]expr.ID, len(m.bindings))
	for i, b := range m.bindings {
		vars[i] = b.v
	}
	return vars
}

// Eval computes x under the model.
func (m *Model) Eval(x expr.ID) uint64 { return m.arena.Eval(x, m.Value) }
