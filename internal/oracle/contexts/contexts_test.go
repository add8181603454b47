package contexts

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/initial"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A fixture has programs, loaded and analysed.
type fixture struct {
	*suite.Suite
	within    []load.Target
	analysis  *static.Analysis
	variables *initial.Variables
	from, to  *vm.Machine

	absent   string // the end of the name of a function in which nobody is; "" for none
	unlocked bool   // states in which somebody else than the goroutines of the context may hold a lock are not compared

	states, compared, followed, synchronised, waiting, undecided int
}

// newFixture loads the test package in a directory.
func newFixture(t *testing.T, dir string) *fixture {
	t.Helper()
	s, err := suite.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Settings = run.Settings{
		Limits: run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000},
		MaxLen: 3, MaxObjects: 8, MaxChain: 8,
	}
	f := &fixture{Suite: s, within: s.Program.Targets()}
	var all []*load.Target
	for i := range f.within {
		all = append(all, &f.within[i])
	}
	cfg, err := s.Program.Static(all...)
	if err != nil {
		t.Fatal(err)
	}
	s.Code = cfg.Code
	if f.analysis, err = static.New(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if f.variables, err = initial.NewVariables(t.Context(), f.analysis); err != nil {
		t.Fatal(err)
	}
	settings := s.Settings
	settings.Concrete = true
	f.from = vm.New(s.Code, expr.NewArena(), run.NewNames(), settings)
	f.to = vm.New(s.Code, expr.NewArena(), run.NewNames(), s.Settings)
	return f
}

// start puts a machine at the start of a target.
func (f *fixture) start(ctx context.Context, m *vm.Machine, target *load.Target) error {
	entry, err := f.Program.Entry(target)
	if err != nil {
		return err
	}
	m.Goal = nil
	if !m.Heap.Recording() {
		_, err = m.Boot(ctx, entry)
		return err
	}
	return m.Retarget(entry)
}

// report says what was compared. The few states of which the search for an admitting path does not
// come to its end say nothing.
func (f *fixture) report(t *testing.T, contexts int) {
	t.Helper()
	t.Logf("%d contexts, %d states, %d of them undecided, %d words compared, %d pointers followed, %d wait groups and channels, %d waiters", contexts, f.states, f.undecided, f.compared, f.followed, f.synchronised, f.waiting)
	if f.undecided*20 > f.states {
		t.Errorf("%d of %d states are undecided", f.undecided, f.states)
	}
}

// instructions returns those of a function and the functions in it at which a goroutine can be.
func instructions(fn *ssa.Function) []ssa.Instruction {
	var list []ssa.Instruction
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr.(type) {
			case *ssa.Phi, *ssa.DebugRef:
			default:
				list = append(list, instr)
			}
		}
	}
	for _, inner := range fn.AnonFuncs {
		list = append(list, instructions(inner)...)
	}
	return list
}

// check runs a target from the start to instructions, and checks that their context admits the
// state there. It reports whether a run came there.
func (f *fixture) check(t *testing.T, target *load.Target, places []ssa.Instruction, r *rand.Rand, runs int) bool {
	t.Helper()
	var stacks [][]ssa.Instruction
	for _, at := range places {
		stacks = append(stacks, []ssa.Instruction{at})
	}
	return f.checkStacks(t, target, stacks, r, runs)
}

