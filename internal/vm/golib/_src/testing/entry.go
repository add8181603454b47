package testing

import (
	"errors"
	"fmt"
	"internal/testlog"
	"io"
	"os"
	"slices"
	"strings"
)

// The engine starts a target by calling one of these functions.

// everywayTest runs a test.
func everywayTest(name string, f func(*T)) {
	defer insideTest()()
	t := &T{common: common{name: name}, names: newNames(), barrier: make(chan bool)}
	tRunner(t, f)
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
	got := captureOutput(f)
	want = strings.TrimSpace(want)
	got = strings.TrimSpace(got)
	if order == "unordered" {
		if !slices.Equal(sortedLines(got), sortedLines(want)) {
			reportExample(f, name, fmt.Sprintf("got:\n%s\nwant (unordered):\n%s\n", got, want))
		}
	} else if got != want {
		reportExample(f, name, fmt.Sprintf("got:\n%s\nwant:\n%s\n", got, want))
	}
}

// everywayMain runs a main function.
func everywayMain(f func()) { f() }

// everywayCall calls f, a function of any type, with inputs of the run.
func everywayCall(name string, f func()) {
	call(function(f))
}

// everywayTestMain runs a target through the package's TestMain. kind is "test",
// "fuzz", "benchmark" or "example", f the target's function.
func everywayTestMain(main func(*M), kind, name string, f func(), want, order string) {
	main(&M{target: func() {
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
}

// function returns f, whose type is only pretended to be func(), with its own
// type.
func function(f func()) any

// An M is what TestMain gets to run the tests.
type M struct {
	target func()
}

// Run runs the target and returns the exit status that tells of its outcome.
func (m *M) Run() (code int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.target()
	}()
	<-done
	if failures() > 0 {
		return 1
	}
	return 0
}

// insideTest makes an exit with status 0 a failure, until the function that it
// returns is called.
func insideTest() func() {
	testlog.SetPanicOnExit0(true)
	return func() { testlog.SetPanicOnExit0(false) }
}

// captureOutput calls f and returns what it writes to the standard output.
func captureOutput(f func()) string {
	stdout := os.Stdout
	file, err := os.CreateTemp("", "go-example-stdout-")
	if err != nil {
		panic(fmt.Sprintf("testing: %v", err))
	}
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	f()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		panic(fmt.Sprintf("testing: %v", err))
	}
	text, err := io.ReadAll(file)
	if err != nil {
		panic(fmt.Sprintf("testing: %v", err))
	}
	file.Close()
	os.Remove(file.Name())
	return string(text)
}

func sortedLines(s string) []string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return lines
}

// errNoReturn is the panic of a test that calls runtime.Goexit itself.
var errNoReturn = errors.New("test executed panic(nil) or runtime.Goexit")
