package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/clock"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/results"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/report"
	runs "github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/external"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/testname"
)

const testHelp = `
usage: everyway test [flags] [packages]

Test searches the tests, fuzz targets and examples of the packages for an input
and an interleaving of the goroutines that break them. Packages are named as
for go test; the default is the one in the current directory.

A fuzz target is searched over its arguments, a test over its interleavings,
and a function or method named with -func over its parameters. A program
without tests, or one named with -func main, is searched from its main
function, with the arguments after -args. Tests that call t.Parallel and share
variables are searched once more, together, as TestA+TestB.

	everyway test ./...                       everything
	everyway test -run TestPool ./pool        one test
	everyway test -fuzz FuzzAddAll ./vector   one fuzz target
	everyway test -func Parse ./syntax        a function, over its parameters

A finding is printed and saved as a run file, which everyway replay runs again.
The input of a fuzz target is also saved below testdata/fuzz, where plain go
test uses it.

The exit code is

	0  if every target holds or is open,
	1  if a target fails,
	2  if a package does not build, or there is nothing to search: a bad flag,
	   no such package, no target,
	3  if everyway itself is at fault, or the solver of -solver, or the output
	   cannot be written.

If some packages do not build, the others are searched, and the exit code is 2
unless one of their targets fails.
`

// testGroups are the flags of everyway test that not everybody needs.
var testGroups = []flagGroup{
	{"What can happen in a run", "leaks maxchain maxlen maxobjects network processors signals stall timers"},
	{"Where a search begins, and what it looks for", "at fail from globals goroutines piece pieces reach"},
	{"How a search is made", "clock k memory order reduce runs seed solver strategy summaries"},
	{"What is printed and written", "corpus coverprofile github json junit profile sarif"},
	goFlags,
}

// clockUsage is what the help says of -clock.
const clockUsage = "`clock` for -budget and -total: world, or processor, which is the processor time of everyway\ndivided by -workers and leaves out other work on the computer"

// What -clock and -solver take that has a name here.
const (
	worldClock     = "world"
	processorClock = "processor"
	builtinSolver  = "builtin"
)

type testFlags struct {
	search.Config
	output          outputFlags
	run, skip, fuzz string
	list, function  string
	globals         []string // of -globals
	listing         bool     // -list was given
	count           int      // 1 if kept results are not to be used
	build           buildFlags
	args            []string // after -args; nil if that was not given
	chdir           *string
	stallFlags      int          // number of times that -stall or -timers was given
	clock           string       // worldClock or processorClock
	reach           []place.Spec // places to be reached
	reachFails      bool         // a target in which they are reached fails
	at              []string     // where goroutines begin
	calls           string       // the package, with calls into which they begin
	from            string       // the file of a goroutine dump that says so; "-" for standard input
	goroutines      int          // of the dump that begin
	pieces          int          // number of pieces in which a target is searched; 0 for none
	piece           uint64       // instructions of a run of one
	memory          memory.Size
	solver          string
	summaries       bool   // summaries take the place of code
	html            string // the file of the HTML page; "" for none
}

