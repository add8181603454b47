package load

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// A long table of bytes becomes a string of the same bytes, converted to the same type.
func TestPacked(t *testing.T) {
	characters := strings.Repeat("0x80, 1, 'a', 007, 0b11, ", 60)
	plain := strings.Repeat("0xff, 0, 34, ", 100)
	for _, test := range []struct {
		name, literal string
		want          []byte // nil if it stays as it is
	}{
		{"counted", "[...]byte{" + plain + "}", slices.Repeat([]byte{0xff, 0, '"'}, 100)},
		{"with a length", "[302]uint8{" + plain + "}", append(slices.Repeat([]byte{0xff, 0, '"'}, 100), 0, 0)},
		{"short", "[...]byte{1, 2, 3}", nil},
		{"characters", "[...]byte{" + characters + "}", nil},
		{"a length that is a constant", "[n]byte{" + plain + "}", nil},
		{"keys", "[...]byte{" + plain + "400: 1}", nil},
		{"slice", "[]byte{" + plain + "}", nil},
		{"pointer", "&[...]byte{" + plain + "}", nil},
		{"words", "[...]uint16{" + plain + "}", nil},
		{"expressions", "[...]byte{" + plain + "1 + 1}", nil},
	} {
		x, err := parser.ParseExpr(test.literal)
		if err != nil {
			t.Fatal(err)
		}
		got := packed(x)
		if test.want == nil {
			if got != x {
				t.Errorf("%s: it was packed", test.name)
			}
			continue
		}
		if got == x {
			t.Errorf("%s: it was not packed", test.name)
			continue
		}
		text, typ := evaluate(t, got)
		if text != string(test.want) || typ != fmt.Sprintf("[%d]byte", len(test.want)) && typ != fmt.Sprintf("[%d]uint8", len(test.want)) {
			t.Errorf("%s: %s of %q, want %q", test.name, typ, text, test.want)
		}
	}
}

// evaluate returns the constant string in an expression, and the type of the expression.
func evaluate(t *testing.T, x ast.Expr) (text, typ string) {
	t.Helper()
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	file := &ast.File{Name: ast.NewIdent("p"), Decls: []ast.Decl{&ast.GenDecl{
		Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent("v")}, Values: []ast.Expr{x}}},
	}}}
	var conf types.Config
	if _, err := conf.Check("p", token.NewFileSet(), []*ast.File{file}, &info); err != nil {
		t.Fatal(err)
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text = constant.StringVal(info.Types[lit].Value)
		}
		return true
	})
	return text, info.Types[x].Type.String()
}
