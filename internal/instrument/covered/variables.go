package covered

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
)

// A variable is one that conditions are about, at a place at which a goroutine or a caller of it is when an epoch begins.
type variable struct {
	place    string // of a marker, a blocked operation or a call; empty for a package variable
	name     string
	declared string // position of its declaration; of a package variable the import path
	slot     int    // number in the tables, of those at places or of package variables
	placed   bool   // a file has made it known there
	typ      types.Type
	kept     *kept          // what has the value, if it is no variable of the source
	function *ast.BlockStmt // the function of the place, if it is known there
}

// A step leads from the address of a value to that of another one, as package everyway/cover has it.
type step struct {
	kind    string
	n, size int64
}

// variables are those that the conditions of a set need.
func (p *program) variables() error {
	p.at = map[string][]*variable{}
	p.globals = map[string]*variable{}
	p.inputs = map[input]*variable{}
	places := 0
	for e, epoch := range p.set.Epochs {
		for i := range p.used(epoch) {
			in := &epoch.Inputs[i]
			key := input{e, i}
			switch in.Root.Kind {
			case cover.Sym:
			case cover.Decided:
				if slices.IndexFunc(p.set.Decisions, func(d cover.Decision) bool { return d.Position == in.Root.Position }) < 0 {
					return refuse("epoch %d: there is no decision at %s", e, in.Root.Position)
				}
			case cover.Global:
				v := p.globals[in.Root.Name]
				if v == nil {
					dot := strings.LastIndexByte(in.Root.Name, '.')
					v = &variable{name: in.Root.Name[dot+1:], declared: in.Root.Name[:max(dot, 0)], slot: len(p.globals)}
					p.globals[in.Root.Name] = v
				}
				p.inputs[key] = v
			case cover.Local, cover.Evaluated, cover.Counter:
				stack := epoch.Goroutines[in.Root.Goroutine].Stack
				if in.Root.Frame >= len(stack) {
					return refuse("epoch %d: the input %s is a variable of a frame that there is none of", e, in.Name)
				}
				place := stack[in.Root.Frame]
				keeps := p.keeps(in.Root)
				j := slices.IndexFunc(p.at[place], func(v *variable) bool {
					return v.declared == in.Root.Position && v.name == in.Root.Name && v.kept == keeps
				})
				if j < 0 {
					j = len(p.at[place])
					p.at[place] = append(p.at[place], &variable{
						place: place, name: in.Root.Name, declared: in.Root.Position, slot: places,
						kept: keeps,
					})
					places++
				}
				p.inputs[key] = p.at[place][j]
			default:
				return refuse("epoch %d: a condition is about %s, which has no name in the source, so that no program can find it: assign it to a variable", e, in.Name)
			}
		}
	}
	p.places = places
	return nil
}

// An input is one of an epoch of the set, by their numbers.
type input struct{ epoch, number int }

// used yields the inputs of an epoch that its conditions are about, in their order.
func (p *program) used(e *cover.Epoch) map[int]bool {
	names := map[string]bool{}
	var vars []expr.ID
	for _, sc := range e.Schedules {
		for _, conj := range sc.When {
			for _, c := range conj {
				vars = p.set.Arena.Vars(vars[:0], c)
				for _, v := range vars {
					names[p.set.Arena.VarName(v)] = true
				}
			}
		}
	}
	used := map[int]bool{}
	for i, in := range e.Inputs {
		if names[in.Name] {
			used[i] = true
		}
	}
	return used
}

