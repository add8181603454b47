package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/clock"
	"github.com/everyway-go/everyway/internal/engine/linearity"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
)

// linearGroups are the flags of everyway linear that not everybody needs.
var linearGroups = []flagGroup{
	{"How a search is made", "clock maxchain maxlen maxobjects memory runs seed stall strategy workers"},
	{"What is printed and written", "coverprofile github json junit profile sarif"},
	goFlags,
}

const linearHelp = `
usage: everyway linear -type type [flags] [package]

Linear makes tests of a type that is used by several goroutines, and searches
them: you need not write any. The type is written as in its package, by default
the one in the current directory:

	everyway linear -type '*Queue[int]' ./queue

Linear finds the constructors and the exported methods of the type and gives
their parameters small values. It makes all histories of 2 goroutines that make
a call each, then 2 calls each of any two methods, and searches each history
under every interleaving. What the calls return has to be what they return in
some order in which they are made one at a time; a call that had returned before
another one was made comes before that in the order. A call may block for ever
only if it also does at the end of such an order. If there is no such order, the
type is not linearizable: the history is shown as bars in time, with the
interleaving that leads to it.

Larger histories follow. -bounds says which, and -budget how long the search of
each bound may take:

	everyway linear -type '*Map' -bounds 2x2,3x2,2+2x2 -budget 5m ./cmap

2+2x2 is 2 calls, and then 2 goroutines that make 2 calls each. 2x2/2 is those
histories of 2x2 whose calls are of at most 2 methods.

Histories begin with what constructors make. With -from they begin with other
values: with all that at most a number of calls leads to, or with all for which
a predicate holds, which is a method, or a function of the package or its tests:

	everyway linear -type '*Queue[int]' -from 2 ./queue
	everyway linear -type '*Ring' -from valid ./ring

If the calls of a type give different results when they are made again, one at a
time, its methods are named and the type is not searched. For such types, and
where a specification says more than the code, a model says what calls may
return: a variable of the package or its tests that is a porcupine.Model
(github.com/anishathalye/porcupine). It gets a struct{ Method string; Args []any }
and the results as an []any, or what the function of -encode makes of them:

	everyway linear -type '*Queue[int]' -model queueModel -encode queueCall ./queue

Leave out methods that do several things one after the other on purpose, such as
a Range during which others may change the value:

	everyway linear -type '*Map' -skip 'Range|Clear' sync

The exit code is 0 if all histories are explained or the search is open, 1 if
there is a finding, 2 if there is nothing to search, and 3 if everyway itself is
at fault.
`

// defaultBounds are those of -bounds.
const defaultBounds = "2x1,2x2/2,1+2x2/2,2x2,3x2/2"

// maxFromCalls is the most calls of -from, which are made in one run in all sequences.
const maxFromCalls = 6

type linearFlags struct {
	search.Config
	output         outputFlags
	typ            string
	run, skip, new string
	from           string
	clock          string // worldClock or processorClock
	bounds         string
	options        linear.Options
	build          buildFlags
	chdir          *string
	memory         memory.Size
}

