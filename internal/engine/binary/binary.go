package binary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/instrument/covered"
	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/internal/load"
)

// Config says what to build.
type Config struct {
	Dir     string   // in which the go command runs
	Pattern string   // of the package, which has a function main
	Flags   []string // build flags of the go command, such as "-tags=a,b"
	Set     string   // directory of the schedules, or the file with them
	Output  string   // file of the program
	Work    string   // directory in which the sources stay, "" if they are removed
	Options covered.Options
}

// A Result says what was built.
type Result struct {
	*covered.Summary
	Set *cover.Set
}

// A RefusedError says why a program cannot be built, and what to do about it, in one line.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Build builds a program. The error is a [*RefusedError] or a [*covered.RefusedError] if it cannot
// be built or kept to the schedules.
func Build(ctx context.Context, c Config) (res *Result, err error) {
	set, err := read(c.Set)
	if err != nil {
		return nil, err
	}
	p, err := program.LoadNamed(ctx, c.Dir, []string{c.Pattern}, c.Flags, false)
	if err != nil {
		return nil, err
	}
	targets, err := p.Select(program.Selection{Func: "main"})
	if err != nil || len(targets) != 1 {
		return nil, refuse("%s is to be one package with a function main", c.Pattern)
	}
	target := &targets[0]
	if path := target.Package.Path; path != set.Program {
		return nil, refuse("%s has the schedules of %s, and not of %s", c.Set, set.Program, path)
	}
	key, err := p.CoverKey(target)
	if err != nil {
		return nil, err
	}
	if key != set.Code {
		return nil, refuse("%s has the schedules of other sources of %s, or another version of Go or everyway has made them: run everyway cover again", c.Set, set.Program)
	}
	toolchain, err := findToolchain(ctx, c.Dir)
	if err != nil {
		return nil, err
	}
	dir, remove, err := makeDir(c.Work)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	w := overlay.NewWriter(dir, toolchain)
	summary, err := covered.Write(w, programOf(p, target), set, c.Options)
	if err != nil {
		return nil, err
	}
	written, err := w.Source()
	if err != nil {
		return nil, err
	}
	return &Result{summary, set}, c.build(ctx, written, dir)
}

// Check returns a [*RefusedError] or a [*covered.RefusedError] if a program that was loaded in a
// directory cannot be kept to the schedules of a set, which are those of its main function.
func Check(ctx context.Context, dir string, p *program.Program, target *load.Target, set *cover.Set) error {
	toolchain, err := findToolchain(ctx, dir)
	if err != nil {
		return err
	}
	return covered.Check(toolchain, programOf(p, target), set)
}

// programOf returns a program as it is to be kept to schedules.
func programOf(p *program.Program, target *load.Target) *covered.Program {
	return &covered.Program{
		Fset: p.Fset, Sizes: p.Sizes, Packages: p.All, Main: target.Package, Read: p.Sources.Read,
		Position: func(pos token.Pos) string { return p.Position(target, pos) },
	}
}

// read reads the set in a directory, or in a file.
func read(dir string) (set *cover.Set, err error) {
	name := dir
	if info, err := os.Stat(dir); err != nil || info.IsDir() {
		name = filepath.Join(dir, cover.File)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refuse("there are no schedules in %s: everyway cover -o %s writes them there, and into .everyway without -o", dir, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the schedules: %w", err)
	}
	defer f.Close()
	if set, err = cover.Read(f); err != nil {
		return nil, refuse("%s: %v", name, err)
	}
	return set, nil
}

func findToolchain(ctx context.Context, dir string) (overlay.Toolchain, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return overlay.Toolchain{}, fmt.Errorf("asking the go command for its environment: %w", err)
	}
	var env struct{ GOROOT, GOMODCACHE, GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return overlay.Toolchain{}, fmt.Errorf("asking the go command for its environment: %w", err)
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull {
		return overlay.Toolchain{}, refuse("this is no directory of a module")
	}
	return overlay.Toolchain{
		GOROOT: env.GOROOT, GOMODCACHE: env.GOMODCACHE, GoMod: env.GOMOD,
		Workspace: env.GOWORK != "" && env.GOWORK != "off",
	}, nil
}

// makeDir makes the directory for sources, and says how it is removed.
func makeDir(work string) (dir string, remove func() error, err error) {
	const prefix = "everyway-build-"
	if work != "" {
		if dir, err = os.MkdirTemp(work, prefix); err != nil {
			return "", nil, refuse("%v: -work names a directory that exists", err)
		}
		return dir, func() error { return nil }, nil
	}
	t, err := disk.MakeTemporary(disk.Host{}, os.TempDir(), prefix)
	if err != nil {
		return "", nil, err
	}
	return t.Path, t.Remove, nil
}

// build has the go command build the sources.
func (c *Config) build(ctx context.Context, source *overlay.Source, dir string) error {
	output, err := filepath.Abs(c.Output)
	if err != nil {
		return err
	}
	args := append([]string{"build", "-o", output}, c.Flags...)
	args = append(append(args, source.Flags...), c.Pattern)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = c.Dir
	// What the go command leaves if it is interrupted is removed with everything else.
	cmd.Env = append(os.Environ(), "GOTMPDIR="+dir)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	// The sources have been checked, so that it is the copies that do not build.
	text := string(out)
	for copied, original := range source.Copies {
		text = strings.ReplaceAll(text, copied, original)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return refuse("%s: this is a fault of everyway's, in the copies of the sources: please report it, with what -work keeps", line)
		}
	}
	return fmt.Errorf("building the program: %w", err)
}