// variables makes the variables known that conditions need at a position of a node, before the statement that it is or is in.
func (f *file) variables(n ast.Node, pos token.Pos) error {
	texts, err := f.sets(pos, pos)
	if err != nil || len(texts) == 0 {
		return err
	}
	child := n
	for i := 1; ; i++ {
		loop, ok := n.(*ast.ForStmt)
		again := ok && (child == loop.Cond || child == loop.Post)
		stmt, ok := n.(ast.Stmt)
		if ok && !again && isInList(f.parent(i)) && !isComm(f.parent(i), stmt) {
			f.before[stmt] = append(f.before[stmt], texts...)
			return nil
		}
		switch n.(type) {
		case nil, *ast.FuncLit, *ast.ForStmt, *ast.CommClause:
			return refuse("%s: the schedule depends on variables at a place before which there can be no statement: have it be a statement of its own", f.program.Position(pos))
		}
		child, n = n, f.parent(i)
	}
}

// sets returns the expressions that make the variables known that conditions need at a place. They are looked for in the scope
// of a position.
func (f *file) sets(pos, scope token.Pos) ([]string, error) {
	return f.setsOf(f.program.at[f.program.Position(pos)], scope)
}

// setsKnown returns the expressions that make those variables known at a position that are declared before it.
func (f *file) setsKnown(pos token.Pos) ([]string, error) {
	var list []*variable
	for _, v := range f.program.at[f.program.Position(pos)] {
		if v.kept == nil {
			_, object := f.pkg.Types.Scope().Innermost(pos).LookupParent(v.name, pos)
			if object == nil || f.program.Position(object.Pos()) != v.declared {
				continue
			}
		}
		list = append(list, v)
	}
	return f.setsOf(list, pos)
}

// setsOf returns the expressions that make variables known, which are looked for in the scope of a position.
func (f *file) setsOf(list []*variable, scope token.Pos) ([]string, error) {
	var texts []string
	for _, v := range list {
		if v.kept != nil {
			v.placed, v.function = true, f.function()
			texts = append(texts, fmt.Sprintf("func() bool { everywayvariable := %s; return everywaycover.Set(%d, &everywayvariable) }()", v.kept.variable(), v.slot))
			continue
		}
		_, object := f.pkg.Types.Scope().Innermost(scope).LookupParent(v.name, scope)
		o, ok := object.(*types.Var)
		if !ok || f.program.Position(o.Pos()) != v.declared {
			return nil, refuse("%s: the schedule depends on %s, declared at %s, which has no name there", v.place, v.name, v.declared)
		}
		v.placed, v.typ = true, o.Type()
		if f.isShared(o) {
			texts = append(texts, fmt.Sprintf("everywaycover.Set(%d, &%s)", v.slot, v.name))
			continue
		}
		texts = append(texts, fmt.Sprintf("func() bool { everywayvariable := %s; return everywaycover.Set(%d, &everywayvariable) }()", v.name, v.slot))
	}
	return texts, nil
}

// isShared reports whether a variable may change while its goroutine is at a place: something may have its address.
func (f *file) isShared(v *types.Var) bool {
	switch v.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	shared := false
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n.Pos() <= v.Pos() && v.Pos() < n.End() {
				return true
			}
			ast.Inspect(n, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				shared = shared || ok && f.pkg.Info.Uses[id] == v
				return !shared
			})
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			shared = shared || n.Op == token.AND && ok && f.pkg.Info.Uses[id] == v
		case *ast.SelectorExpr:
			// A method of a pointer to it, which is not that of a pointer.
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			if s := f.pkg.Info.Selections[n]; ok && s != nil && s.Kind() == types.MethodVal && f.pkg.Info.Uses[id] == v {
				_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
				_, is := v.Type().Underlying().(*types.Pointer)
				shared = shared || pointer && !is
			}
		}
		return !shared
	})
	return shared
}

// makeGlobalsKnown adds declarations to a file of each package whose variables conditions need.
func (p *program) makeGlobalsKnown(files []*file) error {
	for _, name := range slices.Sorted(maps.Keys(p.globals)) {
		v := p.globals[name]
		for _, f := range files {
			o, ok := f.pkg.Types.Scope().Lookup(v.name).(*types.Var)
			if f.pkg.Path != v.declared || !ok || v.placed {
				continue
			}
			v.placed, v.typ = true, o.Type()
			end := len(f.text)
			f.edits = append(f.edits, edit{end, end, fmt.Sprintf("\nvar _ = everywaycover.Global(%d, &%s)\n", v.slot, v.name)})
		}
		if !v.placed {
			return refuse("the schedule depends on the package variable %s, which is not one of the program", name)
		}
	}
	return nil
}

