package vm

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A primitive is the machine's implementation of a function without a Go body:
// one declared in a model (internal/vm/golib) or in GOROOT.
//
// A primitive neither blocks nor calls Go code from within: what has to happen
// after it in Go is asked for with [call.then]. It changes memory only through
// the machine's stores ([Interpreter.store], [Interpreter.dirty] …), so that the undo
// log can take its effects back, and keeps no state of its own on the host.
type primitive struct {
	name string // of the function, as code.Func.Name has it

	// options makes the primitive a visible operation. It appends to to every
	// way in which the operation can be carried out in the present state, and
	// one with Enabled unset when it cannot be. It fills Op, Object, Offset, Alt,
	// Partner and Enabled; goroutine and site are filled by its caller. It is asked
	// at scheduling points while the goroutine is parked, and changes nothing.
	// When run is called, c.alt is the Alt of the option that was chosen.
	options func(c *call, to []run.Transition) []run.Transition
	// looksAt says what options looks at beside the arguments and the goroutine's
	// phase. It is not asked again while that has not changed.
	looksAt state.DependsOn

	// run carries the primitive out: it reads its arguments from the window
	// and leaves its results there.
	run func(c *call)

	// mayOnlyRead says that the operation may turn out to change nothing: it calls
	// Machine.look or one of its friends then. See spin.go.
	mayOnlyRead bool

	// shadows says that run minds symbolic values: it looks at the shadows of
	// its arguments and sets those of its results. For the other primitives, the
	// machine pins symbolic arguments to their concrete values first (an Address
	// condition) and takes the results to be concrete.
	shadows bool
}

// addPrimitives adds primitives to the machine's table.
func (m *Interpreter) addPrimitives(list []primitive) {
	for i := range list {
		m.addPrimitive(&list[i])
	}
}

func (m *Interpreter) addPrimitive(p *primitive) {
	if m.primitives[p.name] != nil {
		panic("vm: two primitives named " + p.name)
	}
	info := &state.Primitive{Name: p.name, Number: len(m.runs), DependsOn: p.looksAt, MayOnlyRead: p.mayOnlyRead, Shadows: p.shadows}
	if p.options != nil {
		info.Transitions = func(g *state.Goroutine, to []run.Transition) []run.Transition {
			c := &m.asked
			c.m, c.g, c.fn, c.base, c.window = m, g, g.Prim, g.PrimBase, g.Stack[g.PrimBase:]
			return p.options(c, to)
		}
	}
	m.primitives[p.name] = info
	m.runs = append(m.runs, p.run)
}

// A call is the context in which a primitive runs. It is valid until the
// primitive returns.
type call struct {
	m  *Interpreter
	g  *state.Goroutine
	fn *state.Function // of the primitive

	// window holds the words of the arguments, flattened as code.Type says, from
	// 0 on; it is the goroutine's stack from base on. The primitive leaves the words of its results there, from 0 on too:
	// it reads the arguments that it needs before it writes results.
	window []heap.Word
	base   int

	alt        int32 // visible primitives: Alt of the chosen option
	unfinished bool  // visible primitives: see again
}

// int returns argument word i as a signed number.
func (c *call) int(i int) int64 { return int64(c.window[i].N) }

// bool returns argument word i as a truth value.
func (c *call) bool(i int) bool { return c.window[i].N != 0 }

// text returns the string in argument words i and i+1. Symbolic bytes in it are
// pinned to their concrete values.
func (c *call) text(i int) string { return string(c.bytes(i)) }

// bytes returns the bytes of the string or []byte whose base and length are
// argument words i and i+1. They alias the machine's memory: they are not to be
// changed, or kept. Symbolic bytes are pinned to their concrete values.
func (c *call) bytes(i int) []byte {
	return c.m.pinnedBytes(c.g, c.window[i], int(c.window[i+1].N))
}

// set makes the number v result word i.
func (c *call) set(i int, v uint64) { c.window[i] = heap.Word{N: v} }

// setBool makes the truth value v result word i.
func (c *call) setBool(i int, v bool) { c.window[i] = heap.BoolWord(v) }

// setText makes the string s result words i and i+1.
func (c *call) setText(i int, s string) {
	c.window[i] = c.m.newString(c.g, s)
	c.window[i+1] = heap.Word{N: uint64(len(s))}
}

// shadow returns the symbolic value of window word i, None when it is concrete.
// Only primitives that mind shadows see any.
func (c *call) shadow(i int) expr.ID {
	f := c.g.Top()
	if !f.Symbolic {
		return expr.None
	}
	return c.g.Sym[c.base+i]
}

// setShadow makes x the symbolic value of result word i.
func (c *call) setShadow(i int, x expr.ID) {
	f := c.g.Top()
	if !f.Symbolic {
		if x == expr.None {
			return
		}
		c.g.MakeSymbolic(f)
	}
	c.g.Sym[c.base+i] = x
}

// cellAt returns the cell that argument word i points to.
func (c *call) cellAt(i int) heap.Location {
	w := c.window[i]
	return heap.Location{Object: w.P, Offset: int(w.N)}
}
