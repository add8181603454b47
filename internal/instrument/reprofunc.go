package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/drawing"
	"github.com/everyway-go/everyway/schedule"
)

// CalledFile is the name of the file with the test that calls a function, see [Called].
const CalledFile = "everyway_called_test.go"

// Called returns the run as one of a test that calls the function or method of the run, which was
// searched over its parameters, with what the test of [Repro] builds. The test is a file that was
// made for the run.
func Called(r *schedule.Run, root string) (*schedule.Run, error) {
	text, err := reproFunc(r, root, "")
	if err != nil {
		return nil, err
	}
	test := *r
	test.Kind, test.Target = "test", callerOf(r)
	file := schedule.File{Name: path.Join(r.Dir, CalledFile), Text: string(text)}
	test.Options.Generated = append(slices.Clone(r.Options.Generated), file)
	return &test, nil
}

// callerOf returns the name of the test that calls a function.
func callerOf(r *schedule.Run) string {
	return "TestEveryway" + strings.NewReplacer("(", "", ")", "", "*", "", ".", "").Replace(r.Target)
}

// reproFunc is Repro for a function or method that was searched over its parameters: the test builds what they lead to.
func reproFunc(r *schedule.Run, root, command string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(r.Dir), "*.go"))
	if err != nil {
		return nil, err
	}
	var parsed []*file
	for _, path := range files {
		f, err := read(path, nil)
		if err != nil {
			return nil, err
		}
		if f.hasAtomics(r) {
			return nil, fmt.Errorf("types of %s have atomic variables, to which the input does not say how to assign; everyway replay makes the run again", r.Package)
		}
		parsed = append(parsed, f)
	}
	for _, f := range parsed {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.methodName(fn) == r.Target && fn.Body != nil {
				return f.reproFunc(fn, r, command)
			}
		}
	}
	return nil, fmt.Errorf("%s has no file with %s", r.Dir, r.Target)
}

// hasAtomics reports whether a type that the file declares may have something of package
// sync/atomic in it, or a package variable if some are inputs.
func (f *file) hasAtomics(r *schedule.Run) bool {
	if !slices.ContainsFunc(f.syntax.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"sync/atomic"` }) {
		return false
	}
	return slices.ContainsFunc(f.syntax.Decls, func(d ast.Decl) bool {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE && (decl.Tok != token.VAR || len(r.Options.Globals) == 0) {
			return false
		}
		found := false
		ast.Inspect(decl, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			found = found || ok && f.imports(sel.X) == "sync/atomic"
			return !found
		})
		return found
	})
}

// imports returns the path of the package that an expression names, "" if it is none.
func (f *file) imports(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, s := range f.syntax.Imports {
		to := strings.Trim(s.Path.Value, "`\"")
		name := path.Base(to)
		if s.Name != nil {
			name = s.Name.Name
		}
		if name == id.Name {
			return to
		}
	}
	return ""
}

// methodName returns the name of a function, or that of a method as a method expression, such as (*T).M.
func (f *file) methodName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv := f.source(fn.Recv.List[0].Type)
	if strings.HasPrefix(recv, "*") {
		recv = "(" + recv + ")"
	}
	return recv + "." + fn.Name.Name
}

// reproFunc returns the test for a function in the file.
func (f *file) reproFunc(fn *ast.FuncDecl, r *schedule.Run, command string) ([]byte, error) {
	types := map[string]string{}
	imports := []string{`"testing"`}
	var args []string
	called := fn.Name.Name
	add := func(list *ast.FieldList) error {
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			typ := f.source(field.Type)
			variadic, more := strings.CutPrefix(typ, "...")
			if more {
				typ = "[]" + variadic
			}
			var others bool
			imports, others = f.others(field.Type, imports)
			for _, name := range field.Names {
				if name.Name == "_" {
					return fmt.Errorf("a parameter of %s has no name", r.Target)
				}
				if others && slices.ContainsFunc(r.Input, func(v schedule.Input) bool {
					return strings.HasPrefix(v.Name, name.Name+".") || v.Name == name.Name && v.IsPointer() && v.Value != 0
				}) {
					return fmt.Errorf("parameter %s of %s is of type %s, whose fields are those of another package",
						name.Name, r.Target, typ)
				}
				types[name.Name] = typ
				if more {
					args = append(args, name.Name+"...")
				} else {
					args = append(args, name.Name)
				}
			}
		}
		return nil
	}
	if err := add(fn.Recv); err != nil {
		return nil, err
	}
	if fn.Recv != nil {
		if len(args) == 0 {
			return nil, fmt.Errorf("the receiver of %s has no name", r.Target)
		}
		called, args = args[0]+"."+called, nil
	}
	if err := add(fn.Type.Params); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(r.Options.Globals, func(name string) bool { return name == "testing" || name == "reflect" }); i >= 0 {
		return nil, fmt.Errorf("the package variable %s has a name that the test needs for something else; everyway replay makes the run again", r.Options.Globals[i])
	}
	lines, err := drawing.Of(r.Input).Source(f.syntax.Name.Name, types)
	if err != nil {
		return nil, fmt.Errorf("the input cannot be written in Go: %w; everyway replay makes the run again", err)
	}
	name := callerOf(r)
	var b bytes.Buffer
	if len(r.Options.Globals) > 0 {
		imports = append(imports, `"reflect"`)
	}
	t := "t"
	if _, taken := types[t]; taken || slices.Contains(r.Options.Globals, t) {
		t = "tt"
	}
	check := ""
	if command != "" { // it is not for everyway confirm, which looks at goroutines itself
		check = leakCheck(r, t)
	}
	if check != "" {
		imports = append(imports, leakImports...)
	}
	slices.Sort(imports)
	imports = slices.Compact(imports)
	clause := "import " + imports[0]
	if len(imports) > 1 {
		clause = "import (\n" + strings.Join(imports, "\n") + "\n)"
	}
	fmt.Fprintf(&b, "package %s\n\n%s\n\n// %s shows a finding of everyway in %s:\n//\n", f.syntax.Name.Name, clause, name, r.Target)
	f.aboutFinding(&b, r, command)
	fmt.Fprintf(&b, "func %s(%s *testing.T) {\n%s", name, t, check)
	if len(r.Options.Globals) > 0 {
		fmt.Fprintf(&b, clearGlobals, "&"+strings.Join(r.Options.Globals, ", &"), t)
	}
	fmt.Fprintf(&b, "\t%s\n\t%s(%s)\n}\n", strings.Join(lines, "\n\t"), called, strings.Join(args, ", "))
	return format.Source(b.Bytes())
}

// others adds to imports those that a type needs, which is written in the file. It reports whether
// the type has names of other packages.
func (f *file) others(typ ast.Expr, imports []string) (list []string, is bool) {
	ast.Inspect(typ, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		for _, s := range f.syntax.Imports {
			if to := f.imports(sel.X); to != "" && to == strings.Trim(s.Path.Value, "`\"") && !slices.Contains(imports, f.source(s)) {
				imports = append(imports, f.source(s))
			}
		}
		is = true
		return false
	})
	return imports, is
}

// clearGlobals makes the package variables zero that are inputs, since only what is not zero is
// assigned to them. Their types need not stand where they are declared, so that they are not
// written here.
const clearGlobals = `	for _, variable := range []any{%s} {
		v := reflect.ValueOf(variable).Elem()
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		%s.Cleanup(func() { v.Set(was) })
		v.SetZero()
	}
`