// checkStacks is check for goroutines with stacks.
func (f *fixture) checkStacks(t *testing.T, target *load.Target, stacks [][]ssa.Instruction, r *rand.Rand, runs int) bool {
	t.Helper()
	ctx := t.Context()
	var places []ssa.Instruction
	for _, stack := range stacks {
		places = append(places, stack[0])
	}
	c, err := initial.New(ctx, f.analysis, stacks, initial.Options{Variables: f.variables})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(c.Assumes, func(s string) bool { return strings.HasPrefix(s, "what the package variables ") }) {
		return false
	}
	c.Uses.Groups = true // all is compared, also what nobody looks at
	if c.Pointers != nil {
		for i := range c.Pointers.Channels {
			c.Pointers.Channels[i].Used = true
		}
	}
	middle := &load.Target{
		Kind: load.TargetContext, Name: target.Name, Package: target.Package, Func: stacks[0][len(stacks[0])-1].Parent(),
		Context: &load.Context{Context: c, Within: f.within},
	}
	if err := f.start(ctx, f.to, middle); err != nil {
		t.Fatal(err)
	}
	if err := f.start(ctx, f.from, target); err != nil {
		t.Fatal(err)
	}
	goals := [2]*run.Goal{{}, {}}
	sites := make([]run.SiteID, 0, len(places))
	frames := make([]int, 0, len(places))
	for i := range places {
		mid, err := compile.Middle(f.Code, c, i, f.Program.Package("testing").SSA.Func("prepareStep"))
		if err != nil {
			return false // at the end of a function that recovers
		}
		for mid.Inner != nil {
			mid = mid.Inner
		}
		if is := mid.Of.Instr(int(mid.PC)); is == nil || is.Block() != places[i].Block() {
			return false // there is no code for it, so that who comes to it need not have been in its block
		}
		frames = append(frames, len(stacks[i]))
		for k, m := range []*vm.Machine{f.from, f.to} {
			site := run.SiteID{Func: m.Link(mid.Of.SSA).ID, Instr: mid.PC}
			goals[k].Places = append(goals[k].Places, []run.SiteID{site})
			if k == 0 {
				sites = append(sites, site)
			}
		}
	}
	f.from.Goal, f.to.Goal = goals[0], goals[1]
	reached := false
	input := run.Input{}
	for range runs {
		trace, err := f.from.Run(ctx, &run.Plan{Input: input}, scheduler{r})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range trace.Inputs {
			input[v.Name] = uint64(r.IntN(4))
		}
		if trace.Reached == nil || !f.isAt(stacks, sites) || f.isPresent(sites) || f.unlocked && f.isLocked(t, sites) {
			continue
		}
		reached = true
		f.states++
		for i := range c.Structures {
			if both := joined(f.from, &c.Structures[i]); both != "" {
				t.Errorf("%s: at %v, these have parts in common: %s", target.Name, describe(places), both)
			}
		}
		a := &Admission{
			From: f.from, To: f.to, Places: sites, Sites: goals[1].Places, Frames: frames,
			Own: func(p *types.Package) bool { return p == target.Package.Types },
		}
		why, err := a.Admits(ctx)
		f.compared += a.Compared
		f.followed += a.Followed
		f.synchronised += a.Synchronised
		f.waiting += a.Waiting
		switch {
		case errors.Is(err, ErrRuns):
			f.undecided++
			t.Logf("%s: a state at %v is undecided: %v", target.Name, describe(places), err)
		case err != nil:
			t.Errorf("%s: %v: %v", target.Name, describe(places), err)
		case why != "":
			t.Errorf("%s: a state at %v is left out: %s", target.Name, describe(places), why)
		}
	}
	return reached
}

// isAt reports whether goroutines of the run from the start, which are at sites, have been called
// by what is in their stacks.
func (f *fixture) isAt(stacks [][]ssa.Instruction, sites []run.SiteID) bool {
	for i, stack := range stacks {
		g := at(f.from, sites[i], timesIn(sites[:i], sites[i]))
		if g == nil || len(g.Frames) < len(stack) {
			return false
		}
		for k := 1; k < len(stack); k++ {
			if fr := &g.Frames[len(g.Frames)-1-k]; fr.Func.Body != stack[k].Parent() || fr.Func.Instr(int(fr.PC)) != stack[k] {
				return false
			}
		}
	}
	return true
}

// isPresent reports whether a goroutine of the run from the start that is not at one of some sites
// is where nobody else is in contexts.
func (f *fixture) isPresent(sites []run.SiteID) bool {
	named := f.named(sites)
	return f.absent != "" && slices.ContainsFunc(f.from.Goroutines, func(g *state.Goroutine) bool {
		return !slices.Contains(named, g) && slices.ContainsFunc(g.Frames, func(fr state.Frame) bool { return strings.HasSuffix(fr.Func.Name, f.absent) })
	})
}

