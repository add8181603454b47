package static_test

import "testing"

// TestGiven checks that it is known what the machine does with functions that it is given.
func TestGiven(t *testing.T) {
	a, _, _ := analyseFile(t, "testdata/given.go")
	for _, missed := range a.Unsound() {
		t.Error(missed)
	}
}
