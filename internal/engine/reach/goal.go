package reach

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/schedule"
)

// A Goal is what a search of a target is to reach: different goroutines at all of its places at the same time.
//
// With a Kind, it is to find out what comes of the Suspects instead.
type Goal struct {
	Places []Place

	Kind     Kind // empty for places
	Suspects []*Suspect
	Dropped  int // number of suspects that were too many
	Locked   int // number of pairs of lines that are none because of a lock that is held at both

	program  *program.Program
	root     string // of the module of the target
	analysis *static.Analysis
	code     *code.Program
	calls    *callgraph.Graph
	// Unreachable says why no run of the target reaches the goal; empty if that is not known. It is so unless the
	// target makes calls of which the analysis does not know where they lead: Missed says which.
	Unreachable string
	Missed      []string

	known knowledge
}

// A Place is one of the places of a goal.
type Place struct {
	Spec
	Instrs []ssa.Instruction
}

// New finds the places of specs in the program, and what a target can do. The error is what is wrong with the specs, whatever
// the target. A place that the target does not reach makes the goal Unreachable.
func New(ctx context.Context, p *program.Program, target *load.Target, specs []Spec) (*Goal, error) {
	cfg, err := p.Static(target)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	a, err := static.New(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", target.Name, err)
	}
	g := &Goal{program: p, root: p.RootOf(target.Package), analysis: a, code: p.NewCode(p.Covers(target)), calls: a.Calls(), Missed: a.Unsound()}
	for _, s := range specs {
		found, err := g.find(target, s)
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

// Sites returns the places as run files have them.
func (g *Goal) Sites() []schedule.GoalSite {
	var list []schedule.GoalSite
	for i, p := range g.Places {
		for _, instr := range p.Instrs {
			if at, ok := siteOf(g.code, g.calls, instr); ok {
				list = append(list, schedule.GoalSite{Place: schedule.Place{Func: at.fn.Name, Instr: at.instr}, Of: i})
			}
		}
	}
	return list
}

// find finds a place.
func (g *Goal) find(target *load.Target, s Spec) (Place, error) {
	if s.Func != "" {
		return g.findFunc(s)
	}
	files := g.analysis.Places().Files(filepath.ToSlash(s.File))
	switch {
	case len(files) == 0:
		return Place{}, fmt.Errorf("the program has no file %s", s.File)
	case len(files) > 1:
		if own := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !g.isOwn(f) }); len(own) > 0 {
			files = own
		}
		if len(files) > 1 {
			return Place{}, fmt.Errorf("the program has several files of that name: %s", g.shorten(files))
		}
	}
	file := files[0]
	if !g.isOwn(file) {
		return Place{}, fmt.Errorf("%s belongs to a dependency; a search leads to places in the module under test", g.shorten(files))
	}
	syntax := g.syntax(file)
	list, err := g.analysis.Places().Find(file, s.Line)
	if none := (*place.NoCodeError)(nil); errors.As(err, &none) {
		if none.Function != "" || len(g.statements(syntax, s.Line)) > 0 {
			return Place{Spec: s}, nil // the target does not call the function: others may
		}
		none.File = g.shorten(files)
	}
	if err != nil {
		return Place{}, err
	}
	starts := g.statements(syntax, s.Line)
	if s.Column == 0 && len(starts) > 1 {
		return Place{}, fmt.Errorf("the line has %d statements: name one by its column, as in %s:%d:%d", len(starts), s.File, s.Line, starts[1].column)
	}
	from, to := token.NoPos, token.NoPos
	if s.Column > 0 {
		i := slices.IndexFunc(starts, func(st statement) bool { return st.column == s.Column })
		if i < 0 {
			return Place{}, fmt.Errorf("no statement begins there; those of the line begin at columns %s", columns(starts))
		}
		from, to = starts[i].node.Pos(), starts[i].node.End()
	}
	p := Place{Spec: s}
	var instances []string
	for _, c := range list {
		args := instance(c.Node)
		if args != "" && s.Instance != "" && args != s.Instance {
			instances = append(instances, args)
			continue
		}
		if args != "" {
			instances = append(instances, args)
		}
		if first := g.first(c, from, to); first != nil {
			p.Instrs = append(p.Instrs, first)
		}
	}
	if err := checkInstance(s, instances, len(p.Instrs)); err != nil {
		return Place{}, err
	}
	return p, nil
}

