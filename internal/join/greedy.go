package join

import (
	"context"
	"math"

	"github.com/everyway-go/everyway/schedule"
)

// A greedy extends a path as far as it can without taking anything back. What is safe, since it keeps nothing else
// from being done, is done at once. Among the rest it takes what destroys least.
type greedy struct {
	*path
	work       []int // threads to be looked at
	queued     []bool
	candidates []int   // threads whose next event is not safe
	asleep     [][]int // by key: threads that can go on at the earliest when something is done with it
	touched    []int32 // keys; scratch of section
}

func newGreedy(p *path) *greedy {
	return &greedy{path: p, queued: make([]bool, len(p.threads)), asleep: make([][]int, len(p.keys))}
}

// begin looks at all threads anew.
func (g *greedy) begin() {
	for k := range g.asleep {
		g.asleep[k] = g.asleep[k][:0]
	}
	g.work, g.candidates = g.work[:0], g.candidates[:0]
	clear(g.queued)
	for th := len(g.threads) - 1; th >= 0; th-- {
		g.wake(th)
	}
}

// wake has a thread looked at.
func (g *greedy) wake(thread int) {
	if !g.queued[thread] {
		g.queued[thread] = true
		g.work = append(g.work, thread)
	}
}

// extend does as much as it can. It reports whether everything is done.
func (g *greedy) extend(ctx context.Context) (bool, error) {
	g.begin()
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		for len(g.work) > 0 {
			th := g.work[len(g.work)-1]
			g.work = g.work[:len(g.work)-1]
			g.queued[th] = false
			g.advance(th)
		}
		if !g.choose() {
			return len(g.done) == len(g.events), nil
		}
	}
}

// advance does what a thread can safely do.
func (g *greedy) advance(thread int) {
	for {
		i := g.next(thread)
		if i == none || g.missing[i] > 0 {
			return // what it needs wakes it
		}
		if !g.safe(i) {
			g.candidates = append(g.candidates, thread)
			return
		}
		if !g.do(i) {
			return
		}
	}
}

// do does an event, and wakes those who may have waited for it. If it is not possible, its thread sleeps.
func (g *greedy) do(i int32) bool {
	thread := g.threadOf(i)
	if g.try(i) != nil {
		if k, _ := g.obstacle(i); k != none {
			g.asleep[k] = append(g.asleep[k], thread)
		}
		return false
	}
	if k := g.of[i]; k != none {
		for _, th := range g.asleep[k] {
			g.wake(th)
		}
		g.asleep[k] = g.asleep[k][:0]
	}
	for _, j := range g.needs.after[i] {
		if th := g.threadOf(j); g.missing[j] == 0 && g.path.next(th) == j {
			g.wake(th)
		}
	}
	return true
}

// safe reports whether an event that is possible can be done without keeping anything else from being done later.
func (g *greedy) safe(i int32) bool {
	k := g.of[i]
	if k == none {
		return g.events[i].Op != schedule.BubbleIdle
	}
	at := &g.keys[k]
	if !at.shared {
		return true
	}
	switch e := &g.events[i]; e.Op {
	case schedule.Read, schedule.AtomicRead:
		return at.exact && at.now != none
	case schedule.Unlock, schedule.RUnlock, schedule.WaitGroupWait, schedule.CondWait, schedule.CondWake,
		schedule.SemRelease, schedule.Once, schedule.OnceSeen, schedule.RecvClosed, schedule.LenChan, schedule.LockIntent:
		return true
	case schedule.Recv:
		return at.gets >= 0 && !at.reads && !at.timer
	case schedule.Close:
		return !at.reads
	case schedule.WaitGroupAdd:
		return e.Number < 0
	}
	return false
}

// Ranks of what is not safe. The least is done first.
const (
	wanted = iota // somebody needs it
	usual
	doubtful
	unwise           // it destroys what somebody needs, but that can come again
	idle             // only when nothing else can be done
	forbidden = 1000 // it destroys what somebody needs, for ever
)

// choose does the candidate that destroys least. It reports false if there is none.
func (g *greedy) choose() bool {
	for {
		best, least, time := -1, forbidden, int64(math.MaxInt64)
		for c, thread := range g.candidates {
			i := g.path.next(thread)
			rank := g.rank(i)
			if at := g.events[i].Time; rank < least || rank == least && at < time && rank != forbidden {
				best, least, time = c, rank, at
			}
			if least == wanted && time == 0 {
				break
			}
		}
		if best < 0 {
			return false
		}
		thread := g.candidates[best]
		g.candidates = append(g.candidates[:best], g.candidates[best+1:]...)
		if g.do(g.path.next(thread)) {
			g.wake(thread)
			return true
		}
	}
}

