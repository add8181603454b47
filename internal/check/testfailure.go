package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// TestFailure is what a test says of itself by t.Error, t.Fatal and their kin, and an
// exit with a status that is not zero. An exit of TestMain after the tests, of which one has failed, says
// nothing new with the status that M.Run returns then.
const TestFailure Kind = "test failure"

// NotLinearizable is what a test says that everyway linear has made: calls on a value that several
// goroutines make give what no order of the calls gives.
const NotLinearizable Kind = "not linearizable"

// historyFunc is the function with which such a test says so, and historyMessage how the message begins.
const (
	historyFunc    = ".linearFails"
	historyMessage = "not linearizable: "
)

// failureKind returns the kind of what a test says of itself.
func failureKind(f *run.Failure) Kind {
	says := func(frame run.Frame) bool { return strings.HasSuffix(frame.Func, historyFunc) }
	if strings.HasPrefix(f.Message, historyMessage) && slices.ContainsFunc(f.Frames, says) {
		return NotLinearizable
	}
	return TestFailure
}

// testFailures finds what tests say of themselves, but for histories.
func testFailures(t *run.Trace) []Finding {
	fs := failures(t, TestFailure)
	if e := t.Exit; e != nil {
		after := e.OfTests && len(t.TestFailures) > 0
		if !after || e.Status != statusOfFailed {
			fs = append(fs, Finding{
				Kind: TestFailure, Message: fmt.Sprintf("exit status %d", e.Status), StackTrace: e.StackTrace,
				Again: after,
			})
		}
	}
	return fs
}

// statusOfFailed is what M.Run returns if a test has failed.
const statusOfFailed = 1

// histories finds histories that nothing explains.
func histories(t *run.Trace) []Finding { return failures(t, NotLinearizable) }

// failures finds what tests say of themselves that is of a kind.
func failures(t *run.Trace, kind Kind) []Finding {
	var fs []Finding
	for i := range t.TestFailures {
		f := &t.TestFailures[i]
		if failureKind(f) == kind {
			fs = append(fs, Finding{Kind: kind, Message: f.Message, Test: f.Test, StackTrace: f.StackTrace, Again: f.Again})
		}
	}
	return fs
}
