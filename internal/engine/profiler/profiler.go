package profiler

import (
	"go/token"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/profile"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/internal/vm/meter"
)

// A Profiler finds out what the runs of a worker cost, and what it takes to plan them. Its methods may be
// called without one, and do nothing then. It is not safe for concurrent use.
type Profiler struct {
	meter *meter.Meter
	names Names
	now   func() time.Duration
	costs map[account]profile.Costs
	texts map[account]profile.Place

	departures *Departures // nil until a strategy begins
	elements   []element   // of the last run; the memory is used again
	beginnings []uint64

	planning bool          // a strategy is planning for the search, not for an estimate
	solved   time.Duration // by queries since planning began or went on
	last     account       // where the last run departs
}

// Names says what the program is called whose runs a machine makes.
type Names struct {
	Start profile.Frame                               // where the target begins
	Site  func(run.SiteID) (fn string, pos token.Pos) // as vm/state.State.Site
	Files *token.FileSet
}

// An account is where something is done, and what: it is what costs are charged to.
type account struct {
	at       meter.Stack
	activity profile.Activity
	departs  profile.Departure
}

// New returns a profiler for runs of a machine whose meter will be that of the profiler.
func New(names Names) *Profiler {
	begin := time.Now()
	p := &Profiler{
		names: names,
		now:   func() time.Duration { return time.Since(begin) },
		costs: map[account]profile.Costs{},
		texts: map[account]profile.Place{},
		last:  account{meter.None, profile.Planning, profile.AtStart},
	}
	p.meter = meter.New(profile.Period, p.now)
	return p
}

// Meter returns the meter for the machine.
func (p *Profiler) Meter() *meter.Meter { return p.meter }

// Configure has a strategy tell the profiler of its queries.
func (p *Profiler) Configure(c *strategy.Config) {
	if p != nil {
		c.Solver.Timed, c.Subjects = p.timed, p.subject
	}
}

// Follow says which runs there were before those to come.
func (p *Profiler) Follow(d *Departures) {
	if p != nil {
		p.departures = d
	}
}

// Start has the meter count, for a run that counts for the verdict, until Stop is called.
func (p *Profiler) Start() {
	if p != nil {
		p.meter.Start()
	}
}

// Stop ends what Start has begun.
func (p *Profiler) Stop() {
	if p != nil {
		p.meter.Stop()
	}
}

// add adds to what is charged to an account.
func (p *Profiler) add(of account, c profile.Costs) {
	sum := p.costs[of]
	sum.Add(c)
	p.costs[of] = sum
}

// A Planning is the time in which a strategy plans which run is next, and learns from it. Its methods do
// nothing without a profiler.
type Planning struct {
	p     *Profiler
	begun time.Duration // when it began or went on
	took  time.Duration // before that
}

// Plan begins a planning.
func (p *Profiler) Plan() Planning {
	t := Planning{p: p}
	t.Resume()
	return t
}

// Resume ends a pause.
func (t *Planning) Resume() {
	if t.p != nil {
		t.p.planning, t.p.solved, t.begun = true, 0, t.p.now()
	}
}

// Pause begins a pause, for the run. What the solver took is not time of the planning.
func (t *Planning) Pause() {
	if t.p != nil {
		t.p.planning = false
		t.took += t.p.now() - t.begun - t.p.solved
	}
}

// End charges the time to the last run.
func (t *Planning) End() {
	if t.p != nil {
		t.Pause()
		t.p.add(t.p.last, profile.Costs{Time: t.took})
	}
}

// timed is solve.Options.Timed.
func (p *Profiler) timed(about solve.Subject, queries int64, took time.Duration) {
	if !p.planning {
		return
	}
	p.solved += took
	p.add(account{meter.Stack(about), profile.Solving, ""}, profile.Costs{Queries: queries, Solver: took, Time: took})
}

// subject is strategy.Config.Subjects.
func (p *Profiler) subject(condition int) solve.Subject {
	return solve.Subject(p.meter.Conditions[condition])
}

// Run counts a run where it departs from those before it. Its expressions live in an arena.
func (p *Profiler) Run(t *run.Trace, in *expr.Arena) {
	if p == nil {
		return
	}
	p.last = account{meter.None, profile.Planning, profile.AtStart}
	if p.departures != nil {
		p.elements = elements(t, p.elements[:0])
		p.beginnings = beginnings(t, in, p.elements, p.beginnings[:0])
		if i, any := p.departures.add(p.beginnings); any {
			p.last = p.departure(t, i)
		}
	}
	p.add(p.last, profile.Costs{Runs: 1})
}

// departure returns the account of a run that departs at one of its elements, or at none.
func (p *Profiler) departure(t *run.Trace, i int) account {
	c := account{meter.None, profile.Planning, profile.Nowhere}
	if i == len(p.elements) {
		return c
	}
	switch e := p.elements[i]; {
	case e.condition:
		c.at, c.departs = p.meter.Conditions[e.index], profile.InBranch
	case t.Decisions[e.index].Kind == run.Value:
		c.at, c.departs = p.meter.Decisions[e.index], profile.InValue
	default:
		c.at, c.departs = p.meter.Decisions[e.index], profile.InOrder
	}
	return c
}

// Collect adds to dst what was charged since the last call, and returns dst, made if it was nil.
func (p *Profiler) Collect(dst profile.Profile) profile.Profile {
	if p == nil {
		return dst
	}
	p.meter.Collect(func(at meter.Stack, c meter.Cost) {
		p.add(account{at, profile.Running, ""}, profile.Costs{Steps: c.Steps, Instructions: c.Instructions, Time: c.Time})
	})
	if dst == nil && len(p.costs) > 0 {
		dst = profile.Profile{}
	}
	for of, c := range p.costs {
		text, ok := p.texts[of]
		if !ok {
			text = profile.NewPlace(of.activity, of.departs, p.frames(of.at))
			p.texts[of] = text
		}
		dst.Add(text, c)
	}
	clear(p.costs)
	return dst
}

// frames returns what is shown of a stack. Where a model takes the place of the standard library, that
// is the function that was called: what it consists of is nothing that a user knows, nor what has called
// the target.
func (p *Profiler) frames(of meter.Stack) []profile.Frame {
	if of == meter.Timer {
		return []profile.Frame{{Func: "[timer]"}}
	}
	var list []profile.Frame
	inModel := false
	for _, site := range p.meter.Frames(of) {
		f := p.frame(site)
		model := golib.IsModel(f.File)
		if model && inModel {
			list = list[:len(list)-1]
		}
		list, inModel = append(list, f), model
	}
	if inModel && len(list) > 1 {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		list = append(list, p.names.Start)
	}
	return list
}

// frame returns the frame of a call.
func (p *Profiler) frame(site run.SiteID) profile.Frame {
	name, pos := p.names.Site(site)
	at := p.names.Files.Position(pos)
	return profile.Frame{Func: name, File: at.Filename, Line: at.Line}
}
