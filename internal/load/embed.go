package load

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// embedFS is the function that the model of package embed adds. It takes the names of files
// and directories, each followed by the content.
const embedFS = "EverywayFS"

// embedDirective begins a comment that asks for files to be embedded.
const embedDirective = "//go:embed"

// A directive is a go:embed directive.
type directive struct {
	pos      token.Pos
	patterns []string
	spec     *ast.ValueSpec // the variable that it stands before; nil if there is none
	err      error          // what the compiler says of it
}

// embedDirectives returns the go:embed directives of f, whose source is text.
func embedDirectives(f *ast.File, text []byte, file *token.File) []directive {
	var list []directive
	for _, group := range f.Comments {
		for _, c := range group.List {
			parsed, ok := ast.ParseDirective(c.Pos(), c.Text)
			if !ok || parsed.Tool != "go" || parsed.Name != "embed" {
				continue
			}
			d := directive{pos: c.Pos() + token.Pos(len("//"))}
			args, err := parsed.ParseArgs()
			for _, arg := range args {
				d.patterns = append(d.patterns, arg.Arg)
			}
			start := file.Offset(file.LineStart(file.PositionFor(c.Pos(), false).Line))
			switch {
			case err != nil:
				d.err = fmt.Errorf("invalid quoted string in //go:embed: %s", parsed.Args)
			case len(args) == 0:
				d.err = errors.New("usage: //go:embed pattern...")
			case strings.TrimSpace(string(text[start:file.Offset(c.Pos())])) != "":
				d.err = errors.New("misplaced compiler directive")
			default:
				d.spec, d.err = embedTarget(f, c.Pos())
			}
			list = append(list, d)
		}
	}
	return list
}

// embedTarget returns the variable before which a go:embed directive of f stands. Other
// comments may be between the two.
func embedTarget(f *ast.File, at token.Pos) (*ast.ValueSpec, error) {
	misplaced := errors.New("misplaced go:embed directive")
	for _, d := range f.Decls {
		if d.End() < at {
			continue
		}
		decl, ok := d.(*ast.GenDecl)
		switch {
		case !ok && d.Pos() < at:
			if embedsInFunc(d, at) {
				return nil, errors.New("go:embed cannot apply to var inside func")
			}
			return nil, misplaced
		case !ok || decl.Tok != token.VAR || len(decl.Specs) == 0:
			return nil, misplaced
		case at < decl.Pos() && !decl.Lparen.IsValid():
			return checkEmbed(f, decl.Specs[0].(*ast.ValueSpec))
		case at < decl.Pos():
			return nil, misplaced
		}
		for _, s := range decl.Specs {
			if s.Pos() > at {
				return checkEmbed(f, s.(*ast.ValueSpec))
			}
			if s.End() > at {
				break
			}
		}
		return nil, misplaced
	}
	return nil, misplaced
}

// embedsInFunc reports whether what comes next after a position in a function is the
// declaration of a variable.
func embedsInFunc(fn ast.Decl, at token.Pos) bool {
	var next ast.Node
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || n.End() < at {
			return false
		}
		if n.Pos() > at && (next == nil || n.Pos() < next.Pos()) {
			next = n
		}
		return true
	})
	decl, ok := next.(*ast.DeclStmt)
	if !ok {
		_, ok = next.(*ast.ValueSpec)
		return ok
	}
	gen, ok := decl.Decl.(*ast.GenDecl)
	return ok && gen.Tok == token.VAR && !gen.Lparen.IsValid()
}

// checkEmbed returns a variable if the compiler embeds files in it.
func checkEmbed(f *ast.File, spec *ast.ValueSpec) (*ast.ValueSpec, error) {
	imported := slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool { return imp.Path.Value == `"embed"` })
	switch {
	case !imported:
		return nil, errors.New(`go:embed requires import "embed" (or import _ "embed", if package is not used)`)
	case len(spec.Names) > 1:
		return nil, errors.New("go:embed cannot apply to multiple vars")
	case len(spec.Values) > 0:
		return nil, errors.New("go:embed cannot apply to var with initializer")
	case spec.Type == nil:
		return nil, errors.New("go:embed cannot apply to var without type")
	}
	return spec, nil
}

