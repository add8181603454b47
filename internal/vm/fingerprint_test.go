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
	"github.com/everyway-go/everyway/schedule"
)

// A statePoint is a scheduling point of a run: its fingerprint, and what could happen there.
type statePoint struct {
	print     run.Fingerprint
	has       bool    // a fingerprint
	printed   int     // bytes
	decisions int     // taken before
	setters   []int32 // TimerSetters
	step      *pointOfStep
}

// A pointOfStep is what could happen at a scheduling point at which a step is chosen.
type pointOfStep struct {
	naming           run.Naming
	pending, enabled []run.Transition
	chosen           int
}

// A stateRecorder is a scheduler that chooses at random and records the points to which a run
// comes after the plan's prefix.
type stateRecorder struct {
	r      *runner
	rand   *rand.Rand
	points []statePoint
}

func (s *stateRecorder) Choose(p *run.SchedulingPoint) int {
	s.note(p)
	if p.Kind == run.Value {
		return s.rand.IntN(p.N)
	}
	step := s.points[len(s.points)-1].step
	step.chosen = s.rand.IntN(len(p.Enabled))
	return step.chosen
}

// note records a scheduling point.
func (s *stateRecorder) note(p *run.SchedulingPoint) {
	at := statePoint{printed: s.r.out.Len(), decisions: len(p.Trace.Decisions), setters: s.r.TimerSetters()}
	if p.Kind == run.Step {
		var naming *run.Naming
		if at.print, naming, at.has = p.Fingerprint(); naming == nil {
			naming = &run.Naming{}
		}
		at.step = &pointOfStep{
			naming:  run.Naming{Goroutines: slices.Clone(naming.Goroutines), Objects: slices.Clone(naming.Objects)},
			pending: slices.Clone(p.Pending), enabled: slices.Clone(p.Enabled),
		}
	}
	s.points = append(s.points, at)
}

