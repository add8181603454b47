package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/engine/profiler"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Target searches one target, reports to obs, and returns the result, also when ctx ends
// first.
func Target(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, obs verdict.Observer) (*verdict.Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	cfg.everyway = executable()
	mix, err := cfg.phases()
	if err != nil {
		return nil, err
	}
	shared := newSerial(obs)
	return searchTarget(ctx, newCores(cfg.Workers), prog, newMachines(prog, target, shared), target, cfg, mix, shared, nil)
}

// searchTarget is Target with the phases of a mix, and with cores and machines that other
// searches use too. The search does not end with holds if open says why.
func searchTarget(ctx context.Context, cores cores, prog *program.Program, machines *worker.Machines, target *load.Target, cfg Config, mix []phase, obs verdict.Observer, open []string) (*verdict.Result, error) {
	if kept := cfg.kept(prog, target, open, obs); kept != nil {
		return kept, nil
	}
	if err := cores.take(ctx); err != nil {
		return nil, err
	}
	defer cores.release()
	s, err := newSearch(prog, target, cfg, mix, cores, obs)
	if err != nil {
		return nil, err
	}
	s.givenUp = open
	if err := fault.Do(func() error { return s.advance(ctx, prog, machines, target, turn{}) }); err != nil {
		s.fail(prog, target, err)
		return nil, err
	}
	return s.result, nil
}

// advance searches for a turn. If the search has not come to its end then, it is paused: it
// continues in its next turn as if there had been no break. A search that is paused holds no
// worker, and its state is on disk.
func (s *search) advance(ctx context.Context, prog *program.Program, machines *worker.Machines, target *load.Target, t turn) error {
	if s.paused {
		if err := s.restore(); err != nil { // what it has found stays
			s.stop(ctx, prog, target, err.Error())
			s.paused = false
			return nil
		}
	}
	if err := s.beginTurn(prog, t); err != nil {
		return err
	}
	if s.state.Ended != "" {
		s.totals()
	} else if err := s.search(ctx, prog, machines, target); err != nil {
		return fmt.Errorf("searching %s: %w", target.Name, err)
	}
	if s.context != nil && !s.paused && !s.confirmsLater {
		if err := s.confirmPossible(ctx, prog, machines, s.cfg.Budget-s.part(s.cfg.Budget)); err != nil {
			return fmt.Errorf("confirming what was found from %s: %w", target.Name, err)
		}
	}
	if s.paused {
		s.pause()
	} else {
		s.end(ctx, prog, target)
	}
	return nil
}

// end ends the search and keeps its result. What the runs of findings have printed was reported
// with them.
func (s *search) end(ctx context.Context, prog *program.Program, target *load.Target) {
	s.finish()
	s.notePrinted()
	if s.firstPrinted != "" && s.result.Verdict != verdict.Fails {
		s.obs.Output(s.result.Package, s.result.Target, []byte(s.firstPrinted))
	}
	s.reported = true
	s.obs.Ended(s.result)
	if s.isFinal() && len(s.givenUp) == 0 && !s.obs.overflow {
		s.cfg.Keeper.Put(ctx, prog, target, &results.Kept{Result: *s.result, Output: s.obs.text})
	} else {
		s.cfg.Keeper.Unfinished(prog, target)
	}
}

// kept reports the result of a target that was kept, and returns it; nil if there is none.
func (c *Config) kept(prog *program.Program, target *load.Target, open []string, obs verdict.Observer) *verdict.Result {
	if len(open) > 0 {
		return nil
	}
	kept := c.Keeper.Get(prog, target)
	if kept == nil {
		return nil
	}
	kept.Report(obs)
	return &kept.Result
}

// notePrinted notes what the first run has printed, which is one of the first turn.
func (s *search) notePrinted() {
	if s.worker != nil && s.used == 0 {
		s.firstPrinted = s.worker.FirstPrinted()
	}
}

