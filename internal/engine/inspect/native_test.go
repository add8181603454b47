package inspect_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/inspect"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// TestNative compares what a session shows of programs with what the programs print natively: before
// each statement, its line and all variables in scope. A variable that is not available is not wrong, but most
// have to be.
func TestNative(t *testing.T) {
	files, err := filepath.Glob("testdata/native/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareNative(t, string(source), false)
		})
	}
}

// TestNativeGoroot is TestNative for programs of GOROOT/test, which were not written for it.
func TestNativeGoroot(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("GOROOT has no directory test")
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		return !isSequential(file) || unlike[strings.TrimSuffix(filepath.Base(file), ".go")] != ""
	})
	for _, file := range sample.From(files, 4, 1) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareNative(t, string(source), true)
		})
	}
}

// unlike are programs of which a session shows something else than they do natively, for a reason.
var unlike = map[string]string{
	"const8":    "its statements need no code",
	"gc1":       "its variable is never used",
	"if":        "some of its statements need no code",
	"initcomma": "some of its statements need no code",
	"method7":   "the names of method values of interfaces are gc's",
	"newexpr":   "its variables are pointers to variables in registers",
	"nilptr2":   "what it computes and does not use needs no code",
	"range4":    "the names of the bodies of loops over functions are gc's",
	"recover2":  "errors of the runtime have other fields",
}

// isSequential reports whether a file of GOROOT/test is a program that runs without arguments, uses neither
// goroutines nor what depends on the implementation, and prints what it prints natively.
func isSequential(file string) bool {
	source, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(source, []byte("// run\n")) || len(source) > 20_000 {
		return false
	}
	for _, word := range []string{"go ", "unsafe", `"runtime`, "chan ", `"os`, `"reflect"`, "print(", "println(", "select ", `"C"`, "debug", "exec", "NaN", "goto "} {
		if bytes.Contains(source, []byte(word)) && word != "print(" && word != "println(" && word != "go " || word == "go " && bytes.Contains(source, []byte("\tgo ")) {
			return false
		}
	}
	return true
}

// compareNative compares a program of package main with its native run.
// If crowded is set, the program may have several statements on a line: of those that come one after another, the
// first is compared.
func compareNative(t *testing.T, source string, crowded bool) {
	want := nativeTrace(t, source)
	s := openProgram(t, source)
	got := sessionTrace(t, s, lineSet(want), len(want))
	// The package has been initialised when a session begins.
	if len(got) > 0 {
		want = want[max(0, slices.IndexFunc(want, func(l traced) bool { return l.line == got[0].line })):]
	}
	if crowded {
		same := func(a, b traced) bool { return a.line == b.line }
		got, want = slices.CompactFunc(got, same), slices.CompactFunc(want, same)
	}
	available, missing := 0, 0
	for i := range min(len(got), len(want)) {
		if got[i].line != want[i].line {
			t.Fatalf("at %d: the session is at line %d, the native run at %d\nsession: %v\nnative:  %v", i, got[i].line, want[i].line, got[max(0, i-3):i+1], want[max(0, i-3):i+1])
		}
		for name, value := range want[i].vars {
			switch shown, ok := got[i].vars[name]; {
			case !ok:
				missing++
				if testing.Verbose() {
					t.Logf("line %d: %s is not shown, and is %s", want[i].line, name, value)
				}
			case len(shown) > 60_000: // it is cut
			case shown == "(not available)":
				missing++
				if testing.Verbose() {
					t.Logf("line %d: %s is not available", want[i].line, name)
				}
			case shown != value:
				t.Errorf("line %d: %s = %s, want %s", want[i].line, name, shown, value)
			default:
				available++
			}
		}
		for name, value := range got[i].vars {
			if _, ok := want[i].vars[name]; !ok {
				t.Errorf("line %d: %s = %s is shown, and is not in scope", want[i].line, name, value)
			}
		}
	}
	if len(got) != len(want) && len(want) < maxTraced {
		t.Errorf("%d lines, the native run has %d", len(got), len(want))
	}
	t.Logf("%d points, %d values, %d not available", s.Len(), available, missing)
	if missing*50 > available+100 {
		t.Errorf("%d of %d values are not available", missing, available+missing)
	}
}

// maxTraced is a number of lines that a native run prints only if it has been cut short.
const maxTraced = 1500

// A traced is a line with the variables in scope, by their names.
type traced struct {
	line int
	vars map[string]string
}

func lineSet(list []traced) map[int]bool {
	set := make(map[int]bool)
	for _, l := range list {
		set[l.line] = true
	}
	return set
}

