package instrument

import (
	"cmp"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A draw is a random number that a goroutine has got.
type draw struct {
	goroutine int
	value     uint64
}

// randomCalls are the functions of math/rand and math/rand/v2 that return a random number below their argument.
var randomCalls = []string{"Intn", "Int31n", "Int63n", "IntN", "Int32N", "Int64N", "UintN", "Uint32N", "Uint64N"}

// random has the calls for random numbers below a limit return those of the run file. Each
// goroutine gets its own, in their order. Other functions of these packages draw anew.
func (p *Plan) random(s *steps, files map[string]*file) {
	type number struct {
		index int
		draw
	}
	var list []number
	for _, in := range p.Run.Input {
		rest, ok := strings.CutPrefix(in.Name, "rand(")
		name, index, found := strings.Cut(rest, ")#")
		n, err := strconv.Atoi(index)
		if ok && found && err == nil {
			list = append(list, number{n, draw{s.name(name), in.Value}})
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b number) int { return cmp.Compare(a.index, b.index) })
	for _, n := range list {
		s.randoms = append(s.randoms, n.draw)
	}
	for _, f := range files {
		f.eachRandom(func(call *ast.CallExpr) {
			if at := f.fset.Position(call.Pos()); !p.isPlain(Position{File: f.path, Line: at.Line}) {
				f.random(call)
			}
		})
	}
}

// eachRandom calls do for the calls of the functions in the file. There are none in a file in which
// something else has the name of the package.
func (f *file) eachRandom(do func(*ast.CallExpr)) {
	var names []string
	for _, spec := range f.syntax.Imports {
		switch imported, _ := strconv.Unquote(spec.Path.Value); {
		case imported != "math/rand" && imported != "math/rand/v2":
		case spec.Name != nil:
			names = append(names, spec.Name.Name)
		default:
			names = append(names, path.Base(strings.TrimSuffix(imported, "/v2")))
		}
	}
	if len(names) == 0 {
		return
	}
	packages, uses := map[*ast.Ident]bool{}, 0
	var calls []*ast.CallExpr
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.SelectorExpr:
			if isNamed(n.X, names...) {
				packages[n.X.(*ast.Ident)] = true
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if ok && isNamed(sel.X, names...) && len(n.Args) == 1 && slices.Contains(randomCalls, sel.Sel.Name) {
				calls = append(calls, n)
			}
		case *ast.Ident:
			if isNamed(n, names...) && !packages[n] {
				uses++
			}
		}
		return true
	})
	if uses > 0 {
		return
	}
	for _, call := range calls {
		do(call)
	}
}

// random has a call made by the control package.
func (f *file) random(call *ast.CallExpr) {
	// rand.Intn(n) becomes Random(rand.Intn, n): the comment hides the parenthesis.
	f.insert(call.Fun.Pos(), 5, "everywaycontrol.Random(")
	f.insert(call.Lparen, 5, " /*")
	f.insert(call.Lparen+1, 0, "*/, ")
}
