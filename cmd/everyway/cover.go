package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
	"github.com/everyway-go/everyway/internal/load/substitute"
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
	fs.BoolVar(&f.Abstract, "abstract", false, "decide as the program runs what is computed by a loop that does not synchronise, and whose\nnumber of rounds depends on an input")
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
	return c.report(s.Set(), checked, refused, spent)
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

// report says what was found.
func (c *coverer) report(set *cover.Set, checked *covering.Check, refused string, spent bool) (int, error) {
	sum := set.Summary()
	code := exitOK
	failing := checked != nil && len(checked.Failures) > 0
	if sum.Verdict == cover.Deadlocks || sum.Verdict == cover.Races || failing {
		code = exitFails
	}
	if c.json {
		text, err := json.MarshalIndent(struct {
			cover.Summary
			Check      *covering.Check `json:",omitempty"`
			Flags      cover.Flags     `json:",omitempty"` // with which the program is started, if they are known
			Processors int             `json:",omitempty"` // of the program, likewise
			Deferred   []string        `json:",omitempty"` // where what is deferred may wait for ever if the program panics, which is not known
			Refused    string          `json:",omitempty"` // why everyway build would refuse the set
			Elapsed    float64         // seconds
			File       string
		}{sum, checked, set.Flags, set.Processors, set.Deferred, refused, time.Since(c.start).Seconds(), c.file.String()}, "", "\t")
		if err != nil {
			return 0, fmt.Errorf("printing the summary: %w", err)
		}
		fmt.Fprintf(c.stdout, "%s\n", text)
		return code, nil
	}
	for i, e := range set.Epochs {
		for k, sc := range e.Schedules {
			if !sc.Excluded {
				c.finding(set, i, k, sc)
			}
		}
	}
	if checked != nil {
		for _, f := range checked.Failures {
			fmt.Fprintf(c.stdout, "--- FAIL: schedule %d of epoch %d\n    input   %s\n    %s: %s\n", f.Schedule, f.Epoch, inputText(set.Epochs[0], f.Input), f.Position, f.Message)
		}
	}
	word := map[cover.Verdict]string{cover.DeadlockFree: "covers ", cover.Deadlocks: "fails  ", cover.Races: "fails  ", cover.Open: "open   "}[sum.Verdict]
	if failing {
		word = "fails  "
	}
	fmt.Fprintf(c.stdout, "%s %s\t%v, %.2fs\n", word, set.Program, sum, time.Since(c.start).Seconds())
	line := func(format string, args ...any) { fmt.Fprintf(c.stdout, "        "+format+"\n", args...) }
	switch sum.Verdict {
	case cover.DeadlockFree:
		if checked != nil && checked.Holds() {
			c.holds(line, checked)
		} else {
			line("no schedule of the set deadlocks: the program does not, if race-free and kept to the set")
		}
	case cover.Deadlocks:
		line("%s", ofSchedules(sum.Deadlocked, "deadlocks", "deadlock"))
	case cover.Races:
		line("%s accesses unordered that conflict", ofSchedules(sum.Racing, "leaves", "leave"))
	}
	if len(set.Flags) > 0 {
		line("for a program that is started with %v, and no other flags", set.Flags)
	}
	if n := set.Processors; n > 0 {
		line("for a program that is told of %d processors", n)
	}
	switch n := sum.Excluded; {
	case n == 1:
		line("another schedule is infeasible: no run comes to it, as the others show")
	case n > 1:
		line("%d more are infeasible: no run comes to them, as the others show", n)
	}
	c.decisions(line, set)
	if checked != nil {
		for _, why := range checked.Open {
			line("not all paths were checked: %s", why)
		}
	}
	for _, n := range set.Notes {
		line("not known: %s", n)
	}
	for _, at := range set.Deferred {
		hint := ""
		switch {
		case checked == nil:
			hint = "; -check asks whether a path does"
		case checked.Holds():
			hint = "; no path panics, within what comes from outside: " + within(checked)
		}
		line("not known: %s: what is deferred may wait: if it does in the course of a panic, it is not known whether that ends%s", at, hint)
	}
	switch {
	case spent && sum.Verdict == cover.Open:
		line("open: the budget is spent")
	case spent: // all schedules had been found
		line("the budget is spent: whether a run comes to each of the schedules was not looked for to the end")
	}
	if sum.Possible > 0 {
		line("open: %d of the schedules deadlock or race, and no run was found that comes to them", sum.Possible)
	}
	c.openings(line, set)
	if refused != "" {
		line("everyway build -cover would refuse the set: %s", refused)
	}
	line("schedules: %s", c.name)
	return code, nil
}

// maxDecisions is how many places are printed at which one thing decides as the program runs.
const maxDecisions = 5