func (f *testFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.run, "run", "", "search only the tests, fuzz targets and examples whose name matches `regexp`;\nwhat follows a slash selects subtests, as in -run 'TestA/size=1'")
	fs.StringVar(&f.skip, "skip", "", "leave out the tests, subtests, fuzz targets and examples whose name matches `regexp`")
	fs.StringVar(&f.fuzz, "fuzz", "", "search only the fuzz targets whose name matches `regexp`")
	fs.Func("list", "list the tests, fuzz targets and examples whose name matches `regexp`, and search nothing", func(value string) error {
		f.list, f.listing = value, true
		return nil
	})
	fs.BoolVar(&f.All, "all", false, "look for all findings of a target, not only the first")
	fs.BoolVar(&f.FailFast, "failfast", false, "begin no more searches once a target has failed")
	fs.Bool("race", true, "accepted, as for go test; data races are always looked for")
	f.chdir = registerChdir(fs)
	fs.StringVar(&f.function, "func", "", "search the function or method `name` (F, T.M or (*T).M) over its parameters;\nmain is a program's main function, with the arguments after -args")
	fs.Func("globals", "with -func, make package variables inputs, too: `names` separated by commas;\nothers have the values that their initialisers give them", f.addGlobals)
	fs.Func("reach", "look for a run that reaches a `place`: file.go:LINE, file.go:LINE:COLUMN, a function, or\nrace, deadlock or panic, for all places where static analysis suspects one; repeat it\nfor places that goroutines reach at the same time (see everyway help howto)", f.addReach)
	fs.BoolVar(&f.reachFails, "fail", false,
		"make a target fail in which the places of -reach are reached or, with -at, that has\na possible finding")
	fs.Func("at", "begin the search at a `place`, not with a test: file.go:LINE, file.go:LINE:COLUMN, a function,\nor calls:PKG, for calls into a package that may run at once; repeat it to begin\nwith several goroutines (see everyway help contexts)", f.addAt)
	fs.StringVar(&f.from, "from", "", "begin the search where the goroutines of a dump are, which is in `file`, or in the standard\ninput if that is - (see everyway help contexts)")
	fs.Func("goroutines", "with -at, begin with this `number` of goroutines, several at a place if need be;\nwith -from, with this many at most (default 8)", func(value string) (err error) {
		if f.goroutines, err = strconv.Atoi(value); err != nil || f.goroutines < 1 {
			return errors.New("want a number above 0")
		}
		return nil
	})
	fs.IntVar(&f.pieces, "pieces", 0, "end runs after -piece instructions, and begin other searches where they ended, as with -at,\nup to this `number` of pieces (see everyway help contexts)")
	fs.Uint64Var(&f.piece, "piece", search.PieceInstructions, "with -pieces, end runs after this `number` of instructions")
	fs.StringVar(&f.Strategy, "strategy", search.DefaultStrategy, strategyUsage())
	fs.StringVar((*string)(&f.Order), "order", string(search.DefaultOrder), "`order` in which hyperconcolic makes its runs: preemptions (those with few first), depth\n(depth first), length (short ones first) or, with -reach, distance (nearest first)")
	fs.IntVar(&f.MaxDegree, "k", search.DefaultMaxDegree, "greatest `number` of interferences that con2colic combines")
	fs.DurationVar(&f.Budget, "budget", search.DefaultBudget, "time for each target")
	fs.DurationVar(&f.Total, "total", 0, "time for all targets together; 0 means no limit")
	fs.DurationVar(&f.Total, "timeout", 0, "the same as -total")
	fs.StringVar(&f.clock, "clock", worldClock, clockUsage)
	fs.Func("memory", "use at most `size` of memory, such as 2GiB; a search that needs more is open\n(default three quarters of what the computer or the control group has)", f.setMemory)
	fs.IntVar(&f.Runs, "runs", 0, "make at most this `number` of runs of each target; 0 means no limit")
	fs.Func("count", "with -count `1`, search again what has a kept verdict; verdicts are kept until\nsomething changes that the target depends on", f.setCount)
	fs.IntVar(&f.Workers, "workers", runtime.GOMAXPROCS(0), "make this `number` of runs at the same time, of one target or of several")
	fs.BoolVar(&f.Resume, "resume", false, "go on with searches that were interrupted or ran out of time")
	fs.Uint64Var(&f.Seed, "seed", 1, "`number` from which all random choices follow; the same one gives the same search")
	fs.IntVar(&f.MaxLen, "maxlen", 0, fmt.Sprintf("try strings and slices of up to `n` elements; 0 means %d, or half as many again as\nthe longest seed has, up to %d", worker.DefaultMaxLen, worker.MaxSeedLen))
	fs.IntVar(&f.MaxObjects, "maxobjects", worker.DefaultMaxObjects, "greatest `number` of objects of a type that pointers in the input lead to")
	fs.IntVar(&f.MaxChain, "maxchain", worker.DefaultMaxChain, "greatest `number` of pointers in a row that lead to an object of the input")
	fs.Func("summaries", "whether to use summaries of functions in place of their code: `on|off` (default off)", f.setSummaries)
	f.Stall, f.LongStall = search.DefaultStall, search.DefaultLongStall
	fs.Func("stall", fmt.Sprintf("let at most this `duration` pass while a goroutine could run, such as 10ms, or any\n(default %v, and %v in a few random runs)", search.DefaultStall, search.DefaultLongStall), f.setStall)
	fs.Func("timers", "when timers fire: `idle|any`, that is, when nothing else can happen (-stall 0) or at any point\n(-stall any)", f.setTimers)
	fs.StringVar((*string)(&f.Leaks), "leaks", string(check.LeaksUnreachable), "`which` goroutines make a target fail if they remain when it has returned: unreachable\n(those that nothing can wake), all or none")
	fs.IntVar(&f.Signals, "signals", 0, "let at most this `number` of signals come from outside, of those that the program asks for\nwith os/signal")
	fs.IntVar(&f.Processors, "processors", runs.DefaultProcessors, "`number` of processors that the program is told there are; every interleaving is searched\nin any case")
	fs.Func("network", "`how` data arrives: whole, pieces (in pieces of any size) or breaks (in pieces, and\nconnections may break) (default whole)", f.setNetwork)
	fs.BoolVar(&f.Short, "short", false, "have testing.Short return true")
	fs.StringVar(&f.solver, "solver", builtinSolver, "`name` of the solver: builtin, "+strings.Join(external.Names(), ", ")+", the path of a program that reads SMT-LIB 2,\nor cross or cross:NAME, to compare the built-in one with another (see everyway help solver)")
	fs.StringVar(&f.OutDir, "o", "", "write run files to `directory` (default .everyway in the module's root)")
	fs.Func("corpus", "whether to write failing inputs of fuzz targets to testdata/fuzz: `on|off` (default on)", f.setCorpus)
	fs.Func("reduce", reduceUsage(), f.setReductions)
	fs.StringVar(&f.html, "html", "", "write a page to `file` that shows findings step by step, and what was covered")
	f.build.register(fs)
	f.output.register(fs, "print progress, call stacks and what the code under test prints", true)
}

