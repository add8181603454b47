package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/fault"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Targets searches several targets, up to cfg.Workers at the same time, and reports to obs.
// Tests that call T.Parallel and share variables are searched once more, together.
// A search that cannot go on because of an error, or of a panic of everyway's own, is reported
// and ends; the others do not. Targets returns the first of these errors; findings are no errors.
// When ctx ends, the searches under way end with what they have found.
func Targets(ctx context.Context, prog *program.Program, targets []load.Target, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	cfg.everyway = executable()
	mix, err := cfg.phases()
	if err != nil {
		return err
	}
	cfg.Reach.share(targets)
	return newQueue(prog, targets, cfg, mix, newSerial(obs)).run(ctx)
}

// A queue shares the cores, and the total of the time if there is one, among the searches of
// several targets. Each target has a short turn first, in which most searches come to their
// end. Those that do not are paused and continue in the order in which they are likely to bring
// something. What a search does follows from its settings: when it has its turns only decides
// how far it comes.
type queue struct {
	prog     *program.Program
	cfg      Config
	mix      []phase
	cores    cores
	obs      verdict.Observer
	binaries map[string]*binary
	end      time.Time // when the total is spent, zero if there is none
	share    time.Duration
	first    time.Duration // of the first turn of a search

	mu      sync.Mutex
	changed *sync.Cond
	fresh   []*entry // whose searches have not begun, the next one first
	paused  []*entry
	busy    int   // entries that have their turn
	failed  bool  // a target fails
	entries int   // so far
	err     error // the first of a search
}

// An entry is a target in a queue.
type entry struct {
	target *load.Target
	binary *binary
	group  bool     // it is several tests of the binary, together
	open   []string // why holds cannot be claimed of it
	rank   int
	number int // in the order in which entries came

	search  *search // nil before its first turn
	covered int     // branches when its last turn began
	news    float64 // branches that its last turn has covered, for each second
}

// The first turn of a search takes a firstShare of its budget or, if there is a total, at most
// half of what the total allows each target, but at least firstLeast.
const (
	firstShare = 20
	firstLeast = 200 * time.Millisecond
)

// newQueue returns a queue of targets.
func newQueue(prog *program.Program, targets []load.Target, cfg Config, mix []phase, obs verdict.Observer) *queue {
	q := &queue{
		prog: prog, cfg: cfg, mix: mix, cores: newCores(cfg.Workers), obs: obs,
		binaries: binaries(prog, targets, cfg.Memory, obs),
		share:    cfg.Budget,
		first:    cfg.Budget / firstShare,
	}
	q.changed = sync.NewCond(&q.mu)
	if cfg.Total > 0 && len(targets) > 0 {
		q.end = cfg.Clock.Now().Add(cfg.Total)
		q.share = min(q.share, cfg.Total*time.Duration(cfg.Workers)/time.Duration(len(targets)))
		q.first = min(q.first, q.share/2)
	}
	q.first = max(q.first, firstLeast)
	for i := range targets {
		q.add(&entry{target: &targets[i], binary: q.binaries[targets[i].Package.Binary()]})
	}
	return q
}

// add adds an entry that has not begun.
func (q *queue) add(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e.number = q.entries
	q.entries++
	if q.cfg.Rank != nil {
		e.rank = q.cfg.Rank(e.target)
	}
	at := len(q.fresh)
	for at > 0 && q.fresh[at-1].rank > e.rank {
		at--
	}
	q.fresh = slices.Insert(q.fresh, at, e)
	q.changed.Signal()
}

// run searches all targets.
func (q *queue) run(ctx context.Context) error {
	if !q.end.IsZero() {
		limited, cancel := q.cfg.Clock.WithDeadlineCause(ctx, q.end, totalSpent(q.cfg.Total))
		defer cancel()
		ctx = limited
	}
	var group errgroup.Group
	for range q.cfg.Workers {
		group.Go(func() (err error) {
			defer fault.Catch(&err)
			for e := q.next(); e != nil; e = q.next() {
				q.turn(ctx, e)
				q.put(e)
			}
			return nil
		})
	}
	return cmp.Or(group.Wait(), q.err)
}

// next takes the entry that has the next turn. It waits if there is none as long as another has
// its turn and may be paused; then it returns nil.
func (q *queue) next() *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case len(q.fresh) > 0:
			e := q.fresh[0]
			q.fresh = q.fresh[1:]
			q.busy++
			return e
		case len(q.paused) > 0:
			i := 0
			for k := range q.paused {
				if q.compare(q.paused[k], q.paused[i]) < 0 {
					i = k
				}
			}
			e := q.paused[i]
			q.paused = slices.Delete(q.paused, i, i+1)
			q.busy++
			return e
		case q.busy == 0:
			return nil
		}
		q.changed.Wait()
	}
}

// put takes an entry back after its turn.
func (q *queue) put(e *entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	if e.search != nil && e.search.paused {
		q.paused = append(q.paused, e)
	}
	q.changed.Broadcast()
}

// others reports whether an entry waits for its turn.
func (q *queue) others() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.fresh)+len(q.paused) > 0
}

// turn lets an entry have its turn. The time that it waits for a core is not the search's. An
// error ends the entry and no other.
func (q *queue) turn(ctx context.Context, e *entry) {
	if err := q.cores.take(ctx); err == nil {
		defer q.cores.release()
	}
	var r *verdict.Result
	err := fault.Do(func() (err error) {
		r, err = q.search(ctx, e)
		return err
	})
	if err != nil {
		r = q.fail(e, err)
	}
	if r == nil {
		return
	}
	if err := fault.Do(func() error { return q.ended(ctx, e, r) }); err != nil {
		q.fail(&entry{target: e.binary.together}, err)
	}
}

