package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm"
)

// SearchAll searches the targets, so many of them at the same time, and tells
// obs. It returns the first fault of its own; findings are no errors. When ctx
// ends, the targets under way end with what they have found.
func SearchAll(ctx context.Context, program *Program, targets []load.Target, cfg Config, workers int, obs Observer) error {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
		queue = make(chan *load.Target)
	)
	shared := &serialObserver{obs: obs}
	for range min(workers, len(targets)) {
		wg.Go(func() {
			for t := range queue {
				if _, err := Search(ctx, program, t, cfg, shared); err != nil {
					mu.Lock()
					first = cmp.Or(first, err)
					mu.Unlock()
				}
			}
		})
	}
	for i := range targets {
		select {
		case queue <- &targets[i]:
		case <-ctx.Done():
		}
	}
	close(queue)
	wg.Wait()
	return first
}

// Search searches one target and gives its result, also when ctx ends first.
func Search(ctx context.Context, program *Program, target *load.Target, cfg Config, obs Observer) (*Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &search{
		cfg: cfg, obs: obs, start: time.Now(),
		keys: map[check.Key]bool{}, lines: map[string]bool{}, open: map[string]bool{},
		result: &Result{Package: target.Package.Path, Target: target.Name, Degree: -1},
	}
	obs.Started(s.result.Package, s.result.Target)
	budget, cancel := context.WithTimeout(ctx, cfg.Budget)
	defer cancel()
	s.w, err = newWorker(budget, program, target, cfg, func(text []byte) {
		obs.Output(s.result.Package, s.result.Target, text)
	})
	if err == nil {
		err = s.w.findSeeds(budget)
	}
	if err == nil {
		err = s.run(budget)
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		if unsupported := (*unsupportedError)(nil); !errors.As(err, &unsupported) {
			return nil, fmt.Errorf("searching %s: %w", target.Name, err)
		}
		s.open[err.Error()] = true
	}
	switch {
	case ctx.Err() != nil:
		s.open["interrupted"] = true
	case budget.Err() != nil:
		s.open[fmt.Sprintf("the budget of %v is spent", cfg.Budget)] = true
	}
	s.finish()
	obs.Ended(s.result)
	return s.result, nil
}

// A search is the state of one target's search.
type search struct {
	cfg     Config
	w       *worker
	obs     Observer
	start   time.Time
	result  *Result
	covered []uint64
	keys    map[check.Key]bool // of findings already judged
	lines   map[string]bool    // source lines of those reported: n++ is two accesses, and one race
	open    map[string]bool    // why holds cannot be claimed
	skipped int                // runs that ended in t.Skip
	finite  bool               // the exhaustive search came to its end
	shown   time.Duration      // when Progress was last called
}

// run lets the strategies of the mix search, one after another, until one
// finds something, an exhaustive one is done, or the budget is spent.
func (s *search) run(ctx context.Context) error {
	for _, ph := range phases(s.cfg, s.w) {
		st, err := ph.start()
		if err != nil {
			return err
		}
		if err := s.phase(ctx, ph, st); err != nil {
			return err
		}
		if len(s.result.Findings) > 0 || s.spent() {
			break
		}
	}
	return nil
}

func (s *search) spent() bool { return s.cfg.Runs > 0 && s.result.Runs >= s.cfg.Runs }

// phase lets one strategy search.
func (s *search) phase(ctx context.Context, ph phase, st strategy.Strategy) error {
	defer func() { s.learnStatus(ph, st.Status()) }()
	end := time.Duration(float64(s.cfg.Budget) * ph.until)
	thinking, cancel := context.WithDeadline(ctx, s.start.Add(end))
	defer cancel()
	for thinking.Err() == nil && !s.spent() {
		job, err := st.Next(thinking)
		if thinking.Err() != nil {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", st.Name(), err)
		}
		if job == nil {
			return nil
		}
		trace, err := s.w.run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return err
		}
		s.result.Runs++
		if err := st.Learn(thinking, job, trace, s.w.machine.Arena); err != nil {
			return fmt.Errorf("%s: %w", st.Name(), err)
		}
		s.judge(trace)
		if n := s.result.Runs; n&(n-1) == 0 {
			trace = trace.Clone() // which the replays would change
			if err := s.w.verify(ctx, job.Plan, trace); err != nil {
				s.open[err.Error()] = true
			}
		}
		if err := s.report(ctx, job.Plan, trace); err != nil {
			return err
		}
		if len(s.result.Findings) > 0 {
			return nil
		}
		s.progress(st)
	}
	return ctx.Err()
}

