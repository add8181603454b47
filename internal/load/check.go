package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load/block"
	"github.com/everyway-go/everyway/internal/load/substitute"
)

// A checker parses and type-checks the packages of a list, each when its
// imports are done.
type checker struct {
	dir        string // positions of errors are relative to it
	fset       *token.FileSet
	overlay    map[string][]byte
	sizes      types.Sizes
	units      []*unit       // in dependency order
	substitute bool          // Config.Substitute, if the program can have the libraries
	blocks     []block.Block // that are marked
	byID       map[string]*unit
}

// A unit is one package on its way through the checker.
type unit struct {
	listed    *packages.Package
	pkg       *Package
	library   bool          // it has types in the place of the standard library's
	lazy      bool          // bodies of its functions are held back
	marked    bool          // its blocks are to be marked
	texts     [][]byte      // of pkg.Files, unless it is lazy
	done      chan struct{} // closed when pkg.Types is there
	marks     *ast.File     // that declares what marks its blocks; nil for none
	embeds    map[*ast.File][]directive
	bodies    []*body     // that are held back
	mentions  mentions    // see unused.go
	variables []*variable // the same
	errs      []error     // of parsing and checking
	fault     *Fault      // why it does not build, if that is not because of what it imports
	blocked   bool        // something that it imports does not build
}

func newChecker(fset *token.FileSet, cfg *Config, sizes types.Sizes, overlay map[string][]byte, roots, others []*packages.Package) *checker {
	c := &checker{dir: cfg.Dir, fset: fset, overlay: overlay, sizes: sizes, substitute: cfg.Substitute, byID: make(map[string]*unit)}
	all := append(slices.Clip(roots), others...)
	if cfg.Substitute {
		packages.Visit(all, func(p *packages.Package) bool {
			// A program that has a package of its own under the path of a library cannot have the library.
			c.substitute = c.substitute &&
				!slices.ContainsFunc(substitute.Libraries, func(l substitute.Library) bool { return l.Path == p.PkgPath })
			return c.substitute
		}, nil)
	}
	packages.Visit(all, nil, func(p *packages.Package) {
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
		u.failed(listError(cfg.Dir, p))
		root := slices.Contains(roots, p)
		u.lazy = cfg.Lazy && p.Module == nil && p.ForTest == "" && !root
		u.marked = cfg.Blocks && root
		c.units = append(c.units, u)
		c.byID[p.ID] = u
		if c.substitute {
			c.addLibraries(p)
		}
	})
	c.block()
	return c
}

// run parses and checks all units, as many at once as there are processors. It fails
// only when ctx is done.
func (c *checker) run(ctx context.Context) error {
	c.each(ctx, c.parse)
	c.dropLibraries()
	for _, u := range c.units {
		if u.marked && len(u.errs) == 0 {
			c.markBlocks(u)
		}
	}
	if slices.ContainsFunc(c.units, func(u *unit) bool { return u.lazy }) {
		c.each(ctx, (*unit).findMentions)
		c.dropUnused()
	}
	place := make(map[*unit]int)
	for i, u := range c.units {
		place[u] = i
	}
	c.each(ctx, func(u *unit) {
		defer close(u.done)
		if !u.builds() {
			return
		}
		for _, dep := range u.listed.Imports {
			imported := c.byID[dep.ID]
			if at, ok := place[imported]; !ok || at >= place[u] {
				// It would be waited for without end. The imports of files that are added are none that block has seen.
				u.fault = c.cycle([]string{u.listed.PkgPath, dep.PkgPath})
				return
			}
			<-imported.done
			u.blocked = u.blocked || !imported.builds()
		}
		if !u.blocked {
			c.check(u)
			u.failed(c.wrong(u))
		}
	})
	return ctx.Err()
}

// each calls do for all units, unless ctx is done.
func (c *checker) each(ctx context.Context, do func(*unit)) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, u := range c.units {
		if ctx.Err() != nil {
			break
		}
		// Units come after their imports, so the oldest one under way never waits
		// for one that has not begun.
		g.Go(func() error {
			do(u)
			return nil
		})
	}
	_ = g.Wait() // the units have their errors
}

