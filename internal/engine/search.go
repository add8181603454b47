package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// SearchAll searches the targets, up to cfg.Workers at the same time, and tells
// obs. It returns the first fault of its own; findings are no errors. When ctx
// ends, the targets under way end with what they have found.
func SearchAll(ctx context.Context, prog *program.Program, targets []load.Target, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	if cfg.Resume {
		// Those that cannot be gone on with are told before any search begins.
		for i := range targets {
			if _, err := readSearch(searchFile(prog, &targets[i], cfg), newSearchHeader(prog, &targets[i], cfg)); err != nil {
				return err
			}
		}
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
		queue = make(chan *load.Target)
	)
	mix, err := phases(cfg.Strategy)
	if err != nil {
		return err
	}
	cores := newCores(cfg.Workers)
	shared := &serialObserver{obs: obs}
	for range min(cfg.Workers, len(targets)) {
		wg.Go(func() {
			for t := range queue {
				if _, err := searchOn(ctx, cores, prog, t, cfg, mix, shared); err != nil {
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
func Search(ctx context.Context, prog *program.Program, target *load.Target, cfg Config, obs verdict.Observer) (*verdict.Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	mix, err := phases(cfg.Strategy)
	if err != nil {
		return nil, err
	}
	return searchOn(ctx, newCores(cfg.Workers), prog, target, cfg, mix, &serialObserver{obs: obs})
}

// searchOn is Search by some strategies with cores that other searches use too.
func searchOn(ctx context.Context, cores cores, prog *program.Program, target *load.Target, cfg Config, mix []phase, obs verdict.Observer) (*verdict.Result, error) {
	if err := cores.take(ctx); err != nil {
		return nil, err
	}
	defer cores.release()
	s := &search{
		cfg: cfg, mix: mix, obs: obs, start: time.Now(),
		crew:   crew{cores: cores},
		keys:   map[check.Key]bool{},
		lines:  map[string]bool{},
		state:  &state{Degree: -1},
		file:   searchFile(prog, target, cfg),
		header: newSearchHeader(prog, target, cfg),
		result: &verdict.Result{Package: target.Package.Path, Target: target.Name},
	}
	if cfg.Resume {
		st, err := readSearch(s.file, s.header)
		if err != nil {
			return nil, err
		}
		if st != nil {
			s.resume(st)
		}
	}
	obs.Started(s.result.Package, s.result.Target)
	if s.state.Ended == "" {
		if err := s.search(ctx, prog, target); err != nil {
			return nil, fmt.Errorf("searching %s: %w", target.Name, err)
		}
	} else {
		s.totals()
		for _, f := range s.result.Findings {
			obs.Found(s.result, f)
		}
	}
	s.finish()
	obs.Ended(s.result)
	return s.result, nil
}

// A search is what a search has and knows while it goes on; what it knows that
// outlasts the process is in its state.
type search struct {
	cfg    Config
	mix    []phase
	w      *worker // the first of the crew
	crew   crew
	obs    verdict.Observer
	start  time.Time
	result *verdict.Result
	state  *state

	keys     map[check.Key]bool // of findings already judged
	lines    map[string]bool    // source lines of those reported: n++ is two accesses, and one race
	finished *tally             // of the phases before a strategy that is at work and cannot be gone on with
	stopped  string             // what ended it before: the budget, an interrupt
	shown    time.Time          // when Progress was last called

	header    searchHeader
	early     size   // estimated before the search began, until it is known better
	file      string // of the state
	saved     time.Time
	saving    time.Duration // what the last save took
	saveFault error         // why there will be no more

	divided phase // the one that is divided, when there is one
}

// resume goes on with a state that was read back.
func (s *search) resume(st *state) {
	s.state = st
	s.result.Findings = st.Findings
	for _, f := range st.Findings {
		s.lines[sourceLines(f.Run.Finding)] = true
	}
}

// search makes the first worker and has the strategies search until they are
// done or the budget is spent.
func (s *search) search(ctx context.Context, prog *program.Program, target *load.Target) error {
	budget, cancel := context.WithTimeout(ctx, s.cfg.Budget)
	defer cancel()
	output := func(text []byte) { s.obs.Output(s.result.Package, s.result.Target, text) }
	names := run.NewNames()
	err := func() (err error) {
		if s.w, err = newWorker(budget, prog, target, s.cfg, names, output); err != nil {
			return err
		}
		s.crew.workers = []*worker{s.w}
		s.crew.began = time.Now()
		s.crew.patience = time.Since(s.start)
		s.crew.hire = func() (*worker, error) {
			w, err := newWorker(budget, prog, target, s.cfg, names, output)
			if err != nil {
				return nil, err
			}
			st, err := s.begin(s.divided, w)
			if err != nil {
				return nil, err
			}
			return w, w.divides(st)
		}
		if err := s.w.findSeeds(budget); err != nil {
			return err
		}
		if s.cfg.MaxLen == 0 { // those hired later begin with what is known now
			s.cfg.MaxLen = min(max(DefaultMaxLen, min(s.w.longestSeed(), MaxSeedLen)*3/2), MaxSeedLen)
			s.w.cfg.MaxLen = s.cfg.MaxLen
			s.w.machine.MaxLen = s.cfg.MaxLen
		}
		return s.run(budget)
	}()
	switch {
	case ctx.Err() != nil:
		s.stopped = "interrupted"
	case budget.Err() != nil:
		s.stopped = fmt.Sprintf("the budget of %v is spent", s.cfg.Budget)
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	if unsupported := (*unsupportedError)(nil); errors.As(err, &unsupported) {
		s.state.Tally.giveUp(err.Error())
		return nil
	}
	return err
}

// run lets the strategies of the mix search, one after another, until one
// finds something, an exhaustive one is done, or the budget is spent.
func (s *search) run(ctx context.Context) error {
	for s.state.Phase < len(s.mix) {
		ph := s.mix[s.state.Phase]
		st, err := s.begin(ph, s.w)
		if err != nil {
			return err
		}
		if d, ok := st.(strategy.Divisible); ok {
			err = s.divide(ctx, ph, d)
		} else {
			err = s.phase(ctx, ph, st)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", ph.strategy.Name, err)
		}
		if len(s.result.Findings) > 0 || s.state.Finite || s.spent() {
			break
		}
		s.state.Phase++
		s.state.Since = s.state.Tally.Runs
		s.finished = nil
		s.save(true)
	}
	return nil
}

// begin returns the strategy of a phase, for runs by w.
func (s *search) begin(ph phase, w *worker) (strategy.Strategy, error) {
	st, err := ph.strategy.New(strategy.Config{
		Settings:  w.cfg.Settings,
		Names:     w.machine.Names,
		Seeds:     w.seeds,
		Seed:      s.cfg.Seed + ph.seed,
		MaxDegree: s.cfg.MaxDegree,
		Order:     s.cfg.Order,
		Solver:    s.cfg.Solver,
	})
	if err != nil {
		return nil, fmt.Errorf("beginning with strategy %s: %w", ph.strategy.Name, err)
	}
	return st, nil
}

// share returns a context that ends when the next phase is to begin. The last one
// has the rest of the budget: its end is that of ctx alone, so that it is seen why
// the search stopped.
func (s *search) share(ctx context.Context, ph phase) (context.Context, context.CancelFunc) {
	if ph.until >= 1 {
		return context.WithCancel(ctx)
	}
	end := time.Duration(float64(s.cfg.Budget) * ph.until)
	return context.WithDeadline(ctx, s.start.Add(end))
}

func (s *search) spent() bool { return s.cfg.Runs > 0 && s.state.Tally.Runs >= s.cfg.Runs }

// phase lets one strategy search alone.
func (s *search) phase(ctx context.Context, ph phase, st strategy.Strategy) error {
	t := &s.state.Tally
	finished := t.clone()
	s.finished = &finished
	before := strategy.Status{}
	defer func() {
		now := st.Status()
		s.takeStock(before, now)
		if now.ByDegree != nil {
			s.state.ByDegree, s.state.Degree = now.ByDegree, now.Degree
		}
		if now.Promise != "" {
			s.state.Promise = now.Promise
		}
		if ph.strategy.Exhaustive {
			s.state.Finite = now.Exhausted
			for _, why := range now.Open {
				t.giveUp(s.w.explain(why))
			}
		}
	}()
	thinking, cancel := s.share(ctx, ph)
	defer cancel()
	for thinking.Err() == nil && s.left(ph) > 0 {
		job, trace, err := s.w.step(ctx, thinking, st, t)
		if thinking.Err() != nil && err != nil {
			break
		}
		if err != nil {
			return err
		}
		if job == nil {
			return nil
		}
		if n := t.Runs; n&(n-1) == 0 {
			trace = trace.Clone() // which the replays would change
			if err := s.w.verify(ctx, job.Plan, trace); err != nil && ctx.Err() == nil {
				t.giveUp(err.Error())
			}
		}
		if err := s.report(ctx, job.Plan, trace); err != nil {
			return err
		}
		if len(s.result.Findings) > 0 {
			return nil
		}
		if s.progressDue() {
			now := st.Status()
			s.takeStock(before, now)
			before = now
			s.progress()
		}
	}
	return ctx.Err()
}

// takeStock adds to the tally what a strategy that searches alone has done
// since it said before.
func (s *search) takeStock(before, now strategy.Status) {
	t := &s.state.Tally
	t.Counts.Add(now.Counts.Since(before.Counts))
	t.Solver.Add(now.Solver.Since(before.Solver))
	t.Covered = s.w.coverer.collect(t.Covered)
}

// report writes, minimises and reports the findings of a trace that are new.
func (s *search) report(ctx context.Context, plan *run.Plan, t *run.Trace) error {
	found := s.w.findings(t)
	if len(found) == 0 {
		return nil
	}
	var fresh []check.Finding
	for i := range found {
		if key := check.KeyOf(&found[i]); !s.keys[key] {
			s.keys[key] = true
			fresh = append(fresh, found[i])
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
			s.state.Tally.giveUp("a finding could not be replayed: " + fresh[i].Message)
			continue
		}
		s.result.Findings = append(s.result.Findings, f)
		s.totals()
		s.obs.Found(s.result, f)
	}
	return nil
}

// confirm makes a run that a worker told of again, and reports what it shows.
func (s *search) confirm(ctx context.Context, told *schedule.Run) error {
	// What was found is kept although the budget may end at this moment.
	ctx = context.WithoutCancel(ctx)
	plan, err := s.w.plan(told)
	if err != nil {
		return fmt.Errorf("going over a finding: %w", err)
	}
	t, err := s.w.run(ctx, plan, run.NonPreemptive{})
	if err != nil {
		return fmt.Errorf("going over a finding: %w", err)
	}
	if err := s.report(ctx, plan, t.Clone()); err != nil {
		return err
	}
	if lines := sourceLines(told.Finding); !s.lines[lines] {
		s.lines[lines] = true
		s.state.Tally.giveUp("a finding could not be replayed: " + told.Finding.Message)
	}
	return nil
}

// totals brings the result up to date with the state.
func (s *search) totals() {
	r, st := s.result, s.state
	t := st.total()
	r.Elapsed = time.Since(s.start)
	r.Runs, r.Counts = t.Runs, t.Counts
	r.ByDegree, r.Degree, r.Promise = st.ByDegree, st.Degree, st.Promise
	r.Solver = t.Solver
	r.Branches, r.Covered = t.Covered.count()
	r.Open = slices.Sorted(maps.Keys(t.Open))
	r.Estimate = 0
	if n := cmp.Or(st.Size.runs(), s.early.runs()); n > 0 {
		r.Estimate = max(n, t.Runs+st.unexplored())
		if s.state.Finite {
			r.Estimate = t.Runs
		}
	}
}

// finish computes the verdict from what was found and given up, and saves it.
func (s *search) finish() {
	r := s.result
	s.totals()
	t := s.state.total()
	switch {
	case len(r.Findings) > 0:
		r.Verdict, r.Open = verdict.Fails, nil
		r.Estimate = 0 // nothing more is to be done
	case t.Skipped > 0 && t.Skipped == t.Runs:
		r.Verdict = verdict.Skipped
	case s.state.Finite && len(r.Open) == 0:
		r.Verdict = verdict.Holds
		r.Bounds = s.bounds(&t)
	default:
		r.Verdict = verdict.Open
	}
	if s.state.Ended == "" {
		if s.state.Finite || r.Verdict == verdict.Fails {
			s.state.Ended = r.Verdict
			s.state.Frontier, s.state.Tasks, s.state.Left = nil, nil, nil // nothing is left to do
			s.finished = nil
		}
		s.state.Findings = r.Findings
		s.save(true)
	}
	if r.Verdict == verdict.Open {
		r.Open = append(r.Open, s.unfinished()...)
		slices.Sort(r.Open)
	}
}

// unfinished says why a search that found nothing is not finite, and whether
// it can be gone on with.
func (s *search) unfinished() []string {
	r := s.result
	why := s.stopped
	switch {
	case why != "":
	case s.state.Finite:
		return nil
	case s.spent():
		why = fmt.Sprintf("the bound of %d runs is reached", s.cfg.Runs)
	case len(r.Open) > 0:
		return nil
	case !slices.ContainsFunc(s.mix, func(p phase) bool { return p.strategy.Exhaustive }):
		return []string{fmt.Sprintf("strategy %s alone cannot show that a target holds", s.cfg.Strategy)}
	default:
		return []string{"the search did not come to its end"}
	}
	if !s.state.Divided {
		return []string{why}
	}
	if r.Estimate > 0 {
		why += fmt.Sprintf(", after %s", r.Share())
	}
	if s.saveFault != nil {
		return []string{fmt.Sprintf("%s (and cannot be resumed: %v)", why, s.saveFault)}
	}
	return []string{why + "; -resume goes on"}
}

// bounds names the limits within which every behaviour was run.
func (s *search) bounds(t *tally) []string {
	var list []string
	if t.DrewLength {
		list = append(list, fmt.Sprintf("strings and slices of at most %d elements (-maxlen)", s.cfg.MaxLen))
	}
	if t.HeldTimers {
		list = append(list, "timers that fire when nothing else can happen (-timers any for any time)")
	}
	if t.WholeReads {
		list = append(list, "connections that bring at once what was written")
	}
	if t.NeverRun {
		list = append(list, "finalizers and cleanups are not run")
	}
	if t.CutTime {
		list = append(list, "time that ends soon after the target has returned, where goroutines live on timers")
	}
	return list
}

// progressEvery is how often Progress is called.
const progressEvery = time.Second

func (s *search) progressDue() bool { return time.Since(s.shown) >= progressEvery }

func (s *search) progress() {
	if !s.progressDue() {
		return
	}
	if !s.shown.IsZero() {
		s.tell()
	}
	s.shown = time.Now()
}

// tell tells how far the search has come.
func (s *search) tell() {
	s.totals()
	now := *s.result
	s.obs.Progress(&now)
}

// searchFile returns the path of a target's search file.
func searchFile(prog *program.Program, target *load.Target, cfg Config) string {
	return prog.OutputFile(cfg.OutDir, target, ".search")
}

// The bounds of how much of the time goes into saving: a twentieth, and never
// more often than saveEvery.
const (
	saveEvery = 100 * time.Millisecond
	saveShare = 20
)

// save writes the state to disk, now or when it is time again. A search that
// cannot be saved goes on all the same.
func (s *search) save(now bool) {
	if s.saveFault != nil || !now && time.Since(s.saved) < max(saveEvery, saveShare*s.saving) {
		return
	}
	begin := time.Now()
	st := *s.state
	if s.finished != nil {
		st.Tally = *s.finished // the strategy will begin anew
	}
	s.saveFault = writeSearch(s.file, s.header, &st)
	s.saved = time.Now()
	s.saving = s.saved.Sub(begin)
}

// A serialObserver lets several searches share an observer.
type serialObserver struct {
	mu  sync.Mutex
	obs verdict.Observer
}

func (o *serialObserver) Started(pkg, target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Started(pkg, target)
}

func (o *serialObserver) Progress(r *verdict.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Progress(r)
}

func (o *serialObserver) Found(r *verdict.Result, f *verdict.Found) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Found(r, f)
}

func (o *serialObserver) Output(pkg, target string, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Output(pkg, target, text)
}

func (o *serialObserver) Ended(r *verdict.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.obs.Ended(r)
}
