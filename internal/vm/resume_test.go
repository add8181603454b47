package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/vm/meter"
)

// A sharer is a Resumer that begins each run with some of the steps of the previous one
// and continues at random.
type sharer struct {
	t       *testing.T
	r       *rand.Rand
	steps   []int // of the run, up to each: how many decisions had been taken
	shared  int   // steps of the run before
	resumed int   // runs
	told    bool  // of a step in this run
	most    int   // steps of a run
}

func (s *sharer) Resume(last *run.Trace) int {
	s.shared, s.told = 0, false
	if n := len(s.steps); last != nil && n > 0 {
		s.shared = s.r.IntN(n)
		if s.r.IntN(3) == 0 {
			s.shared = n - 1 - s.r.IntN(min(n, 4))
		}
		s.resumed++
	}
	s.steps = s.steps[:s.shared]
	return s.shared
}

func (s *sharer) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return s.r.IntN(p.N)
	}
	return s.r.IntN(len(p.Enabled))
}

func (s *sharer) Stepping(_ *run.Transition, t *run.Trace) bool {
	if !s.told && len(s.steps) != s.shared {
		s.t.Fatalf("the first step told is %d, not %d", len(s.steps), s.shared)
	}
	s.told = true
	s.steps = append(s.steps, len(t.Decisions))
	s.most = max(s.most, len(s.steps))
	return len(s.steps) < 450 // past what a second mark is made at, see cycle.go
}

// describe returns the whole trace as text.
func describe(t *testing.T, trace *run.Trace) string {
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// indented breaks a description into many lines.
func indented(description string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(description), "", " "); err != nil {
		return description
	}
	return b.String()
}

// TestResume tests that a run that resumes at a checkpoint of the previous one is the
// same as the run with the same decisions from the start.
func TestResume(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "mixed", "spins", "events", "inputs", "bubbles", "memory"} {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			plans := []run.Plan{{Symmetry: true}, {Record: true, RecordPlain: true, ReadSymbols: true, InputToState: true}}
			for i := range sample.Of(len(plans)*len(p.names), len(p.names), (len(p.names)+7)/8) {
				name, plan := p.names[i/len(plans)], i%len(plans)
				t.Run(fmt.Sprint(name, plan), func(t *testing.T) { p.compareResumed(t, name, plans[plan]) })
			}
		})
	}
}

func (p *funcs) compareResumed(t *testing.T, name string, plan run.Plan) {
	pair := newPair(t, func() *runner {
		r := p.runner(t, name)
		r.AddInputs(p.pkg.Pkg.Path())
		return r
	})
	pair.compareSteps(t, plan)
	pair.compareDecisions(t, plan)
}

// TestResumeTargets is TestResume for targets of package testing: logs, failures,
// subtests, inputs, the environment.
func TestResumeTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("boots two machines for each target")
	}
	r, prog := loadOwnTargets(t)
	compareTargets(t, r, prog)
}

