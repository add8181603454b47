package guided

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A part of a search knows nothing of the others: what comes of its turns follows from the part
// alone, whichever instance of the strategy makes its runs.
type part struct {
	number  int               // of the suspect
	suspect *strategy.Suspect // what is looked for at the places; nil if they are to be reached only
	began   bool
	trials  []*trial // not done, the next one first; a part of places has one
	// numbered is how many trials of a suspect there were.
	numbered    int
	spent, turn int // runs of the present turn of a suspect, and how many it has
	// expressions are those that the part had when it was given back last.
	expressions int
	answered    solve.Stats

	// What has come of a turn.
	over    bool
	spawned []*trial // of places: others that are tried later
	far     farthest
	met     bool   // a run has come to the places
	reached *trial // that has reached the goal

	// The run that is made.
	search   *search
	sites    *sites
	schedule *scheduler
}

// solved returns how the queries of the part were answered.
func (p *part) solved() solve.Stats {
	sum := p.answered
	for _, tr := range p.trials {
		sum.Add(tr.stats)
	}
	return sum
}

// size returns the number of expressions of the part.
func (p *part) size() int {
	n := 0
	for _, tr := range p.trials {
		if tr.arena != nil {
			n += tr.arena.Len()
		}
	}
	return n
}

// forget drops the expressions of the part.
func (p *part) forget() {
	for _, tr := range p.trials {
		tr.forget()
	}
}

// job returns the next run of the part, which an instance of the strategy makes.
func (p *part) job(s *search) *strategy.Job {
	p.search = s
	tr := p.trials[0]
	plan := &run.Plan{Input: tr.next.input, Prefix: tr.next.prefix, Visible: s.config.Visible}
	if s.guide == nil {
		return &strategy.Job{Plan: plan, Scheduler: run.NonPreemptive{}}
	}
	if tr.asked == nil {
		tr.asked = make(map[strategy.Location]bool)
	}
	guide := s.guide
	if p.suspect != nil {
		guide = view{guide, p.suspect.Places}
	}
	p.sites = &sites{Guide: guide, asked: tr.asked, at: make(map[run.SiteID][]strategy.Location)}
	plan.Visible.Stops = p.stops(tr.next.set)
	p.schedule = newScheduler(p.sites, tr.next, p.suspect)
	return &strategy.Job{Plan: plan, Scheduler: p.schedule}
}

// stops returns the sites at which goroutines stop in a run that is led along a set: the locations
// of the set, where goroutines start, the definitions of the system, before and after, and before
// what the branches of the set read, so that others can go on in between. At the other locations of
// the system there is nothing to decide.
func (p *part) stops(of set) map[run.SiteID]bool {
	stops := make(map[run.SiteID]bool)
	add := func(l strategy.Location) { stops[p.sites.Site(l)] = true }
	for _, l := range p.sites.Starts() {
		add(l)
	}
	for _, l := range p.trials[0].system.order {
		if next := p.sites.AfterWrite(l); next != strategy.NoLocation {
			add(l)
			add(next)
		}
	}
	for _, t := range of {
		for _, st := range t {
			add(st.at)
			if st.side != strategy.AnySide || p.suspect != nil && p.suspect.Checks && st == t[len(t)-1] {
				for _, l := range p.sites.Reads(st.at) {
					add(l)
				}
			}
		}
	}
	delete(stops, run.NoSite)
	return stops
}

// learn takes the trace of the run.
func (p *part) learn(ctx context.Context, trace *run.Trace, from *expr.Arena) error {
	s, tr := p.search, p.trials[0]
	if s.guide == nil {
		p.trials, p.over = nil, true
		return nil
	}
	sc := p.schedule
	sc.settle(trace)
	tr.states += sc.states
	if trace.Reached != nil {
		p.reached, p.over = tr, true
		return nil
	}
	p.met = p.met || sc.met
	p.far.note(sc)
	tr.begin(s)
	rec := tr.record(sc.set, trace, from)
	tr.addOptions(p.options(sc, trace, rec))
	next, err := p.after(ctx, tr, sc, trace, rec)
	if next == nil && err == nil {
		next, err = tr.backtrack(ctx, s)
	}
	if err != nil {
		return err
	}
	switch {
	case next == nil:
		p.answered.Add(tr.stats)
		p.trials = p.trials[1:]
		p.over = len(p.trials) == 0
	default:
		tr.next = *next
		if !tr.nears(&sc.outcome) {
			p.endTurn(tr)
		}
	}
	if p.suspect == nil {
		return nil
	}
	if p.spent++; p.spent == p.turn {
		p.spent, p.turn, p.over = 0, 2*p.turn, true
	}
	return nil
}

// endTurn lets another trial have its turn, if it is time: each turn is twice as long as the one before.
func (p *part) endTurn(tr *trial) {
	if tr.spent++; tr.spent < tr.turn {
		return
	}
	tr.spent, tr.turn = 0, 2*tr.turn
	if p.suspect == nil {
		p.over = true
		return
	}
	p.trials = append(p.trials[1:], tr)
}

