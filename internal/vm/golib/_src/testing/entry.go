package testing

import (
	"errors"
	"fmt"
	"internal/testlog"
	"os"
	"slices"
	"strings"
	_ "unsafe" // for linkname
)

// The engine starts a target by calling one of these functions.

// everywayTest runs a test.
func everywayTest(name string, f func(*T)) {
	defer insideTest()()
	t := &T{common: common{name: name}, names: newNames(), barrier: make(chan bool)}
	tRunner(t, f)
}

// everywayParallel runs tests that call T.Parallel, whose names are separated by commas, as
// go test runs those of a package: one after another until it is done or calls Parallel,
// and then all those that have called it, together. If only is not negative, it is the index
// of the only test to be run.
func everywayParallel(names string, tests []func(*T), only int) {
	defer insideTest()()
	root := &T{barrier: make(chan bool)}
	// What the tests have is allocated whichever of them is run, so that nothing that two of
	// them have goes by the same name.
	var ts []*T
	for name := range strings.SplitSeq(names, ",") {
		ts = append(ts, root.newSub(name, newNames()))
	}
	for i, t := range ts {
		if only >= 0 && i != only {
			continue
		}
		go tRunner(t, tests[i])
		reportStart()
		<-t.signal
		if t.parallel {
			root.subs = append(root.subs, t)
		}
	}
	close(root.barrier)
	for _, t := range root.subs {
		<-t.signal
	}
}

// everywayFuzz runs a fuzz test: its callback once, with inputs of the run.
func everywayFuzz(name string, f func(*F)) {
	defer insideTest()()
	x := &F{common: common{name: name, isFuzz: true}}
	fRunner(x, f)
}

// everywayBench runs a benchmark once.
func everywayBench(name string, f func(*B)) {
	defer insideTest()()
	b := &B{common: common{name: name}, N: 1, names: newNames()}
	b.run(f)
}

// everywayExample runs an example and compares what it prints to want; order is
// "unordered" when only the set of lines matters.
func everywayExample(name string, f func(), want, order string) {
	defer insideTest()()
	runExample(name, f, want, order)
}

// runExample is everywayExample. The example is called here and not in a function of its
// own, since a program can see where that happens.
func runExample(name string, f func(), want, order string) {
	stdout := os.Stdout
	file, err := os.CreateTemp("", "go-example-stdout-")
	if err != nil {
		panic(fmt.Sprintf("testing: %v", err))
	}
	capture(file)
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	f()
	got := strings.TrimSpace(written(file))
	want = strings.TrimSpace(want)
	if order == "unordered" {
		if !slices.Equal(sortedLines(got), sortedLines(want)) {
			reportExample(f, name, fmt.Sprintf("got:\n%s\nwant (unordered):\n%s\n", got, want))
		}
	} else if got != want {
		reportExample(f, name, fmt.Sprintf("got:\n%s\nwant:\n%s\n", got, want))
	}
}

// everywayCall calls f, a function of any type, with inputs of the run.
func everywayCall(name string, f func()) {
	drawVariables()
	call(function(f))
}

// everywayTestMain runs a target through the package's TestMain. kind is "test",
// "fuzz test", "benchmark" or "example", f the target's function.
func everywayTestMain(main func(*M), kind, name string, f func(), want, order string) {
	returned := false
	defer noteExit(&returned)
	main(&M{kind: kind, target: func() {
		switch f := function(f).(type) {
		case func(*T):
			everywayTest(name, f)
		case func(*F):
			everywayFuzz(name, f)
		case func(*B):
			everywayBench(name, f)
		case func():
			everywayExample(name, f, want, order)
		}
	}})
	returned = true
}

// everywayParallelTestMain is everywayParallel through the package's TestMain.
func everywayParallelTestMain(main func(*M), names string, tests []func(*T), only int) {
	returned := false
	defer noteExit(&returned)
	main(&M{kind: "parallel tests", target: func() { everywayParallel(names, tests, only) }})
	returned = true
}

// noteExit is called when TestMain has returned, panics, or has called runtime.Goexit.
func noteExit(returned *bool) {
	if !*returned && !panicking() {
		mainExited()
	}
}

// function returns f, whose type is only pretended to be func(), with its own
// type.
func function(f func()) any

// An M is what TestMain gets to run the tests.
type M struct {
	kind   string
	target func()
}

// Run runs the target and returns the exit status that tells of its outcome.
func (m *M) Run() (code int) {
	switch m.kind {
	case "example", "parallel tests":
		m.target()
	case "fuzz test":
		runFuzzTests(m.target)
	default:
		runTests(m.target)
	}
	testsRan()
	if failures() > 0 {
		return 1
	}
	return 0
}

// runTests runs a test in a goroutine of its own. In the test binaries of go test, what
// waits for it is T.Run, and the machine shows stacks accordingly.
func runTests(target func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		target()
	}()
	<-done
}

// runFuzzTests is runTests for a fuzz test, for which it waits itself.
func runFuzzTests(target func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		target()
	}()
	<-done
}

// The functions below are on the stacks that programs see, as in the test binaries of go
// test. Nobody calls them.

func runExamples() {} // calls runExample
func eachTest()    {} // stands for a function literal of runTests, which calls T.Run
func testMain()    {} // stands for the main function, which go test generates

// insideTest makes an exit with status 0 a failure, until the function that it
// returns is called.
func insideTest() func() {
	testlog.SetPanicOnExit0(true)
	return func() { testlog.SetPanicOnExit0(false) }
}

//go:linkname capture os.capture
func capture(*os.File)

//go:linkname capturedText os.capturedText
func capturedText() string

// written returns what has been written to a temporary file, which is captured and may be closed, and
// removes it. What went to the file itself, by system calls, comes last.
func written(file *os.File) string {
	captured := capturedText()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		panic(fmt.Sprintf("testing: %v", err))
	}
	file.Close()
	os.Remove(file.Name())
	return captured + string(text)
}

func sortedLines(s string) []string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return lines
}

// errNoReturn is the panic of a test that calls runtime.Goexit itself.
var errNoReturn = errors.New("test executed panic(nil) or runtime.Goexit")
