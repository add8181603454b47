package search

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// CallsPrefix is before the package in the name of a search from calls into it.
const CallsPrefix = "calls:"

// Calls searches from calls into a package that may run at once: from all pairs, and then from all
// triples, the most promising ones first, within the budget of one target. It reports all as one
// target, whose result says how many were searched.
func Calls(ctx context.Context, prog *program.Program, calls *program.Calls, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	cfg.everyway = executable()
	mix, err := cfg.phases()
	if err != nil {
		return err
	}
	shared := newSerial(obs)
	named := &load.Target{Kind: load.TargetContext, Name: CallsPrefix + calls.Package, Package: calls.Within}
	c := &combinations{gathering: newGathering(prog, named, cfg, mix, shared), calls: calls}
	err = c.search(ctx)
	c.end(ctx)
	return err
}

// combinations are the searches from combinations of calls.
type combinations struct {
	*gathering
	calls *program.Calls
	found []program.Combination // pairs with findings
}

// A tally has combinations of a size, and counts what has become of them.
type tally struct {
	of      string // pairs or triples
	list    []*attempt
	dropped int // number of those that are not in the list
}

// An attempt is the search from a combination.
type attempt struct {
	program.Combination
	searchOutcome
}

func newTally(of string, list []program.Combination, dropped int) *tally {
	t := &tally{of: of, dropped: dropped}
	for _, one := range list {
		t.list = append(t.list, &attempt{Combination: one})
	}
	return t
}

// count returns how many combinations have a fate.
func (t *tally) count(of fate) int {
	n := 0
	for _, a := range t.list {
		if a.fate == of {
			n++
		}
	}
	if of == unsearched {
		n += t.dropped
	}
	return n
}

// All combinations of a size have a turn before one has its second, which is longer: some take
// long, and those after them are to be searched, too. In the first one they share a part of the
// time that is left among them.
const (
	turnShare  = 0.5
	minTurn    = 20 * time.Millisecond
	turnGrowth = 4
)

// search searches all pairs and triples, and tries to confirm what was found.
func (c *combinations) search(ctx context.Context) error {
	limited, cancel := c.cfg.Clock.WithDeadline(ctx, c.start.Add(c.cfg.Budget))
	defer cancel()
	sizes := []*tally{newTally("pairs", c.calls.Pairs, 0), newTally("triples", c.calls.Triples, c.calls.Dropped)}
	turns := make([]time.Duration, len(sizes))
	for again := true; again && !c.over(limited); {
		again = false
		for i, t := range sizes {
			todo := t.todo()
			if len(todo) == 0 {
				continue
			}
			if turns[i] == 0 {
				turns[i] = max(time.Duration(turnShare*float64(c.left())/float64(len(todo))), minTurn)
			} else {
				turns[i] *= turnGrowth
			}
			for _, a := range todo {
				if c.over(limited) {
					break
				}
				if a.fate == unsearched && slices.ContainsFunc(c.found, a.Contains) {
					a.fate = within // it would most likely find the same
					continue
				}
				if err := c.searchOne(limited, a, t, turns[i]); err != nil {
					return err
				}
			}
			again = true
		}
	}
	for _, t := range sizes {
		c.note(t)
	}
	if len(c.leading) == 0 {
		return nil
	}
	return c.confirm(limited)
}

// todo returns the combinations that have not been searched, or not to the end.
func (t *tally) todo() []*attempt {
	return slices.DeleteFunc(slices.Clone(t.list), func(a *attempt) bool {
		return a.last || a.fate != unsearched && a.fate != unfinished
	})
}

// searchOne searches from a combination for a time.
func (c *combinations) searchOne(ctx context.Context, one *attempt, t *tally, share time.Duration) error {
	target, err := c.calls.Target(ctx, one.Combination)
	if err != nil {
		if ctx.Err() == nil {
			one.fate = unfit
		}
		return nil // such as one in a loop over a map
	}
	s, err := c.searchFor(ctx, target, share)
	if s == nil {
		return err
	}
	if one.searchOutcome = outcomeOf(s, c.gather(s)); one.fate == found {
		if t.of == "pairs" {
			c.found = append(c.found, one.Combination)
		}
		c.leadFrom(target)
	}
	return nil
}

// note says what has become of the pairs, or of the triples.
func (c *combinations) note(t *tally) {
	if len(t.list) == 0 {
		return
	}
	all, left := len(t.list)+t.dropped, t.count(unsearched)
	var open []string
	for _, a := range t.list {
		if a.fate == unfinished {
			open = append(open, a.open)
		}
	}
	c.noteOutcomes(fmt.Sprintf("%s of calls that may run at once: %d", t.of, all), []part{
		{t.count(searched), "searched to the end, without a new finding"},
		{t.count(found), "with findings"},
		{len(open), "open"},
		{t.count(within), "left out, since two of the calls have findings"},
		{t.count(unfit), "that no search can begin with"},
		{left, "not searched"},
	}, open, t.of)
	if left > 0 {
		c.result.Open = append(c.result.Open, fmt.Sprintf("%d of %d %s were not searched", left, all, t.of))
	}
}
