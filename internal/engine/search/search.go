package search

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/accept"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/profiler"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A search is a search of one target that is under way. The part of it that outlasts the
// process is its state.
type search struct {
	cfg      Config
	accepted *accept.List
	mix      []phase
	obs      *printed
	start    time.Time // as if there had been no breaks
	state    *state
	file     *file // of the state
	result   *verdict.Result

	memory *memory.Share
	gauge  *memory.Gauge // of what is unexplored, or remembered

	worker  *worker.Worker // the first of the pool
	pool    pool
	divided phase // the phase whose tasks the pool explores, or turns
	// fixed are the accesses that are visible in the runs of a phase whose parts take turns, as
	// they were when it began.
	fixed *[]schedule.Place
	// departures are those of the runs of the phase; they are used if a profile is asked for.
	departures *profiler.Departures

	keys  map[check.Key]bool // of findings already judged: of these, the lines need not be looked up again
	lines knownLines         // source lines of those reported: n++ is two accesses, and one race
	// acceptedLines are those of the findings that are accepted. Another one on such a line may not be.
	acceptedLines knownLines
	// alarms are the source lines of findings that a run made again did not show.
	alarms knownLines

	// restart holds, while a strategy is at work that cannot be resumed, the stats of the
	// phases before it: a search that is resumed begins with them.
	restart *worker.Stats
	// suspend brings the state up to date with a strategy at work that can be resumed. It is nil if there is none.
	suspend func()
	early   size       // estimated before the search began, until more is known
	stopped string     // what ended the search before its end: the budget, an interrupt
	late    bool       // it is the budget
	saved   []savedRun // by earlier searches
	resumed bool       // from the state of an earlier search, which has tried those
	// unsupported says that the target cannot be started.
	unsupported bool
	shown       time.Time // when progress was last reported

	goal    *reach.Goal   // that is to be reached; nil for none
	context *load.Context // in which runs begin; nil if they begin at the start
	// confirmsLater says that somebody else tries to confirm what is found, so that the search has all of its budget.
	confirmsLater bool
	// fromStart are the findings from there that runs from the start show, and unconfirmed says of
	// the others what was tried.
	fromStart    map[*verdict.Counterexample]bool
	unconfirmed  []string
	givenUp      []string      // why holds cannot be claimed, whatever the search shows
	share        time.Duration // of which phases have their shares
	turn         turn
	paused       bool            // the search waits for its next turn
	onDisk       bool            // state is an outline
	used         time.Duration   // by its turns before
	firstPrinted string          // what the first run has printed
	reported     bool            // the verdict was
	confirmed    []*schedule.Run // findings that have been reported first, and are being saved and minimised
}