// addGlobals adds the variables of -globals.
func (f *testFlags) addGlobals(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); !token.IsIdentifier(name) || name == "_" {
			return errors.New("want names of package variables, as in cache,size")
		}
		f.globals = append(f.globals, name)
	}
	return nil
}

// setSummaries sets whether there are summaries.
func (f *testFlags) setSummaries(s string) error {
	on, err := parseSwitch(s)
	f.summaries = on
	return err
}

// parseSwitch parses on and off.
func parseSwitch(s string) (on bool, err error) {
	if s != "on" && s != "off" {
		return false, errors.New("want on or off")
	}
	return s == "on", nil
}

// setStall sets the stall of -stall.
func (f *testFlags) setStall(s string) error {
	f.stallFlags++
	f.LongStall = 0
	var err error
	f.Stall, err = parseStall(s)
	return err
}

// parseStall parses what -stall takes.
func parseStall(s string) (time.Duration, error) {
	if s == "any" {
		return search.AnyStall, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, errors.New("give a duration that is not negative, such as 10ms, or any")
	}
	return d, nil
}

// addReach adds a place of -reach, or sets its kind.
func (f *testFlags) addReach(s string) error {
	if f.Reach == nil {
		f.Reach = new(search.Reach)
	}
	f.Reach.Given = append(f.Reach.Given, s)
	if kind, ok := reach.KindOf(s); ok {
		if f.Reach.Kind != "" {
			return errors.New("one kind can be looked for at a time")
		}
		f.Reach.Kind = kind
		return nil
	}
	spec, err := place.Parse(s)
	if err != nil {
		return err
	}
	f.reach = append(f.reach, spec)
	return nil
}

// addAt adds a goroutine of -at.
func (f *testFlags) addAt(s string) error {
	if pkg, ok := strings.CutPrefix(s, search.CallsPrefix); ok {
		if pkg == "" || f.calls != "" {
			return errors.New("want one package, as in calls:sync")
		}
		f.calls = pkg
		return nil
	}
	for _, text := range place.Split(strings.TrimPrefix(s, program.Waiting)) {
		if _, err := place.Parse(text); err != nil {
			return err
		}
	}
	f.at = append(f.at, s)
	return nil
}

// setMemory sets the memory of -memory.
func (f *testFlags) setMemory(s string) (err error) {
	f.memory, err = parseMemory(s)
	return err
}

// parseMemory parses what -memory takes.
func parseMemory(s string) (memory.Size, error) {
	size, err := memory.ParseSize(s)
	if err == nil && size < leastMemory {
		err = fmt.Errorf("give at least %v", leastMemory)
	}
	return size, err
}

