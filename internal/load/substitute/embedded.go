package substitute

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Shadowed returns a structure of a package that means something else with the types that are in the place of others: an embedded field has another name then, as sync_Map for Map,
// so that what it hides under its name in fields that are embedded, too, is seen. There is none if the name is "", which is that of the field.
func Shadowed(info *types.Info) (at token.Pos, name string) {
	for expr, tv := range info.Types {
		if _, ok := expr.(*ast.StructType); !ok || name != "" && at < expr.Pos() {
			continue
		}
		for _, n := range embeds(tv.Type, nil) {
			if _, index, _ := types.LookupFieldOrMethod(tv.Type, true, nil, n); index != nil {
				at, name = expr.Pos(), n
			}
		}
	}
	return at, name
}

// Hidden returns a predeclared name, as panic, that a file added to a package mentions, and of which the package has a declaration of its own; "" if there is none.
func Hidden(f *ast.File, info *types.Info) (name string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if use := info.Uses[id]; use != nil && use.Pkg() != nil && use.Parent() == use.Pkg().Scope() && types.Universe.Lookup(id.Name) != nil {
				name = id.Name
			}
		}
		return name == ""
	})
	return name
}

// embeds returns the names of the types of libraries that a type embeds, directly or not. Those that are visited have been left.
func embeds(t types.Type, visited []types.Type) (names []string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && !slices.Contains(visited, types.Type(s)) {
		for f := range s.Fields() {
			if !f.Embedded() {
				continue
			}
			if name := libraryType(f.Type()); name != "" && strings.HasSuffix(f.Name(), name) {
				names = append(names, name)
			} else if name == "" {
				names = append(names, embeds(f.Type(), append(visited, s))...)
			}
		}
	}
	return names
}

// libraryType returns the name of a type, or of what it points to, if that is one of a library; "" if it is not.
func libraryType(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !slices.ContainsFunc(Libraries, func(l Library) bool { return n.Obj().Pkg() != nil && l.Path == n.Obj().Pkg().Path() }) {
		return ""
	}
	return n.Obj().Name()
}
