package vm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// BootFunc is Boot with init in place of the initialisers of entry.Inits.
func (m *Machine) BootFunc(ctx context.Context, init *ssa.Function, entry Entry) (*run.Trace, error) {
	m.Inits = []*ssa.Function{m.RuntimePkg.Func("init"), init.Pkg.Func("init"), init}
	return m.boot(ctx, entry)
}

// State describes the state of a run as text, for tests that compare states: memory that
// goroutines have shared, the goroutines with their registers and clocks, their pending
// operations, the time, and how the run has ended.
func (m *Machine) State() string {
	var b []byte
	word := func(w heap.Word) {
		b = strconv.AppendUint(append(b, ' '), w.Number(0), 16)
	}
	for _, g := range m.Goroutines {
		var clock []uint32
		for slot := range m.Goroutines {
			clock = append(clock, g.Clock.At(int32(slot)))
		}
		b = fmt.Appendf(b, "goroutine %s %d clock %v", m.Names.String(g.ID), g.Status, clock)
		for i := range g.Frames {
			f := &g.Frames[i]
			b = fmt.Appendf(b, " %s+%d[", f.Func.Name, f.PC)
			end := int(f.Base) + f.Func.Params
			if f.Mode == state.Called && i+1 < len(g.Frames) {
				end = min(end, int(g.Frames[i+1].Base))
			}
			for _, w := range g.Stack[f.Base:end] {
				word(w)
			}
			b = append(b, ']')
		}
		b = append(b, '\n')
	}
	objects := slices.Clone(m.Touched)
	slices.SortFunc(objects, func(x, y *heap.Object) int {
		return cmp.Or(cmp.Compare(x.ID.Goroutine, y.ID.Goroutine), cmp.Compare(x.ID.Count, y.ID.Count))
	})
	for _, o := range objects {
		b = fmt.Appendf(b, "object %v", o.ID)
		for i := range o.Size() {
			word(o.Word(i))
		}
		b = append(b, '\n')
	}
	if !m.Over {
		m.Update()
		m.List()
	}
	for _, o := range m.Trace.Pending {
		b = fmt.Appendf(b, "pending %+v\n", o)
	}
	b = fmt.Appendf(b, "now %d, %d timers\n", m.Now, len(m.Timers))
	var facts []string
	note := func(what string, at ...run.StackTrace) {
		var sides []string
		for i := range at {
			sides = append(sides, fmt.Sprint(at[i].Goroutine, at[i].Site))
		}
		slices.Sort(sides) // a race is the same whichever access comes first
		facts = append(facts, fmt.Sprint(what, sides))
	}
	t := m.Trace
	if t.Panic != nil {
		note("panic", t.Panic.StackTrace)
	}
	if t.FatalError != nil {
		note("fatal error", t.FatalError.StackTrace)
	}
	if t.Exit != nil {
		note("exit", t.Exit.StackTrace)
	}
	for i := range t.TestFailures {
		note("test failure", t.TestFailures[i].StackTrace)
	}
	if t.Stuck != nil {
		for i := range t.Stuck.Goroutines {
			g := &t.Stuck.Goroutines[i]
			note(fmt.Sprint("stuck ", t.Stuck.Returned, t.Stuck.Period, g.Spins), g.StackTrace)
		}
	}
	for i := range t.Unordered {
		note("race", t.Unordered[i].Earlier.StackTrace, t.Unordered[i].Later.StackTrace)
	}
	slices.Sort(facts)
	return string(fmt.Appendln(b, facts))
}

// Recompute computes the transitions of all goroutines anew and returns them.
func (m *Machine) Recompute() []run.Transition {
	for _, g := range m.Live {
		m.Reconsider(g)
	}
	m.Update()
	m.List()
	return m.Pending.All
}

// Computations returns how often the transitions of a goroutine have been computed.
func (m *Machine) Computations() uint64 { return m.Pending.Computed }

// Primitives returns all primitives.
func Primitives() []exec.Primitive { return primitives() }

