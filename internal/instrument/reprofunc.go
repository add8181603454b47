package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/drawing"
	"github.com/everyway-go/everyway/schedule"
)

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
		if slices.ContainsFunc(f.syntax.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"sync/atomic"` }) {
			return nil, fmt.Errorf("%s has atomic variables, to which the input does not say how to assign; everyway replay makes the run again", r.Dir)
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
			if strings.Contains(typ, ".") {
				return fmt.Errorf("a parameter of %s is of type %s, of another package", r.Target, typ)
			}
			for _, name := range field.Names {
				if name.Name == "_" {
					return fmt.Errorf("a parameter of %s has no name", r.Target)
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
	name := "TestEveryway" + strings.NewReplacer("(", "", ")", "", "*", "", ".", "").Replace(r.Target)
	var b bytes.Buffer
	imports := `import "testing"`
	if len(r.Options.Globals) > 0 {
		imports = "import (\n\"reflect\"\n\"testing\"\n)"
	}
	fmt.Fprintf(&b, "package %s\n\n%s\n\n// %s shows a finding of everyway in %s:\n//\n", f.syntax.Name.Name, imports, name, r.Target)
	f.aboutFinding(&b, r, command)
	t := "t"
	if _, taken := types[t]; taken || slices.Contains(r.Options.Globals, t) {
		t = "tt"
	}
	fmt.Fprintf(&b, "func %s(%s *testing.T) {\n", name, t)
	if len(r.Options.Globals) > 0 {
		fmt.Fprintf(&b, clearGlobals, "&"+strings.Join(r.Options.Globals, ", &"), t)
	}
	fmt.Fprintf(&b, "\t%s\n\t%s(%s)\n}\n", strings.Join(lines, "\n\t"), called, strings.Join(args, ", "))
	return format.Source(b.Bytes())
}

// clearGlobals makes the package variables zero that are inputs, since only what is not zero is assigned to them. Their types need not
// stand where they are declared, so that they are not written here.
const clearGlobals = `	for _, variable := range []any{%s} {
		v := reflect.ValueOf(variable).Elem()
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		%s.Cleanup(func() { v.Set(was) })
		v.SetZero()
	}
`
