package vm_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// A statePoint is a scheduling point of a run: its fingerprint, and what could happen there.
type statePoint struct {
	print     run.Fingerprint
	has       bool // a fingerprint
	printed   int  // bytes
	decisions int  // taken before
	options   string
}

// A stateRecorder is a scheduler that chooses at random and records the points to which a run
// comes after the plan's prefix.
type stateRecorder struct {
	r      *runner
	rand   *rand.Rand
	points []statePoint
}

func (s *stateRecorder) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		s.points = append(s.points, statePoint{decisions: len(p.Trace.Decisions), options: fmt.Sprint(p.Goroutine, p.N)})
		return s.rand.IntN(p.N)
	}
	at := statePoint{printed: s.r.out.Len(), decisions: len(p.Trace.Decisions), options: options(p)}
	at.print, at.has = p.Fingerprint()
	s.points = append(s.points, at)
	return s.rand.IntN(len(p.Enabled))
}

// options describes the transitions at a scheduling point, in any order.
func options(p *run.SchedulingPoint) string {
	var list []string
	for i := range p.Pending {
		t := p.Pending[i]
		list = append(list, fmt.Sprintf("%+v", t))
	}
	for i := range p.Enabled {
		list = append(list, fmt.Sprintf("%+v", p.Enabled[i]))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// A stateRun is a run with its points.
type stateRun struct {
	points    []statePoint
	decisions []run.Decision
	out       string
	printed   string
}

func (r *runner) stateRun(t *testing.T, prefix []run.Decision, seed uint64) stateRun {
	t.Helper()
	s := &stateRecorder{r: r, rand: rand.New(rand.NewPCG(seed, 0))}
	trace, _ := r.run(t, &run.Plan{Prefix: prefix}, s)
	printed := r.out.String()
	var races []string
	for _, p := range trace.Unordered {
		a, b := fmt.Sprint(p.Earlier.Site, p.Earlier.Write), fmt.Sprint(p.Later.Site, p.Later.Write)
		races = append(races, min(a, b)+" "+max(a, b))
	}
	slices.Sort(races)
	out := withoutPlace(trace, outcome("", trace)) + fmt.Sprint(slices.Compact(races))
	return stateRun{s.points, slices.Clone(trace.Decisions), out, printed}
}

// stateDirs are the directories of programs on which fingerprints are tried.
var stateDirs = []string{"channels", "locks", "time", "bubbles", "spins", "small", "mixed", "stalls", "states", "inputs"}

// Runs that come to equal fingerprints continue in the same way if the same decisions are taken:
// to points with the same transitions and with equal fingerprints again, and to the same end.
func TestEqualStatesContinueAlike(t *testing.T) {
	for _, dir := range stateDirs {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.someStates() {
				t.Run(name, func(t *testing.T) {
					r := p.stateRunner(t, name)
					r.continueAlike(t)
					r.Stall = 0 // no timer is early
					r.continueAlike(t)
				})
			}
		})
	}
}

func (r *runner) continueAlike(t *testing.T) {
	t.Helper()
	type place struct{ run, point int }
	seen := map[run.Fingerprint]place{}
	var runs []stateRun
	points, with, pairs := 0, 0, 0
	for n := range 100 {
		one := r.stateRun(t, nil, uint64(n))
		runs = append(runs, one)
		for i := range one.points {
			at := &one.points[i]
			points++
			if !at.has {
				continue
			}
			with++
			first, known := seen[at.print]
			if !known {
				seen[at.print] = place{n, i}
				continue
			}
			was := &runs[first.run]
			k := was.points[first.point].decisions
			if slices.Equal(was.decisions[:k], one.decisions[:at.decisions]) {
				continue
			}
			if pairs++; pairs > 150 {
				return
			}
			tail := append(slices.Clone(one.decisions[:at.decisions]), was.decisions[k:]...)
			// The points are only recorded after the prefix.
			s := &stateFollower{stateRecorder{r: r}, tail, at.decisions}
			trace, _ := r.run(t, &run.Plan{Prefix: tail[:at.decisions]}, s)
			got := r.describeRun(trace, s.points, at.printed)
			want := *was
			want.points = was.points[first.point:]
			want.printed = want.printed[was.points[first.point].printed:]
			if d := got.differs(&want); d != "" {
				t.Fatalf("after %v and after %v, the same decisions %v lead to different runs: %s",
					was.decisions[:k], one.decisions[:at.decisions], was.decisions[k:], d)
			}
		}
	}
	t.Logf("%d points, %d with fingerprints, %d of them distinct, %d pairs", points, with, len(seen), pairs)
}

