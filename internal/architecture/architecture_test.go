package architecture

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const (
	module = "github.com/everyway-go/everyway/"
	tools  = "golang.org/x/tools/"

	// maxLines is the most lines of code that the files of a package may have, tests excluded.
	// Comments do not count, so that nobody saves on them.
	maxLines = 5000
	// maxCycle is the most files of a package that may refer to each other in a circle.
	maxCycle = 11
)

// sources returns the packages of the module with their syntax and types, without tests.
var sources = sync.OnceValues(func() ([]*packages.Package, error) {
	return load(packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports)
})

// imports returns the packages of the module with all that they import.
var imports = sync.OnceValues(func() ([]*packages.Package, error) {
	return load(packages.NeedImports | packages.NeedDeps)
})

func load(mode packages.LoadMode) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.NeedName | mode}, module+"...")
}

func loaded(t *testing.T, load func() ([]*packages.Package, error)) []*packages.Package {
	t.Helper()
	pkgs, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
	}
	return pkgs
}

// TestSize bounds the packages.
func TestSize(t *testing.T) {
	for _, p := range loaded(t, sources) {
		lines := 0
		for _, f := range p.Syntax {
			n, err := codeLines(p.Fset.File(f.Pos()).Name())
			if err != nil {
				t.Fatal(err)
			}
			lines += n
		}
		if lines > maxLines {
			t.Errorf("%s has %d lines of code, more than %d: split it", p.PkgPath, lines, maxLines)
		}
	}
}

// codeLines returns on how many lines of a file a token begins that is no comment.
func codeLines(name string) (lines int, err error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	file := token.NewFileSet().AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	last := 0
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return lines, nil
		}
		if line := file.Line(pos); line != last {
			last = line
			lines++
		}
	}
}

// TestCycles bounds the sets of files in a package that refer to each other in a circle, by
// whatever one declares and another uses.
func TestCycles(t *testing.T) {
	for _, p := range loaded(t, sources) {
		if p.PkgPath == module+"internal/vm/exec" {
			continue // the dispatch loop and what instructions do are one thing
		}
		if files := largestCycle(references(p)); len(files) > maxCycle {
			t.Errorf("%s: %d files refer to each other in a circle, more than %d: %s", p.PkgPath, len(files), maxCycle, strings.Join(files, " "))
		}
	}
}

// references returns, for each file of a package, the others that declare what it uses.
func references(p *packages.Package) map[string]map[string]bool {
	refs := make(map[string]map[string]bool)
	for _, f := range p.Syntax {
		from := p.Fset.File(f.Pos()).Name()
		refs[from] = make(map[string]bool)
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := origin(p.TypesInfo.Uses[id])
			if obj == nil || obj.Pkg() != p.Types {
				return true
			}
			if to := p.Fset.File(obj.Pos()); to != nil && to.Name() != from {
				refs[from][to.Name()] = true
			}
			return true
		})
	}
	return refs
}

// origin returns the declared function or variable of which obj is an instance.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// largestCycle returns the base names of the largest strongly connected set of files (Tarjan,
// Depth-first search and linear graph algorithms, SIAM J. Comput. 1972).
func largestCycle(refs map[string]map[string]bool) []string {
	var (
		largest, stack []string
		number, low    = make(map[string]int), make(map[string]int)
		onStack        = make(map[string]bool)
		visit          func(file string)
	)
	visit = func(file string) {
		number[file] = len(number) + 1
		low[file] = number[file]
		stack = append(stack, file)
		onStack[file] = true
		for _, to := range slices.Sorted(maps.Keys(refs[file])) {
			if number[to] == 0 {
				visit(to)
				low[file] = min(low[file], low[to])
			} else if onStack[to] {
				low[file] = min(low[file], number[to])
			}
		}
		if low[file] < number[file] {
			return
		}
		i := slices.Index(stack, file)
		if len(stack)-i > len(largest) {
			largest = nil
			for _, f := range stack[i:] {
				largest = append(largest, filepath.Base(f))
			}
		}
		for _, f := range stack[i:] {
			onStack[f] = false
		}
		stack = stack[:i]
	}
	for _, file := range slices.Sorted(maps.Keys(refs)) {
		if number[file] == 0 {
			visit(file)
		}
	}
	return largest
}

