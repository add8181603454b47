package random

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// TestPCTBound checks that bugs of depth 1 to 3 are found at least as often as Bound says.
func TestPCTBound(t *testing.T) {
	at := func(g, i int) operation { return operation{g, i} }
	four := "- - - -"
	for _, c := range []struct {
		name    string
		program toy
		depth   int
		// The bug: each pair in this order.
		pairs [][2]operation
	}{
		{"1 first", newToy(four, four), 1, [][2]operation{{at(1, 0), at(0, 0)}}},
		{"2 first of all", newToy(four, four, four), 1, [][2]operation{{at(2, 3), at(0, 0)}, {at(2, 3), at(1, 0)}}},
		{"between two steps", newToy(four, four), 2, [][2]operation{{at(0, 1), at(1, 2)}, {at(1, 2), at(0, 2)}}},
		{"between two steps of three", newToy(four, four, four), 2, [][2]operation{{at(2, 1), at(1, 2)}, {at(1, 2), at(2, 2)}}},
		{"there and back", newToy(four, four), 3, [][2]operation{{at(0, 0), at(1, 0)}, {at(1, 1), at(0, 2)}, {at(0, 2), at(1, 3)}}},
		{"between critical sections", newToy("l - u l - u", "l - u"), 2, [][2]operation{{at(0, 2), at(1, 0)}, {at(1, 2), at(0, 3)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			steps := countSteps(c.program)
			runs := sample.Size(20_000, 20_000, 4_000)
			found := 0
			for range runs {
				order := c.program.play(PCT(r, c.depth, steps))
				bug := true
				for _, p := range c.pairs {
					bug = bug && before(order, p[0], p[1])
				}
				if bug {
					found++
				}
			}
			got, want := float64(found)/float64(runs), Bound(len(c.program), steps, c.depth)
			t.Logf("found in %.4f of the runs of %d steps, at least %.4f is promised", got, steps, want)
			if got < want-3*math.Sqrt(want/float64(runs)) { // three standard deviations
				t.Errorf("found in %.4f of the runs, %.4f is promised", got, want)
			}
		})
	}
	if b := Bound(3, 10, 3); math.Abs(b-1.0/300) > 1e-12 {
		t.Errorf("Bound(3, 10, 3) = %v, want 1/300", b)
	}
}

// countSteps returns the number of steps of a toy as PCT counts them.
func countSteps(p toy) int {
	most := 0
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		w := &observer{Scheduler: run.RandomWalk(r)}
		p.play(w)
		most = max(most, w.steps)
	}
	return most
}

// TestPCTYields checks that after a goroutine has yielded, the others come first.
func TestPCTYields(t *testing.T) {
	p := newToy("y -", "- - -")
	for seed := range uint64(50) {
		order := p.play(PCT(rand.New(rand.NewPCG(seed, 0)), 1, 5))
		if before(order, operation{0, 0}, operation{1, 0}) && !before(order, operation{1, 2}, operation{0, 1}) {
			t.Errorf("seed %d: %v: the goroutine that yielded goes on before the other ends", seed, order)
		}
	}
}

// TestPCTPatience checks that no goroutine starves in a run that is much longer than expected.
func TestPCTPatience(t *testing.T) {
	for seed := range uint64(50) {
		sched := PCT(rand.New(rand.NewPCG(seed, 0)), 2, 10)
		spins := newToy("-", "-") // each goroutine stays at its operation for ever
		enabled := []run.Transition{spins.transition(0, 0, false), spins.transition(1, 0, false)}
		trace := &run.Trace{Pending: enabled}
		var took [2]int
		for range 2 * patience(10) {
			o := &enabled[sched.Choose(&run.SchedulingPoint{Enabled: enabled, Pending: enabled, Trace: trace})]
			sched.(run.Watcher).Stepping(o, trace)
			took[o.Goroutine]++
		}
		if min(took[0], took[1]) < patience(10)/4 {
			t.Errorf("seed %d: the goroutines took %v steps", seed, took)
		}
	}
}