// spawn adds a trial that is made later.
func (p *part) spawn(tr *trial) {
	switch {
	case p.suspect == nil:
		p.spawned = append(p.spawned, tr)
	case len(p.trials) < maxTrials:
		tr.number = p.numbered
		p.numbered++
		p.trials = append(p.trials, tr)
	}
}

// after returns the run to make because of how a run has ended; nil if its options come next.
func (p *part) after(ctx context.Context, tr *trial, sc *scheduler, t *run.Trace, rec *record) (*attempt, error) {
	if sc.outcome.kind == ended {
		return nil, nil
	}
	if sc.outcome.kind == flip {
		at := sc.outcome.path
		input, err := tr.flip(ctx, p.search, rec, at, tr.arena.Not(rec.path[at]))
		if err != nil {
			return nil, err
		}
		if input != nil {
			tr.states++
			return &attempt{set: sc.set, prefix: rec.decisions[:t.Path[at].Decision], input: input, known: at + 1}, nil
		}
	}
	if tr.refined >= maxRefinements {
		return nil, nil
	}
	list := tr.refine(sc)
	if len(list) == 0 {
		return nil, nil
	}
	restart := func(r refinement) attempt { return attempt{set: r.set, input: rec.input} }
	for _, r := range list[1:min(len(list), maxAlternatives)] { // they are tried later
		if tr.refined < maxSpawning {
			p.spawn(&trial{length: tr.length, refined: tr.refined + 1, next: restart(r), turn: firstTurn, system: tr.system})
		}
	}
	tr.refined++
	next := restart(list[0])
	return &next, nil
}

// maxFlips bounds the conditions of a run of which the other outcome is an option.
const maxFlips = 256

// options returns the options of a run, the first one of the run first.
func (p *part) options(sc *scheduler, t *run.Trace, rec *record) []option {
	var flips, preferred []option
	for i := range t.Path {
		c := &t.Path[i]
		if c.Kind == run.Concretized && i >= sc.from.known && int(c.Decision) >= len(sc.from.prefix) {
			others, led := p.typesOf(rec, t, i)
			flips, preferred = append(flips, others...), append(preferred, led...)
		}
		if i < sc.from.known || int(c.Decision) < len(sc.from.prefix) ||
			c.Kind != run.Jump && c.Kind != run.Check || len(flips) == maxFlips {
			continue
		}
		if sc.outcome.kind == flip && i == sc.outcome.path {
			continue // it is what comes next
		}
		flips = append(flips, option{of: rec, decisions: c.Decision, condition: int32(i)})
	}
	list := make([]option, 0, len(flips)+len(sc.options)+len(preferred))
	for _, o := range sc.options { // which are in the order of decisions, as flips are
		for len(flips) > 0 && flips[0].decisions <= o.decisions {
			list, flips = append(list, flips[0]), flips[1:]
		}
		list = append(list, option{of: rec, decisions: o.decisions, decision: o.decision, condition: -1})
	}
	return append(append(list, flips...), preferred...)
}

// typesOf returns the options for the dynamic type of an interface that condition i of a run has
// chosen: those that have a method in which a location of the set is, which lead there (h₃ of the
// paper's section 5), and the others.
func (p *part) typesOf(rec *record, t *run.Trace, i int) (others, led []option) {
	c := &t.Path[i]
	k := slices.IndexFunc(t.Inputs, func(v run.InputVar) bool { return v.Sym == c.Value && v.Sym != expr.None })
	if k < 0 {
		return nil, nil
	}
	list, ok := t.Inputs[k].DynamicTypes()
	if !ok {
		return nil, nil
	}
	classes := make(map[string]bool)
	for _, tr := range rec.set {
		for _, st := range tr {
			classes[p.search.guide.Class(st.at)] = true
		}
	}
	delete(classes, "")
	choice := p.trials[0].copier.Copy(c.Value)
	for n, name := range list {
		o := option{of: rec, decisions: c.Decision, condition: int32(i), choice: choice, value: uint64(n + 1)}
		switch {
		case o.value == t.Inputs[k].Value:
		case classes[strings.TrimPrefix(name, "*")]:
			led = append(led, o)
		default:
			others = append(others, o)
		}
	}
	return others, led
}

// A view of a guide has the places of one suspect.
type view struct {
	strategy.Guide
	places [][]strategy.Location
}

// Places implements strategy.Guide.
func (v view) Places() [][]strategy.Location { return v.places }

// sites are those of a guide that have been asked for in the runs of a trial: which others know does not matter for it.
type sites struct {
	strategy.Guide
	asked map[strategy.Location]bool
	at    map[run.SiteID][]strategy.Location // of the run
}

// Site implements strategy.Guide.
func (s *sites) Site(l strategy.Location) run.SiteID {
	s.asked[l] = true
	return s.Guide.Site(l)
}

// At implements strategy.Guide. The start of a function comes first.
func (s *sites) At(site run.SiteID) []strategy.Location {
	list, ok := s.at[site]
	if !ok {
		for _, l := range s.Guide.At(site) {
			if s.asked[l] {
				list = append(list, l)
			}
		}
		slices.SortFunc(list, func(l, m strategy.Location) int {
			return cmp.Or(less(s.Start(l) != l, s.Start(m) != m), cmp.Compare(l, m))
		})
		s.at[site] = list
	}
	return list
}
