package forest

import (
	"strconv"

	"github.com/everyway-go/everyway/internal/expr"
)

// A translator copies the expressions of one trace to the forest's arena, where they outlive
// it. The variables of a trace that are neither inputs nor read symbols keep their names.
type translator struct {
	f    *Forest
	from *expr.Arena
	done map[expr.ID]expr.ID
}

func (t *translator) start(f *Forest, from *expr.Arena) {
	t.f, t.from = f, from
	if t.done == nil {
		t.done = map[expr.ID]expr.ID{}
	}
	clear(t.done)
	t.done[expr.None] = expr.None
}

// variable returns a variable of the forest's arena with the name, or with the width added to
// the name if there is one of another width: different paths may read values of different
// types as their nth event.
func (f *Forest) variable(name string, width uint8) expr.ID {
	if w, ok := f.widthOf[name]; ok && w != width {
		name += ":" + strconv.Itoa(int(width))
	}
	f.widthOf[name] = width
	v := f.Arena.VarOfRun(name, width)
	for len(f.reads) <= int(v) {
		f.reads = append(f.reads, ReadName{Index: -1})
	}
	return v
}

// ReadOf returns the read that the variable x of the forest's arena stands for. It
// is false if x is no read symbol.
func (f *Forest) ReadOf(x expr.ID) (ReadName, bool) {
	if int(x) >= len(f.reads) || f.reads[x].Index < 0 {
		return ReadName{}, false
	}
	return f.reads[x], true
}

// input makes the trace's variable x the forest's input of the name and the width, which may
// be another one in other traces: that of a reading of the clock depends on how late it can be.
func (t *translator) input(name string, x expr.ID) {
	v := t.f.variable(name, t.from.Width(x))
	t.f.Inputs[v] = name
	t.done[x] = v
}

// read makes the trace's variable x the read symbol of a part of event index of goroutine g,
// and returns the symbol in the forest's arena.
func (t *translator) read(g, index, part int32, x expr.ID) expr.ID {
	if t.from.Op(x) != expr.Var {
		return expr.None
	}
	v := t.f.variable(t.from.VarName(x), t.from.Width(x))
	t.f.reads[v] = ReadName{g, index, part}
	t.done[x] = v
	return v
}

// expr copies x to the forest's arena.
func (t *translator) expr(x expr.ID) expr.ID {
	if y, ok := t.done[x]; ok {
		return y
	}
	from, a := t.from, t.f.Arena
	var y expr.ID
	switch from.Op(x) {
	case expr.Const:
		c, _ := from.ConstValue(x)
		y = a.Const(c, from.Width(x))
	case expr.Var:
		y = t.f.variable(from.VarName(x), from.Width(x))
	default:
		args := make([]expr.ID, from.NumArgs(x))
		for i := range args {
			args[i] = t.expr(from.Arg(x, i))
		}
		y = a.Rebuild(from, x, args)
	}
	t.done[x] = y
	return y
}
