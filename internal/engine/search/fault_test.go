package search

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A breaking strategy panics at one of its calls.
type breaking struct {
	strategy.Divisible
	stage string
	calls *atomic.Int64 // that are left before the one that panics
}

// at panics if it is time to.
func (b *breaking) at(stage string) {
	if b.stage == stage && b.calls.Add(-1) == 0 {
		var none []int
		_ = none[b.calls.Load()]
	}
}

func (b *breaking) Next(ctx context.Context) (*strategy.Job, error) {
	b.at("next")
	job, err := b.Divisible.Next(ctx)
	if job != nil && b.stage == "machine" {
		job.Scheduler = breakingScheduler{job.Scheduler.(run.Resumer), b}
	}
	return job, err
}

func (b *breaking) Learn(ctx context.Context, job *strategy.Job, t *run.Trace, arena *expr.Arena) error {
	b.at("learn")
	return b.Divisible.Learn(ctx, job, t, arena)
}

func (b *breaking) Export() []strategy.Item { b.at("export"); return b.Divisible.Export() }

func (b *breaking) Import(items []strategy.Item) error {
	b.at("import")
	return b.Divisible.Import(items)
}

func (b *breaking) Status() strategy.Status { b.at("status"); return b.Divisible.Status() }

// A breakingScheduler panics while the machine carries out a run.
type breakingScheduler struct {
	run.Resumer
	of *breaking
}

func (s breakingScheduler) Choose(p *run.SchedulingPoint) int {
	s.of.at("machine")
	return s.Resumer.Choose(p)
}

// An undivided strategy hides that another is divisible.
type undivided struct{ strategy.Strategy }

// mixOf returns a mix of one strategy, which panics in a stage at its n-th call. The search of
// another target goes on, although the count of the calls is shared.
func mixOf(stage string, n int, alone bool) []phase {
	calls := &atomic.Int64{}
	calls.Store(int64(n))
	info := hyperconcolic.Info
	info.New = func(c strategy.Config) (strategy.Strategy, error) {
		b := &breaking{stage: stage, calls: calls}
		b.at("new")
		st, err := hyperconcolic.Info.New(c)
		if err != nil {
			return nil, err
		}
		b.Divisible = st.(strategy.Divisible)
		if alone {
			return undivided{b}, nil
		}
		return b, nil
	}
	return []phase{{strategy: info, until: 1}}
}

// faulted notes the faults and verdicts of searches.
type faulted struct {
	verdict.Quiet
	faults   map[string]*verdict.Fault
	verdicts map[string]*verdict.Result
	found    map[string]bool
	panics   string // the call that panics
}

func (o *faulted) at(call string) {
	if o.panics == call {
		o.panics = ""
		panic("in an observer\nwith a second line")
	}
}

func (o *faulted) Started(pkg, target string) { o.at("started") }
func (o *faulted) Progress(r *verdict.Result) { o.at("progress") }
func (o *faulted) Confirmed(r *verdict.Result, _ *schedule.Run) {
	o.found[r.Target] = true
	o.at("confirmed")
}
func (o *faulted) Found(r *verdict.Result, _ *verdict.Counterexample) { o.at("found") }
func (o *faulted) Faulted(f *verdict.Fault)                           { o.faults[f.Target] = f }
func (o *faulted) Initialised(pkg string, _ time.Duration)            { o.at("initialised") }
func (o *faulted) Ended(r *verdict.Result) {
	o.verdicts[r.Target] = r
	o.at("ended")
}

// TestFaults makes everyway panic at each stage of a search: that target is open or, if
// something was found, fails, with a report; the others are searched to their ends.
func TestFaults(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/faults"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	type variant struct {
		stage    string
		n        int
		alone    bool
		observer string
	}
	var variants []variant
	for _, stage := range []string{"new", "next", "learn", "export", "import", "status", "machine"} {
		for _, n := range []int{1, 2, 9} {
			for _, alone := range []bool{false, true} {
				if n > 2 && (stage == "new" || stage == "status" && alone) || n > 1 && stage == "machine" || alone && (stage == "export" || stage == "import") {
					continue // there are not as many calls
				}
				variants = append(variants, variant{stage, n, alone, ""})
			}
		}
	}
	for _, call := range []string{"started", "initialised", "confirmed", "found", "ended"} {
		variants = append(variants, variant{observer: call})
	}
	for _, v := range sample.From(variants, 20, 8) {
		for _, workers := range sample.From([]int{1, 3}, 2, 1) {
			obs := &faulted{faults: map[string]*verdict.Fault{}, verdicts: map[string]*verdict.Result{}, found: map[string]bool{}, panics: v.observer}
			cfg, err := Config{Workers: workers, Budget: time.Hour, OutDir: t.TempDir(), NoCorpus: true, Reductions: &Reductions{}}.withDefaults()
			if err != nil {
				t.Fatal(err)
			}
			err = newQueue(prog, targets, cfg, mixOf(v.stage, v.n, v.alone), newSerial(obs)).run(t.Context())
			if !fault.Is(err) {
				t.Fatalf("%+v, %d workers: the error is %v, want a fault", v, workers, err)
			}
			checkFaults(t, obs, targets)
			if t.Failed() {
				t.Fatalf("%+v, %d workers", v, workers)
			}
		}
	}
}

// checkFaults checks what was reported of searches of which one had a fault.
func checkFaults(t *testing.T, obs *faulted, targets []load.Target) {
	if len(obs.faults) != 1 {
		t.Errorf("faults of %d targets, want 1", len(obs.faults))
	}
	for _, f := range obs.faults {
		if !strings.HasPrefix(f.Message, "everyway itself failed: ") && !strings.Contains(f.Message, ": everyway itself failed: ") || strings.Contains(f.Message, "\n") {
			t.Errorf("message %q", f.Message)
		}
		report, err := os.ReadFile(f.Report)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fault.Issues, fault.Version(), "." + f.Target, "panic: ", "fault_test.go:"} {
			if !strings.Contains(string(report), want) {
				t.Errorf("the report has no %q:\n%s", want, report)
			}
		}
	}
	for i := range targets {
		name := targets[i].Name
		r := obs.verdicts[name]
		if r == nil {
			t.Errorf("%s has no verdict", name)
			continue
		}
		want := verdict.Holds
		if name == "TestFails" {
			want = verdict.Fails
		}
		if f := obs.faults[name]; f != nil && r.Verdict == verdict.Open && !obs.found[name] {
			if len(r.Open) == 0 || r.Open[len(r.Open)-1] != f.Message {
				t.Errorf("%s is open because of %q, want %q", name, r.Open, f.Message)
			}
			continue
		}
		if r.Verdict != want {
			t.Errorf("%s: %s %q, want %s", name, r.Verdict, r.Open, want)
		}
	}
}

// TestFaultOfOne has Target return a fault, and report it.
func TestFaultOfOne(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/faults"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	obs := &faulted{faults: map[string]*verdict.Fault{}, verdicts: map[string]*verdict.Result{}, found: map[string]bool{}, panics: "started"}
	_, err = Target(t.Context(), prog, &targets[0], Config{OutDir: t.TempDir()}, obs)
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want a fault", err)
	}
	checkFaults(t, obs, targets[:1])
}
