package covering

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/load/substitute"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A decision is a branch that something decides which is no input, or, if it has no position, one
// of which one side ends the process.
type decision struct {
	holds    bool   // of the latter, on the other side
	position string // as in the set
	inverted bool   // its jump is taken if the condition does not hold
	earlier  []repeated
}

// A repeated is a decision of which the outcome, or the opposite, is that of another one, which
// comes later in its function.
type repeated struct {
	of       *decision
	inverted bool
}

// An outcome is that of a decision, by the goroutine and the number of calls that it is in.
type outcome struct {
	goroutine int32
	calls     int
	of        *decision
}

// cut makes the slices of the program. What is no input is left out where it decides a branch: what
// the branch does then may be any.
func (s *Search) cut(ctx context.Context, a *static.Analysis, ops *synchronisation.Operations) error {
	opt := synchronisation.Options{
		Prefixes: !s.cfg.Without.Prefixes, Unknown: s.cfg.Unknown, Processors: s.cfg.Processors > 0,
		Flags: len(s.cfg.Flags) > 0, Decided: make(map[*ssa.If]bool),
	}
	var err error
	if s.cfg.Abstract {
		if opt.Repeating, err = synchronisation.Repeating(ctx, a, ops, opt); err != nil {
			return err
		}
	}
	if s.decisions, err = synchronisation.Decisions(ctx, a, ops, opt); err != nil {
		return err
	}
	for _, d := range s.decisions {
		opt.Decided[d.Branch] = true
	}
	if s.slice, err = synchronisation.NewSlice(ctx, a, ops, opt); err != nil {
		return err
	}
	s.border = s.slice
	if len(s.markers) > 0 {
		opt.Borders = true
		if s.border, err = synchronisation.NewSlice(ctx, a, ops, opt); err != nil {
			return err
		}
	}
	// The others decide nothing that matters.
	s.decisions = slices.DeleteFunc(s.decisions, func(d synchronisation.Decision) bool { return !s.slice.Has(d.Branch) && !s.border.Has(d.Branch) })
	s.repeats = s.slice.Repeats(s.decisions)
	return nil
}

// nameDecisions sets the decisions of the set. One that has no condition of its own in the source
// has a name that is no position, so that no other condition is taken for it.
func (s *Search) nameDecisions() {
	taken := make(map[string]bool)
	for _, d := range s.decisions {
		pos, ranges := rangePos(d.Branch)
		own := ranges
		if !ranges {
			pos, own = conditionPos(d.Branch, s.program.NewCode(nil).References)
		}
		name := s.program.Position(s.target, pos)
		if !own || s.isRepeated(d.Branch.Parent()) {
			name += "'"
		}
		for taken[name] {
			name += "'"
		}
		taken[name] = true
		s.set.Decisions = append(s.set.Decisions, cover.Decision{
			Position: name, Function: d.Branch.Parent().String(), Why: d.Why, Range: ranges,
		})
	}
}

// Places returns where a decision is for people: its place in the source, or, where it is in what
// is in the place of a function of the standard library, where that is mentioned.
func Places(p *program.Program, t *load.Target, d *cover.Decision) []string {
	at := d.Place()
	file, _, _ := strings.Cut(at, ":")
	if !substitute.IsFile(file) {
		return []string{at}
	}
	dot := strings.LastIndexByte(d.Function, '.')
	var list []string
	for _, pkg := range p.All {
		if pkg.Path != d.Function[:max(dot, 0)] {
			continue
		}
		for _, pos := range substitute.Mentions(pkg.Files, d.Function[dot+1:]) {
			list = append(list, p.Position(t, pos))
		}
	}
	return list
}

// isRepeated reports whether the source of a function is that of another one, too, as that of a
// generic function is of each of its instances.
func (s *Search) isRepeated(fn *ssa.Function) bool {
	return fn.Syntax() == nil || slices.ContainsFunc(s.calls.Nodes, func(n *callgraph.Node) bool {
		return n.Body != nil && n.Body != fn && n.Body.Syntax() == fn.Syntax()
	})
}

// rangePos returns the position of the for statement if a branch is whether a loop over elements goes on.
func rangePos(br *ssa.If) (token.Pos, bool) {
	body := br.Block().Succs[0]
	if br.Block().Comment != "rangeindex.loop" || body.Comment != "rangeindex.body" {
		return token.NoPos, false
	}
	at := token.NoPos
	for _, instr := range body.Instrs {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.IndexAddr: // its position may be that of what the loop ranges over
			if _, ok := instr.Index.(*ssa.BinOp); ok && instr.Index == *br.Cond.(ssa.Instruction).Operands(nil)[0] {
				continue
			}
		}
		if at = instr.Pos(); at.IsValid() {
			break
		}
	}
	syntax := br.Parent().Syntax()
	if !at.IsValid() || syntax == nil {
		return token.NoPos, false
	}
	var loop *ast.RangeStmt
	ast.Inspect(syntax, func(n ast.Node) bool {
		// What a loop in the body ranges over is computed in the body.
		if s, ok := n.(*ast.RangeStmt); ok && s.Pos() <= at && at < s.End() && (at < s.X.Pos() || s.Body.Pos() <= at) {
			loop = s // the innermost one is visited last
		}
		return true
	})
	if loop == nil {
		return token.NoPos, false
	}
	return loop.For, true
}

