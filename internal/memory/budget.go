package memory

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// An ExceededError says that more memory is needed than there is.
type ExceededError struct {
	Limit Size // of the budget
}

func (e *ExceededError) Error() string {
	return fmt.Sprintf("memory: more is needed than -memory %v", e.Limit)
}

// Exceeded returns the [ExceededError] for which ctx was cancelled, nil if there is none.
func Exceeded(ctx context.Context) *ExceededError {
	exceeded := (*ExceededError)(nil)
	errors.As(context.Cause(ctx), &exceeded)
	return exceeded
}

// Reason returns err, or the [ExceededError] for which ctx was cancelled if there is one and err
// says that ctx was cancelled.
func Reason(ctx context.Context, err error) error {
	if exceeded := Exceeded(ctx); exceeded != nil && errors.Is(err, context.Canceled) {
		return exceeded
	}
	return err
}

// A Budget bounds the memory of the process. A nil Budget has no limit.
type Budget struct {
	limit Size
	// usage returns the memory of the process; collect collects garbage first.
	usage   func() usage
	collect func()
	now     func() time.Time

	mu     sync.Mutex
	shares []*Share
	short  []func()
	freed  time.Time // when a share has ended for want of memory; zero when garbage has been collected since

	looked  atomic.Int64 // when the memory was last looked at, in nanoseconds
	looking sync.Mutex   // held while it is
	// These are guarded by looking.
	collected time.Time // when garbage was last collected for want of memory
	drops     bool      // what can be done without was let go of, and memory has been short since
}

// NewBudget returns a budget of the process with a limit.
func NewBudget(limit Size) *Budget {
	return &Budget{limit: limit, usage: readUsage, collect: debug.FreeOSMemory, now: time.Now}
}

// Limit returns the limit of b.
func (b *Budget) Limit() Size { return b.limit }

// The part of the limit that is for what the host's garbage collector has not collected yet
// is what is left above these thresholds.
const (
	// collectAt is the memory at which garbage is collected however little has come since
	// the last time.
	collectAt = 0.8
	// shortAt and exceededAt are how much that is not garbage makes memory short, and has a
	// share cancelled.
	shortAt    = 0.4
	exceededAt = 0.45
	// hardAt is how much makes the watch see at once how much of it is garbage.
	hardAt = 0.9
)

// Goal returns the limit for the host's garbage collector.
func (s Size) Goal() int64 { return int64(float64(s) * collectAt) }

// RunLimit returns how much memory one run may take of a limit of s, most at most. Several runs
// are made at the same time, and with each comes what is recorded of it and what the search
// knows.
func (s Size) RunLimit(most Size) Size { return min(s/8, most) }

// OnShort has fn called when memory is short: fn lets go of what can be done without.
func (b *Budget) OnShort(fn func()) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.short = append(b.short, fn)
}

// A Share is the part of a budget that one search has. A nil Share is of no budget.
type Share struct {
	budget    *Budget
	cancel    context.CancelCauseFunc
	gauges    []*Gauge
	short     func()    // called when memory is short; nil for none
	cancelled time.Time // for want of memory; zero if it has not been
}

// A Gauge shows about how many bytes a part of the owner of a share holds.
type Gauge struct {
	budget *Budget
	held   atomic.Int64
}

// Hold notes that about so many bytes are held, and that next bytes are about to be allocated
// at once. It may collect garbage first to make room for them, and it watches the memory of
// the process when the goroutine that does is late: whoever allocates fast may keep that from
// running.
func (g *Gauge) Hold(held, next int64) {
	g.held.Store(held)
	b := g.budget
	if b == nil {
		return
	}
	now := b.now()
	if next > 0 && b.usage().total+Size(next) >= b.at(hardAt) && b.looking.TryLock() {
		b.collect()
		b.looking.Unlock()
	}
	if now.Sub(time.Unix(0, b.looked.Load())) >= 2*watchEvery {
		b.look(now)
	}
}

