package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/binary"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/instrument/covered"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
)

const coverHelp = `
usage: everyway cover [flags] [package]

Cover finds input-covering schedules of a program: a set of schedules with at
least one for each input. A program that is kept to the schedules of the set, as
everyway build does, runs in few ways, and what holds for these holds for it.

	everyway cover ./cmd/sort
	everyway cover -print ./cmd/sort

The package is a main package, by default the one in the current directory. With
-run, it is a test of the package that is covered. The inputs are those that the
program draws with package sym. The arguments are those after -args, and the
files are those of the module. Where a branch depends on these, on the time or
the like, there are schedules for both ways.

Cover makes runs, and finds out for each, by a slice of the program, for which
other inputs the goroutines would synchronise in the same way, until all inputs
are covered. Loops that synchronise are cut into epochs: an epoch ends when each
goroutine is at a marker, which is the beginning of the body of such a loop,
waits, or has ended.

It reports whether a schedule deadlocks, with an input for which it does, and
which accesses a schedule leaves unordered. If no schedule deadlocks and every
input has one, the program does not deadlock under the schedules of the set, as
long as it has no data race. With -check, all paths of the program are searched
under these schedules, each of which makes it a sequential program: if none
panics or has a race, that holds for the program under the set.

The set is written schedule by schedule to a file below .everyway in the
module's root, or to main.cover in the directory of -o. A search that was
interrupted goes on from there, as long as the program and the options are the
same. -print shows the set.

The exit code is 0 if no schedule deadlocks or the search is open, 1 if one
deadlocks or accesses are unordered, and 2 if the program does something that
cannot be covered. Run 'everyway help cover.md' for what that is, and for what
the file has.
`

type coverFlags struct {
	covering.Config
	out         string
	print, json bool
	check       bool
	run         string
	without     string
	budget      time.Duration
	memory      memory.Size
	build       buildFlags
	chdir       *string
	args        []string // of the program, after -args
}

func (f *coverFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.out, "o", "", "write the set to the file main.cover in `directory`")
	fs.BoolVar(&f.print, "print", false, "print the set that was found before, and do not search")
	fs.BoolVar(&f.json, "json", false, "print a summary as JSON")
	fs.StringVar(&f.run, "run", "", "cover the test whose name matches `regexp`, and not the main function")
	fs.BoolVar(&f.check, "check", false, "once all inputs are covered, search all paths under the schedules for panics and races")
	fs.IntVar(&f.Unroll, "unroll", 0, "let a goroutine pass `n` markers before an epoch ends at one")
	fs.Uint64Var(&f.MinLength, "length", 0, "let a goroutine execute at least `n` instructions before an epoch ends at a marker")
	fs.IntVar(&f.Ahead, "ahead", 0, "make a goroutine wait before a send, while others go on, if the channel's buffer has `n`\nelements; 0 means that it does not wait")
	fs.IntVar(&f.Processors, "processors", 0, "assume that the program has `n` processors wherever it runs; 0 means any number")
	fs.Func("flags", "assume that the program is started with exactly these `flags` of package flag,\nsuch as '-n=3 -v=true' (default any)", func(s string) (err error) {
		f.Flags, err = cover.ParseFlags(s)
		return err
	})
	fs.BoolVar(&f.Abstract, "abstract", false,
		"decide as the program runs what is computed by a loop that does not synchronise, and whose\nnumber of rounds depends on an input")
	fs.IntVar(&f.MaxSchedules, "schedules", covering.DefaultMaxSchedules, "greatest `number` of schedules of an epoch")
	fs.IntVar(&f.MaxEpochs, "epochs", covering.DefaultMaxEpochs, "greatest `number` of epochs that are searched")
	fs.IntVar(&f.MaxGoroutines, "goroutines", covering.DefaultMaxGoroutines, "greatest `number` of goroutines that are alive at the same time")
	fs.Uint64Var(&f.MaxInstructions, "instructions", covering.DefaultMaxInstructions, "greatest `number` of instructions of a run")
	fs.StringVar(&f.without, "without", "", "switch off the optimisations in `list`, for measurements: some of\ntrivial,covered,prefixes,symbolic,merging,conservative")
	fs.DurationVar(&f.budget, "budget", 0, "time for the search; 0 means no limit")
	fs.Func("memory", "use at most `size` of memory, such as 2GiB", func(s string) (err error) {
		f.memory, err = memory.ParseSize(s)
		return err
	})
	f.chdir = registerChdir(fs)
	f.build.register(fs)
}

