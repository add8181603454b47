package program

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/place"
)

// A Finder finds places that the user names in what targets can call.
type Finder struct {
	program *Program
	places  *place.Index
	code    *code.Program
	calls   *callgraph.Graph
	root    string // that files are named relative to
}

// Finder returns a finder of places in what has been analysed. Files are named relative to a root.
func (p *Program) Finder(a *static.Analysis, c *code.Program, root string) *Finder {
	return &Finder{p, a.Places(), c, a.Calls(), root}
}

// A Place is one that the user has named, and the first instruction of it in each instance of its function.
type Place struct {
	place.Spec
	Instrs []ssa.Instruction
	// Waits are the operations of its statement in which a goroutine may wait.
	Waits []ssa.Instruction
}

// Waits reports whether a goroutine may wait in an instruction.
func Waits(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call, *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}

// Find finds a place. It has no instructions if the target does not call the function.
func (x *Finder) Find(s place.Spec) (Place, error) {
	if s.Func != "" {
		return x.findFunc(s)
	}
	files := x.places.Files(filepath.ToSlash(s.File))
	if strings.HasPrefix(s.File, "$GOROOT/") { // as findings have it
		files = x.places.Files(filepath.ToSlash(x.program.path(x.root, s.File)))
	}
	switch {
	case len(files) == 0:
		return Place{}, fmt.Errorf("the program has no file %s", s.File)
	case len(files) > 1:
		if own := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !x.program.IsOwn(f) }); len(own) > 0 {
			files = own
		}
		if exact := filepath.Join(x.root, s.File); slices.Contains(files, exact) {
			files = []string{exact} // as the message names it
		}
		if len(files) > 1 {
			return Place{}, fmt.Errorf("the program has several files of that name: %s", x.names(files...))
		}
	}
	file := files[0]
	if !x.program.IsOwn(file) {
		return Place{}, fmt.Errorf("%s belongs to a dependency; %s", x.names(files...), onlyOwn)
	}
	syntax := x.program.Syntax(file)
	list, err := x.places.Find(file, s.Line)
	if none := (*place.NoCodeError)(nil); errors.As(err, &none) {
		if none.Function != "" {
			return Place{Spec: s}, nil // the target does not call the function: others may
		}
		none.File = x.names(files...)
	}
	if err != nil {
		return Place{}, err
	}
	starts := x.statements(syntax, s.Line)
	if s.Column == 0 && len(starts) > 1 {
		return Place{}, fmt.Errorf("the line has %d statements: name one by its column, as in %s:%d:%d",
			len(starts), s.File, s.Line, starts[1].column)
	}
	from, to := token.NoPos, token.NoPos
	if s.Column > 0 {
		i := slices.IndexFunc(starts, func(st statement) bool { return st.column == s.Column })
		if i < 0 {
			list = x.operations(list, s.Column)
			if len(list) == 0 {
				return Place{}, fmt.Errorf("no statement begins there; those of the line begin at columns %s", columns(starts))
			}
		} else {
			from, to = starts[i].node.Pos(), starts[i].node.End()
		}
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
		if first := x.first(c, from, to); first != nil {
			p.Instrs = append(p.Instrs, first)
		}
		for _, instr := range c.Instrs {
			if Waits(instr) && (!from.IsValid() || from <= instr.Pos() && instr.Pos() < to) {
				p.Waits = append(p.Waits, instr)
			}
		}
	}
	if err := checkInstance(s, instances, len(p.Instrs)); err != nil {
		return Place{}, err
	}
	return p, nil
}

// operations returns what of the code of a line is at a column, such as a call at its parenthesis.
func (x *Finder) operations(list []place.Code, column int) []place.Code {
	var found []place.Code
	for _, c := range list {
		c.Instrs = slices.DeleteFunc(slices.Clone(c.Instrs), func(instr ssa.Instruction) bool {
			return x.program.Fset.Position(instr.Pos()).Column != column
		})
		if len(c.Instrs) > 0 {
			found = append(found, c)
		}
	}
	return found
}

// onlyOwn says where places are.
const onlyOwn = "a search leads to places in the module under test"

