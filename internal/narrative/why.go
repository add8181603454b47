package narrative

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// Why says why the run fails: in which order of two steps it would pass, or that it fails in every order, and of a data
// race what does not order the two accesses. It is empty if nothing is known.
func (n *Narrative) Why() string {
	f := n.run.Finding
	var parts []string
	if check.Kind(f.Kind) == check.Race {
		if text := n.unordered(); text != "" {
			parts = append(parts, text)
		}
	}
	switch {
	case f.Why != nil:
		parts = append(parts, fmt.Sprintf("it passes if %s before %s", n.act(&f.Why.Then), n.act(&f.Why.First)))
	case f.Always && check.Kind(f.Kind) == check.Race:
		parts = append(parts, "the two race in every order of the other steps")
	case f.Always && len(n.run.Input) > 0:
		parts = append(parts, "with this input, it fails in every order of its steps")
	case f.Always:
		parts = append(parts, "it fails in every order of its steps")
	}
	return strings.Join(parts, "; ")
}

// verbs say what a goroutine does to the variable of an operation.
var verbs = map[schedule.Op]string{
	schedule.Read: "reads", schedule.AtomicRead: "reads",
	schedule.Write: "writes", schedule.AtomicWrite: "writes", schedule.AtomicUpdate: "changes",
	schedule.Lock: "locks", schedule.LockIntent: "locks", schedule.RLock: "read-locks", schedule.TryFail: "tries to lock",
	schedule.Unlock: "unlocks", schedule.RUnlock: "read-unlocks",
	schedule.Send: "sends on", schedule.Recv: "receives from", schedule.RecvClosed: "receives from", schedule.Close: "closes",
	schedule.SelectDefault: "takes the default instead of",
	schedule.WaitGroupAdd:  "adds to", schedule.WaitGroupWait: "waits for",
	schedule.CondWait: "begins to wait for", schedule.CondWake: "is woken by a signal of", schedule.CondSignal: "signals",
	schedule.SemAcquire: "acquires", schedule.SemRelease: "releases",
	schedule.TimerSet: "sets or stops",
}

// act says what a goroutine does, and where.
func (n *Narrative) act(s *schedule.WhyStep) string {
	switch s.Op {
	case schedule.TimerFire:
		return n.timer(s) + " fires"
	case schedule.Sleep:
		return n.Goroutine(s.Goroutine) + " wakes from its sleep" + n.at(s.Pos)
	}
	pos, own, call := s.Pos, s.Own, s.Call
	if s.Event >= 0 && s.Event < len(n.run.Events) {
		e := &n.run.Events[s.Event]
		own, call = e.Own, e.Call
	}
	what := cmp.Or(verbs[s.Op], s.Op.String())
	if s.Var != "" {
		what += " " + s.Var
	} else if s.Op == schedule.SelectDefault {
		what += " another case"
	}
	switch {
	case n.hasReturned(s):
		what, pos = "returns", ""
	case strings.HasPrefix(pos, "$GOROOT/"):
		pos = "" // in a function of the standard library that the goroutine was started with
	case inLibrary(&schedule.RunEvent{Call: call}) && !literal.MatchString(call):
		what = "calls " + calledFunc(call)
	}
	text := n.Goroutine(s.Goroutine) + " " + what
	if own != "" {
		return text + fmt.Sprintf(" (%s, called at %s)", n.position(pos), n.position(own))
	}
	return text + n.where(s.Goroutine, pos)
}

// hasReturned reports whether a step is what package testing does after the function of a test has returned.
func (n *Narrative) hasReturned(s *schedule.WhyStep) bool {
	if !strings.HasPrefix(s.Pos, "$GOROOT/") {
		return false
	}
	isTest := slices.ContainsFunc(n.run.Goroutines, func(g schedule.Origin) bool { return g.Name == s.Goroutine && g.Test != "" })
	return isTest && s.Event >= 0 && s.Event < len(n.run.Events) &&
		!slices.ContainsFunc(n.run.Events[s.Event:], func(e schedule.RunEvent) bool {
			return e.Goroutine == s.Goroutine && !strings.HasPrefix(e.Pos, "$GOROOT/")
		})
}

// timer says which timer fires in a step: where it was set, if that is known.
func (n *Narrative) timer(s *schedule.WhyStep) string {
	if s.Event < 0 || s.Event >= len(n.run.Events) {
		return "a timer"
	}
	set := timerSet(n.run, s.Event)
	if set < 0 {
		return "a timer"
	}
	e, name := &n.run.Events[set], "the timer"
	if e.Call != "" {
		name = "the timer of " + calledFunc(e.Call)
	}
	if e.Own != "" {
		return name + fmt.Sprintf(" (%s, called at %s)", n.position(e.Pos), n.position(e.Own))
	}
	return name + n.at(e.Pos)
}

// timerSet returns the event that has set the timer which fires in another one, -1 if it is not known.
func timerSet(r *schedule.Run, fires int) int {
	timer := r.Events[fires].Object
	for i := fires - 1; i >= 0 && timer != nil; i-- {
		if e := &r.Events[i]; e.Op == schedule.TimerSet && e.Object != nil && *e.Object == *timer {
			return i
		}
	}
	return -1
}
