package walk

import (
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/summary"
)

// Code is what a Walker needs of the interpreter.
type Code interface {
	// Callee returns the function for fn.Callees[i]. CodeOf returns the code of f.Callees[i], nil
	// if calls of it may need more than that, and links nothing: functions have numbers in the
	// order in which they are called.
	Callee(fn *state.Function, i int32) *state.Function
	CodeOf(f *code.Func, i int32) *code.Func
	Regions(fn *state.Function) *state.RegionCode
}

// A Source has summaries. Several machines may share it.
type Source interface {
	// Tree returns the tree of a function from an instruction on, nil if there is none that is
	// worth walking. Calls of what callee returns nil for are not part of it.
	Tree(f *code.Func, pc int32, callee func(f *code.Func, i int32) *code.Func) *summary.Tree
}

// A Walker has the goroutines of a machine walk summaries in the place of executing code.
type Walker struct {
	// Off says that code is executed.
	Off bool
	// Warm is how often goroutines come to a place before a tree is asked for; New sets it.
	Warm   int
	Counts run.Summaries
	// Gain, if it is not nil, decides whether code is executed.
	Gain *Gain
	// Sparing says that no trees are made.
	Sparing bool
	// What Gain has not looked at: whether a tree was asked for, and the time for making trees.
	asked bool
	made  time.Duration

	m      *state.State
	code   Code
	source Source
	places []places // by the number of the function
	walk   walk
}

// places are those of a function. Another one may get its number, when the machine goes on to another target.
type places struct {
	of *state.Function
	at []*place // by instruction
}

// A place is an instruction from which on there may be a summary.
type place struct {
	comes                    int
	tree                     *summary.Tree
	none                     bool // there is none that pays
	walks, instructions, own int  // how often the tree was walked, what that has replaced, and what it has taken
}

// A tree is asked for when goroutines have come to its place warm times. It has to pay in each
// trial of so many walks; entering and leaving it counts as many steps as toll.
const (
	warm  = 256
	trial = 64
	toll  = 2
)

// New returns a Walker for a machine.
func New(m *state.State, c Code, s Source) *Walker {
	w := &Walker{Warm: warm, m: m, code: c, source: s}
	w.walk.Walker = w
	return w
}

// Enter is called when g begins to execute the function of its top frame, or goes on after an
// instruction that has done more than compute. If there is a summary from there on, g goes along a
// path of it. The result is false if g waits then, or the run is over.
func (w *Walker) Enter(g *state.Goroutine, f *state.Frame) bool {
	if p := w.placeOf(f); p != nil && w.usable(g, p.tree) {
		x := &w.walk
		x.g, x.tree, x.steps = g, p.tree, 0
		x.walk()
		w.count(p)
	}
	if w.m.Fault == state.ParkFault {
		w.m.Fault = state.NoFault
		return false
	}
	return !w.m.Over
}

// placeOf returns the place at which a frame is, nil if there is no tree.
func (w *Walker) placeOf(f *state.Frame) *place {
	id := int(f.Func.ID)
	for id >= len(w.places) {
		w.places = append(w.places, places{})
	}
	if w.places[id].of != f.Func {
		w.places[id] = places{f.Func, make([]*place, len(f.Func.Code))}
	}
	at := &w.places[id].at[f.PC]
	if *at == nil {
		*at = new(place)
	}
	p := *at
	switch {
	case p.none:
		return nil
	case p.tree != nil:
		return p
	}
	if p.comes++; p.comes < w.Warm {
		return nil
	}
	if w.asked = true; w.Sparing {
		return nil
	}
	start := time.Now()
	defer func() { w.made += time.Since(start) }()
	if p.tree = w.source.Tree(f.Func.Func, f.PC, w.code.CodeOf); p.tree == nil {
		p.none = true
		return nil
	}
	w.Counts.Trees++
	if x := &w.walk; len(x.words) < p.tree.Values {
		x.words, x.syms = make([]heap.Word, p.tree.Values), make([]expr.ID, p.tree.Values)
	}
	return p
}

// usable reports whether g can walk a tree: nothing but the path depends on each instruction that is executed.
func (w *Walker) usable(g *state.Goroutine, t *summary.Tree) bool {
	m := w.m
	switch {
	case w.Off, m.Booting, m.Meter != nil, m.Traps.At != nil, m.Stops.Any():
		return false
	case m.Plan.ReadSymbols, m.Unconditional != nil, g.Merging.On, t.Mixes && (m.ClockReadings > 0 || m.Draws > 0):
		return false
	}
	return m.Fuel > t.Fuel && (m.Limits.Depth == 0 || len(g.Frames)+t.Frames < m.Limits.Depth)
}

// count counts the walk that has been taken, and drops a tree that does not pay.
func (w *Walker) count(p *place) {
	x, c := &w.walk, &w.Counts
	c.Walks++
	if x.at.End != summary.Leaf {
		c.Left++
	}
	c.Instructions += x.at.Instructions
	c.Accesses += x.at.Reads + x.at.Writes
	c.Steps += x.steps
	p.walks++
	p.instructions += x.at.Instructions
	p.own += x.steps + toll
	if p.walks%trial == 0 && p.own > p.instructions {
		p.tree, p.none = nil, true
		c.Dropped++
	}
}
