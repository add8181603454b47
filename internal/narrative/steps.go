package narrative

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/schedule"
)

// A Step is what a goroutine does in a line of source, a row of a report.
type Step struct {
	Goroutine string // its name in the run; empty if the step is of none
	Pos       string // file:line:column; empty if the step has no line in the program
	Effects   []Effect
	Calls     bool // it is the call, in the main module, of what the next steps of the goroutine are in
	Inside    bool // it is inside such a call
	Folded    int  // number of steps of the goroutine that are left out here; nothing else is set then
}

// An Effect is one thing that a step does.
type Effect struct {
	Text string
	// Shown are texts one of which is in the source line if that says what the effect does, so that it need
	// not be said again.
	Shown []string
	Final bool // it is the finding, or what a goroutine waits for in the end
	met   bool // another goroutine has to do with it

	variable, read, written string // of a read or a write, if the value is known
}

// Steps returns the steps that matter, at most about so many; with all set, everything that the
// goroutines did that matter.
func (n *Narrative) Steps(all bool, limit int) []Step {
	var indexes []int
	if all {
		indexes = everything(n.run)
	} else {
		indexes = Relevant(n.run)
	}
	met := meetings(n.run, indexes)
	for _, i := range whyEvents(n.run) {
		met[i] = true
	}
	calls := make(map[string]string) // by goroutine, the call of the main module in which it is
	var steps []Step
	for k := 0; k < len(indexes); k++ {
		e := &n.run.Events[indexes[k]]
		if e.Op == schedule.TimePass {
			passed := duration(e.Wrote)
			for k+1 < len(indexes) {
				next := &n.run.Events[indexes[k+1]]
				if next.Op != schedule.TimePass || next.Waits != e.Waits {
					break
				}
				passed += duration(next.Wrote)
				k++
			}
			steps = append(steps, Step{Effects: []Effect{{Text: n.passing(e, passed), met: true}}})
			continue
		}
		effect := n.effect(e)
		effect.met = met[indexes[k]]
		if !all && inLibrary(e) {
			effect.Text = ""
		}
		steps = addEffect(addCall(steps, calls, e), e, effect)
	}
	steps = n.end(steps, calls, all)
	if !all {
		steps = fold(steps)
		steps = cut(steps, limit)
	}
	return steps
}

// everything returns the events of the goroutines that matter, and those of time.
func everything(r *schedule.Run) []int {
	matter := make(map[string]bool)
	for one := range r.Finding.All() {
		matter[one.Goroutine] = true
	}
	for _, i := range Relevant(r) {
		matter[r.Events[i].Goroutine] = true
	}
	var list []int
	for i := range r.Events {
		e := &r.Events[i]
		if e.Op == schedule.TimePass || matter[e.Goroutine] && (e.Object != nil && !hidden(e) || e.Op == schedule.Fail) {
			list = append(list, i)
		}
	}
	return list
}

// hidden reports whether e is an access to memory by a function of the standard library that the program
// has not called: the goroutine was started with it.
func hidden(e *schedule.RunEvent) bool {
	return (e.Op == schedule.Read || e.Op == schedule.Write) && strings.HasPrefix(e.Pos, "$GOROOT/")
}

// addCall adds a step for the call of the main module in which an event is, if it is another one than that
// in which the goroutine was before.
func addCall(steps []Step, calls map[string]string, e *schedule.RunEvent) []Step {
	if calls[e.Goroutine] == line(e.Own) {
		return steps
	}
	if calls[e.Goroutine] = line(e.Own); e.Own == "" {
		return steps
	}
	return append(steps, Step{Goroutine: e.Goroutine, Pos: e.Own, Calls: true})
}

// addEffect adds what an event does to the last step, if that is of the same goroutine and line, and
// otherwise as a new one.
func addEffect(steps []Step, e *schedule.RunEvent, effect Effect) []Step {
	pos := e.Pos
	if strings.HasPrefix(pos, "$GOROOT/") {
		pos = "" // the goroutine is a function of the standard library that has called, or will call, the program
	}
	if len(steps) > 0 {
		last := &steps[len(steps)-1]
		if !last.Calls && last.Goroutine == e.Goroutine && line(last.Pos) == line(pos) {
			last.add(effect)
			return steps
		}
	}
	return append(steps, Step{Goroutine: e.Goroutine, Pos: pos, Effects: []Effect{effect}, Inside: e.Own != ""})
}

// maxEffects is how many effects a step is told with. A loop in one line may have any number.
const maxEffects = 100

// add adds an effect, once. A read of a variable and the write after it are one change.
func (s *Step) add(e Effect) {
	if len(s.Effects) > maxEffects && !e.Final {
		return
	}
	for i := range s.Effects {
		if was := &s.Effects[i]; was.Text == e.Text {
			was.met = was.met || e.met
			return
		}
	}
	if k := len(s.Effects) - 1; k >= 0 && e.written != "" {
		if was := &s.Effects[k]; was.read != "" && was.variable == e.variable {
			*was = Effect{Text: changed(e.variable, was.read, e.written), met: was.met || e.met, variable: e.variable}
			return
		}
	}
	if len(s.Effects) == maxEffects && !e.Final {
		e = Effect{Text: "… and more"}
	}
	s.Effects = append(s.Effects, e)
}

