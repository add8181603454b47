package linearity

import (
	"context"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
)

// A Config says what is tested.
type Config struct {
	Dir     string   // in which the go command runs
	Package string   // a pattern that names one package
	Flags   []string // for the go command
	Type    string
	Options linear.Options
	Bounds  []linear.Bound // in the order in which they are searched
	Blocks  bool           // mark the blocks of statements of the package
}

// Tests are tests of a type, loaded with its package.
type Tests struct {
	Subject *linear.Subject
	Program *program.Program
	Bounds  []linear.Bound
	cfg     load.Config
	dir     string // of the package
	alone   *load.Target
	targets []load.Target // by bound
}

// aloneCalls is the number of calls for which it is searched whether they are deterministic if they are made alone.
const aloneCalls = 3

// Load makes the tests of a type and loads them. The error is the user's fault, unless the context has ended.
func Load(ctx context.Context, cfg Config) (*Tests, error) {
	found, err := program.LoadConfig(ctx, cfg.Dir, []string{cfg.Package}, cfg.Flags, cfg.Options.Model != "")
	if err != nil {
		return nil, err
	}
	first, err := load.Load(ctx, found)
	if err != nil {
		return nil, err
	}
	pkg, tests, err := packageOf(first, cfg.Package)
	if err != nil {
		return nil, err
	}
	t := &Tests{Bounds: cfg.Bounds}
	if t.Subject, err = linear.Find(first.Fset, pkg.Types, tests, cfg.Type, cfg.Options); err != nil {
		return nil, err
	}
	found.Tests, found.Blocks = true, cfg.Blocks
	t.cfg, t.dir = found, pkg.Dir
	if pkg.Module != nil && !pkg.Module.Main {
		// The go command takes no files beside those of the module cache: the tests are in a package of the main module.
		if t.Subject.Internal() {
			return nil, fmt.Errorf("%s is in the module %s, which is not the main one: what its package does not export cannot be named from here", cfg.Type, pkg.Module.Path)
		}
		t.dir = filepath.Join(program.FindRoot(cfg.Dir), elsewhere)
		t.cfg.Dir, t.cfg.Patterns = program.FindRoot(cfg.Dir), []string{"./" + elsewhere}
	}
	if t.Program, err = t.load(ctx, nil); err != nil {
		return nil, fmt.Errorf("the tests of %s do not build: choose methods with -run or -skip, or values with -values:\n%w", cfg.Type, err)
	}
	return t, t.findTargets()
}

// elsewhere is the directory of the main module in which the tests of a type of another module are.
const elsewhere = "everyway_linear"

// load loads the tests, with one for the calls of a history unless that is nil.
func (t *Tests) load(ctx context.Context, again *linear.History) (*program.Program, error) {
	sources, err := t.Subject.Source(t.Bounds, aloneCalls, again)
	if err != nil {
		return nil, err
	}
	files := map[string]program.Generated{}
	if t.Subject.Deterministic() { // otherwise the tests may have what the model consists of
		if err := leaveOutTests(files, t.dir); err != nil {
			return nil, err
		}
	}
	for name, text := range sources {
		files[filepath.Join(t.dir, name)] = program.Generated{Text: text, Driver: name != linear.TestFile}
	}
	return program.LoadGenerated(ctx, t.cfg, files)
}

// packageOf returns the package that a pattern names, and that of its external tests, nil if there is none.
func packageOf(r *load.Result, pattern string) (pkg *load.Package, tests *types.Package, err error) {
	var paths []string
	for _, p := range r.Packages {
		if p.ForTest != "" && p.Path != p.ForTest {
			tests = p.Types
			continue
		}
		pkg = p
		paths = append(paths, p.Path)
	}
	if len(paths) != 1 {
		slices.Sort(paths)
		return nil, nil, fmt.Errorf("%s names %d packages (%s): name the one that declares the type", pattern, len(paths), strings.Join(paths, ", "))
	}
	return pkg, tests, nil
}

// leaveOutTests replaces the tests in a directory by empty files: the tests that are made need none of them, and
// they may need packages that take long to load, or set up what all tests of the package have.
func leaveOutTests(files map[string]program.Generated, dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return fmt.Errorf("looking for the tests of the package: %w", err)
	}
	for _, name := range names {
		clause, err := packageClause(name)
		if err != nil {
			return err
		}
		files[name] = program.Generated{Text: []byte(clause)}
	}
	return nil
}

// findTargets finds the targets of the tests.
func (t *Tests) findTargets() (err error) {
	if t.alone, err = find(t.Program, linear.AloneTarget); err != nil {
		return err
	}
	for _, b := range t.Bounds {
		target, err := find(t.Program, b.Target())
		if err != nil {
			return err
		}
		t.targets = append(t.targets, *target)
	}
	return nil
}

// find finds a target of a program.
func find(p *program.Program, name string) (*load.Target, error) {
	for _, target := range p.Targets() {
		if target.Name == name {
			return &target, nil
		}
	}
	return nil, fmt.Errorf("the tests that were made have no target %s", name)
}