func (f *linearFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.typ, "type", "", "`type` to test, as its package writes it: '*Queue[int]'")
	fs.StringVar(&f.bounds, "bounds", defaultBounds, "sizes of histories, a `list` in the order in which they are searched: goroutines x calls\nof each, after calls that come before (2+2x2), of at most some methods (2x2/2)")
	fs.StringVar(&f.run, "run", "", "call only the methods whose name matches `regexp`")
	fs.StringVar(&f.skip, "skip", "", "leave out the methods whose name matches `regexp`")
	fs.StringVar(&f.new, "new", "", "make values only with the functions whose name matches `regexp`")
	fs.StringVar(&f.from, "from", "", "values with which histories begin, as `number|name|any`: those to which so many calls lead,\nthose for which the predicate of that name holds, or all (default what constructors make)")
	fs.Var(&f.options.Values, "values", "Go `expressions` to pass for the parameters of a type, as in int=1,2,3, or for one parameter\nof a function or method, as in Push.v=1,2; can be repeated")
	fs.StringVar(&f.options.Model, "model", "", "compare with a model, not with calls made one at a time: a `variable` of the package or its\ntests that is a porcupine.Model")
	fs.StringVar(&f.options.Encode, "encode", "", "`function` of the package or its tests that makes what the model gets of a call:\nfunc(method string, args, results []any) (input, output any)")
	fs.BoolVar(&f.All, "all", false, "look for all findings, and search all bounds")
	fs.DurationVar(&f.Budget, "budget", search.DefaultBudget, "time for each bound")
	fs.DurationVar(&f.Total, "total", 0, "time for all bounds together; 0 means no limit")
	fs.StringVar(&f.clock, "clock", worldClock, clockUsage)
	fs.Func("memory", "use at most `size` of memory, such as 2GiB; a search that needs more is open\n(default three quarters of what the computer or the control group has)", func(s string) (err error) {
		f.memory, err = parseMemory(s)
		return err
	})
	fs.IntVar(&f.Runs, "runs", 0, "make at most this `number` of runs of each bound; 0 means no limit")
	fs.IntVar(&f.MaxLen, "maxlen", worker.DefaultMaxLen, "with -from, greatest `length` of strings and slices in the values")
	fs.IntVar(&f.MaxObjects, "maxobjects", worker.DefaultMaxObjects, "with -from, greatest `number` of objects of each type in a value")
	fs.IntVar(&f.MaxChain, "maxchain", worker.DefaultMaxChain, "with -from, greatest `number` of pointers in a row that lead to an object of a value")
	fs.IntVar(&f.Workers, "workers", runtime.GOMAXPROCS(0), "make this `number` of runs at the same time")
	fs.BoolVar(&f.Resume, "resume", false, "go on with searches that were interrupted or ran out of time")
	fs.Uint64Var(&f.Seed, "seed", 1, "`number` from which all random choices follow; the same one gives the same search")
	fs.StringVar(&f.Strategy, "strategy", search.DefaultStrategy, strategyUsage())
	f.Stall = search.DefaultStall
	fs.Func("stall", fmt.Sprintf("let at most this `duration` pass while a goroutine could run, such as 10ms, or any\n(default %v)", search.DefaultStall), func(s string) (err error) {
		f.Stall, err = parseStall(s)
		return err
	})
	fs.StringVar(&f.OutDir, "o", "", "write run files to `directory` (default .everyway in the module's root)")
	f.chdir = registerChdir(fs)
	f.build.register(fs)
	f.output.register(fs, "print progress, call stacks and what the code under test prints", true)
}

// check refuses values that no search can use, and finds out what is to be called.
func (f *linearFlags) check() (bounds []linear.Bound, err error) {
	switch {
	case f.typ == "":
		return nil, usagef("name the type that is tested: everyway linear -type '*Queue[int]' ./queue")
	case f.Budget <= 0:
		return nil, usagef("-budget %v: give a positive time, such as 30s", f.Budget)
	case f.Total < 0:
		return nil, usagef("-total %v: give a positive time, or 0 for none", f.Total)
	case f.Runs < 0:
		return nil, usagef("-runs %d: give a positive number, or 0 for no bound", f.Runs)
	case f.Workers < 1:
		return nil, usagef("-workers %d: at least 1 is needed", f.Workers)
	case f.clock != worldClock && f.clock != processorClock:
		return nil, usagef("-clock %s: want world or processor", f.clock)
	case f.clock == processorClock && !cputime.Known:
		return nil, usagef("-clock processor: the processor time of a process is not known on this system")
	case f.MaxLen < 0:
		return nil, usagef("-maxlen %d: a length is not negative", f.MaxLen)
	case f.MaxObjects < 1 || f.MaxChain < 1:
		return nil, usagef("-maxobjects %d, -maxchain %d: at least 1 is needed", f.MaxObjects, f.MaxChain)
	case f.Stall >= linear.Patience:
		return nil, usagef("-stall: give less than %v, which is how long a call is waited for that blocks", linear.Patience)
	case f.options.Encode != "" && f.options.Model == "":
		return nil, usagef("-encode makes what a model takes: name one with -model")
	case f.Resume && f.output.covers():
		return nil, usagef("-resume cannot be combined with -coverprofile: what was executed before is not known")
	}
	if f.clock == processorClock {
		f.Clock = clock.Processor(f.Workers)
	}
	for _, pattern := range []struct {
		flag, text string
		to         **regexp.Regexp
	}{{"run", f.run, &f.options.Run}, {"skip", f.skip, &f.options.Skip}, {"new", f.new, &f.options.New}} {
		if pattern.text == "" {
			continue
		}
		if *pattern.to, err = regexp.Compile(pattern.text); err != nil {
			return nil, usagef("-%s %s: %v", pattern.flag, pattern.text, err)
		}
	}
	if n, err := strconv.Atoi(f.from); err == nil {
		if n < 0 || n > maxFromCalls {
			return nil, usagef("-from %d: give a number of calls from 0 to %d", n, maxFromCalls)
		}
		f.options.FromCalls = n
	} else {
		f.options.From = f.from
	}
	if f.options.From != "" && f.new != "" {
		return nil, usagef("-from %s makes values without the constructors that -new chooses", f.from)
	}
	for text := range strings.SplitSeq(f.bounds, ",") {
		b, err := linear.ParseBound(strings.TrimSpace(text))
		if err != nil {
			return nil, usagef("-bounds: %w", err)
		}
		bounds = append(bounds, b)
	}
	if err := f.Config.Check(); err != nil {
		return nil, usageError{err}
	}
	return bounds, nil
}