// An embedder gives the variables of a file the initial values that its go:embed directives
// ask for, as the compiler does. The packages that the file imports have been checked.
type embedder struct {
	c    *checker
	u    *unit
	file *ast.File
}

// embed carries out the directives.
func (e *embedder) embed(directives []directive) {
	patterns := make(map[*ast.ValueSpec][]string)
	var specs []*ast.ValueSpec
	for _, d := range directives {
		if d.err != nil {
			e.fail(d.pos, d.err)
			continue
		}
		if patterns[d.spec] == nil {
			specs = append(specs, d.spec)
		}
		patterns[d.spec] = append(patterns[d.spec], d.patterns...)
	}
	for _, spec := range specs {
		value, err := e.value(spec, patterns[spec])
		if err != nil {
			e.fail(spec.Names[0].Pos(), err)
			continue
		}
		spec.Values = []ast.Expr{value}
	}
}

// fail notes an error at a position.
func (e *embedder) fail(pos token.Pos, err error) {
	e.u.fail(types.Error{Fset: e.c.fset, Pos: pos, Msg: err.Error()})
}

// value returns the initial value of the variable of spec, in which the files that match
// patterns are embedded.
func (e *embedder) value(spec *ast.ValueSpec, patterns []string) (ast.Expr, error) {
	files := e.match(patterns)
	literal := func(text string) ast.Expr {
		return &ast.BasicLit{ValuePos: spec.End(), Kind: token.STRING, Value: strconv.Quote(text)}
	}
	content := func(name string) (ast.Expr, error) {
		name = filepath.Join(e.u.listed.Dir, filepath.FromSlash(name))
		text, ok := e.c.overlay[name]
		if !ok {
			var err error
			if text, err = os.ReadFile(name); err != nil {
				return nil, fmt.Errorf("embedding a file: %w", err)
			}
		}
		return literal(string(text)), nil
	}
	call := &ast.CallExpr{Fun: spec.Type, Lparen: spec.End(), Rparen: spec.End()}
	switch e.kind(spec.Type, nil) {
	case embedsText:
		if len(files) != 1 {
			return nil, fmt.Errorf("invalid go:embed: multiple files for type %s", types.ExprString(spec.Type))
		}
		text, err := content(files[0])
		call.Args = []ast.Expr{text}
		return call, err
	case embedsFiles:
		call.Fun = &ast.SelectorExpr{X: e.importEmbed(spec.End()), Sel: &ast.Ident{NamePos: spec.End(), Name: embedFS}}
		for _, name := range withDirectories(files) {
			text := literal("")
			if !strings.HasSuffix(name, "/") {
				var err error
				if text, err = content(name); err != nil {
					return nil, err
				}
			}
			call.Args = append(call.Args, literal(name), text)
		}
		return call, nil
	}
	return nil, fmt.Errorf("go:embed cannot apply to var of type %s", types.ExprString(spec.Type))
}

// embedName is what the file imports package embed as, beside the name that it has given to
// it, which may be none.
const embedName = "everyway embed"

// importEmbed returns a name of package embed, by which it is imported.
func (e *embedder) importEmbed(pos token.Pos) ast.Expr {
	named := func(imp *ast.ImportSpec) bool { return imp.Name != nil && imp.Name.Name == embedName }
	if !slices.ContainsFunc(e.file.Imports, named) {
		at := e.file.Imports[0].Pos()
		imp := &ast.ImportSpec{
			Name: &ast.Ident{NamePos: at, Name: embedName},
			Path: &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: `"embed"`},
		}
		e.file.Imports = append(e.file.Imports, imp)
		e.file.Decls = append([]ast.Decl{&ast.GenDecl{TokPos: at, Tok: token.IMPORT, Specs: []ast.Spec{imp}}}, e.file.Decls...)
	}
	return &ast.Ident{NamePos: pos, Name: embedName}
}

// What files can be embedded in, by its type.
const (
	embedsNothing = iota
	embedsByte    // an element of a slice
	embedsText    // a string, or a slice of bytes
	embedsFiles   // an embed.FS
)

