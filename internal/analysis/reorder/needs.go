package reorder

import (
	"iter"

	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// Needs are the steps that each step of a window needs, reads and locks aside.
type Needs struct {
	Previous []int   // by step: the one before it in its goroutine, -1 if there is none
	Others   [][]int // by step: steps of other goroutines, the last one of each, that those before it do not bring along
	Ready    [][]int // by step: likewise, what its goroutine needs to be at it
}

// Needs returns what the steps need.
func (w *Window) Needs() *Needs {
	n := &Needs{Previous: make([]int, len(w.Steps)), Others: make([][]int, len(w.Steps)), Ready: make([][]int, len(w.Steps))}
	byThread := map[schedule.GoroutineID][]int{} // by what clocks call the goroutine
	for i := range w.Steps {
		s := &w.Steps[i]
		own := byThread[s.Goroutine]
		n.Previous[i] = -1
		from := w.base
		if len(own) > 0 {
			last := own[len(own)-1]
			n.Previous[i] = last
			from = w.Steps[last].Clock()
		}
		for j := range needed(w.Steps, byThread, s, s.Clock(), from) {
			n.Others[i] = append(n.Others[i], j)
		}
		for j := range needed(w.Steps, byThread, s, s.ready, from) {
			n.Ready[i] = append(n.Ready[i], j)
		}
		byThread[s.Goroutine] = append(own, i)
	}
	return n
}

// needed returns the last step of each other goroutine that has to be kept for clock c of step s, as far as
// clock from does not have it. It brings those before it along.
func needed(steps []Step, byThread map[schedule.GoroutineID][]int, s *Step, c, from vectorclock.Clock) iter.Seq[int] {
	return func(yield func(int) bool) {
		for h, time := range c {
			h := schedule.GoroutineID(h)
			if h == s.Goroutine || time <= from.At(h) {
				continue
			}
			list := byThread[h]
			for len(list) > 0 && steps[list[len(list)-1]].Time > time {
				list = list[:len(list)-1]
			}
			if len(list) > 0 && !yield(list[len(list)-1]) {
				return
			}
		}
	}
}
