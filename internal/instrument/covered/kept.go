package covered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/everyway-go/everyway/internal/cover"
)

// A kept is a value that conditions are about and that the source has no variable for: what an expression was when it was evaluated last, or
// how many iterations a loop has begun before the current one. The function in which that is gets a variable for it.
type kept struct {
	of       cover.Root // without a goroutine and a frame
	number   int
	typ      types.Type     // nil until it has been found in a file
	function *ast.BlockStmt // in which it is found
}

// variable returns the name of the variable.
func (k *kept) variable() string { return fmt.Sprintf("everywaykept%d", k.number) }

// keeps returns what is kept of a root, nil if that is a variable of the source.
func (p *program) keeps(root cover.Root) *kept {
	if root.Kind == cover.Local {
		return nil
	}
	root.Goroutine, root.Frame = 0, 0
	k := p.kept[root]
	if k == nil {
		k = &kept{of: root, number: len(p.kept)}
		if p.kept == nil {
			p.kept = map[cover.Root]*kept{}
		}
		p.kept[root] = k
	}
	return k
}

// check returns an error if the value cannot be known where a variable is.
func (k *kept) check(v *variable) error {
	if k.typ == nil || k.function != v.function {
		return refuse("%s: the schedule depends on %s at %s, which is no value of the function there: assign it to a variable", v.place, v.name, v.declared)
	}
	return nil
}

// keep has the value of an expression kept if conditions are about it.
func (f *file) keep(x ast.Expr, begun int) error {
	if len(f.program.kept) == 0 {
		return nil
	}
	k := f.program.kept[cover.Root{Kind: cover.Evaluated, Name: types.ExprString(x), Position: f.program.Position(x.Pos())}]
	if k == nil || f.isConstant(x) {
		return nil
	}
	if !f.isOperand(x) {
		return refuse("%s: the schedule depends on %s there, of which the value cannot be kept: assign it to another variable", k.of.Position, k.of.Name)
	}
	text := f.within(x, begun)
	if err := f.found(k, f.pkg.Info.TypeOf(x)); err != nil {
		return err
	}
	f.replace(begun, x.Pos(), x.End(), fmt.Sprintf("everywaycover.Keep(&%s, %s%s)", k.variable(), gap, text))
	return nil
}

// found declares the variable of what is kept in the function that is visited.
func (f *file) found(k *kept, t types.Type) error {
	body := f.function()
	if body == nil || k.typ != nil {
		return refuse("%s: the schedule depends on %s there, of which the value cannot be kept: assign it to a variable of the function", k.of.Position, k.of.Name)
	}
	t = types.Default(t)
	nameless := false
	name := types.TypeString(t, func(p *types.Package) string {
		nameless = nameless || p != f.pkg.Types
		return ""
	})
	if named, ok := types.Unalias(t).(*types.Named); ok && !nameless {
		_, object := f.pkg.Types.Scope().Innermost(body.Lbrace+1).LookupParent(named.Obj().Name(), body.Lbrace+1)
		nameless = object != named.Obj()
	}
	if nameless {
		return refuse("%s: the schedule depends on %s there, of a type that has no name where the function begins: assign it to a variable", k.of.Position, k.of.Name)
	}
	k.typ, k.function = t, body
	f.declared[body] += fmt.Sprintf(" var %s %s; _ = %s;", k.variable(), name, k.variable())
	return nil
}

// declare puts the declarations of a function's variables before what is in its body, whose edits are those from the number begun on.
func (f *file) declare(body *ast.BlockStmt, begun int) {
	text := f.declared[body]
	if text == "" {
		return
	}
	at := f.offset(body.Lbrace + 1)
	rest := append([]edit{{at, at, text}}, f.edits[begun:]...)
	f.edits = append(f.edits[:begun], rest...)
}

// isOperand reports whether an expression that has been visited can be a call that has its value: it is not assigned to, its address is not taken, and it is not a name
// for something.
func (f *file) isOperand(x ast.Expr) bool {
	tv := f.pkg.Info.Types[x]
	if id, ok := x.(*ast.Ident); ok && f.pkg.Info.Defs[id] != nil {
		return false
	}
	if _, ok := tv.Type.(*types.Tuple); ok || tv.Type == nil || tv.IsType() || tv.IsBuiltin() {
		return false
	}
	switch tv.Type.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Slice:
	default:
		switch f.parent(1).(type) {
		case *ast.RangeStmt, *ast.AssignStmt, *ast.ValueSpec:
		default:
			return false // its address may be taken by what is done with it
		}
	}
	switch p := f.parent(1).(type) {
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.ParenExpr, *ast.IncDecStmt, *ast.ExprStmt, *ast.CommClause:
		return false
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == x {
				return false
			}
		}
		if len(p.Lhs) != len(p.Rhs) || isComm(f.parent(2), p) {
			return false
		}
	case *ast.ValueSpec:
		return len(p.Names) == len(p.Values)
	case *ast.RangeStmt:
		return p.X == x
	case *ast.KeyValueExpr:
		return p.Value == x
	case *ast.SelectorExpr:
		return p.X == x
	case *ast.Field, *ast.CaseClause, *ast.LabeledStmt, *ast.BranchStmt:
		return false
	}
	return true
}

// count has a loop count its iterations if conditions are about that.
func (f *file) count(n *ast.RangeStmt) error {
	if len(f.program.kept) == 0 {
		return nil
	}
	k := f.program.kept[cover.Root{Kind: cover.Counter, Name: "range " + types.ExprString(n.X), Position: f.program.Position(n.X.Pos())}]
	if k == nil {
		return nil
	}
	t := f.pkg.Info.TypeOf(n.X)
	if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		t = types.Typ[types.Int]
	}
	if err := f.found(k, t); err != nil {
		return err
	}
	key, blank := n.Key.(*ast.Ident)
	name := fmt.Sprintf("everywaycount%d", k.number)
	switch {
	case n.Key == nil:
		f.insert(n.Range, name+" := ")
	case blank && key.Name == "_" && n.Tok == token.DEFINE:
		f.edits = append(f.edits, edit{f.offset(key.Pos()), f.offset(key.End()), name})
	case blank && key.Name != "_":
		name = key.Name
	default:
		return refuse("%s: the schedule depends on the number of iterations, which the loop has no variable for: have it declare one", f.program.Position(n.For))
	}
	f.insert(n.Body.Lbrace+1, fmt.Sprintf(" %s = %s;", k.variable(), name))
	return nil
}
