package vm

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/prim/concurrency"
	"github.com/everyway-go/everyway/internal/vm/prim/host"
	"github.com/everyway-go/everyway/internal/vm/prim/kernel"
	"github.com/everyway-go/everyway/internal/vm/prim/reflection"
	"github.com/everyway-go/everyway/internal/vm/shape"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Machine runs one program. It is not safe for concurrent use; each worker has its own.
type Machine struct {
	exec.Interpreter
	booted bool
	faulty error     // what is wrong with the machine itself
	mark   expr.Mark // of the arena at the end of Boot, where every run starts
	// failure is how the package initialisers failed, nil if they did not. It is how every
	// run ends.
	failure *run.Trace
	// texts and exposed are HostTexts and Exposed at the end of Boot.
	texts   map[string]string
	exposed map[uint64]*heap.Object
}

// New returns a machine for prog. Machines that have to agree on the numbers of
// goroutines share names.
func New(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) *Machine {
	m := new(Machine)
	m.Init(prog, arena, names, settings)
	m.faulty = m.AddPrimitives(primitives())
	m.AddNatives(kernel.Natives())
	return m
}

// primitives returns all primitives.
func primitives() []exec.Primitive {
	return slices.Concat(concurrency.Primitives(), kernel.Primitives(), host.Primitives(), reflection.Primitives())
}

// An Entry says where a target starts.
type Entry struct {
	// Inits are the packages whose initialisers run first, in order. Each of them runs
	// the initialisers of its imports.
	Inits []*ssa.Package
	Func  *ssa.Function
	// Args are the arguments of Func: strings, *ssa.Function values and slices of these,
	// which the program must not change, and numbers of type int.
	Args []any
	// Globals are package variables that are inputs when Func has begun, if the model of package testing draws them.
	Globals []*ssa.Global
	// Context says where goroutines begin in the middle of functions; nil if the target begins at the start.
	Context *fragment.Context
}

// ErrBoot is wrapped by those errors of Boot that say that the machine could not complete
// the initialisation of the program, for example because of a limit.
var ErrBoot = errors.New("initialisation not completed")

// Boot runs the package initialisers and leaves the machine at the start of the entry
// function, where every Run begins. The trace is that of the initialisation.
//
// If an initialiser starts a goroutine or a timer, comes to a place of the goal, or has to choose
// between the ready cases of a select, every Run begins just before that, and the rest of the
// initialisation is part of it. If an initialiser fails before, by a panic for example, every Run
// ends with that failure.
func (m *Machine) Boot(ctx context.Context, entry Entry) (*run.Trace, error) {
	if m.booted {
		return nil, errors.New("vm: the machine has been booted already")
	}
	if m.faulty != nil {
		return nil, fmt.Errorf("vm: %w", m.faulty)
	}
	if entry.Func == nil {
		return nil, errors.New("vm: no function to start at")
	}
	inits := entry.Inits
	if m.RuntimePkg != nil {
		inits = append([]*ssa.Package{m.RuntimePkg}, inits...) // every program contains it, imported or not
	}
	for _, pkg := range inits {
		if init := pkg.Func("init"); init != nil {
			m.Inits = append(m.Inits, init)
		}
	}
	return m.boot(ctx, entry)
}

// boot is Boot with the initialisers m.Inits.
func (m *Machine) boot(ctx context.Context, entry Entry) (*run.Trace, error) {
	m.booted = true
	m.Begin(ctx, &run.Plan{}, run.NonPreemptive{})
	g := m.NewGoroutine(nil)
	if len(m.Inits) > 0 {
		m.Booting = true
		m.BeginInits(g)
		m.Schedule()
		m.Booting = false
	}
	m.Keep(&m.Scheduler.State)
	m.texts, m.exposed = maps.Clone(m.HostTexts), maps.Clone(m.Exposed)
	switch {
	case m.CtxErr != nil:
		return nil, m.CtxErr
	case m.Trace.Outcome == run.Failed:
		m.failure = m.Trace.Clone()
		m.setStart()
		return m.failure, nil
	case m.Over && m.Trace.Outcome != run.Stopped:
		why := m.Trace.Message
		if m.Trace.Outcome == run.Finished {
			why = "the program exits before its initialisation is complete"
		}
		pkg := m.Inits[len(m.Inits)-m.Initialisers].Pkg.Pkg.Path()
		return m.Trace, fmt.Errorf("package %s: %w: %s", pkg, ErrBoot, why)
	}
	trace := m.Trace.Clone()
	if err := m.start(entry); err != nil {
		return nil, err
	}
	return trace, nil
}

