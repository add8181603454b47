package vm_test

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// A program that has every pair of instructions that is fused does the same, in the
// same number of instructions, when they are not. (TestRun compares it with what it
// does natively.)
func TestFusedPairs(t *testing.T) {
	m, run := rerunnable(t, "testdata/run/fused.go")
	text, instructions := run()
	if missing := m.Unfused(); len(missing) > 0 {
		t.Errorf("pairs that the program does not have: %v", missing)
	}
	m.Unfuse()
	plainText, plainInstructions := run()
	if text != plainText || instructions != plainInstructions {
		t.Errorf("%d instructions with fused pairs, %d without; output:\n%s\nwithout:\n%s", instructions, plainInstructions, text, plainText)
	}
}

// rerunnable returns the machine of a program, and a function that runs it to its end
// and returns what it printed and the number of its instructions.
func rerunnable(t *testing.T, file string) (*vm.Machine, func() (string, uint64)) {
	t.Helper()
	var out bytes.Buffer
	m := bootOwn(t, file, &out, run.Limits{})
	return m, func() (string, uint64) {
		t.Helper()
		out.Reset()
		trace, err := m.Run(t.Context(), &run.Plan{}, run.NonPreemptive{})
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome != run.Finished {
			t.Fatalf("outcome %v: %s", trace.Outcome, trace.Message)
		}
		return out.String(), trace.Instructions
	}
}
