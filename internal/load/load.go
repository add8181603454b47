package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load/block"
	"github.com/everyway-go/everyway/internal/load/golist"
)

// A Config says what to load.
type Config struct {
	Dir      string            // directory in which the go command runs; "" is the current one
	Patterns []string          // as for `go test`; none means "."
	Tags     []string          // build tags
	Flags    []string          // other build flags for the go command, such as -mod=mod, in the place of those of GOFLAGS
	Tests    bool              // load the test files of the named packages too
	Also     []string          // import paths of packages to load beside the roots and what they import
	Overlay  map[string][]byte // file contents by absolute path, in the place of those on disk
	// Library has the source of the standard library where it is not GOROOT's; its
	// files come before those of Overlay. It needs Toolchain.
	Library   Library
	Toolchain *Toolchain
	Env       []string // environment of the go command; nil is the process's
	// Lazy leaves out the bodies of functions of the standard library, but for those
	// of the roots: they are to be had from Result.Bodies. Variables there that nothing
	// in the program mentions are not initialised.
	Lazy bool
	// Names keeps what the source says of variables in the code: see code.References, which are to be
	// taken out of it.
	Names bool
	// Blocks marks the blocks of statements of the roots, but for their tests.
	Blocks bool
	// Substitute has the program use functions of its own in the place of some of the standard
	// library: see package substitute.
	Substitute bool
	// replaced has the texts of files that the flag -overlay replaces, by absolute path.
	replaced map[string][]byte
	// Partial loads the packages that build where others do not: see Result.Broken.
	Partial bool
	// Cgo loads files that use cgo, too, which is not done for packages of the standard library. Of
	// what they name in C nothing is known, so that nothing of the program can be run if there are
	// any: see Result.Cgo.
	Cgo bool
	// Listing is what List has found for this configuration; nil to ask the go command now.
	Listing *golist.Listing
}

// A Result is a loaded program.
type Result struct {
	Prog     *ssa.Program
	Fset     *token.FileSet
	Sizes    types.Sizes
	Packages []*Package // the roots, in order of import path; see Load
	Broken   []Broken   // what Config.Partial has left out
	Cgo      []*Package // those that use cgo, which Config.Cgo has loaded
	All      []*Package // with all dependencies, each after what it imports
	Bodies   *Bodies    // what Config.Lazy has left out
	Sources  *Sources
	Blocks   []block.Block // what Config.Blocks has marked, by their numbers

	of      map[*ssa.Package]*Package
	godebug godebug
}

// A Package is one package of a program, from source.
type Package struct {
	ID       string // unique: the import path, with "[p.test]" for a variant built for the tests of p
	Path     string // import path
	Name     string
	ForTest  string // import path of the package under test, for test variants
	Dir      string
	Files    []*ast.File
	Info     *types.Info
	Types    *types.Package
	SSA      *ssa.Package
	Module   *Module // nil for the standard library
	Standard bool    // of GOROOT, models included
}

// A Module is the module of a package.
type Module struct {
	Path      string
	Version   string
	Dir       string
	GoVersion string // of its go directive, as "1.26"
	Main      bool
}

// Load loads the packages that the patterns name, with all dependencies.
//
// With Tests, a package that has test files is loaded once, in the variant
// with its internal tests, and its external test package, if it has one, is a
// root of its own.
//
// The error is a [*CompileError], [*CgoError] or [*NotFoundError] when the
// packages are at fault; with Partial there is none for that.
func Load(ctx context.Context, cfg Config) (*Result, error) {
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if file := overlayFile(cfg.Flags); file != "" {
		var err error
		if cfg.replaced, err = readOverlay(cfg.Dir, file); err != nil {
			return nil, err
		}
	}
	l := &lister{ctx: ctx, cfg: &cfg, fset: token.NewFileSet()}
	roots, others, err := l.list(patterns)
	if err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, &NotFoundError{Pattern: strings.Join(patterns, " "), Reason: "matched no packages"}
	}
	c := newChecker(l.fset, &cfg, l.sizes, l.overlay, roots, others)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	if _, broken := c.broken(others); len(broken) > 0 {
		err := joinBroken(broken)
		if t := cfg.Toolchain; t != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			err = fmt.Errorf("the models of the standard library do not build for %s/%s: set GOOS=linux and GOARCH=amd64 (%s)", t.GOOS, t.GOARCH, first)
		}
		return nil, err
	}
	builds, broken := c.broken(roots)
	if len(broken) > 0 && !cfg.Partial {
		return nil, joinBroken(broken)
	}
	r := c.result(builds, cfg.Names)
	r.Broken, r.godebug = broken, l.godebug
	return r, nil
}

// Package returns the package of p's program that a package under test would
// import as path, nil when there is none. A variant that was built for tests
// is preferred.
func (r *Result) Package(path string) *Package {
	var found *Package
	for _, p := range r.All {
		if p.Path == path && (found == nil || p.ForTest == path) {
			found = p
		}
	}
	return found
}

// Godebug returns the settings of $GODEBUG, other than the defaults of the toolchain, that
// the program has which runs t.
func (r *Result) Godebug(t *Target) map[string]string {
	if t.Kind == TargetMain {
		return r.godebug.of(t.Package.Path, true)
	}
	return r.godebug.of(t.Package.Binary(), false)
}

// CgoOf returns the import paths of the packages of r.Cgo that p is or imports, directly or not, in their order.
func (r *Result) CgoOf(p *Package) []string {
	if len(r.Cgo) == 0 {
		return nil
	}
	imported := map[*types.Package]bool{}
	for work := []*types.Package{p.Types}; len(work) > 0; {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		if !imported[q] {
			imported[q] = true
			work = append(work, q.Imports()...)
		}
	}
	var list []string
	for _, q := range r.Cgo {
		if imported[q.Types] {
			list = append(list, q.Path)
		}
	}
	slices.Sort(list)
	return list
}

// Of returns the package whose SSA is p, nil when there is none.
func (r *Result) Of(p *ssa.Package) *Package { return r.of[p] }

// Standard reports whether p is a package of the standard library.
func (r *Result) Standard(p *ssa.Package) bool {
	of := r.of[p]
	return of != nil && of.Standard
}

// Own reports whether p is a package of the main module, or of one of them in a workspace.
func (r *Result) Own(p *ssa.Package) bool {
	of := r.of[p]
	return of != nil && of.Module != nil && of.Module.Main
}