// isLocked reports whether a goroutine of the run from the start that is not at one of some sites may hold a lock.
func (f *fixture) isLocked(t *testing.T, sites []run.SiteID) bool {
	held, err := f.analysis.Locks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	named := f.named(sites)
	return slices.ContainsFunc(f.from.Goroutines, func(g *state.Goroutine) bool {
		if slices.Contains(named, g) || g.Status == state.Ended {
			return false
		}
		return slices.ContainsFunc(g.Frames, func(fr state.Frame) bool {
			at := fr.Func.Instr(int(fr.PC))
			return at != nil && len(held.Held([]ssa.Instruction{at})) > 0
		})
	})
}

// named returns the goroutines of the run from the start that are at sites.
func (f *fixture) named(sites []run.SiteID) (list []*state.Goroutine) {
	for i, site := range sites {
		list = append(list, at(f.from, site, timesIn(sites[:i], site)))
	}
	return list
}

// A scheduler takes any choice.
type scheduler struct{ *rand.Rand }

// Choose implements [run.Scheduler].
func (s scheduler) Choose(p *run.SchedulingPoint) int { return s.IntN(max(len(p.Enabled), p.N)) }

// describe says where instructions are.
func describe(places []ssa.Instruction) string {
	text := ""
	for i, at := range places {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("%v (%s, line %d)", at, at.Parent().Name(), at.Parent().Prog.Fset.Position(at.Pos()).Line)
	}
	return text
}

// TestGenerated checks contexts of one and of two goroutines in generated programs.
func TestGenerated(t *testing.T) {
	var programs []*oracle.Program
	for seed := range sample.Of(200, 30, 6) {
		programs = append(programs, kinds.Generate(uint64(seed/2), kinds.Config{Mode: oracle.Mode(seed % 2), Fields: seed%3 == 0}))
	}
	dir := t.TempDir()
	text, _ := oracle.Source("oracle", programs)
	if err := suite.Write(dir, "oracle", map[string]string{"oracle_test.go": string(text)}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	contexts := 0
	for i := range f.within {
		target := &f.within[i]
		list := instructions(target.Func)
		for range 4 {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if r.IntN(2) == 0 {
				places = append(places, list[r.IntN(len(list))])
			}
			if f.check(t, target, places, r, 4) {
				contexts++
			}
		}
	}
	f.report(t, contexts)
	if contexts < len(programs)/2 {
		t.Errorf("%d contexts were reached in %d programs", contexts, len(programs))
	}
}

// TestPointers checks contexts at all instructions of the programs in testdata, a sample of them.
func TestPointers(t *testing.T) {
	text, err := os.ReadFile("testdata/pointers/pointers_test.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "pointers", map[string]string{"pointers_test.go": string(text)}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	reached := 0
	for i := range f.within {
		target := &f.within[i]
		var list []ssa.Instruction
		for _, fn := range f.calledBy(target) {
			list = append(list, instructions(fn)...)
		}
		for _, at := range sample.From(list, 12, 4) {
			if f.check(t, target, []ssa.Instruction{at}, r, 3) {
				reached++
			}
		}
	}
	f.report(t, reached)
	if f.followed == 0 {
		t.Error("no pointers were followed")
	}
}

// calledBy returns the function of a target and those of its package that it leads to, without those in them.
func (f *fixture) calledBy(target *load.Target) []*ssa.Function {
	list := []*ssa.Function{target.Func}
	for i := 0; i < len(list); i++ {
		n := f.analysis.Calls().Of(list[i])
		if n == nil {
			continue
		}
		for _, s := range n.Sites {
			for _, c := range s.Callees() {
				if c.Body != nil && c.Body.Pkg == target.Func.Pkg && c.Body.Parent() == nil && !slices.Contains(list, c.Body) {
					list = append(list, c.Body)
				}
			}
		}
	}
	return list
}
