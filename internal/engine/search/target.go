package search

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Targets searches several targets, up to cfg.Workers at the same time, and reports to obs.
// Tests that call T.Parallel and share variables are searched once more, together.
// It returns the first error of a search; findings are no errors. When ctx ends, the
// searches under way end with what they have found.
func Targets(ctx context.Context, prog *program.Program, targets []load.Target, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	mix, err := phases(cfg.Strategy)
	if err != nil {
		return err
	}
	if cfg.Resume {
		// A search that cannot be resumed is an error before any begins.
		for i := range targets {
			if _, err := newFile(prog, &targets[i], cfg).read(); err != nil {
				return err
			}
		}
	}
	var group errgroup.Group
	group.SetLimit(cfg.Workers)
	cores := newCores(cfg.Workers)
	shared := newSerial(obs)
	var failed atomic.Bool
	binaries := binaries(prog, targets, shared)
	for i := range targets {
		group.Go(func() error {
			if ctx.Err() != nil || cfg.FailFast && failed.Load() {
				return nil
			}
			b := binaries[targets[i].Package.Binary()]
			defer b.done()
			r, err := searchTarget(ctx, cores, prog, b.machines, &targets[i], cfg, mix, shared, nil)
			if err != nil {
				return err
			}
			if r.Verdict == verdict.Fails {
				failed.Store(true)
			}
			if b.searched(&targets[i], r) && !(cfg.FailFast && failed.Load()) {
				return b.searchGroups(ctx, cores, prog, cfg, mix, shared)
			}
			return nil
		})
	}
	return group.Wait()
}

// Target searches one target, reports to obs, and returns the result, also when ctx ends
// first.
func Target(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, obs verdict.Observer) (*verdict.Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	mix, err := phases(cfg.Strategy)
	if err != nil {
		return nil, err
	}
	shared := newSerial(obs)
	return searchTarget(ctx, newCores(cfg.Workers), prog, newMachines(prog, target, shared), target, cfg, mix, shared, nil)
}

// searchTarget is Target with the phases of a mix, and with cores and machines that other
// searches use too. The search does not end with holds if open says why.
func searchTarget(ctx context.Context, cores cores, prog *program.Program, machines *worker.Machines, target *load.Target, cfg Config, mix []phase, obs verdict.Observer, open []string) (*verdict.Result, error) {
	if len(open) == 0 {
		if kept := cfg.Keeper.Get(prog, target); kept != nil {
			kept.Report(obs)
			return &kept.Result, nil
		}
	}
	if err := cores.take(ctx); err != nil {
		return nil, err
	}
	defer cores.release()
	printed := &printed{Observer: obs}
	obs = printed
	s := newSearch(prog, target, cfg, mix, cores, obs)
	if cfg.Resume {
		if err := s.resume(); err != nil {
			return nil, err
		}
	}
	obs.Started(s.result.Package, s.result.Target)
	for _, why := range open {
		s.state.Stats.GiveUp(why)
	}
	for _, f := range s.result.Counterexamples { // of the search that is resumed
		s.totals()
		obs.Found(s.result, f)
	}
	if s.state.Ended == "" {
		if err := s.search(ctx, prog, machines, target); err != nil {
			return nil, fmt.Errorf("searching %s: %w", target.Name, err)
		}
	} else {
		s.totals()
	}
	s.finish()
	if s.worker != nil && s.result.Verdict != verdict.Fails {
		// Those of the findings have been reported with them.
		if text := s.worker.FirstPrinted(); text != "" {
			obs.Output(s.result.Package, s.result.Target, []byte(text))
		}
	}
	obs.Ended(s.result)
	if s.isFinal() && len(open) == 0 && !printed.overflow {
		cfg.Keeper.Put(ctx, prog, target, &results.Kept{Result: *s.result, Output: printed.text})
	} else {
		cfg.Keeper.Miss(target)
	}
	return s.result, nil
}

