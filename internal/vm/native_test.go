package vm_test

import (
	"bytes"
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

// A program that calls all functions that have natives prints the same when their own
// code runs. (TestRun compares it with what it prints natively.)
func TestNatives(t *testing.T) {
	r := loadProgram(t, "testdata/run/library_native.go")
	var out bytes.Buffer
	m := boot(t, r, &out, vm.Limits{})
	run := func() (string, uint64) {
		out.Reset()
		trace, err := m.Run(t.Context(), &vm.Plan{}, vm.RunOn{})
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome != vm.Finished {
			t.Fatalf("outcome %v: %s", trace.Outcome, trace.Message)
		}
		return out.String(), trace.Instructions
	}
	text, instructions := run()
	if unused := m.DropNatives(); len(unused) > 0 {
		t.Errorf("natives of functions that the program does not call: %v", unused)
	}
	own, ownInstructions := run()
	compareLines(t, text, own)
	if instructions >= ownInstructions {
		t.Errorf("%d instructions with natives, %d without", instructions, ownInstructions)
	}
}