// end adds how the run ends: the finding, unless an event of it says so.
func (n *Narrative) end(steps []Step, calls map[string]string, all bool) []Step {
	f := n.run.Finding
	if f == nil || len(historyOf(n.run)) > 0 { // the message has what the calls of a history return
		return steps
	}
	d := check.Of(check.Kind(f.Kind))
	if !d.Stuck && slices.ContainsFunc(steps, func(s Step) bool {
		return slices.ContainsFunc(s.Effects, func(e Effect) bool { return e.Final })
	}) {
		return steps
	}
	if d.Kind == check.Race {
		return n.endRace(steps)
	}
	alike, more := make(map[string]int), 0
	for one := range f.All() {
		text := "fails"
		switch {
		case d.Sought:
			text = "is here"
		case !d.Stuck:
		case check.Runs(one.Message):
			text = "goes on for ever"
		case d.Kind == check.RunningGoroutine:
			text = "runs on"
		case d.AfterReturn && d.Kind != check.Leak:
			text = "remains, waiting " + n.waitsFor(one)
		default:
			text = "waits for ever " + n.waitsFor(one)
		}
		if alike[one.Pos+text]++; alike[one.Pos+text] > maxAlike && !all {
			more++
			continue
		}
		e := &schedule.RunEvent{Goroutine: one.Goroutine, Pos: one.Pos, Own: own(one)}
		steps = addEffect(addCall(steps, calls, e), e, Effect{Text: text, Final: true, met: true})
	}
	if more > 0 {
		steps = append(steps, Step{Effects: []Effect{{Text: fmt.Sprintf("… and likewise %d more goroutines", more), met: true}}})
	}
	return steps
}

// maxAlike is how many goroutines are shown that end in the same way at the same place.
const maxAlike = 8

// own returns where the main module has called the code in which a finding is, empty if it is in the main
// module itself. The files of that are those whose names are relative.
func own(f *schedule.Finding) string {
	isOwn := func(pos string) bool { return !filepath.IsAbs(pos) && !strings.HasPrefix(pos, "$GOROOT/") }
	for _, frame := range f.Stack {
		if isOwn(frame.Pos) {
			if line(frame.Pos) == line(f.Pos) {
				return ""
			}
			return frame.Pos
		}
	}
	return ""
}

// endRace marks the two accesses.
func (n *Narrative) endRace(steps []Step) []Step {
	for one := range n.run.Finding.All() {
		for i := len(steps) - 1; i >= 0; i-- {
			if s := &steps[i]; s.Goroutine == one.Goroutine && line(s.Pos) == line(one.Pos) {
				s.Effects = append(s.Effects, Effect{Text: "races", Final: true, met: true})
				break
			}
		}
	}
	return steps
}

// meetings returns the events before or after which another goroutine accesses the same cell, so that
// the order of the two matters.
func meetings(r *schedule.Run, indexes []int) map[int]bool {
	met := make(map[int]bool)
	last := make(map[cell][]int) // since the last change, that included
	for _, i := range indexes {
		e := &r.Events[i]
		if e.Op == schedule.Fail {
			met[i] = true
		}
		c, ok := cellOf(e)
		if !ok {
			continue
		}
		writes := changes(e.Op) || e.Op.IsLock() || e.Op == schedule.Recv
		for _, j := range last[c] {
			before := &r.Events[j]
			if before.Goroutine != e.Goroutine && (writes || changes(before.Op) || before.Op.IsLock()) {
				met[i], met[j] = true, true
			}
		}
		if writes {
			last[c] = last[c][:0]
		}
		last[c] = append(last[c], i)
	}
	return met
}

// minFold is how many steps of a goroutine in which it does not meet others are folded, and
// keptAtFold how many of them remain at each end.
const minFold = 4

// fold leaves out steps in which a goroutine does not meet others, where there are several in a row.
func fold(steps []Step) []Step {
	var out []Step
	for i := 0; i < len(steps); {
		k := i
		for k < len(steps) && steps[k].Goroutine == steps[i].Goroutine && steps[k].Goroutine != "" && !steps[k].meets() {
			k++
		}
		if k-i >= minFold {
			out = append(out, Step{Goroutine: steps[i].Goroutine, Folded: k - i})
			i = k
			continue
		}
		k = max(k, i+1)
		out = append(out, steps[i:k]...)
		i = k
	}
	return out
}

func (s *Step) meets() bool {
	return s.Calls || slices.ContainsFunc(s.Effects, func(e Effect) bool { return e.met })
}

// cut leaves out steps in the middle if there are many: the first and the last of them say most.
func cut(steps []Step, limit int) []Step {
	if limit <= 0 || len(steps) <= limit {
		return steps
	}
	first := limit / 3
	last := limit - first
	out := slices.Clone(steps[:first])
	out = append(out, Step{Folded: len(steps) - limit})
	return append(out, steps[len(steps)-last:]...)
}