// options describes the transitions at a scheduling point, in any order, with other names.
func (p *statePoint) options(as *renaming) string {
	if p.step == nil {
		return ""
	}
	var list []string
	for _, t := range slices.Concat(p.step.pending, p.step.enabled) {
		list = append(list, fmt.Sprintf("%+v", as.transition(t)))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// A renaming gives the goroutines and objects of a run the names that they have in another one, which
// has come to the same state up to names.
type renaming struct {
	names    *run.Names
	from, to *run.Naming
}

func (r *renaming) goroutine(id int32) int32 {
	if id < 0 {
		return id
	}
	for i, g := range r.from.Goroutines {
		if g.Number == id {
			return r.to.Goroutines[i].Number
		}
	}
	parent := r.names.Parent(id)
	if parent < 0 {
		return id
	}
	nth := r.names.Place(id)
	for i, g := range r.from.Goroutines {
		if g.Number == parent {
			if nth <= g.Spawns {
				return id // it has ended, or a timer will start it
			}
			return r.names.Child(r.to.Goroutines[i].Number, nth-g.Spawns+r.to.Goroutines[i].Spawns)
		}
	}
	return r.names.Child(r.goroutine(parent), nth)
}

// renames reports whether a goroutine in the list has another name in the other run.
func (r *renaming) renames(list []int32) bool {
	return slices.ContainsFunc(list, func(id int32) bool { return r.goroutine(id) != id })
}

func (r *renaming) object(id run.ObjectID) run.ObjectID {
	if i := slices.Index(r.from.Objects, id); i >= 0 {
		return r.to.Objects[i]
	}
	if id.Goroutine < 0 {
		return id
	}
	for i, g := range r.from.Goroutines {
		if g.Number == id.Goroutine {
			if id.Count <= g.Allocs {
				return id
			}
			return run.ObjectID{Goroutine: r.to.Goroutines[i].Number, Count: id.Count - g.Allocs + r.to.Goroutines[i].Allocs}
		}
	}
	return run.ObjectID{Goroutine: r.goroutine(id.Goroutine), Count: id.Count}
}

func (r *renaming) transition(t run.Transition) run.Transition {
	if t.Goroutine < 0 && t.Op == schedule.TimerFire {
		n := t.Timer()
		for i, g := range r.from.Goroutines {
			if int64(g.Number) == t.Delta && n >= g.Timers {
				n += r.to.Goroutines[i].Timers - g.Timers
			}
		}
		t.Delta, t.Alt = int64(r.goroutine(int32(t.Delta))), n
	} else if _, _, ok := run.AltPartner(t.Alt); ok {
		t.Alt &= 1<<16 - 1 // without the slot
	}
	t.Goroutine, t.Partner = r.goroutine(t.Goroutine), r.goroutine(t.Partner)
	if t.Compares {
		t.State, t.Delta = 0, 0 // may be addresses
	}
	t.Object, t.From.Object, t.Bubble, t.Queue = r.object(t.Object), r.object(t.From.Object), r.object(t.Bubble), r.object(t.Queue)
	t.Awaits = slices.Clone(t.Awaits)
	for i := range t.Awaits {
		t.Awaits[i].Object = r.object(t.Awaits[i].Object)
	}
	if t.Op == schedule.AtomicRead || t.Op == schedule.AtomicWrite || t.Op == schedule.AtomicUpdate {
		t.State = 0
	}
	return t
}

// A stateRun is a run with its points.
type stateRun struct {
	points    []statePoint
	decisions []run.Decision
	out       string
	printed   string
}

func (r *runner) stateRun(t *testing.T, plan run.Plan, seed uint64) (x stateRun, matters bool) {
	t.Helper()
	s := &stateRecorder{r: r, rand: rand.New(rand.NewPCG(seed, 0))}
	trace, _ := r.run(t, &plan, s)
	return r.describeRun(trace, s.points, 0), trace.NamesMatter
}

// stateDirs are the directories of programs on which fingerprints are tried.
var stateDirs = []string{"channels", "locks", "time", "bubbles", "spins", "small", "mixed", "stalls", "states", "names", "protection", "symmetry", "inputs", "timeouts", "readings"}

// Runs that come to equal fingerprints continue in the same way if the same decisions are taken:
// to points with the same transitions and with equal fingerprints again, and to the same end. The fingerprints may
// differ where one of the goroutines that have other names has set a timer since: it keeps its name as long as the
// timer can fire, or what it has sent can be received.
func TestEqualStatesContinueAlike(t *testing.T) {
	for _, dir := range stateDirs {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.someStates() {
				if name == "mapEntries" {
					continue // a decision names an entry of a map by when it was made, which states do not tell
				}
				t.Run(name, func(t *testing.T) {
					r := p.stateRunner(t, name)
					r.continueAlike(t, run.Plan{})
					r.continueAlike(t, run.Plan{Rename: true})
					if dir == "readings" { // these programs have no races
						r.continueAlike(t, run.Plan{ForgetKnowledge: true, ForgetUses: true})
					}
					r.Stall = 0 // no timer is early
					r.continueAlike(t, run.Plan{})
					r.continueAlike(t, run.Plan{Rename: true})
				})
			}
		})
	}
}

