package concurrent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Found is what a search has seen.
type Found struct {
	Outcomes map[string]bool
	Covered  map[oracle.Branch]bool
	Race     bool
	Cut      bool // timers that were set after the target had returned did not all fire
	Runs     int  // all of them
	Complete int  // since the search last began anew, those of inputs in the domain that came to their end
	Status   strategy.Status
}

// ErrTooManyRuns is returned for a search that takes more runs than the limit.
var ErrTooManyRuns = errors.New("the search does not end")

// Search lets st search the program to its end.
func (p *Player) Search(ctx context.Context, st strategy.Strategy, limit int) (*Found, error) {
	f := &Found{Outcomes: map[string]bool{}, Covered: map[oracle.Branch]bool{}}
	sites := 0
	for {
		job, err := st.Next(ctx)
		if err != nil {
			return nil, err
		}
		if job == nil {
			f.Status = st.Status()
			return f, nil
		}
		if f.Runs++; f.Runs > limit {
			return nil, fmt.Errorf("%w: %d", ErrTooManyRuns, limit)
		}
		if n := len(job.Plan.Visible.Sites); n != sites { // a race was seen
			f.Complete, sites = 0, n
		}
		p.output.Reset()
		trace, err := p.Machine.Run(ctx, job.Plan, job.Scheduler)
		if err != nil {
			return nil, err
		}
		if err := p.take(f, trace); err != nil {
			return nil, err
		}
		if err := st.Learn(ctx, job, trace, p.Machine.Arena); err != nil {
			return nil, err
		}
	}
}

// take adds a run to what was found.
func (p *Player) take(f *Found, trace *run.Trace) error {
	p.covered(f.Covered, trace.Covered)
	o := oracle.Outcome{}
	bodyOf := map[int]int{}
	p.Programs[p.program].Each(func(body int, s *oracle.Stmt) { bodyOf[s.ID] = body })
	f.Race = f.Race || len(trace.Unordered) > 0
	f.Cut = f.Cut || trace.TimeCut
	for i := range trace.TestFailures {
		failure := &trace.TestFailures[i]
		line, ok := p.placeOf(&failure.StackTrace)
		if !ok {
			return fmt.Errorf("a test failure in no statement: %s", failure.Message)
		}
		o.Errors = append(o.Errors, line.Stmt)
	}
	switch failure := cmp.Or(trace.Panic, trace.FatalError); {
	case failure != nil:
		message, _, _ := strings.Cut(failure.Message, "\n")
		if strings.HasPrefix(message, "panic: Log in goroutine after ") {
			message = oracle.LateLog
		}
		if o.Failure, _, _ = strings.Cut(message, " [recovered"); !o.Failed() {
			break // of the bubble
		}
		line, ok := p.placeOf(&failure.StackTrace)
		if !ok {
			return fmt.Errorf("a failure in no statement: %s", failure.Message)
		}
		o.Failing = bodyOf[line.Stmt]
	case trace.Stuck != nil && trace.Stuck.Returned:
		o.Failure = oracle.Leak
	case slices.ContainsFunc(check.Judge(trace), func(f check.Finding) bool { return f.Kind == check.Deadlock || f.Kind == check.Livelock }):
		o.Failure = oracle.Deadlock
	}
	switch trace.Outcome {
	case run.Stopped:
		return nil
	case run.Finished, run.Failed:
	default:
		return fmt.Errorf("a run was %v: %s", trace.Outcome, trace.Message)
	}
	begun := p.Programs[p.program].Init > 0 // that is printed before runs begin
	for line := range strings.Lines(p.output.String()) {
		var program int
		var s oracle.Shown
		switch n, _ := fmt.Sscan(line, &program, &s.Body, &s.Stmt, &s.Value); n {
		case 0: // what t.Error logs
		case 1:
			begun = true
		case 4:
			o.Shown = append(o.Shown, s)
		default:
			return fmt.Errorf("output %q", line)
		}
	}
	if !begun { // the input is outside the domain
		if o.Failure != "" {
			return fmt.Errorf("outside the domain: %s", o.Failure)
		}
		return nil
	}
	f.Complete++
	f.Outcomes[o.Canonical(p.Programs[p.program])] = true
	return nil
}

// placeOf returns the statement that a stack trace is about: the innermost one of
// its stack.
func (p *Player) placeOf(f *run.StackTrace) (oracle.Line, bool) {
	if line, ok := p.place(f.Site); ok {
		return line, true
	}
	for _, frame := range f.Frames {
		if line, ok := p.place(frame.Site); ok {
			return line, true
		}
	}
	return oracle.Line{}, false
}

// Difference says how f differs from what it should be, "" if it does not. If the search merges
// states, only the ends of runs are compared and the branches that were taken, not what the program
// has shown before.
func (f *Found) Difference(want *oracle.Result, merges bool) string {
	if !f.Status.Exhausted {
		return fmt.Sprintf("not exhausted: %v", f.Status.Open)
	}
	got, outcomes := slices.Sorted(maps.Keys(f.Outcomes)), want.Outcomes
	if merges {
		got, outcomes = ends(got), ends(outcomes)
	}
	if !slices.Equal(got, outcomes) {
		return fmt.Sprintf("outcomes %q\n    want %q", got, outcomes)
	}
	if f.Race != want.Race && !want.MayRace {
		return fmt.Sprintf("race %v, want %v", f.Race, want.Race)
	}
	return ""
}

// shown is what an outcome says that the program has shown.
var shown = regexp.MustCompile(`( \d+:-?\d+)+$`)

// ends returns the outcomes without what the program has shown, sorted.
func ends(outcomes []string) []string {
	list := make([]string, len(outcomes))
	for i, o := range outcomes {
		list[i] = shown.ReplaceAllString(o, "")
	}
	slices.Sort(list)
	return slices.Compact(list)
}
