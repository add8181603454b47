package reach

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/warning"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A Kind is what a search looks for where static analysis warns of it.
type Kind string

// The kinds.
const (
	Race     Kind = "race"
	Deadlock Kind = "deadlock"
	Panic    Kind = "panic"

	// Known is no kind to be asked for: it is that of the goals of NewFindings.
	Known Kind = "known"
)

// KindOf returns the kind that a text names, false if it names none.
func KindOf(text string) (Kind, bool) {
	k := Kind(text)
	return k, k == Race || k == Deadlock || k == Panic
}

// Finds reports whether a finding is of the kind. Of goroutines that wait for each other some are
// leaks: those for which the target does not wait.
func (k Kind) Finds(f check.Kind) bool {
	switch k {
	case Race:
		return f == check.Race
	case Deadlock:
		return f == check.Deadlock || f == check.Leak
	case Known:
		return true
	default:
		return f == check.Panic
	}
}

// A Suspect is a warning of static analysis.
type Suspect struct {
	Places  []string // file:line, relative to the module's root
	Message string

	instrs [][]ssa.Instruction // by place
	calls  int                 // on the shortest ways to the places
	rank   int
	found  bool

	known  Finding // that it is, if it is one
	absent bool    // the target calls nothing that leads to one of the places
}

// String returns the places and what may go wrong there.
func (s *Suspect) String() string { return strings.Join(s.Places, " and ") + ": " + s.Message }

// maxSuspects bounds the suspects to which a search is led.
const maxSuspects = 256

// Goal returns the goal of a search that looks for a kind of findings in a target, which is one of
// those that were analysed: its Suspects are what static analysis warns of there, the likeliest
// first and, of these, those to which the fewest calls lead.
func (a *Analysis) Goal(ctx context.Context, target *load.Target, kind Kind) (*Goal, error) {
	g := newGoal(a.program, target, a.mu)
	g.Kind, g.analysis, g.pointers = kind, a.analysis, a.pointers
	var err error
	if g.calls, err = a.part(target); err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	g.prepare()
	if err := g.findSuspects(ctx, a); err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	return g, nil
}

// WithoutSuspects returns the goal of a search that looks for a kind of findings in a target of
// which it could not be found out what the suspects are.
func WithoutSuspects(p *program.Program, target *load.Target, kind Kind, why string) *Goal {
	g := newGoal(p, target, new(sync.Mutex))
	g.Kind, g.Unknown = kind, why
	return g
}

func (g *Goal) findSuspects(ctx context.Context, a *Analysis) error {
	g.known.mu.Lock()
	defer g.known.mu.Unlock()
	locks, err := lockset.Solve(ctx, g.calls, a.analysis.Control, a.pointers, a.analysis.Library)
	if err != nil {
		return fmt.Errorf("finding which locks are held: %w", err)
	}
	f := &warning.Finder{
		Fset: g.program.Fset, Calls: g.calls, Own: g.known.own,
		Pointers: a.pointers, Locks: locks, Shared: a.shared, Control: a.analysis.Control,
	}
	var found warning.Report
	switch g.Kind {
	case Race:
		found, err = f.Races(ctx)
	case Deadlock:
		found, err = f.Deadlocks(ctx)
	default:
		found, err = f.Panics(ctx)
	}
	if err != nil {
		return err
	}
	g.Locked, g.Partial = found.Locked, found.Partial
	calls := depths(f.Calls)
	for _, w := range found.Warnings {
		s := &Suspect{Message: w.Message, rank: w.Rank}
		for _, p := range w.Places {
			s.Places = append(s.Places, fmt.Sprintf("%s:%d", g.program.FileName(g.root, p.Pos.Filename), p.Pos.Line))
			s.instrs = append(s.instrs, p.Instrs)
			least := -1
			for _, instr := range p.Instrs {
				if d, ok := calls[f.Calls.Of(instr.Parent())]; ok && (least < 0 || d < least) {
					least = d
				}
			}
			s.calls += max(least, 0)
		}
		g.Suspects = append(g.Suspects, s)
	}
	slices.SortStableFunc(g.Suspects, func(a, b *Suspect) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.calls, b.calls)) })
	if over := len(g.Suspects) - maxSuspects; over > 0 {
		g.Suspects, g.Dropped = g.Suspects[:maxSuspects], over
	}
	return nil
}

