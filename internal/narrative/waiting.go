package narrative

import (
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// waiting is what the goroutines of a finding hold and wait for at the end of a run.
type waiting struct {
	run    *schedule.Run
	held   map[cell][]holding // by lock, who holds it
	wanted map[cell]bool      // locks that a goroutine of the finding waits for
}

// A holding is a goroutine that holds a lock, with the event that took it.
type holding struct {
	goroutine string
	event     int
}

func newWaiting(r *schedule.Run) *waiting {
	w := &waiting{run: r, held: make(map[cell][]holding), wanted: make(map[cell]bool)}
	for i := range r.Events {
		e := &r.Events[i]
		c, ok := cellOf(e)
		if !ok {
			continue
		}
		switch {
		case takes(e.Op):
			w.held[c] = append(w.held[c], holding{e.Goroutine, i})
		case e.Op == schedule.Unlock, e.Op == schedule.RUnlock:
			w.release(c, e.Goroutine)
		}
	}
	for one := range r.Finding.All() {
		if c, ok := lockOf(one); ok {
			w.wanted[c] = true
		}
	}
	return w
}

// release notes that a goroutine has unlocked a lock, which another one may have locked.
func (w *waiting) release(c cell, g string) {
	list := w.held[c]
	i := slices.IndexFunc(list, func(h holding) bool { return h.goroutine == g })
	if i < 0 && len(list) > 0 {
		i = 0
	}
	if i >= 0 {
		w.held[c] = slices.Delete(list, i, i+1)
	}
}

// lockOf returns the lock that a goroutine waits for, and false if it waits for something else.
func lockOf(f *schedule.Finding) (cell, bool) {
	if len(f.Waits) != 1 || f.Waits[0].Object == nil {
		return cell{}, false
	}
	switch f.Waits[0].Op {
	case schedule.Lock, schedule.RLock, schedule.LockIntent:
		return cell{*f.Waits[0].Object, f.Waits[0].Offset}, true
	}
	return cell{}, false
}

// holder returns who holds what a goroutine waits for, and false if nobody does.
func (w *waiting) holder(f *schedule.Finding) (holding, bool) {
	c, ok := lockOf(f)
	if !ok || len(w.held[c]) == 0 {
		return holding{}, false
	}
	return w.held[c][len(w.held[c])-1], true
}

// circle returns goroutines of the finding each of which waits for a lock that the next one holds, and
// the last one for one that the first one holds. It is nil if there are none.
func (w *waiting) circle() []*schedule.Finding {
	byName := make(map[string]*schedule.Finding)
	for one := range w.run.Finding.All() {
		byName[one.Goroutine] = one
	}
	for first := range w.run.Finding.All() {
		var path []*schedule.Finding
		for f := first; f != nil; {
			if i := slices.Index(path, f); i >= 0 {
				return path[i:]
			}
			path = append(path, f)
			h, ok := w.holder(f)
			if !ok {
				break
			}
			f = byName[h.goroutine]
		}
	}
	return nil
}
