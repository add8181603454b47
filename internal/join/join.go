package join

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A Joined is a schedule that explains traces.
type Joined struct {
	path *path
	// Windows is how many parts the solver has ordered, since the greedy order came to a dead end there.
	Windows int
}

// A NoOrderError says that no schedule was found that explains traces.
type NoOrderError struct {
	// Proven says that there is none. Otherwise none was found within the bounds.
	Proven bool
	// Stuck says of each goroutine that cannot go on, after as many events as were ordered at most,
	// where it is and why.
	Stuck  []Obstacle
	Events int // that were ordered
	All    int
}

// An Obstacle is an event that is not possible.
type Obstacle struct {
	Event    string // as the files call it, such as g1.3
	Op       schedule.Op
	Position string // in the program, if it is known
	Why      string
}

func (e *NoOrderError) Error() string {
	var b strings.Builder
	if e.Proven {
		b.WriteString("no order of the events explains what the goroutines did")
	} else {
		fmt.Fprintf(&b, "no order of the events was found, in windows of %d events", maxWindow)
	}
	fmt.Fprintf(&b, ": after %d of %d events", e.Events, e.All)
	for i, s := range e.Stuck {
		if i == maxStuck {
			fmt.Fprintf(&b, "; and %d more", len(e.Stuck)-i)
			break
		}
		fmt.Fprintf(&b, "%s %s, %s", map[bool]string{true: ",", false: ";"}[i == 0], s.Event, s.Op.Word())
		if s.Position != "" {
			fmt.Fprintf(&b, " at %s", s.Position)
		}
		fmt.Fprintf(&b, ", is not possible: %s", s.Why)
	}
	return b.String()
}

// maxStuck is how many obstacles an error lists.
const maxStuck = 3

// Join finds a schedule that explains the traces. If there is none, or none was found, the error is
// a *NoOrderError; if an event cannot be in any schedule, whatever the order is, it is an
// *InputError.
func (t *Traces) Join(ctx context.Context) (*Joined, error) {
	n, err := newNeeds(t)
	if err != nil {
		return nil, err
	}
	u := newUses(t)
	if err := u.explain(t); err != nil {
		return nil, err
	}
	j := &Joined{path: newPath(t, u, n)}
	g := newGreedy(j.path)
	for {
		switch all, err := g.extend(ctx); {
		case err != nil:
			return nil, err
		case all:
			return j, nil
		}
		if err := j.repair(ctx); err != nil {
			return nil, err
		}
	}
}

// repair finds another order where the greedy one has come to a dead end, so that more events are done than before.
func (j *Joined) repair(ctx context.Context) error {
	p := j.path
	stuck := p.stuck()
	dead := slices.Clone(p.at)
	for size := firstWindow; ; size *= 4 {
		last := size >= maxWindow
		back := min(min(size, maxWindow)/2, len(p.done)-p.least)
		if len(p.events) <= maxWindow {
			back, last = len(p.done), true // all is looked at
		}
		undone := slices.Clone(p.done[len(p.done)-back:])
		p.undo(back)
		w := newWindow(ctx, p, p.ahead(undone, dead, min(size, maxWindow)))
		j.Windows++
		found, err := w.progress(ctx, len(undone))
		if found {
			return nil
		}
		if err != nil && !errors.Is(err, errBound) {
			return err
		}
		if last {
			stuck.Proven = err == nil && len(w.events) == len(p.events)
			return stuck
		}
		for _, i := range undone {
			if err := p.try(i); err != nil {
				return fmt.Errorf("doing again what was taken back: %w", err)
			}
		}
	}
}

// firstWindow is how many events the first window has that is tried.
const firstWindow = 128

// ahead returns the events of a window: those that have been taken back, and of each thread some
// after those that were done before that.
func (p *path) ahead(undone []int32, dead []int32, size int) []int32 {
	events := slices.Clone(undone)
	if len(p.events) <= maxWindow {
		size = len(p.events)
	}
	to := slices.Clone(dead)
	for more := true; more; {
		more = false
		for th := range p.threads {
			if list := p.threads[th].events; len(events) < size && int(to[th]) < len(list) {
				events = append(events, list[to[th]])
				to[th]++
				more = true
			}
		}
	}
	return events
}