// search lets the search of an entry have its turn, and returns its result if it has ended.
func (q *queue) search(ctx context.Context, e *entry) (*verdict.Result, error) {
	if why := q.stopped(ctx); why != "" {
		return q.stop(ctx, e, why), nil
	}
	if e.search == nil {
		if kept := q.cfg.kept(q.prog, e.target, e.open, q.obs); kept != nil {
			return kept, nil
		}
		s, err := newSearch(q.prog, e.target, q.cfg, q.mix, q.cores, q.obs)
		if err != nil {
			return nil, err
		}
		e.search = s
		e.search.share = q.share
		e.search.givenUp = e.open
	}
	s, before := e.search, e.search.used
	if err := s.advance(ctx, q.prog, e.binary.machines, e.target,
		turn{first: before == 0, slice: q.slice(e), others: q.others}); err != nil {
		return nil, err
	}
	if !s.paused {
		return s.result, nil
	}
	e.news = float64(s.result.Covered-e.covered) / (s.used - before).Seconds()
	e.covered = s.result.Covered
	return nil, nil
}

// stopped says why no search begins or continues, "" if they do.
func (q *queue) stopped(ctx context.Context) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return stopReason(ctx)
	case q.cfg.FailFast && q.failed:
		return "another target fails (-failfast)"
	}
	return ""
}

// stop ends a search that waits for its turn. One that has not begun is open only if that is for
// want of time; otherwise it has no verdict, and there is no result.
func (q *queue) stop(ctx context.Context, e *entry, why string) *verdict.Result {
	if e.search == nil {
		if isTotalSpent(ctx) {
			reportOpen(q.obs, q.prog, e.target, append(e.open, why+" before the search began"))
			q.cfg.Keeper.Miss(e.target)
		} else {
			q.obs.Unbegun(e.target.Package.Path, e.target.Name)
		}
		return nil
	}
	e.search.stop(ctx, q.prog, e.target, why)
	e.search.paused = false
	return e.search.result
}

// slice returns how long the turn of an entry is.
func (q *queue) slice(e *entry) time.Duration {
	if e.search.used == 0 {
		return q.first
	}
	if q.end.IsZero() {
		return math.MaxInt64 // each has its budget
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	rest := q.cfg.Budget - e.search.used
	for _, other := range q.paused {
		rest += q.cfg.Budget - other.search.used
	}
	left := time.Until(q.end) * time.Duration(q.cfg.Workers)
	if left >= rest {
		return math.MaxInt64
	}
	// Writing and reading the state is to take a small part of the time.
	return max(left/time.Duration(2*(len(q.paused)+1)), q.first, saveShare*e.search.file.took)
}

// compare orders paused entries by what their searches are likely to bring: those of low rank
// come first, then those that will come to their end within their budgets, the nearest first,
// then those that have covered most branches of late, then those that have had least time.
func (q *queue) compare(a, b *entry) int {
	return cmp.Or(
		cmp.Compare(a.rank, b.rank),
		cmp.Compare(q.near(a), q.near(b)),
		cmp.Compare(b.news, a.news),
		cmp.Compare(a.search.used, b.search.used),
		cmp.Compare(a.number, b.number),
	)
}

// near returns how long the search of an entry will still take, if that is known and within the
// budget, and otherwise infinity.
func (q *queue) near(e *entry) float64 {
	r := e.search.result
	if r.Runs == 0 || r.Estimate <= r.Runs {
		return math.Inf(1)
	}
	left := e.search.used.Seconds() * float64(r.Estimate-r.Runs) / float64(r.Runs)
	if left > (q.cfg.Budget - e.search.used).Seconds() {
		return math.Inf(1)
	}
	return left
}

// ended notes the result of an entry, and adds the tests that are to be searched together if
// this was the last of them.
func (q *queue) ended(ctx context.Context, e *entry, r *verdict.Result) error {
	q.mu.Lock()
	q.failed = q.failed || r.Verdict == verdict.Fails
	stop := q.cfg.FailFast && q.failed
	q.mu.Unlock()
	e.search = nil // it is not needed any more
	defer e.binary.done()
	if e.group || q.cfg.Reach != nil || !e.binary.searched(e.target, r) || stop {
		return nil
	}
	groups, err := e.binary.groups(ctx, q.cfg)
	if err != nil {
		return err
	}
	for i := range groups {
		if g := &groups[i]; g.searched {
			e.binary.begin()
			q.add(&entry{target: &g.Target, binary: e.binary, group: true, open: g.open})
		} else {
			reportOpen(q.obs, q.prog, &g.Target, g.open)
			q.cfg.Keeper.Miss(&g.Target)
		}
	}
	return nil
}

// reportOpen reports a target that is not searched, and returns the result.
func reportOpen(obs verdict.Observer, prog *program.Program, target *load.Target, open []string) *verdict.Result {
	r := &verdict.Result{Package: target.Package.Path, Target: target.Name, Root: prog.RootOf(target.Package)}
	r.Verdict, r.Degree, r.Open = verdict.Open, -1, open
	obs.Started(r.Package, r.Target)
	obs.Ended(r)
	return r
}
