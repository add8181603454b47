package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/load/substitute"
)

// A coverReport is what everyway cover says of a set of schedules.
type coverReport struct {
	*coverer
	set     *cover.Set
	sum     cover.Summary
	checked *covering.Check // of -check; nil if the paths were not searched
	refused string          // why everyway build would refuse the set, "" if it would not
	spent   bool            // the budget was, before the end of the search
}

// write prints the report, as JSON if that was asked for, and returns the exit code.
func (r *coverReport) write() (int, error) {
	if r.json {
		if err := r.writeJSON(); err != nil {
			return 0, err
		}
	} else {
		r.writeText()
	}
	if r.sum.Verdict == cover.Deadlocks || r.sum.Verdict == cover.Races || r.fails() {
		return exitFails, nil
	}
	return exitOK, nil
}

// fails reports whether a path under the schedules fails.
func (r *coverReport) fails() bool { return r.checked != nil && len(r.checked.Failures) > 0 }

// writeJSON prints a summary as JSON.
func (r *coverReport) writeJSON() error {
	text, err := json.MarshalIndent(struct {
		cover.Summary
		Check      *covering.Check `json:",omitempty"`
		Flags      cover.Flags     `json:",omitempty"` // with which the program is started, if they are known
		Processors int             `json:",omitempty"` // of the program, likewise
		Deferred   []string        `json:",omitempty"` // where what is deferred may wait for ever if the program panics, which is not known
		Refused    string          `json:",omitempty"` // why everyway build would refuse the set
		Elapsed    float64         // seconds
		File       string
	}{r.sum, r.checked, r.set.Flags, r.set.Processors, r.set.Deferred, r.refused, time.Since(r.start).Seconds(), r.file.String()}, "", "\t")
	if err != nil {
		return fmt.Errorf("printing the summary: %w", err)
	}
	fmt.Fprintf(r.stdout, "%s\n", text)
	return nil
}

// writeText prints the findings, the verdict, and what there is to say about it.
func (r *coverReport) writeText() {
	r.findings()
	word := map[cover.Verdict]string{
		cover.DeadlockFree: "covers ", cover.Deadlocks: "fails  ", cover.Races: "fails  ",
		cover.Open: "open   ",
	}[r.sum.Verdict]
	if r.fails() {
		word = "fails  "
	}
	fmt.Fprintf(r.stdout, "%s %s\t%v, %.2fs\n", word, r.set.Program, r.sum, time.Since(r.start).Seconds())
	r.proved()
	r.conditions()
	r.decisions()
	r.unknown()
	r.open()
	if r.refused != "" {
		r.line("everyway build -cover would refuse the set: %s", r.refused)
	}
	r.line("schedules: %s", r.name)
}

// line prints a line below the verdict.
func (r *coverReport) line(format string, args ...any) {
	fmt.Fprintf(r.stdout, "        "+format+"\n", args...)
}

// findings prints what is wrong with schedules, and the paths that fail.
func (r *coverReport) findings() {
	for i, e := range r.set.Epochs {
		for k, sc := range e.Schedules {
			if !sc.Excluded {
				r.finding(i, k, sc)
			}
		}
	}
	if r.checked == nil {
		return
	}
	for _, f := range r.checked.Failures {
		input := inputText(r.set.Epochs[0], f.Input)
		fmt.Fprintf(r.stdout, "--- FAIL: schedule %d of epoch %d\n    input   %s\n    %s: %s\n",
			f.Schedule, f.Epoch, input, f.Position, f.Message)
	}
}

// proved says what is known of the program under the schedules.
func (r *coverReport) proved() {
	switch r.sum.Verdict {
	case cover.DeadlockFree:
		if r.checked != nil && r.checked.Holds() {
			r.holds()
		} else {
			r.line("no schedule of the set deadlocks: the program does not, if race-free and kept to the set")
		}
	case cover.Deadlocks:
		r.line("%s", ofSchedules(r.sum.Deadlocked, "deadlocks", "deadlock"))
	case cover.Races:
		r.line("%s accesses unordered that conflict", ofSchedules(r.sum.Racing, "leaves", "leave"))
	}
}

// conditions says for which programs the set is, and which of its schedules are none.
func (r *coverReport) conditions() {
	if len(r.set.Flags) > 0 {
		r.line("for a program that is started with %v, and no other flags", r.set.Flags)
	}
	if n := r.set.Processors; n > 0 {
		r.line("for a program that is told of %d processors", n)
	}
	switch n := r.sum.Excluded; {
	case n == 1:
		r.line("another schedule is infeasible: no run comes to it, as the others show")
	case n > 1:
		r.line("%d more are infeasible: no run comes to them, as the others show", n)
	}
}

// unknown says what is not known of the program.
func (r *coverReport) unknown() {
	if r.checked != nil {
		for _, why := range r.checked.Open {
			r.line("not all paths were checked: %s", why)
		}
	}
	for _, n := range r.set.Notes {
		r.line("not known: %s", n)
	}
	for _, at := range r.set.Deferred {
		hint := ""
		switch {
		case r.checked == nil:
			hint = "; -check asks whether a path does"
		case r.checked.Holds():
			hint = "; no path panics, within what comes from outside: " + within(r.checked)
		}
		r.line("not known: %s: what is deferred may wait: if it does in the course of a panic, it is not known whether that ends%s", at, hint)
	}
}