// judge takes from a trace what bears on the verdict.
func (s *search) judge(t *vm.Trace) {
	if len(s.covered) < len(t.Covered) {
		s.covered = append(s.covered, make([]uint64, len(t.Covered)-len(s.covered))...)
	}
	for i, word := range t.Covered {
		s.covered[i] |= word
	}
	if t.Skipped {
		s.skipped++
	}
	switch t.Outcome {
	case vm.Unsupported, vm.Bounded:
		s.open[s.w.explain(t.Message)] = true
	}
	for _, g := range t.GivenUp {
		s.open[s.w.describe(g)] = true
	}
}

// report writes, minimises and reports the findings of a trace that are new.
func (s *search) report(ctx context.Context, plan *vm.Plan, t *vm.Trace) error {
	found := check.Findings(t)
	if s.w.target.Kind == load.TargetMain {
		// A program ends with its main goroutine, whatever the others wait for.
		found = slices.DeleteFunc(found, func(f *vm.Finding) bool { return f.Kind == vm.Leak })
	}
	if len(found) == 0 {
		return nil
	}
	var fresh []vm.Finding
	for _, f := range found {
		if key := check.KeyOf(f); !s.keys[key] {
			s.keys[key] = true
			fresh = append(fresh, *f)
		}
	}
	seen := s.w.witness(plan, t)
	for i := range fresh {
		lines := sourceLines(s.w.recordFinding(&fresh[i]))
		if s.lines[lines] {
			continue
		}
		s.lines[lines] = true
		f, err := s.w.found(ctx, &fresh[i], seen)
		if err != nil {
			return err
		}
		if f == nil {
			s.open["a finding could not be replayed: "+fresh[i].Message] = true
			continue
		}
		s.result.Findings = append(s.result.Findings, f)
		s.totals()
		s.obs.Found(s.result, f)
	}
	return nil
}

// learnStatus takes over what a strategy says of its search when it ends.
func (s *search) learnStatus(ph phase, st strategy.Status) {
	s.result.Candidates += st.Candidates
	s.result.Redundant += st.Redundant
	if st.ByDegree != nil {
		s.result.ByDegree, s.result.Degree = st.ByDegree, st.Degree
	}
	if ph.proves {
		s.finite = st.Exhausted
		for _, why := range st.Open {
			s.open[why] = true
		}
	}
}

func (s *search) totals() {
	r := s.result
	r.Elapsed = time.Since(s.start)
	r.Covered = 0
	for _, word := range s.covered {
		r.Covered += bits.OnesCount64(word)
	}
	if s.w != nil {
		r.Branches = len(s.w.code.Branches)
	}
}

// finish computes the verdict from what was found and given up.
func (s *search) finish() {
	r := s.result
	s.totals()
	r.Open = slices.Sorted(maps.Keys(s.open))
	switch {
	case len(r.Findings) > 0:
		r.Verdict, r.Open = Fails, nil
	case s.skipped > 0 && s.skipped == r.Runs:
		r.Verdict = Skipped
	case s.finite && len(r.Open) == 0:
		r.Verdict = Holds
		r.Bounds = s.bounds()
	default:
		r.Verdict = Open
		if len(r.Open) == 0 {
			r.Open = []string{"the search did not come to its end"}
			if s.cfg.Strategy == "con2colic" || s.cfg.Strategy == "random" {
				r.Open[0] = fmt.Sprintf("strategy %s alone cannot show that a target holds", s.cfg.Strategy)
			}
			if s.spent() {
				r.Open[0] = fmt.Sprintf("the bound of %d runs is reached", s.cfg.Runs)
			}
		}
	}
}

// bounds names the limits within which every behaviour was run.
func (s *search) bounds() []string {
	var list []string
	if s.w.drewLength {
		list = append(list, fmt.Sprintf("strings and slices of at most %d elements (-maxlen)", s.cfg.MaxLen))
	}
	if s.w.heldTimers {
		list = append(list, "timers that fire when nothing else can happen (-timers any for any time)")
	}
	return list
}

// progressEvery is how often Progress is called.
const progressEvery = time.Second

func (s *search) progress(st strategy.Strategy) {
	if elapsed := time.Since(s.start); elapsed-s.shown >= progressEvery {
		s.shown = elapsed
		s.totals()
		now := *s.result
		now.Candidates += st.Status().Candidates
		s.obs.Progress(&now)
	}
}

// A serialObserver lets several searches share an observer.
type serialObserver struct {
	mu  sync.Mutex
	obs Observer
}

func (o *serialObserver) Started(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Started(pkg, target)
}

func (o *serialObserver) Progress(r *Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Progress(r)
}

func (o *serialObserver) Found(r *Result, f *Found) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Found(r, f)
}

func (o *serialObserver) Output(pkg, target string, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Output(pkg, target, text)
}

func (o *serialObserver) Ended(r *Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Ended(r)
}
