package interrupted

import (
	"context"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// New returns a search by instances of a strategy which begin returns, each of which is interrupted after
// a random number of runs, every on average, before a run or when it has been made but not learned from. The number
// doubles each time that an instance has nothing to save.
func New(begin func() strategy.Resumable, seed uint64, every int) strategy.Strategy {
	return &search{Resumable: begin(), begin: begin, every: every, rng: rand.New(rand.NewPCG(seed, 1))}
}

type search struct {
	strategy.Resumable
	begin func() strategy.Resumable
	every int
	rng   *rand.Rand
}

// Next implements strategy.Strategy.
func (s *search) Next(ctx context.Context) (*strategy.Job, error) {
	if err := s.interrupt(); err != nil {
		return nil, err
	}
	return s.Resumable.Next(ctx)
}

// Learn implements strategy.Strategy.
func (s *search) Learn(ctx context.Context, job *strategy.Job, trace *run.Trace, from *expr.Arena) error {
	if s.rng.IntN(2*s.every) > 0 {
		return s.Resumable.Learn(ctx, job, trace, from)
	}
	// Some of it may be learned when the search is interrupted.
	if s.rng.IntN(2) > 0 {
		done, cancel := context.WithCancel(ctx)
		cancel()
		if err := s.Resumable.Learn(done, job, trace, from); err == nil {
			return nil
		}
	}
	return s.resume()
}

// interrupt may interrupt the search, or have it forget what it remembers.
func (s *search) interrupt() error {
	if r, ok := s.Resumable.(strategy.Remembering); ok && s.rng.IntN(s.every) == 0 {
		r.Forget()
	}
	if s.rng.IntN(2*s.every) > 0 {
		return nil
	}
	return s.resume()
}

// resume has another instance go on with the search.
func (s *search) resume() error {
	saved := s.Save()
	s.Resumable = s.begin()
	if saved == nil {
		s.every *= 2
		return nil
	}
	return s.Restore(saved)
}