// open says why the set is open.
func (r *coverReport) open() {
	switch {
	case r.spent && r.sum.Verdict == cover.Open:
		r.line("open: the budget is spent")
	case r.spent: // all schedules had been found
		r.line("the budget is spent: whether a run comes to each of the schedules was not looked for to the end")
	}
	if r.sum.Possible > 0 {
		r.line("open: %d of the schedules deadlock or race, and no run was found that comes to them", r.sum.Possible)
	}
	r.openings()
}

// maxDecisions is how many places are printed at which one thing decides as the program runs.
const maxDecisions = 5

// decisions says what is decided as the program runs.
func (r *coverReport) decisions() {
	places := make(map[string][]string)
	var by []string
	for _, d := range r.set.Decisions {
		if places[d.Why] == nil {
			by = append(by, d.Why)
		}
		for _, at := range covering.Places(r.program, r.target, &d) {
			if !slices.Contains(places[d.Why], at) {
				places[d.Why] = append(places[d.Why], at)
			}
		}
	}
	for _, why := range by {
		list := places[why]
		more := ""
		if n := len(list) - maxDecisions; n > 0 {
			list, more = list[:maxDecisions], fmt.Sprintf(" and at %d more", n)
		}
		r.line("decided as it runs, by %s: %s%s", why, strings.Join(list, ", "), more)
	}
}

// openings says why a set is open: each reason once, with the epochs for which it is one.
func (r *coverReport) openings() {
	epochs := make(map[string][]int)
	var reasons []string
	for i, e := range r.set.Epochs {
		for _, why := range e.Open {
			if epochs[why] == nil {
				reasons = append(reasons, why)
			}
			epochs[why] = append(epochs[why], i)
		}
	}
	for _, why := range reasons[:min(len(reasons), maxReasons)] {
		where := fmt.Sprintf("epoch %d", epochs[why][0])
		if more := len(epochs[why]) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		r.line("open: %s: %s", where, why)
	}
	if more := len(reasons) - maxReasons; more > 0 {
		r.line("open: there are %d more reasons: the file has them", more)
	}
}

// finding prints what is wrong with a schedule, and for which inputs it is.
func (r *coverReport) finding(epoch, number int, sc *cover.Schedule) {
	e := r.set.Epochs[epoch]
	where := fmt.Sprintf("schedule %d of epoch %d", number, epoch)
	if sc.Infeasible {
		where += ", which may be infeasible: no run was found that comes to it"
	}
	input := inputText(e, sc.Example)
	if sc.Reached != nil {
		input += fmt.Sprintf(", where a run comes with %s", inputText(e, sc.Reached))
	}
	if when := r.set.When(sc); when != "" {
		input += "\n    when    " + when
	}
	if sc.End.Kind == cover.Deadlock {
		fmt.Fprintf(r.stdout, "--- DEADLOCK: %s\n    input   %s\n", where, input)
		for i, g := range sc.End.Goroutines {
			if g.Kind == cover.Blocked {
				fmt.Fprintf(r.stdout, "    goroutine %d waits for ever at %s\n", i, strings.Join(r.stack(g.Stack), ", called at "))
			}
		}
	}
	for _, pair := range sc.Races {
		fmt.Fprintf(r.stdout, "--- RACE: %s\n    input   %s\n    %s and %s are not ordered\n", where, input, pair[0], pair[1])
	}
}

// stack returns the places of calls that are in the source.
func (r *coverReport) stack(places []string) []string {
	return slices.DeleteFunc(slices.Clone(places), func(at string) bool {
		file, _, _ := strings.Cut(at, ":")
		return substitute.IsFile(file)
	})
}

// ofSchedules says what n schedules of a set do, with the verb for one and for several.
func ofSchedules(n int, one, several string) string {
	if n == 1 {
		return "one of the schedules " + one
	}
	return fmt.Sprintf("%d of the schedules %s", n, several)
}

// within lists what came from outside in the runs of a check.
func within(checked *covering.Check) string {
	list, more := checked.Within, ""
	if n := len(list) - maxDecisions; n > 0 {
		list, more = list[:maxDecisions], fmt.Sprintf(", and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// holds says what was proved of the program under the set.
func (r *coverReport) holds() {
	checked := r.checked
	what := "deadlocks, panics or has a race"
	if checked.Ordered {
		what = "deadlocks or panics"
	}
	r.line("holds: no path of the schedules %s (%d were taken)", what, checked.Paths)
	if len(checked.Within) > 0 {
		r.line("within: what comes from outside is as it was in these runs: %s", within(checked))
	}
	if checked.Ordered {
		r.line("races were looked for with the order in which the standard library synchronised in these runs")
	}
}

// inputText returns an input for people to read.
func inputText(e *cover.Epoch, input map[string]uint64) string {
	if len(input) == 0 {
		return "any input"
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(input)) {
		list = append(list, name+" = "+value(e, name, input[name]))
	}
	return strings.Join(list, ", ")
}

// value returns the value of an input as Go writes it.
func value(e *cover.Epoch, name string, v uint64) string {
	for _, in := range e.Inputs {
		if in.Name != name {
			continue
		}
		if shift := 64 - in.Width; strings.HasPrefix(in.Type, "int") || in.Type == "" && in.Width == 64 {
			return fmt.Sprint(int64(v<<shift) >> shift)
		}
		if in.Type == "bool" {
			return fmt.Sprint(v != 0)
		}
	}
	return fmt.Sprint(v)
}
