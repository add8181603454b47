package testing

import (
	"flag"
	"os"
	"runtime"
)

// The flags of test binaries have no effect here: the engine chooses what runs. They are
// there to be looked up, with the values that go test gives them.

func init() {
	Init()
	// That there are no other arguments is known, so parsing can come before the flags of
	// the program are registered.
	flag.CommandLine.Parse(os.Args[1:])
	// The environment is read once, when it is first needed. A test that reads it would
	// change what others use.
	os.Getenv("")
}

var initRan bool

// Init registers the flags of test binaries.
func Init() {
	if initRan {
		return
	}
	initRan = true
	flag.Bool("test.short", Short(), "run smaller test suite to save time")
	flag.Bool("test.failfast", false, "do not start new tests after the first test failure")
	flag.String("test.outputdir", "", "write profiles to `dir`")
	flag.Bool("test.artifacts", false, "store test artifacts in test.,outputdir")
	flag.Bool("test.v", Verbose(), "verbose: print additional output")
	flag.Uint("test.count", 1, "run tests and benchmarks `n` times")
	flag.String("test.coverprofile", "", "write a coverage profile to `file`")
	flag.String("test.gocoverdir", "", "write coverage intermediate files to this directory")
	flag.String("test.list", "", "list tests, examples, and benchmarks matching `regexp` then exit")
	flag.String("test.run", "", "run only tests and examples matching `regexp`")
	flag.String("test.skip", "", "do not list or run tests matching `regexp`")
	flag.String("test.memprofile", "", "write an allocation profile to `file`")
	flag.Int("test.memprofilerate", 0, "set memory allocation profiling `rate` (see runtime.MemProfileRate)")
	flag.String("test.cpuprofile", "", "write a cpu profile to `file`")
	flag.String("test.blockprofile", "", "write a goroutine blocking profile to `file`")
	flag.Int("test.blockprofilerate", 1, "set blocking profile `rate` (see runtime.SetBlockProfileRate)")
	flag.String("test.mutexprofile", "", "write a mutex contention profile to the named file after execution")
	flag.Int("test.mutexprofilefraction", 1, "if >= 0, calls runtime.SetMutexProfileFraction()")
	flag.Bool("test.paniconexit0", false, "panic on call to os.Exit(0)")
	flag.String("test.trace", "", "write an execution trace to `file`")
	flag.Duration("test.timeout", 0, "panic test binary after duration `d` (default 0, timeout disabled)")
	flag.String("test.cpu", "", "comma-separated `list` of cpu counts to run each test with")
	flag.Int("test.parallel", runtime.GOMAXPROCS(0), "run at most `n` tests in parallel")
	flag.String("test.testlogfile", "", "write test action log to `file` (for use only by cmd/go)")
	flag.String("test.shuffle", "off", "randomize the execution order of tests and benchmarks")
	flag.Bool("test.fullpath", false, "show full file names in error messages")
	flag.String("test.bench", "", "run only benchmarks matching `regexp`")
	flag.Bool("test.benchmem", false, "print memory allocations for benchmarks")
	flag.String("test.benchtime", "1s", "run each benchmark for duration `d` or N times if `d` is of the form Nx")
	flag.String("test.fuzz", "", "run the fuzz test matching `regexp`")
	flag.String("test.fuzztime", "0s", "time to spend fuzzing; default is to run indefinitely")
	flag.String("test.fuzzminimizetime", "1m0s", "time to spend minimizing a value after finding a failing input")
	flag.String("test.fuzzcachedir", "", "directory where interesting fuzzing inputs are stored (for use only by cmd/go)")
	flag.Bool("test.fuzzworker", false, "coordinate with the parent process to fuzz random values (for use only by cmd/go)")
}
