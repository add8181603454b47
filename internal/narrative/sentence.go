package narrative

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// maxTold is how many goroutines of one finding a sentence tells of one by one.
const maxTold = 4

// Sentence says what is wrong with the run. Of a panic, a fatal error and a failure of the test that
// is the message of the program itself, which may have several lines.
func (n *Narrative) Sentence() string {
	f := n.run.Finding
	switch kind := check.Kind(f.Kind); {
	case kind == check.Race:
		return n.race()
	case kind == check.Panic, kind == check.FatalError:
		return f.Message + n.closed()
	case !check.Of(kind).Stuck:
		return f.Message
	case slices.ContainsFunc(slices.Collect(f.All()), func(one *schedule.Finding) bool { return len(one.Waits) == 0 || check.Runs(one.Message) }):
		return n.running()
	case kind == check.RunningGoroutine:
		return n.running()
	case kind == check.Deadlock:
		return "deadlock: " + n.deadlock()
	}
	return f.Kind + ": " + n.remaining()
}

// race tells of the two accesses in the order in which they were made.
func (n *Narrative) race() string {
	f := n.run.Finding
	if len(f.Others) == 0 {
		return f.Message
	}
	earlier := &f.Others[0]
	what, variable := "", "memory"
	known := false
	for _, one := range []*schedule.Finding{earlier, f} {
		i := accessOf(n.run, one)
		known = known || i >= 0
		if i >= 0 && n.run.Events[i].Var != "" && variable == "memory" {
			variable = n.run.Events[i].Var
		}
	}
	if !known {
		return f.Message
	}
	what = fmt.Sprintf("%s is %s by %s%s", variable, accessed(earlier), n.Goroutine(earlier.Goroutine),
		n.where(earlier.Goroutine, earlier.Pos))
	return fmt.Sprintf("%s: %s and %s by %s%s, and nothing orders the two",
		f.Kind, what, accessed(f), n.Goroutine(f.Goroutine), n.where(f.Goroutine, f.Pos))
}

// accessed says what one side of a data race does with the variable: "written", "closed".
func accessed(f *schedule.Finding) string {
	if len(f.Stack) > 0 {
		switch f.Stack[0].Func { // the race detector regards their accesses as a read and a write
		case "sync.(*WaitGroup).Wait":
			return "waited for"
		case "sync.(*WaitGroup).Add", "sync.(*WaitGroup).Go":
			return "added to"
		}
	}
	_, message, later := strings.Cut(f.Message, string(check.Race)+": ")
	if !later {
		message = f.Message
	}
	switch what, _, _ := strings.Cut(message, " and "); what {
	case schedule.Write.String():
		return "written"
	case schedule.Close.String():
		return "closed"
	case schedule.Send.String():
		return "sent on"
	}
	return "read"
}

// deadlock tells who waits for whom.
func (n *Narrative) deadlock() string {
	f := n.run.Finding
	w := newWaiting(n.run)
	circle := w.circle()
	if len(circle) == 1 {
		one := circle[0]
		h, _ := w.holder(one)
		text := fmt.Sprintf("%s waits for %s%s, which it has locked itself%s",
			n.Goroutine(one.Goroutine), n.wanted(one), n.at(one.Pos), n.at(n.run.Events[h.event].Pos))
		if writer := n.writer(one); writer != nil && n.run.Events[h.event].Op == schedule.RLock {
			return text + fmt.Sprintf(" to read: %s waits to write%s, and a writer that waits keeps new readers out%s",
				n.Goroutine(writer.Goroutine), n.at(writer.Pos), n.others(append(circle, writer)))
		}
		return text + n.others(circle)
	}
	if len(circle) > 0 {
		return n.circle(circle, "waits") + n.others(circle)
	}
	var parts, joining []string
	for one := range f.All() {
		if joins(one) {
			joining = append(joining, n.waits(one, w, "waits"))
		} else {
			parts = append(parts, n.waits(one, w, "waits"))
		}
	}
	parts = append(parts, joining...)
	if len(parts) > maxTold {
		parts = append(parts[:maxTold-1], fmt.Sprintf("%d more goroutines wait likewise", len(parts)-maxTold+1))
	}
	if len(parts) == 1 {
		left := ", and nobody else is left"
		if strings.HasPrefix(f.Message, "deadlock: ") { // other goroutines live on
			left = ", and nothing that goes on can wake it"
		}
		return parts[0] + left + n.partner(f)
	}
	return list(parts)
}

