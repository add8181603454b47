package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/recording"
	"github.com/everyway-go/everyway/internal/report"
	runs "github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

const recordHelp = `
usage: everyway record [flags] [packages]
       everyway record [flags] file.run

Record runs each test, fuzz target and example of the packages once, and writes
the schedule of the run: what each goroutine did to memory, locks and channels,
how it computed values from the input and from what others had written, and
which branches it took because of them. The default package is the one in the
current directory. Given a run file, record writes the schedule of that run.

A schedule goes to .everyway/<package>/<target>.schedule in the root of the
module. It can be analysed without the program:

	everyway record -run TestPool ./pool
	everyway race .everyway/pool/TestPool.schedule

Goroutines run for as long as they can, and the input of a fuzz target is its
first seed; with -seed, the interleaving is drawn at random.

With -text, people and other programs can read and write the schedule. Run
'everyway help format' for the format.

	everyway record -text -o - -run TestPool ./pool

With -native, tests run as go test runs them, built by the ordinary compiler,
without everyway's machine. Use that for tests that take minutes, or that need a
network, a file system or other processes:

	everyway record -native -run TestServer ./...

Everyway race then finds races and deadlocks that the schedule shows or that
follow from it, and everyway race -confirm makes the runs that show them.
-native needs Linux on amd64 or arm64, but neither cgo nor a C compiler, and
takes at most about as long as go test -race. Packages may use cgo and assembly;
what these do to memory is not recorded, and they are named.

If the run itself fails, record says so. The exit code is 0 whatever the run
shows, 2 if there is nothing to record, and 3 if a target needs more memory than
there is; the others are recorded.
`

type recordFlags struct {
	run, skip, fuzz, function, out string
	text, binary, concrete, short  bool
	native                         bool
	timeout                        time.Duration
	seed                           uint64
	memory                         memory.Size
	build                          buildFlags
	chdir                          *string
	args                           []string // after -args; nil if that was not given
}

func (f *recordFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.run, "run", "", "record only the tests, fuzz targets and examples whose name matches `regexp`")
	fs.StringVar(&f.skip, "skip", "", "leave out the tests, fuzz targets and examples whose name matches `regexp`")
	fs.StringVar(&f.fuzz, "fuzz", "", "record only the fuzz targets whose name matches `regexp`")
	fs.StringVar(&f.function, "func", "", "record the function or method `name` (F, T.M or (*T).M), or main with the arguments after -args")
	fs.StringVar(&f.out, "o", "", "write the schedule of the only target to `file`, or to the standard output if that is -")
	fs.BoolVar(&f.text, "text", false, "write the schedule as text, to a file whose name ends in .schedule.txt")
	fs.BoolVar(&f.binary, "binary", false, "write the schedule in the binary encoding, which is the default")
	fs.BoolVar(&f.concrete, "concrete", false, "leave out how values are computed: the schedule is smaller, but not symbolic")
	fs.Uint64Var(&f.seed, "seed", 0, "draw the interleaving at random, determined by `n`; with 0, goroutines run for as long\nas they can")
	fs.BoolVar(&f.native, "native", false, "run tests as go test does, and not in everyway's machine")
	fs.DurationVar(&f.timeout, "timeout", defaultTimeout, "with -native, end a run after this `time`; 0 means no limit")
	fs.BoolVar(&f.short, "short", false, "have testing.Short return true")
	fs.Func("memory", "use at most `size` of memory, such as 2GiB", func(s string) (err error) {
		f.memory, err = memory.ParseSize(s)
		return err
	})
	f.chdir = registerChdir(fs)
	f.build.register(fs)
}

// encoding returns the encoding that was asked for.
func (f *recordFlags) encoding() schedule.Encoding {
	if f.text {
		return schedule.TextEncoding
	}
	return schedule.BinaryEncoding
}

// scheduler returns a new scheduler of the interleaving that was asked for.
func (f *recordFlags) scheduler() runs.Scheduler {
	if f.seed != 0 {
		return runs.Random(f.seed)
	}
	return &runs.Fair{}
}