// search searches until the phases are done or the budget is spent. The initialisation of
// the packages is not part of what the budget is for.
func (s *search) search(ctx context.Context, prog *program.Program, machines *worker.Machines, target *load.Target) error {
	start, err := s.starter(prog, machines, target)
	if err != nil {
		return err
	}
	defer s.pool.close()
	budget := ctx
	if s.worker, err = start(ctx); err == nil {
		s.start = time.Now()
		limited, cancel := context.WithTimeout(ctx, s.cfg.Budget)
		defer cancel()
		budget = limited
		s.beginPool(func() (*worker.Worker, error) { return start(limited) })
		err = s.run(limited)
	}
	switch {
	case ctx.Err() != nil:
		s.stopped = "interrupted"
	case budget.Err() != nil:
		s.stopped = fmt.Sprintf("the budget of %v is spent", s.cfg.Budget)
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if unsupported := (*worker.UnsupportedError)(nil); errors.As(err, &unsupported) {
		s.unsupported = true
		s.state.Stats.GiveUp(err.Error())
		return nil
	}
	return err
}

// starter returns a function that starts a worker of the search.
func (s *search) starter(prog *program.Program, machines *worker.Machines, target *load.Target) (func(context.Context) (*worker.Worker, error), error) {
	output := func(text []byte) { s.obs.Output(s.result.Package, s.result.Target, text) }
	names := run.NewNames()
	corpus, err := worker.ReadCorpus(prog, target) // once: the search writes to it
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (*worker.Worker, error) {
		cfg := s.cfg.worker()
		cfg.Corpus = corpus
		return machines.Worker(ctx, target, cfg, names, output)
	}, nil
}

// beginPool makes the pool of the first worker, to which start adds others.
func (s *search) beginPool(start func() (*worker.Worker, error)) {
	s.pool.workers = []*worker.Worker{s.worker}
	s.pool.since = s.start
	s.pool.delay = s.worker.Delay()
	s.pool.start = func() (*worker.Worker, error) {
		w, err := start()
		if err != nil {
			return nil, err
		}
		st, err := s.begin(s.divided, w)
		if err == nil {
			_, err = s.equip(w, st)
		}
		if err != nil {
			w.Close()
			return nil, err
		}
		return w, nil
	}
}

// runSeeds makes the run that goes through all seeds.
func (s *search) runSeeds(ctx context.Context) error {
	plan, trace, err := s.worker.RunSeeds(ctx, &s.state.Stats)
	if err != nil || plan == nil {
		return err
	}
	s.state.Since = s.state.Stats.Runs
	return s.report(ctx, plan, trace)
}

// run lets the strategies of the phases search, one after another, until one finds
// something, an exhaustive one is done, or the budget is spent.
func (s *search) run(ctx context.Context) error {
	var err error
	if s.cfg.MaxLen, err = s.worker.FindSeeds(ctx, s.cfg.MaxLen); err != nil {
		return err
	}
	s.state.MaxLen = s.cfg.MaxLen // with which workers begin that start later
	if s.state.Stats.Runs == 0 {
		if err := s.runSeeds(ctx); err != nil {
			return fmt.Errorf("running the seeds in turn: %w", err)
		}
	}
	for s.state.Phase < len(s.mix) && !s.failed() {
		ph := s.mix[s.state.Phase]
		st, err := s.begin(ph, s.worker)
		if err != nil {
			return err
		}
		d, divisible := st.(strategy.Divisible)
		if divisible {
			err = s.divide(ctx, ph, d)
		} else {
			err = s.alone(ctx, ph, st)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", ph.strategy.Name, err)
		}
		if s.failed() || s.state.Finite || s.spent() {
			break
		}
		if divisible && !s.state.Divided {
			continue
		}
		s.state.Phase++
		s.state.Since = s.state.Stats.Runs
		s.restart = nil
		s.save(true)
	}
	return nil
}
