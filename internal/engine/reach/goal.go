package reach

import (
	"context"
	"fmt"
	"sync"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/schedule"
)

// A Goal is what a search of a target is to reach: different goroutines at all of its places at the same time.
//
// With a Kind, it is to find out what comes of the Suspects instead.
type Goal struct {
	Places []program.Place

	Kind     Kind // empty for places
	Suspects []*Suspect
	Dropped  int    // number of suspects that were too many
	Partial  bool   // there may be more, since looking for them came to a bound
	Locked   int    // number of pairs of lines that are none because of a lock that is held at both
	Unknown  string // why it is not known what the suspects are; empty if it is

	program  *program.Program
	root     string // of the module of the target
	analysis *static.Analysis
	pointers *pointsto.Result // nil if they were not analysed
	code     *code.Program
	calls    *callgraph.Graph // nil if there was no time to find out
	// Unreachable says why no run of the target reaches the goal; empty if that is not known. It is so unless the
	// target makes calls of which the analysis does not know where they lead: Missed says which.
	Unreachable string
	Missed      []string

	known   knowledge
	reached bool // a run has shown what was to be found, whatever that is
}

// New finds the places of specs in the program, and what a target can do. The error is what is
// wrong with the specs, whatever the target. A place that the target does not reach makes the goal
// Unreachable.
func New(ctx context.Context, p *program.Program, target *load.Target, specs []place.Spec) (*Goal, error) {
	cfg, err := p.Static(target)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	a, err := static.New(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	g := newGoal(p, target, new(sync.Mutex))
	g.analysis, g.calls, g.Missed = a, a.Calls(), a.Unsound()
	finder := p.Finder(a, g.code, g.root)
	for _, s := range specs {
		found, err := finder.Find(s)
		if err != nil {
			return nil, fmt.Errorf("-reach %s: %w", s.Text, err)
		}
		if len(found.Instrs) == 0 && g.Unreachable == "" {
			g.Unreachable = fmt.Sprintf("%s calls nothing that leads to %s", target.Name, s.Text)
		}
		g.Places = append(g.Places, found)
	}
	return g, nil
}

// In returns the goal to reach the places of g in another target.
func (g *Goal) In(ctx context.Context, target *load.Target) (*Goal, error) {
	var specs []place.Spec
	for _, p := range g.Places {
		specs = append(specs, p.Spec)
	}
	return New(ctx, g.program, target, specs)
}

// newGoal returns a goal of which nothing is known.
func newGoal(p *program.Program, target *load.Target, mu *sync.Mutex) *Goal {
	return &Goal{program: p, root: p.RootOf(target.Package), code: p.NewCode(p.Covers(target)), known: knowledge{mu: mu}}
}

// Sites returns the places as run files have them.
func (g *Goal) Sites() []schedule.GoalSite {
	var list []schedule.GoalSite
	for i, p := range g.Places {
		for _, instr := range p.Instrs {
			if at, ok := place.SiteOf(g.code, g.calls, instr); ok {
				list = append(list, schedule.GoalSite{Place: schedule.Place{Func: at.Func.Name, Instr: at.Instr}, Of: i})
			}
		}
		if len(g.Places) == 1 {
			break // the run ends before goroutines wait there
		}
		for _, instr := range p.Waits {
			for _, at := range place.SitesOf(g.code, g.calls, instr) {
				list = append(list, schedule.GoalSite{Place: schedule.Place{Func: at.Func.Name, Instr: at.Instr}, Of: i, Waits: true})
			}
		}
	}
	return list
}
