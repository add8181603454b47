package reach

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/schedule"
)

// A Finding is one that is known from elsewhere.
type Finding struct {
	*schedule.Finding
	// Lines says that only the lines of its positions are known.
	Lines bool
	// Some says that it is enough if something is wrong at some of its positions: a dump has all
	// goroutines that have come to wait for a lock after those that wait for each other.
	Some bool
}

// NewFindings returns the goal of a search for findings that are known from runs of another target:
// its Suspects are these, with the places of their goroutines. If the target calls nothing that
// leads to any of them, the goal is Unreachable.
func NewFindings(ctx context.Context, p *program.Program, target *load.Target, findings []Finding) (*Goal, error) {
	g, err := New(ctx, p, target, nil)
	if err != nil {
		return nil, err
	}
	g.Kind = Known
	g.prepare()
	for _, f := range findings {
		s := &Suspect{Message: f.Message, known: f}
		for one := range f.All() {
			s.Places = append(s.Places, lineOf(one.Pos))
			s.instrs = append(s.instrs, g.codeAt(target, one.Pos, f.Lines))
		}
		s.absent = slices.ContainsFunc(s.instrs, func(list []ssa.Instruction) bool { return len(list) == 0 })
		g.Suspects = append(g.Suspects, s)
	}
	if !slices.ContainsFunc(g.Suspects, func(s *Suspect) bool { return !s.absent }) {
		g.Unreachable = fmt.Sprintf("%s calls nothing that leads there", target.Name)
	}
	return g, nil
}

// NewStacks returns the goal that different goroutines are where stacks, of which each has the
// innermost instruction first, are at the same time: at each place once, however many stacks are
// there.
func NewStacks(ctx context.Context, p *program.Program, target *load.Target, stacks [][]ssa.Instruction) (*Goal, error) {
	g, err := New(ctx, p, target, nil)
	if err != nil {
		return nil, err
	}
	for i, stack := range stacks {
		at := stack[0]
		if slices.ContainsFunc(stacks[:i], func(other []ssa.Instruction) bool { return other[0] == at }) {
			continue
		}
		pos := p.Position(target, at.Pos())
		if _, ok := place.SiteOf(g.code, g.calls, at); !ok {
			g.Unreachable = fmt.Sprintf("%s calls nothing that leads to %s", target.Name, pos)
		}
		g.Places = append(g.Places, program.Place{Spec: place.Spec{Text: pos}, Instrs: []ssa.Instruction{at}, Waits: []ssa.Instruction{at}})
	}
	return g, nil
}

// codeAt returns the instructions of the target that are at a position as run files have it: those
// that begin there or, if none does, the first one of the line in each function; or all of the
// line. There are none if the target does not call the code.
func (g *Goal) codeAt(target *load.Target, pos string, all bool) []ssa.Instruction {
	file, line, ok := g.program.FileLine(target, pos)
	if !ok {
		return nil
	}
	list, err := g.analysis.Places().Find(file, line)
	if err != nil {
		return nil // another target calls it
	}
	var exact, first []ssa.Instruction
	for _, c := range list {
		if !g.known.isOwn[c.Node.Body] {
			continue
		}
		least := int32(-1)
		var at ssa.Instruction
		for _, instr := range c.Instrs {
			site, ok := place.SiteOf(g.code, g.calls, instr)
			if !ok {
				continue
			}
			if all || g.program.Position(target, instr.Pos()) == pos {
				exact = append(exact, instr)
			}
			if least < 0 || site.Instr < least {
				least, at = site.Instr, instr
			}
		}
		if at != nil {
			first = append(first, at)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return first
}

// Seeks reports whether a finding, which is of the goal's kind, is one that the goal looks for.
func (g *Goal) Seeks(f *schedule.Finding) bool {
	return g.Kind != Known || slices.ContainsFunc(g.Suspects, func(s *Suspect) bool { return s.is(f) })
}

// is reports whether a finding is the known one of a suspect: of the same kind, with a goroutine at
// each of its places. Goroutines that wait for each other are a deadlock if the target waits for
// them, and otherwise a leak; others may wait beside them. See Finding.
func (s *Suspect) is(f *schedule.Finding) bool {
	kind := func(k string) string {
		if Deadlock.Finds(check.Kind(k)) {
			return string(check.Deadlock)
		}
		return k
	}
	if s.known.Finding == nil || kind(s.known.Kind) != kind(f.Kind) {
		return false
	}
	where := func(one *schedule.Finding) string {
		if s.known.Lines {
			return lineOf(one.Pos)
		}
		return one.Pos
	}
	var places []string
	for one := range s.known.All() {
		places = append(places, where(one))
	}
	var at []map[string]bool
	some := false
	for one := range f.All() {
		at = append(at, map[string]bool{where(one): true})
		some = some || slices.Contains(places, where(one))
	}
	return some && s.known.Some || matches(places, at)
}

// A Fate is what has become of a suspect.
type Fate struct {
	Found  bool
	Absent bool // the target calls nothing that leads there
}

// Fates returns what has become of the suspects so far or, of a goal with places, of these, as if
// they were one suspect.
func (g *Goal) Fates() []Fate {
	g.known.mu.Lock()
	defer g.known.mu.Unlock()
	if g.Kind == "" {
		return []Fate{{g.reached, g.Unreachable != ""}}
	}
	var list []Fate
	for _, s := range g.Suspects {
		list = append(list, Fate{s.found, s.absent})
	}
	return list
}