// TestRendezvous checks that a rendezvous has the lower priority of its goroutines.
func TestRendezvous(t *testing.T) {
	priority := func(g int32) float64 { return []float64{0.9, 0.2, 0.5, 0.4}[g] }
	transition := func(g, partner int32) run.Transition {
		t := newToy("-", "-", "-", "-").transition(int(g), 0, false)
		if partner >= 0 {
			t.Partner = partner
			t.Op = schedule.Send
		}
		return t
	}
	for _, c := range []struct {
		name    string
		enabled []run.Transition
		want    int
	}{
		{"the sender is first", []run.Transition{transition(0, 1), transition(2, -1)}, 1},
		{"the receiver is first", []run.Transition{transition(1, 0), transition(2, -1)}, 1},
		{"both are before the third", []run.Transition{transition(2, 0), transition(3, -1)}, 0},
		{"two receivers wait", []run.Transition{transition(1, 2), transition(1, 0), transition(1, 3)}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 20 {
				if got := highest(c.enabled, priority, r); got != c.want {
					t.Fatalf("transition %d, want %d", got, c.want)
				}
			}
		})
	}
}

// TestRarest checks that POS draws the rarest class of runs far more often than a random walk.
func TestRarest(t *testing.T) {
	for _, c := range []struct {
		program toy
		classes int
		gain    float64
	}{
		{newToy("- - - - - - - - wx", "wx"), 2, 20},
		{newToy("- - - wx - - - wy", "wy", "wx"), 4, 2},
		{newToy("- - - rx", "- rx", "wx"), 4, 3},
	} {
		walk := rarest(t, c.program, c.classes, run.RandomWalk)
		pos := rarest(t, c.program, c.classes, POS)
		t.Logf("%q: the rarest of %d classes: walk %.4f, POS %.4f", c.program, c.classes, walk, pos)
		if pos < c.gain*walk {
			t.Errorf("%q: POS draws the rarest class with probability %.4f, a walk with %.4f, want %v times more", c.program, pos, walk, c.gain)
		}
	}
}

// rarest returns the share of the runs that are in the rarest class.
func rarest(t *testing.T, p toy, classes int, sampling func(*rand.Rand) run.Scheduler) float64 {
	t.Helper()
	runs := sample.Size(20_000, 20_000, 4_000)
	r := rand.New(rand.NewPCG(5, 6))
	count := map[string]int{}
	for range runs {
		count[p.class(p.play(sampling(r)))]++
	}
	if len(count) > classes {
		t.Errorf("%q: %d classes, want %d", p, len(count), classes)
	}
	if len(count) < classes {
		return 0
	}
	least := runs
	for _, n := range count {
		least = min(least, n)
	}
	return float64(least) / float64(runs)
}

// TestSURWUniform checks by Pearson's chi-square test that every order of the selected operations
// is equally likely, and that this does not hold for a random walk.
func TestSURWUniform(t *testing.T) {
	onX := func(l location) bool { return l.object.Count == 'x' }
	all := func(location) bool { return true }
	for _, c := range []struct {
		program  toy
		selected func(location) bool
		orders   int
		limit    float64 // of chi-square: exceeded by chance once in a thousand times
	}{
		{newToy("wx wx", "wx wx"), all, 6, 20.5},
		{newToy("wx wx wx wx", "wx"), all, 5, 18.5},
		{newToy("wx", "wx", "wx wx"), all, 12, 31.3},
		{newToy("- - - - - - - - wx", "wx"), onX, 2, 10.8},
		{newToy("- - - - wx - - wx", "wx - -", "wx"), onX, 12, 31.3},
		{newToy("s1 wx - -", "- - - - wx"), onX, 2, 10.8},
		{newToy("s1 wx wx", "wx wx"), onX, 6, 20.5},
		{newToy("wx s1 - - wx", "- s2 - wx", "wx"), onX, 6, 20.5},
	} {
		runs := sample.Size(6_000, 6_000, 2_000)
		r := rand.New(rand.NewPCG(7, 8))
		earlier := &observer{Scheduler: run.RandomWalk(r), profile: newProfile()}
		c.program.play(earlier)
		surw := c.program.chiSquare(runs, c.orders, c.selected, func() run.Scheduler { return newSURW(r, earlier.profile, c.selected) })
		walk := c.program.chiSquare(runs, c.orders, c.selected, func() run.Scheduler { return run.RandomWalk(r) })
		t.Logf("%q: chi-square %.1f, of a walk %.1f", c.program, surw, walk)
		if surw > c.limit {
			t.Errorf("%q: chi-square %.1f of %d orders, want at most %.1f", c.program, surw, c.orders, c.limit)
		}
		if walk < 5*c.limit {
			t.Errorf("%q: a walk is nearly uniform (%.1f): the program tells nothing", c.program, walk)
		}
	}
}

