package load

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// A checker parses and type-checks the packages of a list, each when its
// imports are done.
type checker struct {
	fset    *token.FileSet
	overlay map[string][]byte
	sizes   types.Sizes
	units   []*unit // in dependency order
	byID    map[string]*unit
}

// A unit is one package on its way through the checker.
type unit struct {
	listed *packages.Package
	pkg    *Package
	done   chan struct{} // closed when pkg.Types is there
	errs   []error       // of parsing and checking
}

func newChecker(fset *token.FileSet, overlay map[string][]byte, roots []*packages.Package) *checker {
	c := &checker{fset: fset, overlay: overlay, byID: make(map[string]*unit)}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if c.sizes == nil {
			c.sizes = p.TypesSizes
		}
		if c.byID[p.ID] != nil {
			return // listed twice
		}
		u := &unit{listed: p, done: make(chan struct{}), pkg: &Package{
			ID:       p.ID,
			Path:     p.PkgPath,
			Name:     p.Name,
			ForTest:  p.ForTest,
			Dir:      p.Dir,
			Standard: p.Module == nil,
		}}
		if m := p.Module; m != nil {
			u.pkg.Module = &Module{Path: m.Path, Version: m.Version, Dir: m.Dir, GoVersion: m.GoVersion, Main: m.Main}
		}
		c.units = append(c.units, u)
		c.byID[p.ID] = u
	})
	return c
}

// run checks all units, as many at once as there are processors. It fails only
// when ctx is done.
func (c *checker) run(ctx context.Context) error {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for _, u := range c.units {
		// Units come after their imports, so the oldest one in a slot never
		// waits for one that has no slot yet.
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			c.check(u)
			close(u.done)
			<-slots
		})
	}
	wg.Wait()
	return ctx.Err()
}

// check parses and type-checks u.
func (c *checker) check(u *unit) {
	if u.listed.PkgPath == "unsafe" {
		u.pkg.Types = types.Unsafe
		u.pkg.Info = new(types.Info) // so that it has an initialiser
		return
	}
	for _, file := range u.listed.GoFiles {
		var src any
		if text, ok := c.overlay[file]; ok {
			src = text
		}
		f, err := parser.ParseFile(c.fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
		u.fail(err)
		if f != nil {
			u.pkg.Files = append(u.pkg.Files, f)
		}
	}
	info := &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{
		Importer: importer{c, u},
		Error:    u.fail,
		Sizes:    c.sizes,
	}
	if m := u.listed.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	u.pkg.Info = info
	u.pkg.Types = types.NewPackage(u.listed.PkgPath, u.listed.Name)
	// Errors have gone to u.fail already.
	_ = types.NewChecker(&conf, c.fset, u.pkg.Types, info).Files(u.pkg.Files)
}

// fail notes an error; the parser's lists are taken apart.
func (u *unit) fail(err error) {
	var list scanner.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			u.errs = append(u.errs, e)
		}
	} else if err != nil {
		u.errs = append(u.errs, err)
	}
}

// An importer resolves the imports of one unit as the go command did.
type importer struct {
	c *checker
	u *unit
}

func (im importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := im.u.listed.Imports[path]
	if p == nil {
		return nil, errors.New("no such package in the list of the go command")
	}
	dep := im.c.byID[p.ID]
	<-dep.done
	if dep.pkg.Types == nil {
		return nil, errors.New("it was not checked")
	}
	// An import of a package with errors is no error of the importing one.
	return dep.pkg.Types, nil
}

// errors gathers the errors of all units.
func (c *checker) errors(dir string) error {
	var lines []string
	for _, u := range c.units {
		slices.SortStableFunc(u.errs, func(a, b error) int {
			x, y := c.position(a), c.position(b)
			return cmp.Or(strings.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
		})
		for _, err := range u.errs {
			lines = append(lines, c.line(dir, err))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	for _, u := range c.units {
		if len(u.errs) > 0 && u.listed.Module != nil {
			if err := cgoIn(u.listed); err != nil {
				return err
			}
		}
	}
	return &CompileError{Lines: lines}
}

// position returns where an error of the parser or the type checker is.
func (c *checker) position(err error) token.Position {
	switch err := err.(type) {
	case types.Error:
		return c.fset.Position(err.Pos)
	case *scanner.Error:
		return err.Pos
	}
	return token.Position{}
}

// line returns the text of an error as a compiler prints it.
func (c *checker) line(dir string, err error) string {
	msg := err.Error()
	switch err := err.(type) {
	case types.Error:
		msg = err.Msg
	case *scanner.Error:
		msg = err.Msg
	}
	return position(dir, c.position(err)) + msg
}

// result creates the SSA packages.
func (c *checker) result(roots []*packages.Package) *Result {
	r := &Result{
		Prog:  ssa.NewProgram(c.fset, ssa.InstantiateGenerics),
		Fset:  c.fset,
		Sizes: c.sizes,
	}
	for _, u := range c.units {
		u.pkg.SSA = r.Prog.CreatePackage(u.pkg.Types, u.pkg.Files, u.pkg.Info, true)
		r.All = append(r.All, u.pkg)
	}
	for _, p := range roots {
		r.Packages = append(r.Packages, c.byID[p.ID].pkg)
	}
	return r
}

// position returns "file:line:col: ", the file relative to dir when it is
// below it.
func position(dir string, pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	if abs, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(abs, pos.Filename); err == nil && filepath.IsLocal(rel) {
			pos.Filename = rel
		}
	}
	return pos.String() + ": "
}