func runRecord(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	var f recordFlags
	fs := flag.NewFlagSet("record", flag.ContinueOnError)
	f.register(fs)
	if i := slices.Index(args, "-args"); i >= 0 {
		args, f.args = args[:i], append([]string{}, args[i+1:]...)
	}
	patterns, err := parseFlags(fs, args, stdout, recordHelp, goFlags)
	if err != nil {
		return 0, err
	}
	switch {
	case f.text && f.binary:
		return 0, usagef("-text cannot be combined with -binary")
	case f.memory != 0 && f.memory < leastMemory:
		return 0, usagef("-memory %v: give at least %v", f.memory, leastMemory)
	case f.function != "" && (f.run != "" || f.skip != "" || f.fuzz != ""):
		return 0, usagef("-func cannot be combined with -run, -skip or -fuzz")
	}
	if f.native {
		if err := f.checkNative(); err != nil {
			return 0, err
		}
	} else if f.timeout != defaultTimeout {
		return 0, usagef("-timeout needs -native: in everyway's machine, runs are bounded by their steps")
	}
	dir, err := enterDir(*f.chdir)
	if err != nil {
		return 0, err
	}
	r := &recorder{recordFlags: &f, dir: dir, stdout: stdout, stderr: stderr, files: files, budget: limitMemory(ctx, f.memory)}
	if slices.ContainsFunc(patterns, func(p string) bool { return strings.HasSuffix(p, ".run") }) {
		if len(patterns) > 1 {
			return 0, usagef("record takes one run file, and no packages with it")
		}
		if f.native {
			return 0, usagef("-native records tests, and not what is in a run file: everyway confirm runs that natively")
		}
		ctx, share := r.budget.Begin(ctx)
		defer share.End()
		return r.recorded(ctx, patterns[0])
	}
	return r.packages(ctx, patterns)
}

// A recorder writes schedules.
type recorder struct {
	*recordFlags
	dir            string
	stdout, stderr io.Writer
	files          disk.System
	budget         *memory.Budget
}

// to returns where schedules go.
func (r *recorder) to() scheduleFile {
	return scheduleFile{name: r.out, stdout: r.stdout, disks: r.files}
}

// recorded writes the schedule of a run file.
func (r *recorder) recorded(ctx context.Context, file string) (int, error) {
	recorded, err := readRun(ctx, file)
	if err != nil {
		return 0, err
	}
	prog, target, err := program.LoadRecorded(ctx, r.dir, recorded)
	if err != nil {
		return 0, usageError{memory.Reason(ctx, err)}
	}
	prog.Disk = r.files
	warnUntested(r.stderr, prog.Toolchain)
	w, err := r.worker(ctx, worker.NewMachines(prog, func(time.Duration) {}), prog, target, worker.RecordedSettings(recorded.Options))
	if err != nil {
		return 0, memory.Reason(ctx, err)
	}
	defer w.Close()
	var t *runs.Trace
	if r.concrete {
		_, t, err = w.Repeat(ctx, recorded)
	} else {
		t, err = w.RepeatSymbolic(ctx, recorded)
	}
	if err != nil {
		return 0, fmt.Errorf("repeating the run: %w", memory.Reason(ctx, err))
	}
	if t.Outcome == runs.Infeasible {
		return 0, usagef("%s: the run cannot be followed any more: the program takes another way", file)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".run") + r.extension()
	beside := disk.Path{Dir: disk.Dir{System: r.files, Path: filepath.Dir(file)}, Name: name}
	return exitOK, r.write(w, target, t, beside, schedule.Property{Name: schedule.RunProperty, Value: filepath.ToSlash(file)})
}

// extension returns what the names of schedules end in.
func (r *recorder) extension() string {
	if r.text {
		return ".schedule.txt"
	}
	return ".schedule"
}

// packages records the targets of packages.
func (r *recorder) packages(ctx context.Context, patterns []string) (int, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	choose := program.Selection{Run: r.run, Skip: r.skip, Func: r.function}
	var err error
	if r.fuzz != "" {
		if choose.Fuzz, err = regexp.Compile(r.fuzz); err != nil {
			return 0, usagef("-fuzz %s: %v", r.fuzz, err)
		}
	}
	cfg, err := program.LoadConfig(ctx, r.dir, patterns, r.build, r.function == "")
	if err != nil {
		return 0, usageError{err}
	}
	cfg.Cgo = r.recordFlags.native && cfg.Toolchain.Cgo
	loading, share := r.budget.Begin(ctx)
	prog, err := program.LoadPartial(loading, cfg)
	share.End()
	if err != nil {
		return 0, usageError{memory.Reason(loading, err)}
	}
	warnUntested(r.stderr, prog.Toolchain)
	prog.Args, prog.Disk = r.args, r.files
	out := newOutput(report.Formats()[0], report.Config{Stdout: r.stdout, Stderr: r.stderr, Chdir: *r.chdir})
	out.notBuilt(prog.Broken)
	if r.recordFlags.native && !cfg.Cgo && needCgo(prog.Broken) {
		fmt.Fprintln(r.stderr, "everyway: with CGO_ENABLED=1 and a C compiler, -native records packages that use cgo")
	}
	choose.Part = len(prog.Broken) > 0
	targets, err := prog.Select(choose)
	if err != nil {
		return 0, usageError{err}
	}
	if r.out != "" && len(targets) > 1 {
		return 0, usagef("-o %s: there are %d targets, and it is one file; choose one target with -run", r.out, len(targets))
	}
	if r.recordFlags.native {
		if err := r.native(ctx, prog, targets); err != nil {
			return 0, err
		}
		return out.exitCode()
	}
	machines := map[string]*worker.Machines{}
	large := 0
	var short error
	for i := range targets {
		t := &targets[i]
		if t.Kind != load.TargetMain && r.args != nil {
			return 0, usagef("-args: %s takes no arguments, only the main function of a program does: name it with -func main", t.Name)
		}
		binary := t.Package.Binary()
		if machines[binary] == nil {
			machines[binary] = worker.NewMachines(prog, func(time.Duration) {})
		}
		err := r.target(ctx, machines[binary], prog, t)
		if exceeded := (*memory.ExceededError)(nil); errors.As(err, &exceeded) {
			// The others may need less.
			fmt.Fprintf(r.stderr, "everyway: %s.%s: not recorded: %v\n", t.Package.Path, t.Name, err)
			machines[binary] = nil
			large++
			short = exceeded
			continue
		}
		if err != nil {
			return 0, err
		}
	}
	if short != nil {
		return 0, fmt.Errorf("%s not recorded: %w", report.Count(large, "target"), short)
	}
	return out.exitCode()
}

