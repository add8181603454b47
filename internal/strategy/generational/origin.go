package generational

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// An origin is what is kept of a run for its flips. Its expressions live in the arena of the
// search.
type origin struct {
	path        []expr.ID     // the conditions of the run, up to the last that has a flip
	assumed     []int32       // indexes of the conditions of kind Assumed, ascending
	concretized []concretized // of the conditions of kind Concretized, by index
	values      []value       // of all input variables
}

// A concretized value is what a condition of kind Concretized is about.
type concretized struct {
	index int // of the condition
	value expr.ID
}

// A value is that of an input variable.
type value struct {
	variable expr.ID
	value    uint64
}

// newOrigin returns the origin of a run. The copier copies to the arena of the search.
func newOrigin(trace *run.Trace, c *expr.Copier) *origin {
	o := &origin{path: make([]expr.ID, len(trace.Path)), values: make([]value, len(trace.Inputs))}
	for i := range trace.Path {
		o.path[i] = c.Copy(trace.Path[i].Cond)
		switch trace.Path[i].Kind {
		case run.Assumed:
			o.assumed = append(o.assumed, int32(i))
		case run.Concretized:
			o.concretized = append(o.concretized, concretized{i, c.Copy(trace.Path[i].Value)})
		}
	}
	for i, v := range trace.Inputs {
		o.values[i] = value{c.To.VarOfRun(v.Name, v.Width), v.Value}
	}
	return o
}

// input returns the input of the run.
func (o *origin) input(a *expr.Arena) run.Input {
	in := make(run.Input, len(o.values))
	for _, v := range o.values {
		in[a.VarName(v.variable)] = v.value
	}
	return in
}

// hint returns a function that returns the value of a variable in the run.
func (o *origin) hint() func(v expr.ID) uint64 {
	values := make(map[expr.ID]uint64, len(o.values))
	for _, v := range o.values {
		values[v.variable] = v.value
	}
	return func(v expr.ID) uint64 { return values[v] }
}

// isAssumed reports whether condition i holds by construction.
func (o *origin) isAssumed(i int) bool {
	_, found := slices.BinarySearch(o.assumed, int32(i))
	return found
}

// concretizedAt returns the value that condition i, of kind Concretized, is about.
func (o *origin) concretizedAt(i int) expr.ID {
	k, _ := slices.BinarySearchFunc(o.concretized, i, func(n concretized, i int) int { return n.index - i })
	return o.concretized[k].value
}

// weight is the size of the origin in memory, in variables of an input.
func (o *origin) weight() int { return len(o.values)/4 + len(o.path)/16 }

// moveTo copies the origin's expressions to another arena.
func (o *origin) moveTo(c *expr.Copier) {
	for i, x := range o.path {
		o.path[i] = c.Copy(x)
	}
	for i := range o.concretized {
		o.concretized[i].value = c.Copy(o.concretized[i].value)
	}
	for i := range o.values {
		o.values[i].variable = c.Copy(o.values[i].variable)
	}
}