// progress looks for an order of the window in which the first events are done, as many as given,
// and at least one of those that come next in their threads.
func (w *window) progress(ctx context.Context, undone int) (bool, error) {
	ends := map[int][]int{} // by thread: its events after those
	var threads []int
	for n, i := range w.events {
		th := w.threadOf(i)
		switch {
		case n < undone:
			w.keep(n)
		case ends[th] == nil:
			threads = append(threads, th)
			fallthrough
		default:
			ends[th] = append(ends[th], n)
		}
	}
	var some []order.Lit
	for _, th := range threads {
		some = append(some, w.order.Kept(ends[th][0]))
	}
	w.order.Add(some...)
	whole := len(w.events) == len(w.path.events)
	for {
		var literals []order.Lit
		lengths := map[order.Lit]int{}
		for _, th := range threads {
			if n := len(ends[th]); n > 0 {
				l := w.order.Kept(ends[th][n-1])
				literals = append(literals, l)
				lengths[l] = th
			}
		}
		limit := maxRefinements
		if len(literals) > 0 && !whole {
			limit = fewRefinements
		}
		found, core, err := w.solve(ctx, limit, literals...)
		switch {
		case found || err != nil && !errors.Is(err, errBound):
			return found, err
		case len(literals) == 0 || whole:
			return false, err
		case err != nil:
			core = literals // less may be easier
		case len(core) == 0:
			return false, nil
		}
		for _, l := range core {
			th := lengths[l]
			ends[th] = ends[th][:len(ends[th])/2]
		}
	}
}

// stuck says where a path cannot go on.
func (p *path) stuck() *NoOrderError {
	e := &NoOrderError{Events: len(p.done), All: len(p.events)}
	var waiting []Obstacle
	for th := range p.threads {
		i := p.next(th)
		if i == none {
			continue
		}
		at := &p.events[i]
		o := Obstacle{Event: p.eventName(i), Op: at.Op, Position: p.table.Position(at.Location)}
		switch err := p.try(i); {
		case err == nil:
			p.undo(1)
			o.Why = "it would keep others from what they did"
		case p.missing[i] > 0:
			if p.at[th] == 0 {
				continue // it has not been started
			}
			o.Why = err.Error()
			waiting = append(waiting, o)
			continue
		default:
			o.Why = p.translated(err)
		}
		e.Stuck = append(e.Stuck, o)
	}
	e.Stuck = append(e.Stuck, waiting...)
	return e
}

// translated returns what an error says, in which goroutines and objects are numbered as in the
// joined schedule, with the numbers of the files.
func (p *path) translated(err error) string {
	goroutine, object := map[string]int64{}, map[string]int64{}
	for i, g := range p.goroutine {
		if g >= 0 {
			goroutine[fmt.Sprintf("g%d", g)] = p.goroutines.name[i]
		}
	}
	for i, o := range p.object {
		if o > 0 {
			object[fmt.Sprintf("o%d", o)] = p.objects.name[i]
		}
	}
	words := strings.Fields(err.Error())
	for i, word := range words {
		stem := strings.TrimRight(word, ",")
		first, offset, _ := strings.Cut(stem, ".")
		rest := word[len(first):]
		if n, ok := goroutine[first]; ok && offset == "" {
			words[i] = fmt.Sprintf("g%d%s", n, rest)
		} else if n, ok := object[first]; ok {
			words[i] = fmt.Sprintf("o%d%s", n, rest)
		}
	}
	return strings.Join(words, " ")
}

// Write writes the schedule. Goroutines, objects and values are numbered in its order; a goroutine that has another
// number in the files, and no name, is named by that. Another State checks what is written.
func (j *Joined) Write(to io.Writer, as schedule.Encoding) error {
	t := j.path.Traces
	about := append(slices.Clone(t.about), schedule.Property{Name: schedule.OrderProperty, Value: schedule.JoinedOrder})
	w, err := schedule.NewWriter(to, as, t.table, about...)
	if err != nil {
		return err
	}
	p, state := newNumbers(t), schedule.NewState(t.table)
	for _, i := range j.path.done {
		e := p.translate(i)
		p.define(i, 1)
		if e.Op == schedule.Spawn && e.Name == 0 {
			if name := t.goroutines.name[t.events[i].Child]; name != int64(e.Child) {
				if e.Name, err = t.table.NameID(fmt.Sprintf("g%d", name)); err != nil {
					return err
				}
			}
		}
		if err := state.Next(e); err != nil {
			return fmt.Errorf("checking the order that was found: event %s: %w", t.eventName(i), err)
		}
		if err := w.Write(e); err != nil {
			return fmt.Errorf("event %s: %w", t.eventName(i), err)
		}
	}
	return w.Close()
}
