package join

import (
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A waiting is one time that a goroutine waits for a condition.
type waiting struct {
	wait, wake int // -1 for a wake that is not in the window
	// served are the literals that a signal is for this time.
	served []order.Lit
}

// addWakes states who is woken by whom: a goroutine wakes after something that signals while it
// waits, and a signal to a goroutine comes while that waits and before anything else has woken it.
// Waits that began before the window are left out: whether something has woken them is known to the
// State.
func (w *window) addWakes(k int32) {
	times := map[schedule.GoroutineID][]*waiting{}
	var signals []int
	n := 0
	for _, m := range w.by[k] {
		e := &w.path.events[w.events[m]]
		switch e.Op {
		case schedule.CondSignal:
			signals = append(signals, m)
		case schedule.CondWait:
			times[e.Goroutine] = append(times[e.Goroutine], &waiting{wait: m, wake: -1})
			n++
		case schedule.CondWake:
			if list := times[e.Goroutine]; len(list) > 0 {
				list[len(list)-1].wake = m
			}
		}
	}
	if n*len(signals)*(1+len(signals)) > maxReads {
		return
	}
	for _, m := range w.by[k] { // in an order that is always the same
		e := &w.path.events[w.events[m]]
		switch {
		case e.Op == schedule.CondSignal && e.Child > schedule.NoGoroutine && !w.waits(e.Child):
			w.addSignal(m, times[e.Child], signals)
		case e.Op == schedule.CondWake:
			for _, x := range times[e.Goroutine] {
				if x.wake == m {
					w.addWake(x, e.Goroutine, signals)
				}
			}
		}
	}
}

// waits reports whether a goroutine waits for a condition where the window begins. It can only
// unlock what it holds meanwhile.
func (w *window) waits(g schedule.GoroutineID) bool {
	list := w.threads[g+1].events
	for i := w.at[g+1] - 1; i >= 0; i-- {
		switch w.path.events[list[i]].Op {
		case schedule.Unlock, schedule.RUnlock:
		case schedule.CondWait:
			return true
		default:
			return false
		}
	}
	return false
}

// addSignal states that signal s, which is to a goroutine, comes one of the times that this waits.
func (w *window) addSignal(s int, times []*waiting, signals []int) {
	clause := []order.Lit{w.order.Kept(s).Not()}
	for _, x := range times {
		if w.ordered(s, x.wait) || x.wake >= 0 && w.ordered(x.wake, s) {
			continue
		}
		served := w.order.NewSelector()
		w.order.Add(served.Not(), w.comes(x.wait, s))
		if x.wake >= 0 {
			w.order.Add(served.Not(), w.comes(s, x.wake))
		}
		for _, b := range signals {
			if w.path.events[w.events[b]].Child == schedule.AllGoroutines {
				w.order.Add(served.Not(), w.comes(b, x.wait), w.comes(s, b))
			}
		}
		for _, other := range x.served {
			w.order.Add(served.Not(), other.Not())
		}
		x.served, clause = append(x.served, served), append(clause, served)
	}
	w.order.Add(clause...)
}

// addWake states that something signals while a goroutine waits, or it does not wake.
func (w *window) addWake(x *waiting, g schedule.GoroutineID, signals []int) {
	clause := []order.Lit{w.order.Kept(x.wake).Not()}
	for _, s := range signals {
		if to := w.path.events[w.events[s]].Child; to > schedule.NoGoroutine && to != g || w.ordered(s, x.wait) || w.ordered(x.wake, s) {
			continue
		}
		between := w.order.NewSelector()
		w.order.Add(between.Not(), w.comes(x.wait, s))
		w.order.Add(between.Not(), w.comes(s, x.wake))
		clause = append(clause, between)
	}
	w.order.Add(clause...)
}

// comes returns the literal that event a comes before event b. What is not kept comes after all that is.
func (w *window) comes(a, b int) order.Lit {
	for _, pair := range [...][2]int{{a, b}, {b, a}} {
		if !w.noted[pair] {
			w.noted[pair] = true
			w.order.Add(w.order.Kept(pair[1]).Not(), w.order.Before(pair[0], pair[1]).Not(), w.order.Kept(pair[0]))
		}
	}
	return w.order.Before(a, b)
}
