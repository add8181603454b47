package vm_test

import "testing"

// A program that calls all functions that have natives prints the same when their own
// code runs. (TestRun compares it with what it prints natively.)
func TestNatives(t *testing.T) {
	m, run := rerunnable(t, "testdata/run/library_native.go")
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