// setNetwork sets the network of -network.
func (f *testFlags) setNetwork(s string) error {
	var ok bool
	if f.Network, ok = search.Networks[s]; !ok {
		return errors.New("want whole, pieces or breaks")
	}
	return nil
}

// setCorpus sets the corpus of -corpus.
func (f *testFlags) setCorpus(s string) error {
	on, err := parseSwitch(s)
	f.NoCorpus = !on
	return err
}

// setReductions sets the reductions of -reduce.
func (f *testFlags) setReductions(s string) error {
	r, err := search.ParseReductions(s)
	f.Reductions = &r
	return err
}

// setCount sets the count of -count.
func (f *testFlags) setCount(s string) error {
	if s != "1" {
		return errors.New("want 1, which searches again; a further search would find the same")
	}
	f.count = 1
	return nil
}

// setTimers sets the stall of -timers.
func (f *testFlags) setTimers(s string) error {
	f.stallFlags++
	f.LongStall = 0
	switch s {
	case "idle":
		f.Stall = 0
	case "any":
		f.Stall = search.AnyStall
	default:
		return errors.New("want idle or any")
	}
	return nil
}

// strategyUsage lists what -strategy takes, a line each.
func strategyUsage() string {
	var b strings.Builder
	b.WriteString("`name` of the strategy (see everyway help strategies):\n")
	for _, s := range search.Strategies() {
		fmt.Fprintf(&b, "  %-14s %s\n", s.Name, s.Doc)
	}
	return b.String()
}

// reduceUsage lists what -reduce takes.
func reduceUsage() string {
	return "leave out runs that show nothing new, in the ways that `list` names: some of\n" + strings.Join(search.ReductionWords(), ",") +
		",\nor all, or none (see everyway help strategies) (default all)"
}

// covers reports whether it is to be known which statements are executed.
func (f *testFlags) covers() bool { return f.html != "" || f.output.covers() }