// Add adds a primitive to the machine. Boot fails if the program has no function for it.
func (m *Machine) Add(p exec.Primitive) {
	m.faulty = errors.Join(m.faulty, m.AddPrimitives([]exec.Primitive{p}))
}

// AddInputs adds primitives for the functions input and text of the package with the
// given path, which have no body.
func (m *Machine) AddInputs(path string) {
	m.Add(exec.Primitive{Name: path + ".input", Shadows: true, Run: func(c *exec.Call) {
		x := m.Draw(c.Text(0), code.Int64)
		c.Set(0, x.N)
		c.SetShadow(0, x.Sym)
	}})
	m.Add(exec.Primitive{Name: path + ".text", Optional: true, Run: func(c *exec.Call) {
		name, n := c.Text(0), int(c.Int(2))
		c.SetText(0, strings.Repeat("\x00", n))
		o := c.Window[0].P
		for i := range n {
			x := m.Draw(fmt.Sprintf("%s[%d]", name, i), code.Uint8)
			o.Bytes[i] = byte(x.N)
			o.SetShadows(i, 1, []expr.ID{x.Sym})
		}
	}})
}

// AddReport adds primitives for the functions number, which returns *at, and report of
// the package with the given path, which have no body.
func (m *Machine) AddReport(path string, at *int, seen func(v uint64, x expr.ID, ok bool)) {
	m.Add(exec.Primitive{Name: path + ".number", Run: func(c *exec.Call) { c.Set(0, uint64(*at)) }})
	m.Add(exec.Primitive{Name: path + ".report", Shadows: true, Run: func(c *exec.Call) {
		seen(c.Window[0].N, c.Shadow(0), c.Bool(1))
	}})
}

// Unfused returns the pairs of instructions that have a fused opcode, but occur in no
// function that has been linked.
func (m *Machine) Unfused() (missing []string) {
	used := make(map[code.Op]bool)
	for _, f := range m.Funcs {
		for _, in := range f.Fused {
			used[in.Op] = true
		}
	}
	for pair, op := range variant.Fusions {
		if !used[op] {
			missing = append(missing, fmt.Sprint(pair))
		}
	}
	slices.Sort(missing)
	return missing
}

// Unfuse makes all functions that have been linked run as they were compiled.
func (m *Machine) Unfuse() {
	for _, f := range m.Funcs {
		f.Fused = f.Code
	}
}

// General makes frames with symbolic registers, of all functions that have been linked,
// run the variant in which every register may be symbolic.
func (m *Machine) General() {
	for _, f := range m.Funcs {
		f.Variants = nil
		if !f.Direct && len(f.Code) > 0 {
			f.Variants = []variant.Variant{variant.General(f.Func, f.Fused)}
		}
	}
}

// DropNatives makes all functions run their own code from now on. It returns the names of
// natives whose functions have not been linked.
func (m *Machine) DropNatives() (unused []string) {
	for _, f := range m.Funcs {
		if f.Native != 0 {
			delete(m.Natives, f.Name)
			f.Native = 0
			exec.SetCode(f, f.Func)
		}
	}
	unused = slices.Sorted(maps.Keys(m.Natives))
	clear(m.Natives)
	return unused
}

// TimerSetters returns the goroutines that have set timers which can still fire, or have sent a
// time that nobody has received, or that have made what a step since a timer has fired early or the
// clock has been read was about.
func (m *Machine) TimerSetters() []int32 {
	var list []int32
	for i := range m.Timers {
		list = append(list, m.Timers[i].Creator)
	}
	for i := range m.LateSteps { // on objects that nothing can reach any more
		list = append(list, m.LateSteps[i].Object.Goroutine)
	}
	for _, o := range m.Touched {
		if o.Kind != heap.ChanObject || o.Cells[state.ChanCount].N == 0 {
			continue
		}
		elements := o.Race.Chan.Elements()
		for i := range elements {
			if f := &elements[i].Firing; f.Latest != 0 {
				list = append(list, f.Creator)
			}
		}
	}
	return list
}
