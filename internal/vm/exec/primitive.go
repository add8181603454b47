package exec

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Primitive is the machine's implementation of a function without a Go body, which is
// declared in a model (internal/vm/golib) or in GOROOT.
//
// A primitive neither blocks nor calls Go code. It changes the state of the run only
// through the machine's methods and the undo log, so that its effects can be undone, and
// keeps no state of its own on the host.
type Primitive struct {
	Name string // of the function, as in code.Func.Name

	// Transitions is not nil if the primitive is a visible operation. It appends to the
	// slice one transition for each way to carry out the operation in the current state
	// or, if there is none, one with Enabled unset. It sets all fields that apply except
	// for Goroutine, Bubble and Site, which its caller sets. It is called at scheduling
	// points while the goroutine is parked, and must not change anything. When Run is
	// called, Call.Alt is the Alt of the chosen transition.
	Transitions func(c *Call, to []run.Transition) []run.Transition
	// DependsOn says what Transitions depends on, besides the arguments and the
	// goroutine's phase. Transitions is not called again while that has not changed.
	DependsOn state.DependsOn

	// Run carries out the primitive. It reads the arguments from the window and leaves
	// the results there.
	Run func(c *Call)

	// MayOnlyRead says that the operation may turn out to change nothing. In that case it
	// calls State.Observe or one of its variants, so that loops that only wait are
	// detected.
	MayOnlyRead bool

	// Hides is not nil if a plan may say that the operation, on the cell to which the first
	// argument points, is not visible (run.Visible.HideAtomics), and reports whether it may say so
	// of a call. Then Call.Hidden is set.
	Hides func(c *Call) bool

	// Learns says that Run acquires the clock of the cell to which the first argument points, and
	// accesses nothing before but that cell, unless the transition commutes. Awaits says that if no
	// transition is enabled it takes another goroutine's operation on the cell to enable one, and
	// that what that one knows is learned before anything else is accessed.
	Learns, Awaits bool

	// Sleeps says that a goroutine whose phase is not 0 sleeps.
	Sleeps bool

	// Counts says that the first argument is the address of a counter, which may be an input: it is
	// made concrete first.
	Counts bool

	// Shadows says that Run handles symbolic values: it reads the shadows of its
	// arguments and sets those of its results. For other primitives, the machine makes
	// symbolic arguments concrete first and assumes that the results are concrete.
	Shadows bool

	// HasBody says that the function has a body, which the primitive replaces.
	HasBody bool
	// Optional says that other versions of the package may not declare the function, which
	// is in no model and for no users.
	Optional bool
}

// AddPrimitives adds primitives to the machine's table. It returns an error that names
// those whose name is already in the table, and those that belong to no function: the
// program contains the package, but the package does not declare the function, or
// declares it with a body.
func (m *Interpreter) AddPrimitives(list []Primitive) error {
	packages := make(map[string][]*ssa.Package)
	for _, pkg := range m.Program.Packages() {
		path := code.PkgPath(pkg.Pkg)
		packages[path] = append(packages[path], pkg) // a package and the one with its tests
	}
	var errs []error
	for i := range list {
		p := &list[i]
		if m.primitives[p.Name] != nil {
			errs = append(errs, fmt.Errorf("there are two primitives %s", p.Name))
			continue
		}
		if err := m.checkDeclared(p, packages); err != nil {
			errs = append(errs, err)
		}
		m.addPrimitive(p)
	}
	return errors.Join(errs...)
}

// checkDeclared returns an error if p belongs to no function of the packages.
func (m *Interpreter) checkDeclared(p *Primitive, packages map[string][]*ssa.Package) error {
	slash := strings.LastIndexByte(p.Name, '/') + 1
	pkg, name, _ := strings.Cut(p.Name[slash:], ".")
	path := p.Name[:slash] + pkg
	if len(packages[path]) == 0 {
		return nil
	}
	declared := false
	for _, pkg := range packages[path] {
		if fn := pkg.Func(name); fn != nil {
			declared = true
			if !p.HasBody && m.Program.HasBody(fn) {
				return fmt.Errorf("primitive %s: the function has a body", p.Name)
			}
		}
	}
	if !declared && !p.Optional {
		return fmt.Errorf("primitive %s: package %s declares no such function", p.Name, path)
	}
	return nil
}

