package check

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
)

// TestFailure is what a test says of itself by t.Error, t.Fatal and their kin, and an
// exit with a status that is not zero. An exit after a failure, as that of TestMain, says
// nothing new.
const TestFailure Kind = "test failure"

func testFailures(t *run.Trace) []Finding {
	var fs []Finding
	for i := range t.TestFailures {
		f := &t.TestFailures[i]
		fs = append(fs, Finding{Kind: TestFailure, Message: f.Message, Test: f.Test, StackTrace: f.StackTrace})
	}
	if e := t.Exit; e != nil && len(fs) == 0 {
		fs = append(fs, Finding{Kind: TestFailure, Message: fmt.Sprintf("exit status %d", e.Status), StackTrace: e.StackTrace})
	}
	return fs
}
