package naming

import (
	"go/ast"
	"go/token"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// declared returns the name of the local variable, parameter or result that an object is, empty if it
// is none.
func (n *Names) declared(o *object) string {
	path := n.syntax(o)
	if len(path) == 0 {
		return ""
	}
	if id, ok := path[len(path)-1].(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// assigned returns the name of the variable to which the expression that has made an object is
// assigned, empty if there is none. In the standard library the names would say nothing.
func (n *Names) assigned(o *object) string {
	path := n.syntax(o)
	for i := len(path) - 2; i >= 0; i-- {
		child := path[i+1]
		switch at := path[i].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.CompositeLit:
			continue
		case *ast.CallExpr:
			if child == at.Fun || i+2 == len(path) {
				continue // of make or new
			}
		case *ast.AssignStmt:
			for k, value := range at.Rhs {
				if value == child && len(at.Lhs) == len(at.Rhs) {
					return identifier(at.Lhs[k])
				}
			}
		case *ast.ValueSpec:
			for k, value := range at.Values {
				if value == child && len(at.Names) == len(at.Values) {
					return at.Names[k].Name
				}
			}
		}
		return ""
	}
	return ""
}

// identifier returns the name that an expression is, empty if it is none.
func identifier(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
		return id.Name
	}
	return ""
}

// syntax returns the nodes of the function that has allocated an object, from the outermost to the
// innermost, that are at the place where it did. There are none in the standard library.
func (n *Names) syntax(o *object) []ast.Node {
	fn := n.function(o.site.Func)
	if fn == nil || fn.Standard || fn.SSA == nil {
		return nil
	}
	_, pos := n.m.Site(o.site)
	return pathTo(ssaform.Outermost(fn.SSA).Syntax(), pos)
}

// pathTo returns the nodes that contain a position, from the outermost to the innermost.
func pathTo(root ast.Node, pos token.Pos) []ast.Node {
	if root == nil || !pos.IsValid() {
		return nil
	}
	var path []ast.Node
	ast.Inspect(root, func(node ast.Node) bool {
		if node == nil || pos < node.Pos() || pos >= node.End() {
			return false
		}
		path = append(path, node)
		return true
	})
	return path
}