// check refuses values that no search can use.
func (f *testFlags) check() error {
	switch {
	case f.MaxDegree < 0:
		return usagef("-k %d: a degree is not negative", f.MaxDegree)
	case f.Budget <= 0:
		return usagef("-budget %v: give a positive time, such as 30s", f.Budget)
	case f.Total < 0:
		return usagef("-total %v: give a positive time, or 0 for none", f.Total)
	case f.Runs < 0:
		return usagef("-runs %d: give a positive number, or 0 for no bound", f.Runs)
	case f.Workers < 1:
		return usagef("-workers %d: at least 1 is needed", f.Workers)
	case f.Signals < 0:
		return usagef("-signals %d: a number of signals is not negative", f.Signals)
	case f.Processors < 1:
		return usagef("-processors %d: a computer has at least 1", f.Processors)
	case f.MaxLen < 0:
		return usagef("-maxlen %d: a length is not negative", f.MaxLen)
	case f.MaxObjects < 1 || f.MaxChain < 1:
		return usagef("-maxobjects %d, -maxchain %d: at least 1 is needed", f.MaxObjects, f.MaxChain)
	case f.stallFlags > 1:
		return usagef("-stall cannot be combined with -timers, or be given twice")
	case f.function != "" && (f.run != "" || f.skip != "" || f.fuzz != ""):
		return usagef("-func cannot be combined with -run, -skip or -fuzz")
	case len(f.globals) > 0 && (f.function == "" || f.function == "main"):
		return usagef("-globals makes variables inputs of a function: name one with -func")
	case f.Resume && f.covers():
		return usagef("-resume cannot be combined with -coverprofile or -html: what was executed before is not known")
	case f.Reach != nil && f.Reach.Kind != "" && len(f.reach) > 0:
		return usagef("-reach %s cannot be combined with places: it finds those itself", f.Reach.Kind)
	case f.Reach != nil && f.Reach.Kind != "" && f.reachFails:
		return usagef("-fail cannot be combined with -reach %s, whose findings make a target fail in any case", f.Reach.Kind)
	case f.reachFails && len(f.reach) == 0 && !f.inMiddle():
		return usagef("-fail says what -reach and -at end in: name a place with one of them")
	case f.Reach != nil && f.listing:
		return usagef("-reach cannot be combined with -list")
	case f.calls != "" && len(f.at) > 0:
		return usagef("-at %s%s cannot be combined with places: it finds those itself", search.CallsPrefix, f.calls)
	case f.calls != "" && f.Reach != nil:
		return usagef("-at %s%s cannot be combined with -reach", search.CallsPrefix, f.calls)
	case f.from != "" && (len(f.at) > 0 || f.calls != ""):
		return usagef("-from cannot be combined with -at: a dump says where its goroutines are")
	case f.calls != "" && f.goroutines > 0:
		return usagef("-at %s%s cannot be combined with -goroutines: two and three calls begin", search.CallsPrefix, f.calls)
	case f.goroutines > 0 && f.from == "" && len(f.at) == 0:
		return usagef("-goroutines says with how many goroutines a search begins: say where with -at, or -from")
	case f.goroutines > 0 && len(f.at) > f.goroutines:
		return usagef("-goroutines %d: -at names %d places, with a goroutine at each", f.goroutines, len(f.at))
	case f.from != "" && (f.run != "" || f.skip != "" || f.fuzz != "" || f.function != "" || f.listing || f.Resume || f.args != nil):
		return usagef("-from cannot be combined with -run, -skip, -fuzz, -func, -list, -resume or -args")
	case (len(f.at) > 0 || f.calls != "") &&
		(f.run != "" || f.skip != "" || f.fuzz != "" || f.function != "" || f.listing || f.Resume || f.args != nil):
		return usagef("-at cannot be combined with -run, -skip, -fuzz, -func, -list, -resume or -args")
	case f.pieces < 0 || f.piece == 0:
		return usagef("-pieces and -piece: want numbers above 0")
	case f.piece != search.PieceInstructions && f.pieces == 0:
		return usagef("-piece bounds the runs of a piece: say with -pieces how many there may be")
	case f.pieces > 0 && (f.calls != "" || f.Reach != nil || f.listing || f.Resume || f.covers()):
		return usagef("-pieces cannot be combined with -at %sPKG, -reach, -list, -resume, -coverprofile or -html", search.CallsPrefix)
	case f.function != "" && f.listing:
		return usagef("-func cannot be combined with -list")
	case f.clock != worldClock && f.clock != processorClock:
		return usagef("-clock %s: want world or processor", f.clock)
	case f.clock == processorClock && !cputime.Known:
		return usagef("-clock processor: the processor time of a process is not known on this system")
	case f.clock == processorClock && f.solver != builtinSolver:
		return usagef("-clock processor cannot be combined with -solver: another solver is a process of its own, whose time is not known")
	}
	if f.pieces > 0 {
		f.count = 1
	}
	if f.clock == processorClock {
		f.Clock = clock.Processor(f.Workers)
	}
	f.PossibleFails = f.reachFails
	if f.Reach != nil {
		f.Reach.Fail = f.reachFails
	}
	if err := f.Config.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// parse parses the arguments of everyway test, refuses those that no search can use, and changes
// to the directory of -C. It returns what is to be searched, and the patterns of the packages.
func (f *testFlags) parse(args []string, stdout io.Writer) (choose program.Selection, patterns []string, err error) {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	f.register(fs)
	if i := slices.Index(args, "-args"); i >= 0 {
		args, f.args = args[:i], append([]string{}, args[i+1:]...)
	}
	if patterns, err = parseFlags(fs, args, stdout, testHelp, testGroups...); err != nil {
		return choose, nil, err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if err := f.check(); err != nil {
		return choose, nil, err
	}
	if err := changeDir(*f.chdir); err != nil {
		return choose, nil, err
	}
	f.Estimate = f.output.verbose
	f.Profile = f.output.profiles()
	if f.MaxDegree == 0 {
		f.MaxDegree = -1 // asked for, not left out
	}
	choose, err = f.selection()
	return choose, patterns, err
}

// places returns where goroutines begin: at the places of -at, again and again until there are as
// many as -goroutines says.
func (f *testFlags) places() []string {
	places := make([]string, max(len(f.at), f.goroutines))
	for i := range places {
		places[i] = f.at[i%len(f.at)]
	}
	return places
}

// keeper returns what keeps the results of the command and finds those of others; nil if
// there is no cache.
func (f *testFlags) keeper(files disk.System, cfg load.Config) (*results.Keeper, error) {
	kept, err := openCache(files)
	if err != nil || kept.Off() {
		return nil, err
	}
	return results.NewKeeper(results.Config{
		Cache:     kept,
		Load:      cfg,
		Settings:  fmt.Sprintf("%s solver %s flags %q args %q globals %q", f.Decisive(), f.solver, f.build, f.args, f.globals),
		Selection: fmt.Sprintf("run %q skip %q fuzz %q func %q", f.run, f.skip, f.fuzz, f.function),
		Budget:    f.Budget,
		Anew:      f.count > 0 || f.Resume || f.Profile, // a verdict that is kept does not say what it has cost
	}), nil
}

// openCache opens the cache. If there is none, it keeps nothing.
func openCache(files disk.System) (cache.Cache, error) {
	in, err := cache.Dir()
	if err != nil {
		return cache.Cache{}, usageError{err}
	}
	return cache.Open(disk.Dir{System: files, Path: in}), nil
}

// startSolver turns -solver into options of the search. It returns the processes
// to be ended, if there are any.
func (f *testFlags) startSolver(ctx context.Context) (*external.Pool, error) {
	name, cross := f.solver, false
	switch {
	case name == builtinSolver:
		return nil, nil
	case name == "cross":
		found, err := external.Find()
		if err != nil {
			return nil, usagef("-solver cross: %w", err)
		}
		name, cross = found, true
	default:
		name, cross = strings.CutPrefix(name, "cross:")
	}
	command, err := external.Command(name)
	if err != nil {
		return nil, usagef("-solver %s: %w", f.solver, err)
	}
	pool := external.NewPool(command)
	if err := pool.Probe(ctx); err != nil {
		return nil, usagef("-solver %s: %w", f.solver, err)
	}
	f.Solver = solve.Options{Backend: pool, Cross: cross}
	return pool, nil
}

// selection turns -run, -skip, -fuzz and -func into what is to be searched.
func (f *testFlags) selection() (program.Selection, error) {
	s := program.Selection{Run: f.run, Skip: f.skip, Func: f.function, Globals: f.globals}
	names, err := testname.NewFilter(f.run, f.skip)
	if err != nil {
		return s, usageError{err}
	}
	if names.OfSubtests() {
		f.Run, f.Skip = f.run, f.skip // not for others, as every run would record them
	}
	if f.fuzz != "" {
		if s.Fuzz, err = regexp.Compile(f.fuzz); err != nil {
			return s, usagef("-fuzz %s: %v", f.fuzz, err)
		}
	}
	return s, nil
}

// printList prints the names of what can be searched, as go test -list does.
func (f *testFlags) printList(ctx context.Context, patterns []string, stdout, stderr io.Writer) (int, error) {
	re, err := regexp.Compile(f.list)
	if err != nil {
		return 0, usagef("-list %s: %v", f.list, err)
	}
	start := time.Now()
	dir, err := workDir()
	if err != nil {
		return 0, err
	}
	cfg, err := program.LoadConfig(ctx, dir, patterns, f.build, true)
	if err != nil {
		return 0, usageError{err}
	}
	prog, err := f.loadProgram(ctx, cfg)
	if err != nil {
		return 0, err
	}
	for _, l := range prog.List(re) {
		for _, name := range l.Names {
			fmt.Fprintln(stdout, name)
		}
		fmt.Fprintf(stdout, "ok  \t%s\t%.3fs\n", l.Package, time.Since(start).Seconds())
	}
	out := newOutput(report.Formats()[0], report.Config{Stdout: stdout, Stderr: stderr, Chdir: *f.chdir})
	out.notBuilt(prog.Broken)
	return out.exitCode()
}

// loadPartial is program.LoadPartial, but in a test that searches one module again and again.
var loadPartial = program.LoadPartial

// loadProgram loads the program of a configuration, within the memory that there is.
func (f *testFlags) loadProgram(ctx context.Context, cfg load.Config) (*program.Program, error) {
	ctx, share := f.Memory.Begin(ctx)
	defer share.End()
	prog, err := loadPartial(ctx, cfg)
	if err != nil {
		return nil, usageError{memory.Reason(ctx, err)}
	}
	return prog, nil
}
