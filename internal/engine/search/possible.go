package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A doubt is about a finding from the middle of the program that no run from the start has shown
// yet, or about how goroutines came to where they are in a dump.
type doubt struct {
	about    *verdict.Counterexample // nil for goroutines of a dump
	text     string
	absent   int      // number of targets that call nothing that leads there
	excluded []string // other targets that have no such run
	bounds   []string // within which that is known
	open     []string // targets of which that is not known
	met      []string // of these, targets of which runs were at the places, and did not show it
	runs     int      // of targets that lead there
}

// newDoubt returns a doubt about a finding.
func newDoubt(c *verdict.Counterexample) *doubt {
	first, _, _ := strings.Cut(lineOf(c.Run.Finding), "\n")
	return &doubt{about: c, text: "not confirmed: " + first}
}

// confirmShare is the part of the time that is left which a target has at least: what is known of
// the target before its first run takes some of that, and it is better to try a few than none of
// many.
const confirmShare = 8

// confirmPossible searches the targets in whose runs the goroutines of the context are there, from
// the start, for what was found from the middle: guided search tries to come to the places of these
// findings, and then the same has to go wrong there. What a run shows is reported, and the target
// fails for it. Of the others a note says what was tried. It takes no longer than it has time.
func (s *search) confirmPossible(ctx context.Context, prog *program.Program, machines *worker.Machines, budget time.Duration) error {
	var doubts []*doubt
	for _, c := range s.result.Counterexamples {
		doubts = append(doubts, newDoubt(c))
	}
	known := func(c *verdict.Counterexample) bool { return sameLines(c.Run.Finding, s.context.Shows) }
	if f := s.context.Shows; f != nil && !slices.ContainsFunc(s.result.Counterexamples, known) {
		c := &verdict.Counterexample{Run: &schedule.Run{Header: schedule.Header{Finding: f}}}
		doubts = append(doubts, newDoubt(c))
	}
	end := s.cfg.Clock.Now().Add(budget)
	limited, cancel := s.cfg.Clock.WithDeadline(ctx, end)
	defer cancel()
	search := func(goal func(context.Context, *load.Target, []*doubt) (*reach.Goal, error), doubts []*doubt) error {
		for i, target := range s.context.Leading {
			if limited.Err() != nil || len(doubts) == 0 {
				break
			}
			var err error
			share := s.cfg.Clock.Until(end) / time.Duration(min(len(s.context.Leading)-i, confirmShare))
			if doubts, err = s.confirmFrom(limited, prog, machines, target, goal, share, doubts); err != nil {
				return err
			}
		}
		for _, d := range doubts {
			s.unconfirmed = append(s.unconfirmed, d.String(s.context.Leading))
		}
		return nil
	}
	findings := func(ctx context.Context, t *load.Target, doubts []*doubt) (*reach.Goal, error) {
		var list []reach.Finding
		for _, d := range doubts {
			shown := d.about.Run.Finding == s.context.Shows
			list = append(list, reach.Finding{Finding: d.about.Run.Finding, Lines: shown, Some: shown && s.context.Locks})
		}
		return reach.NewFindings(ctx, prog, t, list)
	}
	if s.goal != nil && s.goal.Kind == "" {
		return search(func(ctx context.Context, t *load.Target, _ []*doubt) (*reach.Goal, error) { return s.goal.In(ctx, t) }, doubts)
	}
	if err := search(findings, doubts); err != nil || !s.context.Dumped || s.context.Shows != nil {
		return err
	}
	places := func(ctx context.Context, t *load.Target, _ []*doubt) (*reach.Goal, error) {
		return reach.NewStacks(ctx, prog, t, s.context.Stacks)
	}
	return search(places, []*doubt{{text: "not reached: the places of the dump, all at once"}})
}