// needCgo reports whether a package does not build without cgo.
func needCgo(broken []load.Broken) bool {
	return slices.ContainsFunc(broken, func(b load.Broken) bool {
		return slices.ContainsFunc(b.Faults, func(f load.Fault) bool {
			_, ok := errors.AsType[*load.CgoError](f.Err)
			return ok
		})
	})
}

// target records a run of a target. If the machine cannot run it, that is said.
func (r *recorder) target(ctx context.Context, ms *worker.Machines, prog *program.Program, target *load.Target) error {
	ctx, share := r.budget.Begin(ctx)
	defer share.End()
	w, err := r.worker(ctx, ms, prog, target, runs.Settings{Limits: worker.DefaultLimits, Short: r.short, Run: r.run, Skip: r.skip})
	if unsupported := (*worker.UnsupportedError)(nil); errors.As(err, &unsupported) {
		fmt.Fprintf(r.stderr, "everyway: %s.%s: %v\n", target.Package.Path, target.Name, err)
		return nil
	}
	if err != nil {
		return memory.Reason(ctx, err)
	}
	defer w.Close()
	if _, err := w.FindSeeds(ctx, 0); err != nil {
		return memory.Reason(ctx, err)
	}
	t, err := w.Transcribe(ctx, r.scheduler, !r.concrete)
	if err != nil {
		return memory.Reason(ctx, err)
	}
	return r.write(w, target, t, prog.Output("", target, r.extension()))
}

// worker returns a worker that records runs of a target.
func (r *recorder) worker(ctx context.Context, ms *worker.Machines, prog *program.Program, target *load.Target, settings runs.Settings) (*worker.Worker, error) {
	corpus, err := worker.ReadCorpus(prog, target)
	if err != nil {
		return nil, err
	}
	settings.Concrete = r.concrete
	return ms.Worker(ctx, target, worker.Config{Settings: settings, Corpus: corpus}, runs.NewNames(), func([]byte) {})
}

// write writes the schedule of a run, and says what it is.
func (r *recorder) write(w *worker.Worker, target *load.Target, t *runs.Trace, file disk.Path, about ...schedule.Property) error {
	goroutines := 0
	for i := range t.Events {
		if t.Events[i].Op == schedule.Start {
			goroutines++
		}
	}
	written, err := r.to().put(file, func(to io.Writer) (int64, error) { return w.WriteSchedule(to, r.encoding(), t, about...) })
	if err != nil || r.out == "-" {
		return err
	}
	fmt.Fprintf(r.stdout, "recorded %s.%s\t%s, %s\n", target.Package.Path, target.Name,
		report.Count(written.events, "event"), report.Count(goroutines, "goroutine"))
	if t.Message != "" {
		fmt.Fprintf(r.stdout, "        not to its end: %s\n", w.Explain(t.Message))
	}
	for _, f := range w.Findings(t) {
		found := w.RecordFinding(&f)
		message, _, _ := strings.Cut(found.Message, "\n")
		fmt.Fprintf(r.stdout, "        the run itself fails: %s: %s\n", report.Relative(r.dir, found.Pos), message)
	}
	fmt.Fprintf(r.stdout, "        %s\n", report.Relative(r.dir, written.file))
	return nil
}

// defaultTimeout is how long a native run may take, as with go test.
const defaultTimeout = 10 * time.Minute

// recordingSize is how many bytes a native run records at most.
const recordingSize = 4 << 30

