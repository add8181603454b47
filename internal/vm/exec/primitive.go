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

// A Primitive is the machine's implementation of a function without a Go body:
// one declared in a model (internal/vm/golib) or in GOROOT.
//
// A primitive neither blocks nor calls Go code. It changes the state of the run only
// through the machine's methods and the undo log, so that its effects can be taken back, and
// keeps no state of its own on the host.
type Primitive struct {
	Name string // of the function, as code.Func.Name has it

	// Transitions makes the primitive a visible operation. It appends to to every
	// way in which the operation can be carried out in the present state, and
	// one with Enabled unset when it cannot be. It fills Op, Object, Offset, Alt,
	// Partner and Enabled; goroutine and site are filled by its caller. It is called
	// at scheduling points while the goroutine is parked, and changes nothing.
	// When Run is called, Call.Alt is the Alt of the transition that was chosen.
	Transitions func(c *Call, to []run.Transition) []run.Transition
	// DependsOn says what Transitions reads beside the arguments and the goroutine's
	// phase. It is not called again while that has not changed.
	DependsOn state.DependsOn

	// Run carries the primitive out: it reads its arguments from the window
	// and leaves its results there.
	Run func(c *Call)

	// MayOnlyRead says that the operation may turn out to change nothing: it then calls
	// State.Observe or one of the methods beside it, which find loops that only wait.
	MayOnlyRead bool

	// Shadows says that Run handles symbolic values: it reads the shadows of
	// its arguments and sets those of its results. For the other primitives, the
	// machine concretizes symbolic arguments first and takes the results to be concrete.
	Shadows bool

	// HasBody says that the function has a body, in whose place the primitive is carried
	// out.
	HasBody bool
	// Optional says that other versions of the package may not declare the function, which
	// is in no model and for no users.
	Optional bool
}

// AddPrimitives adds primitives to the machine's table. The error names those that are
// there already, and those that belong to no function: the program has the package, but the
// package does not declare the function without a body.
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

// checkDeclared returns an error when p belongs to no function of the packages.
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

func (m *Interpreter) addPrimitive(p *Primitive) {
	info := &state.Primitive{Name: p.Name, Number: len(m.runs), DependsOn: p.DependsOn, MayOnlyRead: p.MayOnlyRead, Shadows: p.Shadows}
	if p.Transitions != nil {
		info.Transitions = func(g *state.Goroutine, to []run.Transition) []run.Transition {
			c := &m.transitionCall
			c.Machine, c.Goroutine, c.Func, c.base, c.Window = m, g, g.Prim, g.PrimBase, g.Stack[g.PrimBase:]
			return p.Transitions(c, to)
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

	// Window holds the words of the arguments, flattened as code.Type says, from
	// 0 on; it is the goroutine's stack from base on. The primitive leaves the words of its results there, from 0 on too:
	// it reads the arguments that it needs before it writes results.
	Window []heap.Word
	base   int

	Alt        int32 // visible primitives: Alt of the chosen option
	unfinished bool  // visible primitives: see again
}

// Int returns argument word i as a signed number.
func (c *Call) Int(i int) int64 { return int64(c.Window[i].N) }

// Bool returns argument word i as a truth value.
func (c *Call) Bool(i int) bool { return c.Window[i].N != 0 }

// Text returns the string in argument words i and i+1. Symbolic bytes in it are
// pinned to their concrete values.
func (c *Call) Text(i int) string { return string(c.bytes(i)) }

// bytes returns the bytes of the string or []byte whose base and length are
// argument words i and i+1. They alias the machine's memory: they are not to be
// changed, or kept. Symbolic bytes are pinned to their concrete values.
func (c *Call) bytes(i int) []byte {
	return c.Machine.ConcreteBytes(c.Goroutine, c.Window[i], int(c.Window[i+1].N))
}

// Set makes the number v result word i.
func (c *Call) Set(i int, v uint64) { c.Window[i] = heap.Word{N: v} }

// SetBool makes the truth value v result word i.
func (c *Call) SetBool(i int, v bool) { c.Window[i] = heap.BoolWord(v) }

// SetText makes the string s result words i and i+1.
func (c *Call) SetText(i int, s string) {
	c.Window[i] = c.Machine.NewString(c.Goroutine, s)
	c.Window[i+1] = heap.Word{N: uint64(len(s))}
}

// Shadow returns the symbolic value of window word i, None when it is concrete.
// Only primitives that mind shadows see any.
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
