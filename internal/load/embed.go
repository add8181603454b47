package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
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

// importsEmbed reports whether f may have go:embed directives.
func importsEmbed(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool { return imp.Path.Value == `"embed"` })
}

// embed gives the variables of f, a file in dir, the initial values that their go:embed
// directives ask for, as the compiler does.
func embed(fset *token.FileSet, f *ast.File, dir string) error {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			doc := spec.Doc
			if doc == nil && !decl.Lparen.IsValid() {
				doc = decl.Doc
			}
			patterns, err := embedPatterns(doc)
			if err != nil || len(patterns) == 0 || len(spec.Values) > 0 || spec.Type == nil {
				continue // no directive, or one that the compiler rejects
			}
			var value ast.Expr
			files, err := embedded(dir, patterns)
			if err == nil {
				value, err = embeddedValue(spec, dir, files)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", fset.Position(spec.Pos()), err)
			}
			spec.Values = []ast.Expr{value}
		}
	}
	return nil
}

// embedPatterns returns the patterns of the go:embed directives in a comment.
func embedPatterns(doc *ast.CommentGroup) ([]string, error) {
	if doc == nil {
		return nil, nil
	}
	var patterns []string
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//go:embed")
		if !ok {
			continue
		}
		for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
			pattern, err := strconv.QuotedPrefix(rest)
			if err != nil {
				pattern, rest, _ = strings.Cut(rest, " ")
				patterns = append(patterns, pattern)
				continue
			}
			rest = rest[len(pattern):]
			if pattern, err = strconv.Unquote(pattern); err != nil {
				return nil, err
			}
			patterns = append(patterns, pattern)
		}
	}
	return patterns, nil
}

// embedded returns the files that patterns match, as paths relative to dir with slashes. A
// directory stands for the files in it; those that begin with . or _ only count with all:.
func embedded(dir string, patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		glob, all := strings.CutPrefix(pattern, "all:")
		matches, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(glob)))
		if err != nil || len(matches) == 0 {
			return nil, fmt.Errorf("pattern %s: no matching files found", pattern)
		}
		for _, match := range matches {
			err := filepath.WalkDir(match, func(file string, e fs.DirEntry, err error) error {
				hidden := file != match && !all && strings.ContainsRune("._", rune(e.Name()[0]))
				switch {
				case err != nil:
					return err
				case hidden && e.IsDir():
					return filepath.SkipDir
				case !hidden && e.Type().IsRegular():
					name, err := filepath.Rel(dir, file)
					files = append(files, filepath.ToSlash(name))
					return err
				}
				return nil
			})
			if err != nil {
				return nil, fmt.Errorf("embedding %s: %w", pattern, err)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// embeddedValue returns the initial value of the variable of spec, in which files are embedded.
func embeddedValue(spec *ast.ValueSpec, dir string, files []string) (ast.Expr, error) {
	literal := func(text string) ast.Expr {
		return &ast.BasicLit{ValuePos: spec.End(), Kind: token.STRING, Value: strconv.Quote(text)}
	}
	content := func(name string) (ast.Expr, error) {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("embedding a file: %w", err)
		}
		return literal(string(text)), nil
	}
	call := &ast.CallExpr{Fun: spec.Type, Lparen: spec.End(), Rparen: spec.End()}
	if t, ok := spec.Type.(*ast.SelectorExpr); ok && t.Sel.Name == "FS" {
		call.Fun = &ast.SelectorExpr{X: t.X, Sel: &ast.Ident{NamePos: t.Sel.Pos(), Name: embedFS}}
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
	if len(files) != 1 {
		return nil, fmt.Errorf("invalid go:embed: multiple files for type %s", spec.Names[0].Name)
	}
	text, err := content(files[0])
	call.Args = []ast.Expr{text}
	return call, err
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
