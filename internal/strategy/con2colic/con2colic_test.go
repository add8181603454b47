package con2colic

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/internal/toy"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A summary is what a search has found.
type summary struct {
	// degrees holds the degree at which each side of each branch was first covered,
	// toy.Unreachable if it was not.
	degrees []int
	runs    int
	failed  int  // number of runs up to the first that failed, 0 if none did
	ended   bool // the search ended within the bound on runs
}

// search runs a search to its end, or until it has made maxRuns runs.
func search(t *testing.T, p *toy.Program, c *Strategy, maxRuns int) summary {
	t.Helper()
	r := summary{degrees: make([]int, 2*p.Branches())}
	for i := range r.degrees {
		r.degrees[i] = toy.Unreachable
	}
	m := toy.NewMachine(p)
	for ; ; r.runs++ {
		if r.runs == maxRuns {
			return r
		}
		job, err := c.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			r.ended = true
			return r
		}
		s := c.candidate
		trace := m.Run(job.Plan, job.Scheduler)
		if trace.Outcome == run.Failed && trace.Stuck == nil && r.failed == 0 {
			r.failed = r.runs + 1
		}
		for i := range r.degrees {
			if s != nil && bitset.Set(trace.Covered).Has(i) && r.degrees[i] == toy.Unreachable {
				r.degrees[i] = s.Degree
			}
		}
		if err := c.Learn(context.Background(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
}

// newToy returns a search for which all cells are shared from the start, as they are for the
// enumerator.
func newToy(p *toy.Program, o Options) *Strategy {
	c := New(o)
	c.discovery.shared = p.Objects()
	return c
}

// upTo returns degrees with those above k replaced by toy.Unreachable.
func upTo(k int, degrees []int) []int {
	degrees = slices.Clone(degrees)
	for i, d := range degrees {
		if d > k {
			degrees[i] = toy.Unreachable
		}
	}
	return degrees
}

// TestAgainstEnumeration compares, on generated programs, what is covered at each degree with what
// an enumeration of all inputs and interleavings finds.
func TestAgainstEnumeration(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	const k = 3
	checked, atDegree := 0, make([]int, k+1)
	seeds := []uint64{
		5301, // a select waits for a partner only once another goroutine has emptied a channel
		9427, // a receive takes what its own goroutine sent only once another took the element before
	}
	for seed := range uint64(n) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		p := toy.Generate(seed)
		want, ok := toy.Enumerate(p, 30000)
		if !ok {
			continue
		}
		checked++
		want = upTo(k, want)
		c := newToy(p, Default(k))
		got := search(t, p, c, 3000)
		if !got.ended || !slices.Equal(got.degrees, want) {
			t.Errorf("seed %d: covered at degrees %v, want %v; open: %v\n%s", seed, got.degrees, want, c.Status().Open, p)
		}
		if open := c.Status().Open; len(open) > 0 {
			t.Errorf("seed %d: open: %v\n%s", seed, open, p)
		}
		for _, d := range want {
			if d >= 0 {
				atDegree[d]++
			}
		}
	}
	if checked < n*9/10 || slices.Contains(atDegree, 0) {
		t.Errorf("%d programs, branches by degree %v: too few to mean anything", checked, atDegree)
	}
	t.Logf("%d programs, branches by degree %v", checked, atDegree)
}

// TestOptimizations checks that the optimisations of section 7.5 of the paper save work and do not
// change what is covered, and that candidates beyond the bound on the degree are not tried.
func TestOptimizations(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	const k = 1
	off := []struct {
		name string
		set  func(*Options)
	}{
		{"unsat core", func(o *Options) { o.UnsatCore = false }},
		{"duplicates", func(o *Options) { o.Duplicates = false }},
		{"priority", func(o *Options) { o.Priority = false }},
	}
	with, without, endless := 0, make([]int, len(off)), 0
	for seed := range uint64(n) {
		p := toy.Generate(seed)
		want, ok := toy.Enumerate(p, 10000)
		if !ok {
			continue
		}
		want = upTo(k, want)
		c := newToy(p, Default(k))
		search(t, p, c, 3000)
		all := c.Status().Candidates
		for i, x := range off {
			o := Default(k)
			x.set(&o)
			c := newToy(p, o)
			got := search(t, p, c, 3000)
			if !got.ended {
				// With duplicates there may be too many extensions.
				endless++
				continue
			}
			if !slices.Equal(got.degrees, want) {
				t.Errorf("seed %d without %s: covered at degrees %v, want %v\n%s", seed, x.name, got.degrees, want, p)
			}
			without[i] += c.Status().Candidates
		}
		with += all
	}
	t.Logf("%d candidates with all; without unsat core, duplicates, priority: %v", with, without)
	if endless > n/50 {
		t.Errorf("%d searches did not end", endless)
	}
	if without[0] <= with {
		t.Errorf("unsat cores save nothing: %d candidates with them, %d without", with, without[0])
	}
}

// TestDiscovery checks that a plain variable that turns out to be shared makes the search begin
// again, with its accesses visible.
func TestDiscovery(t *testing.T) {
	p := toy.AddAll()
	c := New(Default(2))
	r := search(t, p, c, 1000)
	if want := p.Objects(); len(c.discovery.shared) != len(want) {
		t.Errorf("shared: %v, want %v", c.discovery.shared, want)
	}
	if r.failed == 0 {
		t.Error("the failure of addAll was not found")
	}
}

// TestAddAll runs the search on the example of the paper.
func TestAddAll(t *testing.T) {
	p := toy.AddAll()
	c := newToy(p, Default(4))
	r := search(t, p, c, 1000)
	// Branch 0: the vector is too small. Branch 1: it still is, which needs an interference
	// with the count between the two reads of it.
	if want := []int{0, 0, 0, 1}; !slices.Equal(r.degrees, want) {
		t.Errorf("covered at degrees %v, want %v", r.degrees, want)
	}
	st := c.Status()
	if !st.Finished || st.Degree != 4 || len(st.Open) > 0 {
		t.Errorf("status %+v", st)
	}
	t.Logf("%d runs, %d candidates; failure in run %d", r.runs, st.Candidates, r.failed)
}

// TestRelay bounds the number of candidates for the paper's art2 to art5. The paper's tool needs
// 80, 17942, 2.8 and 10.8 million.
func TestRelay(t *testing.T) {
	for n := 2; n <= 5; n++ {
		p := toy.Relay(n)
		c := newToy(p, Default(n))
		r := search(t, p, c, 10000)
		last := 2*(p.Branches()-1) + 1
		if r.degrees[last] != n-1 {
			t.Errorf("%d goroutines: the last branch is covered at degree %d, want %d", n, r.degrees[last], n-1)
		}
		candidates := c.Status().Candidates
		if bound := 10 * n * n; candidates > bound {
			t.Errorf("%d goroutines: %d candidates, want at most %d", n, candidates, bound)
		}
		t.Logf("%d goroutines: %d runs, %d candidates", n, r.runs, candidates)
	}
}

// TestJoin bounds the number of candidates for a wait that needs n goroutines, which have 2ⁿ
// subsets.
func TestJoin(t *testing.T) {
	for _, n := range []int{2, 4, 8, 12} {
		p := toy.Join(n)
		c := newToy(p, Default(1))
		r := search(t, p, c, 1000)
		// Branch 0 is on what another goroutine wrote, branch 1 on the input.
		if want := []int{0, 1, 0, 0}; !r.ended || !slices.Equal(r.degrees, want) {
			t.Errorf("%d goroutines: covered at degrees %v, want %v", n, r.degrees, want)
		}
		candidates := c.Status().Candidates
		if bound := 5 * n * n; candidates > bound {
			t.Errorf("%d goroutines: %d candidates, want at most %d", n, candidates, bound)
		}
		t.Logf("%d goroutines: %d runs, %d candidates", n, r.runs, candidates)
	}
}

// TestPrint compares the forest, and the scenario and the constraints of each run,
// with golden files.
func TestPrint(t *testing.T) {
	p := toy.Exchange()
	c := newToy(p, Default(2))
	m := toy.NewMachine(p)
	out := &forest.Printer{Name: toy.Name}
	for {
		job, err := c.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			break
		}
		if s := c.candidate; s != nil {
			out.Forest = c.forest
			c.checker.Print(out)
			c.verdict.Order.Print(out)
			fmt.Fprintf(out, "input %v\n\n", job.Plan.Input)
		}
		if err := c.Learn(context.Background(), job, m.Run(job.Plan, job.Scheduler), m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	out.Tree(forest.Root)
	golden(t, "exchange", []byte(p.String()+"\n"+out.String()))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update rewrites it); got:\n%s", file, got)
	}
}

