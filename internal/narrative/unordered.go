package narrative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/analysis/order"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// An access is one of the two of a race.
type access struct {
	name      string // "the write" or the like
	goroutine string
	event     int // its place among the steps
}

// accesses returns the two accesses of a race in the order in which they were made, false if they are not known.
func (n *Narrative) accesses() (both [2]access, ok bool) {
	f := n.run.Finding
	if check.Kind(f.Kind) != check.Race || len(f.Others) == 0 {
		return both, false
	}
	for k, one := range []*schedule.Finding{&f.Others[0], f} {
		both[k] = access{"the " + accessName(one), one.Goroutine, accessOf(n.run, one)}
		if both[k].event < 0 {
			return both, false
		}
	}
	if both[0].event > both[1].event {
		both[0], both[1] = both[1], both[0]
	}
	if both[0].name == both[1].name {
		for k, which := range []string{"the earlier ", "the later "} {
			both[k].name = which + strings.TrimPrefix(both[k].name, "the ")
		}
	}
	return both, true
}

// accessName names an access of a race: read, write, send or close.
func accessName(f *schedule.Finding) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(f.Message, string(check.Race)+": "), " and ")
	return name
}

// unordered says what the two accesses of a race lack: which locks each of them holds, and what would order them if it
// came at another place. It is empty if they are not known.
func (n *Narrative) unordered() string {
	both, ok := n.accesses()
	if !ok {
		return ""
	}
	text := n.locksOf(both)
	if would := n.wouldOrder(both); would != "" {
		text += "; " + would
	}
	return text
}

// A held is a lock that a goroutine holds.
type held struct {
	cell
	name  string
	reads bool // it holds it to read
}

// locksOf says which locks the accesses hold.
func (n *Narrative) locksOf(both [2]access) string {
	var locks [2][]held
	for k, a := range both {
		locks[k] = n.heldBy(a)
	}
	for _, l := range locks[0] {
		if slices.ContainsFunc(locks[1], func(m held) bool { return l.cell == m.cell }) {
			return fmt.Sprintf("both accesses hold %s, but only to read", l.name) // or they would be ordered
		}
	}
	if len(locks[0]) == 0 && len(locks[1]) == 0 {
		return "neither access holds a lock"
	}
	var parts []string
	for k, a := range both {
		var names []string
		for _, l := range locks[k] {
			if l.reads {
				l.name += " to read"
			}
			names = append(names, l.name)
		}
		if len(names) == 0 {
			names = []string{"no lock"}
		}
		parts = append(parts, fmt.Sprintf("%s holds %s", a.name, list(names)))
	}
	return list(parts)
}

// heldBy returns the locks that are held at an access by its goroutine, which has taken them
// itself. Those of the standard library are left out.
func (n *Narrative) heldBy(a access) []held {
	var locks []held
	for i := range a.event {
		e := &n.run.Events[i]
		c, ok := cellOf(e)
		if !ok || e.Goroutine != a.goroutine || inLibrary(e) || strings.HasPrefix(e.Pos, "$GOROOT/") {
			continue
		}
		switch {
		case takes(e.Op):
			locks = append(locks, held{c, named(e.Var, "a lock"), e.Op == schedule.RLock})
		case e.Op == schedule.Unlock, e.Op == schedule.RUnlock:
			if k := slices.IndexFunc(locks, func(l held) bool { return l.cell == c }); k >= 0 {
				locks = slices.Delete(locks, k, k+1)
			}
		}
	}
	return locks
}

// wouldOrder says after which step one of the accesses would be ordered with the other one or, if
// there is none, that it comes after the go statement that starts the other goroutine; empty if
// neither is so.
func (n *Narrative) wouldOrder(both [2]access) string {
	for k, a := range both {
		other := both[1-k]
		if at := n.meets(a, other); at >= 0 {
			e := &n.run.Events[at]
			step := schedule.WhyStep{Event: at, Goroutine: e.Goroutine, Op: e.Op, Var: e.Var, Pos: e.Pos}
			return fmt.Sprintf("%s would be ordered after %s if it came after %s", other.name, a.name, n.act(&step))
		}
	}
	for k, a := range both {
		other := both[1-k]
		for i := range a.event {
			if e := &n.run.Events[i]; e.Op == schedule.Spawn && e.Goroutine == a.goroutine && e.Child == other.goroutine {
				return fmt.Sprintf("%s comes after the go statement%s that starts %s", a.name, n.at(e.Pos), n.Goroutine(other.goroutine))
			}
		}
	}
	return ""
}

// meets returns the first step of the goroutine of an access b, after it, that waits for what the
// goroutine of access a does after that: the end of a wait, or the receive of a value. It is
// negative if there is none, or if what comes first is a lock or an atomic operation, which could
// come in another order.
func (n *Narrative) meets(a, b access) int {
	events, err := n.run.Schedule()
	if err != nil {
		return -1
	}
	relation := order.New()
	var made vectorclock.Epoch // of the access a
	step, known := -1, false
	for e, err := range events.Events() {
		if err != nil {
			return -1
		}
		var now vectorclock.Epoch
		if e.Goroutine >= 0 { // it is no timer
			now = relation.Epoch(e.Goroutine)
		}
		relation.Event(e)
		if !e.Op.IsStep() || e.Implied {
			continue
		}
		if step++; step == a.event {
			made, known = now, true
		}
		if step <= max(a.event, b.event) || !known || n.run.Events[step].Goroutine != b.goroutine ||
			!made.Before(relation.Clock(e.Goroutine)) {
			continue
		}
		switch e.Op {
		case schedule.Recv, schedule.RecvClosed, schedule.WaitGroupWait, schedule.CondWake, schedule.OnceSeen, schedule.Join:
			return step
		}
		return -1
	}
	return -1
}