func (f *coverFlags) verify() (err error) {
	switch {
	case f.Unroll < 0:
		return usagef("-unroll %d: give a number that is not negative", f.Unroll)
	case f.Ahead < 0:
		return usagef("-ahead %d: give a number that is not negative", f.Ahead)
	case f.Processors < 0:
		return usagef("-processors %d: give a number that is not negative", f.Processors)
	case f.run != "" && len(f.Flags) > 0:
		return usagef("-flags cannot be combined with -run: a test is started by go test")
	case len(f.Flags) > 0 && len(f.args) > 0 && len(f.args[0]) > 1 && f.args[0][0] == '-' && f.args[0] != "--":
		return usagef("-args %s: name all flags in -flags", f.args[0])
	case f.MaxSchedules < 1:
		return usagef("-schedules %d: at least 1 is needed", f.MaxSchedules)
	case f.MaxEpochs < 1:
		return usagef("-epochs %d: at least 1 is needed", f.MaxEpochs)
	case f.MaxGoroutines < 1:
		return usagef("-goroutines %d: at least 1 is needed", f.MaxGoroutines)
	case f.budget < 0:
		return usagef("-budget %v: give a positive time, or 0 for none", f.budget)
	case f.print && (f.json || f.check):
		return usagef("-print cannot be combined with -json or -check")
	case f.memory != 0 && f.memory < leastMemory:
		return usagef("-memory %v: give at least %v", f.memory, leastMemory)
	}
	if f.without != "" {
		if f.Without, err = covering.ParseOptimisations(f.without); err != nil {
			return usagef("-without: %w", err)
		}
	}
	return nil
}