// conditionPos returns the position of the condition of a branch, and whether it has one; otherwise
// that of something near it.
func conditionPos(br *ssa.If, refs *code.References) (token.Pos, bool) {
	if pos, ok := variablePos(br, refs); ok {
		return pos, true
	}
	if pos := br.Cond.Pos(); pos.IsValid() {
		return pos, true
	}
	var near []ssa.Instruction
	if cond, ok := br.Cond.(ssa.Instruction); ok {
		for _, op := range cond.Operands(nil) {
			if instr, ok := (*op).(ssa.Instruction); ok && instr.Pos().IsValid() {
				return instr.Pos(), false
			}
		}
	}
	near = append(near, br.Block().Succs[0].Instrs...)
	for _, instr := range append(near, br.Block().Instrs...) {
		if instr.Pos().IsValid() {
			return instr.Pos(), false
		}
	}
	return br.Parent().Pos(), false
}

// variablePos returns the position at which the condition of a branch is a variable, and whether it
// is one: its value may have been computed elsewhere.
func variablePos(br *ssa.If, refs *code.References) (token.Pos, bool) {
	if refs == nil {
		return token.NoPos, false
	}
	for _, ref := range slices.Backward(refs.Of(br.Parent())) { // what has been mentioned last
		if ref.Block == br.Block() && ref.Before == len(ref.Block.Instrs)-1 && ref.Value == br.Cond && !ref.IsAddr {
			return ref.Ident.NamePos, true
		}
	}
	return token.NoPos, false
}

// findDecisions finds the jumps of decisions.
func (m *machine) findDecisions(program *code.Program) error {
	m.decide = make(map[run.SiteID]*decision)
	list := make([]*decision, len(m.decisions))
	for i, d := range m.decisions {
		named := &m.set.Decisions[i]
		site, ok := place.SiteOf(program, m.Search.calls, d.Branch)
		if !ok {
			return &UnsupportedError{[]string{fmt.Sprintf("%s: what decides the branch is no input (%s), and it has no code of its own", named.Place(), d.Why)}}
		}
		if m.vm.Decisions.At == nil {
			m.vm.Decisions.At = make(map[run.SiteID]bool)
		}
		id := m.vm.SiteOf(site.Func.Name, site.Instr)
		list[i] = &decision{position: named.Position, inverted: site.Inverted}
		m.decide[id], m.vm.Decisions.At[id] = list[i], true
	}
	for i, d := range list {
		for _, e := range m.repeats[i] {
			d.earlier = append(d.earlier, repeated{list[e.Decision], e.Inverted})
		}
	}
	m.ways = make(map[run.SiteID]*decision)
	for _, w := range m.slice.Ways() {
		site, ok := place.SiteOf(program, m.Search.calls, w.Branch)
		if !ok {
			continue // it is no branch in the code
		}
		id := m.vm.SiteOf(site.Func.Name, site.Instr)
		if m.vm.Decisions.At == nil {
			m.vm.Decisions.At = make(map[run.SiteID]bool)
		}
		m.ways[id], m.vm.Decisions.At[id] = &decision{inverted: site.Inverted, holds: w.Holds}, true
	}
	return nil
}

// decides returns what decides branches in a run: what the policy has, or else as they come.
func (m *machine) decides(p *policy) func(*state.Goroutine, run.SiteID, bool) (bool, bool) {
	return func(g *state.Goroutine, site run.SiteID, taken bool) (takes, ok bool) {
		d := m.decide[site]
		here := outcome{g.ID, len(g.Frames), d}
		delete(p.had, here) // that of an earlier call, or of an earlier iteration
		if p.dying || len(g.Panics) > 0 {
			return false, false
		}
		if d == nil {
			d = m.ways[site]
			return d.holds != d.inverted, p.alive
		}
		number, ok := m.numberOf(p, g)
		if !ok {
			return false, false
		}
		at := coming{number, d}
		root := cover.Root{Kind: cover.Decided, Goroutine: number, Position: d.position, Time: p.times[at]}
		p.times[at]++
		name := fmt.Sprintf("%d:%s#%d", number, d.position, root.Time)
		holds := taken != d.inverted
		if v, ok := p.outcomes[name]; ok {
			holds = v != 0
		}
		known, repeats := p.repeats(g, d)
		if repeats {
			holds = known
		}
		p.had[here] = holds
		if takes = holds != d.inverted; repeats && (p.draws || takes != taken) {
			return takes, true
		} else if repeats {
			return taken, m.comes(g)
		}
		p.roots[name] = root
		if p.noted != nil {
			p.noted(name, holds)
		}
		if p.draws {
			v := run.InputVar{Name: name, Width: 1, Type: "bool", Sym: m.vm.Arena.Var(name, 1)}
			if holds {
				v.Value = 1
			}
			m.vm.Trace.Inputs = append(m.vm.Trace.Inputs, v)
			m.vm.AddConditionAt(g, site, v.Sym, holds, run.Jump)
		} else if takes == taken {
			return taken, m.comes(g)
		}
		return takes, true
	}
}