// Begin begins a share. The context is cancelled when the share has to end for want of
// memory.
func (b *Budget) Begin(ctx context.Context) (context.Context, *Share) {
	if b == nil {
		return ctx, nil
	}
	s := &Share{budget: b}
	ctx, s.cancel = context.WithCancelCause(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shares = append(b.shares, s)
	return ctx, s
}

// Gauge returns a new gauge, which counts for s.
func (s *Share) Gauge() *Gauge {
	g := new(Gauge)
	if s != nil {
		g.budget = s.budget
		s.budget.mu.Lock()
		defer s.budget.mu.Unlock()
		s.gauges = append(s.gauges, g)
	}
	return g
}

// OnShort has fn called when memory is short, as [Budget.OnShort] does, in place of what was called
// before. It is not called any more when the share has ended, and none is if it is nil.
func (s *Share) OnShort(fn func()) {
	if s == nil {
		return
	}
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.short = fn
}

// held returns what the gauges of s show.
func (s *Share) held() int64 {
	sum := int64(0)
	for _, g := range s.gauges {
		sum += g.held.Load()
	}
	return sum
}

// End ends the share. What its owner has held is garbage soon.
func (s *Share) End() {
	if s == nil {
		return
	}
	s.cancel(nil)
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shares = slices.DeleteFunc(b.shares, func(other *Share) bool { return other == s })
	if !s.cancelled.IsZero() {
		b.freed = b.now()
	}
}

// watchEvery is how often the memory of the process is looked at.
const watchEvery = 10 * time.Millisecond

// Watch compares the memory of the process with the limit until ctx ends.
func (b *Budget) Watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			b.look(now)
		}
	}
}

const (
	// relief is how long a collection of garbage has time to show what it has brought.
	relief = 200 * time.Millisecond
	// settling is how long it takes until what a share has held that has ended is garbage.
	settling = 100 * time.Millisecond
	// patience is how long a share has to end that has been cancelled, before another one is.
	patience = 2 * time.Second
)

// look looks at the memory of the process once.
func (b *Budget) look(now time.Time) {
	if !b.looking.TryLock() {
		return // somebody else does
	}
	defer b.looking.Unlock()
	b.looked.Store(now.UnixNano())
	freed := b.freedAt()
	if now.Sub(freed) < settling {
		return
	}
	u := b.usage()
	if !freed.IsZero() || now.Sub(b.collected) >= relief && (u.live >= b.at(exceededAt) || u.total >= b.at(hardAt)) {
		b.collect()
		b.settle(freed)
		b.collected = now
		u = b.usage()
	}
	switch {
	case now.Sub(b.collected) < relief && u.live >= b.at(exceededAt), u.total >= b.limit:
		b.letGo()
		b.exceeded(now)
	case u.live >= b.at(shortAt):
		b.letGo()
	default:
		b.drops = false
	}
}

// freedAt returns when a share has ended for want of memory, the zero time if garbage has been
// collected since.
func (b *Budget) freedAt() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.freed
}

// settle notes that garbage has been collected since a share ended at the given time.
func (b *Budget) settle(freed time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed.Equal(freed) {
		b.freed = time.Time{}
	}
}

// at returns a part of the limit.
func (b *Budget) at(part float64) Size { return Size(float64(b.limit) * part) }

// letGo has everybody let go of what can be done without, once for each time that memory is
// short.
func (b *Budget) letGo() {
	if b.drops {
		return
	}
	b.drops = true
	b.mu.Lock()
	short := slices.Clone(b.short)
	for _, s := range b.shares {
		if s.short != nil {
			short = append(short, s.short)
		}
	}
	b.mu.Unlock()
	for _, fn := range short {
		fn()
	}
}

// exceeded cancels the share that holds most, unless one that has been cancelled is about to
// end.
func (b *Budget) exceeded(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.freed.IsZero() {
		return
	}
	var most *Share
	for _, s := range b.shares {
		switch {
		case s.cancelled.IsZero():
			if most == nil || s.held() > most.held() {
				most = s
			}
		case now.Sub(s.cancelled) < patience:
			return
		}
	}
	if most != nil {
		most.cancelled = now
		most.cancel(&ExceededError{b.limit})
	}
}
