package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
	"github.com/everyway-go/everyway/schedule"
)

// A Program is a loaded program and what names in run files are relative to.
type Program struct {
	*load.Result
	Root   string   // directory of the main module, or where the program was loaded from
	GOROOT string   // of the user's toolchain
	Tags   []string // build tags given by the user
	Build  string   // hash of everything that names in run files depend on
}

// Load loads the packages that patterns name, seen from dir: with their tests,
// or for searching functions over their parameters, which needs none.
func Load(ctx context.Context, dir string, patterns, tags []string, tests bool) (*Program, error) {
	toolchain, err := load.FindToolchain(ctx, dir)
	if err != nil {
		return nil, err
	}
	result, err := load.Load(ctx, load.Config{
		Dir: dir, Patterns: patterns, Tags: tags, Tests: tests, Lazy: true,
		Also:    []string{"testing"}, // which starts functions too
		Library: golib.Library{}, Toolchain: toolchain,
	})
	if err != nil {
		return nil, err
	}
	// All packages are initialised before a target starts, so that all have to be
	// built: at once, on all processors.
	result.Prog.Build()
	p := &Program{Result: result, Root: dir, GOROOT: toolchain.GOROOT, Tags: tags}
	for _, pkg := range result.Packages {
		if pkg.Module != nil && pkg.Module.Dir != "" {
			p.Root = pkg.Module.Dir
			break
		}
	}
	if p.Build, err = p.hash(toolchain); err != nil {
		return nil, err
	}
	return p, nil
}

// NewCode returns a compiler for p. Branches are counted in the packages of which covered
// holds, none when it is nil.
func (p *Program) NewCode(covered func(*ssa.Package) bool) *code.Program {
	c := compile.NewProgram(p.Prog, p.Sizes, covered, p.Standard)
	c.Bodies = p.Bodies
	return c
}

// hash returns a hash of the sources outside GOROOT, the models and the toolchain.
func (p *Program) hash(t *load.Toolchain) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, t.Version, t.GOOS, t.GOARCH, t.ToolTags, p.Tags)
	golib.Hash(h)
	for _, pkg := range p.All {
		if pkg.Standard {
			continue
		}
		for _, f := range pkg.Files {
			if err := hashFile(h, p.Fset.Position(f.Package).Filename); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func hashFile(h io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("hashing the sources: %w", err)
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("hashing %s: %w", name, err)
	}
	return nil
}

// A Selection says which targets of a program to search. The zero value means
// all tests, fuzz targets and examples.
type Selection struct {
	Run  *regexp.Regexp // names of tests, fuzz targets and examples
	Fuzz *regexp.Regexp // names of fuzz targets
	Func string         // a function or method, over its parameters
}

// ErrNoTarget says that there is nothing to search.
var ErrNoTarget = errors.New("no tests, fuzz targets or examples to search; name a function with -func")

// Select returns the targets that s names, in the order of the source.
func (p *Program) Select(s Selection) ([]load.Target, error) {
	if s.Func != "" {
		chosen, err := p.Funcs(s.Func)
		for i := range chosen {
			if err == nil {
				err = checkInputs(&chosen[i])
			}
		}
		return chosen, err
	}
	var chosen []load.Target
	for _, t := range p.Targets() {
		if s.matches(&t) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	for _, pattern := range []struct {
		flag string
		re   *regexp.Regexp
	}{{"-run", s.Run}, {"-fuzz", s.Fuzz}} {
		if pattern.re != nil {
			return nil, fmt.Errorf("no target matches %s %s", pattern.flag, pattern.re)
		}
	}
	// A program without tests is its own target.
	for _, t := range p.Targets() {
		if t.Kind == load.TargetMain {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		return nil, ErrNoTarget
	}
	return chosen, nil
}

func (s *Selection) matches(t *load.Target) bool {
	switch t.Kind {
	case load.TargetFuzz:
		if s.Fuzz != nil {
			return s.Fuzz.MatchString(t.Name)
		}
		return s.Run == nil || s.Run.MatchString(t.Name)
	case load.TargetTest, load.TargetExample:
		if s.Run != nil {
			return s.Run.MatchString(t.Name)
		}
		return s.Fuzz == nil
	}
	return false
}

// LoadRecorded loads the program that a run was recorded in, seen from dir, and
// finds its target.
func LoadRecorded(ctx context.Context, dir string, r *schedule.Run) (*Program, *load.Target, error) {
	function := r.Kind == load.TargetFunc.String()
	p, err := Load(ctx, dir, []string{r.Package}, r.Options.Tags, !function)
	if err != nil {
		return nil, nil, err
	}
	targets := p.Targets()
	if function {
		if targets, err = p.Funcs(r.Target); err != nil {
			return nil, nil, err
		}
	}
	for i := range targets {
		if t := &targets[i]; t.Name == r.Target && t.Kind.String() == r.Kind {
			return p, t, nil
		}
	}
	return nil, nil, fmt.Errorf("no %s %s in package %s", r.Kind, r.Target, r.Package)
}