// repeats returns the outcome of a decision to which a goroutine comes, if it follows from that of
// one before, in the same call and the same epoch.
func (p *policy) repeats(g *state.Goroutine, d *decision) (holds, ok bool) {
	for _, e := range d.earlier {
		if had, ok := p.had[outcome{g.ID, len(g.Frames), e.of}]; ok {
			return had != e.inverted, true
		}
	}
	return false, false
}

// comes adds the condition of the jump that a goroutine is at to those of the path, as the machine
// does for a jump that nobody decides. It reports whether it could.
func (m *machine) comes(g *state.Goroutine) bool {
	f := g.Top()
	switch {
	case m.vm.ClockReadings > 0 || m.vm.Draws > 0:
		return false // the jump has these be concrete
	case !f.Symbolic:
		return true
	}
	in, r, sy := &f.Func.Code[f.PC], g.Stack[f.Base:], g.Sym[f.Base:]
	if in.Op == code.JmpNil || in.Op == code.JmpNotNil {
		m.vm.CheckNil(g, r[in.A], sy[in.A], run.Jump)
	} else if t := symbolic.ComparisonOf(in, r, sy); t.Symbolic() {
		m.vm.AddCondition(g, t.Expr(m.vm.Arena), t.Holds(), run.Jump)
	}
	return true
}

// passes returns what decides in a run whether an instruction that panics is passed over: if the
// run is to be kept alive, and nothing in the slice comes of it.
func (m *machine) passes(p *policy) func(*state.Goroutine, run.SiteID) bool {
	return func(g *state.Goroutine, site run.SiteID) bool {
		if !p.alive || p.dying || len(g.Panics) > 0 {
			return false
		}
		instr := m.instr(site)
		return instr != nil && !m.border.Primitive(instr.Parent()) && !m.has(instr)
	}
}

// free returns which instructions with an index yield what is in no slice. If the index was made
// concrete there, each value of it would be a case of its own where something else depends on it:
// the element can be any.
func (m *machine) free() func(run.SiteID) bool {
	known := make(map[run.SiteID]bool)
	return func(site run.SiteID) bool {
		free, ok := known[site]
		if !ok {
			free = m.isFree(m.instr(site))
			known[site] = free
		}
		return free
	}
}

// isFree reports whether an instruction with an index, or all that is done at the address of an
// element, is in no slice.
func (m *machine) isFree(instr ssa.Instruction) bool {
	var addr ssa.Value
	switch instr := instr.(type) {
	case *ssa.Index, *ssa.Lookup:
		return !m.has(instr)
	case *ssa.IndexAddr:
		addr = instr
	case *ssa.UnOp:
		addr = instr.X
	case *ssa.Store:
		addr = instr.Addr
	}
	at, ok := addr.(*ssa.IndexAddr)
	if !ok || m.has(instr) || m.has(at) || m.border.Primitive(at.Parent()) {
		return false
	}
	return !slices.ContainsFunc(*at.Referrers(), m.has)
}

// has reports whether an instruction, or its value, is in a slice.
func (m *machine) has(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	return m.slice.Has(instr) || m.border.Has(instr) || ok && (m.slice.HasValue(v) || m.border.HasValue(v))
}

// live makes a run like one that ends early, for the same inputs, in which nothing ends the process
// that is left out of the slice. It returns nil if it ends early, too. What synchronises on the way
// is what it is for inputs with which the process does not end, if there are any: it does not
// depend on what made it end.
func (m *machine) live(ctx context.Context, input run.Input) (*result, error) {
	m.runs++
	p := m.newPolicy()
	p.alive = true
	r, err := m.make(ctx, input, p)
	if err != nil || !r.whole {
		return nil, err
	}
	return r, nil
}

// numberOf returns the number of a goroutine in the epoch.
func (m *machine) numberOf(p *policy, g *state.Goroutine) (int, bool) {
	if n, ok := p.first.of[g.ID]; ok {
		return n, true
	}
	n, ok := p.numbers[g.ID]
	if !ok {
		x := m.extract(m.vm.Trace, p)
		if n, ok = x.of[g.ID]; ok {
			p.numbers[g.ID] = n
		} else {
			m.fail(&UnsupportedError{[]string{m.position(m.vm.SiteOfTop(g)) + ": what is no input decides what a goroutine does that the program has not started"}})
		}
	}
	return n, ok
}