// addPrimitive adds p to the machine's table.
func (m *Interpreter) addPrimitive(p *Primitive) {
	info := &state.Primitive{Name: p.Name, Number: len(m.runs), DependsOn: p.DependsOn, MayOnlyRead: p.MayOnlyRead, Learns: p.Learns, Awaits: p.Awaits, Sleeps: p.Sleeps, Counts: p.Counts, Shadows: p.Shadows}
	if p.Transitions != nil {
		info.Transitions = func(g *state.Goroutine, to []run.Transition) []run.Transition {
			c := &m.transitionCall
			c.Machine, c.Goroutine, c.Func, c.base, c.Window = m, g, g.Prim, g.PrimBase, g.Stack[g.PrimBase:]
			return p.Transitions(c, to)
		}
	}
	if p.Hides != nil {
		info.Hides = func(g *state.Goroutine, fn *state.Function) bool {
			c := &m.transitionCall
			c.Machine, c.Goroutine, c.Func = m, g, fn
			return p.Hides(c)
		}
	}
	m.primitives[p.Name] = info
	m.runs = append(m.runs, p.Run)
}

// A Call is the context in which a primitive runs. It is valid until the
// primitive returns.
type Call struct {
	Machine   *Interpreter
	Goroutine *state.Goroutine
	Func      *state.Function // of the primitive

	// Window contains the words of the arguments from index 0 on, flattened as in
	// code.Type. It is the goroutine's stack from base on. The primitive leaves the words
	// of its results there, also from index 0 on, so it must read the arguments that it
	// needs before it writes results.
	Window []heap.Word
	base   int

	Alt    int32 // visible primitives: Alt of the chosen transition
	Hidden bool  // the plan says that the operation, which may be hidden, is not visible

	unfinished bool // visible primitives: Again was called
}

// Int returns argument word i as a signed number.
func (c *Call) Int(i int) int64 { return int64(c.Window[i].N) }

// Bool returns argument word i as a boolean.
func (c *Call) Bool(i int) bool { return c.Window[i].N != 0 }

// Text returns the string in argument words i and i+1. Symbolic bytes of it are made
// concrete.
func (c *Call) Text(i int) string { return string(c.bytes(i)) }

// bytes returns the bytes of the string or []byte whose base and length are argument
// words i and i+1. The result aliases the machine's memory and must not be changed or
// kept. Symbolic bytes are made concrete.
func (c *Call) bytes(i int) []byte {
	return c.Machine.ConcreteBytes(c.Goroutine, c.Window[i], int(c.Window[i+1].N))
}

// Set makes the number v result word i.
func (c *Call) Set(i int, v uint64) { c.Window[i] = heap.Word{N: v} }

// SetBool makes the boolean v result word i.
func (c *Call) SetBool(i int, v bool) { c.Window[i] = heap.BoolWord(v) }

// SetText makes the string s result words i and i+1.
func (c *Call) SetText(i int, s string) {
	c.Window[i] = c.Machine.NewString(c.Goroutine, s)
	c.Window[i+1] = heap.Word{N: uint64(len(s))}
}

// Shadow returns the symbolic value of window word i, None if it is concrete. Arguments
// are always concrete for primitives without Primitive.Shadows.
func (c *Call) Shadow(i int) expr.ID {
	f := c.Goroutine.Top()
	if !f.Symbolic {
		return expr.None
	}
	return c.Goroutine.Sym[c.base+i]
}

// SetShadow makes x the symbolic value of result word i.
func (c *Call) SetShadow(i int, x expr.ID) {
	f := c.Goroutine.Top()
	if !f.Symbolic {
		if x == expr.None {
			return
		}
		c.Goroutine.MakeSymbolic(f)
	}
	c.Goroutine.Sym[c.base+i] = x
}

// CellAt returns the cell that argument word i points to.
func (c *Call) CellAt(i int) heap.Location {
	w := c.Window[i]
	return heap.Location{Object: w.P, Offset: int(w.N)}
}

// Choose is a primitive that returns a number below its argument: a decision of the run.
func Choose(c *Call) {
	if v, ok := c.Machine.ChooseValue(c.Goroutine, int(c.Int(0))); ok {
		c.Set(0, uint64(v))
	}
}
