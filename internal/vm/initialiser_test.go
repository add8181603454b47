package vm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// initialiser returns a runner of a target that does nothing, after a package initialiser
// that calls the function with the given name.
func (p *funcs) initialiser(t testing.TB, name string) *runner {
	t.Helper()
	r := new(runner)
	r.Machine = vm.New(p.code, expr.NewArena(), run.NewNames(), settings)
	r.Output = &r.out
	target := vmtest.Function(loadFuncs(t, "concurrent/small").pkg, "nothing")
	if _, err := r.BootFunc(t.Context(), p.pkg.Func(name), target); err != nil {
		t.Fatal(err)
	}
	return r
}

// A function in testdata/concurrent that an initialiser calls has the outcomes that its
// comment lists, except for leaks: goroutines that initialisers have started may stay.
func TestInitialisers(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "bubbles"} {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.some() {
				t.Run(name, func(t *testing.T) { p.exploreInitialiser(t, name) })
			}
		})
	}
}

func (p *funcs) exploreInitialiser(t *testing.T, name string) {
	r := p.initialiser(t, name)
	booted := r.out.String() // what was printed before the first run
	got := map[string]bool{}
	r.everyRun(t, run.Plan{}, 20000, func(_ *run.Trace, out string) {
		got[strings.TrimSpace(booted+out)] = true
	})
	want := map[string]bool{}
	for _, out := range p.want[name] {
		out, _, _ = strings.Cut(out, "leak: ")
		want[strings.TrimSpace(out)] = true
	}
	if have, want := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(have, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// Runs that begin within the initialisation resume at checkpoints as others do.
func TestResumeInitialisers(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time"} {
		p := loadFuncs(t, "concurrent/"+dir)
		for _, name := range p.some() {
			t.Run(name, func(t *testing.T) {
				pair := newPair(t, func() *runner { return p.initialiser(t, name) })
				pair.compareSteps(t, run.Plan{Record: true, RecordPlain: true})
				pair.compareDecisions(t, run.Plan{Record: true})
			})
		}
	}
}

// What an initialiser computes after it has started a goroutine is not computed again in
// each run.
func TestLongInitialiser(t *testing.T) {
	p := loadFuncs(t, "concurrent/small")
	r := p.initialiser(t, "tables")
	if err := r.Retarget(vmtest.Function(p.pkg, "adders")); err != nil {
		t.Fatal(err)
	}
	runs, again := 0, 0
	execute := func(plan *run.Plan, s run.Scheduler) *run.Trace {
		trace, out := r.run(t, plan, s)
		if out != "" {
			t.Fatal(out)
		}
		runs++
		if r.Began < 16 { // steps: the initialiser takes one for each 1<<16 instructions
			again++
		}
		return trace
	}
	for n := range 10 {
		execute(&run.Plan{}, run.Random(uint64(n)))
	}
	if again != 1 {
		t.Errorf("%d of %d random runs ran the initialiser", again, runs)
	}
	search := hyperconcolic.New(hyperconcolic.Options{Names: r.Names})
	runs, again = 0, 0
	for {
		job, err := search.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		trace := execute(job.Plan, job.Scheduler)
		if err := search.Learn(t.Context(), job, trace, r.Arena); err != nil {
			t.Fatal(err)
		}
	}
	if runs < 8 || again != 1 {
		t.Errorf("%d of %d runs of a search ran the initialiser", again, runs)
	}
}