func newSearch(prog *program.Program, target *load.Target, cfg Config, mix []phase, cores cores, obs verdict.Observer) (*search, error) {
	file, err := newFile(prog, target, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Reach != nil && len(cfg.Reach.Given) == 0 || target.Context != nil {
		file.err = errSought
	}
	return &search{
		cfg: cfg, accepted: cfg.accepted(prog, target), mix: mix, obs: &printed{Observer: obs}, share: cfg.Budget,
		pool:  pool{cores: cores},
		lines: knownLines{}, acceptedLines: knownLines{},
		keys:      map[check.Key]bool{},
		alarms:    knownLines{},
		fromStart: map[*verdict.Counterexample]bool{},
		state:     &state{Degree: -1},
		file:      file,
		start:     cfg.Clock.Now(), // of one that is resumed with findings, which are reported before its turn
		goal:      cfg.Reach.of(target),
		context:   target.Context,
		result:    &verdict.Result{Package: target.Package.Path, Target: target.Name, Root: prog.RootOf(target.Package)},
	}, nil
}

// resume continues from the state that is on disk, if there is one. The error says why that is not
// possible: the search begins anew.
func (s *search) resume(prog *program.Program) error {
	st, seen, err := s.file.resume()
	if st == nil || err != nil || s.cfg.Reach != nil && st.Ended != "" { // what is reached is told by the search
		return err
	}
	prog.SawBefore(seen)
	s.state, s.resumed = st, true
	s.result.Counterexamples = st.Findings
	for _, f := range st.Findings {
		s.lines.add(f.Run.Finding)
	}
	for _, f := range st.Accepted {
		s.acceptedLines.add(f)
		if entry := s.accepted.Match(f); entry != nil {
			s.accept(f, entry)
		}
	}
	return nil
}

// save writes the state to disk, now or when it is time again.
func (s *search) save(now bool) {
	if !now && !s.file.due() {
		return
	}
	if s.suspend != nil {
		s.suspend()
	}
	st := *s.state
	st.Findings = s.result.Counterexamples
	if s.restart != nil {
		st.Stats = *s.restart
	}
	s.file.write(&st)
}

// begin returns the strategy of a phase, for runs by w.
func (s *search) begin(ph phase, w *worker.Worker) (strategy.Strategy, error) {
	w.Profiler.Follow(s.departures)
	sites := s.state.Visible
	if s.fixed != nil {
		sites = *s.fixed
	}
	visible := w.Visible(&schedule.Visible{Sites: sites})
	if s.state.Collects {
		visible.Objects[run.CollectorObject] = true
	}
	if s.state.GoroutinesMatter {
		visible.Objects[run.GoroutinesObject] = true
	}
	visible.HideLogs = s.cfg.reductions().Logs && !s.state.LogsMatter
	return w.Begin(ph.strategy, strategy.Config{
		Seed:      s.cfg.Seed + ph.seed,
		MaxDegree: s.cfg.MaxDegree,
		Order:     s.cfg.Order,
		Length:    ph.length,

		Symmetry:    s.cfg.reductions().Symmetry,
		AddsCommute: s.cfg.reductions().Adds && !s.state.AddsMatter,
		Rename:      s.cfg.reductions().Names,
		TellPlaces:  s.cfg.All || s.accepted.Text() != "", // a finding is accepted, or one of several, by its place
		Forget:      s.cfg.reductions().Accesses,
		Compare:     s.cfg.reductions().Knowledge,
		Unread:      s.cfg.reductions().Unread,
		Alike:       s.cfg.reductions().Alike,
		Ahead:       s.cfg.reductions().Ahead,
		Atomics:     s.cfg.reductions().Atomics,
		Solver:      s.cfg.Solver,
		Visible:     visible,
	})
}

// deadline returns a context that ends when the next phase is to begin. The last phase has
// the rest of the budget: its end is that of ctx alone, so that it is seen why the search
// stopped.
func (s *search) deadline(ctx context.Context, ph phase) (context.Context, context.CancelFunc) {
	if ph.until >= 1 {
		return context.WithCancel(ctx)
	}
	return s.cfg.Clock.WithDeadline(ctx, s.endOf(ph))
}

// failed reports whether the search ends because something was found.
func (s *search) failed() bool {
	if len(s.result.Counterexamples) == 0 {
		return false
	}
	if s.goal != nil {
		return s.foundAll()
	}
	return !s.cfg.All
}

// spent reports whether all runs have been made that may be.
func (s *search) spent() bool { return s.cfg.Runs > 0 && s.state.Stats.Runs >= s.cfg.Runs }

// left returns how many runs may still be made in a phase.
func (s *search) left(ph phase) int {
	n := math.MaxInt
	if s.cfg.Runs > 0 {
		n = s.cfg.Runs - s.state.Stats.Runs
	}
	if ph.runs > 0 {
		n = min(n, s.state.Since+ph.runs-s.state.Stats.Runs)
	}
	return n
}

// totals brings the result up to date with the state.
func (s *search) totals() {
	r, st := s.result, s.state
	t := st.total()
	r.Elapsed = s.cfg.Clock.Since(s.start)
	r.Runs, r.Counts = t.Runs, t.Counts
	r.ByDegree, r.Degree, r.Promise = st.ByDegree, st.Degree, st.Promise
	r.Shapes, r.Refused = t.Shapes.Number()
	r.Solver, r.Summaries = t.Solver, t.Summaries
	r.Branches, r.Covered = t.Covered.Count()
	r.Blocks = t.Covered.Blocks()
	r.Profile = t.Profile
	r.Open = slices.Collect(maps.Keys(t.Open))
	if !st.Finite {
		r.Open = slices.AppendSeq(r.Open, maps.Keys(t.Bounded))
		r.Open = slices.AppendSeq(r.Open, maps.Keys(t.LeftOut))
	}
	slices.Sort(r.Open)
	r.Open = slices.Compact(r.Open)
	r.Notes = slices.Sorted(maps.Keys(t.Notes))
	r.Alone = st.Alone
	r.Estimate = 0
	if n := cmp.Or(st.Size.runs(), s.early.runs()); n > 0 && st.Bound == 0 { // an estimate is of the runs within the bound
		r.Estimate = max(n, t.Runs+st.unexplored())
		if s.state.Finite {
			r.Estimate = t.Runs
		}
	}
}

// progressEvery is how often progress is reported.
const progressEvery = time.Second

func (s *search) progressDue() bool { return time.Since(s.shown) >= progressEvery }

// progress reports how far the search has come when it is time to.
func (s *search) progress() {
	if !s.progressDue() {
		return
	}
	if !s.shown.IsZero() {
		s.reportProgress()
	}
	s.shown = time.Now()
}

func (s *search) reportProgress() {
	s.totals()
	now := *s.result
	s.obs.Progress(&now)
}