// Retarget makes the machine's runs begin at another entry function, as those of a machine
// that has been booted for it. The initialisers are not run again: entry.Inits is ignored.
// Names can be replaced before, since only the main goroutine has a name at the end of Boot.
func (m *Machine) Retarget(entry Entry) error {
	if !m.Heap.Recording() {
		return errors.New("vm: Retarget before Boot has succeeded")
	}
	m.Rewind(0)
	m.Arena.Release(m.mark)
	m.Cut(&m.Scheduler.State)
	m.HostTexts, m.Exposed = maps.Clone(m.texts), maps.Clone(m.exposed)
	if m.failure != nil {
		return nil // which does not depend on the target
	}
	m.Forget()
	return m.start(entry)
}

// start makes the entry function the target. If the initialisation is complete, it puts
// the main goroutine at the start of the function.
func (m *Machine) start(entry Entry) error {
	if err := m.prepare(entry.Context); err != nil {
		return err
	}
	if entry.Context == nil {
		m.InputVariables = entry.Globals
	}
	args, err := m.entryArgs(entry.Args)
	if err != nil {
		return err
	}
	fn := m.Link(entry.Func)
	if fn.Params != len(args) {
		return fmt.Errorf("vm: %s takes %d words, the entry gives %d", fn.Name, fn.Params, len(args))
	}
	m.Entry, m.EntryArgs = fn, args
	g := m.Goroutines[0]
	if !m.Initialising() {
		g.Status = state.Running
		m.PushEntry(g, fn, nil, args)
	}
	g.Events = 0
	m.setStart()
	return nil
}

// prepare makes the code that prepares the stacks with which goroutines begin.
func (m *Machine) prepare(c *fragment.Context) error {
	m.Middles, m.Pointers, m.InputVariables, m.Uses, m.Conditions, m.Set, m.Zero = nil, nil, nil, fragment.Uses{}, nil, nil, nil
	m.Between, m.VariablesBetween, m.Structures, m.EdgesOf, m.Guarded = nil, nil, nil, nil, nil
	m.Related, m.VariablesRelated, m.Order = nil, nil, nil
	if c == nil {
		return nil
	}
	m.Pointers, m.InputVariables, m.Uses, m.Order = c.Pointers, c.Variables, c.Uses, c.Order
	m.Conditions, m.Set, m.Zero = conditions(m.Program, c.Conditions), m.paths(c.Set), m.paths(c.Zero)
	m.Between, m.VariablesBetween = m.between(c.Bounds)
	m.Related, m.VariablesRelated = m.related(c.Relations)
	m.Structures, m.EdgesOf = m.structures(c.Structures)
	m.Guarded = m.guarded(c.Guarded)
	made := 0
	for i := range c.Stacks {
		step := m.Program.SSA.ImportedPackage("testing").Func("prepareStep")
		mid, err := compile.Middle(m.Program, c, i, step)
		if err != nil {
			return fmt.Errorf("vm: %w", err)
		}
		m.Middles = append(m.Middles, mid)
		for ; mid != nil; mid = mid.Inner {
			mid.First = made
			made += len(mid.Made)
		}
	}
	return nil
}

// paths returns the paths that lead to fields, by the types of their structs.
func (m *Machine) paths(fields []fragment.Field) map[*code.Type][]string {
	of := make(map[*code.Type][]string)
	for _, f := range fields {
		t := m.Program.Type(f.Struct)
		_, path, _ := fieldAt(t, f.Fields)
		of[t] = append(of[t], path)
	}
	return of
}

// guarded returns the channels that are open as long as a sync.Once has not been done, by the types of their structs.
func (m *Machine) guarded(list []fragment.Guarded) map[*code.Type][]code.Guarded {
	of := make(map[*code.Type][]code.Guarded)
	for _, g := range list {
		t := m.Program.Type(g.Struct)
		once := &t.Fields[g.Once]
		of[t] = append(of[t], code.Guarded{Done: once.Offset + shape.DoneOf(once.Type), Channel: "." + t.Fields[g.Channel].Name})
	}
	return of
}

// between returns the bounds of fields, by the types of their structs and the paths that lead
// there, and those of package variables.
func (m *Machine) between(bounds []fragment.Bound) (fields map[*code.Type]map[string]fragment.Range, variables map[*ssa.Global]fragment.Range) {
	fields, variables = make(map[*code.Type]map[string]fragment.Range), make(map[*ssa.Global]fragment.Range)
	for _, b := range bounds {
		if b.Variable != nil {
			variables[b.Variable] = b.Range
			continue
		}
		t := m.Program.Type(b.Field.Struct)
		_, path, _ := fieldAt(t, b.Field.Fields)
		if fields[t] == nil {
			fields[t] = make(map[string]fragment.Range)
		}
		fields[t][path] = b.Range
	}
	return fields, variables
}

