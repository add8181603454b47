package linearity

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy/roundrobin"
	"github.com/everyway-go/everyway/internal/verdict"
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
	Search  search.Config  // of the run that finds the states from which histories begin
}

// Tests are tests of a type, loaded with its package.
type Tests struct {
	Subject *linear.Subject
	Program *program.Program
	Bounds  []linear.Bound
	cfg     load.Config
	dir     string // of the package
	// keepTests says that the tests of the package are loaded, too, and fromCalls to how many calls
	// the states lead from which histories begin.
	keepTests bool
	fromCalls int
	alone     *load.Target
	targets   [][]load.Target // by bound, and part of it
}

// aloneCalls is the number of calls for which it is searched whether they are deterministic if they are made alone.
const aloneCalls = 3

// Load makes the tests of a type and loads them. The error is the user's fault, unless the context has ended.
func Load(ctx context.Context, cfg Config) (*Tests, error) {
	found, err := program.LoadConfig(ctx, cfg.Dir, []string{cfg.Package}, cfg.Flags, cfg.Options.NeedTests())
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
	t := &Tests{}
	if t.Subject, err = linear.Find(first.Fset, pkg.Types, tests, cfg.Type, cfg.Options); err != nil {
		return nil, err
	}
	t.Bounds = linear.Distinct(cfg.Bounds, t.Subject.Methods())
	// What the expressions of the user do is not known otherwise.
	if constantValues(pkg.Types, cfg.Options.Values) {
		t.Subject.Contained, t.Subject.Seen = contain(first, pkg, t.Subject.Functions)
	}
	found.Tests, found.Blocks = true, cfg.Blocks
	t.cfg, t.dir = found, pkg.Dir
	if pkg.Module != nil && !pkg.Module.Main {
		// The go command takes no files beside those of the module cache: the tests are in a
		// package of the main module.
		if t.Subject.Internal() {
			return nil, fmt.Errorf("%s is in the module %s, which is not the main one: what its package does not export cannot be named from here", cfg.Type, pkg.Module.Path)
		}
		t.dir = filepath.Join(program.FindRoot(cfg.Dir), elsewhere)
		t.cfg.Dir, t.cfg.Patterns = program.FindRoot(cfg.Dir), []string{"./" + elsewhere}
	}
	t.fromCalls = cfg.Options.FromCalls
	t.keepTests = cfg.Options.NeedTests()
	if cfg.Options.FromCalls > 0 {
		if err := t.findStarts(ctx, cfg.Search); err != nil {
			return nil, err
		}
	}
	if t.Program, err = t.load(ctx, nil); err != nil {
		return nil, t.doNotBuild(err)
	}
	return t, t.findTargets()
}

// doNotBuild is what is wrong if the tests cannot be loaded.
func (t *Tests) doNotBuild(err error) error {
	if t.Subject.Draws() && strings.Contains(err.Error(), symModule) {
		return fmt.Errorf("the tests of %s do not build; -from needs package sym: go.mod has to require the module %s:\n%w",
			t.Subject.Type, symModule, err)
	}
	return fmt.Errorf("the tests of %s do not build: choose methods with -run or -skip, or values with -values:\n%w", t.Subject.Type, err)
}

// symModule is the module with the package that draws values.
const symModule = "github.com/everyway-go/everyway"

// findStarts finds the states from which histories begin, by a run of the target that prints them.
func (t *Tests) findStarts(ctx context.Context, cfg search.Config) error {
	p, err := t.load(ctx, nil)
	if err != nil {
		return t.doNotBuild(err)
	}
	p.Disk = disk.Refuse(errors.New("what the run prints is all that is wanted of it"))
	target, err := find(p, linear.StatesTarget)
	if err != nil {
		return err
	}
	cfg.All, cfg.Resume, cfg.Runs, cfg.Workers, cfg.Strategy = false, false, 1, 1, roundrobin.Info.Name
	var out printed
	r, err := search.Target(ctx, p, target, cfg, &out)
	if err != nil {
		return err
	}
	t.Subject.Starts, t.Subject.MoreStarts, err = linear.ReadStates(string(out.text))
	if err != nil {
		why := err.Error()
		for _, c := range r.Counterexamples {
			why = c.Run.Finding.Message
		}
		return fmt.Errorf("-from %d: the calls that lead to states come to no end when each is made alone: %s", t.fromCalls, why)
	}
	return nil
}

// printed observes what is printed.
type printed struct {
	verdict.Quiet
	text []byte
}

// Output implements verdict.Observer.
func (p *printed) Output(pkg, target string, text []byte) { p.text = append(p.text, text...) }

// elsewhere is the directory of the main module in which the tests of a type of another module are.
const elsewhere = "everyway_linear"

// load loads the tests, with one for the calls of a history unless that is nil.
func (t *Tests) load(ctx context.Context, again *linear.History) (*program.Program, error) {
	sources, err := t.Subject.Source(t.Bounds, aloneCalls, again)
	if err != nil {
		return nil, err
	}
	files := map[string]program.Generated{}
	if !t.keepTests { // otherwise they may have what the model consists of, or the predicate
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
		return nil, nil, fmt.Errorf("%s names %d packages (%s): name the one that declares the type",
			pattern, len(paths), strings.Join(paths, ", "))
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
		var parts []load.Target
		for _, part := range t.Subject.Parts(b) {
			target, err := find(t.Program, part.Target)
			if err != nil {
				return err
			}
			parts = append(parts, *target)
		}
		t.targets = append(t.targets, parts)
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
