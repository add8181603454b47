package reorder

import (
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// Conflicts returns the pairs of steps that can be a data race as far as they are accesses that conflict, neither
// needs the other, and, if the class knows locks, none that both goroutines hold excludes it. The first step is
// the one that came first.
func (w *Window) Conflicts() iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		for _, list := range byCell(w.Steps) {
			for i, b := range list {
				for _, a := range list[:i] {
					s, t := &w.Steps[a], &w.Steps[b]
					if !access.Conflict(s.Kind, t.Kind) || s.Before(t) || w.Locks != dependence.AnyLocks && w.Exclude(s.Held, t.Held) {
						continue
					}
					if !yield(a, b) {
						return
					}
				}
			}
		}
	}
}

// byCell returns the accesses to each cell that more than one goroutine accesses, one of which
// writes.
func byCell(steps []Step) [][]int {
	index := map[schedule.Cell]int{}
	var lists [][]int
	for i := range steps {
		if steps[i].Kind == access.None {
			continue
		}
		n, ok := index[steps[i].Site.Cell]
		if !ok {
			n = len(lists)
			index[steps[i].Site.Cell] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], i)
	}
	return slices.DeleteFunc(lists, func(list []int) bool {
		write, first := false, steps[list[0]].Goroutine
		several := false
		for _, i := range list {
			write = write || steps[i].Kind.IsWrite()
			several = several || steps[i].Goroutine != first
		}
		return !write || !several
	})
}