// TestInterrupt checks that a search that is interrupted again and again in Next covers the same in
// the end, and that one interrupted in Learn is not finished.
func TestInterrupt(t *testing.T) {
	p := toy.Relay(4)
	want := search(t, p, newToy(p, Default(4)), 10000)
	c := newToy(p, Default(4))
	m := toy.NewMachine(p)
	degrees := make([]int, len(want.degrees))
	for i := range degrees {
		degrees[i] = toy.Unreachable
	}
	for calls := 0; ; calls++ {
		// Every other call is interrupted at one of the first uses of the context.
		ctx := context.Context(t.Context())
		if calls%2 == 0 {
			ctx = newFading(calls / 2 % 7)
		}
		job, err := c.Next(ctx)
		if err != nil {
			if st := c.Status(); st.Finished {
				t.Fatalf("finished though interrupted: %+v", st)
			}
			continue
		}
		if job == nil {
			break
		}
		s := c.candidate
		trace := m.Run(job.Plan, job.Scheduler)
		for i := range degrees {
			if s != nil && bitset.Set(trace.Covered).Has(i) && degrees[i] == toy.Unreachable {
				degrees[i] = s.Degree
			}
		}
		if err := c.Learn(t.Context(), job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(degrees, want.degrees) {
		t.Errorf("covered at degrees %v, want %v", degrees, want.degrees)
	}

	c = newToy(p, Default(4))
	c.discovered = discoveries
	job, err := c.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Learn(newFading(0), job, m.Run(job.Plan, job.Scheduler), m.Arena); err == nil {
		t.Error("Learn gives no error though it was interrupted")
	}
	if st := c.Status(); st.Finished || st.Degree >= 0 {
		t.Errorf("interrupted in Learn, and the status is %+v", st)
	}
}

// A fading context ends when it has been used a number of times.
type fading struct {
	context.Context
	uses int
	end  chan struct{}
}

func newFading(uses int) *fading {
	return &fading{Context: context.Background(), uses: uses, end: make(chan struct{})}
}

func (f *fading) use() {
	if f.uses--; f.uses == -1 {
		close(f.end)
	}
}

func (f *fading) Done() <-chan struct{} {
	f.use()
	return f.end
}

func (f *fading) Err() error {
	f.use()
	select {
	case <-f.end:
		return context.Canceled
	default:
		return nil
	}
}