// failureLines is how many lines are printed of what a native run has printed that fails.
const failureLines = 20

// checkNative says which flags do not go with -native.
func (f *recordFlags) checkNative() error {
	for _, x := range []struct {
		given bool
		name  string
	}{
		{f.seed != 0, "-seed"}, {f.concrete, "-concrete"}, {f.function != "", "-func"}, {f.fuzz != "", "-fuzz"}, {f.args != nil, "-args"},
	} {
		if x.given {
			return usagef("-native cannot be combined with %s", x.name)
		}
	}
	for _, b := range f.build {
		if strings.HasPrefix(b, "-overlay=") {
			return usagef("-native cannot be combined with -overlay: it has one of its own")
		}
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return usagef("-native needs Linux on amd64 or arm64, and this is %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// native records a native run of each target, which are of one program.
func (r *recorder) native(ctx context.Context, prog *program.Program, targets []load.Target) (err error) {
	session, err := recording.NewSession(prog.Toolchain.GOROOT, r.build)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	said := map[string]bool{}
	for i := range targets {
		target := &targets[i]
		if target.Kind != load.TargetTest {
			fmt.Fprintf(r.stderr, "everyway: %s.%s: a %s is not recorded natively, only tests are\n",
				target.Package.Path, target.Name, target.Kind)
			continue
		}
		binary, err := session.Build(ctx, target.Package.Dir)
		if err != nil {
			return usageError{err}
		}
		for _, of := range []struct {
			language string
			packages []string
		}{{"C", prog.CgoOf(target.Package)}, {"assembly", binary.Assembly}} {
			for _, path := range of.packages {
				if line := fmt.Sprintf("everyway: %s: what it does to memory in %s is not recorded\n", path, of.language); !said[line] {
					said[line] = true
					fmt.Fprint(r.stderr, line)
				}
			}
		}
		if err := r.nativeTarget(ctx, binary, prog, target); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// nativeTarget records a native run of a target.
func (r *recorder) nativeTarget(ctx context.Context, binary *recording.Program, prog *program.Program, target *load.Target) (err error) {
	flags := []string{"-test.timeout=" + r.timeout.String()}
	if r.short {
		flags = append(flags, "-test.short")
	}
	result, err := binary.Record(ctx, target.Name, flags, recordingSize)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, result.Close()) }()
	build, err := prog.Build(target)
	if err != nil {
		return err
	}
	settings := runs.Settings{Limits: worker.DefaultLimits, Short: r.short, Run: r.run, Skip: r.skip}
	header := worker.Header(prog, target, build, settings)
	var sum recording.Summary
	written, err := r.to().put(prog.Output("", target, r.extension()), func(to io.Writer) (events int64, err error) {
		table := schedule.NewTable()
		w, err := schedule.NewWriter(to, r.encoding(), table, header.Properties()...)
		if err != nil {
			return 0, err
		}
		o := recording.Options{Program: binary.Binary(), GOROOT: prog.Toolchain.GOROOT, Root: prog.RootOf(target.Package)}
		if sum, err = result.WriteSchedule(w, table, o); err != nil {
			return 0, err
		}
		return w.Events(), w.Close()
	})
	if errors.Is(err, recording.ErrNothing) {
		return usageError{fmt.Errorf("%s.%s: %w", target.Package.Path, target.Name, err)}
	}
	if err != nil || r.out == "-" {
		return err
	}
	fmt.Fprintf(r.stdout, "recorded %s.%s\t%s, %s, natively\n", target.Package.Path, target.Name,
		report.Count(written.events, "event"), report.Count(sum.Goroutines, "goroutine"))
	switch {
	case result.Interrupted:
		fmt.Fprintf(r.stdout, "        not to its end: interrupted\n")
	case sum.Full:
		fmt.Fprintf(r.stdout, "        not to its end: more than %d MB were recorded\n", recordingSize>>20)
	case sum.Cut != nil:
		fmt.Fprintf(r.stdout, "        not to its end: %v\n", sum.Cut)
	}
	if sum.Others > 0 {
		fmt.Fprintf(r.stdout, "        without %s that the test has not started\n", report.Count(sum.Others, "goroutine"))
	}
	if result.Failure != "" && !result.Interrupted {
		fmt.Fprintf(r.stdout, "        the run itself fails: %s\n", result.Failure)
		lines := strings.Split(strings.TrimRight(result.Output, "\n"), "\n")
		for i, line := range lines {
			if i == failureLines {
				fmt.Fprintf(r.stdout, "        | and %d more lines\n", len(lines)-i)
				break
			}
			fmt.Fprintf(r.stdout, "        | %s\n", line)
		}
	}
	fmt.Fprintf(r.stdout, "        %s\n", report.Relative(r.dir, written.file))
	return nil
}