func runCover(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	var f coverFlags
	flags := flag.NewFlagSet("cover", flag.ContinueOnError)
	f.register(flags)
	if i := slices.Index(args, "-args"); i >= 0 {
		args, f.args = args[:i], args[i+1:]
	}
	patterns, err := parseFlags(flags, args, stdout, coverHelp, goFlags)
	if err != nil {
		return 0, err
	}
	if err := f.verify(); err != nil {
		return 0, err
	}
	if len(patterns) > 1 {
		return 0, usagef("cover takes one package: that of a program")
	}
	dir, err := enterDir(*f.chdir)
	if err != nil {
		return 0, err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	start := time.Now()
	budget := limitMemory(ctx, f.memory)
	ctx, share := budget.Begin(ctx)
	defer share.End()
	prog, err := program.LoadNamed(ctx, dir, patterns, f.build, f.run != "")
	if err != nil {
		return 0, usageError{memory.Reason(ctx, err)}
	}
	prog.Disk, prog.Args = files, f.args
	warnUntested(stderr, prog.Toolchain)
	target, err := f.target(prog)
	if err != nil {
		return 0, err
	}
	c := &coverer{coverFlags: &f, dir: dir, program: prog, target: target, stdout: stdout, stderr: stderr, start: start}
	c.file = c.path(dir)
	c.name = report.Relative(dir, c.file.String())
	if f.print {
		return c.show()
	}
	return c.search(ctx)
}

// target returns what is covered: the test that -run names, or else the main function.
func (f *coverFlags) target(prog *program.Program) (*load.Target, error) {
	if f.run == "" {
		return mainTarget(prog)
	}
	list, err := prog.Select(program.Selection{Run: f.run})
	if err != nil {
		return nil, usageError{err}
	}
	list = slices.DeleteFunc(list, func(t load.Target) bool { return t.Kind != load.TargetTest })
	if len(list) != 1 {
		return nil, usagef("cover takes one test, and -run %s matches %d", f.run, len(list))
	}
	return &list[0], nil
}

// mainTarget returns the only main function of a program.
func mainTarget(prog *program.Program) (*load.Target, error) {
	targets := slices.DeleteFunc(prog.Targets(), func(t load.Target) bool { return t.Kind != load.TargetMain })
	switch len(targets) {
	case 0:
		return nil, usagef("there is no main package to cover: schedules are those of a program, or of the test that -run names")
	case 1:
		return &targets[0], nil
	}
	return nil, usagef("cover takes one program, and there are %d main packages", len(targets))
}

// A coverer finds the schedules of a program.
type coverer struct {
	*coverFlags
	dir            string // in which the program was loaded
	program        *program.Program
	target         *load.Target
	file           disk.Path
	name           string // of the file, for the user
	stdout, stderr io.Writer
	start, saved   time.Time
}

// path returns the file of the set.
func (c *coverer) path(dir string) disk.Path {
	if c.out == "" {
		return c.program.Output("", c.target, ".cover")
	}
	out := c.out
	if !filepath.IsAbs(out) {
		out = filepath.Join(dir, out)
	}
	return disk.Path{Dir: disk.Dir{System: c.program.Disk, Path: out}, Name: cover.File}
}

// read reads the set that is there, nil if there is none.
func (c *coverer) read() (set *cover.Set, err error) {
	err = c.file.Read(func(r io.Reader) (err error) {
		set, err = cover.Read(r)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return set, nil
}

// show prints the set that is there.
func (c *coverer) show() (int, error) {
	set, err := c.read()
	if err != nil {
		return 0, usageError{err}
	}
	if set == nil {
		return 0, usagef("there is no set of schedules at %s: run everyway cover first", c.name)
	}
	code, err := c.program.CoverKey(c.target)
	if err != nil {
		return 0, usageError{err}
	}
	if set.Program != covering.NameOf(c.target) || set.Code != code {
		fmt.Fprintf(c.stderr, "everyway: %s is of other sources than those that are there, or another everyway has made it\n", c.name)
	}
	if err := set.Write(c.stdout); err != nil {
		return 0, fmt.Errorf("printing the set: %w", err)
	}
	return exitOK, nil
}

// save writes the set.
func (c *coverer) save(set *cover.Set) error {
	c.saved = time.Now()
	if err := c.file.Write(set.Write); err != nil {
		return fmt.Errorf("writing the set of schedules: %w", err)
	}
	return nil
}

// saveEvery is how often a set is written that grows.
const saveEvery = time.Second

// search finds the schedules.
func (c *coverer) search(ctx context.Context) (int, error) {
	s, err := covering.New(ctx, c.program, c.target, c.Config)
	if err != nil {
		return 0, c.explain(ctx, err)
	}
	old, err := c.read()
	switch {
	case err != nil:
		fmt.Fprintf(c.stderr, "everyway: the search begins anew: %v\n", err)
	case old != nil && !s.Resume(old):
		fmt.Fprintf(c.stderr, "everyway: the search begins anew: %s is of other sources or options, or another everyway has made it\n", c.name)
	}
	s.Changed = func(set *cover.Set) error {
		if time.Since(c.saved) < saveEvery {
			return nil
		}
		return c.save(set)
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if c.budget > 0 {
		limited, cancel = context.WithTimeout(ctx, c.budget)
	}
	defer cancel()
	err = s.Run(limited)
	spent := err != nil && limited.Err() != nil
	if err != nil && !spent {
		return 0, c.explain(ctx, err)
	}
	if err := c.save(s.Set()); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	var checked *covering.Check
	if c.check && !spent {
		checked, err = s.Check(limited)
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			checked.Open = append(checked.Open, "the budget is spent")
		} else if err != nil {
			return 0, c.explain(ctx, err)
		}
	}
	if checked != nil && checked.Holds() && len(checked.Within) == 0 {
		s.Set().Deferred = nil // no path panics; the file still has them
	}
	refused, err := c.refused(ctx, s.Set())
	if err != nil {
		return 0, err
	}
	r := &coverReport{coverer: c, set: s.Set(), sum: s.Set().Summary(), checked: checked, refused: refused, spent: spent}
	return r.write()
}

// refused returns why everyway build would refuse the set, "" if it would not, or if the set has to
// be another one anyway.
func (c *coverer) refused(ctx context.Context, set *cover.Set) (string, error) {
	if c.target.Kind != load.TargetMain || set.Summary().Verdict != cover.DeadlockFree {
		return "", nil
	}
	err := binary.Check(ctx, c.dir, c.program, c.target, set)
	if refused, ok := errors.AsType[*binary.RefusedError](err); ok {
		return refused.Why, nil
	}
	if refused, ok := errors.AsType[*covered.RefusedError](err); ok {
		return refused.Why, nil
	}
	return "", err
}

// maxReasons is how many reasons are printed why a program is not covered.
const maxReasons = 10

// explain prints what is not covered, a line each, and returns what is wrong.
func (c *coverer) explain(ctx context.Context, err error) error {
	unsupported := (*covering.UnsupportedError)(nil)
	if !errors.As(err, &unsupported) {
		return memory.Reason(ctx, err)
	}
	lines := unsupported.Lines
	if more := len(lines) - maxReasons; more > 0 {
		lines = append(slices.Clone(lines[:maxReasons]), fmt.Sprintf("there are %d more reasons why the program is not covered", more))
	}
	if why := c.program.AsIs; why != nil {
		first, _, _ := strings.Cut(why.Error(), "\n")
		lines = append(slices.Clip(lines), "the program has all of the standard library, as it does not build with functions and types in the place of some: "+first)
	}
	for _, line := range lines[:len(lines)-1] {
		fmt.Fprintf(c.stderr, "everyway: %s\n", line)
	}
	return usagef("%s", lines[len(lines)-1])
}
