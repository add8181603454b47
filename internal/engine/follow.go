package engine

import "github.com/everyway-go/everyway/internal/vm"

// A step is one step of a run, chosen or forced.
type step struct {
	goroutine int32
	alt       int32
}

// A follower steers a run along a list of steps as far as they are possible:
// where there is a choice it takes the earliest step of the list that is
// enabled and was not taken yet; when there is none it goes on with the
// goroutine that ran last. Values are answered from their own list, then with
// 0. It records the steps that were taken.
type follower struct {
	steps  []step
	values []int32

	used    []bool
	first   int // steps before it are all used
	taken   []step
	answers int // number of values given
}

func follow(steps []step, values []int32) *follower {
	return &follower{steps: steps, values: values, used: make([]bool, len(steps))}
}

// Choose implements vm.Scheduler.
func (f *follower) Choose(p *vm.Point) int {
	if p.Kind == vm.Value {
		v := 0
		if n := f.answers; n < len(f.values) && int(f.values[n]) < p.N {
			v = int(f.values[n])
		}
		f.answers++
		return v
	}
	for i := f.first; i < len(f.steps); i++ {
		if f.used[i] {
			continue
		}
		for k := range p.Options {
			if f.steps[i] == (step{p.Options[k].Goroutine, p.Options[k].Alt}) {
				return k
			}
		}
	}
	for k := range p.Options {
		if p.Options[k].Goroutine == p.Last {
			return k
		}
	}
	return 0
}

// Stepping implements vm.Watcher.
func (f *follower) Stepping(o *vm.Option, _ *vm.Trace) bool {
	s := step{o.Goroutine, o.Alt}
	f.taken = append(f.taken, s)
	for i := f.first; i < len(f.steps); i++ {
		if !f.used[i] && f.steps[i] == s {
			f.used[i] = true
			break
		}
	}
	for f.first < len(f.steps) && f.used[f.first] {
		f.first++
	}
	return true
}

// switches counts the changes of goroutine in a list of steps.
func switches(steps []step) int {
	n := 0
	for i := 1; i < len(steps); i++ {
		if steps[i].goroutine != steps[i-1].goroutine {
			n++
		}
	}
	return n
}