// TestResumeGenerated is TestResume for randomly generated programs.
func TestResumeGenerated(t *testing.T) {
	var programs []*oracle.Program
	for i := range sample.Of(300, 100, 10) {
		programs = append(programs, kinds.Generate(uint64(i/2), kinds.Config{Mode: oracle.Mode(i % 2)}))
	}
	text, _ := oracle.Source("generated", programs)
	dir := t.TempDir()
	for name, data := range map[string][]byte{"generated_test.go": text, "go.mod": []byte("module generated\n\ngo 1.26\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, prog := loadTargets(t, load.Config{Dir: dir})
	compareTargets(t, r, prog)
}

func compareTargets(t *testing.T, r *load.Result, prog *code.Program) {
	targets := r.Targets()
	pair := newPair(t, func() *runner { return targetRunner(t, prog, r, &targets[0]) })
	for _, target := range targets {
		t.Run(target.Name, func(t *testing.T) {
			pair.resuming.retarget(t, r, &target)
			pair.fresh.retarget(t, r, &target)
			pair.compareSteps(t, run.Plan{Record: true, RecordPlain: true})
			pair.compareDecisions(t, run.Plan{Record: true})
		})
	}
}

// A pair is two machines at the start of a target, one of which may resume runs at
// checkpoints. It has a meter, which makes no difference.
type pair struct{ resuming, fresh *runner }

func newPair(t *testing.T, start func() *runner) pair {
	p := pair{start(), start()}
	p.fresh.Names = p.resuming.Names
	p.fresh.FromStart = true
	p.resuming.startMeter(3)
	return p
}

// compareSteps makes runs that share steps with the previous one, as their scheduler
// says, and repeats each of them from the start.
func (p pair) compareSteps(t *testing.T, plan run.Plan) {
	s := &sharer{t: t, r: rand.New(rand.NewPCG(1, 2))}
	began := 0
	for n := range 40 {
		if n == 15 { // from here on the places of races are visible
			p.resuming.run(t, &plan, run.NonPreemptive{})
			trace, _ := p.fresh.run(t, &plan, run.NonPreemptive{}) // both, for they number functions as they come
			plan.Visible.Sites = map[run.SiteID]bool{}
			for _, p := range trace.Unordered {
				plan.Visible.Sites[p.Earlier.Innermost()], plan.Visible.Sites[p.Later.Innermost()] = true, true
			}
			s.steps = nil
		}
		all := plan
		p.compare(t, &plan, s, func(trace *run.Trace) (*run.Plan, run.Scheduler) {
			all.Prefix = slices.Clone(trace.Decisions)
			u := &until{steps: len(s.steps), stopped: trace.Outcome == run.Stopped}
			if u.stopped {
				u.steps--
			}
			return &all, u
		})
		began += p.resuming.Began
	}
	if s.resumed < 30 && s.most > 0 {
		t.Errorf("%d runs began like the one before", s.resumed)
	}
	if began == 0 && s.most > 20 {
		t.Errorf("all of the runs, of up to %d steps, began at the start", s.most)
	}
}

// compareDecisions makes runs whose plans begin with decisions of the previous run, some
// with other inputs, and repeats each of them from the start.
func (p pair) compareDecisions(t *testing.T, plan run.Plan) {
	r := rand.New(rand.NewPCG(3, 4))
	plan.Input = run.Input{}
	var drawn []run.InputVar
	began, most := 0, 0
	for n := range uint64(40) {
		was := plan.Input
		plan.Input = run.Input{}
		for _, v := range drawn {
			u, ok := was[v.Name]
			switch k := r.IntN(8); {
			case k == 0:
				plan.Input[v.Name] = r.Uint64N(20)
			case k > 1 && ok:
				plan.Input[v.Name] = u
			}
		}
		again := plan
		p.compare(t, &plan, run.Random(n), func(trace *run.Trace) (*run.Plan, run.Scheduler) {
			drawn = slices.Clone(trace.Inputs)
			decisions := slices.Clone(trace.Decisions)
			most = max(most, len(decisions))
			plan.Prefix = decisions[:r.IntN(len(decisions)+1)]
			return &again, run.Random(n)
		})
		began += p.resuming.Began
	}
	if began == 0 && most > 20 {
		t.Errorf("all of the runs, of up to %d decisions, began at the start", most)
	}
}

// compare makes a run and then, from the start, the one that again returns. They must be
// the same.
func (p pair) compare(t *testing.T, plan *run.Plan, s run.Scheduler, again func(*run.Trace) (*run.Plan, run.Scheduler)) {
	t.Helper()
	trace, out := p.resuming.run(t, plan, s)
	got := describe(t, trace)
	same, scheduler := again(trace)
	repeated, out2 := p.fresh.run(t, same, scheduler)
	if want := describe(t, repeated); got != want || out != out2 {
		got, want = firstDifference(indented(got), indented(want))
		t.Fatalf("a run that began with %d steps of the one before: %s\n%s\nfrom the start: %s\n%s", p.resuming.Began, out, got, out2, want)
	}
	m := p.resuming.Meter
	if len(m.Decisions) != len(trace.Decisions) || len(m.Conditions) != len(trace.Path) {
		t.Fatalf("the meter has stacks at %d decisions and %d conditions of %d and %d", len(m.Decisions), len(m.Conditions), len(trace.Decisions), len(trace.Path))
	}
	if got, want := p.resuming.State(), p.fresh.State(); got != want {
		got, want = firstDifference(got, want)
		t.Fatalf("a run that began with %d steps of the one before ends in\n%s\nfrom the start in\n%s", p.resuming.Began, got, want)
	}
}

// firstDifference returns the first lines in which two texts differ.
func firstDifference(a, b string) (x, y string) {
	p, q := strings.Split(a, "\n"), strings.Split(b, "\n")
	n := 0
	for n < min(len(p), len(q)) && p[n] == q[n] {
		n++
	}
	show := func(lines []string) string { return strings.Join(lines[max(n-20, 0):min(n+10, len(lines))], "\n") }
	return show(p), show(q)
}

// An until is a Watcher that stops a run after a number of steps, if it is to be stopped.
type until struct {
	steps   int
	stopped bool
}

func (u *until) Choose(*run.SchedulingPoint) int { return 0 }

func (u *until) Stepping(*run.Transition, *run.Trace) bool {
	u.steps--
	return u.steps >= 0 || !u.stopped
}

// TestResumeSearch tests that a search makes the same runs whether or not they resume at
// checkpoints.
func TestResumeSearch(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "mixed", "spins", "inputs", "bubbles"} {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			resumed := 0
			for _, name := range p.names {
				resumed += p.compareSearches(t, name)
			}
			if resumed == 0 {
				t.Error("no run began like the one before")
			}
		})
	}
}