// kind says what files can be embedded in that has a type. The package is not checked yet.
func (e *embedder) kind(t ast.Expr, seen []*ast.TypeSpec) int {
	switch t := ast.Unparen(t).(type) {
	case *ast.ArrayType:
		if t.Len == nil && e.kind(t.Elt, seen) == embedsByte {
			return embedsText
		}
	case *ast.SelectorExpr:
		if name, ok := t.X.(*ast.Ident); ok {
			return e.imported(name.Name, t.Sel.Name)
		}
	case *ast.Ident:
		for _, f := range e.u.pkg.Files {
			for _, d := range f.Decls {
				decl, ok := d.(*ast.GenDecl)
				if !ok || decl.Tok != token.TYPE {
					continue
				}
				for _, s := range decl.Specs {
					s := s.(*ast.TypeSpec)
					if s.Name.Name != t.Name || s.TypeParams != nil || slices.Contains(seen, s) {
						continue
					}
					kind := (&embedder{e.c, e.u, f}).kind(s.Type, append(seen, s))
					if kind == embedsFiles && !s.Assign.IsValid() {
						return embedsNothing // a type of its own, which is no embed.FS
					}
					return kind
				}
			}
		}
		if kind := e.imported(".", t.Name); kind != embedsNothing {
			return kind
		}
		if obj, ok := types.Universe.Lookup(t.Name).(*types.TypeName); ok {
			return kindOf(obj.Type())
		}
	}
	return embedsNothing
}

// imported is kind for a type of an imported package.
func (e *embedder) imported(name, typ string) int {
	for _, imp := range e.file.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		p, err := importer{e.c, e.u}.Import(path)
		if err != nil || p == types.Unsafe {
			continue // the type checker says so
		}
		if as := imp.Name; as != nil && as.Name != name || as == nil && p.Name() != name {
			continue
		}
		if obj, ok := p.Scope().Lookup(typ).(*types.TypeName); ok && obj.Exported() {
			return kindOf(obj.Type())
		}
	}
	return embedsNothing
}

// kindOf is kind for a type that is known.
func kindOf(t types.Type) int {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if obj := named.Obj(); obj.Name() == "FS" && obj.Pkg() != nil && obj.Pkg().Path() == "embed" {
			return embedsFiles
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.String:
			return embedsText
		case types.Uint8:
			return embedsByte
		}
	case *types.Slice:
		if kindOf(t.Elem()) == embedsByte {
			return embedsText
		}
	}
	return embedsNothing
}

// match returns which of the files that the go command embeds in the package match patterns,
// as paths relative to its directory with slashes. A directory stands for the files in it;
// those that begin with . or _ only count with all:.
func (e *embedder) match(patterns []string) []string {
	var files []string
	for _, name := range e.u.listed.EmbedFiles {
		name, err := filepath.Rel(e.u.listed.Dir, name)
		if err != nil {
			continue // there is none outside
		}
		name = filepath.ToSlash(name)
		if slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, name) }) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// matches reports whether a pattern matches a file, or a directory that it is in.
func matches(pattern, name string) bool {
	glob, all := strings.CutPrefix(pattern, "all:")
	for at, rest := name, ""; ; {
		matched, err := path.Match(glob, at)
		if at == "." {
			matched = glob == "." // and not ?
		}
		if err == nil && matched && (all || !hidden(rest)) {
			return true
		}
		if at == "." {
			return false
		}
		rest = path.Join(path.Base(at), rest)
		at = path.Dir(at)
	}
}

// hidden reports whether an element of a path begins with . or _.
func hidden(name string) bool {
	for elem := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(elem, ".") || strings.HasPrefix(elem, "_") {
			return true
		}
	}
	return false
}

// withDirectories adds the directories of files, which end in a slash. The result is in the
// order that package embed looks names up in: by directory, and then by name.
func withDirectories(files []string) []string {
	all := slices.Clone(files)
	for _, name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			all = append(all, dir+"/")
		}
	}
	split := func(name string) (dir, elem string) {
		name = strings.TrimSuffix(name, "/")
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			return name[:i], name[i+1:]
		}
		return ".", name
	}
	slices.SortFunc(all, func(x, y string) int {
		xd, xe := split(x)
		yd, ye := split(y)
		return cmp.Or(strings.Compare(xd, yd), strings.Compare(xe, ye))
	})
	return slices.Compact(all)
}