// checkInstance returns an error if it is not known which instance of a generic function is meant.
func checkInstance(s place.Spec, instances []string, found int) error {
	slices.Sort(instances)
	instances = slices.Compact(instances)
	name := s.Func
	if name == "" {
		name = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	switch {
	case s.Instance == "" && len(instances) > 1:
		return fmt.Errorf("the code is that of a generic function with %d instances: name one, as in '%s[%s]'; there are [%s]", len(instances), name, instances[0], strings.Join(instances, "], ["))
	case s.Instance != "" && found == 0 && len(instances) > 0:
		return fmt.Errorf("there is no instance [%s]; there are [%s]", s.Instance, strings.Join(instances, "], ["))
	case s.Instance != "" && len(instances) == 0:
		return fmt.Errorf("the function is not generic: leave out [%s]", s.Instance)
	}
	return nil
}

// instance returns the type arguments of a function, or of the one that it is in, separated by commas.
func instance(n *callgraph.Node) string {
	var args []string
	for _, t := range ssaform.Outermost(n.Body).TypeArgs() {
		args = append(args, strings.ReplaceAll(t.String(), " ", ""))
	}
	return strings.Join(args, ",")
}

// first returns the instruction that is executed first, of those of a statement if its extent is valid.
func (x *Finder) first(c place.Code, from, to token.Pos) ssa.Instruction {
	var first ssa.Instruction
	least := 0
	for _, instr := range c.Instrs {
		if from.IsValid() && (instr.Pos() < from || instr.Pos() >= to) {
			continue
		}
		at, ok := place.SiteOf(x.code, x.calls, instr)
		if ok && (first == nil || int(at.Instr) < least) {
			first, least = instr, int(at.Instr)
		}
	}
	return first
}

// findFunc finds a function: its first instruction.
func (x *Finder) findFunc(s place.Spec) (Place, error) {
	p := Place{Spec: s}
	var instances []string
	declared := map[string]bool{} // by package
	for _, n := range x.calls.Nodes {
		if n.Body == nil || n.Body.Syntax() == nil || n.Body.Parent() != nil || !funcIs(n.Body, s.Func) {
			continue
		}
		file := x.program.Fset.Position(n.Body.Syntax().Pos()).Filename
		if !x.program.IsOwn(file) {
			continue
		}
		args := instance(n)
		if args != "" {
			instances = append(instances, args)
		}
		if s.Instance != "" && args != s.Instance {
			continue
		}
		declared[place.PackageOf(n.Body).Path()] = true
		p.Instrs = append(p.Instrs, n.Body.Blocks[0].Instrs[0])
	}
	if len(declared) > 1 {
		return Place{}, fmt.Errorf("several packages have such a function: name it with that of its package")
	}
	if err := checkInstance(s, instances, len(p.Instrs)); err != nil {
		return Place{}, err
	}
	if len(p.Instrs) == 0 {
		return p, x.checkDeclared(s.Func)
	}
	return p, nil
}

// checkDeclared returns an error if no package of the module declares a function of a name. It has
// those whose names are alike: that of a method without its type, for example. A function of
// another package is named with that.
func (x *Finder) checkDeclared(name string) error {
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	var alike []string
	dependency := ""
	for _, pkg := range x.program.All {
		own := x.program.owns(pkg)
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				declared := load.FunctionName(fn)
				is := nameIs(declared, pkg.Types.Name(), pkg.Types.Path(), name)
				switch {
				case is && own:
					return nil
				case is && !nameIs(declared, "", "", name):
					dependency = pkg.Types.Path()
				}
				if own && strings.EqualFold(last(declared), last(name)) && !slices.Contains(alike, declared) {
					alike = append(alike, declared)
				}
			}
		}
	}
	err := errors.New("there is no function of that name in the module under test")
	switch {
	case dependency != "":
		return fmt.Errorf("it belongs to a dependency, package %s; %s", dependency, onlyOwn)
	case len(alike) > 0:
		slices.Sort(alike)
		err = fmt.Errorf("%w; there is %s", err, strings.Join(alike[:min(len(alike), 5)], ", "))
	}
	return err
}

// funcIs reports whether a function is meant by a name.
func funcIs(fn *ssa.Function, name string) bool {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	pkg := place.PackageOf(fn)
	return ok && pkg != nil && nameIs(load.FunctionName(decl), pkg.Name(), pkg.Path(), name)
}

// nameIs reports whether a function that has a name in a package is meant by want.
func nameIs(name, pkg, path, want string) bool {
	plain := strings.NewReplacer("(", "", ")", "", "*", "")
	name, want = plain.Replace(name), plain.Replace(want)
	return want == name || want == pkg+"."+name || want == path+"."+name
}

// A statement begins on a line.
type statement struct {
	node   ast.Stmt
	column int
}

// statements returns the statements that begin on a line, but for those that are parts of the heads of others.
func (x *Finder) statements(f *ast.File, line int) []statement {
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
			if at := x.program.Fset.Position(s.Pos()); at.Line == line {
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
