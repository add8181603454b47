package generational

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// An origin is what is kept of a run until its flips have been tried. Its expressions live
// in the arena of the search.
type origin struct {
	path   []expr.ID // the conditions of the run, up to the last that is to be flipped
	firm   []int32   // indexes of those that hold by construction, ascending
	needed []needed  // what had to be concrete, ascending
	values []value   // of all input variables
}

// A needed value is what an Address condition says to have the value that it had.
type needed struct {
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
			o.firm = append(o.firm, int32(i))
		case run.Concretized:
			o.needed = append(o.needed, needed{i, c.Copy(trace.Path[i].Value)})
		}
	}
	for i, v := range trace.Inputs {
		o.values[i] = value{c.To.Var(v.Name, v.Width), v.Value}
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

// hint returns a function that gives variables the values that they had in the run.
func (o *origin) hint() func(v expr.ID) uint64 {
	values := make(map[expr.ID]uint64, len(o.values))
	for _, v := range o.values {
		values[v.variable] = v.value
	}
	return func(v expr.ID) uint64 { return values[v] }
}

// isFirm reports whether condition i holds by construction.
func (o *origin) isFirm(i int) bool {
	_, found := slices.BinarySearch(o.firm, int32(i))
	return found
}

// neededAt returns what condition i, an Address condition, is about.
func (o *origin) neededAt(i int) expr.ID {
	k, _ := slices.BinarySearchFunc(o.needed, i, func(n needed, i int) int { return n.index - i })
	return o.needed[k].value
}

// weight is the memory that the origin takes, in variables of an input.
func (o *origin) weight() int { return len(o.values)/4 + len(o.path)/16 }

// move takes the origin's expressions to another arena.
func (o *origin) move(c *expr.Copier) {
	for i, x := range o.path {
		o.path[i] = c.Copy(x)
	}
	for i := range o.needed {
		o.needed[i].value = c.Copy(o.needed[i].value)
	}
	for i := range o.values {
		o.values[i].variable = c.Copy(o.values[i].variable)
	}
}