// nativeTrace runs a program that prints its lines and variables.
func nativeTrace(t *testing.T, source string) []traced {
	dir := t.TempDir()
	trace, err := os.ReadFile("testdata/native/trace.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": instrument(t, source), "trace.go": string(trace)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir, cmd.Stderr = dir, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var list []traced
	for line := range strings.Lines(stderr.String()) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "TRACE\t")
		if !ok {
			continue
		}
		parts := strings.Split(text, "\t")
		tr := traced{vars: make(map[string]string)}
		if _, err := fmt.Sscan(parts[0], &tr.line); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts[1:] {
			name, value, _ := strings.Cut(p, "=")
			tr.vars[name] = value
		}
		list = append(list, tr)
	}
	return list
}

// instrument makes a program print the variables in scope before each statement. Lines stay where they are.
func instrument(t *testing.T, source string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := conf.Check("main", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	type insertion struct {
		offset int
		text   string
	}
	var list []insertion
	statements := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			pos := s.Pos()
			inner := s
			if l, ok := s.(*ast.LabeledStmt); ok {
				inner = l.Stmt
			}
			switch inner.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				continue // a session comes to its line in each iteration
			case *ast.BranchStmt:
				continue // it is no point: nothing is done
			case *ast.BlockStmt, *ast.EmptyStmt:
				continue
			case *ast.DeclStmt:
				if inner.(*ast.DeclStmt).Decl.(*ast.GenDecl).Tok != token.VAR {
					continue
				}
			}
			var args strings.Builder
			seen := make(map[string]bool)
			for scope := pkg.Scope().Innermost(pos); scope != nil && scope != pkg.Scope() && scope.Parent() != pkg.Scope(); scope = scope.Parent() {
				for _, name := range scope.Names() {
					v, ok := scope.Lookup(name).(*types.Var)
					if _, found := pkg.Scope().Innermost(pos).LookupParent(name, pos); !ok || found != v || name == "_" || seen[name] {
						continue
					}
					if lit := literalAt(file, pos); lit != nil && v.Pos() < lit.Pos() && !mentions(info, lit, v) {
						continue // the function has not captured it
					}
					seen[name] = true
					fmt.Fprintf(&args, ", %q, &%s", name, name)
				}
			}
			list = append(list, insertion{fset.Position(pos).Offset, fmt.Sprintf("everywayTrace(%d%s); ", fset.Position(pos).Line, args.String())})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			statements(n.List)
		case *ast.CaseClause:
			statements(n.Body)
		case *ast.CommClause:
			statements(n.Body)
		case *ast.SwitchStmt: // whose clauses are no statements
			for _, c := range n.Body.List {
				ast.Inspect(c, func(ast.Node) bool { return false })
			}
		}
		return true
	})
	list = slices.DeleteFunc(list, func(in insertion) bool {
		rest := source[in.offset:]
		return strings.HasPrefix(rest, "case ") || strings.HasPrefix(rest, "default:")
	})
	slices.SortFunc(list, func(a, b insertion) int { return b.offset - a.offset })
	for _, in := range list {
		source = source[:in.offset] + in.text + source[in.offset:]
	}
	if _, err := format.Source([]byte(source)); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return source
}

// literalAt returns the innermost function literal, or body of a loop over a function, around a position.
func literalAt(file *ast.File, pos token.Pos) (found ast.Node) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return n != nil && n.Pos() <= pos && pos < n.End()
		}
		if lit, ok := n.(*ast.FuncLit); ok && pos > lit.Body.Pos() {
			found = lit
		}
		return true
	})
	return found
}

// mentions reports whether a function literal mentions a variable.
func mentions(info *types.Info, lit ast.Node, v *types.Var) (found bool) {
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.Uses[id] == v
		return true
	})
	return found
}

// openProgram opens a session on a run of a program.
func openProgram(t testing.TB, source string) *inspect.Session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := &schedule.Run{Header: schedule.Header{Kind: "main", Target: "main", Package: "example.com/p"}}
	prog, target, err := program.LoadRecordedNamed(t.Context(), dir, r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := inspect.Open(t.Context(), prog, target, r, inspect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// sessionTrace lists what a session shows at the lines of the source that are among lines.
func sessionTrace(t *testing.T, s *inspect.Session, lines map[int]bool, most int) (list []traced) {
	for i := 0; i < s.Len() && len(list) < most; i++ {
		p := s.Point(i)
		if p.Kind != inspect.Line {
			continue
		}
		if err := s.Goto(i); err != nil {
			t.Fatal(err)
		}
		frames := s.Frames(p.Goroutine)
		if !lines[frames[0].Line] || filepath.Base(frames[0].File) != "p.go" || strings.HasSuffix(frames[0].Func, ".init") {
			continue
		}
		tr := traced{frames[0].Line, make(map[string]string)}
		for _, v := range s.Variables(frames[0]) {
			if v.Name != "_" && !v.Shadowed {
				tr.vars[v.Name] = v.Value.Plain(3)
			}
		}
		list = append(list, tr)
	}
	return list
}
