package random

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// play lets sched order the steps of goroutines that each take so many, and
// returns who took each.
func play(sched vm.Scheduler, steps ...int) []int {
	left := append([]int(nil), steps...)
	var order []int
	last := int32(-1)
	for {
		p := vm.Point{Last: last, Trace: &vm.Trace{}}
		for g, n := range left {
			if n > 0 {
				p.Options = append(p.Options, vm.Option{Decision: vm.Decision{Goroutine: int32(g)}, Enabled: true})
			}
		}
		if len(p.Options) == 0 {
			return order
		}
		o := &p.Options[0]
		if len(p.Options) > 1 {
			o = &p.Options[sched.Choose(&p)]
		}
		if w, ok := sched.(vm.Watcher); ok {
			w.Stepping(o, p.Trace)
		}
		last = o.Goroutine
		left[last]--
		order = append(order, int(last))
	}
}

// TestPCTBound checks that bugs of depth 1 to 3 are found as often as Bound
// promises.
func TestPCTBound(t *testing.T) {
	// The goroutines take four steps each. position gives the place of step i
	// of goroutine g in the order.
	position := func(order []int, g, i int) int {
		for at, h := range order {
			if h == g {
				if i == 0 {
					return at
				}
				i--
			}
		}
		return -1
	}
	for _, c := range []struct {
		name  string
		depth int
		bug   func(order []int) bool
	}{
		{"goroutine 1 first", 1, func(o []int) bool { return position(o, 1, 0) < position(o, 0, 0) }},
		{"between two steps", 2, func(o []int) bool {
			return position(o, 0, 1) < position(o, 1, 2) && position(o, 1, 2) < position(o, 0, 2)
		}},
		{"there and back", 3, func(o []int) bool {
			return position(o, 0, 0) < position(o, 1, 0) && position(o, 1, 1) < position(o, 0, 2) && position(o, 0, 2) < position(o, 1, 3)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			const runs = 20000
			found := 0
			for range runs {
				if c.bug(play(PCT(r, c.depth, 8), 4, 4)) {
					found++
				}
			}
			got, want := float64(found)/runs, Bound(2, 8, c.depth)
			t.Logf("found in %.4f of the runs, at least %.4f is promised", got, want)
			if got < want-3*math.Sqrt(want/runs) { // three standard deviations
				t.Errorf("found in %.4f of the runs, %.4f is promised", got, want)
			}
		})
	}
	if b := Bound(3, 10, 3); math.Abs(b-1.0/300) > 1e-12 {
		t.Errorf("Bound(3, 10, 3) = %v, want 1/300", b)
	}
}

// TestSameSeed checks that the search follows from its seed.
func TestSameSeed(t *testing.T) {
	record := func(seed uint64) (inputs []vm.Input, orders [][]int) {
		s := New(Options{Seed: seed, Runs: 20, Seeds: []vm.Input{{"a": 5}}})
		for {
			job := next(t, s)
			if job == nil {
				return inputs, orders
			}
			inputs = append(inputs, job.Plan.Input)
			orders = append(orders, play(job.Scheduler, 3, 3, 3))
			trace := &vm.Trace{Inputs: []vm.InputVar{{Name: "a", Width: 8, Value: job.Plan.Input["a"]}, {Name: "b", Width: 64}}}
			if err := s.Learn(context.Background(), job, trace, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	in1, order1 := record(7)
	in2, order2 := record(7)
	if !reflect.DeepEqual(in1, in2) || !reflect.DeepEqual(order1, order2) {
		t.Errorf("two searches from one seed differ")
	}
	if len(in1) != 20 {
		t.Errorf("%d runs, want 20", len(in1))
	}
	if in1[1]["a"] != 5 {
		t.Errorf("the second run has input %v, want the one given", in1[1])
	}
	if _, order3 := record(8); reflect.DeepEqual(order1, order3) {
		t.Errorf("searches from two seeds are equal")
	}
	for _, in := range in1 {
		if in["a"] > math.MaxUint8 {
			t.Errorf("input %v: a has 8 bits", in)
		}
	}
}

func next(t *testing.T, s strategy.Strategy) *strategy.Job {
	t.Helper()
	job, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return job
}
