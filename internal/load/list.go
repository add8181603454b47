package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"

	"github.com/everyway-go/everyway/internal/load/golist"
)

// buildTags choose portable code where packages have assembly besides, as those of GOROOT do with
// purego and many others with noasm, or where they need package unsafe only to print what is not
// exported.
var buildTags = []string{"purego", "noasm", "math_big_pure_go", "disableunsafe"}

// runtimePath is the package that every program has, imported or not.
const runtimePath = "runtime"

// mode asks the go command for the list only: parsing and checking is done
// here, so that the generated test main packages can be left out.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedEmbedFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedForTest

// A lister finds out which packages a program consists of.
type lister struct {
	ctx  context.Context
	cfg  *Config
	fset *token.FileSet

	// Of the packages listed last: the files that are not those on disk, and sizes.
	overlay map[string][]byte
	sizes   types.Sizes

	godebug godebug // of the programs that are listed
}

// list returns the packages that the patterns name, and those that every program has.
func (l *lister) list(patterns []string) (roots, others []*packages.Package, err error) {
	if l.cfg.Library == nil {
		return l.listAll(patterns, l.cfg.Overlay, true)
	}
	library := newLibrary(l.cfg)
	var g errgroup.Group
	g.Go(func() error {
		var failed error
		for _, path := range append([]string{runtimePath}, l.cfg.Also...) {
			p, err := library.list(path)
			others, failed = append(others, p), cmp.Or(failed, err)
		}
		return failed
	})
	listed, err := l.listRoots(patterns)
	if err := cmp.Or(g.Wait(), err); err != nil {
		return nil, nil, err
	}
	roots = chooseRoots(listed)
	for name := range l.cfg.replaced {
		if inside, err := filepath.Rel(l.cfg.Toolchain.GOROOT, name); err == nil && filepath.IsLocal(inside) {
			return nil, nil, fmt.Errorf("-overlay replaces %s: files of the standard library cannot be replaced, since parts of it are models", name)
		}
	}
	if slices.ContainsFunc(roots, library.has) {
		if len(l.cfg.replaced) > 0 {
			return nil, nil, errors.New("-overlay cannot be combined with packages of the standard library")
		}
		if l.cfg.Cgo {
			l.cfg.Cgo = false
			return l.list(patterns)
		}
		// What is to be searched is in GOROOT: its tests are the go command's business.
		overlay, err := l.cfg.Library.Overlay(l.cfg.Toolchain.GOROOT)
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(overlay, l.cfg.Overlay)
		return l.listAll(patterns, overlay, false)
	}
	if err := library.replace(roots); err != nil {
		return nil, nil, err
	}
	l.overlay = library.overlay
	maps.Copy(l.overlay, l.cfg.replaced)
	maps.Copy(l.overlay, l.cfg.Overlay)
	l.sizes = types.SizesFor(l.cfg.Toolchain.Compiler, l.cfg.Toolchain.GOARCH)
	return roots, others, nil
}

// errUnlisted says that the packages cannot be told apart by listing them.
var errUnlisted = errors.New("the files of the packages are not those that the go command lists")

// List asks the go command for the packages of a configuration.
func (cfg Config) List(ctx context.Context) (*golist.Listing, error) {
	if len(cfg.Overlay) > 0 || os.Getenv("GOPACKAGESDRIVER") != "" {
		return nil, errUnlisted
	}
	return golist.List(ctx, golist.Query{
		Dir: cfg.Dir, Env: environment(&cfg), Flags: buildFlags(&cfg), Tests: cfg.Tests, Patterns: cfg.Patterns,
	})
}

// Binaries returns the test binaries that a listing of the configuration has, all of whose sources it
// knows: none if it is nil.
func (cfg Config) Binaries(listing *golist.Listing) ([]golist.Binary, error) {
	if listing == nil || overlayFile(cfg.Flags) != "" {
		return nil, errUnlisted
	}
	return listing.Binaries()
}

