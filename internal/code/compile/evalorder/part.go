package evalorder

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A span is a range of positions in the source.
type span struct{ from, to token.Pos }

func (s span) has(pos token.Pos) bool { return s.from <= pos && pos < s.to }

// A part is a part of the source in which calls come first.
type part struct {
	span
	node ast.Node // the statement or expression
}

// findParts returns the parts of a function, in ascending order: simple statements and
// the expressions at the head of others. They do not overlap; those of function literals
// are parts of other functions. The result is not nil.
func findParts(fn ast.Node) []part {
	parts := []part{}
	add := func(n ast.Node) {
		parts = append(parts, part{span{n.Pos(), n.End()}, n})
	}
	addExpr := func(x ast.Expr) {
		if x != nil {
			add(x)
		}
	}
	if fn == nil {
		return parts
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == fn
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ValueSpec:
			add(n)
			return false
		case *ast.IfStmt:
			addExpr(n.Cond)
		case *ast.ForStmt:
			addExpr(n.Cond)
		case *ast.RangeStmt:
			addExpr(n.X)
		case *ast.SwitchStmt:
			addExpr(n.Tag)
		case *ast.TypeSwitchStmt:
			if n.Init != nil {
				add(n.Init)
			}
			for _, clause := range n.Body.List {
				for _, s := range clause.(*ast.CaseClause).Body {
					parts = append(parts, findParts(s)...)
				}
			}
			return false
		case *ast.CaseClause:
			for _, x := range n.List {
				add(x)
			}
		case *ast.CommClause: // its operands are all evaluated in turn
			for _, s := range n.Body {
				parts = append(parts, findParts(s)...)
			}
			return false
		}
		return true
	})
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	return parts
}

// firstPart returns the part that list begins with, the zero part for none, and how many
// instructions belong to it. Those without a position belong to the same part as what
// they follow.
func firstPart(parts []part, list []ssa.Instruction) (first part, n int) {
	for known := false; n < len(list); n++ {
		pos := list[n].Pos()
		if !pos.IsValid() {
			continue
		}
		at := partAt(parts, pos)
		if known && at != first || !known && n > 0 && at.to.IsValid() {
			return first, n
		}
		first, known = at, true
	}
	return first, n
}

// partAt returns the part that pos is in, the zero part for none.
func partAt(parts []part, pos token.Pos) part {
	i, found := slices.BinarySearchFunc(parts, pos, func(p part, pos token.Pos) int { return cmp.Compare(p.from, pos) })
	if !found {
		i--
	}
	if i < 0 || !parts[i].has(pos) {
		return part{}
	}
	return parts[i]
}

// branches reports whether p has && or ||, so that it may extend over several blocks.
func (p part) branches() bool {
	found := false
	ast.Inspect(p.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			found = found || n.Op == token.LAND || n.Op == token.LOR
		}
		return true
	})
	return found
}

// literal returns the composite literal in p that addr is the address of, or of an
// element of; nil for none.
func (p part) literal(addr ssa.Value) *ssa.Alloc {
	root, ok := rootOf(addr).(*ssa.Alloc)
	if ok && p.has(root.Pos()) && (root.Comment == "complit" || root.Comment == "slicelit") {
		return root
	}
	return nil
}

// rootOf returns the address from which addr is selected.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}
