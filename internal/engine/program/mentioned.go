package program

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
)

// mentionedValues returns the package variables of interface types that code outside of the
// standard library mentions and does not assign to, by their names: see code.Program.Named.
func mentionedValues(r *load.Result) []*ssa.Global {
	mentions, changes := make(map[*types.Var]bool), make(map[*types.Var]bool)
	for _, pkg := range r.All {
		if pkg.Standard || pkg.Path == symPath {
			continue
		}
		variable := func(e ast.Expr) *types.Var {
			switch e := ast.Unparen(e).(type) {
			case *ast.Ident:
				v, _ := pkg.Info.Uses[e].(*types.Var)
				return v
			case *ast.SelectorExpr:
				v, _ := pkg.Info.Uses[e.Sel].(*types.Var)
				return v
			}
			return nil
		}
		for _, f := range pkg.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if v, ok := pkg.Info.Uses[n].(*types.Var); ok && v.Pkg() != nil &&
						v.Parent() == v.Pkg().Scope() && types.IsInterface(v.Type()) {
						mentions[v] = true
					}
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						changes[variable(e)] = true
					}
				case *ast.RangeStmt:
					changes[variable(n.Key)], changes[variable(n.Value)] = true, true
				case *ast.UnaryExpr:
					if n.Op == token.AND {
						changes[variable(n.X)] = true
					}
				}
				return true
			})
		}
	}
	var list []*ssa.Global
	for v := range mentions {
		pkg := r.Prog.Package(v.Pkg())
		if changes[v] || pkg == nil {
			continue
		}
		if g := pkg.Var(v.Name()); g != nil {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *ssa.Global) int { return cmp.Compare(a.String(), b.String()) })
	return list
}
