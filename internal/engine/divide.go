package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A search by a [strategy.Divisible] strategy goes in rounds. A round takes the
// first items of the frontier, each a task, and puts what the tasks leave over
// in their place. Tasks may be worked on at the same time, in any order; their
// results are taken in their order, and those after the first that found
// something are dropped. So what a search finds, and after how many runs, does
// not depend on the number of workers.
//
// The size of a round is a function of its number. It grows from one run, so
// that a small search does no more than it needs, to what keeps the workers busy
// while all wait for the last.
func roundSize(round int) (tasks, runs int) {
	const maxTasks, maxRuns = 64, 64
	return min(1<<min(round, 30), maxTasks), min(1<<min(round, 30), maxRuns)
}

// divide lets a divisible strategy search.
func (s *search) divide(whole context.Context, ph phase, first strategy.Divisible) error {
	ctx, cancel := s.share(whole, ph)
	defer cancel()
	defer s.crew.dismiss()
	s.divided = ph
	root := first.Export()
	s.w.divisible = first
	if st := s.state; !st.Divided {
		st.Divided, st.Before = true, st.Tally.Runs
		st.Frontier = root
	}
	if s.cfg.Estimate && s.early.Weight == 0 && s.state.Size.Weight == 0 && len(s.state.Tasks) == 0 {
		if err := s.preview(ctx); err != nil {
			return err
		}
		s.tell()
	}
	for ctx.Err() == nil && len(s.result.Findings) == 0 {
		st := s.state
		if len(st.Tasks) == 0 {
			st.endRound()
			s.order()
			st.Frontier = st.bound(st.Frontier)
			if len(st.Frontier) == 0 {
				s.state.Finite = ph.strategy.Exhaustive
				return nil
			}
			if s.left(ph) <= 0 {
				return nil
			}
			if err := s.refine(ctx); err != nil || len(s.result.Findings) > 0 {
				return err
			}
			s.save(false)
			s.beginRound(s.left(ph))
		}
		if err := s.round(ctx); err != nil {
			return err
		}
		s.progress()
	}
	return whole.Err()
}

// left returns how many runs may still be made in a phase.
func (s *search) left(ph phase) int {
	n := math.MaxInt
	if s.cfg.Runs > 0 {
		n = s.cfg.Runs - s.state.Tally.Runs
	}
	if ph.runs > 0 {
		n = min(n, s.state.Since+ph.runs-s.state.Tally.Runs)
	}
	return n
}

// Up to so many unexplored items those of low rank come first, and a task makes
// so few runs, that it does not get far beyond that rank. With more items the search
// goes depth first, so that they do not become too many.
const (
	maxRanked     = 10_000
	maxRankedRuns = 4
)

// order puts the items of low rank at the front of the frontier, when the strategy
// has ranks.
func (s *search) order() {
	st := s.state
	r, ok := s.w.divisible.(strategy.Ranked)
	st.Deep = !ok || s.cfg.Order == strategy.DepthFirst || len(st.Frontier) > maxRanked
	if !st.Deep {
		slices.SortStableFunc(st.Frontier, func(a, b []byte) int { return cmp.Compare(r.Rank(b), r.Rank(a)) })
	}
}

// The larger items are, the more memory their runs' items take: a round has so many
// tasks, and a task so many runs, that their items are no larger than this
// altogether, but for a few.
const (
	taskBytes = 1 << 17
	runBytes  = 1 << 14
)

// maxFrontier bounds the unexplored items, in bytes.
const maxFrontier = 32 << 20

// bound returns the items that fit, of a list whose most important item is the last.
func (st *state) bound(items [][]byte) [][]byte {
	size, i := 0, len(items)
	for i > 0 && size+len(items[i-1]) <= maxFrontier {
		i--
		size += len(items[i])
	}
	if i > 0 {
		items = slices.Delete(items, 0, i)
		st.Tally.giveUp(fmt.Sprintf("more than %d MiB of runs waited to be made; the last ones were dropped", maxFrontier>>20))
	}
	return items
}

// beginRound makes tasks of the front of the frontier, for so many runs at most.
func (s *search) beginRound(left int) {
	st := s.state
	tasks, runs := roundSize(st.Round)
	st.Round++
	tasks = min(tasks, len(st.Frontier))
	tasks = min(tasks, left)
	if !st.Deep {
		runs = min(runs, maxRankedRuns)
	}
	size := len(st.Frontier[len(st.Frontier)-1])
	tasks, runs = min(tasks, max(4, taskBytes/size)), min(runs, max(1, runBytes/size))
	runs = min(runs, left/tasks)
	for range tasks {
		last := len(st.Frontier) - 1
		st.Numbered++
		st.Tasks = append(st.Tasks, task{Number: st.Numbered, Items: [][]byte{st.Frontier[last]}, Runs: runs, Deep: st.Deep})
		st.Frontier[last] = nil
		st.Frontier = st.Frontier[:last]
	}
}

// round has the tasks of the round worked on and takes their results.
func (s *search) round(ctx context.Context) error {
	st := s.state
	begun := slices.Clone(st.Tasks)
	var (
		mu     sync.Mutex // of st.Tasks, while workers are busy
		fault  error
		lowest atomic.Int64 // index of the first task that found something
	)
	lowest.Store(math.MaxInt64)
	s.crew.each(len(begun), func(w *worker, i int) {
		dropped := func() bool { return int64(i) > lowest.Load() }
		if begun[i].Done || dropped() || ctx.Err() != nil {
			return
		}
		done, err := w.explore(ctx, begun[i], s.dull(w), dropped)
		if done.Found != nil {
			for was := lowest.Load(); int64(i) < was && !lowest.CompareAndSwap(was, int64(i)); was = lowest.Load() {
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil && fault == nil {
			fault = fmt.Errorf("task %d: %w", done.Number, err)
		}
		st.Tasks[i] = done
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		s.progress()
		s.save(false)
	})
	if fault != nil {
		return fault
	}
	// When time is up, what was found is told although tasks before it are not done.
	for ctx.Err() != nil && len(st.Tasks) > 0 && !st.Tasks[0].Done && lowest.Load() < math.MaxInt64 {
		st.take(&st.Tasks[0])
	}
	for len(st.Tasks) > 0 && st.Tasks[0].Done {
		t := st.Tasks[0]
		st.take(&t)
		begun = begun[len(begun)-len(st.Tasks):]
		if len(t.printed) > 0 {
			s.obs.Output(s.result.Package, s.result.Target, t.printed)
		}
		if t.Found == nil {
			continue
		}
		// The tasks after it count for nothing: they go on when it was a false alarm.
		st.Tasks = nil
		for _, w := range s.crew.workers {
			w.coverer.forget()
		}
		err := s.confirm(ctx, t.Found)
		if len(s.result.Findings) == 0 {
			st.Tasks = begun
		}
		return err
	}
	return nil
}

// take adds the result of the round's first task.
func (st *state) take(t *task) {
	st.Tally.add(&t.Tally)
	st.Left = append(st.Left, t.Items...)
	st.Tasks = st.Tasks[1:]
}

// dull returns whether w need not tell of a finding, since there was one at
// the same source lines.
func (s *search) dull(w *worker) func(*check.Finding) bool {
	return func(f *check.Finding) bool {
		return len(s.lines) > 0 && s.lines[sourceLines(w.recordFinding(f))]
	}
}
