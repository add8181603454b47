package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An adapter puts the tests of a copy of the module to a tool that a test has to call, as the documentation of the tool
// recommends.
type adapter struct {
	name    string
	require string                  // the module of the tool, if it is in one
	adapt   func(dir string) error  // changes the tests of the package in a directory
	extra   func(root string) error // adds what the changed tests import, if anything
}

var adapters = []adapter{
	{name: "goleak", require: "go.uber.org/goleak@v1.3.0", adapt: addTestMain},
	{name: "synctest", adapt: rewriteTests(inBubble)},
	{name: "rapid", require: "pgregory.net/rapid@v1.3.0", adapt: rewriteTests(asProperty)},
	{name: "porcupine", require: "github.com/anishathalye/porcupine@v1.3.1", adapt: replaceByHistory, extra: addHistory},
}

// apply makes a copy of the packages of a module and adapts their tests.
func (a *adapter) apply(ctx context.Context, to, from string, packages []string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copying the tests for %s: %w", a.name, err)
	}
	if a.require != "" {
		if out, err := goCommand(ctx, to, "get", a.require).CombinedOutput(); err != nil {
			return fmt.Errorf("adding %s: %w\n%s", a.require, err, out)
		}
	}
	if a.extra != nil {
		if err := a.extra(to); err != nil {
			return fmt.Errorf("the tests for %s: %w", a.name, err)
		}
	}
	for _, name := range packages {
		if err := a.adapt(filepath.Join(to, name)); err != nil {
			return fmt.Errorf("the tests of %s for %s: %w", name, a.name, err)
		}
	}
	return nil
}

// testMain has the tests of a package checked by goleak.
const testMain = `package %s

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
`

func addTestMain(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("there are none: %w", err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), files[0], nil, parser.PackageClauseOnly)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "goleak_main_test.go"), fmt.Appendf(nil, testMain, parsed.Name.Name), 0o666)
}

// A source is a file that is changed.
type source struct {
	text  []byte
	file  *ast.File
	edits []edit
}

// An edit replaces the text between two positions.
type edit struct {
	from, to token.Pos
	text     string
}

func (s *source) replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{from, to, text})
}

func (s *source) insert(at token.Pos, text string) { s.replace(at, at, text) }

// importPackage adds an import declaration, which may stand beside others.
func (s *source) importPackage(path string) {
	s.insert(s.file.Name.End(), fmt.Sprintf("\n\nimport %q", path))
}

// between returns the text between two positions.
func (s *source) between(from, to token.Pos) string {
	return string(s.text[from-s.file.FileStart : to-s.file.FileStart])
}

// result returns the text with its edits.
func (s *source) result() []byte {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return int(a.from - b.from) })
	var b bytes.Buffer
	last := s.file.FileStart
	for _, e := range s.edits {
		b.WriteString(s.between(last, e.from))
		b.WriteString(e.text)
		last = e.to
	}
	b.WriteString(s.between(last, s.file.FileEnd))
	return b.Bytes()
}

// rewriteTests changes the test files of a package.
func rewriteTests(change func(*source) error) func(dir string) error {
	return func(dir string) error {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if text, err = rewrite(text, change); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
			if err := os.WriteFile(file, text, 0o666); err != nil {
				return err
			}
		}
		return nil
	}
}

func rewrite(text []byte, change func(*source) error) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, file: file}
	if err := change(s); err != nil {
		return nil, err
	}
	return s.result(), nil
}

