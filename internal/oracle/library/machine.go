package library

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A machine searches programs.
type machine struct {
	vm    *vm.Machine
	pkg   *ssa.Package
	names *run.Names

	// Of the present search.
	shape   []int
	domains []domain // of the variables
	shown   []word   // of the present run
}

// A word is one of a result.
type word struct {
	value uint64
	sym   expr.ID // None if it is the same for all inputs of the path
}

// A path is a run of a search, with expressions of paths.arena.
type path struct {
	conditions []expr.ID
	decisions  []run.Decision // of the schedule, which has nothing to do with the input
	result     []word
}

// paths are what a search found.
type paths struct {
	arena    *expr.Arena
	runs     []path
	finished bool
	open     []string // why the search does not claim to be complete
}

// limits bound a run.
var limits = run.Limits{Instructions: 20_000_000, Memory: 64 << 20, Depth: 10_000, Goroutines: 100, Decisions: 10_000}

// newMachine loads the module of programs in dir and boots a machine.
func newMachine(ctx context.Context, dir string) (*machine, error) {
	r, err := golib.Load(ctx, load.Config{Dir: dir, Tags: []string{machineTag}})
	if err != nil {
		return nil, fmt.Errorf("loading the programs: %w", err)
	}
	m := &machine{pkg: r.Packages[0].SSA, names: run.NewNames()}
	m.vm = vm.New(compile.NewProgram(r.Prog, r.Sizes, nil, r.Standard), expr.NewArena(), m.names, run.Settings{Limits: limits})
	m.vm.FromStart = true // what a run shows is kept here, outside the state of the run
	if err := m.vm.AddPrimitives(m.primitives()); err != nil {
		return nil, fmt.Errorf("adding the primitives of programs: %w", err)
	}
	if _, err := m.vm.Boot(ctx, vm.Entry{Inits: []*ssa.Package{m.pkg}, Func: m.pkg.Func("main")}); err != nil {
		return nil, fmt.Errorf("booting: %w", err)
	}
	return m, nil
}

// primitives returns those that machineSource declares.
func (m *machine) primitives() []exec.Primitive {
	return []exec.Primitive{
		{Name: "main.word", Shadows: true, Run: func(c *exec.Call) {
			i := int(c.Int(0))
			v, x := m.draw(c, inputName(i, -1), &m.domains[i])
			c.Set(0, v)
			c.SetShadow(0, c.Machine.Arena.ZExt(x, 64))
		}},
		{Name: "main.text", Shadows: true, Run: func(c *exec.Call) {
			i := int(c.Int(0))
			n := m.shape[i]
			b, syms := make([]byte, n), make([]expr.ID, n)
			for k := range b {
				v, x := m.draw(c, inputName(i, k), &m.domains[i])
				b[k], syms[k] = byte(v), x
			}
			c.SetText(0, string(b))
			if o := c.Window[0].P; o != nil {
				o.SetShadows(0, n, syms)
			}
			c.SetShadow(0, expr.None)
			c.SetShadow(1, expr.None)
		}},
		{Name: "main.word64", Shadows: true, Run: func(c *exec.Call) {
			m.shown = append(m.shown, word{c.Window[0].N, c.Shadow(0)})
		}},
		{Name: "main.bytesOf", Shadows: true, Run: func(c *exec.Call) {
			for i := range 2 {
				if x := c.Shadow(i); x != expr.None {
					c.Machine.ConcretizeWord(c.Goroutine, c.Window[i], code.Int64, x)
				}
			}
			n := int(c.Window[1].N)
			m.shown = append(m.shown, word{uint64(n), expr.None})
			if n == 0 {
				return
			}
			base := c.Window[0]
			syms := base.P.ShadowAt(int(base.N), n)
			for i, b := range heap.BytesAt(base, n) {
				w := word{uint64(b), expr.None}
				if syms != nil {
					w.sym = syms[i]
				}
				m.shown = append(m.shown, w)
			}
		}},
	}
}

// inputName returns the name of the input for byte k of text i or, if k is negative, for word i.
func inputName(i, k int) string {
	if k < 0 {
		return fmt.Sprintf("v%d", i)
	}
	return fmt.Sprintf("v%d[%d]", i, k)
}

// draw returns an input of a domain, and what it is in this run.
func (m *machine) draw(c *exec.Call, name string, d *domain) (uint64, expr.ID) {
	x := c.Machine.DrawUpTo(name, d.kind, 1<<d.kind.Bits()-1, d.values[0])
	if len(d.values) < 1<<min(d.kind.Bits(), 16) {
		c.Machine.AddCondition(c.Goroutine, d.condition(c.Machine.Arena, x.Sym), true, run.Assumed)
	}
	return x.N, x.Sym
}

// search makes all runs of program i, of texts of the given lengths, up to a number of runs.
func (m *machine) search(ctx context.Context, p *Program, i int, shape []int, domains []domain, merge run.Merging, limit int) (*paths, error) {
	m.shape, m.domains = shape, domains
	entry := vm.Entry{Func: m.pkg.Func(fmt.Sprintf("P%d", i))}
	if err := m.vm.Retarget(entry); err != nil {
		return nil, err
	}
	found := &paths{arena: expr.NewArena()}
	copier := expr.Copier{To: found.arena, From: m.vm.Arena}
	s := hyperconcolic.New(hyperconcolic.Options{Names: m.names, Merge: merge})
	for range limit {
		job, err := s.Next(ctx)
		if err != nil {
			return nil, err
		}
		if job == nil {
			st := s.Status()
			found.finished, found.open = true, st.Open
			if !st.Exhausted && len(st.Open) == 0 {
				found.open = []string{"something was given up"}
			}
			return found, nil
		}
		m.shown = m.shown[:0]
		trace, err := m.vm.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return nil, fmt.Errorf("running %s: %w", p, err)
		}
		if trace.Outcome == run.Finished {
			copier.Restart()
			found.add(trace, m.shown, &copier)
		}
		if err := s.Learn(ctx, job, trace, m.vm.Arena); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// add adds the run of trace, which showed a result.
func (f *paths) add(trace *run.Trace, shown []word, copier *expr.Copier) {
	p := path{result: slices.Clone(shown), decisions: slices.Clone(trace.Decisions)}
	for i := range trace.Path {
		p.conditions = append(p.conditions, copier.Copy(trace.Path[i].Cond))
	}
	for i := range p.result {
		p.result[i].sym = copier.Copy(p.result[i].sym)
	}
	f.runs = append(f.runs, p)
}