// So do those of tests that go test would run.
func TestEqualStatesOfTargets(t *testing.T) {
	r, prog := loadOwnTargets(t)
	targets := r.Targets()
	for _, target := range sample.From(targets, len(targets), 10) {
		t.Run(target.Name, func(t *testing.T) { targetRunner(t, prog, r, &target).continueAlike(t) })
	}
}

// A stateFollower is a stateRecorder that takes given decisions.
type stateFollower struct {
	stateRecorder
	decisions []run.Decision
	at        int
}

func (s *stateFollower) Choose(p *run.SchedulingPoint) int {
	s.rand = rand.New(rand.NewPCG(0, 0))
	s.stateRecorder.Choose(p)
	if s.at >= len(s.decisions) {
		return -1
	}
	d := s.decisions[s.at]
	s.at++
	if p.Kind == run.Value {
		return int(d.Alt)
	}
	return slices.IndexFunc(p.Enabled, func(t run.Transition) bool { return t.Decision == d })
}

func (r *runner) describeRun(trace *run.Trace, points []statePoint, printed int) stateRun {
	var races []string
	for _, p := range trace.Unordered {
		a, b := fmt.Sprint(p.Earlier.Site, p.Earlier.Write), fmt.Sprint(p.Later.Site, p.Later.Write)
		races = append(races, min(a, b)+" "+max(a, b))
	}
	slices.Sort(races)
	out := withoutPlace(trace, outcome("", trace)) + fmt.Sprint(slices.Compact(races))
	return stateRun{points, slices.Clone(trace.Decisions), out, r.out.String()[printed:]}
}

// differs says how two runs differ from points on that should be alike, "" if they do not.
func (x *stateRun) differs(y *stateRun) string {
	for i := range x.points {
		if i >= len(y.points) {
			return fmt.Sprintf("%d points, %d points", len(x.points), len(y.points))
		}
		a, b := &x.points[i], &y.points[i]
		if a.options != b.options {
			return fmt.Sprintf("%d points later,\n%s\nand\n%s", i, a.options, b.options)
		}
		if a.print != b.print || a.has != b.has {
			return fmt.Sprintf("%d points later, fingerprints %v and %v", i, a.print, b.print)
		}
	}
	if x.out != y.out || x.printed != y.printed || len(x.points) != len(y.points) {
		return fmt.Sprintf("in the end\n%s%s\nand\n%s%s", x.printed, x.out, y.printed, y.out)
	}
	return ""
}

// someStates returns the functions on which fingerprints are tried.
func (p *funcs) someStates() []string {
	if p.pkg.Pkg.Name() != "states" {
		return p.some()
	}
	programs := slices.DeleteFunc(slices.Sorted(maps.Keys(p.docs)), func(name string) bool {
		return slices.Contains([]string{"reset", "set", "choice", "race", "inAnyOrder", "keep"}, name)
	})
	return sample.From(programs, len(programs), 16)
}

// stateRunner is runner, with inputs if the function has any.
func (p *funcs) stateRunner(t *testing.T, name string) *runner {
	t.Helper()
	r := p.runner(t, name)
	if p.pkg.Pkg.Name() == "inputs" {
		r.AddInputs(p.pkg.Pkg.Path())
	}
	return r
}