// sameLines reports whether a finding is the one that a dump shows, of which the kind and the lines are known.
func sameLines(f, shown *schedule.Finding) bool {
	if f.Kind != shown.Kind {
		return false
	}
	lines := func(f *schedule.Finding) (list []string) {
		for _, part := range append([]schedule.Finding{*f}, f.Others...) {
			file, rest, _ := strings.Cut(part.Pos, ":")
			line, _, _ := strings.Cut(rest, ":")
			list = append(list, file+":"+line)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	return slices.Equal(lines(f), lines(shown))
}

// confirmFrom searches a target for the goal that some doubts make, and returns the doubts that stay.
func (s *search) confirmFrom(
	ctx context.Context, prog *program.Program, machines *worker.Machines, target *load.Target,
	newGoal func(context.Context, *load.Target, []*doubt) (*reach.Goal, error), share time.Duration, doubts []*doubt,
) ([]*doubt, error) {
	limited, cancel := s.cfg.Clock.WithTimeout(ctx, share)
	defer cancel()
	goal, err := newGoal(limited, target, doubts)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return doubts, nil // no run was made
	}
	if err != nil {
		return nil, err
	}
	cfg := s.cfg
	cfg.Strategy, cfg.Reach, cfg.Profile, cfg.Estimate = DefaultStrategy, &Reach{Kind: goal.Kind}, false, false
	cfg.Budget = share
	from, err := newSearch(prog, target, cfg, reachPhases(), s.pool.cores, &confirmer{outer: s})
	if err != nil {
		return nil, err
	}
	from.goal = goal
	if err := from.advance(limited, prog, machines, target, turn{}); err != nil {
		return nil, err
	}
	var left []*doubt
	for i, fate := range goal.Fates() {
		d := doubts[i]
		if fate.Found {
			if d.about != nil {
				s.fromStart[d.about] = true
			}
			continue
		}
		left = append(left, d)
		switch {
		case fate.Absent && len(goal.Missed) == 0:
			d.absent++
		case from.state.Finite && len(from.result.Open) == 0:
			d.excluded = append(d.excluded, target.Name)
			for _, bound := range from.result.Bounds {
				if !slices.Contains(d.bounds, bound) {
					d.bounds = append(d.bounds, bound)
				}
			}
		case from.result.Runs == 0: // there was no time for one
		default:
			d.open = append(d.open, target.Name)
			d.runs += from.result.Runs
			if i < len(from.state.Met) && from.state.Met[i] {
				d.met = append(d.met, target.Name)
			}
		}
	}
	return left, nil
}

// String says what was tried to confirm a finding, of some targets.
func (d *doubt) String(targets []*load.Target) string {
	text := d.text + ": "
	untried := len(targets) - d.absent - len(d.excluded) - len(d.open)
	switch {
	case d.absent == len(targets):
		return text + "no test leads there"
	case untried == 0 && len(d.open) == 0:
		text += "no run of " + list(d.excluded) + " shows it"
		if len(d.bounds) > 0 {
			text += ", within: " + strings.Join(d.bounds, "; ")
		}
		return text
	case len(d.open) == 0:
		return text + fmt.Sprintf("no time was left to try %s", count(untried, "test"))
	case len(d.met) > 0:
		text += fmt.Sprintf("runs of %s come there, and do not show it", list(d.met))
	default:
		text += fmt.Sprintf("no run of %s was seen to come there", list(d.open))
	}
	text += fmt.Sprintf(" (%s)", count(d.runs, "run"))
	if untried > 0 {
		text += fmt.Sprintf("; no time was left to try %s", count(untried, "test"))
	}
	return text
}

// maxListed is the number of targets that a note names.
const maxListed = 3

// list names targets.
func list(names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == maxListed:
			return text + fmt.Sprintf(" and %d more", len(names)-i)
		case i > 0:
			text += ", "
		}
		text += name
	}
	return text
}

// count returns a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A confirmer hands on what a search from the start finds to the observer of the search from the
// middle that it is made for.
type confirmer struct {
	verdict.Quiet
	outer *search
}

// Confirmed implements verdict.Observer.
func (c *confirmer) Confirmed(_ *verdict.Result, run *schedule.Run) {
	c.outer.totals()
	c.outer.obs.Confirmed(c.outer.result, run)
}

// Found implements verdict.Observer.
func (c *confirmer) Found(_ *verdict.Result, f *verdict.Counterexample) {
	f.Confirms = true
	c.outer.totals()
	c.outer.result.Counterexamples = append(c.outer.result.Counterexamples, f)
	c.outer.obs.Found(c.outer.result, f)
}

// Progress implements verdict.Observer.
func (c *confirmer) Progress(*verdict.Result) { c.outer.reportProgress() }