func runLinear(ctx context.Context, args []string, stdout, stderr io.Writer, files disk.System) (int, error) {
	var f linearFlags
	fs := flag.NewFlagSet("linear", flag.ContinueOnError)
	f.register(fs)
	packages, err := parseFlags(fs, args, stdout, linearHelp, linearGroups...)
	if err != nil {
		return 0, err
	}
	bounds, err := f.check()
	if err != nil {
		return 0, err
	}
	if len(packages) > 1 {
		return 0, usagef("linear takes one package: the one that declares the type")
	}
	dir, err := enterDir(*f.chdir)
	if err != nil {
		return 0, err
	}
	format, err := f.output.format()
	if err != nil {
		return 0, err
	}
	f.Estimate, f.Profile = f.output.verbose, f.output.profiles()
	f.NoCorpus = true // there is no fuzz target to save inputs for
	f.Leaks = "none"  // a call that blocks is a result
	f.MaxDegree = search.DefaultMaxDegree
	f.Memory = limitMemory(ctx, f.memory)
	f.Limits.Memory = int64(f.Memory.Limit().RunLimit(memory.Size(worker.DefaultLimits.Memory)))
	pattern := "."
	if len(packages) > 0 {
		pattern = packages[0]
	}
	start := time.Now()
	tests, err := f.load(ctx, linearity.Config{
		Dir: dir, Package: pattern, Flags: f.build, Type: f.typ, Options: f.options, Bounds: bounds, Blocks: f.output.covers(),
		Search: f.Config,
	})
	if err != nil {
		return 0, usageError{err}
	}
	tests.Program.Disk = files
	warnUntested(stderr, tests.Program.Toolchain)
	for _, l := range tests.Subject.Left {
		fmt.Fprintf(stderr, "everyway: %s is not called: %s\n", l.Name, l.Why)
	}
	out, err := f.output.open(format, report.Config{
		Stdout: stdout, Stderr: stderr, Terminal: terminal(stderr), Chdir: *f.chdir, Source: tests.Program.Line, Blocks: tests.Program.BlockList(),
	}, files)
	if err != nil {
		return 0, err
	}
	out.Loaded(len(tests.Bounds), time.Since(start))
	begin := time.Now()
	err = tests.Search(ctx, f.Config, out)
	out.Done(time.Since(begin))
	if err != nil && !out.fault && !errors.Is(err, context.Canceled) {
		return 0, err
	}
	return out.exitCode()
}

// load makes the tests within the memory that there is.
func (f *linearFlags) load(ctx context.Context, cfg linearity.Config) (*linearity.Tests, error) {
	ctx, share := f.Memory.Begin(ctx)
	defer share.End()
	tests, err := linearity.Load(ctx, cfg)
	if err != nil {
		return nil, memory.Reason(ctx, err)
	}
	return tests, nil
}