func (r *runner) continueAlike(t *testing.T, plan run.Plan) {
	t.Helper()
	type place struct{ run, point int }
	seen := map[run.Fingerprint]place{}
	var runs []stateRun
	points, with, pairs := 0, 0, 0
	number, most := 100, 150
	if plan.ForgetKnowledge {
		number, most = 600, 2000 // more states are equal
	}
	for n := range number {
		one, matters := r.stateRun(t, plan, uint64(n))
		if plan.Rename && matters {
			return
		}
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
			if pairs++; pairs > most {
				return
			}
			// The points are only recorded after the prefix.
			from := was.points[first.point:]
			as := &renaming{r.Names, &from[0].step.naming, &at.step.naming}
			s := &stateFollower{stateRecorder: stateRecorder{r: r}, points: from, as: as, values: was.decisions}
			again := plan
			again.Prefix = one.decisions[:at.decisions]
			trace, _ := r.run(t, &again, s)
			got := r.describeRun(trace, s.stateRecorder.points, at.printed)
			want := *was
			want.points = from
			want.printed = want.printed[from[0].printed:]
			if d := got.differs(&want, as); d != "" {
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
	for _, target := range sample.Each(targets, len(targets), 10) {
		t.Run(target.Name, func(t *testing.T) {
			r := targetRunner(t, prog, r, &target)
			r.continueAlike(t, run.Plan{})
			r.continueAlike(t, run.Plan{Rename: true})
		})
	}
}

// A stateFollower is a stateRecorder that takes the steps of another run from a state on that is the same
// up to names.
type stateFollower struct {
	stateRecorder
	points []statePoint   // of the other run
	values []run.Decision // of the other run
	as     *renaming
	at     int
}

func (s *stateFollower) Choose(p *run.SchedulingPoint) int {
	s.note(p)
	if s.at >= len(s.points) {
		return -1
	}
	was := &s.points[s.at]
	s.at++
	if p.Kind == run.Value || was.step == nil {
		return int(s.values[was.decisions].Alt)
	}
	want := fmt.Sprintf("%+v", s.as.transition(was.step.enabled[was.step.chosen]))
	none := &renaming{s.as.names, &run.Naming{}, &run.Naming{}}
	return slices.IndexFunc(p.Enabled, func(t run.Transition) bool { return fmt.Sprintf("%+v", none.transition(t)) == want })
}

func (r *runner) describeRun(trace *run.Trace, points []statePoint, printed int) stateRun {
	var races []string
	for _, p := range trace.Unordered {
		a, b := fmt.Sprint(p.Earlier.Innermost(), p.Earlier.Write), fmt.Sprint(p.Later.Innermost(), p.Later.Write)
		races = append(races, min(a, b)+" "+max(a, b))
	}
	slices.Sort(races)
	out := withoutPlace(trace, outcome("", trace)) + fmt.Sprint(slices.Compact(races))
	return stateRun{points, slices.Clone(trace.Decisions), out, r.out.String()[printed:]}
}

// differs says how two runs differ from points on that should be alike, "" if they do not. Those of y
// get other names.
func (x *stateRun) differs(y *stateRun, as *renaming) string {
	none := &renaming{as.names, &run.Naming{}, &run.Naming{}}
	for i := range x.points {
		if i >= len(y.points) {
			return fmt.Sprintf("%d points, %d points", len(x.points), len(y.points))
		}
		a, b := &x.points[i], &y.points[i]
		if one, other := a.options(none), b.options(as); one != other {
			return fmt.Sprintf("%d points later,\n%s\nand\n%s", i, one, other)
		}
		if a.has != b.has || a.print != b.print && !as.renames(b.setters) {
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
	if !slices.Contains([]string{"states", "names", "protection", "maps", "timeouts", "readings"}, p.pkg.Pkg.Name()) {
		return p.some()
	}
	programs := slices.DeleteFunc(slices.Sorted(maps.Keys(p.docs)), func(name string) bool {
		if fn := p.pkg.Func(name); fn != nil && fn.Signature.Params().Len() > 0 {
			return true
		}
		return slices.Contains([]string{"reset", "set", "choice", "race", "inAnyOrder", "keep", "runtimeStack", "line", "write", "exposed", "count", "note", "show", "small", "put", "putAny", "putPlace", "remove", "againAfter", "locked", "newOrder", "next", "oneOfThree", "goesRoundFirst", "goesRoundSecond"}, name)
	})
	return sample.Each(programs, (len(programs)+1)/2, 16)
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

// The number of states in all interleavings, and of those up to names, is what the comments say.
func TestStates(t *testing.T) {
	for _, dir := range []string{"states", "names", "maps"} {
		p := loadFuncs(t, "concurrent/"+dir)
		for _, name := range p.someStates() {
			for _, note := range p.notes(name, "states:") {
				plans := []run.Plan{{}, {Rename: true}}
				for i, want := range strings.Fields(note) {
					seen := map[[3]uint64]bool{}
					runs, _ := p.runner(t, name).exploreStates(t, plans[i], 3000, seen, map[string]bool{})
					if got := fmt.Sprint(len(seen)); got != want {
						t.Errorf("%s has %s states in %d runs, want %s", name, got, runs, want)
					}
				}
			}
		}
	}
}

// A program that sees names says so.
func TestNamesMatter(t *testing.T) {
	loadFuncs(t, "concurrent/names").eachNoted(t, "names:", 3, func(t *testing.T, r *runner, name string, _ []string) {
		if trace, _ := r.run(t, &run.Plan{Rename: true}, run.NonPreemptive{}); !trace.NamesMatter {
			t.Errorf("%s sees names, and the trace does not say so", name)
		}
	})
}

// A program that sees places says so.
func TestPlacesMatter(t *testing.T) {
	loadFuncs(t, "concurrent/names").eachNoted(t, "places:", 1, func(t *testing.T, r *runner, name string, _ []string) {
		if trace, _ := r.run(t, &run.Plan{MergePlaces: true}, run.NonPreemptive{}); !trace.PlacesMatter || trace.NamesMatter {
			t.Errorf("%s sees places and not names, and the trace does not say so", name)
		}
	})
}

// A search that does not continue the runs that come to states it has seen before finds what one
// finds that makes all runs.
func TestStatesSeen(t *testing.T) {
	for _, dir := range append(slices.Clip(stateDirs), "maps") {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.someStates() {
				t.Run(name, func(t *testing.T) {
					for _, plan := range []run.Plan{{}, {Rename: true}, {Rename: true, ForgetUses: true, AddsCommute: true, ForgetAccesses: true}, {ForgetAccesses: true}} {
						p.seeStates(t, name, plan)
					}
				})
			}
		})
	}
}

func (p *funcs) seeStates(t *testing.T, name string, plan run.Plan) {
	r := p.stateRunner(t, name)
	full := map[string]bool{}
	const most = 3000
	ordered := plan
	ordered.AddsCommute = false // a run with it reports no race if there were additions before; the search begins again then, as below
	all, _ := r.exploreStates(t, ordered, most, nil, full)
	few, seen := map[string]bool{}, map[[3]uint64]bool{}
	runs, matters := r.exploreStates(t, plan, most, seen, few)
	for matters.refine(&plan) { // a search begins again, too
		clear(few)
		clear(seen)
		runs, matters = r.exploreStates(t, plan, most, seen, few)
	}
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

// A stateExplorer is an enumeration that ends a run at a state that has been seen.
type stateExplorer struct {
	run.Enumeration
	r    *runner
	seen map[[3]uint64]bool // by fingerprint and what has been printed; nil if no state counts as seen
}

func (e *stateExplorer) Choose(p *run.SchedulingPoint) int {
	if p.Fingerprint != nil && e.seen != nil {
		if f, _, ok := p.Fingerprint(); ok {
			h := fnv.New64a()
			h.Write(e.r.out.Bytes())
			key := [3]uint64{f[0], f[1], h.Sum64()}
			if e.seen[key] {
				return -1
			}
			e.seen[key] = true
		}
	}
	return e.Enumeration.Choose(p)
}

// exploreStates runs the function in every interleaving, up to max runs, and notes the outcomes.
// It returns the number of runs, and what the plan leaves out of fingerprints although it matters.
func (r *runner) exploreStates(t *testing.T, plan run.Plan, max int, seen map[[3]uint64]bool, outcomes map[string]bool) (runs int, matters leftOut) {
	t.Helper()
	e, more := &stateExplorer{r: r, seen: seen}, true
	for n := range max {
		trace, out := r.run(t, &plan, e)
		if trace.Outcome != run.Stopped {
			outcomes[withoutPlace(trace, out)] = true
		}
		matters.note(trace)
		if plan.Prefix, more = e.Next(); !more {
			return n + 1, matters
		}
	}
	return max, matters
}

// A leftOut is what plans may leave out of fingerprints, as far as it has turned out to matter.
type leftOut struct {
	names, uses, adds, locks bool
	unprotected              []run.Allocation
}

func (m *leftOut) note(t *run.Trace) {
	m.names, m.uses, m.adds, m.locks = m.names || t.NamesMatter, m.uses || t.UsesMatter, m.adds || t.AddsMatter, m.locks || t.LocksMatter
	m.unprotected = append(m.unprotected, t.Unprotected...)
}

// refine makes plan leave out less. It returns false if that leaves out nothing that matters.
func (m *leftOut) refine(plan *run.Plan) bool {
	changed := len(m.unprotected) > 0 && plan.ForgetAccesses ||
		m.names && plan.Rename || m.uses && plan.ForgetUses || m.adds && plan.AddsCommute || m.locks && plan.ForgetAccesses
	plan.Rename = plan.Rename && !m.names
	plan.ForgetUses = plan.ForgetUses && !m.uses
	plan.AddsCommute = plan.AddsCommute && !m.adds
	plan.ForgetAccesses = plan.ForgetAccesses && !m.locks
	unprotected := map[run.Allocation]bool{}
	maps.Copy(unprotected, plan.Unprotected)
	for _, a := range m.unprotected {
		unprotected[a] = true
	}
	plan.Unprotected = unprotected
	return changed
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