// listRoots lists the packages that patterns name: by one command if nothing is wrong with any
// of them, and there is nothing that the go command does not know.
func (l *lister) listRoots(patterns []string) ([]*packages.Package, error) {
	listing := l.cfg.Listing
	if len(l.cfg.Overlay) > 0 {
		listing = nil // it was made without the files of the overlay
	}
	if listing == nil && !slices.ContainsFunc(patterns, isQuery) {
		cfg := *l.cfg
		cfg.Patterns = patterns
		listing, _ = cfg.List(l.ctx) // go/packages says what is wrong
	}
	if roots := listing.Graph(); len(roots) > 0 {
		l.godebug = listing.Godebug()
		return roots, nil
	}
	var g errgroup.Group
	g.Go(func() error { return l.findGodebug(patterns) })
	roots, err := l.ask(mode, l.cfg.Tests, l.cfg.Overlay, patterns...)
	return roots, cmp.Or(err, g.Wait())
}

// isQuery reports whether a pattern may be one that go/packages knows beside those of the
// go command.
func isQuery(pattern string) bool { return strings.Contains(pattern, "=") }

// findGodebug asks the go command for the GODEBUG settings of what patterns name.
func (l *lister) findGodebug(patterns []string) (err error) {
	flags := buildFlags(l.cfg)
	if l.cfg.Tests {
		flags = append(flags, "-test")
	}
	l.godebug, err = listGodebug(l.ctx, l.cfg.Dir, environment(l.cfg), flags, patterns)
	return err
}

// listAll has the go command list all packages, seen through an overlay. GODEBUG settings are
// found if they are wanted.
func (l *lister) listAll(patterns []string, overlay map[string][]byte, godebug bool) (roots, others []*packages.Package, err error) {
	// Patterns may be files, with which packages cannot be named.
	var g errgroup.Group
	if godebug {
		g.Go(func() error { return l.findGodebug(patterns) })
	}
	g.Go(func() (err error) {
		others, err = l.ask(mode, false, overlay, append([]string{runtimePath}, l.cfg.Also...)...)
		return err
	})
	listed, err := l.ask(mode|packages.NeedTypesSizes, l.cfg.Tests, overlay, patterns...)
	if err := cmp.Or(err, g.Wait()); err != nil {
		return nil, nil, err
	}
	l.overlay = overlay
	if len(listed) > 0 {
		l.sizes = listed[0].TypesSizes
	}
	return chooseRoots(listed), others, nil
}

// ask asks the go command for packages.
func (l *lister) ask(mode packages.LoadMode, tests bool, overlay map[string][]byte, patterns ...string) ([]*packages.Package, error) {
	listed, err := packages.Load(&packages.Config{
		Mode:       mode,
		Context:    l.ctx,
		Dir:        l.cfg.Dir,
		Env:        environment(l.cfg),
		BuildFlags: buildFlags(l.cfg),
		Fset:       l.fset,
		Tests:      tests,
		Overlay:    overlay,
	}, patterns...)
	if l.ctx.Err() != nil {
		return nil, fmt.Errorf("listing packages: %w", l.ctx.Err()) // err tells only of a killed command
	}
	if err != nil {
		if _, said, ok := strings.Cut(err.Error(), ": stderr: "); ok { // by the go command
			err = errors.New(strings.TrimSpace(said))
		}
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	return listed, nil
}

// environment returns the environment of the go command. It has no flags, since go/packages
// runs commands, too, that do not take all of them. A variable that is empty would be one that
// is not set.
func environment(cfg *Config) []string {
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(slices.Clip(env), "GOFLAGS=-tags=")
	if cfg.Cgo {
		return env
	}
	return append(env, "CGO_ENABLED=0")
}

// buildFlags returns the build flags of the go command.
func buildFlags(cfg *Config) []string {
	return append(slices.Clip(cfg.Flags), "-tags="+strings.Join(append(slices.Clip(buildTags), cfg.Tags...), ","))
}

// chooseRoots drops generated test main packages, and packages that are also
// there in the variant for their own tests, and sorts the rest by ID.
func chooseRoots(listed []*packages.Package) []*packages.Package {
	tested := make(map[string]bool)
	for _, p := range listed {
		if p.ForTest != "" && p.PkgPath == p.ForTest {
			tested[p.PkgPath] = true
		}
	}
	var roots []*packages.Package
	for _, p := range listed {
		switch {
		case strings.HasSuffix(p.ID, ".test") && p.Name == "main" && p.ForTest == "":
			// Generated by go test: its files are not in the list.
		case p.ForTest == "" && tested[p.PkgPath]:
		default:
			roots = append(roots, p)
		}
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(roots, func(a, b *packages.Package) bool { return a.ID == b.ID })
}