// TestDependencies checks what packages must not depend on, directly or not.
func TestDependencies(t *testing.T) {
	for _, rule := range []struct {
		of    string // packages: an import path in the module, or all below it with a slash at the end
		never string // likewise, or from elsewhere
		why   string
	}{
		{"internal/strategy/", module + "internal/vm/", "a strategy knows traces, not machines"},
		{"internal/strategy/", tools, "a strategy knows no source"},
		{"internal/check/", module + "internal/vm/", "a detector judges a trace"},
		{"internal/check/", tools, "a detector judges a trace"},
		{"internal/report/", module + "internal/vm/", "a report shows what a search has found"},
		{"internal/narrative/", module + "internal/vm/", "what is told of a run is in the run"},
		{"internal/narrative/", tools, "what is told of a run is in the run"},
		{"internal/report/", tools, "a report shows what a search has found"},
		{"internal/analysis/", module + "internal/vm/", "a schedule is analysed without its program"},
		{"internal/analysis/", tools, "a schedule is analysed without its program"},
		{"internal/static/", module + "internal/vm/state/", "static analysis runs nothing"},
		{"internal/static/", module + "internal/engine/", "the engine asks the analysis, not the other way round"},
		{"internal/static/callgraph/", module + "internal/static/control/", "what calls what comes before how"},
		{"internal/static/pointsto/", module + "internal/static/control/", "what pointers point to does not depend on the order of instructions"},
		{"internal/run/", module + "internal/solve/", "run is data"},
		{"internal/run/", module + "internal/code/", "run is data"},
		{"internal/expr/", module + "internal/run/", "expressions are the ground floor"},
		{"internal/vm/", module + "internal/strategy/", "the machine carries out plans, whoever makes them"},
		{"internal/vm/", module + "internal/solve/", "the machine asks no solver"},
		{"internal/vm/heap/", module + "internal/vm/state/", "memory knows no goroutines"},
		{"internal/vm/race/", module + "internal/vm/heap/", "happens-before knows no memory"},
		{"internal/vm/symbolic/", module + "internal/vm/state/", "arithmetic knows no run"},
		{"internal/vm/state/", module + "internal/vm/sched/", "the state of a run is below scheduling"},
		{"internal/vm/sched/", module + "internal/vm/exec/", "scheduling has code executed through an interface"},
		{"internal/vm/sched/", module + "internal/vm/value/", "scheduling does not look at values of the program"},
		{"internal/vm/value/", module + "internal/vm/exec/", "operations on values do not move a goroutine on"},
		{"internal/vm/exec/", module + "internal/vm/prim/", "the loop knows primitives by a table"},
		{"sym/", module + "internal/", "tests that import sym get nothing else"},
		{"schedule/", module + "internal/", "the format is for everybody"},
	} {
		for _, p := range loaded(t, imports) {
			if !below(p.PkgPath, module+rule.of) {
				continue
			}
			if path := pathTo(p, rule.never, map[string]bool{}); path != nil {
				t.Errorf("%s: %s", strings.Join(path, " imports "), rule.why)
			}
		}
	}
}

// below reports whether a package is at the path, which ends with a slash, or below it.
func below(pkg, path string) bool { return strings.HasPrefix(pkg+"/", path) }

// pathTo returns the chain of imports that leads from p to a package below path, nil when
// there is none.
func pathTo(p *packages.Package, path string, seen map[string]bool) []string {
	if seen[p.PkgPath] {
		return nil
	}
	seen[p.PkgPath] = true
	for _, name := range slices.Sorted(maps.Keys(p.Imports)) {
		if imp := p.Imports[name]; below(imp.PkgPath, path) {
			return []string{p.PkgPath, imp.PkgPath}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Imports)) {
		if rest := pathTo(p.Imports[name], path, seen); rest != nil {
			return append([]string{p.PkgPath}, rest...)
		}
	}
	return nil
}