// chiSquare returns Pearson's chi-square of the orders of selected operations in some runs, for
// the uniform distribution.
func (t toy) chiSquare(runs, orders int, selected func(location) bool, scheduler func() run.Scheduler) float64 {
	seen := map[string]float64{}
	for range runs {
		var order []byte
		for _, p := range t.play(scheduler()) {
			if o := t.transition(p.goroutine, p.index, false); selected(locationOf(&o)) {
				order = append(order, byte('0'+p.goroutine))
			}
		}
		seen[string(order)]++
	}
	want := float64(runs) / float64(orders)
	sum := want * float64(orders-len(seen))
	for _, n := range seen {
		sum += (n - want) * (n - want) / want
	}
	return sum
}

// TestSURWBlocked checks that every run finishes although the intended goroutine may wait for
// another.
func TestSURWBlocked(t *testing.T) {
	p := newToy("l wx u wx", "l wx u", "wx l u")
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		earlier := &observer{Scheduler: run.RandomWalk(r), profile: newProfile()}
		p.play(earlier)
		if order := p.play(SURW(r, earlier.profile)); len(order) != 10 {
			t.Errorf("seed %d: %v: %d steps, want 10", seed, order, len(order))
		}
	}
}

// TestSURWLinear checks that a choice among many goroutines that are at one location takes at most a draw for
// each, and a second one to find the intended goroutine.
func TestSURWLinear(t *testing.T) {
	const n = 2_000
	enabled := make([]run.Transition, n)
	for g := range enabled {
		enabled[g] = newToy("wx").transition(0, 0, false)
		enabled[g].Goroutine = int32(g)
	}
	source := &countingSource{Source: rand.NewPCG(1, 2)}
	s := newSURW(rand.New(source), newProfile(), func(location) bool { return true })
	intended := 0
	for range 20 {
		before := source.drawn
		i := s.Choose(&run.SchedulingPoint{Enabled: enabled, Pending: enabled})
		if drawn := source.drawn - before; drawn > 2*n+n/10 { // some are drawn again, to be uniform
			t.Errorf("%d numbers are drawn for %d goroutines", drawn, n)
		}
		if i > 0 {
			intended++
		}
		s.Stepping(&enabled[i], &run.Trace{Pending: enabled})
	}
	if intended < 15 {
		t.Errorf("the first goroutine was chosen %d times of 20", 20-intended)
	}
}

// A countingSource counts the numbers that are drawn from it.
type countingSource struct {
	rand.Source
	drawn int
}

// Uint64 implements rand.Source.
func (s *countingSource) Uint64() uint64 {
	s.drawn++
	return s.Source.Uint64()
}

// TestSURWSelect checks that a goroutine is intended although only the second case of its select
// is on a selected location, and nothing was expected of it.
func TestSURWSelect(t *testing.T) {
	p := newToy("wy", "wx", "wx")
	enabled := []run.Transition{p.transition(0, 0, false), p.transition(1, 0, false), p.transition(2, 0, false)}
	enabled[1].Goroutine = 0 // another case of goroutine 0
	onX := func(l location) bool { return l.object.Count == 'x' }
	took := map[int]int{}
	for seed := range uint64(300) {
		s := newSURW(rand.New(rand.NewPCG(seed, 0)), newProfile(), onX)
		took[s.Choose(&run.SchedulingPoint{Enabled: enabled, Pending: enabled})]++
	}
	for i := range enabled {
		if took[i] < 30 {
			t.Errorf("transition %d is taken %d times of 300", i, took[i])
		}
	}
}

// TestProfile checks the profile of a run.
func TestProfile(t *testing.T) {
	p := newToy("wx s1 s2 rx", "rx ry wz", "ry - wx")
	w := &observer{Scheduler: run.RandomWalk(rand.New(rand.NewPCG(1, 2))), profile: newProfile()}
	p.play(w)
	var shared []int32
	for _, l := range w.profile.shared() {
		shared = append(shared, l.object.Count)
	}
	if want := []int32{'x'}; !slices.Equal(shared, want) {
		t.Errorf("shared: %q, want %q", shared, want)
	}
	onX := w.profile.count(func(l location) bool { return l.object.Count == 'x' })
	if want := map[int32]int{0: 4, 1: 1, 2: 1}; !maps.Equal(onX, want) {
		t.Errorf("operations on x: %v, want %v", onX, want)
	}
}