// related returns the relations of fields, by the types of their structs, and those of package variables.
func (m *Machine) related(relations []fragment.Relation) (fields map[*code.Type][]code.Relation, variables []fragment.Relation) {
	fields = make(map[*code.Type][]code.Relation)
	for _, r := range relations {
		if r.Terms[0].Variable != nil {
			variables = append(variables, r)
			continue
		}
		t := m.Program.Type(r.Terms[0].Field.Struct)
		of := code.Relation{Modulo: r.Modulo}
		for _, term := range r.Terms {
			off, _, part := fieldAt(t, term.Field.Fields)
			of.At, of.Minus, of.Kind = append(of.At, off), append(of.Minus, term.Minus), part.Kinds[0]
		}
		fields[t] = append(fields[t], of)
	}
	return fields, variables
}

// structures returns the types of the roots of structures, of as many as there are bits, and of their edges.
func (m *Machine) structures(list []fragment.Structure) (roots []*code.Type, edges map[*code.Type]uint64) {
	edges = make(map[*code.Type]uint64)
	for i, s := range list[:min(len(list), 64)] {
		roots = append(roots, m.Program.Type(s.Root))
		for _, e := range s.Edges {
			edges[m.Program.Type(e)] |= 1 << i
		}
	}
	return roots, edges
}

// fieldAt returns where a field is in a struct of type t, in words, the path that leads there, and its type.
func fieldAt(t *code.Type, fields []int) (off int, path string, part *code.Type) {
	for _, i := range fields {
		f := &t.Fields[i]
		off, path, t = off+f.Offset, path+"."+f.Name, f.Type
	}
	return off, path, t
}

// conditions returns where conditions and their locks are, by the type of the struct.
func conditions(p *code.Program, list []fragment.Condition) map[*code.Type][]code.Condition {
	of := make(map[*code.Type][]code.Condition)
	for i := range list {
		t := p.Type(list[i].Struct)
		c := code.Condition{Pointer: list[i].Pointer}
		var cond, lock *code.Type
		c.At, c.Path, cond = fieldAt(t, list[i].Cond)
		if c.Pointer {
			cond = cond.Elem
		}
		c.Locker = shape.LockerOf(cond)
		c.Lock, _, lock = fieldAt(t, list[i].Lock)
		c.LockType = p.Type(types.NewPointer(lock.Go))
		of[t] = append(of[t], c)
	}
	return of
}

// setStart makes the current state the one at which every run begins.
func (m *Machine) setStart() {
	m.Checkpoint()
	m.mark = m.Arena.Mark()
}

// entryArgs converts the arguments of an entry function to words.
func (m *Machine) entryArgs(args []any) ([]heap.Word, error) {
	var words []heap.Word
	for _, a := range args {
		switch a := a.(type) {
		case string:
			words = append(words, m.ConstString(a), heap.Word{N: uint64(len(a))})
		case int:
			words = append(words, heap.Word{N: uint64(a)})
		case *ssa.Function:
			words = append(words, heap.Word{P: m.FuncValue(m.Link(a))})
		case []*ssa.Function:
			values := make([]heap.Word, len(a))
			for i, fn := range a {
				values[i].P = m.FuncValue(m.Link(fn))
			}
			n := heap.Word{N: uint64(len(a))}
			words = append(words, m.ConstArray(m.Program.Type(a[0].Signature), values), n, n)
		default:
			return nil, fmt.Errorf("vm: an entry argument of type %T", a)
		}
	}
	return words, nil
}

// Run carries out a plan from the start of the entry function. The scheduler takes the
// decisions that the plan leaves open.
//
// The next Run reuses the memory of the trace and cuts the arena back to its state after
// Boot, so the trace is valid until then, except for the parts that [run.Trace] says stay
// valid. Whatever the program does is in the trace: an error means that the machine was
// used wrongly or that the context is done.
func (m *Machine) Run(ctx context.Context, plan *run.Plan, sched run.Scheduler) (*run.Trace, error) {
	if !m.Heap.Recording() {
		return nil, errors.New("vm: Run before Boot has succeeded")
	}
	if !m.Resume(ctx, plan, sched) {
		m.Rewind(0)
		m.Arena.Release(m.mark)
		m.Begin(ctx, plan, sched)
	}
	if f := m.failure; f != nil {
		t := m.Trace
		t.Outcome, t.Panic, t.FatalError, t.Exit, t.Stuck = f.Outcome, f.Panic, f.FatalError, f.Exit, f.Stuck
		return t, nil
	}
	m.Schedule()
	if m.CtxErr != nil {
		return nil, m.CtxErr
	}
	m.Finish()
	return m.Trace, nil
}
