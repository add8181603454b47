package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/schedule"
)

// A Target is a function that can be run.
type Target struct {
	Kind    TargetKind
	Name    string // TestX, FuzzX, ExampleX, BenchmarkX, main; F, T.M or (*T).M for TargetFunc; TestX+TestY for TargetParallel; the places of TargetContext
	Package *Package
	Func    *ssa.Function // nil for TargetParallel
	Example *doc.Example  // of examples: the expected output
	Tests   []Target      // for TargetParallel: the tests, in the order in which go test starts them
	Context *Context      // for TargetContext: Func is the function in which the first goroutine begins
	Globals []*ssa.Global // for TargetFunc: the package variables that are inputs, too
}

// A TargetKind says how a target is run.
type TargetKind uint8

// The kinds of targets.
const (
	TargetTest TargetKind = iota
	TargetFuzz
	TargetExample
	TargetBenchmark
	TargetMain
	TargetFunc     // any function or method: its parameters are the input
	TargetParallel // several tests of a test binary that call T.Parallel, together
	TargetContext  // goroutines that begin in the middle of functions: see Context
)

// A Context is where goroutines of a program begin.
type Context struct {
	*fragment.Context
	Places string   // as run files name them: with a column, if that is needed, and the calls that have led there
	Within []Target // targets of one test binary, in whose runs the goroutines are there
	// Dumped says that the goroutines are those of a dump, and Shows what was wrong with these, if
	// that is known: so far only its kind and lines. Locks says that it is about goroutines that
	// wait for locks.
	Dumped bool
	Shows  *schedule.Finding
	Locks  bool
	// Leading are those of Within that call a function in which a goroutine begins, the nearest first.
	Leading []*Target
}

var targetKinds = [...]string{"test", "fuzz test", "example", "benchmark", "main", "function", "parallel tests", "context"}

func (k TargetKind) String() string { return targetKinds[k] }

// Targets returns what `go test` and `go run` would run in the roots, in the
// order of the packages and then of the source. Examples without an output
// comment are not run.
func (r *Result) Targets() []Target {
	var list []Target
	for _, p := range r.Packages {
		var testFiles []*ast.File
		for _, f := range p.Files {
			if r.isTestFile(f) {
				testFiles = append(testFiles, f)
			}
		}
		examples := doc.Examples(testFiles...)
		for _, f := range p.Files {
			for _, d := range f.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Recv != nil {
					continue
				}
				t := Target{Name: fd.Name.Name, Package: p}
				obj, _ := p.Info.Defs[fd.Name].(*types.Func)
				if obj == nil || !t.classify(obj, r.isTestFile(f), examples) {
					continue
				}
				t.Func = r.Prog.FuncValue(obj)
				list = append(list, t)
			}
		}
	}
	return list
}

func (r *Result) isTestFile(f *ast.File) bool {
	return strings.HasSuffix(r.Fset.Position(f.Package).Filename, "_test.go")
}

// classify sets the kind of t, the function obj, and says whether it is a target.
func (t *Target) classify(obj *types.Func, test bool, examples []*doc.Example) bool {
	sig := obj.Signature()
	switch {
	case sig.TypeParams().Len() > 0 || sig.Results().Len() > 0:
		return false
	case !test:
		t.Kind = TargetMain
		return t.Name == "main" && obj.Pkg().Name() == "main"
	case takes(sig, "T"):
		t.Kind = TargetTest
		return isTestName(t.Name, "Test")
	case takes(sig, "F"):
		t.Kind = TargetFuzz
		return isTestName(t.Name, "Fuzz")
	case takes(sig, "B"):
		t.Kind = TargetBenchmark
		return isTestName(t.Name, "Benchmark")
	case sig.Params().Len() == 0 && isTestName(t.Name, "Example"):
		t.Kind = TargetExample
		i := slices.IndexFunc(examples, func(e *doc.Example) bool { return "Example"+e.Name == t.Name })
		if i >= 0 {
			t.Example = examples[i]
		}
		return i >= 0 && (t.Example.Output != "" || t.Example.EmptyOutput)
	}
	return false
}

// takes says whether sig's only parameter is a *testing.name.
func takes(sig *types.Signature, name string) bool {
	if sig.Params().Len() != 1 {
		return false
	}
	ptr, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}

// isTestName says whether name is prefix followed by nothing or by a letter
// that is not lower case, as the go command wants it.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// RecordedName returns the name of a target in run files.
func (t *Target) RecordedName() string {
	if t.Context != nil {
		return t.Context.Places
	}
	return t.Name
}

// Binary returns the import path of the package for whose tests go test builds the binary
// that p is in: p itself, or the package whose external tests p has.
func (p *Package) Binary() string { return cmp.Or(p.ForTest, p.Path) }

// TestMain returns the TestMain function of the tests of p, nil when there is
// none: p's own or, for the two packages of one test binary, the other's.
func (r *Result) TestMain(p *Package) *ssa.Function {
	for _, q := range r.Packages {
		if q.ForTest != p.ForTest || q.ForTest == "" {
			continue
		}
		if fn := q.SSA.Func("TestMain"); fn != nil && takes(fn.Signature, "M") {
			return fn
		}
	}
	return nil
}

// Funcs returns the functions and methods of the roots called name, in
// the order of the packages: F, T.M or (*T).M. A method may be named with or
// without the star, and its type or the function may have the import path or
// name of its package before it, as in "pkg.F".
func (r *Result) Funcs(name string) ([]Target, error) {
	var list []Target
	for _, p := range r.Packages {
		local := name
		for _, prefix := range []string{p.Path + ".", p.Name + "."} {
			if rest, ok := strings.CutPrefix(local, prefix); ok {
				local = rest
				break
			}
		}
		obj := p.lookup(local)
		if obj == nil && local != name {
			obj = p.lookup(name) // T.M where T is also the name of the package
		}
		if obj == nil {
			continue
		}
		if obj.Signature().TypeParams().Len() > 0 || obj.Signature().RecvTypeParams().Len() > 0 {
			return nil, fmt.Errorf("%s is generic: name a function that instantiates it", name)
		}
		list = append(list, Target{Kind: TargetFunc, Name: funcName(obj), Package: p, Func: r.Prog.FuncValue(obj)})
	}
	if len(list) == 0 {
		var paths []string
		for _, p := range r.Packages {
			paths = append(paths, p.Path)
		}
		return nil, fmt.Errorf("no function or method %s in %s", name, strings.Join(slices.Compact(paths), ", "))
	}
	return list, nil
}

// lookup returns the function F or method T.M or (*T).M of p.
func (p *Package) lookup(name string) *types.Func {
	recv, method, ok := strings.Cut(name, ".")
	if !ok {
		fn, _ := p.Types.Scope().Lookup(name).(*types.Func)
		return fn
	}
	recv = strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(recv, "("), ")"), "*")
	tn, _ := p.Types.Scope().Lookup(recv).(*types.TypeName)
	if tn == nil {
		return nil
	}
	named, _ := types.Unalias(tn.Type()).(*types.Named)
	if named == nil {
		return nil
	}
	for m := range named.Methods() {
		if m.Name() == method {
			return m
		}
	}
	return nil
}

// funcName returns F, T.M or (*T).M.
func funcName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := types.Unalias(recv.Type())
	if ptr, ok := t.(*types.Pointer); ok {
		return "(*" + types.Unalias(ptr.Elem()).(*types.Named).Obj().Name() + ")." + fn.Name()
	}
	return t.(*types.Named).Obj().Name() + "." + fn.Name()
}