// checkInstance returns an error if it is not known which instance of a generic function is meant.
func checkInstance(s Spec, instances []string, found int) error {
	slices.Sort(instances)
	instances = slices.Compact(instances)
	name := s.Func
	if name == "" {
		name = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	switch {
	case s.Instance == "" && len(instances) > 1:
		return fmt.Errorf("the code is that of a generic function with %d instances: name one, as in '%s[%s]'", len(instances), name, instances[0])
	case s.Instance != "" && found == 0 && len(instances) > 0:
		return fmt.Errorf("there is no instance [%s]; there are [%s]", s.Instance, strings.Join(instances, "], ["))
	case s.Instance != "" && len(instances) == 0:
		return fmt.Errorf("the function is not generic: leave out [%s]", s.Instance)
	}
	return nil
}

// instance returns the type arguments of a function, or of the one that it is in, separated by commas.
func instance(n *callgraph.Node) string {
	fn := n.Body
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	var args []string
	for _, t := range fn.TypeArgs() {
		args = append(args, strings.ReplaceAll(t.String(), " ", ""))
	}
	return strings.Join(args, ",")
}

// first returns the instruction that is executed first, of those of a statement if its extent is valid.
func (g *Goal) first(c place.Code, from, to token.Pos) ssa.Instruction {
	var first ssa.Instruction
	least := 0
	for _, instr := range c.Instrs {
		if from.IsValid() && (instr.Pos() < from || instr.Pos() >= to) {
			continue
		}
		at, ok := siteOf(g.code, g.calls, instr)
		if ok && (first == nil || int(at.instr) < least) {
			first, least = instr, int(at.instr)
		}
	}
	return first
}

// findFunc finds a function: its first instruction.
func (g *Goal) findFunc(s Spec) (Place, error) {
	p := Place{Spec: s}
	var instances []string
	declared := map[string]bool{} // by package
	for _, n := range g.calls.Nodes {
		if n.Body == nil || n.Body.Syntax() == nil || n.Body.Parent() != nil || !funcIs(n.Body, s.Func) {
			continue
		}
		file := g.program.Fset.Position(n.Body.Syntax().Pos()).Filename
		if !g.isOwn(file) {
			continue
		}
		args := instance(n)
		if args != "" {
			instances = append(instances, args)
		}
		if s.Instance != "" && args != s.Instance {
			continue
		}
		declared[packageOf(n.Body).Path()] = true
		p.Instrs = append(p.Instrs, n.Body.Blocks[0].Instrs[0])
	}
	if len(declared) > 1 {
		return Place{}, fmt.Errorf("several packages have such a function: name it with that of its package")
	}
	if err := checkInstance(s, instances, len(p.Instrs)); err != nil {
		return Place{}, err
	}
	if len(p.Instrs) == 0 && !g.declares(s.Func) {
		return Place{}, fmt.Errorf("there is no function of that name in the module under test")
	}
	return p, nil
}

// declares reports whether a package of the module declares a function.
func (g *Goal) declares(name string) bool {
	for _, pkg := range g.program.All {
		if pkg.Standard || pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && nameIs(load.FunctionName(fn), pkg.Types.Name(), pkg.Types.Path(), name) {
					return true
				}
			}
		}
	}
	return false
}

// funcIs reports whether a function is meant by a name.
func funcIs(fn *ssa.Function, name string) bool {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	pkg := packageOf(fn)
	return ok && pkg != nil && nameIs(load.FunctionName(decl), pkg.Name(), pkg.Path(), name)
}

// nameIs reports whether a function that has a name in a package is meant by want.
func nameIs(name, pkg, path, want string) bool {
	plain := strings.NewReplacer("(", "", ")", "", "*", "")
	name, want = plain.Replace(name), plain.Replace(want)
	return want == name || want == pkg+"."+name || want == path+"."+name
}

// isOwn reports whether a file belongs to a package of the module under test.
func (g *Goal) isOwn(file string) bool {
	for _, pkg := range g.program.All {
		if pkg.Standard && !g.isTested(pkg) {
			continue
		}
		for _, f := range pkg.Files {
			if g.program.Fset.Position(f.Package).Filename == file {
				return g.isTested(pkg) || pkg.Module == nil || pkg.Module.Main
			}
		}
	}
	return false
}

// isTested reports whether a package is one of those that were named.
func (g *Goal) isTested(pkg *load.Package) bool { return slices.Contains(g.program.Packages, pkg) }

func (g *Goal) syntax(file string) *ast.File {
	for _, pkg := range g.program.All {
		for _, f := range pkg.Files {
			if g.program.Fset.Position(f.Package).Filename == file {
				return f
			}
		}
	}
	return nil
}

func (g *Goal) shorten(files []string) string {
	var list []string
	for _, f := range files {
		if rel, err := filepath.Rel(g.root, f); err == nil && filepath.IsLocal(rel) {
			f = filepath.ToSlash(rel)
		}
		list = append(list, f)
	}
	return strings.Join(list, ", ")
}

// A statement begins on a line.
type statement struct {
	node   ast.Stmt
	column int
}

// statements returns the statements that begin on a line, but for those that are parts of the heads of others.
func (g *Goal) statements(f *ast.File, line int) []statement {
	var list []statement
	head := make(map[ast.Stmt]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			head[n.Init] = true
		case *ast.ForStmt:
			head[n.Init], head[n.Post] = true, true
		case *ast.SwitchStmt:
			head[n.Init] = true
		case *ast.TypeSwitchStmt:
			head[n.Init], head[n.Assign] = true, true
		case *ast.CommClause:
			head[n.Comm] = true
		case *ast.LabeledStmt, *ast.BlockStmt, *ast.CaseClause, *ast.EmptyStmt:
			return true
		}
		if s, ok := n.(ast.Stmt); ok && !head[s] {
			if at := g.program.Fset.Position(s.Pos()); at.Line == line {
				list = append(list, statement{s, at.Column})
			}
		}
		return true
	})
	return list
}

func columns(list []statement) string {
	var texts []string
	for _, s := range list {
		texts = append(texts, fmt.Sprint(s.column))
	}
	return strings.Join(texts, ", ")
}
