package leak

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/wait"
	"github.com/everyway-go/everyway/schedule"
)

// A history is what the whole schedule, and not only a window, says against a leak.
type history struct {
	*wait.Ends
	returns map[selected]bool                   // cases of selects after which goroutines have come back to them
	loops   map[schedule.LocationID]bool        // selects to which goroutines have come back
	last    map[schedule.GoroutineID][]selected // the last case of each select of a goroutine
	timers  map[schedule.ObjectID]bool          // those that call functions: whether they may still do so
}

// A selected is a case of a select at a place in the program.
type selected struct {
	at     schedule.LocationID
	number int32
}

func newHistory() *history {
	return &history{
		Ends: wait.NewEnds(), returns: make(map[selected]bool), loops: make(map[schedule.LocationID]bool), last: make(map[schedule.GoroutineID][]selected), timers: make(map[schedule.ObjectID]bool),
	}
}

// note takes an event into account.
func (h *history) note(e *schedule.Event) {
	h.Note(e)
	switch e.Op {
	case schedule.New:
		if e.Kind == schedule.TimerObject {
			h.timers[e.Object] = false
		}
	case schedule.TimerSet, schedule.TimerFire:
		if _, ok := h.timers[e.Object]; ok {
			h.timers[e.Object] = e.Op == schedule.TimerSet
		}
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.SelectDefault:
		h.selects(e)
	case schedule.End:
		delete(h.last, e.Goroutine)
	}
}

// selects notes that a goroutine has taken a case of a select, if e is one.
func (h *history) selects(e *schedule.Event) {
	if len(e.Cases) == 0 || e.Location == 0 {
		return
	}
	now := selected{e.Location, e.Case}
	if e.Op == schedule.SelectDefault {
		now.number = schedule.NoCase
	}
	list := h.last[e.Goroutine]
	i := slices.IndexFunc(list, func(s selected) bool { return s.at == now.at })
	if i < 0 {
		h.last[e.Goroutine] = append(list, now)
		return
	}
	h.returns[list[i]], h.loops[now.at] = true, true
	list[i] = now
}

// comesBack reports whether a goroutine has come back to a select after it had taken a case of it.
// Where it has come back at all, it does so after the default case: it polls.
func (h *history) comesBack(at schedule.LocationID, number int32) bool {
	return h.returns[selected{at, number}] || number == schedule.NoCase && h.loops[at]
}

// mayEnd reports whether something in the schedule, or that is not in it, may end the wait of the
// goroutine of the last site of a finding.
func (h *history) mayEnd(f *found) bool {
	if h.Since(f.mark) {
		return true
	}
	for _, c := range f.on {
		if c.Op == schedule.Recv && c.Object != 0 && h.Never(c) && h.timerRuns() {
			return true // the function of the timer may close the channel
		}
	}
	for _, s := range f.Sites {
		if s.Turn != nil && h.comesBack(s.Location, s.Turn.Case) {
			return true
		}
	}
	return false
}

// timerRuns reports whether a timer may still call a function.
func (h *history) timerRuns() bool {
	for _, runs := range h.timers {
		if runs {
			return true
		}
	}
	return false
}
