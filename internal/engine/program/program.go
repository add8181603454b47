package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/load/block"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// A Program is a loaded program and what names in run files are relative to.
type Program struct {
	*load.Result
	Root      string               // directory of the module, or workspace, that the program was loaded from: see FindRoot
	Toolchain *load.Toolchain      // the user's
	Tags      []string             // build tags given by the user
	Flags     []string             // other build flags given by the user
	Args      []string             // of a main function, as in os.Args[1:]
	Generated map[string]Generated // by absolute path: see LoadGenerated
	Disk      disk.System          // has the files that are written about the program

	AsIs error // why nothing of the standard library is replaced, where LoadNamed does that; nil where it is

	references *code.References // what the source says of variables; nil if it was not loaded for that

	seenMu sync.Mutex
	seen   map[string]*seenFiles // by who reads them

	declared sync.Once // of which graph is made
	graph    *graph

	mentioned sync.Once // of which variables and stores are made
	variables []*ssa.Global
	stores    code.Stores
}

// Load loads the packages that patterns name, seen from dir: with their tests,
// or for searching functions over their parameters, which needs none. Flags are build flags
// of the go command, such as "-tags=a,b", which come after those of GOFLAGS.
func Load(ctx context.Context, dir string, patterns, flags []string, tests bool) (*Program, error) {
	cfg, err := LoadConfig(ctx, dir, patterns, flags, tests)
	if err != nil {
		return nil, err
	}
	return newProgram(ctx, cfg)
}

// LoadNamed is Load with what the source says of values: code.References. The program has functions
// of its own in the place of some of the standard library: see package substitute. The tests of
// packages are loaded, too, if tests is set.
func LoadNamed(ctx context.Context, dir string, patterns, flags []string, tests bool) (*Program, error) {
	cfg, err := LoadConfig(ctx, dir, patterns, flags, tests)
	if err != nil {
		return nil, err
	}
	cfg.Names, cfg.Substitute = true, true
	p, replaced := newProgram(ctx, cfg)
	if _, ok := errors.AsType[*load.CompileError](replaced); !ok {
		return p, replaced
	}
	// It may be what is in the place of something else that does not build, as where a structure
	// has an embedded sync.Map and its field is mentioned.
	cfg.Substitute = false
	p, err = newProgram(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p.AsIs = replaced
	return p, nil
}

// LoadPartial loads what LoadConfig has said, and leaves out packages that do not build:
// p.Broken has them.
func LoadPartial(ctx context.Context, cfg load.Config) (*Program, error) {
	cfg.Partial = true
	return newProgram(ctx, cfg)
}

// newProgram loads the program of a configuration.
func newProgram(ctx context.Context, cfg load.Config) (*Program, error) {
	dir, toolchain := cfg.Dir, cfg.Toolchain
	result, generated, err := loadBuilt(ctx, cfg)
	if err != nil {
		if untested := toolchain.Untested(); untested != "" {
			err = fmt.Errorf("%w\n%s", err, untested)
		}
		return nil, err
	}
	if len(result.Cgo) == 0 {
		// All packages are initialised before a target starts, so that all have to be
		// built: at once, on all processors.
		result.Prog.Build()
	}
	p := &Program{
		Result: result, Root: FindRoot(dir), Toolchain: toolchain, Tags: cfg.Tags, Flags: cfg.Flags,
		Disk: disk.Host{}, Generated: generated,
	}
	if cfg.Names {
		p.references = code.NewReferences()
	}
	return p, nil
}

// LoadConfig says what Load loads.
func LoadConfig(ctx context.Context, dir string, patterns, flags []string, tests bool) (load.Config, error) {
	toolchain, err := load.FindToolchain(ctx, dir)
	if err != nil {
		return load.Config{}, err
	}
	given, err := toolchain.EnvironmentFlags(ctx, dir)
	if err != nil {
		return load.Config{}, err
	}
	tags, flags := splitTags(append(given, flags...), toolchain.BuildTags)
	return load.Config{
		Dir: dir, Patterns: patterns, Tags: tags, Flags: flags, Tests: tests, Lazy: true,
		Also:    []string{"testing"}, // which starts functions too
		Library: golib.Library{}, Toolchain: toolchain,
	}, nil
}

// Binaries returns the import paths of the packages under test, for each of which go test
// builds a binary.
func (p *Program) Binaries() []string {
	var list []string
	for _, pkg := range p.Packages {
		if b := pkg.Binary(); !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	return list
}

// splitTags returns the build tags in flags, or those given if no flag says which, and the
// other flags. Of several lists of tags the last one counts, as in the go command. Lists
// without elements are nil, as they are when they have been recorded.
func splitTags(flags, given []string) (tags, others []string) {
	tags = append(tags, given...)
	for _, f := range flags {
		list, ok := strings.CutPrefix(f, "-tags=")
		if !ok {
			others = append(others, f)
			continue
		}
		tags = append([]string(nil), strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return tags, others
}

// NewCode returns a compiler for p. Branches are counted in the packages of which covered
// holds, none when it is nil.
func (p *Program) NewCode(covered func(*ssa.Package) bool) *code.Program {
	c := compile.NewProgram(p.Prog, p.Sizes, covered, p.Standard)
	c.Bodies, c.Own, c.References = p.Bodies, p.Own, p.references
	p.mentioned.Do(func() { p.variables, p.stores = mentionedValues(p.Result), storedTypes(p.Result) })
	c.Named, c.Stores, c.Made = p.variables, p.stores, p.isGenerated
	if len(p.Blocks) > 0 {
		c.Block = func(g *ssa.Global) (int, bool) { return block.Number(g.Name()) }
	}
	return c
}

// BlockList returns the blocks of statements that are marked, by their numbers.
func (p *Program) BlockList() []verdict.Block {
	list := make([]verdict.Block, len(p.Blocks))
	for i, b := range p.Blocks {
		list[i] = verdict.Block{
			File: b.File, Line: b.Start.Line, Column: b.Start.Column, EndLine: b.End.Line, EndColumn: b.End.Column, Statements: b.Statements,
		}
	}
	return list
}

// Covers returns whether branches of a package count as those of a target: the package is
// the target's own, or one of the two is the external test package of the other.
func (p *Program) Covers(t *load.Target) func(*ssa.Package) bool {
	return func(pkg *ssa.Package) bool {
		of := p.Of(pkg)
		return of != nil && of.Binary() == t.Package.Binary()
	}
}
