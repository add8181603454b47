package border

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A State is what matters of the state of a run at the border of an epoch. It is valid as long as
// the run has not gone on.
type State struct {
	Cells []Cell
	// Problem says why the state cannot be described, "" if it is.
	Problem string
	shape   string
}

// A Cell is a number in a state.
type Cell struct {
	Input cover.Input // how the source leads there; Root.Goroutine is an index of the goroutines of the state
	Kind  code.Kind
	Value uint64  // its bits
	Sym   expr.ID // of the machine's arena, None if it is concrete
	at    location
}

// A location is where a cell is: in an object, or on the stack of a goroutine, in a register of a frame.
type location struct {
	object    *heap.Object
	offset    int // in the object, or on the stack
	goroutine *state.Goroutine
	frame     int
}

// Shape returns what two states have in common that differ in the values of cells only.
func (s *State) Shape() string {
	sum := sha256.Sum256([]byte(s.shape))
	return hex.EncodeToString(sum[:8])
}

// Compare compares the values of the cells in the frames of two goroutines that are at the same place.
func (s *State) Compare(g, h *state.Goroutine) int {
	of := func(g *state.Goroutine) (values []uint64) {
		for i := range s.Cells {
			if c := &s.Cells[i]; c.at.goroutine == g {
				values = append(values, c.Value)
			}
		}
		return values
	}
	return slices.Compare(of(g), of(h))
}

// Set sets a cell of the state in which a machine is.
func (s *State) Set(m *vm.Machine, i int, value uint64, sym expr.ID) {
	c := &s.Cells[i]
	w := heap.Word{N: value}.Canonical(c.Kind)
	if g := c.at.goroutine; g != nil {
		m.Preserve(g)
		f := &g.Frames[c.at.frame]
		if sym != expr.None && !f.Symbolic {
			g.MakeSymbolic(f)
		}
		g.Stack[c.at.offset] = w
		if f.Symbolic {
			g.Sym[c.at.offset] = sym
		}
		return
	}
	o, off := c.at.object, c.at.offset
	m.Heap.Dirty(o, off, 1)
	if o.Bytes != nil {
		o.Bytes[off] = byte(w.N)
	} else {
		o.Cells[off] = w
	}
	if sym == expr.None {
		o.SetShadows(off, 1, nil)
	} else {
		o.SetShadows(off, 1, []expr.ID{sym})
	}
}

// A path is how the source leads to a value.
type path struct {
	root  cover.Root
	text  string // of the root
	steps []cover.Step
	// variable says that the path is that of a variable, and the value its address.
	variable bool
}

// step returns the path to a part.
func (p path) step(s cover.Step) path {
	p.steps = append(p.steps[:len(p.steps):len(p.steps)], s)
	p.variable = false
	return p
}

// deref returns the path to what a pointer points to that is there.
func (p path) deref() path {
	if p.variable {
		p.variable = false
		return p
	}
	return p.step("*")
}

// unnamed returns the path to something that the source has no name for.
func (p path) unnamed(what string) path {
	return path{text: p.String() + what}
}

// String returns the path for people to read.
func (p path) String() string {
	var b strings.Builder
	b.WriteString(p.text)
	for _, s := range p.steps {
		b.WriteString(string(s))
	}
	return b.String()
}