// depths returns how many calls lead at least to each function.
func depths(calls *callgraph.Graph) map[*callgraph.Node]int {
	depth := map[*callgraph.Node]int{calls.Machine: 0}
	for work := []*callgraph.Node{calls.Machine}; len(work) > 0; work = work[1:] {
		for _, s := range work[0].Sites {
			for _, c := range s.Callees() {
				if _, ok := depth[c]; !ok {
					depth[c] = depth[work[0]] + 1
					work = append(work, c)
				}
			}
		}
	}
	return depth
}

// Found notes that a finding was made: the suspects at whose places it is are decided. The places
// of the finding are the lines of the stacks of its goroutines.
func (g *Goal) Found(f *schedule.Finding) {
	g.known.mu.Lock()
	defer g.known.mu.Unlock()
	g.reached = true
	var at []map[string]bool
	for _, part := range append([]schedule.Finding{*f}, f.Others...) {
		lines := map[string]bool{lineOf(part.Pos): true}
		for _, frame := range part.Stack {
			lines[lineOf(frame.Pos)] = true
		}
		at = append(at, lines)
	}
	for _, s := range g.Suspects {
		if s.known.Finding == nil && matches(s.Places, at) || s.is(f) {
			s.found = true
		}
	}
}

// matches reports whether each of some places is a line of another goroutine.
func matches(places []string, at []map[string]bool) bool {
	if len(places) == 0 {
		return true
	}
	for i, lines := range at {
		if lines[places[0]] && matches(places[1:], slices.Delete(slices.Clone(at), i, i+1)) {
			return true
		}
	}
	return false
}

// lineOf returns file:line of file:line:column.
func lineOf(pos string) string {
	if parts := strings.SplitN(pos, ":", 3); len(parts) == 3 {
		return parts[0] + ":" + parts[1]
	}
	return pos
}

// AllFound reports whether there is a finding for each suspect to which the target leads, of which
// there is one at least.
func (g *Goal) AllFound() bool {
	g.known.mu.Lock()
	defer g.known.mu.Unlock()
	return len(g.Suspects) > 0 && g.Dropped == 0 && !g.Partial &&
		!slices.ContainsFunc(g.Suspects, func(s *Suspect) bool { return !s.found && !s.absent })
}

// Summary says what has become of the suspects, a line each: met says to which of them runs have
// come, and excluded that the exhaustive search has made all runs.
func (g *Goal) Summary(met []bool, excluded bool) []string {
	g.known.mu.Lock()
	defer g.known.mu.Unlock()
	var lines []string
	count := make(map[string]int)
	for i, s := range g.Suspects {
		what := verdict.SuspectUnmet
		switch {
		case s.found:
			what = verdict.SuspectFound
		case excluded:
			what = verdict.SuspectExcluded
		case i < len(met) && met[i]:
			what = verdict.SuspectMet
		}
		count[what]++
		lines = append(lines, fmt.Sprintf("suspect: %s: %s", s, what))
	}
	head := fmt.Sprintf("suspects: %d", len(g.Suspects)+g.Dropped)
	var counts []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{count[verdict.SuspectFound], "found"}, {count[verdict.SuspectExcluded], "excluded"}, {count[verdict.SuspectMet], "reached without a finding"},
		{count[verdict.SuspectUnmet], "not reached"}, {g.Dropped, "not looked for"},
	} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(counts) > 0 {
		head += ": " + strings.Join(counts, ", ")
	}
	if g.Locked > 0 {
		head += fmt.Sprintf("; other pairs of lines, with a lock in common: %d", g.Locked)
	}
	if g.Partial {
		head += "; there may be more, since the analysis came to a bound"
	}
	if g.Unknown != "" {
		head = "suspects: not known: " + g.Unknown
	}
	return append([]string{head}, lines...)
}

// Suspects implements strategy.Guide.
func (g *Guide) Suspects() []strategy.Suspect {
	defer g.lock()()
	var list []strategy.Suspect
	for _, s := range g.Goal.Suspects {
		of := strategy.Suspect{Checks: g.Kind == Panic || s.known.Finding != nil && Panic.Finds(check.Kind(s.known.Kind))}
		for _, instrs := range s.instrs {
			of.Places = append(of.Places, g.locations(instrs))
		}
		list = append(list, of)
	}
	return list
}

// Decided implements strategy.Guide.
func (g *Guide) Decided(suspect int) bool {
	defer g.lock()()
	s := g.Goal.Suspects[suspect]
	return s.found || s.absent
}