// decisions says what is decided as the program runs.
func (c *coverer) decisions(line func(string, ...any), set *cover.Set) {
	places := make(map[string][]string)
	var by []string
	for _, d := range set.Decisions {
		if places[d.Why] == nil {
			by = append(by, d.Why)
		}
		for _, at := range covering.Places(c.program, c.target, &d) {
			if !slices.Contains(places[d.Why], at) {
				places[d.Why] = append(places[d.Why], at)
			}
		}
	}
	for _, why := range by {
		list := places[why]
		more := ""
		if n := len(list) - maxDecisions; n > 0 {
			list, more = list[:maxDecisions], fmt.Sprintf(" and at %d more", n)
		}
		line("decided as it runs, by %s: %s%s", why, strings.Join(list, ", "), more)
	}
}

// openings says why a set is open: each reason once, with the epochs for which it is one.
func (c *coverer) openings(line func(string, ...any), set *cover.Set) {
	epochs := make(map[string][]int)
	var reasons []string
	for i, e := range set.Epochs {
		for _, why := range e.Open {
			if epochs[why] == nil {
				reasons = append(reasons, why)
			}
			epochs[why] = append(epochs[why], i)
		}
	}
	for _, why := range reasons[:min(len(reasons), maxReasons)] {
		where := fmt.Sprintf("epoch %d", epochs[why][0])
		if more := len(epochs[why]) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		line("open: %s: %s", where, why)
	}
	if more := len(reasons) - maxReasons; more > 0 {
		line("open: there are %d more reasons: the file has them", more)
	}
}

// finding prints what is wrong with a schedule, and for which inputs it is.
func (c *coverer) finding(set *cover.Set, epoch, number int, sc *cover.Schedule) {
	e := set.Epochs[epoch]
	where := fmt.Sprintf("schedule %d of epoch %d", number, epoch)
	if sc.Infeasible {
		where += ", which may be infeasible: no run was found that comes to it"
	}
	input := inputText(e, sc.Example)
	if sc.Reached != nil {
		input += fmt.Sprintf(", where a run comes with %s", inputText(e, sc.Reached))
	}
	if when := set.When(sc); when != "" {
		input += "\n    when    " + when
	}
	if sc.End.Kind == cover.Deadlock {
		fmt.Fprintf(c.stdout, "--- DEADLOCK: %s\n    input   %s\n", where, input)
		for i, g := range sc.End.Goroutines {
			if g.Kind == cover.Blocked {
				fmt.Fprintf(c.stdout, "    goroutine %d waits for ever at %s\n", i, strings.Join(c.stack(g.Stack), ", called at "))
			}
		}
	}
	for _, r := range sc.Races {
		fmt.Fprintf(c.stdout, "--- RACE: %s\n    input   %s\n    %s and %s are not ordered\n", where, input, r[0], r[1])
	}
}

// stack returns the places of calls that are in the source.
func (c *coverer) stack(places []string) []string {
	return slices.DeleteFunc(slices.Clone(places), func(at string) bool {
		file, _, _ := strings.Cut(at, ":")
		return substitute.IsFile(file)
	})
}

// ofSchedules says what n schedules of a set do, with the verb for one and for several.
func ofSchedules(n int, one, several string) string {
	if n == 1 {
		return "one of the schedules " + one
	}
	return fmt.Sprintf("%d of the schedules %s", n, several)
}

// within lists what came from outside in the runs of a check.
func within(checked *covering.Check) string {
	list, more := checked.Within, ""
	if n := len(list) - maxDecisions; n > 0 {
		list, more = list[:maxDecisions], fmt.Sprintf(", and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// holds says what was proved of the program under the set.
func (c *coverer) holds(line func(string, ...any), checked *covering.Check) {
	what := "deadlocks, panics or has a race"
	if checked.Ordered {
		what = "deadlocks or panics"
	}
	line("holds: no path of the schedules %s (%d were taken)", what, checked.Paths)
	if len(checked.Within) > 0 {
		line("within: what comes from outside is as it was in these runs: %s", within(checked))
	}
	if checked.Ordered {
		line("races were looked for with the order in which the standard library synchronised in these runs")
	}
}

// inputText returns an input for people to read.
func inputText(e *cover.Epoch, input map[string]uint64) string {
	if len(input) == 0 {
		return "any input"
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(input)) {
		list = append(list, name+" = "+value(e, name, input[name]))
	}
	return strings.Join(list, ", ")
}

// value returns the value of an input as Go writes it.
func value(e *cover.Epoch, name string, v uint64) string {
	for _, in := range e.Inputs {
		if in.Name != name {
			continue
		}
		if shift := 64 - in.Width; strings.HasPrefix(in.Type, "int") || in.Type == "" && in.Width == 64 {
			return fmt.Sprint(int64(v<<shift) >> shift)
		}
		if in.Type == "bool" {
			return fmt.Sprint(v != 0)
		}
	}
	return fmt.Sprint(v)
}