// beginTurn begins a turn.
func (s *search) beginTurn(prog *program.Program, t turn) error {
	if s.paused {
		s.obs.Continued(s.result.Package, s.result.Target)
	} else {
		var anew error
		if s.cfg.Resume {
			anew = s.resume(prog)
		}
		s.obs.Started(s.result.Package, s.result.Target)
		if anew != nil {
			s.obs.Restarted(s.result.Package, s.result.Target, s.file.path.String(), anew.Error())
		}
		for _, why := range s.givenUp {
			s.state.Stats.GiveUp(why)
		}
		for _, f := range s.result.Counterexamples { // of the search that is resumed
			s.totals()
			s.obs.Found(s.result, f)
		}
	}
	s.turn, s.paused = t, false
	s.start = s.cfg.Clock.Now().Add(-s.used)
	return nil
}

// pause ends a turn.
func (s *search) pause() {
	s.totals()
	s.notePrinted()
	s.used = s.cfg.Clock.Since(s.start)
	s.worker, s.pool = nil, pool{cores: s.pool.cores}
	s.save(true)
	if s.file.err == nil {
		s.state, s.onDisk = s.state.outline(), true
	}
	s.obs.Paused(s.result.Package, s.result.Target)
}

// restore gets the state of a search that was paused.
func (s *search) restore() error {
	if !s.onDisk {
		return nil
	}
	st, _, err := s.file.read()
	if err != nil {
		return fmt.Errorf("the search was paused and cannot continue: %w", err)
	}
	if st == nil {
		return fmt.Errorf("the search was paused and cannot continue: %s is gone", s.file.path)
	}
	s.state, s.onDisk = st, false
	return nil
}

// stop ends a search that is paused, for the reason given.
func (s *search) stop(ctx context.Context, prog *program.Program, target *load.Target, why string) {
	s.stopped, s.late = why, false
	s.end(ctx, prog, target)
}