// unplaced returns an error if no file has made a variable known.
func (p *program) unplaced() error {
	for _, place := range slices.Sorted(maps.Keys(p.at)) {
		for _, v := range p.at[place] {
			if !v.placed {
				return refuse("%s: the schedule depends on %s, declared at %s, and the program is not kept to schedules there", place, v.name, v.declared)
			}
			if v.kept == nil {
				continue
			}
			if err := v.kept.check(v); err != nil {
				return err
			}
			v.typ = v.kept.typ
		}
	}
	return nil
}

// path returns the steps from a variable to an input.
func (p *program) path(typ types.Type, in *cover.Input) ([]step, error) {
	var steps []step
	wrong := func(s cover.Step) error {
		return refuse("the schedule depends on %s, to which the step %s of a %s leads: it cannot be read", in.Name, s, typ)
	}
	for i, s := range in.Steps {
		switch t := typ.Underlying().(type) {
		case *types.Pointer:
			if s != "*" {
				return nil, wrong(s)
			}
			steps, typ = append(steps, step{kind: "deref"}), t.Elem()
		case *types.Chan:
			if s == "*" {
				// The runtime's description of the channel, of which elements are asked for.
				steps = append(steps, step{kind: "deref"})
				continue
			}
			n, err := strconv.ParseInt(strings.Trim(string(s), "<>"), 10, 64)
			if err != nil || n < 0 || i == 0 || in.Steps[i-1] != "*" {
				return nil, wrong(s)
			}
			steps, typ = append(steps, step{kind: "buffered", n: n, size: p.Sizes.Sizeof(t.Elem())}), t.Elem()
		case *types.Struct:
			var fields []*types.Var
			at := -1
			for f := range t.Fields() {
				fields = append(fields, f)
				if "."+f.Name() == string(s) {
					at = len(fields) - 1
				}
			}
			if at < 0 {
				return nil, wrong(s)
			}
			steps, typ = append(steps, step{kind: "offset", n: p.Sizes.Offsetsof(fields)[at]}), fields[at].Type()
		case *types.Array, *types.Slice, *types.Basic:
			elem := types.Type(types.Typ[types.Uint8])
			if e, ok := t.(interface{ Elem() types.Type }); ok {
				elem = e.Elem()
			}
			if _, ok := t.(*types.Slice); ok && s == "*" {
				// The array is a variable, which begins where the slice does.
				steps, typ = append(steps, step{kind: "deref"}), types.NewArray(elem, math.MaxInt32)
				continue
			}
			b, basic := t.(*types.Basic)
			if basic && b.Info()&types.IsString == 0 {
				return nil, wrong(s)
			}
			if s == "len" && i == len(in.Steps)-1 {
				steps, typ = append(steps, step{kind: "length"}), types.Typ[types.Int]
				continue
			}
			n, err := strconv.ParseInt(strings.Trim(string(s), "[]"), 10, 64)
			if err != nil || n < 0 {
				return nil, wrong(s)
			}
			size := p.Sizes.Sizeof(elem)
			typ = elem
			if a, ok := t.(*types.Array); ok {
				if n >= a.Len() {
					return nil, wrong(s)
				}
				steps = append(steps, step{kind: "offset", n: n * size})
				continue
			}
			steps = append(steps, step{kind: "element", n: n, size: size})
		default:
			return nil, wrong(s)
		}
	}
	b, ok := typ.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) == 0 || p.Sizes.Sizeof(b)*8 != max(8, int64(in.Width)) {
		return nil, refuse("the schedule depends on %s, a %s of which %d bits are wanted: it cannot be read", in.Name, typ, in.Width)
	}
	return steps, nil
}
