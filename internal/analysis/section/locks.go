package section

import (
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/schedule"
)

// Locks are the locks of a schedule so far.
type Locks struct {
	// Shared are those that more than one goroutine has taken since the last call of Forget.
	Shared   []*Lock
	relation *ideal.Relation
	byCell   map[schedule.Cell]*Lock
}

// New returns the locks before the first event of the schedule that r follows.
func New(r *ideal.Relation) *Locks {
	return &Locks{relation: r, byCell: make(map[schedule.Cell]*Lock)}
}

// Event takes an operation of a lock into account, that is, after the relation has. It ignores other events.
func (l *Locks) Event(e *schedule.Event) {
	switch e.Op {
	case schedule.Lock, schedule.RLock:
		k := l.byCell[e.Cell()]
		if k == nil {
			k = &Lock{sections: make(map[schedule.GoroutineID][]*Section)}
			l.byCell[e.Cell()] = k
		}
		before := len(k.order)
		k.acquire(e, l.relation.Epoch(e.Goroutine))
		if before == 1 && len(k.order) == 2 {
			l.Shared = append(l.Shared, k)
		}
	case schedule.Unlock, schedule.RUnlock:
		if k := l.byCell[e.Cell()]; k != nil {
			k.releases(e, l.relation.Share(e.Goroutine))
		}
	}
}

// Forget drops the sections that have ended, when the relation has been cut.
func (l *Locks) Forget() {
	l.Shared = l.Shared[:0]
	for c, k := range l.byCell {
		k.forget(l.relation)
		if len(k.order) == 0 {
			delete(l.byCell, c)
		}
		if len(k.order) > 1 {
			l.Shared = append(l.Shared, k)
		}
	}
}
