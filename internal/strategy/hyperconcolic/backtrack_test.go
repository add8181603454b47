package hyperconcolic

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestBacktrack checks that what the scheduler knows after a run that resumes the last one is what
// it knows after the same run from the start.
func TestBacktrack(t *testing.T) {
	var patterns []string
	for _, dir := range []string{"channels", "locks", "time", "spins", "bubbles"} {
		patterns = append(patterns, "./concurrent/"+dir)
	}
	r := vmtest.Load(t, load.Config{Dir: "../../vm/testdata", Patterns: patterns})
	program := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return !r.Standard(p) }, r.Standard)
	for _, pkg := range r.Packages {
		root := pkg.SSA
		root.Build()
		machine := func(t *testing.T, name string) *vm.Machine {
			settings := run.Settings{Limits: run.Limits{Instructions: 1e6, Depth: 1000, Decisions: 1000}, Stall: run.AnyStall}
			return vmtest.Boot(t, program, vmtest.Function(root, name), settings, nil)
		}
		for _, name := range slices.Sorted(members(root)) {
			t.Run(path.Base(pkg.Path)+"/"+name, func(t *testing.T) {
				m, other := machine(t, name), machine(t, name)
				other.Names = m.Names
				compareSchedulers(t, m, other)
			})
		}
	}
}

// members yields the names of the functions of p that can be targets.
func members(p *ssa.Package) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name, member := range p.Members {
			fn, ok := member.(*ssa.Function)
			if ok && name != "init" && fn.Blocks != nil && fn.Signature.Params().Len() == 0 && fn.TypeParams().Len() == 0 {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// compareSchedulers makes up to 300 runs of a search. The first ones, and a sample of the
// others, are compared with the same runs from the start.
func compareSchedulers(t *testing.T, m, other *vm.Machine) {
	const runs = 300
	first := sample.Size(20, 20, 8)
	compared := make([]bool, runs)
	for n := range first {
		compared[n] = true
	}
	for n := range sample.Of(runs-first, 70, 4) {
		compared[first+n] = true
	}
	s := New(Options{Names: m.Names}).(*search)
	fresh := scheduler{execution: execution{names: m.Names}, pool: &pool{}}
	for n := range runs {
		job, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			return
		}
		if sc := &s.scheduler; sc.trace != nil {
			for i := range min(sc.item.common(sc.ranDecisions, sc.ran), len(sc.decisions)) {
				if sc.decisions[i] != sc.item.decision(i) {
					t.Fatalf("run %d has another decision %d than the one before", n, i)
				}
			}
		}
		trace, err := m.Run(t.Context(), job.Plan, job.Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		if compared[n] {
			fresh.begin(t.Context(), s.scheduler.item)
			fresh.trace, fresh.ran = nil, nil
			if _, err := other.Run(t.Context(), job.Plan, &fresh); err != nil {
				t.Fatal(err)
			}
			if got, want := s.scheduler.known(), fresh.known(); got != want {
				t.Fatalf("after run %d the scheduler knows\n%s\nafter the same from the start\n%s", n, got, want)
			}
		}
		if err := s.Learn(t.Context(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
}

// known describes what sc knows, except what only saves work.
func (sc *scheduler) known() string {
	var b strings.Builder
	for _, e := range sc.events {
		e.before = clockMark{}
		fmt.Fprintf(&b, "event %+v\n", e)
	}
	for _, nd := range sc.nodes {
		nd.conflicting, nd.scanned = nil, 0
		fmt.Fprintf(&b, "node %+v\n", nd)
	}
	for i, th := range sc.threads {
		fmt.Fprintf(&b, "thread %d %+v\n", i, th)
	}
	for id, i := range sc.objectOf {
		if sc.objects[i].id != id {
			fmt.Fprintf(&b, "object %v is at the place of %v\n", sc.objects[i].id, id)
		}
	}
	var objects []string
	for _, o := range sc.objects {
		if len(o.events) == 0 && !o.based && !o.closed && !o.timed {
			continue // nothing is known of it, as if it had not been asked for
		}
		o.created = 0
		objects = append(objects, fmt.Sprintf("object %+v\n", o))
	}
	slices.Sort(objects)
	fmt.Fprintln(&b, objects, sc.decisions, sc.alternatives)
	fmt.Fprintln(&b, sc.wide, sc.communications, sc.waited, sc.nonzero, sc.condEvents, sc.postponed, sc.choiceNodes, sc.wideNodes, sc.revisits)
	forced := sc.forced && !sc.blocked // of a blocked run nobody asks, and it may have no new step
	fmt.Fprintln(&b, sc.replayed, sc.edges, sc.firstFlip, sc.valueChoices, sc.scanned, forced, sc.blocked, sc.redundant, sc.duplicate)
	return b.String()
}