// inBubble puts the body of each test, and that of the function of each fuzz target, into a bubble of its own.
func inBubble(s *source) error {
	if slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` }) {
		return nil // its tests have bubbles
	}
	changed := false
	for _, f := range testFunctions(s.file) {
		body, t := f.Body, f.Type.Params.List[0].Names
		if strings.HasPrefix(f.Name.Name, "Fuzz") {
			lit, err := fuzzFunction(f)
			if err != nil {
				return err
			}
			body, t = lit.Body, lit.Type.Params.List[0].Names
		}
		name := "_"
		if len(t) > 0 {
			name = t[0].Name
		}
		if name == "_" {
			return fmt.Errorf("%s does not name its *testing.T", f.Name.Name)
		}
		s.insert(body.Lbrace+1, fmt.Sprintf(" synctest.Test(%[1]s, func(%[1]s *testing.T) {", name))
		s.insert(body.Rbrace, "}) ")
		changed = true
	}
	if changed {
		s.importPackage("testing/synctest")
	}
	return nil
}

// asProperty makes a property of each fuzz target, whose arguments rapid draws.
func asProperty(s *source) error {
	changed := false
	for _, f := range testFunctions(s.file) {
		if !strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		lit, err := fuzzFunction(f)
		if err != nil {
			return err
		}
		params := lit.Type.Params.List
		var draws strings.Builder
		for _, p := range params[1:] {
			typ := s.between(p.Type.Pos(), p.Type.End())
			generator := strings.ToUpper(typ[:1]) + typ[1:] + "()" // rapid.Uint8() and the like
			for _, name := range p.Names {
				fmt.Fprintf(&draws, "\n%[1]s := rapid.%[2]s.Draw(%[3]s, %[1]q)", name.Name, generator, params[0].Names[0].Name)
			}
		}
		t := params[0].Names[0].Name
		s.replace(f.Name.Pos(), f.Body.Lbrace+1, fmt.Sprintf("Test%s(_%s *testing.T) {\n\trapid.Check(_%s, func(%s *rapid.T) {%s\n",
			strings.TrimPrefix(f.Name.Name, "Fuzz"), t, t, t, draws.String()))
		s.replace(f.Body.Lbrace+1, f.Body.Rbrace, strings.TrimSpace(s.between(lit.Body.Lbrace+1, lit.Body.Rbrace))+"\n})\n")
		changed = true
	}
	if !changed {
		return nil
	}
	s.importPackage("pgregory.net/rapid")
	for _, d := range s.file.Decls { // what the targets call
		f, ok := d.(*ast.FuncDecl)
		if !ok || strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		for _, p := range f.Type.Params.List {
			if s.between(p.Type.Pos(), p.Type.End()) == "*testing.T" {
				s.replace(p.Type.Pos(), p.Type.End(), "*rapid.T")
			}
		}
	}
	return nil
}

// testFunctions returns the tests and fuzz targets of a file.
func testFunctions(file *ast.File) []*ast.FuncDecl {
	var tests []*ast.FuncDecl
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && f.Name.Name != "TestMain" && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
			tests = append(tests, f)
		}
	}
	return tests
}

// fuzzFunction returns the function that a fuzz target gives to F.Fuzz.
func fuzzFunction(f *ast.FuncDecl) (*ast.FuncLit, error) {
	for _, stmt := range f.Body.List {
		if s, ok := stmt.(*ast.ExprStmt); ok {
			if call, ok := s.X.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Fuzz" {
					if lit, ok := call.Args[0].(*ast.FuncLit); ok {
						return lit, nil
					}
				}
			}
		}
	}
	return nil, fmt.Errorf("%s calls F.Fuzz with no function literal", f.Name.Name)
}

// Tests that record histories for porcupine, by the package whose tests they replace, and package
// history, which they call.
//
//go:embed testdata/porcupine
var histories embed.FS

const historyRoot = "testdata/porcupine"

// historyFile returns the file with the tests that record histories in the place of a package.
func historyFile(pkg string) ([]byte, error) {
	return histories.ReadFile(path.Join(historyRoot, pkg, pkg+"_test.go"))
}

func replaceByHistory(dir string) error {
	pkg := filepath.Base(dir)
	text, err := historyFile(pkg)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, pkg+"_test.go"), text, 0o666)
}

func addHistory(root string) error {
	text, err := histories.ReadFile(path.Join(historyRoot, "history", "history.go"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(root, "history"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "history", "history.go"), text, 0o666)
}

// hasHistory reports whether a test records histories in the place of a target.
func (t target) hasHistory() bool {
	text, err := historyFile(t.pkg)
	return err == nil && bytes.Contains(text, []byte("func "+t.asTest()+"("))
}

// asTest returns the name of a fuzz target whose inputs the test draws.
func (t target) asTest() string {
	if name, ok := strings.CutPrefix(t.name, "Fuzz"); ok {
		return "Test" + name
	}
	return t.name
}