// The number of states in all interleavings is what the comments say.
func TestStates(t *testing.T) {
	p := loadFuncs(t, "concurrent/states")
	for _, name := range p.someStates() {
		want := p.notes(name, "states:")
		if want == nil {
			continue
		}
		seen := map[[3]uint64]bool{}
		runs := p.runner(t, name).exploreStates(t, 3000, seen, map[string]bool{})
		if got := fmt.Sprint(len(seen)); got != want[0] {
			t.Errorf("%s has %s states in %d runs, want %s", name, got, runs, want[0])
		}
	}
}

// A search that does not continue the runs that come to states it has seen before finds what one
// finds that makes all runs.
func TestStatesSeen(t *testing.T) {
	for _, dir := range stateDirs {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.someStates() {
				t.Run(name, func(t *testing.T) { p.seeStates(t, name) })
			}
		})
	}
}

func (p *funcs) seeStates(t *testing.T, name string) {
	r := p.stateRunner(t, name)
	full := map[string]bool{}
	const most = 3000
	all := r.exploreStates(t, most, nil, full)
	few, seen := map[string]bool{}, map[[3]uint64]bool{}
	runs := r.exploreStates(t, most, seen, few)
	t.Logf("%d runs, %d runs that do not continue what has been seen, %d states", all, runs, len(seen))
	if all >= most && runs >= most {
		return
	}
	have, want := slices.Sorted(maps.Keys(few)), slices.Sorted(maps.Keys(full))
	if all >= most {
		for _, out := range want {
			if !few[out] {
				t.Errorf("did not find\n\t%s\nfound\n\t%s", out, strings.Join(have, "\n\t"))
			}
		}
		return
	}
	if !slices.Equal(have, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// A stateExplorer is an explorer that ends a run at a state that has been seen.
type stateExplorer struct {
	explorer
	r    *runner
	seen map[[3]uint64]bool // by fingerprint and what has been printed; nil if no state counts as seen
}

func (e *stateExplorer) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Step && e.seen != nil {
		if f, ok := p.Fingerprint(); ok {
			h := fnv.New64a()
			h.Write(e.r.out.Bytes())
			key := [3]uint64{f[0], f[1], h.Sum64()}
			if e.seen[key] {
				return -1
			}
			e.seen[key] = true
		}
	}
	return e.explorer.Choose(p)
}

// exploreStates runs the function in every interleaving, up to max runs, and notes the outcomes.
// It returns the number of runs.
func (r *runner) exploreStates(t *testing.T, max int, seen map[[3]uint64]bool, outcomes map[string]bool) int {
	t.Helper()
	stack := [][]run.Decision{}
	var prefix []run.Decision
	for n := range max {
		e := &stateExplorer{r: r, seen: seen}
		trace, out := r.run(t, &run.Plan{Prefix: prefix}, e)
		if trace.Outcome != run.Stopped {
			outcomes[withoutPlace(trace, out)] = true
		}
		stack = append(stack, e.options...)
		prefix = slices.Clone(trace.Decisions)
		for len(stack) > 0 && len(stack[len(stack)-1]) == 1 {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			return n + 1
		}
		top := &stack[len(stack)-1]
		*top = (*top)[1:]
		prefix = append(prefix[:len(stack)-1], (*top)[0])
	}
	return max
}

// A printing scheduler computes the fingerprint of each state again and again.
type printing struct {
	times  int
	points int
}

func (s *printing) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Step {
		s.points++
		for range s.times {
			p.Fingerprint()
		}
	}
	return run.NonPreemptive{}.Choose(p)
}

// What a fingerprint costs, on average over the scheduling points of a run.
func BenchmarkFingerprint(b *testing.B) {
	p := loadFuncs(b, "concurrent/states")
	for _, name := range []string{"threeLocks", "bufferOrder", "lists", "mapEntries", "timers", "twoReads"} {
		b.Run(name, func(b *testing.B) {
			r := p.runner(b, name)
			s := &printing{times: 1}
			if _, err := r.Run(b.Context(), &run.Plan{}, s); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			points := s.points
			s.times = (b.N + points - 1) / points
			if _, err := r.Run(b.Context(), &run.Plan{}, s); err != nil {
				b.Fatal(err)
			}
		})
	}
}
