package testing

import (
	"fmt"
	"os"
)

// Short reports whether the machine's user wants short runs.
func Short() bool

// Verbose reports whether the machine's user wants to see much.
func Verbose() bool

// Testing reports whether this is a test: it is.
func Testing() bool { return true }

// CoverMode returns the mode of test coverage: there is none.
func CoverMode() string { return "" }

// Coverage returns the fraction of code covered, which the program cannot see.
func Coverage() float64 { return 0 }

// An InternalTest is a test, for Main.
type InternalTest struct {
	Name string
	F    func(*T)
}

// An InternalBenchmark is a benchmark, for Main.
type InternalBenchmark struct {
	Name string
	F    func(b *B)
}

// An InternalFuzzTarget is a fuzz test, for Main.
type InternalFuzzTarget struct {
	Name string
	Fn   func(f *F)
}

// An InternalExample is an example, for Main.
type InternalExample struct {
	Name      string
	F         func()
	Output    string
	Unordered bool
}

// A CoverBlock is a block of source in the coverage data.
type CoverBlock struct {
	Line0 uint32
	Col0  uint16
	Line1 uint32
	Col1  uint16
	Stmts uint16
}

// Cover is the coverage data.
type Cover struct {
	Mode            string
	Counters        map[string][]uint32
	Blocks          map[string][]CoverBlock
	CoveredPackages string
}

// RegisterCover does nothing.
func RegisterCover(c Cover) {}

// silent says that logs are not shown: Main does not have them shown, without -test.v.
var silent bool

// Main runs tests and examples, says how they went and ends the program.
func Main(matchString func(pat, str string) (bool, error), tests []InternalTest, benchmarks []InternalBenchmark, examples []InternalExample) {
	silent = true
	if !RunTests(matchString, tests) || !RunExamples(matchString, examples) {
		fmt.Println("FAIL")
		os.Exit(1)
	}
	fmt.Println("PASS")
	os.Exit(0)
}

// RunTests runs the tests one after another.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	for _, test := range tests {
		finished := make(chan struct{})
		go func() {
			defer close(finished)
			everywayTest(test.Name, test.F)
		}()
		<-finished
	}
	return failures() == 0
}

// RunBenchmarks runs each benchmark once.
func RunBenchmarks(matchString func(pat, str string) (bool, error), benchmarks []InternalBenchmark) {
	for _, b := range benchmarks {
		Benchmark(b.F)
	}
}

// RunExamples runs the examples one after another.
func RunExamples(matchString func(pat, str string) (bool, error), examples []InternalExample) (ok bool) {
	for _, e := range examples {
		order := ""
		if e.Unordered {
			order = "unordered"
		}
		everywayExample(e.Name, e.F, e.Output, order)
	}
	return failures() == 0
}