// search searches until the phases are done or the budget is spent. The initialisation of
// the packages is not part of what the budget is for.
func (s *search) search(ctx context.Context, prog *program.Program, machines *worker.Machines, target *load.Target) (err error) {
	if err := s.setSuspects(ctx, prog, target); ctx.Err() != nil {
		s.stopped = stopReason(ctx)
		return nil
	} else if err != nil {
		return err
	}
	if s.isDecided() {
		return nil
	}
	outer := ctx
	ctx, share := s.cfg.Memory.Begin(outer)
	defer share.End()
	s.memory, s.gauge = share, share.Gauge()
	start, err := s.starter(prog, machines, target, share)
	if err != nil {
		return s.giveUpUnsupported(err)
	}
	defer func() {
		s.pool.close(err)
		if memory.Exceeded(ctx) != nil {
			machines.Drop()
		}
	}()
	defer fault.Catch(&err)
	if s.used == 0 && !s.resumed && s.goal == nil { // in the first turn
		s.saved = savedRuns(ctx, prog, target, s.cfg, s.file.header.Build)
	}
	budget := ctx
	if s.worker, err = start(ctx); err == nil {
		s.start = s.cfg.Clock.Now().Add(-s.used)
		s.turn.clock, s.turn.began = s.cfg.Clock, s.cfg.Clock.Now() // so that each turn brings the search on
		limited, cancel := s.cfg.Clock.WithDeadline(ctx, s.start.Add(s.part(s.cfg.Budget)))
		defer cancel()
		budget = limited
		s.beginPool(func() (*worker.Worker, error) { return start(limited) })
		err = s.run(limited)
	}
	switch {
	case outer.Err() != nil:
		s.stopped = stopReason(outer)
	case memory.Exceeded(ctx) != nil:
		s.stopped = memory.Exceeded(ctx).Error()
	case budget.Err() != nil:
		s.stopped, s.late = fmt.Sprintf(budgetSpent, s.cfg.Budget), true
		if s.context != nil && !s.confirmsLater {
			s.stopped += ", but for the third that is for confirming what is found"
		}
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return s.giveUpUnsupported(err)
}

// giveUpUnsupported notes that the target cannot be started, if that is what err says, and
// otherwise returns err.
func (s *search) giveUpUnsupported(err error) error {
	if unsupported := (*worker.UnsupportedError)(nil); errors.As(err, &unsupported) {
		s.unsupported = true
		s.state.Stats.GiveUp(err.Error())
		return nil
	}
	return err
}

// starter returns a function that starts a worker of the search.
func (s *search) starter(prog *program.Program, machines *worker.Machines, target *load.Target, share *memory.Share) (func(context.Context) (*worker.Worker, error), error) {
	output := func(text []byte) { s.obs.Output(s.result.Package, s.result.Target, text) }
	names := run.NewNames()
	corpus, err := worker.ReadCorpus(prog, target) // once: the search writes to it
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (*worker.Worker, error) {
		cfg := s.cfg.worker(share, s.goal)
		cfg.Corpus = corpus
		w, err := machines.Worker(ctx, target, cfg, names, output)
		if err == nil && s.cfg.piece > 0 { // which the initialisation is not bound to
			w.EndAt(s.cfg.piece)
		}
		return w, err
	}, nil
}

// beginPool makes the pool of the first worker, to which start adds others.
func (s *search) beginPool(start func() (*worker.Worker, error)) {
	s.pool.workers = []*worker.Worker{s.worker}
	s.pool.since = time.Now().Add(-s.used)
	s.pool.delay = s.worker.Delay()
	s.pool.start = func() (*worker.Worker, error) {
		w, err := start()
		if err != nil {
			return nil, err
		}
		st, err := s.begin(s.divided, w)
		switch _, shared := st.(strategy.Shared); {
		case err != nil:
		case shared:
			err = w.Share(st)
		default:
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
	return s.report(ctx, plan, trace, time.Now())
}

// run lets the strategies of the phases search, one after another, until one finds
// something, an exhaustive one is done, or the budget is spent.
func (s *search) run(ctx context.Context) error {
	var err error
	if s.cfg.MaxLen, err = s.worker.FindSeeds(ctx, s.cfg.MaxLen); err != nil {
		return err
	}
	s.state.MaxLen = s.cfg.MaxLen // with which workers begin that start later
	s.applyLimit()
	if s.state.Stats.Runs == 0 {
		if err := s.trySaved(ctx); err != nil {
			return fmt.Errorf("trying what was found before: %w", err)
		}
		if s.failed() {
			return nil
		}
		if err := s.runSeeds(ctx); err != nil {
			return fmt.Errorf("running the seeds in turn: %w", err)
		}
	}
	only := false // there is likely to be no more than the run that was made
	for s.state.Phase < len(s.mix) && !s.failed() {
		ph := s.mix[s.state.Phase]
		if s.state.Phase > 0 && s.turn.overBefore(ph, only) {
			s.paused = true
			return nil
		}
		if ph.pointers && len(s.state.Stats.Shapes) == 0 || ph.patient && (s.cfg.LongStall <= s.cfg.Stall || !s.state.Stats.HeldTimers) {
			s.state.Phase++
			continue
		}
		s.departures = profiler.NewDepartures()
		st, err := s.begin(ph, s.worker)
		if err != nil {
			return err
		}
		d, divisible := st.(strategy.Divisible)
		shared, takesTurns := st.(strategy.Shared)
		if (divisible || takesTurns) && s.state.Stats.Runs == 0 {
			if err := s.fitLimitBefore(ctx); err != nil {
				return err
			}
		}
		if divisible {
			err = s.divide(ctx, ph, d)
		} else if takesTurns {
			err = s.byTurns(ctx, ph, shared)
		} else {
			err = s.alone(ctx, ph, st)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", ph.strategy.Name, err)
		}
		if s.paused || s.failed() || s.state.Finite || s.spent() {
			break
		}
		if divisible && !s.state.Divided {
			continue
		}
		s.state.Phase++
		f, ok := st.(strategy.Forced)
		only = ok && f.Forced()
		if only || ph.longer && s.isPromising() {
			s.state.Phase = max(s.state.Phase, s.lastPhase())
		}
		s.state.Since = s.state.Stats.Runs
		s.restart, s.state.Suspended = nil, nil
		s.save(true)
	}
	return nil
}
