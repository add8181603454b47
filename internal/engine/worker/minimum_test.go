package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestMinimum compares the runs that findings of generated programs are minimised to with the smallest among all
// runs of these programs, which are made one by one: each input under each schedule.
func TestMinimum(t *testing.T) {
	const (
		limit   = 4000 // runs of a program; larger programs are left out
		percent = 95   // of the findings that are minimised to the smallest run
	)
	for _, test := range []struct {
		name string
		cfg  kinds.Config
	}{
		{"guarded", kinds.Config{Mode: oracle.Guarded}},
		{"racy", kinds.Config{Mode: oracle.Racy}},
		{"timed", kinds.Config{Mode: oracle.Guarded, Time: true, Stall: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var programs []*oracle.Program
			for seed := range sample.Of(150, 50, 15) {
				programs = append(programs, kinds.Generate(uint64(seed), test.cfg))
			}
			workers := workersOf(t, programs, Config{Settings: run.Settings{Stall: oracle.StallOf(test.cfg.Stall)}})
			findings, smallest, runs := 0, 0, 0
			for i, p := range programs {
				w := workers(i)
				found, err := w.everyRun(t.Context(), inputsOf(p), limit)
				if errors.Is(err, errTooMany) {
					w.Close()
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for key, f := range found {
					findings++
					best, made, err := w.minimiseCounted(t.Context(), f.one)
					if err != nil {
						t.Fatal(err)
					}
					runs += made
					switch c := best.size().compare(f.least); {
					case c < 0:
						t.Fatalf("%v: a run of size %+v, and the least is %+v:\n%s", key, best.size(), f.least, oracle.Describe(p))
					case c == 0:
						smallest++
					default:
						t.Logf("%v\n%+v, and the least is\n%+v:\n", key, best.size(), f.least)
					}
				}
				w.Close()
			}
			t.Logf("%d findings, %d of them minimised to the smallest, with %d runs", findings, smallest, runs)
			if findings == 0 || smallest*100 < findings*percent {
				t.Errorf("%d of %d findings are minimised to the smallest, want %d %%", smallest, findings, percent)
			}
		})
	}
}

// workersOf returns a function that makes a worker for one of a list of programs.
func workersOf(t *testing.T, programs []*oracle.Program, cfg Config) func(i int) *Worker {
	t.Helper()
	text, _ := oracle.Source("oracle", programs)
	targets := workersOfSource(t, string(text), cfg)
	return func(i int) *Worker {
		if len(programs[i].Inputs) == 0 {
			return targets(fmt.Sprint("TestP", i))
		}
		return targets(fmt.Sprint("FuzzP", i))
	}
}

// workersOfSource returns a function that makes a worker for a target of a test package.
func workersOfSource(t *testing.T, text string, cfg Config) func(name string) *Worker {
	t.Helper()
	dir := t.TempDir()
	if err := suite.Write(dir, "example.com/worker", map[string]string{"worker_test.go": text}); err != nil {
		t.Fatal(err)
	}
	return workersIn(t, dir, cfg)
}

// workersIn returns a function that makes a worker for a target of the test package in a directory.
func workersIn(t *testing.T, dir string, cfg Config) func(name string) *Worker {
	t.Helper()
	s, err := suite.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Limits = run.Limits{Instructions: 1e6, Memory: 16 << 20, Depth: 1000, Goroutines: 100, Decisions: 1000}
	machines := NewMachines(s.Program, func(time.Duration) {})
	return func(name string) *Worker {
		target, err := s.Target(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := machines.Worker(t.Context(), target, cfg, run.NewNames(), func([]byte) {})
		if err != nil {
			t.Fatal(err)
		}
		w.machine.Output = io.Discard
		return w
	}
}

// stallSource has tests that fail only if goroutines are kept waiting for some time.
const stallSource = `package stalls

import (
	"sync/atomic"
	"testing"
	"time"
)

// The second sleeper wakes although the first could have done so 3 ms before.
func TestNeeds3ms(t *testing.T) {
	var x atomic.Int32
	go func() {
		time.Sleep(5 * time.Millisecond)
		x.Store(1)
	}()
	time.Sleep(8 * time.Millisecond)
	if x.Load() == 0 {
		t.Error("not stored")
	}
}

// A sleeper wakes early, and a timer fires early: it takes 2 ms, whichever of them is early first.
func TestNeeds2ms(t *testing.T) {
	var fired, done atomic.Int32
	go done.Store(1)
	time.AfterFunc(2*time.Millisecond, func() { fired.Add(1) })
	time.Sleep(time.Millisecond)
	fired.Add(1)
	if fired.Load() == 2 && done.Load() == 0 {
		t.Error("both have fired")
	}
}

// Nobody has to be kept waiting, though somebody may be.
func TestNeedsNone(t *testing.T) {
	var x atomic.Int32
	go x.Add(1)
	time.AfterFunc(time.Millisecond, func() { x.Add(1) })
	if x.Load() != 1 {
		t.Error("not one")
	}
}
`

// TestShortestStall checks that runs are minimised to the shortest time for which goroutines have
// to be kept waiting: with one that is a nanosecond shorter, no run fails.
func TestShortestStall(t *testing.T) {
	targets := workersOfSource(t, stallSource, Config{})
	for name, want := range map[string]time.Duration{"TestNeeds3ms": 3*time.Millisecond - 1 /* the first one is late, too */, "TestNeeds2ms": 2 * time.Millisecond, "TestNeedsNone": 0} {
		for _, stall := range []time.Duration{want - 1, want, run.AnyStall} {
			if stall < 0 {
				continue
			}
			w := targets(name)
			w.machine.Stall = stall
			found, err := w.everyRun(t.Context(), []run.Input{nil}, math.MaxInt)
			if err != nil {
				t.Fatal(err)
			}
			if (len(found) > 0) != (stall >= want) {
				t.Errorf("%s, stall %v: %d findings", name, stall, len(found))
			}
			for _, f := range found {
				for _, one := range []*Witness{f.one, f.longest} {
					best, _, err := w.minimiseCounted(t.Context(), one)
					if err != nil {
						t.Fatal(err)
					}
					if best.stall != want {
						t.Errorf("%s, stall %v: minimised from %v to %v, want %v", name, stall, one.stall, best.stall, want)
					}
				}
			}
			w.Close()
		}
	}
}

// A leastRun is the size of the smallest run that shows a finding, and one of these runs.
type leastRun struct {
	least   size
	one     *Witness
	longest *Witness // one with the longest stall
	runs    int
}

var errTooMany = errors.New("too many runs")

// everyRun makes every run of a program, and returns what they show.
func (w *Worker) everyRun(ctx context.Context, inputs []run.Input, limit int) (map[check.Key]*leastRun, error) {
	found := map[check.Key]*leastRun{}
	runs := 0
	for _, input := range inputs {
		var e run.Enumeration
		plan, more := &run.Plan{Input: input}, true
		for more {
			if runs++; runs > limit {
				return nil, errTooMany
			}
			t, err := w.Run(ctx, plan, &e)
			if err != nil {
				return nil, err
			}
			if err := w.noteSizes(ctx, plan, t.Clone(), found); err != nil {
				return nil, err
			}
			plan.Prefix, more = e.Next()
		}
	}
	for key, l := range found {
		for other, o := range found {
			if other.Shows(key) && o.least.compare(l.least) < 0 {
				l.least = o.least
			}
		}
	}
	return found, nil
}

// inputsOf returns all inputs of a program.
func inputsOf(p *oracle.Program) []run.Input {
	var list []run.Input
	p.EachInput(func(values []int) {
		in := run.Input{}
		for i, v := range values {
			in[p.Inputs[i].Name] = uint64(v)
		}
		list = append(list, in)
	})
	return list
}

// noteSizes notes what a run shows.
func (w *Worker) noteSizes(ctx context.Context, plan *run.Plan, t *run.Trace, found map[check.Key]*leastRun) error {
	for _, f := range w.Findings(t) {
		c := w.Witness(plan, t)
		c.key = check.KeyOf(&f)
		got, _, err := w.rerun(ctx, c, run.Plan{})
		if err != nil {
			return err
		}
		l := found[c.key]
		if l == nil {
			l = &leastRun{least: got.size(), longest: got}
			found[c.key] = l
		}
		if got.stall > l.longest.stall {
			l.longest = got
		}
		// It is minimised from a run in the midst of them.
		if l.runs++; l.runs&(l.runs-1) == 0 {
			l.one = got
		}
		if got.size().compare(l.least) < 0 {
			l.least = got.size()
		}
	}
	return nil
}

// minimiseCounted is minimise, and counts the runs.
func (w *Worker) minimiseCounted(ctx context.Context, c *Witness) (*Witness, int, error) {
	m := newMinimiser(w, c)
	best, err := m.minimise(ctx)
	return best, minimiseRuns - m.runs, err
}