// passing says that time passes, but for the nanosecond by which a timer is late.
func (n *Narrative) passing(e *schedule.RunEvent, passed time.Duration) string {
	if passed >= time.Microsecond {
		passed = passed.Round(10 * time.Nanosecond)
	}
	text := fmt.Sprintf("%s: %s", e.Op, passed)
	if e.Waits != "" {
		text += fmt.Sprintf(", %s is kept waiting", n.Goroutine(e.Waits))
	}
	return text
}

// duration reads a number of nanoseconds.
func duration(ns string) time.Duration {
	d, _ := strconv.ParseInt(ns, 10, 64) // not a number: 0
	return time.Duration(d)
}

// Describe says what an event does, with its values.
func (n *Narrative) Describe(e *schedule.RunEvent) string { return n.effect(e).Text }

// effect says what an event does, with its values.
func (n *Narrative) effect(e *schedule.RunEvent) Effect {
	switch e.Op {
	case schedule.Fail:
		return Effect{Text: "fails", Final: true}
	case schedule.Read, schedule.AtomicRead:
		return Effect{Text: "reads " + valued(e.Var, e.Read), variable: e.Var, read: e.Read}
	case schedule.Write, schedule.AtomicWrite:
		return Effect{Text: "writes " + valued(e.Var, e.Wrote), variable: e.Var, written: e.Wrote}
	case schedule.AtomicUpdate:
		return Effect{Text: changed(e.Var, e.Read, e.Wrote)}
	case schedule.Lock:
		return Effect{Text: "locks " + e.Var, Shown: shown(e.Var, ".Lock()")}
	case schedule.LockIntent:
		return Effect{Text: "asks to lock " + named(e.Var, "a lock") + ": new readers have to wait"}
	case schedule.RLock:
		return Effect{Text: "read-locks " + e.Var, Shown: shown(e.Var, ".RLock()")}
	case schedule.Unlock:
		return Effect{Text: "unlocks " + e.Var, Shown: shown(e.Var, ".Unlock()")}
	case schedule.RUnlock:
		return Effect{Text: "read-unlocks " + e.Var, Shown: shown(e.Var, ".RUnlock()")}
	case schedule.Send:
		text := "sends " + named(e.Wrote, "a value")
		if e.Var != "" {
			text += " on " + e.Var
		}
		return Effect{Text: text + buffered(e)}
	case schedule.Recv:
		return Effect{Text: "receives " + named(e.Read, "a value") + from(e.Var) + buffered(e)}
	case schedule.RecvClosed:
		return Effect{Text: "receives" + from(e.Var) + ", which is closed"}
	case schedule.Close:
		return Effect{Text: "closes " + e.Var, Shown: shown(e.Var, "close(")}
	case schedule.SelectDefault:
		if e.Var == "" {
			return Effect{Text: "takes the default: no case is ready"}
		}
		state := ""
		switch {
		case e.Capacity == 0:
			return Effect{Text: "takes the default: nobody waits at " + e.Var}
		case e.Buffered == e.Capacity:
			state = fmt.Sprintf(" is full (%d of %d)", e.Buffered, e.Capacity)
		case e.Buffered == 0:
			state = " is empty"
		default:
			state = " is not ready"
		}
		return Effect{Text: "takes the default: " + e.Var + state}
	case schedule.WaitGroupAdd:
		return Effect{Text: "adds to " + e.Var, Shown: shown(e.Var, ".Add(", ".Done()", ".Go(")}
	case schedule.WaitGroupWait:
		return Effect{Text: "has waited for " + e.Var, Shown: shown(e.Var, ".Wait()")}
	case schedule.CondWait:
		return Effect{Text: "begins to wait for " + e.Var}
	case schedule.CondWake:
		return Effect{Text: "is woken at " + e.Var}
	case schedule.CondSignal:
		return Effect{Text: "signals " + e.Var, Shown: shown(e.Var, ".Signal()", ".Broadcast()")}
	case schedule.TimerFire:
		return Effect{Text: "fires"}
	case schedule.TimerSet:
		return Effect{Text: "sets a timer"}
	}
	text := e.Op.String()
	if e.Var != "" {
		text += " " + e.Var
	}
	return Effect{Text: text}
}

// shown returns what in a source line says what is done with a variable. Nothing does if there are
// several of its name, which are numbered then.
func shown(name string, texts ...string) []string {
	if strings.Contains(name, "#") {
		return nil
	}
	return texts
}

// changed says that a variable has got another value.
func changed(name, from, to string) string {
	if from == to {
		return fmt.Sprintf("changes %s, which remains %s", named(name, "memory"), named(to, "as it is"))
	}
	return fmt.Sprintf("changes %s from %s to %s", named(name, "memory"), named(from, "a value"), named(to, "another"))
}

// valued names a variable with its value.
func valued(name, value string) string {
	switch {
	case name == "":
		return named(value, "memory")
	case value == "" || value == name:
		return name
	}
	return name + " = " + value
}

func from(name string) string {
	if name == "" {
		return ""
	}
	return " from " + name
}

// buffered says how full the buffer of a channel is after a communication, if it has one.
func buffered(e *schedule.RunEvent) string {
	if e.Capacity == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", e.Buffered, e.Capacity)
}