// compareSearches returns the number of runs that began like the previous one.
func (p *funcs) compareSearches(t *testing.T, name string) int {
	resuming, fresh := p.runner(t, name), p.runner(t, name)
	fresh.Names = resuming.Names
	resuming.AddInputs(p.pkg.Pkg.Path())
	fresh.AddInputs(p.pkg.Pkg.Path())
	options := hyperconcolic.Options{Names: resuming.Names}
	a, b := hyperconcolic.New(options), hyperconcolic.New(options)
	follower, starter := &follower{}, &starter{}
	resuming.startMeter(1009)
	fresh.startMeter(1)
	executed := uint64(0)
	for n := range 400 {
		job, err := a.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		other, err := b.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil || other == nil {
			if job != other {
				t.Errorf("%s: after %d runs one of the searches is over", name, n)
			}
			break
		}
		follower.Resumer, starter.Resumer = job.Scheduler.(run.Resumer), other.Scheduler.(run.Resumer)
		got, out := resuming.run(t, job.Plan, follower)
		want, wanted := fresh.run(t, other.Plan, starter)
		if x, y := describe(t, got), describe(t, want); x != y || out != wanted {
			t.Fatalf("%s, run %d:\n%s\n%s\nfrom the start:\n%s\n%s", name, n, out, indented(x), wanted, indented(y))
		}
		if x, y := resuming.meteredStacks(), fresh.meteredStacks(); x != y {
			t.Fatalf("%s, run %d: the meter has the stacks\n%s\nfrom the start:\n%s", name, n, x, y)
		}
		executed += want.Instructions
		if err := a.Learn(t.Context(), job, got, resuming.Arena); err != nil {
			t.Fatal(err)
		}
		if err := b.Learn(t.Context(), other, want, fresh.Arena); err != nil {
			t.Fatal(err)
		}
	}
	metered := int64(0)
	fresh.Meter.Collect(func(_ meter.Stack, c meter.Cost) { metered += c.Instructions })
	if left := int64(executed) - metered; left < 0 || left > 1000 { // which wait for the next sample
		t.Errorf("%s: the meter has counted %d instructions of %d", name, metered, executed)
	}
	return follower.resumed
}

// startMeter gives the machine a meter that counts.
func (r *runner) startMeter(period int64) {
	m := meter.New(period, func() time.Duration { return 0 })
	m.Start()
	r.SetMeter(m)
}

// meteredStacks describes the stacks at the decisions and conditions of the last run.
func (r *runner) meteredStacks() string {
	var b strings.Builder
	for _, s := range slices.Concat(r.Meter.Decisions, r.Meter.Conditions) {
		fmt.Fprint(&b, s == meter.Timer)
		for _, site := range r.Meter.Frames(s) {
			fn, pos := r.Site(site)
			fmt.Fprint(&b, " ", fn, " ", r.Program.SSA.Fset.Position(pos))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A follower counts the runs that begin like the previous one.
type follower struct {
	run.Resumer
	resumed int
}

func (f *follower) Resume(last *run.Trace) int {
	n := f.Resumer.Resume(last)
	if n > 0 {
		f.resumed++
	}
	return n
}

// A starter makes all runs begin at the start.
type starter struct{ run.Resumer }

func (s *starter) Resume(*run.Trace) int { return s.Resumer.Resume(nil) }