// circle tells of goroutines each of which holds a lock that another one waits for.
func (n *Narrative) circle(circle []*schedule.Finding, verb string) string {
	var parts []string
	for k, one := range circle {
		// The one before waits for what this one holds.
		before := circle[(k+len(circle)-1)%len(circle)]
		parts = append(parts, fmt.Sprintf("%s holds %s and %s for %s%s", n.Goroutine(one.Goroutine), n.wanted(before), verb, n.wanted(one), n.where(one.Goroutine, one.Pos)))
	}
	if len(parts) > maxTold {
		parts = append(parts[:maxTold-1], fmt.Sprintf("so do %d more in turn", len(parts)-maxTold+1))
	}
	return list(parts)
}

// writer returns the goroutine that waits to write where another one waits to read, nil if there is none.
func (n *Narrative) writer(reader *schedule.Finding) *schedule.Finding {
	at, ok := lockOf(reader)
	if !ok || reader.Waits[0].Op != schedule.RLock {
		return nil
	}
	for one := range n.run.Finding.All() {
		if c, ok := lockOf(one); ok && c == at && one.Waits[0].Op != schedule.RLock {
			return one
		}
	}
	return nil
}

// others says which goroutines of the finding wait because those in a circle do.
func (n *Narrative) others(circle []*schedule.Finding) string {
	var names []string
	for one := range n.run.Finding.All() {
		if !slices.Contains(circle, one) {
			names = append(names, n.Goroutine(one.Goroutine))
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > maxTold:
		return fmt.Sprintf("; %d more goroutines wait for them", len(names))
	case len(names) == 1:
		return fmt.Sprintf("; %s waits for them", names[0])
	}
	return fmt.Sprintf("; %s wait for them", list(names))
}

// remaining tells of goroutines that remain when the target has returned.
func (n *Narrative) remaining() string {
	f := n.run.Finding
	verb := "waits"
	if f.Kind == string(check.Leak) {
		verb = "waits for ever"
	}
	w := newWaiting(n.run)
	if circle := w.circle(); f.Kind == string(check.Leak) && len(circle) > 1 {
		text := fmt.Sprintf("%s has returned, and %s", n.run.Target, n.circle(circle, "waits for ever"))
		switch more := 1 + len(f.Others) - len(circle); more {
		case 0:
			return text
		case 1:
			return text + "; 1 more goroutine waits for ever"
		default:
			return text + fmt.Sprintf("; %d more goroutines wait for ever", more)
		}
	}
	first := n.waits(f, w, verb)
	others := slices.Clone(f.Others)
	if holder := n.waitingHolder(f, w); holder != nil {
		first += fmt.Sprintf(" while it %s %s%s", verb, n.waitsFor(holder), n.where(holder.Goroutine, holder.Pos))
		others = slices.DeleteFunc(others, func(one schedule.Finding) bool { return one.Goroutine == holder.Goroutine })
	}
	switch len(others) {
	case 0:
	case 1:
		if one := &others[0]; n.waitsFor(one) != n.waitsFor(f) {
			first += ", and " + n.waits(one, w, verb)
		} else {
			first += ", and so does " + n.Goroutine(one.Goroutine) + n.at(one.Pos)
		}
	default:
		first += fmt.Sprintf(", and so do %d more goroutines", len(others))
	}
	switch check.Kind(f.Kind) {
	case check.BackgroundGoroutine:
		return fmt.Sprintf("%s has returned, and %s; a package variable can still reach that", n.run.Target, first)
	case check.TimerGoroutine:
		return fmt.Sprintf("%s has returned, and %s; a timer may still wake it", n.run.Target, first)
	}
	return fmt.Sprintf("%s has returned, and %s%s", n.run.Target, first, n.partner(f))
}

// running tells of goroutines that run for ever.
func (n *Narrative) running() string {
	f := n.run.Finding
	text := f.Message
	if _, how, ok := strings.Cut(text, "goroutine "); ok {
		text = fmt.Sprintf("%s: %s %s", f.Kind, n.Goroutine(f.Goroutine), how)
	}
	return text
}

// waits says what a goroutine waits for, and where.
func (n *Narrative) waits(f *schedule.Finding, w *waiting, verb string) string {
	text := fmt.Sprintf("%s %s %s%s", n.Goroutine(f.Goroutine), verb, n.waitsFor(f), n.where(f.Goroutine, f.Pos))
	if h, ok := w.holder(f); ok {
		if h.goroutine == f.Goroutine {
			return text + ", which it has locked itself" + n.at(n.run.Events[h.event].Pos)
		}
		text += fmt.Sprintf(", which %s holds", n.Goroutine(h.goroutine))
	}
	return text
}

// waitingHolder returns the goroutine of the finding that holds the lock that another one waits
// for, nil if there is none.
func (n *Narrative) waitingHolder(f *schedule.Finding, w *waiting) *schedule.Finding {
	h, ok := w.holder(f)
	if !ok || h.goroutine == f.Goroutine {
		return nil
	}
	for one := range n.run.Finding.All() {
		if one.Goroutine == h.goroutine {
			return one
		}
	}
	return nil
}

// wanted names the lock that a goroutine waits for.
func (n *Narrative) wanted(f *schedule.Finding) string { return named(f.Waits[0].Var, "a lock") }

// waitsFor says what a goroutine waits for: "to send on results", "for wg".
func (n *Narrative) waitsFor(f *schedule.Finding) string {
	var parts []string
	for _, w := range f.Waits {
		if len(f.Waits) > 1 && w.Object == nil {
			continue // a nil channel, which a select passes over
		}
		if text := waitsFor(w) + n.full(w); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		_, how, _ := strings.Cut(f.Message, "for ever: ")
		if how == "" {
			return "for nothing that could come"
		}
		return "for " + how
	}
	if len(parts) > 1 {
		return "in a select " + strings.Join(parts, " or ")
	}
	return parts[0]
}

func waitsFor(w schedule.Wait) string {
	switch w.Op {
	case schedule.Send:
		return "to send on " + channel(w)
	case schedule.Recv, schedule.RecvClosed:
		return "to receive from " + channel(w)
	case schedule.Lock, schedule.LockIntent:
		return "for " + named(w.Var, "a lock")
	case schedule.RLock:
		return "for " + named(w.Var, "a lock") + " (to read)"
	case schedule.WaitGroupWait:
		return "for the wait group " + w.Var
	case schedule.CondWake, schedule.CondWait:
		return "for a signal of " + named(w.Var, "a condition variable")
	case schedule.Sleep:
		return "for time to pass"
	}
	if w.Var != "" {
		return "for " + w.Var
	}
	return ""
}

// full says how full the channel is on which a goroutine waits to send, if it has a buffer.
func (n *Narrative) full(w schedule.Wait) string {
	if w.Op != schedule.Send || w.Object == nil {
		return ""
	}
	for i := range n.run.Events {
		if e := &n.run.Events[i]; e.Capacity > 0 && e.Object != nil && *e.Object == *w.Object {
			return fmt.Sprintf(" (full: %d of %[1]d)", e.Capacity)
		}
	}
	return ""
}

// channel names the channel of an operation.
func channel(w schedule.Wait) string {
	if w.Object == nil {
		return "a nil channel"
	}
	return named(w.Var, "a channel")
}

// partner says who was the last to communicate with those who do at a channel what a goroutine waits to
// do; empty if nobody did, or if it waits for something else.
func (n *Narrative) partner(f *schedule.Finding) string {
	if len(f.Waits) != 1 || f.Waits[0].Object == nil {
		return ""
	}
	other, did := schedule.Recv, "received from it"
	switch f.Waits[0].Op {
	case schedule.Recv:
		other, did = schedule.Send, "sent on it"
	case schedule.Send:
	default:
		return ""
	}
	for i := len(n.run.Events) - 1; i >= 0; i-- {
		e := &n.run.Events[i]
		if e.Op == other && e.Object != nil && *e.Object == *f.Waits[0].Object && e.Goroutine != f.Goroutine {
			return fmt.Sprintf("; the last that %s was %s%s", did, n.Goroutine(e.Goroutine), n.where(e.Goroutine, e.Pos))
		}
	}
	return ""
}

// closed says who has closed the channel to which a panic is due, empty if it is due to something else.
func (n *Narrative) closed() string {
	f := n.run.Finding
	if !strings.Contains(f.Message, "closed channel") {
		return ""
	}
	for i := len(n.run.Events) - 1; i >= 0; i-- {
		fail := &n.run.Events[i]
		c, ok := cellOf(fail)
		if fail.Op != schedule.Fail || !ok || fail.Goroutine != f.Goroutine {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			e := &n.run.Events[j]
			if at, ok := cellOf(e); ok && at == c && e.Op == schedule.Close {
				return fmt.Sprintf(": %s was closed by %s%s", named(e.Var, "it"), n.Goroutine(e.Goroutine), n.where(e.Goroutine, e.Pos))
			}
		}
	}
	return ""
}
