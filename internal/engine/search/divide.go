package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A search by a [strategy.Divisible] strategy goes in rounds. A round takes the first items
// of the frontier, each a task, and puts what the tasks leave over in their place. Tasks may
// be explored at the same time, in any order; their results are taken in their order, and
// those after the first that found something are dropped. So what a search finds, and after
// how many runs, does not depend on the number of workers.
//
// The size of a round is a function of its number. It grows from one run, so that a small
// search does no more than it needs, to what keeps the workers busy while all wait for the
// last.
func roundSize(round int) (tasks, runs int) {
	const maxTasks, maxRuns = 64, 64
	return min(1<<min(round, 30), maxTasks), min(1<<min(round, 30), maxRuns)
}

// divide lets a divisible strategy search. If it leaves the search undivided, the phase has to
// begin again, with other accesses visible.
func (s *search) divide(budget context.Context, ph phase, first strategy.Divisible) error {
	ctx, cancel := s.deadline(budget, ph)
	defer cancel()
	defer s.pool.wait()
	s.divided = ph
	root, err := s.equip(s.worker, first)
	if err != nil {
		return err
	}
	anew := len(s.state.Visible) > 0 || s.state.Any() || s.cfg.Order == strategy.ByLength
	for _, w := range s.pool.workers[1:] {
		if anew || !w.IsFor(false) { // it began when other accesses were visible, or with another length; or it had turns
			st, err := s.begin(ph, w)
			if err != nil {
				return err
			}
			if _, err := s.equip(w, st); err != nil {
				return err
			}
		}
	}
	if st := s.state; !st.Divided || st.Bound != ph.length {
		st.divideAgain()
		st.Divided, st.Before, st.Bound = true, st.Stats.Runs, ph.length
		st.Frontier = root
	}
	if s.cfg.Estimate && s.early.Weight == 0 && s.state.Size.Weight == 0 && len(s.state.Tasks) == 0 {
		if err := s.preview(ctx); err != nil {
			return err
		}
		s.reportProgress()
	}
	for ctx.Err() == nil && !s.failed() && s.state.Divided {
		if s.turn.over() {
			s.paused = true
			return nil
		}
		st := s.state
		if len(st.Tasks) == 0 {
			st.endRound()
			s.order(first)
			s.gauge.Hold(st.bound(), 0)
			if len(st.Frontier) == 0 {
				s.endDivided(ph)
				return nil
			}
			if s.left(ph) <= 0 {
				if ph.measured && !s.spent() {
					return s.measure(ctx)
				}
				return nil
			}
			if err := s.refine(ctx); err != nil || s.failed() || !st.Divided {
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
	if st := s.state; st.Divided && !s.failed() && len(st.Tasks) == 0 {
		st.endRound()
		if len(st.Frontier) == 0 { // the time was up when the last run had been made, as while it was compared with its replay
			s.endDivided(ph)
			return nil
		}
	}
	if ph.measured && budget.Err() == nil {
		if err := s.measureLate(budget, ph); err != nil {
			return err
		}
	}
	return budget.Err()
}

// endDivided notes what is known when nothing is left to do in a phase.
func (s *search) endDivided(ph phase) {
	if len(s.state.Stats.LeftOut) > 0 {
		return
	}
	if ph.length > 0 && s.state.Stats.CutLength {
		s.state.Length = ph.length
		return
	}
	s.state.Finite = ph.strategy.Exhaustive
}

// equip gives a worker what it needs to explore tasks of the phase that is divided.
func (s *search) equip(w *worker.Worker, st strategy.Strategy) (root []strategy.Item, err error) {
	ph := s.divided
	return w.Divide(st, func() (strategy.Strategy, error) { return s.begin(ph, w) })
}

// Up to maxRanked unexplored items those of low rank come first, and a task makes at most
// maxRankedRuns, so that it does not get far beyond that rank. With more items the search
// goes depth first, so that they do not become too many.
const (
	maxRanked     = 10_000
	maxRankedRuns = 4
)

// order puts the items of low rank at the front of the frontier, when the strategy has
// ranks.
func (s *search) order(st strategy.Divisible) {
	frontier := s.state.Frontier
	ranked, ok := st.(strategy.Ranked)
	s.state.Deep = !ok || s.cfg.Order == strategy.DepthFirst || len(frontier) > maxRanked
	if !s.state.Deep {
		slices.SortStableFunc(frontier, func(a, b strategy.Item) int { return cmp.Compare(ranked.Rank(b), ranked.Rank(a)) })
	}
}

// The larger items are, the more memory their runs' items take: a round has so many
// tasks, and a task so many runs, that their items are no larger than this
// altogether, but for a few.
const (
	taskBytes = 1 << 17
	runBytes  = 1 << 14
)

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
	size := max(1, st.Frontier[len(st.Frontier)-1].Size)
	tasks, runs = min(tasks, max(4, taskBytes/size)), min(runs, max(1, runBytes/size))
	runs = min(runs, left/tasks)
	for range tasks {
		last := len(st.Frontier) - 1
		st.Numbered++
		st.Tasks = append(st.Tasks, worker.Task{Number: st.Numbered, Items: []strategy.Item{st.Frontier[last]}, Runs: runs, Deep: st.Deep})
		st.Frontier[last] = strategy.Item{}
		st.Frontier = st.Frontier[:last]
	}
}

// round has the tasks of the round explored and takes their results.
func (s *search) round(ctx context.Context) error {
	st := s.state
	begun := slices.Clone(st.Tasks)
	var (
		mu     sync.Mutex                      // of st.Tasks, while workers are busy
		lowest atomic.Int64                    // index of the first task that found something
		seen   = make([]time.Time, len(begun)) // when it did
	)
	lowest.Store(math.MaxInt64)
	err := s.pool.each(len(begun), func(w *worker.Worker, i int) error {
		dropped := func() bool { return int64(i) > lowest.Load() }
		if begun[i].Done || dropped() || ctx.Err() != nil {
			return nil
		}
		done, err := w.Explore(ctx, begun[i], s.unknown(w), dropped)
		if done.Found != nil || done.Any() {
			for was := lowest.Load(); int64(i) < was && !lowest.CompareAndSwap(was, int64(i)); was = lowest.Load() {
			}
		}
		mu.Lock()
		defer mu.Unlock()
		st.Tasks[i], seen[i] = done, time.Now()
		if err != nil {
			return fmt.Errorf("task %d: %w", done.Number, err)
		}
		return nil
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		s.progress()
		s.save(false)
	})
	if err != nil {
		return err
	}
	// When time is up, what was found is reported although tasks before it are not done.
	for ctx.Err() != nil && len(st.Tasks) > 0 && !st.Tasks[0].Done && lowest.Load() < math.MaxInt64 {
		st.endTask()
	}
	for len(st.Tasks) > 0 && st.Tasks[0].Done {
		t := st.Tasks[0]
		st.endTask()
		begun = begun[len(begun)-len(st.Tasks):]
		since := seen[len(seen)-len(st.Tasks)-1]
		if t.Found == nil && !t.Any() {
			continue
		}
		// The tasks after it count for nothing. They are begun again when it was a false
		// alarm.
		st.Tasks = nil
		for _, w := range s.pool.workers {
			w.ForgetCoverage()
		}
		s.departures.Forget()
		var err error
		if t.Found != nil {
			err = s.confirm(ctx, t.Found, since)
		}
		if t.Any() && !s.failed() {
			s.lookAtMore(t.Overlooked)
		}
		if !s.failed() && st.Divided {
			st.Tasks = begun
		}
		return err
	}
	return nil
}
