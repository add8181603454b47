package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/strategy"
)

// turnsAhead is the number of turns of a [strategy.Shared] search that workers may have at the same
// time, or before it is known that they are in vain.
const turnsAhead = 32

// A pending turn is one that was begun, or is to be.
type pending struct {
	worker.Turn
	done  bool      // it is over, or shows something
	since time.Time // when that was
}

// byTurns lets a strategy search whose parts take turns. Workers have the next turns at the same
// time. What comes of them is taken in their order: so what a search finds, and after how many
// runs, does not depend on the number of workers. What was done of turns after the one that ends
// the search is dropped.
func (s *search) byTurns(budget context.Context, ph phase, first strategy.Shared) error {
	ctx, cancel := s.deadline(budget, ph)
	defer cancel()
	defer s.pool.wait()
	s.divided = ph
	visible := slices.Clone(s.state.Visible)
	s.fixed = &visible
	defer func() { s.fixed = nil }()
	restart := s.state.Stats.Clone()
	s.restart = &restart
	defer func() {
		now := first.Status()
		if now.Farthest != "" {
			s.state.Farthest = now.Farthest
		}
		if now.Met != nil {
			s.state.Met = now.Met
		}
	}()
	if err := s.worker.Share(first); err != nil {
		return err
	}
	for _, w := range s.pool.workers[1:] {
		if err := s.equipAs(ph, w); err != nil {
			return err
		}
	}
	ahead, numbered := turnsAhead, 0
	if s.cfg.Runs > 0 || ph.runs > 0 {
		ahead = 1 // how many runs there may be in a turn is not known before
	}
	var turns []*pending
	for ctx.Err() == nil {
		ended, err := s.takeTurns(ctx, first, &turns)
		if err != nil || ended {
			return err
		}
		for _, t := range first.Turns(ahead - len(turns)) {
			numbered++
			turns = append(turns, &pending{Turn: worker.Turn{Number: numbered, Of: t}})
		}
		if len(turns) == 0 || s.left(ph) <= 0 {
			for _, t := range turns {
				first.Return(t.Of)
			}
			return nil
		}
		if err := s.haveTurns(ctx, ph, turns); err != nil {
			return err
		}
		s.progress()
	}
	// When time is up, what was found is reported although turns before it are not over.
	for _, t := range turns {
		s.state.Stats.Add(&t.Stats)
	}
	for _, t := range turns {
		if t.Found != nil && !first.IsVain(t.Of) && !s.failed() {
			if err := s.confirm(ctx, t.Found, t.since); err != nil {
				return err
			}
		}
	}
	for _, t := range turns {
		first.Return(t.Of)
	}
	return budget.Err()
}

// equipAs gives a worker an instance of the strategy of a phase whose parts take turns.
func (s *search) equipAs(ph phase, w *worker.Worker) error {
	st, err := s.begin(ph, w)
	if err != nil {
		return err
	}
	return w.Share(st)
}

// takeTurns takes what has come of the first turns, as far as they are done. It reports whether the
// search is at its end.
func (s *search) takeTurns(ctx context.Context, first strategy.Shared, turns *[]*pending) (ended bool, err error) {
	for len(*turns) > 0 {
		t := (*turns)[0]
		vain := first.IsVain(t.Of)
		if !vain && !t.done {
			return false, nil
		}
		if vain {
			first.Drop(t.Of)
			*turns = (*turns)[1:]
			continue
		}
		s.state.Stats.Add(&t.Stats)
		t.Stats, t.done = worker.Stats{}, false
		if found := t.Found; found != nil {
			t.Found = nil
			if err := s.confirm(ctx, found, t.since); err != nil { // which may be known by now
				return false, err
			}
		}
		if t.Over || s.failed() || first.IsVain(t.Of) {
			first.Return(t.Of)
			*turns = (*turns)[1:]
		}
		if s.failed() {
			return true, nil
		}
	}
	return false, nil
}

// haveTurns has the workers have the turns that are not done, up to the first that shows something.
func (s *search) haveTurns(ctx context.Context, ph phase, turns []*pending) error {
	var open []*pending
	for _, t := range turns {
		if !t.done {
			open = append(open, t)
		}
	}
	var lowest atomic.Int64 // index of the first turn that shows something
	lowest.Store(math.MaxInt64)
	left := int64(s.left(ph))
	return s.pool.each(len(open), func(w *worker.Worker, n int) error {
		i := len(open) - 1 - n // the first turns first
		t := open[i]
		over := func() bool { return int64(i) > lowest.Load() || int64(t.Stats.Runs) >= left }
		if over() || ctx.Err() != nil {
			return nil
		}
		err := w.Have(ctx, &t.Turn, s.unknown(w), over)
		t.done = t.Over || t.Found != nil || int64(t.Stats.Runs) >= left
		t.since = time.Now()
		if t.Found != nil {
			for was := lowest.Load(); int64(i) < was && !lowest.CompareAndSwap(was, int64(i)); was = lowest.Load() {
			}
		}
		if err != nil {
			return fmt.Errorf("turn %d: %w", t.Number, err)
		}
		return nil
	}, s.progress)
}