// parse parses the files of u.
func (c *checker) parse(u *unit) {
	if u.listed.PkgPath == "unsafe" || !u.builds() {
		return // the file of unsafe is there for its documentation
	}
	var own substitute.Package
	for _, file := range u.listed.GoFiles {
		text, ok := c.overlay[file]
		if !ok {
			var err error
			if text, err = os.ReadFile(file); err != nil {
				u.fail(err)
				continue
			}
		}
		if c.substitute && !u.pkg.Standard && !u.library { // a library that is rewritten could come to import itself
			text = own.Rewrite(text)
		}
		f, err := parser.ParseFile(c.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		u.fail(err)
		if f != nil && f.Package.IsValid() { // the parser gives up a file that has many errors
			if bytes.Contains(text, []byte(embedDirective)) {
				if u.embeds == nil {
					u.embeds = make(map[*ast.File][]directive)
				}
				u.embeds[f] = embedDirectives(f, text, c.fset.File(f.Package))
			}
			u.pkg.Files = append(u.pkg.Files, f)
			if !u.lazy {
				u.texts = append(u.texts, text)
			}
		}
	}
	for _, file := range own.Files(u.listed.Name) {
		c.addFile(u, &file)
	}
	if u.lazy {
		c.cutReplaced(u)
	}
}

// addLibraries adds the packages with types in the place of those of p, a package of the standard library.
func (c *checker) addLibraries(p *packages.Package) {
	for _, l := range substitute.Libraries {
		if l.Of != p.ID {
			continue
		}
		dir := filepath.Join(strings.TrimSuffix(p.Dir, filepath.FromSlash(p.PkgPath)), filepath.FromSlash(l.Path))
		u := &unit{done: make(chan struct{}), library: true, pkg: &Package{ID: l.Path, Path: l.Path, Name: l.Name(), Dir: dir}}
		u.listed = &packages.Package{ID: l.Path, PkgPath: l.Path, Name: l.Name(), Dir: dir, Imports: maps.Clone(p.Imports)}
		u.listed.Imports[p.PkgPath] = p
		for _, name := range l.Files {
			text, err := l.Text(name)
			u.fail(err)
			file := filepath.Join(dir, name)
			c.overlay[file] = text
			u.listed.GoFiles = append(u.listed.GoFiles, file)
		}
		c.units = append(c.units, u)
		c.byID[l.Path] = u
	}
}

// dropLibraries leaves out the packages with types in the place of the standard library's that the
// program does not use.
func (c *checker) dropLibraries() {
	used := make(map[string]bool)
	for _, u := range c.units {
		for path := range u.listed.Imports {
			used[path] = true
		}
	}
	c.units = slices.DeleteFunc(c.units, func(u *unit) bool { return u.library && !used[u.pkg.Path] })
}

// addFile adds a file to a package that declares what its other files use in the place of the standard library's.
func (c *checker) addFile(u *unit, file *substitute.File) {
	listed := *u.listed
	listed.Imports = maps.Clone(listed.Imports)
	for _, path := range file.Imports {
		listed.Imports[path] = c.byID[path].listed
	}
	u.listed = &listed
	f, err := parser.ParseFile(c.fset, filepath.Join(u.pkg.Dir, file.Name), file.Text, parser.SkipObjectResolution)
	u.fail(err)
	u.pkg.Files, u.texts = append(u.pkg.Files, f), append(u.texts, file.Text)
}

// markBlocks marks the blocks of the files of a package, but for its tests.
func (c *checker) markBlocks(u *unit) {
	first := len(c.blocks)
	for i, f := range u.pkg.Files {
		if file := c.fset.File(f.Package); !strings.HasSuffix(file.Name(), "_test.go") {
			c.blocks = block.Mark(f, file, u.texts[i], u.pkg.Path+"/"+filepath.Base(file.Name()), c.blocks)
		}
	}
	if len(c.blocks) > first {
		var err error
		u.marks, err = block.Declare(c.fset, filepath.Join(u.pkg.Dir, "zz_everyway_blocks.go"), u.pkg.Name, first, len(c.blocks))
		u.fail(err)
	}
}

// files returns the files of a package, and the one that declares what marks its blocks.
func (u *unit) files() []*ast.File {
	if u.marks == nil {
		return u.pkg.Files
	}
	return append(slices.Clip(u.pkg.Files), u.marks)
}

// check type-checks u.
func (c *checker) check(u *unit) {
	if u.listed.PkgPath == "unsafe" {
		u.pkg.Types = types.Unsafe
		u.pkg.Info = new(types.Info) // so that it has an initialiser
		return
	}
	report := u.fail
	if u.lazy {
		u.holdBack()
		report = func(err error) {
			// What uses an import may be held back.
			if e, ok := err.(types.Error); !ok || !e.Soft {
				u.fail(err)
			}
		}
	}
	for _, f := range u.pkg.Files {
		if directives := u.embeds[f]; len(directives) > 0 {
			(&embedder{c, u, f}).embed(directives)
		}
	}
	conf := c.config(u, report)
	if slices.ContainsFunc(u.pkg.Files, usesCgo) {
		// What is in C has no type, so that errors are for the go command to find.
		conf.FakeImportC, conf.IgnoreFuncBodies, conf.Error = true, true, func(error) {}
	}
	u.pkg.Info = newInfo()
	u.pkg.Types = types.NewPackage(u.listed.PkgPath, u.listed.Name)
	// Errors have been reported already.
	_ = types.NewChecker(&conf, c.fset, u.pkg.Types, u.pkg.Info).Files(u.files())
	if c.substitute && !u.pkg.Standard {
		if at, name := substitute.Shadowed(u.pkg.Info); name != "" {
			u.fail(types.Error{
				Fset: c.fset, Pos: at,
				Msg: "what is embedded as " + name + " cannot have another type, since it hides something else",
			})
		}
		for _, f := range u.pkg.Files {
			if !substitute.IsFile(c.fset.File(f.Package).Name()) {
				continue
			}
			if name := substitute.Hidden(f, u.pkg.Info); name != "" {
				u.fail(types.Error{Fset: c.fset, Pos: f.Package, Msg: "a file that is added has something else by the name of " + name})
			}
		}
	}
}

// defaultGoVersion is the language version of modules whose go.mod names none, or that
// have none, as the go command has it (cmd/go/internal/gover.DefaultGoModVersion).
const defaultGoVersion = "1.16"

// config says how files of u are checked.
func (c *checker) config(u *unit, report func(error)) types.Config {
	conf := types.Config{
		Importer: importer{c, u},
		Error:    report,
		Sizes:    c.sizes,
	}
	if m := u.listed.Module; m != nil {
		conf.GoVersion = "go" + cmp.Or(m.GoVersion, defaultGoVersion)
	}
	return conf
}

// newInfo returns an Info with all that go/ssa asks for.
func newInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
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
	return im.c.byID[p.ID].pkg.Types, nil // it was checked before
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

// result creates the SSA packages. If names is set, they are built in debug mode.
func (c *checker) result(roots []*packages.Package, names bool) *Result {
	mode := ssa.InstantiateGenerics
	if names {
		mode |= ssa.GlobalDebug
	}
	r := &Result{
		Prog:  ssa.NewProgram(c.fset, mode),
		Fset:  c.fset,
		Sizes: c.sizes,
	}
	r.of = make(map[*ssa.Package]*Package)
	r.Bodies = &Bodies{c: c, prog: r.Prog, of: make(map[*types.Func]*body)}
	for _, u := range c.units {
		if !u.builds() {
			continue
		}
		u.pkg.SSA = r.Prog.CreatePackage(u.pkg.Types, u.files(), u.pkg.Info, true)
		r.All = append(r.All, u.pkg)
		if slices.ContainsFunc(u.pkg.Files, usesCgo) {
			r.Cgo = append(r.Cgo, u.pkg)
		}
		r.of[u.pkg.SSA] = u.pkg
		for _, b := range u.bodies {
			r.Bodies.of[u.pkg.Info.Defs[b.decl.Name].(*types.Func)] = b
		}
	}
	for _, p := range roots {
		r.Packages = append(r.Packages, c.byID[p.ID].pkg)
	}
	r.Blocks = c.blocks
	r.Sources = newSources(c.fset, c.overlay, c.units)
	return r
}

// usesCgo reports whether a file uses cgo.
func usesCgo(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
}

// position returns "file:line:col: ", the file relative to dir when that is shorter, as the
// go command has it.
func position(dir string, pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	if abs, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(abs, pos.Filename); err == nil && len(rel) < len(pos.Filename) {
			pos.Filename = rel
		}
	}
	return pos.String() + ": "
}