// rank says how much an event that is not safe destroys.
func (g *greedy) rank(i int32) int {
	e := &g.events[i]
	if e.Op == schedule.BubbleIdle {
		return idle
	}
	k := &g.keys[g.of[i]]
	switch e.Op {
	case schedule.Read, schedule.AtomicRead:
		if r := g.read[i]; r != none && g.tallies[r].writes > 0 {
			return doubtful // what was there at first is not known
		}
		return usual
	case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate:
		return g.rankWrite(i, k)
	case schedule.Lock, schedule.RLock:
		return g.rankSection(i)
	case schedule.TryFail, schedule.TimerFire:
		return doubtful
	case schedule.Send:
		return g.rankSend(i, k)
	case schedule.WaitGroupAdd:
		if k.raised > 0 && k.asked > 0 && g.state.Counter(schedule.Cell{Object: g.object[e.Object], Offset: e.Offset}) == 0 {
			return doubtful // a wait may come before
		}
	case schedule.CondSignal:
		if e.Child < 0 && k.sleeps > 0 {
			return unwise // one who is to be woken may not wait yet
		}
	case schedule.SemAcquire:
		if k.level <= 0 {
			return doubtful
		}
	}
	return usual
}

// rankWrite is rank for a write or an update.
func (g *greedy) rankWrite(i int32, k *key) int {
	now := k.now
	if now == none {
		now = k.first
	}
	w := g.wrote[i]
	if w == none || now == none || w == now {
		return usual
	}
	switch others := g.demanded(now, i); {
	case others && g.tallies[now].supply == 0:
		return forbidden
	case others:
		return unwise
	case g.read[i] != none || g.tallies[w].demand > 0:
		return wanted
	}
	return usual
}

// demanded reports whether another thread than that of event i is to read a value next. Event i is the next
// one of its thread with the cell.
func (g *greedy) demanded(value, i int32) bool {
	own := int32(0)
	if g.read[i] == value {
		own = 1
	}
	return g.tallies[value].demand > own
}

// farthest is how far section looks.
const farthest = 500

// rankSection is rank for the acquisition of a lock: sections are tried only if all that they read
// is there, and what they overwrite nobody needs.
func (g *greedy) rankSection(i int32) int {
	thread := g.threadOf(i)
	list := g.threads[thread].events[g.events[i].Index+1:]
	g.touched = g.touched[:0]
	for _, j := range list[:min(len(list), farthest)] {
		if g.of[j] == g.of[i] {
			break
		}
		switch rank := g.rankWithin(j); {
		case rank == forbidden:
			return forbidden - 1
		case rank > usual:
			return rank
		}
	}
	return usual
}

// rankWithin is rank for event j of a section that is not begun yet.
func (g *greedy) rankWithin(j int32) int {
	if g.of[j] == none {
		return usual
	}
	k := &g.keys[g.of[j]]
	if g.events[j].Op == schedule.CondSignal && g.events[j].Child < 0 && k.sleeps > 0 {
		return unwise
	}
	if !k.exact || !k.shared {
		return usual
	}
	for _, t := range g.touched {
		if t == g.of[j] {
			return usual
		}
	}
	g.touched = append(g.touched, g.of[j])
	now := k.now
	if now == none {
		now = k.first
	}
	r, w := g.read[j], g.wrote[j]
	switch {
	case now == none:
		return usual
	case r != none && r != now:
		return unwise // somebody has to write it before, who may need the lock
	case w != none && w != now && g.demanded(now, j):
		if g.tallies[now].supply == 0 {
			return forbidden
		}
		return unwise
	}
	return usual
}

// rankSend is rank for a send.
func (g *greedy) rankSend(i int32, k *key) int {
	if k.gets < 0 || k.timer {
		return g.rankForSeveral(i)
	}
	// One goroutine receives all: the value has its place.
	ahead := k.level
	for j := g.nextWith(int(k.gets)+1, g.of[i]); j != none; j = g.uses.next[j] {
		r := &g.events[j]
		if r.Op != schedule.Recv {
			continue
		}
		if ahead > 0 {
			ahead--
			continue
		}
		s := &g.events[i]
		if r.Value.Kind == s.Value.Kind && r.Value.Bits != s.Value.Bits {
			return forbidden
		}
		return wanted
	}
	return doubtful // nobody receives it
}

// rankForSeveral is rank for a send on a channel from which several goroutines receive: those that
// wait to receive may want another value.
func (g *greedy) rankForSeveral(i int32) int {
	rank := usual
	for _, thread := range g.asleep[g.of[i]] {
		r, s := g.path.next(thread), &g.events[i]
		if g.events[r].Op != schedule.Recv || g.of[r] != g.of[i] {
			continue
		}
		if v := g.events[r].Value; v.Kind != s.Value.Kind || v.Bits == s.Value.Bits {
			return wanted
		}
		rank = doubtful
	}
	return rank
}

// nextWith returns the next event of a thread with a key, or none.
func (p *path) nextWith(thread int, k int32) int32 {
	list := p.threads[thread].events
	for i := p.at[thread]; int(i) < len(list) && i < p.at[thread]+farthest; i++ {
		if p.of[list[i]] == k {
			return list[i]
		}
	}
	return none
}
