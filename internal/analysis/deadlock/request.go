package deadlock

import (
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/analysis/wait"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A request is a step at which a goroutine may wait: for a lock, or for others by a channel or a wait group. What
// acquisitions of a lock at one place have in common that may be part of the same deadlocks is one request.
type request struct {
	steps  []int // of the window
	thread schedule.GoroutineID
	cell   schedule.Cell
	shared bool // for reading
	writer bool // of a RWMutex: readers wait for it
	held   []schedule.Held
	wait   *wait.Wait // of a request that is not for a lock
	next   order.Lit  // one of the steps is next, if that was asked
	asked  bool
}

// requests returns the requests of the window.
func (d *detector) requests() []*request {
	d.waits.Next(d.Steps)
	waits := map[int]*wait.Wait{}
	for i := range d.Steps {
		if w := d.waits.Of(i); w != nil && len(w.Partners) > 0 {
			waits[i] = w
		}
	}
	var list []*request
	known := map[string]*request{}
	for i := range d.Steps {
		s := &d.Steps[i]
		if w := waits[i]; w != nil {
			list = append(list, &request{steps: []int{i}, thread: s.Goroutine, cell: s.Site.Cell, held: s.Held, wait: w})
			continue
		}
		lock, shared := s.Site.Op == schedule.Lock, s.Site.Op == schedule.RLock
		writer := lock && s.Lock == schedule.RWMutex
		if !lock && !shared || s.Try || len(s.Held) == 0 && !writer && len(waits) == 0 {
			continue
		}
		if lock && slices.ContainsFunc(s.Held, func(h schedule.Held) bool { return h.Cell == s.Site.Cell }) {
			continue // of a lock that can be taken twice
		}
		key := keyOf(s)
		r := known[key]
		if r == nil {
			r = &request{thread: s.Goroutine, cell: s.Site.Cell, shared: shared, writer: writer, held: s.Held}
			known[key] = r
			list = append(list, r)
		}
		r.steps = append(r.steps, i)
	}
	return list
}

// keyOf returns a text that steps have in common that are one request.
func keyOf(s *reorder.Step) string {
	numbers := []int64{int64(s.Goroutine), int64(s.Site.Op), int64(s.Site.Location), int64(s.Site.Cell.Object), s.Site.Cell.Offset}
	for _, h := range s.Held {
		shared := int64(0)
		if h.Shared {
			shared = 1
		}
		numbers = append(numbers, int64(h.Cell.Object), h.Cell.Offset, shared)
	}
	var key []byte
	for _, n := range numbers {
		key = binary.AppendVarint(key, n)
	}
	return string(key)
}

// occupied returns the locks at which others may wait for r.
func (r *request) occupied() []schedule.Cell {
	var cells []schedule.Cell
	for _, h := range r.held {
		if !slices.Contains(cells, h.Cell) {
			cells = append(cells, h.Cell)
		}
	}
	if r.writer && !slices.Contains(cells, r.cell) {
		cells = append(cells, r.cell)
	}
	return cells
}

// waitsFor reports whether r waits as long as s does, and which of the locks that s holds is the reason. It is
// none if r waits for s to have written, or for what the goroutine of s does later.
func (d *detector) waitsFor(r, s *request) (held int, ok bool) {
	if r.wait != nil {
		p := r.wait.Partner(d.Steps, s.thread)
		return -1, p >= 0 && d.Steps[s.steps[0]].Time < d.Steps[p].Time
	}
	wanted := []schedule.Held{{Cell: r.cell, Shared: r.shared}}
	for i := range s.held {
		if d.Exclude(wanted, s.held[i:i+1]) {
			return i, true
		}
	}
	return -1, r.shared && s.writer && s.cell == r.cell
}
