package search

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestTurns makes searches in turns of random lengths: they end as those without breaks do.
func TestTurns(t *testing.T) {
	for _, name := range sample.From([]string{"small", "large", "late"}, 3, 2) {
		for _, mix := range []struct {
			name   string
			phases []phase
		}{{"naive", pacedMix}, {"mix", mix(AllReductions)}} {
			if mix.name == "mix" && name == "large" {
				continue // takes long
			}
			t.Run(name+"/"+mix.name, func(t *testing.T) {
				divideTarget(t, name) // loads it before the clock of the bubble goes
				synctest.Test(t, func(t *testing.T) { testTurns(t, name, mix.phases) })
			})
		}
	}
}

// A search whose state cannot be read when its turn comes is open, and says why.
func TestLostState(t *testing.T) {
	prog, target := divideTarget(t, "large")
	cfg, err := Config{Workers: 1, OutDir: t.TempDir(), Budget: time.Hour}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	cores := newCores(1)
	if err := cores.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := newSearch(prog, target, cfg, pacedMix, cores, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	machines := newMachines(prog, target, verdict.Quiet{})
	first := turn{first: true, others: func() bool { return true }}
	if err := s.advance(t.Context(), prog, machines, target, first); err != nil || !s.onDisk {
		t.Fatalf("the state is on disk: %v, error %v", s.onDisk, err)
	}
	if err := s.file.path.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := s.advance(t.Context(), prog, machines, target, turn{}); err != nil || s.paused {
		t.Errorf("paused: %v, error %v", s.paused, err)
	}
	if r := s.result; r.Verdict != verdict.Open || len(r.Open) != 1 || !strings.Contains(r.Open[0], "cannot continue: "+s.file.path.String()+" is gone") {
		t.Errorf("verdict %s, open: %q", r.Verdict, r.Open)
	}
	if _, err := s.file.path.Stat(); err == nil {
		t.Error("what is left of the state was written")
	}
}

func testTurns(t *testing.T, name string, mix []phase) {
	want := searchMix(t, name, Config{Workers: 1, OutDir: t.TempDir(), Budget: time.Hour}, mix)
	prog, target := divideTarget(t, name)
	rng := rand.New(rand.NewPCG(1, 2))
	cfg, err := Config{Workers: 1, OutDir: t.TempDir(), Budget: time.Hour}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	cores := newCores(1)
	if err := cores.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := newSearch(prog, target, cfg, mix, cores, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	machines := newMachines(prog, target, verdict.Quiet{})
	turns := 0
	for first := true; first || s.paused; first = false {
		if turns++; turns > 1 && (!s.onDisk || s.state.Frontier != nil) {
			t.Error("a search that is paused has its state in memory")
		}
		slice := time.Duration(rng.Int64N(int64(want.Elapsed)/5 + 1)) // 0 if runs take no time
		others := func() bool { return turns <= 50 }
		if err := s.advance(t.Context(), prog, machines, target, turn{first: first, slice: slice, others: others}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // which is no part of the budget
	}
	if turns < 3 && name != "small" {
		t.Errorf("%d turns, want some", turns)
	}
	if got, want := outcome(t, s.result), outcome(t, want); got != want {
		t.Errorf("in %d turns:\n%s\nwithout breaks:\n%s", turns, got, want)
	}
	if s.result.Elapsed > want.Elapsed {
		t.Errorf("the turns took %v, the search without breaks %v", s.result.Elapsed, want.Elapsed)
	}
}

// A diary is an Observer that notes what it is called with.
type diary struct {
	verdict.Quiet
	mu      sync.Mutex
	entries []string
	results map[string]*verdict.Result
	ended   time.Time
}

func (d *diary) note(what, pkg string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries = append(d.entries, what+" "+path.Base(pkg))
}

func (d *diary) Started(pkg, _ string)   { d.note("start", pkg) }
func (d *diary) Paused(pkg, _ string)    { d.note("pause", pkg) }
func (d *diary) Continued(pkg, _ string) { d.note("continue", pkg) }
func (d *diary) Ended(r *verdict.Result) {
	d.note("end", r.Package)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.results == nil {
		d.results = map[string]*verdict.Result{}
	}
	d.results[path.Base(r.Package)] = r
	d.ended = time.Now()
}

// TestQueue searches several targets, one of which takes long.
func TestQueue(t *testing.T) {
	prog, _ := divideTarget(t, "small")
	for _, test := range []struct {
		name string
		cfg  Config
		want string // the diary, without its beginning
		open map[string]string
	}{
		{
			name: "a round of all before depth",
			cfg:  Config{Budget: 500 * time.Millisecond},
			want: "start large, pause large, start late, pause late, start small, end small, continue late, end late, continue large, end large",
			open: map[string]string{"large": "the budget of 500ms is spent", "late": "the budget of 500ms is spent"},
		},
		{
			name: "in the order of their ranks",
			cfg: Config{Budget: 500 * time.Millisecond, Rank: func(t *load.Target) int {
				return slices.Index([]string{"small", "large", "late"}, path.Base(t.Package.Path))
			}},
			want: "start small, end small, start large, pause large, start late, pause late, continue large, end large, continue late, end late",
			open: map[string]string{"large": "the budget of 500ms is spent", "late": "the budget of 500ms is spent"},
		},
		{
			name: "all together take no longer than the total",
			cfg:  Config{Budget: time.Hour, Total: time.Second},
			want: "start large, pause large, start late, pause late, start small, end small, continue late, pause late, continue late, pause late, continue late, end late, end large",
			open: map[string]string{"large": "the total of 1s is spent", "late": "the total of 1s is spent"},
		},
		{
			name: "the total is spent before all have begun",
			cfg:  Config{Budget: time.Hour, Total: time.Millisecond},
			want: "start large, end large, start late, end late, start small, end small",
			open: map[string]string{
				"large": "the total of 1ms is spent",
				"late":  "the total of 1ms is spent before the search began",
				"small": "the total of 1ms is spent before the search began",
			},
		},
		{
			name: "after a failure those that wait end",
			cfg:  Config{Budget: 22 * time.Second, FailFast: true},
			want: "start large, pause large, start late, end late, end large",
			open: map[string]string{"large": "another target fails (-failfast)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var targets []load.Target
				for _, name := range []string{"large", "late", "small"} {
					_, target := divideTarget(t, name)
					targets = append(targets, *target)
				}
				cfg := test.cfg
				cfg.Workers, cfg.OutDir = 1, t.TempDir()
				cfg, err := cfg.withDefaults()
				if err != nil {
					t.Fatal(err)
				}
				var d diary
				start := time.Now()
				if err := newQueue(prog, targets, cfg, pacedMix, &d).run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(d.entries, ", "); got != test.want {
					t.Errorf("got %s\nwant %s", got, test.want)
				}
				for name, r := range d.results {
					if spent := strings.HasPrefix(test.open[name], "the budget"); spent != (r.Spent != "") || spent && !slices.Contains(r.Open, r.Spent) {
						t.Errorf("of %q, %q says that the budget of %s is spent", r.Open, r.Spent, name)
					}
					if why := strings.Join(r.Open, "; "); !strings.HasPrefix(why, test.open[name]) || (why == "") != (test.open[name] == "") {
						t.Errorf("%s is open because of %q, want %q", name, why, test.open[name])
					}
				}
				if took := d.ended.Sub(start); cfg.Total > 0 && took > cfg.Total+10*pace {
					t.Errorf("all together took %v, more than the total of %v", took, cfg.Total)
				}
				if r := d.results["large"]; r.Elapsed > cfg.Budget+10*pace {
					t.Errorf("large took %v, more than the budget of %v", r.Elapsed, cfg.Budget)
				}
			})
		})
	}
}

// TestNext checks in which order paused searches continue.
func TestNext(t *testing.T) {
	q := &queue{cfg: Config{Budget: time.Minute}}
	paused := func(rank, runs, estimate int, used time.Duration, news float64) *entry {
		r := &verdict.Result{Totals: verdict.Totals{Runs: runs, Estimate: estimate}}
		return &entry{rank: rank, news: news, search: &search{result: r, used: used}}
	}
	want := []*entry{
		paused(-1, 100, 0, 50*time.Second, 0),         // changed
		paused(0, 100, 150, 10*time.Second, 0),        // 5 s are left
		paused(0, 100, 400, 10*time.Second, 9),        // 30 s are left
		paused(0, 100, 700, 10*time.Second, 3),        // 60 s are left, more than the budget allows
		paused(0, 100, 0, 10*time.Second, 2),          // covers fewer branches
		paused(0, 100, 100, 10*time.Second, 0),        // has had less time
		paused(0, 1000, 1_000_000, 20*time.Second, 0), // nothing new
	}
	for i, e := range want {
		e.number = len(want) - i
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		got := slices.Clone(want)
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		q.paused = got
		for i := range want {
			if e := q.next(); e != want[i] {
				t.Fatalf("number %d is %s", i, fmt.Sprint(slices.Index(want, e)))
			}
		}
	}
}
